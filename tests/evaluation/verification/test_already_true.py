"""`already_true`: what holds as a task begins earns nothing, or says `keeps`."""

import pytest

from simulator import generate_world
from simulator.evaluation.verification.checks.already_true import CHECK, OF_WORLD

OPEN = "select team_id is null from ticket where id = :ticket_id"
ROUTED = "select team_id is not null from ticket where id = :ticket_id"


def found(subject, checks):
    result = CHECK.run(subject("route", lambda template: template.update(checks=checks)))
    return [(finding.check, finding.about, finding.severity) for finding in result.findings]


@pytest.mark.parametrize("checks", [{}, {"kept": {"keeps": True, "passes": OPEN}, "routed": {"passes": ROUTED}}])
def test_a_sound_template_begins_with_everything_to_do(subject, checks):
    assert found(subject, checks) == []


def test_a_check_that_holds_at_once_is_told(subject):
    checks = {"open": {"passes": OPEN}, "routed": {"passes": ROUTED}}
    assert found(subject, checks) == [("already_true.true_at_start", "tasks.route.checks.open", "blocking")]


def test_a_keeps_that_does_not_hold_is_told(subject):
    checks = {"kept": {"keeps": True, "passes": ROUTED}, "routed": {"passes": ROUTED}}
    assert found(subject, checks) == [("already_true.false_at_start", "tasks.route.checks.kept", "blocking")]


def test_a_task_with_nothing_to_do_is_told(subject):
    checks = {"kept": {"keeps": True, "passes": OPEN}}
    assert ("already_true.nothing_to_do", "tasks.route.checks", "blocking") in found(subject, checks)


def test_a_rule_that_the_data_break_is_told(desk):
    world = generate_world(desk(), 1)
    findings = OF_WORLD.run(world, world.tasks()).findings
    assert [(finding.check, finding.about, finding.severity) for finding in findings] == [
        ("already_true.rule_broken", "rules.state.team_fits_topic", "warning")
    ]

    def mend(document):
        document["world"]["tables"]["ticket"]["columns"]["team_id"]["missing"] = 1

    mended = generate_world(desk(mend), 1)
    assert OF_WORLD.run(mended, mended.tasks()).findings == ()
