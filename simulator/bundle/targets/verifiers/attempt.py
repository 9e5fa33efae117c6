"""What the server of the tools and the evaluation share of a rollout: the calls made so far, and nothing of a grader's.

Needs the package ``verifiers``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from collections.abc import Iterable

import verifiers.v1 as vf

from simulator.bundle.opening import Bundle
from simulator.bundle.tool_episode import ToolEpisode

Call = tuple[str, str]
"""A tool's name, and the JSON text of the arguments."""


class AttemptState(vf.State):  # type: ignore[misc] # Any where it is not installed
    """The state of a rollout. An episode is made of its calls alone, so it can be made again anywhere.

    ``attempt`` and ``task`` are the ids of the rollout and the task; ``over`` is whether the episode has ended,
    ``fault`` why it is invalid, if it is, ``digest`` that of the data after the last call.
    """

    attempt: str = ""
    task: str = ""
    calls: list[Call] = []  # noqa: RUF012 - pydantic copies it
    over: bool = False
    fault: str = ""
    digest: str = ""


def episode_of(bundle: Bundle, task: str, calls: Iterable[Call]) -> ToolEpisode:
    """The episode of a task in which these calls were made. Raises EngineFault when the engine fails."""
    episode = ToolEpisode(bundle, task)
    for tool, arguments in calls:
        episode.call(tool, arguments)
    return episode
