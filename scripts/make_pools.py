"""Write the committed word pools, simulator/world/generation/data/pools/<locale>.json, from the installed Faker.

Run ``python scripts/make_pools.py``. Each file records Faker's version; with that version the script writes the same
bytes again. Changing a pool changes every world that uses it, so it is a change of the engine's version.

Telephone numbers are written by hand: ranges that regulators keep for fiction (NANPA 555-01xx, Ofcom,
Bundesnetzagentur, Arcep), and for Spain, which keeps none, the unassigned 555. IBANs get valid check digits; their
accounts are invented.
"""

from __future__ import annotations

from pathlib import Path

import faker

from simulator.errors import WorldError
from simulator.world.generation.pools import (
    ANY_LOCALE,
    COMMITTED_LOCALES,
    SHARED_SOURCES,
    SOURCES,
    build_pool,
    render_pools,
)

FOLDER = Path(__file__).parents[1] / "simulator" / "world" / "generation" / "data" / "pools"

# fmt: off
US_AREA_CODES = (
    201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228,
    229, 231, 234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 276, 281, 301, 302,
    303, 304, 305, 307, 308, 309, 310, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 323, 325, 330,
    331, 334, 336, 337, 339, 347, 351, 352, 360, 361, 386, 401, 402, 404, 405, 406, 407, 408, 409, 410,
    412, 413, 414, 415,
)
# fmt: on

PHONE_MASKS: dict[str, list[str]] = {
    "en_US": [f"({code}) 555-01##" for code in US_AREA_CODES],
    "en_GB": [
        *(f"+44 {area} 496 0###" for area in (113, 114, 115, 116, 117, 118, 121, 131, 141, 151, 161)),
        *("+44 20 7946 0###", "+44 29 2018 0###", "+44 28 9649 6###", "+44 191 498 0###", "+44 1632 960###"),
        *("+44 7700 900###", "+44 3069 990###"),
    ],
    "de_DE": ["+49 30 23125###", "+49 69 90009###", "+49 40 66969###", "+49 221 4710###", "+49 89 99998###"],
    "fr_FR": [
        *("+33 1 99 00 ## ##", "+33 2 61 91 ## ##", "+33 3 53 01 ## ##", "+33 4 65 71 ## ##"),
        *("+33 5 36 49 ## ##", "+33 6 39 98 ## ##"),
    ],
    "es_ES": ["+34 555 ### ###"],
}
IBAN_MASKS: dict[str, list[str]] = {
    "en_US": [f"GB@@{bank}" + "#" * 14 for bank in ("XAEA", "XBOC", "XCTY", "XDRN")],
    "en_GB": [f"GB@@{bank}" + "#" * 14 for bank in ("XAEA", "XBOC", "XCTY", "XDRN")],
    "de_DE": ["DE@@" + "#" * 18],
    "fr_FR": ["FR@@30000" + "#" * 18],
    "es_ES": ["ES@@21" + "#" * 18],
}
# Faker's name for what a letter's address calls the state
STATES = {"en_GB": "county", "fr_FR": "region"}
# Faker's British texts are Latin
TEXT_FROM = {"en_GB": "en_US"}
TEXTS = ("word", "sentence", "paragraph", "text")


def pools_of(locale: str) -> dict[str, list[str]]:
    """All pools of one locale."""
    if locale == ANY_LOCALE:
        return {name: list(build_pool(locale, name)) for name in SHARED_SOURCES}
    pools: dict[str, list[str]] = {}
    for name in SOURCES:
        if name == "phone_mask":
            pools[name] = sorted(PHONE_MASKS[locale])
        elif name == "iban_mask":
            pools[name] = sorted(IBAN_MASKS[locale])
        elif name == "state" and locale in STATES:
            pools[name] = states_of(locale)
        else:
            pools[name] = list(build_pool(TEXT_FROM.get(locale, locale) if name in TEXTS else locale, name))
    return pools


def states_of(locale: str) -> list[str]:
    """Counties or regions, where Faker has no states."""
    generator = faker.Faker(locale)
    generator.seed_instance(0)
    return sorted({getattr(generator, STATES[locale])() for _ in range(3000)})


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for locale in (*COMMITTED_LOCALES, ANY_LOCALE):
        path = FOLDER / f"{locale}.json"
        try:
            path.write_text(render_pools({locale: pools_of(locale)}), encoding="utf-8")
        except WorldError as error:
            raise SystemExit(f"{locale}: {error}") from error


if __name__ == "__main__":
    main()
