"""The support desk: what it holds, that its data make sense, and that its policy says what its rules check."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from simulator import Environment, Scenario, World, generate_world, load_scenario
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from simulator.scenario.times import parse_timestamp
from simulator.tasks import Task
from simulator.world import Database
from tests.gallery.ranking import NoisyScores

FOLDER = Path(__file__).parents[2] / "scenarios" / "gallery" / "support_desk"
FACTS = yaml.safe_load(Path(__file__).with_name("support_desk_facts.yaml").read_text(encoding="utf-8"))
SEED = 7
NUMBER = re.compile(r"\d+")


@cache
def scenario() -> Scenario:
    return load_scenario(FOLDER)


TEMPLATES = tuple(scenario().document.tasks)


@cache
def world(seed: int = SEED) -> World:
    return generate_world(scenario(), seed)


@pytest.fixture(scope="module")
def database():
    with Database(world().image) as database:
        database.store.now = parse_timestamp(scenario().document.world.now)
        yield database


def tasks_of(template: str, seed: int = SEED) -> list[Task]:
    return [task for task in world(seed).tasks() if task.template == template]


def test_it_is_no_toy():
    document = scenario().document
    rules = document.rules
    assert len(document.world.tables) >= 12
    assert len(document.tools) >= 16
    assert len(rules.state) >= 4
    assert len(rules.change) >= 4
    assert len(rules.process) >= 4
    assert len(rules.state) + len(rules.change) + len(rules.process) >= 12
    assert len(document.tasks) >= 12
    assert set(document.roles) == {"tier1", "tier2", "lead"}


def test_it_has_tasks_enough_in_every_split():
    tasks = world().tasks()
    assert len(tasks) >= 500
    assert all(len(world().tasks(split)) >= 50 for split in ("train", "validation", "test"))
    assert {task.difficulty for task in tasks} == {1, 2, 3, 4, 5}
    assert {task.role for task in tasks} == {"tier1", "tier2", "lead"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_yields_tasks_that_read_well(template):
    tasks = tasks_of(template)
    assert len(tasks) >= 12
    for task in tasks:
        assert "{" not in task.instruction
        assert "none" not in task.instruction.split()


def test_refusals_have_twins_in_the_same_words():
    templates = scenario().document.tasks
    refusing = {name: template for name, template in templates.items() if template.expects is not None}
    assert {template.expects.refusal for template in refusing.values()} == set(scenario().document.refusals)
    for template in refusing.values():
        twin = templates[template.twin]
        assert twin.expects is None
        assert twin.instruction == template.instruction


@pytest.mark.parametrize("fact", FACTS)
def test_data_make_sense(database, fact):
    assert database.query(FACTS[fact]["never"], {}).rows == ()


@pytest.mark.parametrize("rule", scenario().document.rules.state)
def test_no_state_rule_is_broken_in_a_fresh_world(database, rule):
    assert database.query(scenario().document.rules.state[rule].never, {}).rows == ()


def test_texts_vary(database):
    subjects, tickets = database.query("select count(distinct subject), count(*) from ticket", {}).rows[0]
    descriptions = database.value("select count(distinct description) from ticket", {})
    assert subjects > 0.25 * tickets
    assert descriptions > 0.95 * tickets


def test_some_agents_have_room_and_some_have_none(database):
    rows = database.query("select open_tickets >= max_open from agent_load where tier < 3", {}).rows
    full = sum(row[0] for row in rows)
    assert 0 < full < len(rows) / 2


def test_the_policy_names_every_number_of_the_rules():
    document = scenario().document
    said = set(NUMBER.findall(document.policy))
    rules = [*document.rules.state.values(), *document.rules.change.values(), *document.rules.process.values()]
    in_summaries = {number for rule in rules for number in NUMBER.findall(rule.summary)}
    counted = {str(rule.at_most[1]) for rule in document.rules.process.values() if rule.at_most is not None} - {"1"}
    assert in_summaries | counted <= said
    assert in_summaries | counted >= {"14", "3", "15"}


def test_the_policy_holds_the_decision_tables(database):
    policy = scenario().document.policy
    for impact in (1, 2, 3):
        rows = database.query(
            "select priority from priority_matrix where impact_level = :impact order by urgency_level",
            {"impact": impact},
        ).rows
        assert f"| **impact {impact}** | " + " | ".join(row[0] for row in rows) + " |" in policy
    for (plan,) in database.query("select name from plan", {}).rows:
        rows = database.query(
            "select first_response_minutes || ' / ' || resolution_minutes from sla_policy s "
            "join plan p on p.id = s.plan_id where p.name = :plan order by priority",
            {"plan": plan},
        ).rows
        assert f"| {plan} | " + " | ".join(row[0] for row in rows) + " |" in policy
        quota = database.value(
            "select min(monthly_quota) from entitlement_balance b join contract k on k.id = b.contract_id "
            "join plan p on p.id = k.plan_id where p.name = :plan",
            {"plan": plan},
        )
        assert f"{plan} {quota}" in policy
    for code, meaning in database.query("select code, meaning from resolution_code", {}).rows:
        assert f"| `{code}` | {meaning}" in policy
    for code in scenario().document.refusals:
        assert policy.count(f"`{code}`") >= 2


def test_the_policy_names_only_tools_there_are():
    document = scenario().document
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", document.policy))
    codes = set(document.refusals) | {row["code"] for row in document.world.tables["resolution_code"].rows}
    other = {"max_open", "child_of", "customer_reply", "third_party"}
    assert named - codes - other <= set(document.tools)


def keeps_its_promise(seed: int, tasks: list[Task]) -> None:
    """The oracle earns everything and the null agent nothing; noisy successes outrank noisy failures."""
    environment = Environment(world(seed))
    scores = NoisyScores()
    for number, task in enumerate(tasks):
        best = play(environment, OracleAgent(), task, 0)
        assert best.score.success, (task.id, best.score.lines)
        assert best.score.completion == 1
        assert best.score.total == pytest.approx(1), (task.id, best.score.lines)
        assert set(best.kinds) == {"ok"}
        assert not play(environment, NullAgent(), task, 0).score.success, task.id
        scores.add(play(environment, NoisyAgent(mistakes=1 + number % 2), task, number).score)
    assert scores.are_in_order()


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_sample_of_every_template_keeps_the_promise(template):
    keeps_its_promise(SEED, tasks_of(template)[:1])


@pytest.mark.slow
@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("seed", [SEED, 10_003, 20_011])
def test_every_task_keeps_the_promise(template, seed):
    keeps_its_promise(seed, tasks_of(template, seed))
