"""The incident room: what it holds, that its records agree, and that faults are survived by keys and patience only."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from simulator import Environment, Scenario, World, generate_world, load_scenario
from simulator.agents import NoisyAgent, NullAgent, OracleAgent, play
from simulator.lint import lint_scenario
from simulator.scenario.times import parse_timestamp
from simulator.tasks import Task
from simulator.world import Database
from tests.gallery.ranking import NoisyScores

FOLDER = Path(__file__).parents[2] / "scenarios" / "gallery" / "incident_room"
FACTS = yaml.safe_load(Path(__file__).with_name("incident_room_facts.yaml").read_text(encoding="utf-8"))
SEED = 7
QUESTIONS = (
    "name_the_cause", "error_share", "loudest", "mean_time_to_mitigate",
    "unanswered", "overdue_items", "current_rule", "failed_requests",
)  # fmt: skip
LONG = ("full_incident", "mend_and_drain", "wrap_up", "silence_the_sufferers")
REMEDIES = {"roll_back", "restart_service", "scale_out", "fail_over", "renew_certificate"}


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


@cache
def tasks_of(template: str, seed: int = SEED) -> list[Task]:
    return [task for task in world(seed).tasks() if task.template == template]


def begin(task: Task, seed: int = 0) -> Environment:
    environment = Environment(world())
    environment.reset(task=task.id, seed=seed)
    return environment


def act(environment: Environment, tool: str, **arguments: Any) -> dict[str, Any]:
    """The observation of a call that is made again as long as a fault strikes it."""
    while True:
        observation = environment.step({"tool": tool, "arguments": arguments})[0]
        if observation["kind"] != "fault":
            return observation
        environment.step({"tool": "wait", "arguments": {"duration": "1m"}})


def test_it_is_no_toy():
    document = scenario().document
    rules = document.rules
    assert lint_scenario(scenario()) == ()
    assert {"alert", "log_line", "queue_message", "object_version", "article"} <= set(document.world.tables), "packs"
    assert len(document.world.tables) >= 35
    assert {table.history_of for table in document.world.tables.values()} >= set(document.world.lifecycles)
    assert min(len(rules.state), len(rules.change), len(rules.process)) >= 7
    assert sum(rule.deny for kind in (rules.state, rules.change) for rule in kind.values()) >= 9
    assert len(document.tasks) >= 25
    assert {fault.kind for fault in document.faults.values()} >= {
        "timeout", "server_error", "rate_limit", "stale_read", "outage",
    }  # fmt: skip
    assert document.tools["query"].roles == ["commander"]
    assert document.tools["query"].sql.dialect == "postgres"


def test_it_has_tasks_enough_in_every_split():
    assert len(world().tasks()) >= 800
    assert all(len(world().tasks(split)) >= 50 for split in ("train", "validation", "test"))
    assert {task.difficulty for task in world().tasks()} == {1, 2, 3, 4, 5}
    assert {task.role for task in world().tasks()} == {"responder", "commander"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_yields_tasks_that_read_well(template):
    tasks = tasks_of(template)
    assert len(tasks) >= 8
    for task in tasks:
        assert "{" not in task.instruction
        assert "None" not in task.instruction
        assert "  " not in task.instruction
        assert not re.search(r"\b(2[4-9]|3\d|50|7[0-9]|8)\d{2}\b(?!-)|ENG-\d", task.instruction), (
            "no ids are given away"
        )


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


def test_the_policy_names_what_there_is_and_what_the_rules_count():
    document = scenario().document
    causes = set(document.tools["write_post_mortem"].parameters["root_cause"].enum)
    for word in (*document.refusals, *causes):
        assert f"`{word}`" in document.policy, word
    counted = {str(rule.at_most[1]) for rule in document.rules.process.values() if rule.at_most is not None}
    assert counted <= set(re.findall(r"\d+", document.policy))


@pytest.mark.parametrize("template", LONG)
def test_long_tasks_take_eight_steps_or_more(template):
    assert len(play(Environment(world()), OracleAgent(), tasks_of(template)[0], 0).kinds) >= 8


@pytest.mark.parametrize("template", QUESTIONS)
def test_a_blind_answer_never_succeeds(template):
    for task in tasks_of(template)[:3]:
        for answer in ("0", "1", "[]", "yes"):
            environment = begin(task)
            environment.step({"tool": "finish", "arguments": {"answer": answer}})
            assert not environment.score().success, task.id


def test_a_blind_refusal_never_succeeds():
    for template in TEMPLATES:
        for code in scenario().document.refusals:
            environment = begin(tasks_of(template)[0])
            environment.step({"tool": "finish", "arguments": {"refusal": code}})
            assert not environment.score().success, (template, code)


def test_alerts_resolve_ten_minutes_after_the_right_remedy_and_not_after_another():
    task = next(t for t in tasks_of("mitigate_instances") if t.parameters["remedy"] == "restart")
    service = task.parameters["service"]
    for tool, left in (("renew_certificate", True), ("restart_service", False)):
        environment = begin(task)
        assert act(environment, tool, service=service)["code"] == "change.nothing_without_an_incident"
        assert act(environment, "declare_incident", service=service, title="It is down", request_key="d")["ok"]
        assert act(environment, tool, service=service)["ok"]
        act(environment, "wait", duration="12m")
        neighbours = act(environment, "get_service", service=service)["result"]["needed_by"]
        assert any(row["unresolved"] for row in neighbours) is (left and bool(neighbours))
        services = act(environment, "list_services")["result"]
        assert any(row["unresolved"] for row in services if row["service"] == service) is left


def test_what_must_not_be_is_denied():
    environment = begin(tasks_of("silence_the_sufferers")[0])
    alerts = act(environment, "list_alerts", status="firing")["result"]["items"]
    words = {"until": "2026-03-10 16:00:00", "reason": "Too loud."}
    assert (
        act(environment, "silence_alert", alert_id=alerts[0]["id"], **words)["code"]
        == "change.acknowledged_before_silenced"
    )
    environment = begin(tasks_of("refuse_to_drain")[0])
    queue = tasks_of("refuse_to_drain")[0].parameters["queue"]
    letter = act(environment, "list_dead_letters", queue=queue)["result"]["items"][0]["id"]
    assert act(environment, "requeue_message", message_id=letter)["code"] == "change.consumer_before_redrive"
    environment = begin(tasks_of("close_it")[0])
    incident = tasks_of("close_it")[0].parameters["incident_id"]
    assert act(environment, "close_incident", incident_id=incident)["code"] == "state.closed_with_a_cause"
    task = tasks_of("call_named")[0]
    environment = begin(task)
    listed = act(environment, "list_incidents", service=task.parameters["service"], status="open")["result"]["items"]
    open_one = next(row["incident_id"] for row in listed if row["status"] == "declared")
    who = task.parameters["engineer_id"]
    assert act(environment, "page_engineer", incident_id=open_one, engineer_id=who, request_key="a")["ok"]
    again = act(environment, "page_engineer", incident_id=open_one, engineer_id=who, request_key="b")
    assert again["code"] == "state.called_once"


def rerun(task: Task, seed: int, actions: list[dict[str, Any]], *, tries: bool, keys: bool) -> bool:
    """Whether an agent succeeds that makes these calls, tries struck ones again or not, with their keys or without."""
    environment = begin(task, seed)
    for action in actions:
        arguments = {name: value for name, value in action["arguments"].items() if keys or name != "request_key"}
        for _ in range(4):
            observation = environment.step({"tool": action["tool"], "arguments": arguments})[0]
            if observation["kind"] != "fault" or not tries:
                break
            if observation["code"] == "rate_limited":
                environment.step({"tool": "wait", "arguments": {"duration": "5m"}})
    return environment.score().success


@cache
def struck(template: str) -> tuple[tuple[Task, int, list[dict[str, Any]], bool], ...]:
    """Tasks in which a timeout strikes a note or an addition of instances: the calls of the solution, and whether the
    call had taken effect."""
    found = []
    for task in tasks_of(template)[:12]:
        for seed in range(3):
            environment = Environment(world())
            play(environment, OracleAgent(), task, seed)
            steps = environment.trajectory.steps
            hits = [
                step
                for step in steps
                if step["observation"]["code"] == "timeout" and step["action"]["tool"] in ("scale_out", "add_note")
            ]
            if not hits:
                continue
            plan = [step["action"] for step in steps if step["observation"]["kind"] == "ok"]
            waits = [action for action in plan if action["tool"] != "wait"]
            probe = begin(task, seed)
            took_effect = False
            for step in steps:
                before = probe.changes()
                probe.step(step["action"])
                if step in hits and probe.changes() != before:
                    took_effect = True
            found.append((task, seed, waits, took_effect))
    return tuple(found)


def test_an_agent_with_keys_and_patience_survives_every_fault():
    cases = struck("mitigate_capacity")
    assert len(cases) >= 4
    for task, seed, actions, _ in cases:
        assert rerun(task, seed, actions, tries=True, keys=True), (task.id, seed)


def test_an_agent_that_tries_again_without_the_key_acts_twice_and_loses():
    cases = [case for case in struck("mitigate_capacity") if case[3]]
    assert len(cases) >= 3
    for task, seed, actions, _ in cases:
        assert not rerun(task, seed, actions, tries=True, keys=False), (task.id, seed)


def test_an_agent_that_never_tries_again_loses_where_the_call_was_lost():
    cases = [case for case in struck("mitigate_capacity") if not case[3]]
    assert cases
    for task, seed, actions, _ in cases:
        assert not rerun(task, seed, actions, tries=False, keys=True), (task.id, seed)


def keeps_its_promise(seed: int, tasks: list[Task]) -> None:
    """The oracle earns everything, faults or not, the null agent nothing; noisy successes outrank noisy failures."""
    environment = Environment(world(seed))
    scores = NoisyScores()
    for number, task in enumerate(tasks):
        best = play(environment, OracleAgent(), task, number)
        assert best.score.success, (task.id, best.score.lines)
        assert best.score.completion == 1
        assert best.score.total >= 0.99, (task.id, best.score.lines)
        assert set(best.kinds) <= {"ok", "fault"}
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
