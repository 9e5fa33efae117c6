"""Who may do what: roles, columns, rows, masks; several grants together."""

import json

import pytest

from tests.sql.agent.office import document, office

ROLES = {"agent": {"summary": "Works."}, "lead": {"summary": "Leads."}}


@pytest.fixture(scope="module")
def shared():
    """A tool that two roles use, and grants that add up."""
    grants = {
        "ticket": [
            {"select": ["id", "status"], "roles": ["agent", "lead"]},
            {"select": ["title", "owner_id"], "where": "owner_id = :actor", "roles": ["agent", "lead"]},
            {"update": ["status"], "where": "priority > 2", "roles": ["agent"]},
            {"update": ["status", "priority"], "roles": ["lead"]},
            {"delete": True, "where": "id > 100", "roles": ["lead"]},
        ],
        "product": {"select": "*", "roles": ["lead"]},
        "line": {"insert": ["ticket_id", "product_id", "quantity"], "where": "quantity < 10", "roles": ["agent"]},
        "person": {"select": ["id", "name"], "where": "id in (select owner_id from ticket where status = "
        "'open') or id = :actor"},
    }  # fmt: skip
    with office(document(grants, roles=ROLES)) as place:
        yield place


def kind(place, sql, role):
    return place.explain(sql, role).verdict.kind


def test_a_role_has_only_its_own_grants(shared):
    assert kind(shared, "select * from product", "lead") == "ok"
    assert kind(shared, "select * from product", "agent") == "sql_unknown_name"
    assert "- product(" not in shared.tool.description("agent")


def test_an_agent_without_a_role_has_what_is_granted_to_everyone(shared):
    assert kind(shared, "select * from person", None) == "ok"
    assert kind(shared, "select * from ticket", None) == "sql_unknown_name"


def test_a_cell_shows_where_some_grant_shows_it(shared):
    rows = shared.rows("select id, status, title, owner_id from ticket order by id", "agent")
    assert len(rows) == 20
    assert {row[3] for row in rows} == {"U-1", None}
    assert all((row[2] is None) == (row[3] is None) for row in rows)


def test_a_filter_may_look_at_other_tables_and_sees_all_of_them(shared):
    """The filter of `person` reads `ticket`; the role's own view of `ticket` must not narrow it."""
    assert shared.rows("select person.id from person, ticket where person.id = 'U-2' limit 1", "agent") == [("U-2",)]


def test_updates_keep_to_their_rows_and_columns(shared):
    assert shared.explain("update ticket set status = 'x'", "agent").result == {"changed": 10}
    assert shared.explain("update ticket set status = 'x'", "lead").result == {"changed": 20}
    assert kind(shared, "update ticket set priority = 1", "agent") == "sql_unknown_name"
    assert kind(shared, "update ticket set title = 'x'", "agent") == "sql_forbidden"


def test_a_write_does_not_depend_on_what_is_hidden(shared):
    assert kind(shared, "update ticket set status = title", "lead") == "sql_forbidden"
    assert kind(shared, "update ticket set status = 'x' where owner_id = 'U-2'", "lead") == "sql_forbidden"
    assert kind(shared, "update ticket set status = 'x' where id = 3 returning title", "lead") == "sql_forbidden"
    assert shared.explain("update ticket set status = 'x' where id = 3 returning *", "lead").result["rows"] == [
        [3, None, None, "x"]
    ]


def test_a_table_can_be_written_without_being_read(shared):
    explained = shared.explain("insert into line values (1, 9, 2)", "agent")
    assert explained.result == {"changed": 1}
    assert kind(shared, "select * from line", "agent") == "sql_forbidden"
    assert kind(shared, "insert into line values (1, 9, 2) returning quantity", "agent") == "sql_forbidden"
    assert kind(shared, "insert into line values (1, 9, 20)", "agent") == "sql_forbidden"


def test_rows_outside_the_grant_are_not_deleted(shared):
    assert shared.explain("delete from ticket", "lead").result == {"changed": 0}
    assert kind(shared, "delete from ticket", "agent") == "sql_forbidden"


@pytest.fixture(scope="module")
def narrow():
    """One who may change the status of own tickets, and hand none over."""
    grants = {
        "ticket": {
            "select": ["id", "status", "owner_id"],
            "update": ["status", "owner_id"],
            "where": "owner_id = :actor",
        },
        "product": {"select": ["id", "name"], "insert": ["id", "name", "price", "stock"], "update": ["name"]},
    }
    with office(document(grants)) as place:
        yield place


def test_a_changed_row_must_still_be_one_of_the_granted(narrow):
    explained = narrow.explain("update ticket set owner_id = 'U-2' where id = 3")
    assert (explained.verdict.kind, explained.verdict.code) == ("sql_forbidden", "row_not_granted")


def test_rows_are_those_of_whoever_acts(narrow):
    assert [row[0] % 3 for row in narrow.explain("select id from ticket", actor="U-2").result["rows"]] == [1] * 7
    assert narrow.explain("update ticket set status = 'x'", actor="U-3").result == {"changed": 7}
    assert narrow.explain("select * from ticket", actor=None).result["rows"] == []


def test_replacing_needs_the_right_to_delete(narrow):
    for sql in ("replace into product values (1, 'x', 1, 1)", "insert or replace into product values (99, 'x', 1, 1)",
                "update or replace product set name = 'product 2' where id = 1"):  # fmt: skip
        explained = narrow.explain(sql)
        assert explained.verdict.kind == "sql_forbidden"
        assert "REPLACE" in explained.verdict.message


def test_an_upsert_updates_granted_columns_only(narrow):
    insert = "insert into product values (1, 'product 1', 1, 1) on conflict (id) do update set"
    assert narrow.explain(f"{insert} name = 'renamed'").result == {"changed": 1}
    assert kind(narrow, f"{insert} stock = 5", None) == "sql_forbidden"
    assert kind(narrow, f"{insert} name = 'a' || product.price", None) == "sql_forbidden"
    assert kind(narrow, f"{insert} name = ' ' || excluded.name || excluded.stock", None) == "ok"


def test_an_insert_without_columns_sets_those_it_may(narrow):
    explained = narrow.explain("insert into product values (99, 'x', 1.239, 1) returning *")
    assert explained.result["columns"] == ["id", "name"]
    assert explained.changes[0].new == {"id": 99, "name": "x", "price": 1.24, "stock": 1}


def test_the_description_tells_tables_types_references_rights_and_limits():
    with office() as place:
        text = place.tool.description(None)
    for words in (
        "dialect of SQLite", "person(id text key, name text, email text hidden, reads as NULL",
        "owner_id text references person", "cost decimal(10,2)", "only the rows you may see",
        "update name, price, stock", "delete", "50 rows", "30 rows changed", "300,000 steps", "YYYY-MM-DD HH:MM:SS",
    ):  # fmt: skip
        assert words in text
    assert "vault" not in text
    assert "note" not in text
    assert "salary" not in text


def test_a_hidden_reference_of_a_table_to_itself_decides_no_write():
    """SQLite reads the reference when a row is deleted, and does not say that it is SQLite and not the statement."""
    of = document({"staff": {"select": ["id", "name"], "masked": ["boss_id"], "update": ["name"], "delete": True}})
    value = of.model_dump(mode="json", by_alias=True, exclude_unset=True)
    value["world"]["tables"]["staff"] = {
        "rows": [{"id": 1, "name": "a", "boss_id": None}, {"id": 2, "name": "b", "boss_id": 1}],
        "columns": {
            "id": {"type": "integer", "key": True},
            "name": {"type": "text"},
            "boss_id": {"ref": "staff", "nullable": True},
        },
    }
    with office(type(of).model_validate(value)) as place:
        assert place.rows("select * from staff") == [(1, "a", None), (2, "b", None)]
        assert place.explain("delete from staff where id = 2").result == {"changed": 1}
        for sql in (
            "update staff set name = 'x' where boss_id = 1",
            "update staff set name = boss_id",
            "delete from staff where boss_id is not null",
            "update staff set name = 'x' returning boss_id",
        ):
            assert place.explain(sql).verdict.kind == "sql_forbidden"


ROUNDING = {
    "price": [10.01], "price as p": [10.01], "product.price": [10.01], "price * 2 as twice": [20.02],
    "abs(price)": [10.01], "id, *": [77, 77, "q", 10.01, 1], "stock price": [1], "'price' as price": ["price"],
    "case when price > 10.007 then price else 0 end as v": [10.01], '"PRICE"': [10.01],
    "(select max(price) from product) > 1 as some": [1],
}  # fmt: skip


@pytest.mark.parametrize("returned", ROUNDING)
@pytest.mark.parametrize(
    "write", ["insert into product (id, name, price, stock) values (77, 'q', 10.005, 1)",
              "insert into product select 77, 'q', 10.005, 1"],
)  # fmt: skip
def test_a_decimal_comes_back_as_it_is_stored(the_office, write, returned):
    explained = the_office.explain(f"{write} returning {returned}")
    assert explained.result["rows"] == [ROUNDING[returned]]
    assert explained.changes[0].new["price"] == 10.01


def test_returned_columns_keep_their_names(the_office):
    explained = the_office.explain("update product set price = 2.555 where id = 1 returning Price, abs(price), price p")
    assert explained.result["columns"] == ["price", "abs(price)", "p"]
    assert explained.result["rows"] == [[2.56, 2.56, 2.56]]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_returning_everything_gives_null_for_what_is_masked(dialect):
    grants = {
        "person": {
            "select": ["id", "name", "team"], "masked": ["email"], "update": ["name", "salary"], "where": "id <> 'U-3'",
        }
    }  # fmt: skip
    with office(document(grants, dialect=dialect)) as place:
        explained = place.explain("update person set name = 'x' where id = 'U-1' returning *")
        assert explained.verdict.ok, explained.verdict
        assert explained.result["columns"] == ["id", "name", "email", "team"]
        assert explained.result["rows"] == [["U-1", "x", None, "blue"]]


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_a_decimal_is_kept_to_its_own_digits(dialect):
    with office(document(dialect=dialect)) as place:
        explained = place.explain("update product set price = 1234.567 where id = 1")
        assert explained.changes[0].new == {"price": 1234.57}


def test_a_computed_column_is_described_only_where_it_can_be_read():
    value = document({"summed": {"select": "*"}}).model_dump(mode="json", by_alias=True, exclude_unset=True)
    value["world"]["views"]["summed"] = "select name, price * stock as worth from product"
    for dialect, told in (("sqlite", "summed(name text, worth)"), ("postgres", "summed(name text)")):
        value["tools"]["run_sql"]["sql"]["dialect"] = dialect
        with office(type(document()).model_validate_json(json.dumps(value))) as place:
            assert told in place.tool.description(None)
            assert place.explain("select worth from summed").verdict.ok == (dialect == "sqlite")
