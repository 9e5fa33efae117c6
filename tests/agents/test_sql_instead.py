"""The noisy agent that writes SQL in place of an operation, in the repair desk with an SQL tool."""

import json
from functools import cache

import pytest

from simulator import Environment
from simulator.agents import NoisyAgent, OracleAgent, play
from simulator.agents.sql_instead import write_statement
from simulator.episode import workplace_of
from simulator.world import RowChange
from tests.episode.desk import altered, trace, world

GRANTS = {"ticket": {"select": "*", "update": ["status", "resolution"]}, "team": {"select": "*"}}


@cache
def with_sql(dialect):
    def alter(value):
        value["tools"]["run_sql"] = {"sql": {"dialect": dialect, "grants": GRANTS}}

    return altered(alter)


def episodes(of):
    """Each task played with the mistake: (agent, environment, played)."""
    for item in of.tasks():
        agent, environment = NoisyAgent(kinds=["sql_instead"]), Environment(of)
        yield agent, environment, play(environment, agent, item, 1)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_sql_replaces_an_operation_and_is_judged(dialect):
    kinds, scores = set(), {True: [], False: []}
    for agent, environment, played in episodes(with_sql(dialect)):
        steps = [step for step in environment.trajectory.steps if step["action"]["tool"] == "run_sql"]
        assert bool(steps) == (agent.made == ("sql_instead",))
        for step in steps:
            kinds.add(step["verdict"]["kind"])
            assert step["verdict"]["kind"] not in ("sql_syntax", "malformed", "bad_arguments"), step
            assert (step["verdict"]["kind"] == "ok") or not step["changes"]
        if steps:
            major = any(line.part == "violation" and line.points <= -0.3 for line in played.score.lines)
            if not (played.score.success and major):
                scores[played.score.success].append(played.score.total)
    assert "ok" in kinds
    assert kinds & {"sql_forbidden", "sql_unknown_name"}  # a column not granted, a table not known
    assert scores[False]
    assert min(scores[True], default=1) > max(scores[False])


def touched(environment):
    return {
        (change["table"], change["op"], tuple(change["key"]))
        for step in environment.trajectory.steps
        for change in step["changes"]
    }


def test_equal_seeds_write_equal_sql():
    first, second = ([trace(environment) for _, environment, _ in episodes(with_sql("postgres"))] for _ in range(2))
    assert json.dumps(first) == json.dumps(second)


def test_an_operation_granted_in_full_has_the_same_effect_by_sql():
    same = 0
    for item in with_sql("postgres").tasks():
        right, wrong = Environment(with_sql("postgres")), Environment(with_sql("postgres"))
        play(right, OracleAgent(), item, 1)
        agent = NoisyAgent(kinds=["sql_instead"])
        play(wrong, agent, item, 1)
        steps = wrong.trajectory.steps
        if agent.made and all(step["verdict"]["kind"] == "ok" for step in steps if step["action"]["tool"] == "run_sql"):
            mine, best = (
                {(c["table"], c["op"]) for step in e.trajectory.steps for c in step["changes"]} for e in (wrong, right)
            )
            assert mine <= best
            same += mine == best
    assert same


def test_without_an_sql_tool_nothing_changes_for_the_noisy_agent():
    for agent, environment, _ in episodes(world()):
        assert agent.made == ()
        assert all(step["action"]["tool"] != "run_sql" for step in environment.trajectory.steps)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("postgres", "UPDATE ticket SET resolution = 'it''s \\ done', priority = 2, status = NULL WHERE id = 3"),
        ("mysql", "UPDATE ticket SET resolution = 'it''s \\\\ done', priority = 2, status = NULL WHERE id = 3"),
        ("bigquery", "UPDATE ticket SET resolution = 'it\\'s \\\\ done', priority = 2, status = NULL WHERE id = 3"),
    ],
)
def test_values_are_written_as_the_dialect_has_them(dialect, text):
    schema = workplace_of(world()).engine.schema
    new = {"resolution": "it's \\ done", "priority": 2, "status": None}
    assert write_statement(RowChange("ticket", "update", (3,), dict.fromkeys(new), new), schema, dialect) == text
    gone = RowChange("ticket", "delete", (3,), {"id": 3}, None)
    assert write_statement(gone, schema, dialect) == "DELETE FROM ticket WHERE id = 3"
    added = RowChange("ticket", "insert", (3,), None, {"id": 3, "status": None, "resolution": "x"})
    assert write_statement(added, schema, dialect) == "INSERT INTO ticket (id, resolution) VALUES (3, 'x')"


def test_a_statement_of_the_agents_own_gets_one_wrong_literal():
    def alter(value):
        value["tools"]["run_sql"] = {"sql": {"grants": GRANTS}}
        for template in (template for template in value["tasks"].values() if "solution" in template):
            call = {"run_sql": {"sql": "select status from ticket where id > 3 and status <> 'it''s 5'"}}
            template["solution"] = [call, *template["solution"]]

    said = set()
    desk = altered(alter)
    templates = desk.scenario.document.tasks
    for item in [task for task in desk.tasks() if templates[task.template].solution][:12]:
        agent, environment = NoisyAgent(kinds=["wrong_sql"]), Environment(desk)
        play(environment, agent, item, 1)
        assert agent.made == ("wrong_sql",)
        said.add(environment.trajectory.steps[0]["action"]["arguments"]["sql"])
    assert said == {
        "select status from ticket where id > 4 and status <> 'it''s 5'",
        "select status from ticket where id > 3 and status <> 'otherwise''s 5'",
    }
