"""The tasks of a bundle as a task of Inspect: samples, the tools of each, a solver and the scorer.

An episode is in the evaluation's own process, nothing of it in a sandbox. Needs the package ``inspect_ai``, which the
engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    execute_tools,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolParams

from simulator.bundle.opening import Bundle, shared_bundle
from simulator.bundle.tool_episode import ToolEpisode, messages_of
from simulator.errors import UsageError

_UNREADABLE = "_unreadable_arguments"
_episodes: dict[str, ToolEpisode] = {}
"""The episode of each sample that is being attempted, by the attempt's id."""


def task_of(bundle: str, *, split: str = "train", task: str | None = None) -> Task:
    """The tasks of one split of a bundle (a folder or zip file), or one task, as a task of Inspect.

    Another solver may take the place of :func:`act`: its state has the tools. Raises UsageError for a split or task
    there is not, BundleError for a bundle that cannot be trusted.
    """
    opened = shared_bundle(bundle)
    known = opened.tasks(split) if task is None else [item for item in opened.tasks() if item["id"] == task]
    if not known:
        raise UsageError(f"The split {split} has no tasks." if task is None else f"There is no task {task[:100]!r}.")
    manifest = opened.manifest
    return Task(
        dataset=MemoryDataset([_sample(opened, item) for item in known], name=manifest.scenario.id),
        setup=begin(bundle),
        solver=act(),
        scorer=worldwright(),
        cleanup=_forget,
        version=manifest.scenario.version,
        metadata={"scenario_digest": manifest.scenario.digest, "split": split, "engine": manifest.engine.version},
    )


@solver  # type: ignore[untyped-decorator] # Any where it is not installed
def begin(bundle: str) -> Solver:
    """Begins the episode of a sample, and gives the state its tools. Attempts at one task meet the same."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = ToolEpisode(shared_bundle(bundle), str(state.sample_id))
        _episodes[state.uuid] = episode
        state.tools = [_tool(episode, tool["function"]).as_tool() for tool in episode.tools]
        return state

    return solve


@solver  # type: ignore[untyped-decorator]
def act() -> Solver:
    """Lets the model call tools until the episode is over or it makes no more calls.

    Every call reaches the episode, which answers in its own words what is wrong with one: no such tool, arguments that
    are no JSON or do not fit.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        episode = _episodes[state.uuid]
        while not episode.over and not state.completed:
            state.output = await get_model().generate(state.messages, state.tools)
            said = state.output.message
            state.messages.append(said)
            if not said.tool_calls:
                break
            executed = await execute_tools([_passing(said)], _passed(episode, said))
            state.messages.extend(executed.messages)
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr()]})  # type: ignore[untyped-decorator]
def worldwright() -> Scorer:
    """The score's total, in [-1, 1], and success. Its parts, the ending and the digest of the data are its metadata.

    An attempt in which the engine failed raises: it is the sample's error, and has no score.
    """

    async def score(state: TaskState, target: Target) -> Score:
        outcome = _episodes[state.uuid].outcome()
        facts = {"parts": dict(outcome.parts), "ending": outcome.ending, "state_digest": outcome.state_digest}
        return Score(value={"reward": outcome.reward, "success": float(outcome.success)}, metadata=facts)

    return score


async def _forget(state: TaskState) -> None:
    _episodes.pop(state.uuid, None)


def _sample(bundle: Bundle, item: Mapping[str, Any]) -> Sample:
    told = messages_of(bundle.world_of(item["id"]), item["id"])
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser}
    messages: list[ChatMessage] = [kinds[message["role"]](content=message["content"]) for message in told]
    facts = {name: item[name] for name in ("template", "split", "difficulty", "role")}
    return Sample(id=item["id"], input=messages, metadata=facts)


def _tool(episode: ToolEpisode, function: Mapping[str, Any]) -> ToolDef:
    """A tool as a model sees it. Inspect wants a description of every parameter."""
    schema = deepcopy(dict(function["parameters"]))
    for name, parameter in schema.get("properties", {}).items():
        parameter.setdefault("description", name)
    return _calling(episode, function["name"], function["description"], ToolParams.model_validate(schema))


def _passed(episode: ToolEpisode, said: ChatMessageAssistant) -> Sequence[ToolDef]:
    """A tool for each name that a message calls, known or not, which takes any arguments."""
    anything = ToolParams(additionalProperties=True)
    return [
        _calling(episode, name, name, anything) for name in dict.fromkeys(call.function for call in said.tool_calls)
    ]


def _passing(said: ChatMessageAssistant) -> ChatMessageAssistant:
    """The message with calls that Inspect does not answer itself for arguments that are no JSON."""
    passing = said.model_copy(deep=True)
    for call in passing.tool_calls:
        if call.parse_error:
            call.arguments, call.parse_error = {_UNREADABLE: call.parse_error}, None
    return passing


def _calling(episode: ToolEpisode, name: str, description: str, parameters: ToolParams) -> ToolDef:
    async def execute(**kwargs: Any) -> str:
        unreadable = kwargs.get(_UNREADABLE)
        arguments = unreadable if isinstance(unreadable, str) else kwargs
        return episode.act({"tool": name, "arguments": arguments})

    return ToolDef(execute, name=name, description=description or name, parameters=parameters, max_output=0)
