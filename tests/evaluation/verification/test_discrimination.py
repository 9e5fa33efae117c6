"""`discrimination`: the reward tells good work from bad."""

import pytest

from simulator import generate_world
from simulator.evaluation.verification import CheckResult, Part, Subject
from simulator.evaluation.verification.checks.discrimination import CHECK, FEW, OF_ALL, rank_correlation
from simulator.scenario import parse_document
from simulator.scenario.canonical import document_value_of

NEVER = {"never": {"passes": "select 0"}}


def test_a_sound_template_tells_its_agents_apart(subject):
    result = CHECK.run(subject("route", tasks=3))
    assert result.findings == ()
    rewards = result.figures["rewards"]
    assert set(rewards) == {"oracle", "noisy_1", "noisy_2", "noisy_4", "random", "null"}
    assert rewards["oracle"] == [1.0] * 3
    assert result.figures["correlation"] < 0


def test_a_failure_that_outranks_a_success_is_told(desk):
    def change(document):
        document["reward"] = {
            "weights": {"completion": 0.1, "process": 0.9, "efficiency": 0},
            "penalties": {"collateral": 0, "minor": 0, "major": 0, "critical": 0, "failed_action": 0},
        }
        document["rules"].pop("state")
        done = {"passes": "select team_id is :team_id from ticket where id = :ticket_id"}
        document["tasks"]["route"]["checks"] = {"done": done}

    document = document_value_of(desk().document)  # the lint promises what is broken here, so it is left out
    change(document)
    world = generate_world(parse_document(document), 1)
    tasks = [task for task in world.tasks() if task.template == "route"]
    (finding,) = CHECK.run(Subject(world, "route", tasks)).findings
    assert (finding.check, finding.severity) == ("discrimination.rank", "blocking")


def test_a_template_in_which_all_earn_the_same_is_listed(subject):
    result = CHECK.run(subject("count_urgent", lambda template: template.update(checks=NEVER)))
    assert [(finding.check, finding.severity) for finding in result.findings] == [
        ("discrimination.no_spread", "warning")
    ]


def of_all(means, episodes=FEW):
    rewards = {name: [mean] * episodes for name, mean in means.items()}
    result = CheckResult(figures={"rewards": rewards, "mistakes": [[0, 1.0], [1, 0.5], [2, 0.0]]})
    return OF_ALL.run(None, (), (Part("discrimination", "route", 1, result),))


GOOD = {"oracle": 1.0, "noisy_1": 0.8, "noisy_2": 0.6, "noisy_4": 0.4, "random": -0.1, "null": 0.0}


def test_means_that_fall_with_the_mistakes_are_as_they_should_be():
    result = of_all(GOOD)
    assert result.findings == ()
    assert result.figures == {"means": GOOD, "correlation": -1.0}


@pytest.mark.parametrize("wrong", [{"noisy_2": 0.9}, {"noisy_4": 0.6}, {"random": 0.8}, {"oracle": 0.8}])
def test_means_in_another_order_block(wrong):
    assert {finding.check for finding in of_all({**GOOD, **wrong}).findings} == {"discrimination.order"}


def test_means_of_few_episodes_are_not_compared():
    assert of_all({**GOOD, "oracle": 0.0}, FEW - 1).findings == ()


def test_rank_correlation_shares_the_ranks_of_ties():
    assert rank_correlation([(1, 3), (2, 2), (3, 1)]) == -1.0
    assert rank_correlation([(1, 10), (2, 10), (3, 20), (4, 20)]) == pytest.approx(0.894427)
    assert rank_correlation([(1, 1), (2, 1)]) is None
    assert rank_correlation([]) is None
