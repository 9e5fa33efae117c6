"""`solvable`: a solution that does not earn everything is told, with the step to look at."""

import pytest

from simulator import generate_world
from simulator.evaluation.verification import Subject
from simulator.evaluation.verification.checks.solvable import CHECK

ROUTE = [
    {"get_ticket": {"ticket_id": "{ticket_id}"}},
    {"list_teams": {}},
    {"assign_ticket": {"ticket_id": "{ticket_id}", "team_id": "{team_id}"}},
]


def found(result):
    return {finding.check for finding in result.findings}


@pytest.mark.parametrize("template", ["route", "count_urgent"])
def test_sound_solutions_are_solved(subject, template):
    result = CHECK.run(subject(template))
    assert result.findings == ()
    (tally,) = result.tallies
    assert (tally.of, tally.noticed) == (2, 2)


@pytest.mark.parametrize(
    ("solution", "expected", "step"),
    [
        ([*ROUTE[:2], {"get_ticket": {"ticket_id": 999}}, ROUTE[2]], "solvable.step_errs", 3),
        ([ROUTE[0], {"list_teams": {}, "errs": "no_team"}, ROUTE[2]], "solvable.step_does_not_err", 2),
        ([{"get_ticket": {"ticket_id": 999}, "errs": "no_team"}, *ROUTE], "solvable.step_does_not_err", 1),
        ([*ROUTE, ROUTE[2]], "solvable.no_effect", 4),
        (ROUTE[1:], "solvable.violation", 2),
    ],
)
def test_a_fault_of_a_solution_is_named_with_its_step(subject, solution, expected, step):
    made = subject("route", lambda template: template.update(solution=solution), tasks=1)
    result = CHECK.run(made)
    assert found(result) == {expected}
    finding = next(finding for finding in result.findings if finding.evidence.step == step)
    assert finding.severity == "blocking"
    assert finding.about == "tasks.route"
    assert finding.evidence.task == made.tasks[0].id


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("update ticket set urgent = urgent where id = {ticket_id}", {"solvable.no_effect"}),
        ("update ticket set urgent = 1 - urgent where id = {ticket_id}", set()),
        ("select * from ticket where id = -1", set()),
    ],
)
def test_a_statement_that_changes_nothing_has_no_effect(desk, statement, expected):
    def change(document):
        document["tools"]["run_sql"] = {"sql": {"grants": {"ticket": {"select": "*", "update": ["urgent"]}}}}
        document["tasks"]["route"]["solution"] = [*ROUTE, {"run_sql": {"sql": statement}}]

    world = generate_world(desk(change), 1)
    tasks = [task for task in world.tasks() if task.template == "route"][:1]
    assert found(CHECK.run(Subject(world, "route", tasks))) == expected


def test_an_error_that_is_meant_is_none(subject):
    solution = [{"get_ticket": {"ticket_id": 999}, "errs": "no_ticket"}, *ROUTE]
    assert found(CHECK.run(subject("route", lambda template: template.update(solution=solution)))) == set()


def test_a_check_that_the_solution_does_not_pass_is_told(subject):
    solution = [{"list_teams": {}}, {"finish": {"answer": "12345"}}]
    result = CHECK.run(subject("count_urgent", lambda template: template.update(solution=solution)))
    assert found(result) == {"solvable.completion"}
    assert "expected" in result.findings[0].message


def test_a_solution_that_leaves_a_keeps_broken_is_no_success(subject):
    def keep(template):
        checks = {
            "routed": {"passes": "select team_id is not null from ticket where id = :ticket_id"},
            "kept": {"keeps": True, "passes": "select team_id is null from ticket where id = :ticket_id"},
        }
        template.update(checks=checks)

    assert found(CHECK.run(subject("route", keep))) == {"solvable.success"}


def test_a_setup_that_cannot_be_carried_out_is_told_and_no_crash(subject):
    setup = ["insert into team (id, name, topic) values (1, 'Twice', 'none')"]
    made = subject("route", lambda template: template.update(setup=setup))
    result = CHECK.run(made)
    assert found(result) == {"solvable.unplayable"}
    assert made.tasks == ()


def test_a_task_without_a_solution_is_for_review(subject):
    def drop(template):
        del template["solution"]
        template["checks"] = {"routed": {"passes": "select team_id is not null from ticket where id = :ticket_id"}}

    result = CHECK.run(subject("route", drop))
    assert {(finding.check, finding.severity) for finding in result.findings} == {("solvable.no_solution", "review")}
