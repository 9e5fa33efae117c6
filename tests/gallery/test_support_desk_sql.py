"""The support desk's SQL: what leads may do with it, and that statements which touch too much lose the task."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from simulator import Environment, World, generate_world, load_scenario
from simulator.agents import NullAgent, OracleAgent, ScriptedAgent, play
from simulator.tasks import Task

FOLDER = Path(__file__).parents[2] / "scenarios" / "gallery" / "support_desk"
QUESTIONS = ("median_first_reply", "returning_components")
CORRECTIONS = ("refile_tickets", "undo_drill", "remove_double_links")


@cache
def world() -> World:
    return generate_world(load_scenario(FOLDER), 7)


def tasks_of(template: str) -> list[Task]:
    return [task for task in world().tasks() if task.template == template]


def begin(template: str, number: int = 0) -> Environment:
    environment = Environment(world())
    environment.reset(task=tasks_of(template)[number], seed=0)
    return environment


def sql(environment: Environment, text: str):
    return environment.step({"tool": "run_sql", "arguments": {"sql": text}})[0]


def test_only_leads_have_sql():
    assert sql(begin("undo_drill"), "select 1")["ok"]
    for template in ("route_ticket", "finish_escalation"):
        assert sql(begin(template), "select 1")["kind"] == "unknown_tool"


@pytest.mark.parametrize("template", QUESTIONS)
def test_the_statement_of_a_question_gives_its_answer(template):
    for number in range(3):
        environment = Environment(world())
        assert play(environment, OracleAgent(), tasks_of(template)[number], 0).score.success
        asked, finished = environment.trajectory.steps
        rows = asked["observation"]["result"]["rows"]
        answer = json.loads(finished["action"]["arguments"]["answer"])
        if template == "median_first_reply":
            assert rows[0][0] == pytest.approx(answer, abs=0.02)
        else:
            assert [row[1] for row in rows] == answer


@pytest.mark.parametrize("template", CORRECTIONS)
def test_a_correction_changes_rows_within_the_limit(template):
    sizes = []
    for task in tasks_of(template)[:8]:
        environment = Environment(world())
        best = play(environment, OracleAgent(), task, 0)
        assert best.score.success, best.score.lines
        assert set(best.kinds) == {"ok"}
        sizes += [len(step["changes"]) for step in environment.trajectory.steps[1:-1]]
        assert not play(environment, NullAgent(), task, 0).score.success
    assert max(sizes) <= 25
    assert min(sizes) >= 1


# What a hasty statement leaves out or takes for the same, as (template, what of the right statement, in its place).
REASON = (
    " and not exists (select 1 from message m where m.ticket_id = ticket.id "
    "and m.author = 'agent' and not m.public and m.body like 'Priority set to %')"
)
NEXT = (
    "ticket.id in (select x.id from ticket x join issue_type j on j.id = x.issue_type_id "
    "where x.category_id = ticket.category_id and j.category_id <> x.category_id order by x.id limit 25)"
)
NAIVE = {
    "closed tickets": ("refile_tickets", r"ticket.status <> 'closed' and ticket.id between \d+ and \d+", NEXT),
    "overrides with a reason": ("undo_drill", re.escape(REASON), ""),
    "any note about the priority": ("undo_drill", "like 'Priority set to %'", "ilike '%priority%'"),
    "links in both directions": (
        "remove_double_links",
        r"x.ticket_id = l.ticket_id and x.other_ticket_id = l.other_ticket_id",
        "(x.ticket_id = l.ticket_id and x.other_ticket_id = l.other_ticket_id"
        " or x.ticket_id = l.other_ticket_id and x.other_ticket_id = l.ticket_id)",
    ),
    "other teams' links": ("remove_double_links", r"t.team_id = \d+ and", ""),
}
BOUNDS = re.compile(r"\w+\.id between \d+ and \d+")


def hasty_actions(task: Task, old: str, new: str):
    """The actions of the solution, with a condition of its writes replaced and without their portions."""
    environment = Environment(world())
    play(environment, OracleAgent(), task, 0)
    for step in environment.trajectory.steps:
        action = step["action"]
        if not step["changes"]:
            yield action
            continue
        text, count = re.subn(old, new.replace("\\", r"\\"), action["arguments"]["sql"])
        assert count, text
        for _ in range(1 if task.template != "refile_tickets" else 4):
            yield {"tool": "run_sql", "arguments": {"sql": BOUNDS.sub("true", text)}}


@pytest.mark.parametrize("mistake", NAIVE)
def test_a_statement_that_touches_look_alikes_loses_the_task(mistake):
    template, old, new = NAIVE[mistake]
    harmed = 0
    for task in sorted(tasks_of(template), key=lambda task: -int(task.parameters.get("every", 0)))[:6]:
        environment = Environment(world())
        score = play(environment, ScriptedAgent(list(hasty_actions(task, old, new))), task, 0).score
        assert not score.success, score.lines
        harmed += sum(len(step["changes"]) for step in environment.trajectory.steps) > 0
    assert harmed >= 3


def test_what_a_grant_leaves_out_cannot_be_read_or_changed():
    environment = begin("remove_double_links")
    assert sql(environment, "select email, phone from customer limit 1")["result"]["rows"] == [[None, None]]
    assert sql(environment, "select reason from absence")["kind"] == "sql_unknown_name"
    assert sql(environment, "select max(last_day) >= '2026-03-30' as current from absence")["result"]["rows"] == [
        [True]
    ]
    before = environment.state_digest
    for text in (
        "delete from ticket_link where kind = 'child_of'",
        "update ticket set customer_id = 5001 where id = 41001",
        "update message set body = 'never said' where id = 200001",
        "insert into entitlement_use (entitlement_id, minutes) values (1001, 30)",
    ):
        sql(environment, text)
    assert environment.state_digest == before
