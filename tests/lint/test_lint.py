"""Lint as a whole: everything at once, nothing that crashes it, and documents that are right."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError
from simulator.lint import checked, lint_scenario, load_scenario
from simulator.scenario import parse_document, read_scenario, read_yaml

HERE = Path(__file__).parent
BASE, _ = read_yaml((HERE / "base.yaml").read_text("utf-8"), file="base.yaml")
EXAMPLE = HERE / "support_desk.yaml"

QUERIES = [
    "select t.*, m.name from ticket t left join team m on m.id = t.team_id where t.id = :ticket_id order by 1",
    "with x(n) as (select 1 union all select n + 1 from x where n < 9) select n from x",
    "update ticket set status = 'closed', resolution = coalesce(:note, 'x') where id = :id returning id",
    "insert into note (id, ticket_id, body) select new_id('note'), id, 'a' || :b from ticket",
    "select json_object('a', (select json_group_array(id) from note)), case when 1 then 2 else 3 end",
    "new.priority <= old.priority and not new.resolution in (select body from note)",
    "exists (select 1 from before.ticket b where b.id = :id and b.status <> 'it''s')",
]
PIECES = [
    "(", ")", "'", '"', ";", "--", "/*", "*/", ":", ":x", "?", "@a", "$", "\\", "select", "from", "case", "end", "not ",
    "with", "recursive", "values", "returning", "null", "old.", "before.", "action", "_rows", "\x00", "\ud800", "é",
    "\uffff", " ", "-", "((((", "))))", ",", "[", "]", "`", "x'00'", "1e9999", "0x", "->>", "order by", "limit",
    "over ()",
]  # fmt: skip


def everywhere(sql):
    """The small scenario with one text at every kind of place that takes SQL."""
    document = json.loads(json.dumps(BASE))
    world, rules = document["world"], document["rules"]
    world["views"]["broken"] = sql
    world["timeline"]["broken"] = {"when": {"update": "ticket"}, "where": sql, "effects": [sql]}
    world["tables"]["ticket"]["columns"]["broken"] = {"type": "text", "sql": sql}
    document["roles"]["agent"]["actor"] = sql
    document["tools"]["broken"] = {
        "summary": "B.",
        "let": {"one": sql, "some": {"rows": sql}},
        "guards": [{"require": sql, "else": {"code": "c", "message": "M."}}],
        "effects": [sql, {"each": "some", "do": sql}],
        "returns": {"many": sql, "nest": {"more": {"one": sql}}},
    }
    rules["state"]["broken"] = {"never": sql}
    rules["change"]["broken"] = {"when": {"insert": "ticket"}, "require": sql}
    rules["process"]["broken"] = {"never": sql}
    rules["process"]["broken_too"] = {"absence": "get_ticket", "where": sql}
    document["tasks"]["broken"] = {
        "instruction": "Do.",
        "draw": sql,
        "setup": [sql],
        "solution": [{"each": sql, "do": [{"get_ticket": {"ticket_id": 1}}]}],
        "checks": {"a": {"passes": sql}, "b": {"answer": {"exact": {"sql": sql}}}},
        "may_change": [{"table": "ticket", "where": sql}],
    }
    return document


@st.composite
def mutated(draw):
    sql = draw(st.sampled_from(QUERIES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(sql)))
        end = min(len(sql), start + draw(st.sampled_from([0, 0, 1, 3, 12])))
        sql = sql[:start] + draw(st.sampled_from(PIECES)) * draw(st.sampled_from([1, 1, 2, 70])) + sql[end:]
    return sql


@settings(max_examples=60, deadline=None)
@given(st.one_of(mutated(), st.text(max_size=40)))
def test_no_text_makes_lint_fail(sql):
    try:
        scenario = parse_document(everywhere(sql))
    except ScenarioError:
        return  # a text no scenario can hold
    problems = lint_scenario(scenario)
    assert problems
    assert all(problem.code and problem.path and problem.message for problem in problems)


@pytest.mark.parametrize(
    "sql",
    [
        "select " + "(" * 5000 + "1" + ")" * 5000,
        "select " + "not " * 4000 + "1",
        "select 1" + " + 1" * 4000,
        "select " + "case when 1 then " * 1000 + "1",
        "select 1 where " + " or ".join(["id = 1"] * 1500),
        "select " + ", ".join(["1"] * 5000),
        " union all ".join(["select 1"] * 1000),
        "select * from " + ", ".join(["ticket"] * 63),
        "select '" + "a" * 19_000 + "'",
    ],
)
def test_a_text_that_breaks_parsers_is_a_problem(sql):
    scenario = parse_document(everywhere(sql))
    assert any(problem.severity == "error" for problem in lint_scenario(scenario))


def test_all_problems_are_told_at_once_in_the_order_of_the_text(tmp_path):
    text = (HERE / "base.yaml").read_text("utf-8")
    for old, new in {
        "select id, team_id from ticket": "select ident from ticket",
        'where id = 1"]': 'where ident = 1"]',
        "select * from ticket": "select * from tickets",
        "resolution = :resolution": "resolution = :text",
        "resolution is null": "resolutions is null",
        'require: "new.priority': 'require: "new.prio',
        "precedence: [get_ticket": "precedence: [get_tickets",
        "Close ticket {ticket_id}": "Close ticket {ticket}",
        "select status = 'closed'": "select state = 'closed'",
    }.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = tmp_path / "desk.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(ScenarioError) as caught:
        load_scenario(file)
    problems = caught.value.problems
    assert [problem.path for problem in problems if problem.severity == "error"] == [
        "world.views.open_ticket",
        "world.timeline.reopen.effects[0]",
        "tools.get_ticket.returns.one",
        "tools.close_ticket.effects[0]",
        "rules.state.closed_has_resolution.never",
        "rules.change.priority_is_not_lowered.require",
        "rules.process.look_first.precedence[0]",
        "tasks.close.instruction",
        "tasks.close.checks.closed.passes",
    ]
    lines = [problem.location.line for problem in problems]
    assert lines == sorted(lines)
    assert all(lines)


def test_a_document_given_as_a_value_has_its_problems_in_its_own_order():
    problems = lint_scenario(parse_document(everywhere("select nothing_such from ticket")))
    sections = [problem.path.partition(".")[0] for problem in problems]
    assert list(dict.fromkeys(sections)) == ["roles", "world", "tools", "rules", "tasks"]
    assert all(problem.location.line == 0 for problem in problems)


def test_warnings_do_not_keep_a_scenario_from_loading():
    document = json.loads(json.dumps(BASE))
    document["tools"]["list_tickets"] = {"summary": "All.", "returns": {"many": "select id from ticket"}}
    scenario = parse_document(document)
    assert [problem.severity for problem in lint_scenario(scenario)] == ["warning"]
    assert checked(scenario) is scenario


def test_the_example_of_the_language_has_no_problem():
    assert lint_scenario(read_scenario(EXAMPLE)) == ()
    assert load_scenario(EXAMPLE).document.id == "support-desk"


def test_a_problem_in_a_file_of_a_folder_is_placed_there(tmp_path):
    (tmp_path / "tasks").mkdir()
    (tmp_path / "scenario.yaml").write_text((HERE / "base.yaml").read_text("utf-8"), "utf-8")
    (tmp_path / "tasks" / "more.yaml").write_text(
        "count:\n  instruction: How many?\n  draw: |\n    select id\n    from tickts\n"
        "  checks: {a: {answer: {exact: 1}}}\n",
        "utf-8",
    )
    (problem,) = lint_scenario(read_scenario(tmp_path))
    assert (problem.location.file, problem.location.line, problem.location.column) == ("tasks/more.yaml", 5, 10)


def test_a_flood_of_problems_is_cut_with_errors_first():
    document = json.loads(json.dumps(BASE))
    for number in range(120):
        document["tools"][f"tool_{number}"] = {
            "summary": "T.",
            "effects": [f"delete from nothing_{at} where id = 1" for at in range(10)],
            "returns": {"many": "select id from ticket"},
        }
    problems = lint_scenario(parse_document(document))
    assert len(problems) == 1_000
    assert {problem.severity for problem in problems} == {"error"}


def test_a_condition_in_place_of_a_query_is_shown_as_one():
    document = {
        "worldwright": 1, "id": "x", "version": "1.0.0", "title": "x", "summary": "x",
        "world": {"now": "2026-01-05 09:00:00", "tables": {"bill": {"rows": [{"id": 1, "amount": 5}]}}},
        "tools": {"settle": {"summary": "s", "effects": ["update bill set amount = 0 where id = 1"]}},
        "tasks": {
            "t": {
                "instruction": "Settle {id}.", "draw": "id > 0", "solution": [{"settle": {}}],
                "checks": {"paid": {"passes": "amount  = 0"}},
            }
        },
    }  # fmt: skip
    with pytest.raises(ScenarioError) as caught:
        checked(parse_document(document))
    told = {problem.path: problem.suggestion for problem in caught.value.problems}
    assert told["tasks.t.checks.paid.passes"] == "Write a query: `select amount = 0 …`."
    assert told["tasks.t.draw"] == "Write a query: `select id > 0 …`."
