"""`mutants`: work that is almost right must earn less; what the checks miss is told."""

import pytest

from simulator import generate_world
from simulator.agents.near_misses import near_answers, near_misses, near_statements
from simulator.evaluation.verification import Part, Subject, Tally
from simulator.evaluation.verification.checks.mutants import CHECK, OF_ALL
from simulator.evaluation.verification.findings import CheckResult
from simulator.evaluation.verification.mutations import MOST, Mutator

WIDE = [{"table": "ticket"}]


@pytest.fixture
def checked(desk):
    """What the check says of the template `route`, the document being changed first."""

    def run(change=lambda document: None, template="route"):
        world = generate_world(desk(change), 1)
        tasks = [task for task in world.tasks() if task.template == template][:2]
        return CHECK.run(Subject(world, template, tasks))

    return run


def kinds(result, *severities):
    return {finding.check for finding in result.findings if finding.severity in severities}


@pytest.mark.parametrize("template", ["route", "count_urgent"])
def test_a_sound_template_misses_no_mutant(checked, template):
    result = checked(template=template)
    assert kinds(result, "blocking", "warning") == set()
    assert sum(tally.of for tally in result.tallies) > 3
    assert all(tally.noticed == tally.of == sum(tally.by.values()) for tally in result.tallies)


def test_a_check_of_no_particular_row_misses_wrong_targets(checked):
    def change(document):
        document["rules"].pop("state")
        document["tasks"]["route"] |= {
            "may_change": WIDE,
            "checks": {
                "routed": {
                    "passes": "select exists (select 1 from ticket t join before.ticket b on b.id = t.id "
                    "where t.team_id = :team_id and b.team_id is not t.team_id)"
                }
            },
        }

    result = checked(change)
    assert kinds(result, "blocking") == {"mutants.wrong_target", "mutants.collateral_write"}
    (finding,) = [item for item in result.findings if item.check == "mutants.wrong_target"]
    assert "The checks miss" in finding.message
    assert "wrong-target mutants; here is one" in finding.message
    assert finding.evidence.actions[finding.evidence.step - 1]["tool"] == "assign_ticket"


def test_a_check_of_the_wrong_column_misses_wrong_values(checked):
    def change(document):
        document["rules"].pop("state")
        document["tasks"]["route"]["checks"] = {
            "routed": {"passes": "select team_id is not null from ticket where id = :ticket_id"}
        }

    told = kinds(checked(change), "blocking", "warning")
    assert told == {"mutants.wrong_target", "mutants.collateral_write"}  # of the team, which is a row too


def test_one_write_too_many_is_not_noticed_by_its_length_alone(checked):
    def change(document):
        document["rules"].pop("state")
        routed = {"passes": "select team_id = :team_id from ticket where id = :ticket_id"}
        document["tasks"]["route"] |= {"may_change": WIDE, "checks": {"routed": routed}}

    result = checked(change)
    assert "mutants.collateral_write" in kinds(result, "blocking", "warning")
    (tally,) = [tally for tally in result.tallies if tally.kind == "collateral_write"]
    assert (tally.noticed < tally.of, tally.by.get("efficiency")) == (True, None)


def test_a_read_that_no_rule_demands_is_for_review(checked):
    before = checked()
    after = checked(lambda document: document["rules"].pop("process"))
    reads = [[item.message for item in r.findings if item.check == "mutants.skip_read"] for r in (before, after)]
    assert "get_ticket" not in reads[0][0]
    assert "get_ticket, list_teams" in reads[1][0]
    assert kinds(after, "blocking", "warning") == set()


def test_padding_is_missed_where_efficiency_has_no_weight(checked):
    weights = {"reward": {"weights": {"completion": 0.8, "process": 0.2, "efficiency": 0}}}
    assert kinds(checked(lambda document: document.update(weights)), "warning") == {"mutants.padding"}


def test_an_answer_of_any_form_misses_wrong_answers(checked):
    def change(document):
        document["tasks"]["count_urgent"]["checks"] = {"number": {"answer": {"pattern": "[0-9]+"}}}

    assert "mutants.wrong_value" in kinds(checked(change, "count_urgent"), "blocking")


def test_a_second_call_that_writes_again_is_told_from_one_that_changes_nothing(checked):
    def change(document):
        document["world"]["tables"]["note"] = {
            "rows": 2,
            "columns": {"id": {"type": "integer", "key": True}, "ticket_id": {"ref": "ticket"}},
        }
        document["tools"]["add_note"] = {
            "summary": "Add a note.",
            "parameters": {"ticket_id": {"type": "integer"}},
            "effects": ["insert into note (id, ticket_id) values (new_id('note'), :ticket_id)"],
        }
        document["tasks"]["route"]["solution"].append({"add_note": {"ticket_id": "{ticket_id}"}})

    (tally,) = [tally for tally in checked(change).tallies if tally.kind == "repeat_write"]
    assert (tally.of, tally.noticed, tally.equivalent) == (2, 2, 2)  # the note twice; assigned again, nothing changes


def test_a_second_call_that_a_fault_strikes_is_the_same_where_its_key_makes_it_harmless(checked):
    def change(document):
        tool = document["tools"]["assign_ticket"]
        tool["parameters"]["key"] = {"type": "string", "optional": True}
        tool["idempotency"] = "key"
        document["tasks"]["route"]["solution"][-1]["assign_ticket"]["key"] = "route-{ticket_id}"
        document["faults"] = {"slow": {"tools": "assign_ticket", "kind": "timeout", "effect": "after", "share": 0.5}}

    (tally,) = [tally for tally in checked(change).tallies if tally.kind == "repeat_write"]
    assert (tally.of, tally.equivalent) == (0, 2)


def test_episodes_resumed_from_a_trail_are_those_played_from_the_start(subject):
    of = subject("route")
    for task in of.tasks:
        (solution,), (run,) = of.solutions(task), of.runs(task)
        trail = of.trail(task, solution)
        mutator = Mutator(of, task, solution, run)
        for mutant in [mutant for kind in MOST for mutant in mutator.mutants(kind)]:
            assert of.resume(trail, mutant.plan) == of.follow(task, mutant.plan), mutant.words


def test_equal_templates_give_equal_results(checked):
    assert checked().to_json() == checked().to_json()


def test_the_score_of_the_whole_blocks_below_its_least():
    def of_all(noticed):
        result = CheckResult(tallies=(Tally("wrong_value", 100, noticed),))
        return OF_ALL.run(None, (), (Part("mutants", "route", 1, result), Part("floor", "route", 1, result)))

    assert of_all(98).findings == ()
    assert of_all(98).figures == {"mutants": 100, "noticed": 98, "score": 0.98}
    assert [finding.check for finding in of_all(97).findings] == ["mutants.score"]


@pytest.mark.parametrize(
    ("value", "schema", "known", "expected"),
    [
        ("b", {"enum": ["a", "b", "c"]}, (), ["c", "a"]),
        ("a", {}, ("a", "b"), ["b"]),
        (3, {"type": "integer"}, (), [4, 2]),
        (3.25, {"type": "number"}, (), [3.26, 3.24]),
        (True, {"type": "boolean"}, (), [False]),
        ("2026-02-28", {}, (), ["2026-03-01", "2026-02-27"]),
        ("9999-12-31", {}, (), []),
        ("The very words", {}, (), ["The very otherwise"]),
        ("He said: The very words.", {}, (), []),
        ("free text", {}, (), []),
    ],
)
def test_near_misses_are_beside_the_value(value, schema, known, expected):
    assert list(near_misses(value, schema, known, ["The very words"])) == expected


def test_a_quotation_is_looked_for_inside_a_text():
    text = "He said: The very words."
    assert list(near_misses(text, {}, (), ["The very words"], ["The very words"])) == ["He said: The very otherwise."]


def test_near_answers_lie_beyond_the_tolerance():
    assert list(near_answers("10", 0.5, (), text=False)) == ["11", "9"]
    assert list(near_answers("[1, 2]", 0, (), text=False)) == ["[1]", "[1, 2, 3]"]
    assert list(near_answers("Anna", 0, (), text=True)) == ["otherwise"]
    assert list(near_answers("free prose", 0, (), text=False)) == []


def test_near_statements_change_one_literal_each():
    sql = "update t set a = 5, b = 'x''y' where day = '2026-01-01' and id = :id1"
    assert list(near_statements(sql)) == [
        sql.replace("= 5", "= 6"),
        sql.replace("'x''y'", "'otherwise''y'"),
        sql.replace("01-01", "01-02"),
    ]
