"""Attempts as one log of Inspect (https://inspect.aisi.org.uk/eval-logs.html): an ``.eval`` file, schema version 2.

It is a zip file of JSON documents. Ids follow from what was played and times are those of the world, so the same
attempts give the same bytes. A sample is a task, an epoch each attempt at it.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from math import sqrt
from typing import Any

from simulator.bundle.datasets import Attempt
from simulator.bundle.datasets.chat import Message, prompt_of
from simulator.bundle.trajectory_logs.played import (
    Turn,
    agent_name,
    arguments_of,
    began,
    facts,
    json_bytes,
    reasons,
    scenario_id,
    scores,
    task_id,
    turns,
)

VERSION = 2
SCORER = "worldwright"
_DATE = (1980, 1, 1, 0, 0, 0)
_SUMMARY = ("id", "epoch", "input", "target", "metadata", "scores", "model_usage", "started_at", "completed_at", "uuid")


def inspect_log_of(attempts: Sequence[Attempt]) -> tuple[str, bytes]:
    """The name and the content of one log: of one agent's attempts (at least one) at the tasks of one scenario.

    Raises TrajectoryError when an id or a time of an attempt cannot be one.
    """
    samples = list(_samples(attempts))
    first = attempts[0]
    start, end = min(item["started_at"] for item in samples), max(item["completed_at"] for item in samples)
    name, model = scenario_id(first), agent_name(first)
    log_id = _short_id("log", first.scenario, model, *(item["uuid"] for item in samples))
    ids = list(dict.fromkeys(item["id"] for item in samples))
    version = str(first.trajectory.header["scenario"].get("version"))[:100]
    spec = {
        "eval_id": log_id,
        "run_id": log_id,
        "task_id": log_id,
        "created": start,
        "task": name,
        "task_version": version,
        "task_display_name": name,
        "dataset": {"name": name, "samples": len(ids), "sample_ids": ids, "shuffled": False},
        "model": model,
        "config": {"epochs": max(item["epoch"] for item in samples)},
        "packages": {"worldwright": str(first.trajectory.header.get("engine"))[:100]},
        "metadata": {"scenario": first.trajectory.header["scenario"]},
        "scorers": [
            {"name": SCORER, "options": {}, "metrics": {"*": [{"name": f"inspect_ai/{item}"} for item in _METRICS]}}
        ],
    }
    plan = {"name": "plan", "steps": [{"solver": model, "params": {}}]}
    header = {
        "version": VERSION,
        "status": "success",
        "eval": spec,
        "plan": plan,
        "results": {
            "total_samples": len(samples),
            "completed_samples": len(samples),
            "scores": _means([scores(attempt) for attempt in attempts]),
        },
        "stats": {"started_at": start, "completed_at": end},
    }
    summaries = [
        {**{key: item[key] for key in _SUMMARY}, "completed": True, "message_count": len(item["messages"])}
        for item in samples
    ]
    content = {
        "_journal/start.json": {"version": VERSION, "eval": spec, "plan": plan},
        **{f"samples/{item['id']}_epoch_{item['epoch']}.json": item for item in samples},
        "_journal/summaries/1.json": summaries,
        "summaries.json": summaries,
        "header.json": header,
    }
    stamp = start.removesuffix("+00:00").replace(":", "-")
    return f"{stamp}-00-00_{name.replace('_', '-')}_{log_id}.eval", _zip(content)


def _samples(attempts: Sequence[Attempt]) -> Iterator[dict[str, Any]]:
    epochs: dict[str, int] = {}
    for attempt in attempts:
        task = task_id(attempt)
        epochs[task] = epochs.get(task, 0) + 1
        yield _sample(attempt, task, epochs[task])


def _sample(attempt: Attempt, task: str, epoch: int) -> dict[str, Any]:
    sample = _short_id(attempt.scenario, task, str(epoch), attempt.did)
    model, start = agent_name(attempt), began(attempt)
    played = list(turns(attempt))
    messages = [{**message, "source": "input"} for message in prompt_of(attempt.trajectory)]
    events: list[dict[str, Any]] = []
    for turn in played:
        messages += _messages(turn, model)
        events += _events(turn)
    messages = [{"id": _short_id(sample, "message", str(place)), **item} for place, item in enumerate(messages)]
    last = next((item for item in reversed(messages) if item["role"] == "assistant"), None)
    end = played[-1].at if played else start
    score = {"value": scores(attempt), "explanation": "\n".join(reasons(attempt))}
    events.append({"event": "score", "timestamp": end, "score": score, "scorer": SCORER})
    return {
        "id": task,
        "epoch": epoch,
        "input": str(attempt.trajectory.header["task"].get("instruction", "")),
        "target": "",
        "messages": messages,
        "output": {"model": model, "choices": [{"message": last, "stop_reason": "stop"}] if last else []},
        "scores": {SCORER: score},
        "metadata": facts(attempt),
        "store": {},
        "events": [
            {"uuid": _short_id(sample, "event", str(place)), "working_start": 0.0, **event}
            for place, event in enumerate(events)
        ],
        "model_usage": {},
        "attachments": {},
        "started_at": start,
        "completed_at": end,
        "uuid": sample,
    }


def _messages(turn: Turn, model: str) -> list[dict[str, Any]]:
    """The model's message and the answers, in Inspect's form."""
    calls = [_call(call) for call in turn.said.get("tool_calls", ())]
    said = {"role": "assistant", "content": turn.said["content"], "source": "generate", "model": model}
    names = {call["id"]: call["function"] for call in calls}
    told: list[dict[str, Any]] = [
        {**item, "function": names[item["tool_call_id"]]} if item["role"] == "tool" else dict(item)
        for item in turn.told
    ]
    return [{**said, "tool_calls": calls} if calls else said, *told]


def _events(turn: Turn) -> Iterator[dict[str, Any]]:
    """Each call with its answer, and after it what a model is not told: rows that changed, rules that were broken."""
    calls = turn.said.get("tool_calls", ())
    for call, answer in zip(calls, turn.told if calls else (), strict=True):
        form = _call(call)
        yield {
            "event": "tool",
            "timestamp": turn.at,
            **{key: form[key] for key in ("id", "function", "arguments", "type")},
            "result": answer["content"],
        }
    for step in turn.steps:
        facts = {name: step[name] for name in ("changes", "violations", "flags") if step.get(name)}
        told = {"step": step["step"], "reward": step["reward"], "state_digest": step.get("state_digest"), **facts}
        yield {"event": "info", "timestamp": turn.at, "source": SCORER, "data": told}


def _call(call: Message) -> dict[str, Any]:
    arguments, wrong = arguments_of(call)
    form = {"id": call["id"], "function": call["function"]["name"], "arguments": arguments, "type": "function"}
    return form if wrong is None else {**form, "parse_error": wrong}


def _means(found: Sequence[Mapping[str, float]]) -> list[dict[str, Any]]:
    """Of each number the mean and its standard error, over the attempts that have it."""
    told = []
    for name in dict.fromkeys(key for item in found for key in item):
        values = [item[name] for item in found if name in item]
        measured = {metric: {"name": metric, "value": measure(values)} for metric, measure in _METRICS.items()}
        told.append(
            {
                "name": name,
                "scorer": SCORER,
                "scored_samples": len(values),
                "unscored_samples": len(found) - len(values),
                "metrics": measured,
            }
        )
    return told


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _standard_error(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = _mean(values)
    return sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


_METRICS = {"mean": _mean, "stderr": _standard_error}


def _zip(content: Mapping[str, Any]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in content.items():
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, json_bytes(value))
    return packed.getvalue()


def _short_id(*parts: str) -> str:
    """An id of the length that Inspect's have, the same for the same parts."""
    return sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:22]
