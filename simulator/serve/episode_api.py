"""The episode API under ``/worldwright``: what trainers do with the server's key, agents with a token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import unquote

from simulator.serve.desk import Desk
from simulator.serve.registry import Episode
from simulator.serve.replies import Refusal, Reply, encoded, json_reply, operation_reply
from simulator.serve.requests import Request
from simulator.tasks import SPLITS

_MOST_LISTED = 1_000
_LONGEST_REASON = 200
_LARGEST_SEED = 2**63 - 1

Handler = Callable[[Desk, str, Request], Awaitable[Reply]]
"""A trainer's: the desk, the name in the path, the request."""

AgentHandler = Callable[[Desk, Episode, str, Request], Awaitable[Reply]]


async def list_tasks(desk: Desk, _: str, request: Request) -> Reply:
    """Tasks of a split, or all, by ``limit`` and ``offset``."""
    query = dict(request.query())
    split = query.get("split")
    if split is not None and split not in SPLITS:
        raise Refusal(422, "unknown_split", f"The splits are {', '.join(SPLITS)}.")
    limit, offset = _number(query, "limit", _MOST_LISTED), _number(query, "offset", 0)
    tasks = [task for task in desk.tasks.values() if split in (None, task["split"])]
    return json_reply({"tasks": tasks[offset : offset + min(limit, _MOST_LISTED)], "total": len(tasks)})


async def list_workers(desk: Desk, _: str, request: Request) -> Reply:
    """The worker processes."""
    workers = [
        {
            "pid": None if worker.process is None else worker.process.pid,
            "ready": worker.ready,
            "lives": worker.life,
            "episodes": desk.registry.held_by(worker.place),
        }
        for worker in desk.workers
    ]
    return json_reply({"workers": workers})


async def create_episode(desk: Desk, _: str, request: Request) -> Reply:
    """Begin an episode; the token is for its agent."""
    given = await request.object()
    unknown = [key for key in given if key not in ("task", "seed", "agent")]
    task, seed, agent = given.get("task"), given.get("seed"), given.get("agent", {})
    if unknown or not isinstance(task, str):
        raise Refusal(
            422, "bad_request", "Give `task`, a task's id; `seed` and `agent` may be added, and nothing else."
        )
    if seed is not None and (type(seed) is not int or not 0 <= seed <= _LARGEST_SEED):
        raise Refusal(422, "bad_request", "`seed` is a whole number from 0 on, or left out.")
    if not isinstance(agent, dict):
        raise Refusal(422, "bad_request", "`agent` is an object that describes who plays.")
    episode, answer = await desk.begin(task, seed=seed, agent=agent)
    facts = {"episode": episode.name, "token": desk.tokens.sign(episode.name), "task": task, **answer["trainer"]}
    return json_reply({**facts, "observation": answer["told"]}, 201)


async def look_at_episode(desk: Desk, name: str, request: Request) -> Reply:
    """What its agent sees, and which task it is."""
    answer = await desk.ask(desk.named(name), {"do": "observe"})
    return json_reply({**answer["told"], **answer["trainer"]})


async def act_for_episode(desk: Desk, name: str, request: Request) -> Reply:
    """Do any action; told with the reward."""
    answer = await desk.ask(desk.named(name), {"do": "act", "body": await request.text()})
    return json_reply({"observation": answer["told"], "over": answer["over"], **answer["trainer"]})


async def finish_episode(desk: Desk, name: str, request: Request) -> Reply:
    """End it, if it is not over, and score it."""
    given = await request.object()
    reason = given.get("reason", "The agent made no more calls.")
    if given.keys() - {"reason"} or not isinstance(reason, str):
        raise Refusal(422, "bad_request", "Give `reason`, a text, or nothing.")
    reason = reason.encode("utf-8", "replace").decode()[:_LONGEST_REASON]
    answer = await desk.ask(desk.named(name), {"do": "stop", "reason": reason})
    return json_reply(answer["told"])


async def score_episode(desk: Desk, name: str, request: Request) -> Reply:
    """Its score as it stands."""
    answer = await desk.ask(desk.named(name), {"do": "score"})
    return json_reply(answer["told"])


async def read_trajectory(desk: Desk, name: str, request: Request) -> Reply:
    """Its record so far, as JSON Lines."""
    answer = await desk.ask(desk.named(name), {"do": "trajectory"})
    lines = b"".join(encoded(line) + b"\n" for line in answer["told"])
    return Reply(200, lines, {}, "application/jsonl")


async def delete_episode(desk: Desk, name: str, request: Request) -> Reply:
    """Forget it."""
    await desk.drop(desk.named(name), "deleted")
    return Reply(204, b"", {})


async def observe(desk: Desk, episode: Episode, _: str, request: Request) -> Reply:
    """What the agent was told first and last."""
    answer = await desk.ask(episode, {"do": "observe"})
    return json_reply(answer["told"])


async def act(desk: Desk, episode: Episode, _: str, request: Request) -> Reply:
    """Do any action: an operation, SQL, wait, finish."""
    answer = await desk.ask(episode, {"do": "act", "body": await request.text()})
    return json_reply({"observation": answer["told"], "over": answer["over"]})


async def call_tool(desk: Desk, episode: Episode, name: str, request: Request) -> Reply:
    """Call a tool by name, with its arguments as the body, and be answered as by an operation."""
    tool = unquote(name)
    if not desk.documents.has_tool(tool, episode.role):
        raise Refusal(404, "no_such_path", "There is no such tool. /openapi.json lists all there are.")
    answer = await desk.ask(episode, {"do": "tool", "tool": tool, "body": await request.text()})
    return operation_reply(answer["told"], over=answer["over"])


TRAINER_PATHS: Mapping[tuple[str, ...], Mapping[str, Handler]] = {
    ("tasks",): {"GET": list_tasks},
    ("workers",): {"GET": list_workers},
    ("episodes",): {"POST": create_episode},
    ("episodes", "*"): {"GET": look_at_episode, "DELETE": delete_episode},
    ("episodes", "*", "act"): {"POST": act_for_episode},
    ("episodes", "*", "finish"): {"POST": finish_episode},
    ("episodes", "*", "score"): {"GET": score_episode},
    ("episodes", "*", "trajectory"): {"GET": read_trajectory},
}
"""The trainer's paths, after ``/worldwright``; ``*`` is an episode's name."""

AGENT_PATHS: Mapping[tuple[str, ...], Mapping[str, AgentHandler]] = {
    ("episode",): {"GET": observe},
    ("act",): {"POST": act},
    ("tools", "*"): {"POST": call_tool},
}
"""The agent's; ``*`` is a tool's name."""


def _number(query: Mapping[str, Any], name: str, default: int) -> int:
    text = query.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refusal(422, "bad_request", f"`{name}` is a whole number.")
    return int(text)
