"""What only a world tells about a scenario, before an author trusts it."""

from simulator.episode import readiness_problems
from tests.episode.desk import altered, world


def codes(made):
    return {(problem.code, problem.path) for problem in readiness_problems(made)}


def test_the_desk_itself_is_ready():
    assert readiness_problems(world()) == ()


def test_a_draw_that_yields_nothing_is_told():
    def alter(value):
        value["tasks"]["close"]["draw"] = f"select * from ({value['tasks']['close']['draw']}) where 1 = 0"

    assert ("draw_is_empty", "tasks.close.draw") in codes(altered(alter))


def test_a_check_that_holds_before_anything_is_done_is_told():
    def alter(value):
        value["tasks"]["close"]["checks"] = {"idle": {"passes": "select 1 = 1"}}

    found = codes(altered(alter))
    assert ("true_at_start", "tasks.close.checks.idle") in found
    assert ("nothing_to_do", "tasks.close.checks") in found


def test_a_keeps_check_that_does_not_hold_is_told():
    def alter(value):
        kept = {"keeps": True, "passes": "select 1 = 2"}
        value["tasks"]["close"]["checks"] = {"done": {"same_as_solution": True}, "kept": kept}

    assert ("false_at_start", "tasks.close.checks.kept") in codes(altered(alter))


def test_a_state_rule_that_the_data_break_is_told_as_a_warning():
    def alter(value):
        value["rules"]["state"]["no_tickets"] = {"never": "select id from ticket"}

    (problem,) = readiness_problems(altered(alter))
    assert (problem.code, problem.path, problem.severity) == ("broken_at_start", "rules.state.no_tickets", "warning")


def test_a_setup_that_cannot_be_carried_out_is_told():
    def alter(value):
        value["tasks"]["close"]["setup"] = ["update ticket set status = null where id = :ticket_id"]

    assert ("setup_fails", "tasks.close.setup") in codes(altered(alter))
