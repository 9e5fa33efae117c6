"""Every source of a column, and what modifies it."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from simulator.errors import WorldError
from tests.world.worlds import NOW, column, made, things


def test_a_choice_takes_values_of_the_list_and_keeps_their_types():
    assert set(column(type="integer", choice=[1, 2, 3])) == {1, 2, 3}
    assert set(column(type="text", choice=["a", "b"])) == {"a", "b"}
    assert set(column(type="boolean", choice=[True, False])) == {0, 1}


def test_weights_say_how_often_a_value_comes_and_their_keys_have_the_columns_type():
    counts = Counter(column(rows=4000, type="integer", choice={"1": 75, "2": 25, "3": 0}))
    assert set(counts) == {1, 2}
    assert 2800 < counts[1] < 3200
    assert Counter(column(rows=2000, type="boolean", choice={"true": 9, "false": 1}))[1] > 1700


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [
        ({"uniform": [10, 20]}, 10, 20),
        ({"normal": [100, 15], "min": 60, "max": 140}, 60, 140),
        ({"lognormal": [2.5, 1.0], "min": 1, "max": 5000}, 1, 5000),
        ({"exponential": 8, "max": 40}, 0, 40),
        ({"poisson": 4}, 0, 30),
        ({"pareto": [1.5, 3], "max": 1000}, 3, 1000),
    ],
)
def test_numbers_lie_within_their_bounds_and_have_the_columns_type(number, low, high):
    integers = column(type="integer", number=number)
    reals = column(type="real", number=number)
    assert all(isinstance(value, int) and low <= value <= high for value in integers)
    assert all(isinstance(value, float) and low <= value <= high for value in reals)
    assert len(set(reals)) > 5


def test_decimals_have_their_scale_and_rounding_rounds():
    assert all(round(value, 2) == value for value in column(type="decimal(8,2)", number={"uniform": [0, 1000]}))
    assert all(
        value % 50 == 0 for value in column(type="integer", number={"uniform": [0, 900], "round": -1}) if value % 10
    )
    assert all(value % 10 == 0 for value in column(type="real", number={"uniform": [0, 900], "round": -1}))


def test_a_decimal_that_outgrows_its_precision_is_an_error_that_names_the_column():
    with pytest.raises(WorldError, match=r"thing\.value: .*decimal\(4,2\)"):
        column(type="decimal(4,2)", number={"uniform": [0, 1000]})


def test_times_lie_between_their_bounds():
    values = column(type="timestamp", time={"from": "-3y", "to": "-30d"})
    assert all("2023-03-03 09:00:00" <= value <= "2026-01-31 09:00:00" for value in values)
    assert max(column(type="timestamp", time={"from": "-2h"})) <= NOW
    days = column(type="date", time={"from": "2026-01-05", "to": "2026-01-07"})
    assert set(days) == {"2026-01-05", "2026-01-06", "2026-01-07"}


def test_times_in_the_future_need_a_bound_that_says_so():
    values = column(type="timestamp", time={"from": "now", "to": "10d"})
    assert min(values) >= NOW
    assert max(values) > "2026-03-05"


def test_business_hours_are_monday_to_friday_from_eight_to_six():
    rows = made(things(400, at={"type": "timestamp", "time": {"from": "-60d", "business_hours": True}}))
    assert rows("select count(*) from thing where strftime('%w', at) in ('0', '6')") == [0]
    assert rows("select min(time(at)) >= '08:00:00', max(time(at)) < '18:00:00' from thing") == [(1, 1)]


def test_times_follow_other_columns_of_the_row_and_of_the_parent():
    rows = made(
        {
            "customer": {
                "rows": 40,
                "columns": {
                    "id": {"type": "text", "pattern": "C-%03d", "key": True},
                    "since": {"type": "date", "time": {"from": "-2y", "to": "-90d"}},
                },
            },
            "purchase": {
                "rows": {"per": "customer", "count": 5},
                "columns": {
                    "id": {"type": "integer"},
                    "returned_at": {"type": "timestamp", "time": {"after": "shipped_at"}, "missing": 0.5},
                    "shipped_at": {
                        "type": "timestamp",
                        "time": {"after": "placed_at", "within": {"lognormal": ["1d", 0.5]}},
                        "missing": 0.3,
                    },
                    "placed_at": {"type": "timestamp", "time": {"after": "customer.since", "to": "-2d"}},
                    "customer_id": {"ref": "customer"},
                },
            },
        }
    )
    everything = "from purchase p join customer c on c.id = p.customer_id"
    assert rows(f"select count(*) {everything} where p.placed_at < c.since") == [0]
    assert rows(f"select count(*) {everything} where p.shipped_at < p.placed_at or p.shipped_at > ?", NOW) == [0]
    assert rows("select count(*) from purchase where returned_at < shipped_at") == [0]
    # What follows something that never happened has not happened either.
    assert rows("select count(*) from purchase where shipped_at is null and returned_at is not null") == [0]
    assert rows("select count(*) > 20 from purchase where returned_at is not null") == [1]


def test_a_window_that_ends_before_it_starts_is_an_error_that_names_row_and_bounds():
    with pytest.raises(WorldError, match=r"thing\.late: .*row \d+ needs one from 20.* to 2025-01-01"):
        made(
            things(
                50,
                opened={"type": "timestamp", "time": {"from": "-1y"}},
                late={"type": "timestamp", "time": {"after": "opened", "to": "2025-01-01"}},
            )
        )


def test_patterns_sequences_constants_and_uuids():
    assert column(rows=3, type="text", pattern="C-%05d") == ["C-00001", "C-00002", "C-00003"]
    assert column(rows=3, type="integer", sequence=10) == [10, 11, 12]
    assert column(rows=3, type="integer", sequence={"start": 5, "step": 5}) == [5, 10, 15]
    assert column(rows=2, type="text", constant="x") == ["x", "x"]
    assert column(rows=2, type="boolean", constant=True) == [1, 1]
    assert column(rows=2, type="real", constant=3) == [3.0, 3.0]
    uuids = column(type="text", uuid=True)
    assert len(set(uuids)) == len(uuids)
    assert all(re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", u) for u in uuids)


def test_json_is_stored_in_one_spelling():
    assert column(rows=1, type="json", constant='{"b": [1,2], "a": true}') == ['{"a":true,"b":[1,2]}']
    rows = made({"thing": {"rows": [{"id": 1, "meta": {"b": 1, "a": ["ü"]}}, {"id": 2, "meta": [1.5, None]}]}})
    assert rows("select meta from thing order by id") == ['{"a":["ü"],"b":1}', "[1.5,null]"]
    assert [json.loads(text) for text in column(rows=20, type="json", choice=[1, None, "[]"], nullable=True) if text]


def test_a_template_puts_columns_together_and_is_null_where_one_of_them_is():
    rows = made(
        things(
            60,
            label={"type": "text", "template": "{kind}/{id}: {open} {{x}} {note}", "nullable": True},
            note={"type": "text", "constant": "n", "missing": 0.5},
            kind={"type": "text", "choice": ["a", "b"]},
            open={"type": "boolean", "choice": [True, False]},
        )
    )
    for key, label, note, kind, is_open in rows("select id, label, note, kind, open from thing"):
        expected = f"{kind}/{key}: {'true' if is_open else 'false'} {{x}} n"
        assert label == (None if note is None else expected)


def test_the_people_of_a_row_agree_and_a_column_may_have_its_own_locale():
    rows = made(
        things(
            80,
            email={"type": "text", "faker": "email", "unique": True},
            first={"type": "text", "faker": "first_name"},
            last={"type": "text", "faker": "last_name"},
            city={"type": "text", "faker": {"provider": "city", "locale": "de_DE"}},
        )
    )
    for email, first in rows("select email, first from thing"):
        assert email[0] == first[0].lower() or not first[0].isascii()
    assert len(set(rows("select city from thing")) & set(column(type="text", faker="city"))) == 0


def test_depends_on_picks_the_source_by_another_column():
    rows = made(
        things(
            200,
            kind={"type": "text", "choice": ["cat", "dog", "fish"]},
            sound={
                "type": "text",
                "depends_on": {
                    "column": "kind",
                    "when": {"cat": {"constant": "meow"}, "dog": {"choice": ["woof", "wuff"]}},
                },
            },
        )
    )
    assert set(rows("select kind || ':' || coalesce(sound, '-') from thing")) == {
        "cat:meow", "dog:woof", "dog:wuff", "fish:-",
    }  # fmt: skip


def test_depends_on_reads_the_keys_by_the_deciding_columns_type():
    rows = made(
        things(
            100,
            vip={"type": "boolean", "choice": [True, False]},
            discount={
                "type": "integer",
                "depends_on": {
                    "column": "vip",
                    "when": {"true": {"number": {"uniform": [10, 20]}}},
                    "otherwise": {"constant": 0},
                },
            },
        )
    )
    assert rows("select min(discount) >= 10 from thing where vip") == [1]
    assert rows("select max(discount) from thing where not vip") == [0]


def test_missing_takes_a_share_or_a_condition_of_the_values_away():
    values = column(rows=2000, type="text", constant="x", missing=0.25)
    assert 400 < values.count(None) < 600
    rows = made(
        things(
            200,
            state={"type": "text", "choice": ["open", "closed"]},
            note={"type": "text", "faker": "sentence", "missing": "state <> 'closed'"},
        )
    )
    assert set(rows("select state || (note is null) from thing")) == {"open1", "closed0"}


def test_a_column_nothing_says_anything_about_is_null_if_it_may_be():
    assert column(rows=3, type="text", nullable=True) == [None, None, None]


@pytest.mark.parametrize(
    "model",
    [
        {"type": "integer", "number": {"uniform": [1, 300]}},
        {"type": "decimal(6,2)", "number": {"uniform": [0, 2.99]}},
        {"type": "real", "number": {"normal": [0, 1]}},
        {"type": "text", "faker": "email"},
        {"type": "text", "choice": [f"v{number}" for number in range(300)]},
        {"type": "integer", "choice": {str(number): number for number in range(1, 301)}},
        {"type": "timestamp", "time": {"from": "-299s"}},
        {"type": "date", "time": {"from": "-299d"}},
    ],
)
def test_unique_values_differ_even_where_there_are_just_enough(model):
    values = column(rows=300, unique=True, **model)
    assert len(set(values)) == 300


def test_values_that_happen_to_collide_are_an_error_with_the_numbers():
    with pytest.raises(WorldError, match=r"thing\.value: must be unique, but 300 rows have only \d+ different values"):
        column(rows=300, unique=True, type="integer", number={"poisson": 3})


def test_a_key_may_come_from_any_source_and_is_unique_then():
    tables = {"thing": {"rows": 90, "columns": {"code": {"type": "integer", "number": {"uniform": [1, 90]}}}}}
    assert sorted(made(tables)("select code from thing")) == list(range(1, 91))


def test_a_choice_may_be_null_where_that_is_allowed():
    assert set(column(type="text", choice=["a", None], nullable=True)) == {"a", None}


def test_ids_in_row_order_are_what_a_bare_integer_key_is_filled_with():
    rows = made(things(5, number={"type": "integer", "sequence": 0}))
    assert rows("select id, number from thing order by id") == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]
