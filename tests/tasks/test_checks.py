import pytest

from simulator.tasks import expected_answers, run_checks, run_setup, start_problems
from simulator.world.changes import NetChanges
from simulator.world.database import StatementFailed
from tests.tasks.desks import REROUTE, act, acted, database, world

RIGHT = "update ticket set team_id = 2 where id = 4"
TEAM = "select team_id = 2 from ticket where id = :ticket_id"


class Attempt:
    """One attempt at the task about ticket 4: what was written, and how it finished."""

    def __init__(self, *statements, answer=None, refusal=None, solutions=((RIGHT,),), **parts):
        template = {**REROUTE, "draw": f"{REROUTE['draw']} and t.id = 4", **parts}
        self.of = world({"reroute": template})
        (self.task,) = self.of.tasks()
        self.template = self.of.scenario.document.tasks["reroute"]
        theirs = [acted(self.of, *solution) for solution in solutions]
        with database(self.of) as opened:
            expected = expected_answers(opened, self.template, self.task)
            mine = act(opened, *statements) if statements else NetChanges()
            self.results = run_checks(
                opened,
                self.template,
                self.task,
                answer=answer,
                refusal=refusal,
                agent_changes=mine,
                solution_changes=theirs,
                expected=expected,
            )

    @property
    def passed(self):
        return {result.name: result.passed for result in self.results}

    @property
    def problems(self):
        return [(problem.code, problem.path) for problem in start_problems(self.results, self.task)]


def passes(query, statements=(RIGHT,), **rest):
    return Attempt(*statements, checks={"it": {"passes": query}}, **rest).passed["it"]


@pytest.mark.parametrize(
    ("query", "passed"),
    [
        (TEAM, True),
        ("select team_id = 1 from ticket where id = :ticket_id", False),
        ("select null", False),
        ("select 1 where false", False),
        ("select 2.5, 0", True),
        ("select 'true'", False),
        ("select :refusal = 'duplicate' and :answer = 'x' and :actor is null", True),
        ("select json_extract('{', '$')", False),
        ("with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n", False),
    ],
)
def test_a_query_must_give_true(query, passed):
    assert passes(query, answer="x", refusal="duplicate") is passed


@pytest.mark.parametrize(
    ("answer", "passed"), [("🙈", True), ("a\x00b", True), ("x" * 99_000, True), ("\ud800", False)]
)
def test_a_query_reads_any_answer_that_is_text(answer, passed):
    assert passes("select length(:answer) > 0", answer=answer) is passed


def test_a_query_that_cannot_be_run_says_why():
    (result,) = Attempt(checks={"it": {"passes": "select json_extract('{', '$')"}}).results
    assert "could not be run" in result.detail


def test_checks_come_in_the_author_s_order_with_all_they_say():
    attempt = Attempt(
        RIGHT,
        answer="Network",
        checks={
            "routed": {"passes": TEAM, "weight": 3.0, "summary": "It is with the right team"},
            "open": {"passes": "select status = 'open' from ticket where id = 4", "keeps": True},
            "told": {"answer": {"exact": {"sql": "select name from team where id = 1"}}, "required": False},
            "same": {"same_as_solution": True},
        },
    )
    assert [
        (item.name, item.passed, item.keeps, item.required, item.weight, item.form) for item in attempt.results
    ] == [
        ("routed", True, False, True, 3.0, "passes"),
        ("open", True, True, True, 1.0, "passes"),
        ("told", False, False, False, 1.0, "answer"),
        ("same", True, False, True, 1.0, "same_as_solution"),
    ]
    assert attempt.results[0].summary == "It is with the right team"
    assert attempt.results[2].detail == "the answer is 'Network', expected 'Billing'"


@pytest.mark.parametrize(
    ("statements", "passed"),
    [((RIGHT,), True), (("delete from tag",), True), ((RIGHT, "delete from tag"), False), ((), False)],
)
def test_without_checks_the_changes_must_be_those_of_a_solution(statements, passed):
    attempt = Attempt(*statements, solutions=[[RIGHT], ["delete from tag"]])
    assert attempt.passed == {"same_as_solution": passed}


@pytest.mark.parametrize(
    ("statements", "refusal", "passed"),
    [((), "duplicate", True), ((), "not_entitled", False), ((), None, False), ((RIGHT,), "duplicate", False)],
)
def test_a_refusal_is_the_right_code_and_nothing_changed(statements, refusal, passed):
    attempt = Attempt(*statements, refusal=refusal, expects={"refusal": "duplicate"})
    assert attempt.passed == {"refusal": passed}


def test_how_the_checks_stand_at_the_start_is_looked_at():
    already, later = {"passes": "select true"}, {"passes": TEAM}
    assert Attempt(checks={"done": later, "open": {**already, "keeps": True}}).problems == []
    assert Attempt(checks={"done": later, "open": already}).problems == [("true_at_start", "tasks.reroute.checks.open")]
    assert Attempt(checks={"done": later, "open": {**later, "keeps": True}}).problems == [
        ("false_at_start", "tasks.reroute.checks.open")
    ]
    assert Attempt(checks={"open": {**already, "keeps": True}}).problems == [("nothing_to_do", "tasks.reroute.checks")]
    assert Attempt(expects={"refusal": "duplicate"}).problems == []
    assert Attempt().problems == []


def test_setup_prepares_the_world_with_the_task_s_parameters():
    of = world({"reroute": {**REROUTE, "setup": [
        "update ticket set topic = 'prepared' where id = :ticket_id",
        "insert into tag select id, topic from ticket where topic = 'prepared'",
    ]}})  # fmt: skip
    task = of.tasks()[0]
    with database(of) as opened:
        with opened.store.record() as recorder:
            run_setup(opened, of.scenario.document.tasks["reroute"], task)
            changed = recorder.changes
        assert [(change.table, change.key) for change in changed] == [
            ("tag", (task.parameters["ticket_id"], "prepared")),
            ("ticket", (task.parameters["ticket_id"],)),
        ]


def test_a_setup_that_cannot_be_carried_out_fails():
    of = world({"reroute": {**REROUTE, "setup": ["insert into tag values (1, 'vip')"]}})
    task = of.tasks()[0]
    with database(of) as opened, pytest.raises(StatementFailed), opened.store.record():
        run_setup(opened, of.scenario.document.tasks["reroute"], task)
    assert acted(of).rows() == ()
