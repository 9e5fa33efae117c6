"""The records of each kind of dataset, in a fixed order.

``sft``: successes as chats. ``dpo``: of one task a better and a worse attempt (R. Rafailov et al., "Direct Preference
Optimization", 2023, arXiv:2305.18290). ``steps``: each turn with what it was paid, what follows it, and the points that
the score gives or takes for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simulator.bundle.datasets.attempts import Attempt, best_first
from simulator.bundle.datasets.chat import completion_of, prompt_of, turns_of

Kind = Literal["sft", "dpo", "steps"]
KINDS: tuple[Kind, ...] = ("sft", "dpo", "steps")

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which attempts make records.

    ``least`` is the lowest reward of a chat for fine-tuning, which must be a success as well; ``margin`` how much
    better the better of a pair must be; ``pairs`` and ``chats`` the most of one task.
    """

    least: float = 0.9
    margin: float = 0.1
    pairs: int = 4
    chats: int = 4


def records_of(kind: Kind, attempts: Sequence[Attempt], selection: Selection) -> Iterator[Record]:
    """The records of one kind, of attempts of one split: tasks in the order in which they come up."""
    tasks: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        tasks.setdefault(attempt.key, []).append(attempt)
    for group in tasks.values():
        yield from _MAKERS[kind](group, selection)


def _sft(group: Sequence[Attempt], selection: Selection) -> Iterator[Record]:
    good = [item for item in best_first(group) if item.success and item.reward >= selection.least]
    for attempt in good[: selection.chats]:
        messages = [*prompt_of(attempt.trajectory), *completion_of(attempt.trajectory)]
        yield {"messages": messages, "tools": _tools(attempt), **_facts(attempt), "reward": attempt.reward}


def _dpo(group: Sequence[Attempt], selection: Selection) -> Iterator[Record]:
    """The best attempt beside others, the nearest first: what is almost right teaches most."""
    best, *rest = best_first(group)
    worse = [item for item in rest if best.reward - item.reward >= selection.margin and item.trajectory.steps]
    for attempt in worse[: selection.pairs] if best.trajectory.steps else ():
        yield {
            "prompt": prompt_of(best.trajectory),
            "chosen": completion_of(best.trajectory),
            "rejected": completion_of(attempt.trajectory),
            "tools": _tools(best),
            **_facts(best),
            "chosen_reward": best.reward,
            "rejected_reward": attempt.reward,
        }


def _steps(group: Sequence[Attempt], selection: Selection) -> Iterator[Record]:
    for attempt in best_first(group):
        trajectory = attempt.trajectory
        paid: dict[Any, float] = {}
        places: dict[Any, set[int]] = {}
        for step in trajectory.steps:
            turn = step.get("turn", step["step"])
            paid[turn] = paid.get(turn, 0.0) + float(step["reward"])
            places.setdefault(turn, set()).add(step["step"])
        footer: Mapping[str, Any] = trajectory.footer or {}
        left = sum(paid.values()) + float(footer.get("reward") or 0.0)
        messages = prompt_of(trajectory)
        for (turn, reward), said in zip(paid.items(), turns_of(trajectory), strict=True):
            lines = [line for line in footer["score"].get("lines", ()) if line.get("step") in places[turn]]
            yield {
                "prompt": list(messages),
                "completion": said[:1],
                "tools": _tools(attempt),
                **_facts(attempt),
                "turn": turn,
                "reward": round(reward, 9),
                "return": round(left, 9),
                "points": round(sum((float(line["points"]) for line in lines), 0.0), 9),
                "why": [f"{line['part']} {line['name']}: {line['text']}" for line in lines],
                "episode_reward": attempt.reward,
            }
            left -= reward
            messages += said


def _tools(attempt: Attempt) -> list[Any]:
    return list(attempt.trajectory.header.get("tools", ()))


def _facts(attempt: Attempt) -> Record:
    header = attempt.trajectory.header
    scenario, task = header["scenario"], header["task"]
    return {
        "scenario": scenario.get("id"),
        "scenario_version": scenario.get("version"),
        "task": attempt.task,
        "template": task.get("template"),
        "difficulty": task.get("difficulty"),
        "split": attempt.split,
    }


_MAKERS: Mapping[Kind, Callable[[Sequence[Attempt], Selection], Iterator[Record]]] = {
    "sft": _sft,
    "dpo": _dpo,
    "steps": _steps,
}
