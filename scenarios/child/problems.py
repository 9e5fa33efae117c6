"""Reads a draft's files from standard input and prints their problems; ends after two seconds of work or a gigabyte."""

from __future__ import annotations

import base64
import json
import resource
import signal
import sys

_SECONDS = 2
_BYTES = 1 << 30
_MOST = 200


def main() -> None:
    """Print the problems as JSON, errors first."""
    from simulator.errors import ScenarioError
    from simulator.lint import lint_scenario
    from simulator.scenario import document_from_files, parse_document

    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)  # of work, not of waiting: a busy machine makes no text bad
    contents = {name: base64.b64decode(text) for name, text in json.load(sys.stdin).items()}
    try:
        document, positions = document_from_files(contents)
        problems = tuple(lint_scenario(parse_document(document, positions)))
    except ScenarioError as error:
        problems = tuple(error.problems)
    ordered = sorted(problems, key=lambda problem: problem.severity != "error")
    found = [
        {
            "severity": problem.severity,
            "message": f"{problem.path}: {problem.message}" if problem.path else problem.message,
            "suggestion": problem.suggestion,
            "file": problem.location.file,
            "line": problem.location.line,
        }
        for problem in ordered[:_MOST]
    ]
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
