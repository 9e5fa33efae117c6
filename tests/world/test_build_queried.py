"""Tables whose rows a query over earlier tables gives."""

from __future__ import annotations

import pytest

from simulator.errors import WorldError
from tests.world.worlds import made, problems

PARENT = {
    "rows": 40,
    "columns": {
        "id": {"type": "integer", "key": True},
        "size": {"type": "integer", "number": {"uniform": [0, 3]}},
        "price": {"type": "decimal(6,2)", "number": {"uniform": [1, 9]}},
    },
}


def child(query: str, **columns: object) -> dict[str, object]:
    return {
        "parent": PARENT,
        "child": {
            "rows": {"query": query},
            "columns": {
                "id": {"type": "integer", "key": True, "sequence": 101},
                "parent_id": {"ref": "parent"},
                "amount": {"type": "decimal(6,2)"},
                **columns,
            },
        },
    }


def test_each_row_of_the_query_is_a_row_in_its_order():
    query = "select p.id as parent_id, p.size * p.price as amount from parent p where p.size > 0 order by p.id desc"
    rows = made(child(query))
    expected = rows("select id from parent where size > 0 order by id desc")
    assert 0 < len(expected) < 40
    assert rows("select parent_id from child order by id") == expected
    assert rows("select min(id), max(id) from child") == [(101, 100 + len(expected))]
    assert (
        rows("select c.id from child c join parent p on p.id = c.parent_id where abs(c.amount - size * price) > 0.006")
        == []
    )


def test_columns_the_query_does_not_give_come_from_their_sources():
    query = "select id as parent_id, 1 as amount from parent order by id"
    rows = made(child(query, kind={"type": "text", "choice": ["a", "b"], "missing": "parent_id % 2 = 0"}))
    assert rows("select distinct kind is null from child where parent_id % 2 = 0") == [1]
    assert set(rows("select kind from child where parent_id % 2 = 1")) == {"a", "b"}


def test_rows_follow_what_the_query_reads_when_the_world_grows():
    query = "select id as parent_id, 1 as amount from parent order by id"
    assert made(child(query), scale=3)("select count(*) from child") == [120]


def test_no_rows_are_no_rows():
    assert made(child("select id as parent_id, 1 as amount from parent where size > 9"))("select * from child") == []


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("select id as parent_id, 1 as amount, 2 as colour from parent", "unknown_column"),
        ("select id as parent_id, 1 as amount, 2 as amount from parent", "duplicate_column"),
        ("select id as parent_id, amount from child", "later_table"),
        ("select id as parent_id, 1 as amount from nobody", "sql_unknown_name"),
        ("select :size as parent_id, 1 as amount", "unbound_parameter"),
        ("select id as parent_id from parent", "no_source"),
        ("delete from parent", "not_a_query"),
    ],
)
def test_what_is_wrong_with_a_query_is_told(query, code):
    assert code in problems(child(query)).values()


def test_a_value_of_the_wrong_type_is_told_with_its_column():
    with pytest.raises(WorldError, match=r"child: .*'x'|child.*decimal"):
        made(child("select id as parent_id, 'x' as amount from parent"))
