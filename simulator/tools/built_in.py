"""The two tools every scenario has: `finish` ends the episode, `wait` lets the world's time pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from simulator.scenario.durations import UNITS, parse_duration
from simulator.scenario.models import Parameter
from simulator.tools.arguments import ArgumentReader
from simulator.tools.verdicts import Verdict, echo, failed

FINISH, WAIT = "finish", "wait"
LONGEST_WAIT = 30 * UNITS["d"]
_LONGEST_ANSWER = 20_000

SUMMARIES = {
    FINISH: "End the task: with the answer if one was asked for, or refusing with a code. Nothing can be done after.",
    WAIT: "Let time pass in the world. One step.",
}


def finish_reader(refusals: Sequence[str]) -> ArgumentReader:
    """The arguments of `finish`; `refusal` is one of the codes, and is not offered where a scenario has none."""
    about = "The answer, as text; a number, list or object as JSON."
    answer = _text(optional=True, max_length=_LONGEST_ANSWER, description=about)
    parameters = {"answer": answer}
    if refusals:
        parameters["refusal"] = _text(optional=True, enum=list(refusals), description="Why the task must not be done.")
    return ArgumentReader(parameters)


def wait_reader() -> ArgumentReader:
    """The arguments of `wait`; the duration's meaning is checked by :func:`check_wait`."""
    duration = _text(max_length=40, description="How long: 90s, 15m, 2h, 1d12h; at most 30d.")
    return ArgumentReader({"duration": duration})


def check_finish(arguments: Mapping[str, JsonValue]) -> Verdict | None:
    """The verdict on a finish that answers and refuses at once: one of the two would be right whatever the task."""
    if arguments.get("answer") is not None and arguments.get("refusal") is not None:
        message = "Finish with an answer or with a refusal, not with both."
        return failed("bad_arguments", "answer_and_refusal", message)
    return None


def check_wait(arguments: Mapping[str, JsonValue]) -> Verdict | None:
    """The verdict on a duration that is none, not positive, or longer than 30 days."""
    text = str(arguments["duration"])
    try:
        seconds = parse_duration(text)
    except ValueError as error:
        return failed("bad_arguments", "bad_duration", f"`duration`: {error}.")
    if not 0 < seconds <= LONGEST_WAIT:
        return failed("bad_arguments", "bad_duration", f"`duration`: `{echo(text)}` is not between 1s and 30d.")
    return None


def _text(**keywords: object) -> Parameter:
    return Parameter.model_validate({"type": "string", **keywords})
