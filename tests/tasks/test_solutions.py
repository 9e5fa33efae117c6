import pytest

from simulator.errors import ScenarioError
from simulator.tasks import SolutionStep, expand_solution, remembered_values
from tests.tasks.desks import REROUTE, database, world


def expanded(**parts):
    template = {**REROUTE, "draw": f"{REROUTE['draw']} and t.id = 4", **parts}
    of = world({"reroute": {name: value for name, value in template.items() if value is not None}})
    (task,) = of.tasks()
    with database(of) as opened:
        return expand_solution(opened, of.scenario.document.tasks["reroute"], task)


def calls(steps, remembered=None):
    return [(call["tool"], call["arguments"]) for call in (step.call(remembered or {}) for step in steps)]


def test_parameters_are_put_in_and_finish_is_added():
    (steps,) = expanded()
    assert calls(steps) == [
        ("get_ticket", {"ticket_id": 4}),
        ("assign_ticket", {"ticket_id": 4, "team": "Billing"}),
        ("finish", {}),
    ]


def test_a_finish_that_is_written_stays_as_it_is():
    (steps,) = expanded(solution=[{"finish": {"answer": "{topic}"}}])
    assert calls(steps) == [("finish", {"answer": "invoice"})]


def test_an_operation_that_ends_needs_no_finish():
    (steps,) = expanded(solution=[{"hand_over": {}}])
    assert calls(steps) == [("hand_over", {})]


def test_each_repeats_for_the_rows_of_its_query():
    rows = "select id as other, status from ticket where topic = :topic and id <> :ticket_id order by id"
    inner = {"each": "select name from team where name <> :status order by id desc", "do": [
        {"assign_ticket": {"ticket_id": "{other}", "team": "{name}"}}]}  # fmt: skip
    (steps,) = expanded(solution=[{"each": rows, "do": [{"get_ticket": {"ticket_id": "{other}"}}, inner]}])
    assert [call["arguments"] for call in (step.call({}) for step in steps)][:4] == [
        {"ticket_id": 1},
        {"ticket_id": 1, "team": "Network"},
        {"ticket_id": 1, "team": "Billing"},
        {"ticket_id": 7},
    ]
    assert len(steps) == 3 * 3 + 1


def test_remembered_values_are_put_in_while_the_solution_runs():
    (steps,) = expanded(
        solution=[
            {"get_ticket": {"ticket_id": "{ticket_id}"}, "remember": {"owner": "customer.id", "first": "lines.0"}},
            {"assign_ticket": {"ticket_id": "{first}", "team": "{owner} {{of}} {topic}"}, "errs": "unknown_team"},
        ]
    )
    remembered = remembered_values(steps[0], {"customer": {"id": "C-1"}, "lines": [{"x": 1}]})
    assert remembered == {"owner": "C-1", "first": {"x": 1}}
    assert calls(steps, remembered)[1] == ("assign_ticket", {"ticket_id": {"x": 1}, "team": "C-1 {of} invoice"})
    assert steps[1].errs == "unknown_team"


@pytest.mark.parametrize(("place", "value"), [("a.0.b", 1), ("a.1.b", None), ("a.b", None), ("", {"a": [{"b": 1}]})])
def test_a_remembered_place_may_be_absent(place, value):
    assert remembered_values(SolutionStep("act", {}, None, {"it": place}), {"a": [{"b": 1}]}) == {"it": value}


def test_values_from_sql_fit_the_tool_s_parameters():
    (steps,) = expanded(
        draw='select 1 as flag, \'["a","{b}"]\' as words, 2.0 as ticket_id, 3 as topic, 5 as right_team',
        solution=[
            {
                "assign_ticket": {
                    "ticket_id": "{ticket_id}",
                    "team": "{right_team}",
                    "urgent": "{flag}",
                    "tags": "{words}",
                }
            }
        ],
    )
    arguments = steps[0].call({})["arguments"]
    assert arguments == {"ticket_id": 2, "team": "5", "urgent": True, "tags": ["a", "{b}"]}
    assert (type(arguments["ticket_id"]), type(arguments["urgent"])) == (int, bool)


def test_every_solution_is_expanded():
    both = [REROUTE["solution"], REROUTE["solution"][1:]]
    assert [len(steps) for steps in expanded(solution=None, solutions=both)] == [3, 2]


def test_a_refusal_is_solved_by_refusing():
    (steps,) = expanded(solution=None, expects={"refusal": "duplicate"})
    assert calls(steps) == [("finish", {"refusal": "duplicate"})]
    (steps,) = expanded(expects={"refusal": "duplicate"})
    assert calls(steps)[-1] == ("finish", {"refusal": "duplicate"})


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"number": {"sql": "select count(*) from ticket"}}, "8"),
        ({"exact": "{topic} {{x}}"}, "invoice {x}"),
        ({"set": {"sql": "select name from team order by id"}}, '["Billing","Network"]'),
        ({"pattern": "T-[0-9]+"}, None),
    ],
)
def test_a_solution_that_leaves_the_answer_out_gives_the_one_expected(answer, text):
    (steps,) = expanded(checks={"told": {"answer": answer}})
    assert calls(steps)[-1] == ("finish", {} if text is None else {"answer": text})


def test_without_a_solution_there_is_none():
    assert expanded(solution=None, checks={"told": {"answer": {"exact": "x"}}}) == ()


def test_a_solution_beyond_bounds_is_the_author_s_error():
    endless = {"each": "with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) select i from n",
               "do": [{"hand_over": {}}, {"hand_over": {}}]}  # fmt: skip
    with pytest.raises(ScenarioError, match="solution_too_long"):
        expanded(solution=[endless])
