import json
from dataclasses import replace
from math import fsum

import pytest
from hypothesis import given, settings

from simulator.reward import Ledger, SolutionTrace, explanation, potential, reward_problems, score
from tests.reward.ledgers import RULES, check, checks, damage, failed, ledgers, process, reward, rewards, violation

DONE = Ledger(ending="finished", steps=3, limit=12, checks=(check(),), solutions=(SolutionTrace(3),))


def total(**changes):
    return score(replace(DONE, **changes), reward()).total


def test_the_whole_task_in_as_few_steps_as_the_solution_earns_everything():
    result = score(DONE, reward())
    assert (result.total, result.success, result.completion, result.process, result.efficiency) == (1, True, 1, None, 1)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({"steps": 12}, 1 / 1.1, id="at the limit efficiency is gone"),
        pytest.param({"steps": 12, "allowance": 9}, 1, id="faults are allowed for"),
        pytest.param({"steps": 3 + 9 // 3}, (1 + 0.1 * 2 / 3) / 1.1, id="efficiency falls in a line"),
        pytest.param({"solutions": ()}, 1, id="without a solution there is no efficiency"),
        pytest.param({"ending": "ended"}, 1, id="an operation that ends is the agent's own ending"),
        pytest.param({"ending": "stopped"}, 0.5 / 1.1, id="a stopped episode is no success and not efficient"),
        pytest.param({"ending": "truncated"}, 0.5 / 1.1, id="nor is a truncated one"),
        pytest.param({"checks": (check(passed=False),)}, 0, id="nothing done, nothing earned"),
        pytest.param(
            {"checks": (check("a", weight=3), check("b", passed=False))}, 0.75 / 2, id="half of what was done"
        ),
        pytest.param(
            {"checks": (check("a", weight=3), check("b", passed=False, required=False))}, 0.75, id="an optional check"
        ),
        pytest.param({"checks": (check(), check("open", keeps=True))}, 1, id="keeping earns nothing"),
        pytest.param({"checks": (check(), check("open", False, keeps=True))}, 0.5, id="breaking loses success"),
        pytest.param(
            {"checks": (check(), check("open", False, keeps=True, required=False))}, 0.5, id="required or not"
        ),
        pytest.param({"violations": (violation(),)}, 0.7, id="a major violation leaves success"),
        pytest.param({"violations": (violation(severity="critical"),)}, -0.5, id="a critical one does not"),
        pytest.param({"violations": (violation(severity=None),)}, 1, id="no severity, no price"),
        pytest.param({"violations": (violation(), violation(step=2))}, 0.7, id="one row of a rule costs once"),
        pytest.param(
            {"violations": tuple(violation(severity="major", row=str(row)) for row in range(9))},
            1 - 0.9,
            id="a rule costs three times at most",
        ),
        pytest.param({"damages": (damage(),)}, 0.5 - 0.5, id="collateral damage loses success and costs"),
        pytest.param({"damages": tuple(map(damage, range(9)))}, -1, id="for three rows at most, then clipped"),
        pytest.param({"failed_actions": (failed(), failed())}, 0.96, id="failed actions cost"),
        pytest.param({"failed_actions": (failed(),) * 20}, 0.9, id="and are capped"),
        pytest.param(
            {"failed_actions": (failed(),) * 4, "violations": (violation(severity="minor"),)},
            0.9,
            id="together with minor violations",
        ),
        pytest.param(
            {"failed_actions": tuple(map(failed, ("fault", "limit", "sql_unsupported", "episode_over")))},
            1,
            id="what is not the agent's making costs nothing",
        ),
    ],
)
def test_the_total(changes, expected):
    assert total(**changes) == pytest.approx(expected)


def test_process_counts_the_rules_a_solution_activates():
    solution = SolutionTrace(3, frozenset(RULES[:2]))
    kept = (process(RULES[0]), process(RULES[1], activated=False), process(RULES[2]))
    result = score(replace(DONE, solutions=(solution,), process=kept), reward())
    assert result.process == 0.5
    assert result.total == pytest.approx((1 + 0.2 * 0.5 + 0.1) / 1.3)


def test_trivially_kept_rules_earn_nothing():
    assert score(replace(DONE, process=(process(),)), reward()).process is None


def test_a_rule_the_agent_breaks_counts_though_no_solution_activates_it():
    result = score(replace(DONE, process=(process(broken_at=(2,)),)), reward())
    assert result.process == 0
    assert result.total == pytest.approx(1.1 / 1.3)


def test_a_process_rule_with_a_severity_is_priced_as_well():
    result = score(replace(DONE, process=(process(broken_at=(2,), severity="major"),)), reward())
    assert result.penalties == pytest.approx(0.3)
    assert result.success


def test_a_critical_process_rule_loses_success():
    assert not score(replace(DONE, process=(process(broken_at=(2,), severity="critical"),)), reward()).success


def test_the_solution_under_which_the_episode_fares_best_is_the_measure():
    strict = SolutionTrace(2, frozenset(RULES))
    fitting = SolutionTrace(3, frozenset(RULES[:1]))
    results = (process(RULES[0]), process(RULES[1], activated=False), process(RULES[2], activated=False))
    result = score(replace(DONE, solutions=(strict, fitting), process=results), reward())
    assert (result.process, result.efficiency, result.total) == (1, 1, 1)


def test_every_point_names_its_step_and_its_reason():
    ledger = replace(
        DONE,
        steps=6,
        checks=(check("routed"), check("told", passed=False)),
        check_steps={"routed": 4},
        violations=(violation(step=5),),
        damages=(damage(step=2),),
        failed_actions=(failed(step=3),),
    )
    result = score(ledger, reward())
    told = [(line.part, line.name, line.step) for line in result.lines]
    assert told == [
        ("completion", "routed", 4),
        ("completion", "told", 6),
        ("efficiency", "steps", 6),
        ("halved", "success", 6),
        ("violation", "state.closed_has_resolution", 5),
        ("collateral", "ticket", 2),
        ("failed_action", "assign_ticket", 3),
    ]
    text = explanation(result)
    for words in ("told: not done", "check told does not hold", "status from open to closed", "guard (not_open)"):
        assert words in text


def test_a_score_is_json():
    result = score(DONE, reward())
    assert json.loads(json.dumps(result.to_json()))["lines"][0]["name"] == "routed"


@given(ledgers(), rewards())
@settings(max_examples=100)
def test_a_score_lies_in_its_range_and_its_lines_sum_to_it(ledger, prices):
    result = score(ledger, prices)
    unclipped = fsum(line.points for line in result.lines if line.part != "clipped")
    assert -1 <= result.total <= 1
    assert result.total == min(1, max(-1, unclipped))
    assert fsum(line.points for line in result.lines) == pytest.approx(result.total)
    for part in (result.completion, result.process, result.efficiency):
        assert part is None or 0 <= part <= 1
    weights = prices.weights
    terms = [(weights.completion, 1), (weights.process, result.process), (weights.efficiency, result.efficiency)]
    present = [(weight, share) for weight, share in terms if share is not None]
    earned = result.completion * sum(weight * share for weight, share in present) / sum(weight for weight, _ in present)
    assert unclipped == pytest.approx(earned * (1 if result.success else 0.5) - result.penalties, abs=1e-9)


@given(ledgers(), ledgers(), rewards())
@settings(max_examples=200)
def test_a_success_without_major_violations_outranks_every_non_success(one, two, prices):
    scores = [(score(ledger, prices), ledger) for ledger in (one, two)]
    clean = [
        result.total
        for result, ledger in scores
        if result.success and not any(item.severity == "major" for item in ledger.all_violations())
    ]
    failures = [result.total for result, _ in scores if not result.success]
    if clean and failures and not reward_problems(prices):
        assert min(clean) > max(failures)


@given(ledgers(), rewards())
@settings(max_examples=60)
def test_doing_nothing_earns_nothing(ledger, prices):
    undone = tuple(replace(item, passed=item.keeps) for item in ledger.checks)
    assert score(replace(ledger, checks=undone), prices).total <= 0


@given(checks())
@settings(max_examples=50)
def test_the_potential_is_completion_of_the_state_alone(results):
    answered = (*results, check("answered", passed=False, form="answer", weight=100))
    assert potential(answered) == potential(results)
    assert 0 <= potential(results) <= 1
