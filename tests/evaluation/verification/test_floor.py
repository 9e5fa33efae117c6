"""`floor`: whoever does nothing must fail; who does not is told by what it does."""

import pytest

from simulator.evaluation.verification.checks.floor import CHECK

NEVER = {"never": {"passes": "select 0"}}


def checked(subject, template, checks):
    result = CHECK.run(subject(template, lambda template: template.update(checks=checks)))
    return {finding.check for finding in result.findings}, result


@pytest.mark.parametrize("template", ["route", "count_urgent"])
def test_a_sound_template_is_passed_by_nobody_who_does_nothing(subject, template):
    result = CHECK.run(subject(template))
    assert result.findings == ()
    assert {tally.kind for tally in result.tallies} == {
        "null", "anything", "instruction", "read_only", "answer_dump", "blind_refusal",
    }  # fmt: skip
    assert all(tally.noticed == tally.of > 0 for tally in result.tallies)


@pytest.mark.parametrize(
    ("check", "fooled"),
    [
        ({"passes": "select :answer is null and :refusal is null"}, {"floor.null", "floor.read_only"}),
        ({"answer": {"pattern": "done"}}, {"floor.anything"}),
        ({"answer": {"pattern": "(?s).*has no team.*"}}, {"floor.instruction"}),
        ({"answer": {"schema": {"type": "array", "contains": {"const": "Network"}}}}, {"floor.answer_dump"}),
        ({"passes": "select :refusal is not null"}, {"floor.blind_refusal"}),
    ],
)
def test_a_check_that_doing_nothing_passes_is_told(subject, check, fooled):
    found, result = checked(subject, "route", {"weak": check})
    assert found == {*fooled, "floor.check_passed"}
    blocking = [finding for finding in result.findings if finding.severity == "blocking"]
    assert {finding.check for finding in blocking} == fooled
    (label,) = [finding for finding in result.findings if finding.check == "floor.check_passed"]
    assert label.about == "tasks.route.checks.weak"
    assert "Passed by doing nothing" in label.message


def test_a_part_of_the_reward_for_nothing_is_told_too(subject):
    weak = {"answer": {"pattern": "done"}}
    found, _ = checked(subject, "route", {"weak": weak, **NEVER})
    assert "floor.anything" in found


def test_the_right_refusal_is_not_blind(subject):
    def refuse(template):
        del template["solution"]
        template["expects"] = {"refusal": "not_ours"}

    assert CHECK.run(subject("route", refuse)).findings == ()
