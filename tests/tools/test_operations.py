"""Operations run as written: lets, guards, effects, results; all or nothing."""

import pytest

from simulator.errors import EngineFault, ScenarioError
from simulator.tools import ToolCall, Verdict
from tests.tools.shop import shop, toolbox

EXISTS = {
    "require": "exists (select 1 from purchase where id = :purchase_id)",
    "else": {"status": 404, "code": "no_purchase", "message": "There is no purchase {purchase_id}."},
}


def operation(**parts):
    parameters = {
        name: parameter if isinstance(parameter, dict) else {"type": parameter}
        for name, parameter in parts.pop("parameters", {}).items()
    }
    return {"act": {"summary": "Act.", "parameters": parameters, **parts}}


def test_an_operation_without_returns_says_ok():
    with shop(operation(effects=["update item set stock = 0 where id = 1"])) as of:
        assert of.call("act") == {"ok": True}
        assert of.rows("select stock from item where id = 1") == [(0,)]


def test_lets_are_bound_in_order_and_seen_by_what_follows():
    tools = operation(
        parameters={"purchase_id": "integer"},
        let={
            "customer": "select customer_id from purchase where id = :purchase_id",
            "name": "select name from customer where id = :customer",
        },
        guards=[{"require": ":name <> 'Bo'", "else": {"code": "bo", "message": "{name} of {customer}: {purchase_id}"}}],
        effects=["update customer set phone = :name where id = :customer"],
        returns={"text": "{name} ({customer})"},
    )
    with shop(tools) as of:
        assert of.call("act", purchase_id=1) == "Ann (C-1)"
        assert of.rows("select phone from customer where id = 'C-1'") == [("Ann",)]
        verdict = of.call("act", purchase_id=2)
        assert (verdict.kind, verdict.code, verdict.message) == ("guard", "bo", "Bo of C-2: 2")


def test_a_let_is_computed_before_any_effect():
    tools = operation(
        let={"before": "select stock from item where id = 5"},
        effects=["update item set stock = 0 where id = 5"],
        returns={"value": "select :before"},
    )
    with shop(tools) as of:
        assert of.call("act") == 5


def test_a_row_set_is_readable_as_a_table():
    tools = operation(
        let={
            "wanted": {"rows": "select id, stock from item where stock > 4"},
            "few": {"rows": "select id from wanted where stock < 7"},
            "most": "select max(stock) from wanted",
        },
        guards=[{"refuse": "select id from wanted where stock > 100", "else": {"code": "huge", "message": "Huge."}}],
        effects=["update item set stock = -:most where id in (select id from few)"],
        returns={"many": "select w.id, w.stock as was, i.stock from wanted w join item i using (id) order by w.id"},
    )
    with shop(tools) as of:
        assert of.call("act") == [
            {"id": 5, "was": 5, "stock": -7},
            {"id": 6, "was": 6, "stock": -7},
            {"id": 7, "was": 7, "stock": 7},
        ]


def test_an_empty_row_set_is_still_a_table():
    tools = operation(
        let={"none": {"rows": "select id, stock from item where id > 100"}},
        effects=[{"each": "none", "do": "update item set stock = :stock + 1 where id = :id"}],
        returns={"value": "select count(*) from none where stock is not null"},
    )
    with shop(tools) as of:
        assert of.call("act") == 0


def test_the_first_guard_that_fails_gives_the_verdict():
    second = {"require": "false", "else": {"code": "second", "message": "second"}}
    tools = operation(parameters={"purchase_id": "integer"}, guards=[EXISTS, second])
    with shop(tools) as of:
        verdict = of.call("act", purchase_id=9)
        assert verdict == Verdict("guard", "no_purchase", 404, "There is no purchase 9.")
        assert of.call("act", purchase_id=1).code == "second"


def test_a_condition_that_is_null_does_not_hold():
    tools = operation(guards=[{"require": "null", "else": {"code": "unknown", "message": "?"}}])
    with shop(tools) as of:
        assert of.call("act").code == "unknown"


def test_a_refusing_row_fills_the_message():
    tools = operation(
        parameters={"items": {"type": "array", "items": {"type": "integer"}}},
        guards=[
            {
                "refuse": "select i.name, c.vip, e.key + 1 as place"
                " from json_each(:items) e join item i on i.id = e.value join customer c on c.id = :actor"
                " where i.stock < 3 order by e.key",
                "else": {"code": "scarce", "message": "Number {place} ({name}) of {items} is scarce; vip: {vip}."},
            }
        ],
    )
    with shop(tools) as of:
        assert of.call("act", items=[5, 2, 1]).message == "Number 2 (item 2) of [5,2,1] is scarce; vip: true."
        assert of.call("act", items=[5, 6]) == {"ok": True}


def test_optional_parameters_are_null_and_booleans_are_numbers():
    tools = operation(
        parameters={
            "vip": "boolean",
            "note": {"type": "string", "optional": True},
            "extra": {"type": "object", "optional": True},
        },
        returns={"one": "select :vip + 1 as vip, :note is null as missing, json_extract(:extra, '$.a[1]') as inner"},
    )
    with shop(tools) as of:
        assert of.call("act", vip=True) == {"vip": 2, "missing": 1, "inner": None}
        assert of.call("act", vip=False, note="x", extra={"a": [1, "ü"]}) == {"vip": 1, "missing": 0, "inner": "ü"}


def test_an_effect_with_a_condition_happens_only_if_it_holds():
    tools = operation(
        parameters={"purchase_id": "integer"},
        effects=[
            {
                "if": "(select status from purchase where id = :purchase_id) = 'open'",
                "do": [
                    "update purchase set status = 'paid' where id = :purchase_id",
                    "update customer set phone = 'called' where id = 'C-1'",
                ],
            }
        ],
        returns={"value": "select count(*) from purchase where status = 'paid'"},
    )
    with shop(tools) as of:
        assert of.call("act", purchase_id=2) == 2
        assert of.rows("select phone from customer where id = 'C-1'") == [(None,)]
        assert of.call("act", purchase_id=1) == 3
        assert of.rows("select phone from customer where id = 'C-1'") == [("called",)]


def test_each_repeats_for_every_row_in_order():
    tools = operation(
        parameters={"items": {"type": "array", "items": {"type": "integer"}}, "numbers": "array"},
        let={
            "pair": {
                "rows": "select i.value as item, n.value as number from json_each(:items) i"
                " join json_each(:numbers) n on n.key = i.key order by i.key"
            }
        },
        effects=[
            {"each": "pair", "if": ":number > 0", "do": "update item set stock = stock * 10 + :number where id = :item"}
        ],
        returns={"many": "select id, stock from item where id < 4 order by id"},
    )
    with shop(tools) as of:
        assert of.call("act", items=[1, 2, 1, 3], numbers=[5, 6, 7, 0]) == [
            {"id": 1, "stock": 157},
            {"id": 2, "stock": 26},
            {"id": 3, "stock": 3},
        ]


@pytest.mark.parametrize(
    ("effect", "code", "words"),
    [
        (
            "insert into customer select 'C-9', name, 0, '[]', 0.0, null from customer where id = 'C-1'",
            "unique",
            "customer.name",
        ),
        ("update item set name = null where id = 1", "not_null", "item.name"),
        ("update purchase set customer_id = 'C-7' where id = 1", "foreign_key", "does not exist"),
        ("delete from customer where id = 'C-1'", "foreign_key", "others refer to"),
        ("update customer set vip = 2 where id = 'C-1'", "check", "vip"),
        ("update purchase set at = 'today' where id = 1", "check", "at"),
        ("update item set stock = 'many' where id = 1", "type", "item.stock"),
        ("update item set stock = json_extract('{', '$.a') where id = 1", "not_possible", "JSON"),
    ],
)
def test_what_the_data_forbids_is_a_verdict_and_nothing_is_kept(effect, code, words):
    with shop(operation(effects=["update item set stock = 99 where id = 7", effect])) as of:
        verdict = of.call("act")
        assert (verdict.kind, verdict.code, verdict.status) == ("constraint", code, 409)
        assert words in verdict.message
        assert of.rows("select stock from item where id = 7") == [(7,)]


def test_work_without_end_is_a_verdict():
    endless = "with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n"
    with shop(operation(let={"total": endless}, effects=["update item set stock = 99"])) as of:
        assert of.call("act").kind == "sql_limit"
        assert of.rows("select stock from item where id = 7") == [(7,)]


def test_a_result_that_cannot_be_read_undoes_the_effects():
    tools = operation(effects=["update item set stock = 99"], returns={"value": "select json_extract('{', '$.a')"})
    with shop(tools) as of:
        assert (of.call("act").kind, of.call("act").code) == ("constraint", "not_possible")
        assert of.rows("select stock from item where id = 7") == [(7,)]


def test_repeating_for_too_many_rows_is_a_verdict():
    many = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 10001) select x from n"
    tools = operation(
        let={"numbers": {"rows": many}}, effects=[{"each": "numbers", "do": "update item set stock = :x"}]
    )
    with shop(tools) as of:
        assert of.call("act").kind == "sql_limit"
        assert of.rows("select stock from item where id = 7") == [(7,)]


def test_an_operation_knows_its_tables_and_words():
    tools = operation(
        parameters={"purchase_id": "integer", "request": {"type": "string", "optional": True}},
        let={"who": "select customer_id from purchase where id = :purchase_id"},
        effects=[
            {"if": "exists (select 1 from item)", "do": "update line set quantity = 1 where purchase_id = :purchase_id"}
        ],
        returns={"nest": {"customer": {"one": "select name from customer where id = :who"}}},
        takes="15m",
        idempotency="request",
        ends=True,
        roles=["clerk"],
    )
    compiled = toolbox(tools, roles={"clerk": {}}).operation("act")
    assert compiled.reads == {"purchase", "item", "customer"}
    assert compiled.writes == {"line"}
    assert (compiled.takes, compiled.ends, compiled.reads_only, compiled.page) == (900, True, False, None)
    assert compiled.idempotency_key(ToolCall("act", {"purchase_id": 1, "request": "k"})) == "k"
    assert compiled.idempotency_key(ToolCall("act", {"purchase_id": 1})) is None


def test_an_operation_without_effects_only_reads():
    assert toolbox(operation(returns={"value": "select 1"})).operation("act").reads_only


def test_a_built_in_tool_is_not_run_here():
    with shop(operation()) as of, pytest.raises(EngineFault):
        of.attempt(ToolCall("finish", {}))


@pytest.mark.parametrize(
    ("parts", "code", "path"),
    [
        ({"let": {"x": "select colour from item"}}, "sql_unknown_name", "tools.act.let.x"),
        ({"let": {"x": {"rows": "select id from"}}}, "sql_syntax", "tools.act.let.x.rows"),
        ({"let": {"p": "select 1"}, "parameters": {"p": "integer"}}, "name_taken", "tools.act.let.p"),
        ({"effects": ["select 1"]}, "not_a_write", "tools.act.effects[0]"),
        ({"effects": [{"each": "rows", "do": "delete from line"}]}, "unknown_row_set", "tools.act.effects[0].each"),
        (
            {"guards": [{"require": "delete from line", "else": {"code": "c", "message": "m"}}]},
            "sql_syntax",
            "tools.act.guards[0].require",
        ),
        (
            {"guards": [{"require": "1", "else": {"code": "c", "message": "a } b"}}]},
            "bad_template",
            "tools.act.guards[0].else.message",
        ),
        ({"returns": {"text": "{"}}, "bad_template", "tools.act.returns.text"),
        ({"returns": {"value": "delete from line"}}, "not_a_query", "tools.act.returns.value"),
        (
            {"returns": {"one": "select 1", "nest": {"a": {"many": "select x from item"}}}},
            "sql_unknown_name",
            "tools.act.returns.nest.a.many",
        ),
        (
            {"returns": {"many": "select a.id, b.id from item a join item b"}},
            "duplicate_column",
            "tools.act.returns.many",
        ),
        ({"let": {"x": {"rows": "select 1 as a, 2 as a"}}}, "duplicate_column", "tools.act.let.x.rows"),
        ({"idempotency": "key"}, "unknown_parameter", "tools.act.idempotency"),
        ({"page": 5}, "page_without_many", "tools.act.page"),
        ({"reads_only": True, "effects": ["delete from line"]}, "not_reads_only", "tools.act.reads_only"),
        ({"parameters": {"a": {"type": "string", "pattern": "("}}}, "bad_pattern", "tools.act.parameters.a.pattern"),
    ],
)
def test_an_operation_that_cannot_run_is_reported_with_its_place(parts, code, path):
    with pytest.raises(ScenarioError) as caught:
        toolbox(operation(**parts))
    assert (code, path) in [(problem.code, problem.path) for problem in caught.value.problems]


def test_everything_wrong_with_an_operation_is_told_at_once():
    tools = operation(
        let={"x": "select a from item", "z": "select b from item"},
        effects=["delete from nowhere"],
        idempotency="key",
        returns={"text": "}"},
    )
    with pytest.raises(ScenarioError) as caught:
        toolbox(tools)
    assert len(caught.value.problems) == 5
