"""The sales CRM: what it holds, that its data make sense, and that its policy says what its rules check."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
import yaml

from simulator import Environment, Scenario, World, generate_world, load_scenario
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, ScriptedAgent, play
from simulator.scenario.times import parse_timestamp
from simulator.tasks import Task
from simulator.world import Database
from tests.gallery.ranking import NoisyScores

FOLDER = Path(__file__).parents[2] / "scenarios" / "gallery" / "sales_crm"
FACTS = yaml.safe_load(Path(__file__).with_name("sales_crm_facts.yaml").read_text(encoding="utf-8"))
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


def begin(template: str, number: int = 0) -> Environment:
    environment = Environment(world())
    environment.reset(task=tasks_of(template)[number], seed=0)
    return environment


def call(environment: Environment, tool: str, **arguments):
    return environment.step({"tool": tool, "arguments": arguments})[0]


def test_it_is_no_toy():
    document = scenario().document
    rules = document.rules
    histories = [name for name, table in document.world.tables.items() if table.history_of is not None]
    assert len(document.world.tables) >= 12
    assert len(histories) >= 3
    assert len(document.tools) >= 14
    assert min(len(rules.state), len(rules.change), len(rules.process)) >= 4
    assert any(rule.deny for rule in rules.state.values())
    assert any(rule.deny for rule in rules.change.values())
    assert len(document.tasks) >= 12
    assert set(document.roles) == {"rep", "manager", "operations"}


def test_it_has_tasks_enough_in_every_split():
    tasks = world().tasks()
    assert len(tasks) >= 500
    assert all(len(world().tasks(split)) >= 50 for split in ("train", "validation", "test"))
    assert {task.difficulty for task in tasks} == {1, 2, 3, 4, 5}
    assert {task.role for task in tasks} == {"rep", "manager", "operations"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_yields_tasks_that_read_well(template):
    tasks = tasks_of(template)
    assert len(tasks) >= 12
    for task in tasks:
        assert not re.search(r"[{}]|\.\.|\bNone\b|\bnull\b", task.instruction), task.instruction
        assert task.instruction[0].isupper()


def test_no_instruction_gives_away_a_number_that_is_to_be_found():
    for task in world().tasks():
        assert not re.search(r"OPP-\d|\bA-\d|\bL-\d|Q-\d", task.instruction), task.instruction


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


def test_names_vary(database):
    stems, accounts = database.query(
        "select count(distinct c.stem), count(*) from account a join company c on c.id = a.company_id", {}
    ).rows[0]
    people, contacts = database.query("select count(distinct name), count(*) from contact", {}).rows[0]
    assert stems > 0.75 * accounts
    assert people > 0.9 * contacts


def test_some_representatives_have_room_and_some_have_none(database):
    rows = database.query("select accounts >= max_accounts from rep_load", {}).rows
    assert 0 < sum(row[0] for row in rows) < len(rows) / 2


def test_the_policy_names_every_number_of_the_rules():
    document = scenario().document
    said = set(NUMBER.findall(document.policy))
    rules = [*document.rules.state.values(), *document.rules.change.values(), *document.rules.process.values()]
    in_summaries = {number for rule in rules for number in NUMBER.findall(rule.summary)}
    counted = {str(rule.at_most[1]) for rule in document.rules.process.values() if rule.at_most is not None} - {"1"}
    assert in_summaries | counted <= said
    assert in_summaries | counted >= {"65", "08", "18", "20"}


def test_the_policy_names_only_tools_columns_and_codes_there_are():
    document = scenario().document
    named = set(re.findall(r"`([a-z]+_[a-z_]+)`", document.policy))
    columns = {column for table in document.world.tables.values() for column in table.columns}
    assert named <= set(document.tools) | set(document.refusals) | columns | {"max_accounts"}
    for code in document.refusals:
        assert document.policy.count(f"`{code}`") >= 2


def test_everybody_sees_the_rows_of_their_own_work():
    owners = {}
    for template in ("won_so_far", "win_rate", "quiet_deals"):
        environment = begin(template)
        answer = call(environment, "run_sql", sql="select count(distinct owner_id), count(*) from account")
        owners[template] = answer["result"]["rows"][0]
    assert owners["won_so_far"][0] == 1
    assert owners["won_so_far"][1] < owners["win_rate"][1] < owners["quiet_deals"][1] == 400


def test_addresses_of_persons_are_masked_and_little_can_be_written():
    environment = begin("quiet_deals")
    rows = call(environment, "run_sql", sql="select email, phone from contact limit 3")["result"]["rows"]
    assert rows == [[None, None]] * 3
    refused = call(environment, "run_sql", sql="update opportunity set amount = 1 where id = 'OPP-00001'")
    assert refused["kind"] == "sql_forbidden"
    for template in ("won_so_far", "win_rate"):
        refused = call(begin(template), "run_sql", sql="update account set payment = 'prompt' where payment = 'late'")
        assert refused["kind"] == "sql_forbidden"


def test_an_account_handed_over_by_sql_alone_is_not_written_down():
    environment = begin("clear_payments")
    rows = call(
        environment,
        "run_sql",
        sql="select a.id, min(e.id) from account a join employee e on e.territory_id = a.territory_id and "
        "e.position = 'rep' and e.id <> a.owner_id where not exists (select 1 from opportunity o where "
        "o.account_id = a.id and o.stage not in ('won', 'lost')) group by a.id order by a.id limit 1",
    )["result"]["rows"]
    account, owner = rows[0]
    assert call(environment, "run_sql", sql=f"update account set owner_id = {owner} where id = '{account}'")["ok"]
    assert any(line.name == "change.handovers_are_written_down" for line in environment.score().lines)


@pytest.mark.parametrize("template", ["won_so_far", "quiet_deals", "lead_yield", "best_industries"])
def test_the_statement_of_a_question_gives_its_answer(template):
    for task in tasks_of(template)[:3]:
        environment = Environment(world())
        assert play(environment, OracleAgent(), task, 0).score.success
        asked, finished = environment.trajectory.steps
        rows = asked["observation"]["result"]["rows"]
        answer = json.loads(finished["action"]["arguments"]["answer"])
        if isinstance(answer, list):
            found = [row[0] for row in rows]
            assert found == answer if template == "best_industries" else sorted(found) == sorted(answer)
        else:
            assert rows[0][0] == pytest.approx(answer, abs=0.005)


def test_another_territory_is_closed_to_representatives():
    environment = begin("set_discount")
    own = call(environment, "who_am_i")["result"]["territory"]
    other = "US West" if own != "US West" else "UK North"
    period = {"close_from": "2026-01-01", "close_to": "2026-12-31"}
    assert call(environment, "report_pipeline", territory=own, **period)["ok"]
    assert call(environment, "report_pipeline", territory=other, **period)["code"] == "not_your_territory"


def test_an_approval_comes_only_after_its_time():
    task = next(task for task in tasks_of("approved_then_sent") if task.parameters["level"] == "director")
    environment = Environment(world())
    environment.reset(task=task, seed=0)
    number = task.parameters["number"]
    call(environment, "get_quote", number=number)
    call(environment, "set_discount", number=number, discount=task.parameters["discount"])
    call(environment, "request_approval", number=number, level="director")
    call(environment, "wait", duration="20h")
    assert call(environment, "send_quote", number=number)["code"] == "not_ready"
    call(environment, "wait", duration="2h")
    assert call(environment, "get_quote", number=number)["result"]["status"] == "approved"
    assert call(environment, "send_quote", number=number)["ok"]


def test_who_sends_above_the_limit_without_approval_fails():
    task = tasks_of("approved_then_sent")[0]
    number, discount = task.parameters["number"], task.parameters["discount"]
    actions = [
        {"tool": "get_quote", "arguments": {"number": number}},
        {"tool": "list_discount_matrix", "arguments": {}},
        {"tool": "set_discount", "arguments": {"number": number, "discount": discount}},
        {"tool": "send_quote", "arguments": {"number": number}},
        {"tool": "finish", "arguments": {}},
    ]
    score = play(Environment(world()), ScriptedAgent(actions), task, 0).score
    assert not score.success
    assert any(line.name == "state.sent_only_with_approval" for line in score.lines)


def keeps_its_promise(seed: int, tasks: list[Task]) -> None:
    """The oracle earns everything; doing nothing, guessing and refusing blindly earn no success where work is due."""
    environment = Environment(world(seed))
    codes = scenario().document.refusals
    blind = [{"answer": "done"}, {"answer": "0"}, {"answer": "[]"}, *({"refusal": code} for code in codes)]
    scores = NoisyScores()
    for number, task in enumerate(tasks):
        best = play(environment, OracleAgent(), task, 0)
        assert best.score.success, (task.id, best.score.lines)
        assert best.score.completion == 1
        assert best.score.total == pytest.approx(1), (task.id, best.score.lines)
        assert set(best.kinds) == {"ok"}
        assert not play(environment, NullAgent(), task, 0).score.success, task.id
        expects = scenario().document.tasks[task.template].expects
        for arguments in blind:
            if expects is None or arguments.get("refusal") != expects.refusal:
                agent = ScriptedAgent([{"tool": "finish", "arguments": arguments}])
                assert not play(environment, agent, task, 0).score.success, (task.id, arguments)
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
