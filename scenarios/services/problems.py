"""What is wrong with a draft, found in a process of its own: an author's text can end the one that reads it."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

_LONGEST = 15.0
"""Seconds by the clock, on a machine that may be busy; the reading itself has two of work."""


@dataclass(frozen=True, slots=True)
class Found:
    """One problem, with its place: ``line`` 0 where it has none."""

    severity: str
    message: str
    suggestion: str
    file: str
    line: int


def problems_of(contents: Mapping[str, bytes]) -> list[Found]:
    """The problems of the files, errors first. A reading that fails or takes too long is a problem itself."""
    given = json.dumps({name: base64.b64encode(content).decode() for name, content in contents.items()})
    try:
        done = subprocess.run(
            [sys.executable, "-m", "scenarios.child.problems"],
            input=given, capture_output=True, text=True, timeout=_LONGEST, check=False,
        )  # fmt: skip
        found = json.loads(done.stdout) if done.returncode == 0 else None
    except (subprocess.TimeoutExpired, ValueError):
        found = None
    if found is None:
        message = _("Reading these files took too long or failed; they may be too large or too deep.")
        return [Found("error", message, "", "", 0)]
    return [Found(**problem) for problem in found]
