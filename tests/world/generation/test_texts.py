from __future__ import annotations

import re

import pytest

from simulator.errors import WorldError
from simulator.world.generation import (
    PROVIDERS,
    FakerColumn,
    FakerTable,
    PoolSet,
    Stream,
    check_provider,
    unique_choices,
)
from simulator.world.generation.people import ascii_word

POOLS = PoolSet()
LOCALES = ["en_US", "de_DE", "fr_FR", "es_ES", "en_GB"]
COUNTRY_CODES = {"(": "en_US", "+49": "de_DE", "+33": "fr_FR", "+34": "es_ES", "+44": "en_GB"}


def table(columns, rows=300, locales=("en_US", "de_DE"), seed=1):
    faker_columns = [FakerColumn(name, provider, unique) for name, provider, unique in columns]
    return FakerTable(faker_columns, pools=POOLS, seed=seed, table="customer", rows=rows, locales=locales)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_provider_fills_a_column_the_same_way_twice(provider):
    first, second = (table([("x", provider, False)], locales=LOCALES).values("x") for _ in range(2))
    assert first == second
    assert len(first) == 300
    assert all(value and value.strip() == value and "\n" not in value and "#" not in value for value in first)
    assert first != table([("x", provider, False)], locales=LOCALES, seed=2).values("x")


def test_the_columns_of_a_person_agree():
    providers = [
        "name",
        "first_name",
        "last_name",
        "email",
        "user_name",
        "company",
        "company_email",
        "url",
        "street_address",
        "address",
        "city",
    ]
    people = table([(provider, provider, False) for provider in providers], locales=LOCALES)
    row = {provider: people.values(provider) for provider in providers}
    for i in range(300):
        first, last = row["first_name"][i], row["last_name"][i]
        assert row["name"][i] == f"{first} {last}"
        mailbox = f"{ascii_word(first)}.{ascii_word(last)}"
        assert re.fullmatch(rf"{mailbox}@example\.(com|net|org)", row["email"][i])
        assert row["user_name"][i][0] == mailbox[0]
        assert row["company_email"][i] == f"{mailbox}@" + row["url"][i].removeprefix("https://www.").removesuffix("/")
        assert row["street_address"][i] in row["address"][i]
        assert row["city"][i] in row["address"][i]


def test_a_name_and_its_telephone_number_come_from_one_country():
    people = table(
        [("name", "last_name", False), ("phone", "phone_number", False), ("iban", "iban", False)], locales=LOCALES
    )
    seen = set()
    for last, phone, iban in zip(people.values("name"), people.values("phone"), people.values("iban"), strict=True):
        locale = COUNTRY_CODES[phone.split()[0] if phone[0] == "+" else "("]
        seen.add(locale)
        assert last in POOLS.pool(locale, "last_name")
        assert iban[:2] == ("GB" if locale == "en_US" else locale[-2:])
    assert seen == set(LOCALES)


def test_texts_speak_the_language_of_the_person_in_the_row():
    people = table([("name", "last_name", False), ("note", "sentence", False)])
    german, english = POOLS.pool("de_DE", "sentence"), POOLS.pool("en_US", "sentence")
    for last, note in zip(people.values("name"), people.values("note"), strict=True):
        assert (note in german) == (last in POOLS.pool("de_DE", "last_name")) or last in POOLS.pool(
            "en_US", "last_name"
        )
        assert note in german or note in english


def test_the_second_column_of_a_provider_is_another_person():
    people = table(
        [("name", "name", False), ("email", "email", False), ("boss", "name", False), ("boss_email", "email", False)]
    )
    names, bosses = people.values("name"), people.values("boss")
    assert sum(a == b for a, b in zip(names, bosses, strict=True)) < 3
    for name, email in zip(bosses, people.values("boss_email"), strict=True):
        assert email.startswith(ascii_word(name.split()[0]) + ".")


def test_a_further_column_changes_none_of_the_others():
    few = table([("name", "name", False), ("city", "city", False)])
    more = table(
        [
            ("phone", "phone_number", False),
            ("name", "name", False),
            ("city", "city", False),
            ("note", "sentence", False),
        ]
    )
    assert few.values("name") == more.values("name")
    assert few.values("city") == more.values("city")


def test_columns_may_be_read_in_any_order():
    columns = [
        ("name", "name", True),
        ("email", "email", True),
        ("address", "address", False),
        ("company", "company", True),
    ]
    forward, backward = table(columns), table(columns)
    names = [name for name, _, _ in columns]
    assert [forward.values(name) for name in names] == [backward.values(name) for name in reversed(names)][::-1]


@pytest.mark.parametrize(
    ("provider", "rows"),
    [
        *[
            ("name", 5000),
            ("email", 5000),
            ("user_name", 5000),
            ("company", 3000),
            ("company_email", 3000),
            ("url", 2000),
        ],
        *[("phone_number", 3000), ("iban", 2000), ("street_address", 3000), ("address", 3000), ("ipv4", 5000)],
        *[
            ("mac_address", 2000),
            ("sentence", 400),
            ("city", 150),
            ("first_name", 400),
            ("last_name", 400),
            ("isbn13", 500),
        ],
    ],
)
def test_unique_columns_hold_no_value_twice(provider, rows):
    values = table([("x", provider, True)], rows=rows, locales=LOCALES).values("x")
    assert len(set(values)) == rows


def test_a_person_with_a_unique_name_still_agrees_with_itself():
    people = table([("name", "name", True), ("first", "first_name", False), ("email", "email", True)], rows=2000)
    assert len(set(people.values("name"))) == len(set(people.values("email"))) == 2000
    for name, first in zip(people.values("name"), people.values("first"), strict=True):
        assert name.startswith(first + " ")


def test_impossible_uniqueness_names_the_column_and_what_to_change():
    with pytest.raises(
        WorldError, match=r"customer\.x: faker job in de_DE has only 34 different values where 100 rows.*drop `unique`"
    ):
        table([("x", "job", True)], rows=100, locales=["de_DE"]).values("x")
    with pytest.raises(WorldError, match="only 3 different values where 400 rows"):
        unique_choices(Stream(1, "t", "c"), 400, ["a", "b", "c"], what="the choice")
    assert sorted(unique_choices(Stream(1, "t", "c"), 3, ["a", "b", "c"], what="the choice")) == ["a", "b", "c"]


def test_ibans_have_valid_check_digits():
    for iban in table([("x", "iban", False)], locales=LOCALES).values("x"):
        assert int("".join(str(int(c, 36)) for c in iban[4:] + iban[:4])) % 97 == 1


def test_domains_are_those_reserved_for_examples():
    people = table([(p, p, False) for p in ("email", "company_email", "domain_name")], locales=[*LOCALES, "ja_JP"])
    for provider in ("email", "company_email", "domain_name"):
        for value in people.values(provider):
            assert re.fullmatch(r"([a-z0-9.-]+@)?([a-z0-9-]+\.example|example\.(com|net|org))", value)


def test_locales_without_latin_letters_have_plain_mailboxes():
    people = table([("name", "name", True), ("email", "email", True)], rows=50, locales=["ja_JP"])
    assert all(email.isascii() for email in people.values("email"))
    assert not any(name.isascii() for name in people.values("name"))


def test_american_addresses_name_the_state_next_to_any_other_locale():
    people = table(
        [("address", "address", False), ("state", "phone_number", False)], locales=["en_US", "ja_JP"], rows=20
    )
    states = POOLS.pool("en_US", "state")
    assert any(any(f", {state} " in address for state in states) for address in people.values("address"))


@pytest.mark.parametrize(
    ("provider", "message"),
    [
        ("date_time", "`time` source"),
        ("date_of_birth", "`time` source"),
        ("uuid4", "source `uuid`"),
        ("frist_name", "did you mean first_name"),
        ("__class__", "no faker provider"),
        ("seed", "no faker provider"),
    ],
)
def test_providers_outside_the_list_are_refused_with_what_to_use(provider, message):
    with pytest.raises(WorldError, match=message):
        check_provider(provider)


def test_letters_with_marks_become_plain_ones():
    assert list(map(ascii_word, ["Müller-Lüdenscheidt", "José", "Strauß", "O'Brien", "Łódź", "鈴木", "-x-"])) == [
        *("mueller-luedenscheidt", "jose", "strauss", "obrien", "lodz", "", "x")
    ]


def test_a_column_may_have_locales_of_its_own():
    columns = [FakerColumn("name", "last_name"), FakerColumn("french", "last_name", locales=("fr_FR",))]
    columns += [FakerColumn("phone", "phone_number"), FakerColumn("note", "sentence", locales=("es_ES",))]
    people = FakerTable(columns, pools=POOLS, seed=1, table="customer", rows=200, locales=["de_DE"])
    assert set(people.values("name")) <= set(POOLS.pool("de_DE", "last_name"))
    assert set(people.values("french")) <= set(POOLS.pool("fr_FR", "last_name"))
    assert set(people.values("note")) <= set(POOLS.pool("es_ES", "sentence"))
    assert all(phone.startswith("+49") for phone in people.values("phone"))
