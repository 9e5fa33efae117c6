"""Write simulator/world/generation/data/normal_quantiles.json: quantiles of the standard normal distribution.

Run ``python scripts/make_quantile_tables.py``. The values are computed with decimal arithmetic to 60 digits and rounded
to 12 decimals, so any machine writes the same bytes; a test compares them with the committed file.

The table holds -Φ⁻¹(q) for tail probabilities q on a grid that is finer towards the tail: each octave
[2⁻ᵏ⁻¹, 2⁻ᵏ) is cut into equal cells. ``values[i]`` belongs to
q = 2 ** -(octaves + 1) * 2 ** (i // cells) * (1 + (i % cells) / cells), and the last entry to q = 1/2.
"""

from __future__ import annotations

import json
from decimal import Decimal, localcontext
from pathlib import Path
from statistics import NormalDist

OCTAVES = 53
CELLS = 64
PATH = Path(__file__).parents[1] / "simulator" / "world" / "generation" / "data" / "normal_quantiles.json"
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")


def upper_tail(z: Decimal) -> tuple[Decimal, Decimal]:
    """(1 - Φ(z), φ(z)) for z >= 0, by the series Φ(z) = 1/2 + φ(z) (z + z³/3 + z⁵/15 + …), whose terms are positive."""
    density = (-z * z / 2).exp() / (2 * PI).sqrt()
    term = total = z
    n = 1
    while term > Decimal("1e-58"):
        n += 2
        term = term * z * z / n
        total += term
    return Decimal("0.5") - density * total, density


def quantile(q: Decimal) -> Decimal:
    """The z >= 0 with 1 - Φ(z) = q. Newton's method doubles the correct digits; the start has about ten."""
    z = Decimal(-NormalDist().inv_cdf(float(q)))
    for _ in range(3):
        tail, density = upper_tail(z)
        z += (tail - q) / density
    return z


def table() -> str:
    """The file's text."""
    values: list[float] = []
    with localcontext() as context:
        context.prec = 60
        for octave in range(OCTAVES):
            for cell in range(CELLS):
                q = Decimal(2) ** (octave - OCTAVES - 1) * (1 + Decimal(cell) / CELLS)
                values.append(float(round(quantile(q), 12)))
        values.append(0.0)
    return json.dumps({"cells": CELLS, "octaves": OCTAVES, "values": values}, indent=0) + "\n"


if __name__ == "__main__":
    PATH.parent.mkdir(parents=True, exist_ok=True)
    PATH.write_text(table(), encoding="utf-8")
