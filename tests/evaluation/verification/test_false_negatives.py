"""`false_negatives`: another right way to do the work is a success."""

import pytest

from simulator import generate_world
from simulator.evaluation.verification import Subject
from simulator.evaluation.verification.checks.false_negatives import CHECK

SQL = {
    "sql": {"grants": {"ticket": {"select": "*", "update": ["team_id"]}, "team": {"select": "*"}}},
    "roles": ["clerk"],
}


@pytest.fixture
def checked(desk):
    """What the check says of a template, the document being changed first."""

    def run(template, change=lambda document: None):
        world = generate_world(desk(change), 1)
        tasks = [task for task in world.tasks() if task.template == template][:2]
        return CHECK.run(Subject(world, template, tasks))

    return run


def counts(result):
    return {tally.kind: (tally.of, tally.noticed) for tally in result.tallies}


def refused(result):
    assert all(finding.severity == "blocking" for finding in result.findings)
    return {finding.check for finding in result.findings}


def asks(document, sql):
    """Another check of `route`, beside the one it has by default."""
    document["tasks"]["route"]["checks"] = {"done": {"same_as_solution": True}, "how": {"passes": sql}}


def test_every_other_right_way_of_a_sound_template_succeeds(checked):
    result = checked("route", lambda document: document["rules"].pop("process"))
    assert result.findings == ()
    assert counts(result) == {"order": (2, 2), "extra_read": (4, 4)}


def test_equal_changes_by_sql_succeed_where_nothing_forbids_them(checked):
    def change(document):
        document["tools"]["run_sql"] = SQL
        document["rules"].pop("process")

    result = checked("route", change)
    assert result.findings == ()
    assert counts(result)["sql"] == (2, 2)


def test_sql_that_a_rule_asks_more_of_is_not_taken_for_right(checked):
    result = checked("route", lambda document: document["tools"].update(run_sql=SQL))
    assert "sql" not in counts(result)  # the rule about looking first no longer comes into play
    assert result.findings == ()


def test_a_check_of_the_order_is_told(checked):
    third = "select exists (select 1 from action where step = 3 and tool = 'assign_ticket')"
    assert "false_negatives.order" in refused(checked("route", lambda document: asks(document, third)))


def test_a_wait_before_what_is_waited_for_is_not_taken_for_right(checked):
    def change(document):
        document["rules"].pop("process")
        document["world"]["tables"]["ticket"]["columns"]["seen"] = {"type": "boolean", "constant": False}
        document["world"]["timeline"] = {
            "team_looks": {
                "when": {"update": "ticket"},
                "after": "5m",
                "effects": ["update ticket set seen = 1 where id = :new_id"],
            }
        }
        document["tasks"]["route"]["solution"].append({"wait": {"duration": "5m"}})
        asks(document, "select seen from ticket where id = :ticket_id")

    result = checked("route", change)
    assert result.findings == ()
    assert counts(result)["order"] == (2, 2)  # reads and writes may still change places


def test_a_check_that_counts_actions_refuses_one_more_read(checked):
    few = "select count(*) = 4 from action"
    result = checked("route", lambda document: asks(document, f"select ({few}) and exists (select 1 from action)"))
    assert refused(result) == {"false_negatives.extra_read"}


def test_a_check_of_the_tool_refuses_sql(checked):
    def change(document):
        document["tools"]["run_sql"] = SQL
        document["rules"].pop("process")
        asks(document, "select exists (select 1 from action where tool = 'assign_ticket')")

    assert refused(checked("route", change)) == {"false_negatives.sql"}


@pytest.mark.parametrize(
    ("check", "answer", "expected"),
    [
        ({"number": 25}, "25", set()),
        ({"number": 12345.5}, "12345.5", set()),
        ({"pattern": "25"}, "25", {"false_negatives.number_form"}),
        ({"exact": "0042"}, "0042", set()),
        ({"exact": "Anna"}, "Anna", set()),
        ({"set": ["a", "b"]}, '["a", "b"]', set()),
        ({"pattern": r'\["a", "b"\]'}, '["a", "b"]', {"false_negatives.json_form"}),
    ],
)
def test_answers_in_other_forms(checked, check, answer, expected):
    def change(document):
        document["tasks"]["count_urgent"]["checks"] = {"said": {"answer": check}}
        document["tasks"]["count_urgent"]["solution"][-1] = {"finish": {"answer": answer}}

    assert refused(checked("count_urgent", change)) == expected
