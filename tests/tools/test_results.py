"""Results are JSON made from rows by the types of their columns."""

import pytest

from tests.tools.shop import shop


def result(returns, **arguments):
    parameters = {
        name: {"type": "string" if isinstance(value, str) else "integer"} for name, value in arguments.items()
    }
    tools = {"look": {"summary": "Look.", "parameters": parameters, "returns": returns}}
    with shop(tools) as of:
        return of.call("look", **arguments)


def test_one_is_the_first_row_with_values_by_type():
    assert result({"one": "select * from customer order by id"}) == {
        "id": "C-1", "name": "Ann", "vip": True, "tags": ["new", "éü"], "balance": 25.5, "phone": None,
    }  # fmt: skip


def test_one_without_a_row_is_null():
    assert (
        result({"one": "select * from customer where id = :id", "nest": {"a": {"value": "select 1"}}}, id="x") is None
    )


def test_many_is_a_list_and_may_be_empty():
    assert result({"many": "select id, vip from customer order by id"}) == [
        {"id": "C-1", "vip": True},
        {"id": "C-2", "vip": False},
    ]
    assert result({"many": "select id from customer where id = 'x'"}) == []


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("select vip from customer where id = 'C-1'", True),
        ("select tags from customer where id = 'C-2'", []),
        ("select balance from customer where id = 'C-1'", 25.5),
        ("select count(*) from customer", 2),
        ("select name from customer where id = 'x'", None),
        ("select phone from customer where id = 'C-1'", None),
        ("select 9e999", "Infinity"),
        ("select x'01ff'", "01ff"),
        ("values (7)", 7),
    ],
)
def test_value_is_the_first_column_of_the_first_row(query, value):
    got = result({"value": query})
    assert got == value
    assert type(got) is type(value)


def test_text_is_filled_with_parameters():
    assert result({"text": "Hello {name}, {{twice}}."}, name="Ann") == "Hello Ann, {twice}."


def test_nested_queries_see_the_columns_around_them():
    returns = {
        "one": "select id, name from customer where id = :who",
        "nest": {
            "purchases": {
                "many": "select id, status from purchase where customer_id = :id order by id",
                "nest": {
                    "lines": {
                        "many": "select i.name, l.quantity, :name as buyer from line l join item i on i.id = l.item_id"
                        " where l.purchase_id = :id order by i.id"
                    },
                    "count": {"value": "select count(*) from line where purchase_id = :id"},
                },
            },
            "flags": {"one": "select vip from customer where id = :id"},
            "greeting": {"text": "Hello {name}"},
        },
    }
    assert result(returns, who="C-1") == {
        "id": "C-1",
        "name": "Ann",
        "purchases": [
            {
                "id": 1,
                "status": "open",
                "lines": [
                    {"name": "item 1", "quantity": 2, "buyer": "Ann"},
                    {"name": "item 2", "quantity": 1, "buyer": "Ann"},
                ],
                "count": 2,
            },
            {"id": 3, "status": "paid", "lines": [], "count": 0},
        ],
        "flags": {"vip": True},
        "greeting": "Hello Ann",
    }


def test_a_document_may_be_made_of_parts_alone():
    returns = {"nest": {"items": {"value": "select count(*) from item"}, "who": {"one": "select :who as id"}}}
    assert result(returns, who="C-1") == {"items": 7, "who": {"id": "C-1"}}


@pytest.mark.parametrize(
    ("page", "ids", "following"),
    [(None, [7, 6, 5], 2), (1, [7, 6, 5], 2), (2, [4, 3, 2], 3), (3, [1], None), (9, [], None)],
)
def test_pages_cut_the_rows_in_their_order(page, ids, following):
    arguments = {} if page is None else {"page": page}
    query = "select id from item order by stock desc; -- newest first"
    assert paged(query, arguments) == {
        "items": [{"id": number} for number in ids],
        "page": page or 1,
        "total": 7,
        "next_page": following,
    }


def paged(query, arguments):
    tools = {"look": {"summary": "Look.", "page": 3, "returns": {"many": query}}}
    with shop(tools) as of:
        return of.call("look", **arguments)


def test_the_last_page_may_be_full():
    assert paged("select id from item where id <= 6 order by id", {"page": 2})["next_page"] is None


def test_rows_of_a_page_keep_their_types_and_parts():
    tools = {
        "look": {
            "summary": "Look.",
            "page": 1,
            "returns": {
                "many": "with c as (select id, vip, tags from customer) select * from c order by id",
                "nest": {"purchases": {"value": "select count(*) from purchase where customer_id = :id"}},
            },
        }
    }
    with shop(tools) as of:
        assert of.call("look")["items"] == [{"id": "C-1", "vip": True, "tags": ["new", "éü"], "purchases": 2}]


def test_a_nest_that_multiplies_without_end_is_a_verdict():
    numbers = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 400) select x from n"
    verdict = result({"many": numbers, "nest": {"more": {"many": numbers}}})
    assert (verdict.kind, verdict.code) == ("sql_limit", "too_many_rows")


def test_json_nested_deeper_than_any_reader_stays_a_text():
    tools = {
        "deepen": {
            "summary": "Deepen.",
            "parameters": {"tags": {"type": "string"}},
            "effects": ["update customer set tags = :tags where id = 'C-1'"],
            "returns": {"value": "select tags from customer where id = 'C-1'"},
        }
    }
    with shop(tools) as of:
        assert of.call("deepen", tags="[" * 60 + "]" * 60) == eval("[" * 60 + "]" * 60)
        assert of.call("deepen", tags="[" * 900 + "]" * 900) == "[" * 900 + "]" * 900
        assert of.call("deepen", tags="[" + "[]," * 100 + "1]") == [[]] * 100 + [1]


def test_a_decimal_is_a_number_rounded_to_its_scale():
    tools = {
        "charge": {
            "summary": "Charge.",
            "parameters": {"amount": {"type": "number"}},
            "effects": ["update customer set balance = balance + :amount where id = 'C-1'"],
            "returns": {"value": "select balance from customer where id = 'C-1'"},
        }
    }
    with shop(tools) as of:
        assert of.call("charge", amount=0.005) == 25.51
        assert of.call("charge", amount=1) == 26.51


def test_values_is_the_first_column_of_all_rows():
    assert result({"values": "select vip, id from customer order by id"}) == [True, False]
    assert result({"values": "select tags from customer where id = 'C-1'"}) == [["new", "éü"]]
    assert result({"values": "select id from customer where id = 'x'"}) == []


def test_by_puts_rows_under_their_keys():
    assert result({"many": "select id, vip, balance from customer order by id", "by": "id"}) == {
        "C-1": {"vip": True, "balance": 25.5}, "C-2": {"vip": False, "balance": 0.0},
    }  # fmt: skip
    assert result({"many": "select id as key, id, vip from customer order by id", "by": "key"})["C-2"] == {
        "id": "C-2", "vip": False,
    }  # fmt: skip
    assert result({"many": "select id from customer where id = 'x'", "by": "id"}) == {}


def test_by_with_one_other_column_gives_plain_values():
    assert result({"many": "select id, vip from customer order by id", "by": "id"}) == {"C-1": True, "C-2": False}
    nested = {"many": "select id, vip from customer order by id", "by": "id", "nest": {"n": {"value": "select 1"}}}
    assert result(nested)["C-1"] == {"vip": True, "n": 1}


def test_sparse_leaves_out_what_is_null():
    assert result({"one": "select id, phone from customer where id = 'C-1'", "sparse": True}) == {"id": "C-1"}
    assert result({"one": "select id, phone from customer where id = 'C-1'"}) == {"id": "C-1", "phone": None}
