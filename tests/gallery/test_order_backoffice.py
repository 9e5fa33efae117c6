"""The back office: what it holds, that its books agree, and that its policy says what its rules check."""

import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from simulator import Environment, Scenario, World, generate_world, load_scenario
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from simulator.lint import lint_scenario
from simulator.scenario.times import parse_timestamp
from simulator.tasks import Task
from simulator.world import Database
from tests.gallery.ranking import NoisyScores

FOLDER = Path(__file__).parents[2] / "scenarios" / "gallery" / "order_backoffice"
FACTS = yaml.safe_load(Path(__file__).with_name("order_backoffice_facts.yaml").read_text(encoding="utf-8"))
SEED = 7
NUMBER = re.compile(r"\d+")
QUESTIONS = (
    "sales_of_category", "cards_about_to_expire", "cards_to_remind_of",
    "most_returned", "stock_value", "account_movement",
)  # fmt: skip
LONG = ("replace_lost_parcel", "exchange_colour", "unload_the_trolley", "refund_run")


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


def statements(template: str, task: Task) -> list[str]:
    """The SQL of a task's own solution."""
    environment = Environment(world())
    play(environment, OracleAgent(), task, 0)
    actions = [step["action"] for step in environment.trajectory.steps]
    return [action["arguments"]["sql"] for action in actions if action["tool"] == "sql"]


def after(task: Task, *texts: str):
    """The score of an agent that runs these statements and ends."""
    environment = Environment(world())
    environment.reset(task=task.id, seed=0)
    for text in texts:
        observation = environment.step({"tool": "sql", "arguments": {"sql": text}})[0]
        assert observation["ok"], observation
    environment.step({"tool": "finish", "arguments": {}})
    return environment.score()


def test_it_is_no_toy():
    document = scenario().document
    rules = document.rules
    assert lint_scenario(scenario()) == ()
    assert len(document.world.tables) >= 20
    assert {table.history_of for table in document.world.tables.values()} >= set(document.world.lifecycles)
    assert len(document.tools) >= 20
    assert min(len(rules.state), len(rules.change), len(rules.process)) >= 8
    assert sum(rule.deny for kind in (rules.state, rules.change) for rule in kind.values()) >= 4
    assert len(document.tasks) >= 25
    assert set(document.roles) == {"clerk", "warehouse", "finance"}
    assert document.tools["sql"].sql.dialect == "postgres"


def test_it_has_tasks_enough_in_every_split():
    tasks = world().tasks()
    assert len(tasks) >= 800
    assert all(len(world().tasks(split)) >= 50 for split in ("train", "validation", "test"))
    assert {task.difficulty for task in tasks} == {1, 2, 3, 4, 5}
    assert {task.role for task in tasks} == {"clerk", "warehouse", "finance"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_yields_tasks_that_read_well(template):
    tasks = tasks_of(template)
    assert len(tasks) >= 12
    for task in tasks:
        assert "{" not in task.instruction
        assert "None" not in task.instruction
        assert "  " not in task.instruction
        assert not re.search(r"\b(50|80|90|60|30)\d{4}\b", task.instruction), "no ids are given away"


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


def test_every_account_of_the_ledger_is_used(database):
    accounts = database.query("select ledger_account_id, balance from account_balance order by 1", {}).rows
    unused = {account for account, balance in accounts if balance == 0}
    assert unused <= {2200, 5200}, "nothing is lost or waits for its refund at the start"
    assert abs(sum(balance for _, balance in accounts)) < 0.05


def test_the_policy_names_every_number_of_the_rules():
    document = scenario().document
    said = set(NUMBER.findall(document.policy))
    rules = [*document.rules.state.values(), *document.rules.change.values(), *document.rules.process.values()]
    in_summaries = {number for rule in rules for number in NUMBER.findall(rule.summary)}
    counted = {str(rule.at_most[1]) for rule in document.rules.process.values() if rule.at_most is not None}
    limits = {str(document.tools["sql"].sql.limits.affected)}
    assert in_summaries | counted | limits <= said
    assert in_summaries >= {"20", "250", "30", "5"}


def test_the_policy_names_only_what_there_is():
    document = scenario().document
    for code in document.refusals:
        assert document.policy.count(f"`{code}`") >= 2
    enums = {
        word
        for name, parameter in (("open_return", "reason"), ("correct_stock", "reason"))
        for word in document.tools[name].parameters[parameter].enum
    }
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", document.policy))
    assert named - set(document.refusals) - enums - {"as_new"} <= set(document.tools)


def test_money_and_stock_are_not_written_by_sql():
    grants = scenario().document.tools["sql"].sql.grants
    written = set()
    for table, given in grants.items():
        for grant in given if isinstance(given, list) else [given]:
            assert not grant.insert
            assert not grant.delete
            written |= {f"{table}.{column}" for column in grant.update or ()}
    assert {name.partition(".")[0] for name in written} == {"customer", "sales_order", "stock"}
    assert "stock.on_hand" not in written
    assert "sales_order.status" not in written


def test_secrets_are_masked_and_other_warehouses_are_out_of_sight():
    environment = Environment(world())
    environment.reset(task=tasks_of("sales_of_category")[0].id, seed=0)
    ask = {"sql": "select count(card_token), count(*) from payment"}
    seen = environment.step({"tool": "sql", "arguments": ask})[0]["result"]["rows"]
    assert seen[0][0] == 0
    assert seen[0][1] > 1000
    environment.reset(task=tasks_of("clear_an_aisle")[0].id, seed=0)
    ask = {"sql": "select count(distinct warehouse_id) from stock"}
    assert environment.step({"tool": "sql", "arguments": ask})[0]["result"]["rows"] == [[1]]
    for text in ("select * from payment", "update stock set on_hand = 5", "delete from stock"):
        assert not environment.step({"tool": "sql", "arguments": {"sql": text}})[0]["ok"], text


@pytest.mark.parametrize("template", LONG)
def test_long_tasks_take_eight_steps_or_more(template):
    task = tasks_of(template)[0]
    assert len(play(Environment(world()), OracleAgent(), task, 0).kinds) >= 8


def test_an_aisle_is_not_its_hygiene_neighbour():
    task = next(t for t in tasks_of("clear_an_aisle") if t.parameters["aisle"] in ("B", "C"))
    look, right = statements("clear_an_aisle", task)
    assert after(task, look, right).success
    score = after(task, look, right.replace("-%'", "%'"))
    assert not score.success
    assert any(line.part == "collateral" for line in score.lines)


def test_an_address_of_an_order_that_has_left_stays():
    task = tasks_of("household_move")[0]
    look, account, orders = statements("household_move", task)
    assert after(task, look, account, orders).success
    score = after(task, look, account, orders.replace(" and status in ('paid', 'picking')", ""))
    assert not score.success
    assert any(line.name.endswith("label_is_printed") for line in score.lines)


def test_postcodes_on_printed_labels_stay():
    task = tasks_of("repair_postcodes")[0]
    look, right = statements("repair_postcodes", task)
    assert after(task, look, right).success
    assert not after(task, look, right.replace("and status in ('paid', 'picking') ", "")).success


def test_lower_reorder_points_are_raised_and_higher_ones_stay():
    task = tasks_of("raise_reorder_points")[0]
    look, right = statements("raise_reorder_points", task)
    assert after(task, look, right).success
    hasty = re.sub(r"reorder_point < \d+ and ", "", right)
    assert not after(task, look, hasty).success


def test_nobody_is_signed_up():
    task = tasks_of("stop_newsletter")[0]
    look, right = statements("stop_newsletter", task)
    assert after(task, look, right).success
    hasty = right.replace("newsletter = false", "newsletter = not newsletter").replace(" and newsletter and", " and")
    score = after(task, look, hasty)
    assert not score.success
    assert any(line.name.endswith("nobody_is_signed_up") for line in score.lines)


def test_a_long_list_is_changed_in_parts():
    task = tasks_of("thin_out_newsletter")[0]
    look, *parts = statements("thin_out_newsletter", task)
    assert len(parts) >= 2
    at_once = re.sub(r"id between \d+ and \d+ and ", "", parts[0])
    environment = Environment(world())
    environment.reset(task=task.id, seed=0)
    observation = environment.step({"tool": "sql", "arguments": {"sql": at_once}})[0]
    assert observation["kind"] == "sql_limit"
    assert "60" in observation["message"]
    assert after(task, look, *parts).success


@pytest.mark.parametrize("template", QUESTIONS)
def test_a_blind_answer_never_succeeds(template):
    environment = Environment(world())
    for task in tasks_of(template)[:5]:
        for answer in ("0", "1", "[]", "yes"):
            environment.reset(task=task.id, seed=0)
            environment.step({"tool": "finish", "arguments": {"answer": answer}})
            assert not environment.score().success, task.id


def test_a_blind_refusal_never_succeeds():
    environment = Environment(world())
    for template in TEMPLATES:
        for code in scenario().document.refusals:
            environment.reset(task=tasks_of(template)[0].id, seed=0)
            environment.step({"tool": "finish", "arguments": {"refusal": code}})
            assert not environment.score().success, (template, code)


def act(environment: Environment, tool: str, **arguments):
    observation = environment.step({"tool": tool, "arguments": arguments})[0]
    assert observation["ok"], observation
    return observation["result"]


def test_a_refund_settles_after_two_hours_and_is_posted():
    task = tasks_of("cancel_order")[0]
    order = task.parameters["order_id"]
    environment = Environment(world())
    environment.reset(task=task.id, seed=0)
    act(environment, "get_order", order_id=order)
    act(environment, "cancel_order", order_id=order)
    act(environment, "wait", duration="1h50m")
    assert {refund["status"] for refund in act(environment, "get_order", order_id=order)["refunds"]} == {"requested"}
    act(environment, "wait", duration="10m")
    seen = act(environment, "get_order", order_id=order)
    assert {refund["status"] for refund in seen["refunds"]} == {"settled"}
    assert sum(refund["amount"] for refund in seen["refunds"]) == pytest.approx(seen["total"])
    act(environment, "finish")
    assert environment.score().success, "the books agree after the settlement as well"


def test_the_carriers_round_delivers_what_is_out():
    task = tasks_of("return_on_the_doorstep")[0]
    order = task.parameters["order_id"]
    environment = Environment(world())
    environment.reset(task=task.id, seed=0)
    assert act(environment, "get_order", order_id=order)["status"] == "shipped"
    act(environment, "wait", duration="1h")
    seen = act(environment, "get_order", order_id=order)
    assert seen["status"] == "delivered"
    assert seen["parcels"][0]["scans"][-1]["kind"] == "delivered"


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
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_task_keeps_the_promise(template, seed):
    keeps_its_promise(seed, tasks_of(template, seed))
