from dataclasses import replace

import pytest
from hypothesis import assume, given, settings

from simulator.reward import Ledger, SolutionTrace, reward_problems, score
from simulator.scenario.models import TaskTemplate
from tests.reward.ledgers import check, failed, process, reward, rewards


def template(**checks):
    return TaskTemplate.model_validate(
        {"instruction": "Do it.", "draw": "select 1 as one", "solution": [{"act": {}}], "checks": checks}
    )


def passes(**rest):
    return {"passes": "select true", **rest}


def test_the_language_s_own_weights_keep_the_promise():
    assert reward_problems(reward(), {"reroute": template(done=passes())}) == []


def test_weights_that_let_a_failure_outrank_a_success_are_reported():
    (problem,) = reward_problems(reward(weights={"completion": 1.0, "process": 1.0}))
    assert (problem.code, problem.path) == ("weak_completion", "reward.weights.completion")
    assert "1.65" in problem.suggestion


def test_without_small_penalties_completion_needs_only_half_of_the_weight():
    prices = {"minor": 0.0, "failed_action": 0.0}
    assert reward_problems(reward(weights={"completion": 1.2, "process": 1.0}, penalties=prices)) == []
    assert reward_problems(reward(weights={"completion": 1.2, "process": 1.0})) != []


@pytest.mark.parametrize(
    ("checks", "codes"),
    [
        ({"done": passes(weight=9.0), "nice": passes(required=False)}, []),
        ({"done": passes(), "nice": passes(required=False)}, ["optional_checks"]),
        ({"done": passes(), "kept": passes(required=False, keeps=True)}, []),
        ({}, []),
    ],
)
def test_a_task_s_optional_checks_may_not_outweigh_the_required_ones(checks, codes):
    problems = reward_problems(reward(), {"reroute": template(**checks)})
    assert [problem.code for problem in problems] == codes


@given(rewards())
@settings(max_examples=80)
def test_the_condition_is_as_wide_as_it_can_be(prices):
    """Where a problem is reported, the worst success does not outrank the best failure."""
    assume(reward_problems(prices))
    broken = process(broken_at=(1,))
    worst = Ledger(
        ending="finished",
        steps=10,
        limit=10,
        checks=(check(),),
        solutions=(SolutionTrace(1),),
        process=(broken,),
        failed_actions=(failed(),) * 200,
    )
    best = Ledger(
        ending="finished",
        steps=1,
        limit=10,
        checks=(check(), check("open", passed=False, keeps=True)),
        solutions=(SolutionTrace(1),),
    )
    cheap = 200 * prices.penalties.failed_action < 0.1
    assume(not cheap or not prices.penalties.minor)
    assume(not cheap or not prices.penalties.failed_action)
    success, failure = score(worst, prices), score(replace(best), prices)
    assert success.success
    assert not failure.success
    assert success.total <= failure.total + 2e-9
