"""A scenario's files as the studio keeps them: byte for byte, named by path, each content once.

``files`` in rows maps each path to the sha256 of its content.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from django.utils.translation import gettext as _

from accounts.models import Workspace
from scenarios.models import StoredFile
from scenarios.services.stored_files import keep_bytes, read_bytes
from simulator.errors import Problem, ScenarioError
from simulator.lint import lint_scenario
from simulator.scenario import Scenario as EngineScenario
from simulator.scenario import document_from_files, parse_document

MOST_FILES = 1000
MOST_BYTES = 10_000_000


class UnusableFile(Exception):
    """A file that the studio does not take, with the reason in the reader's words."""


def checked_path(name: str) -> str:
    """The path, if it is a plain relative one. Raises UnusableFile."""
    path = PurePosixPath(name)
    plain = name == str(path) and not path.is_absolute() and len(name) <= 200 and len(path.parts) <= 4
    if not plain or any(part.startswith(".") for part in path.parts) or "\\" in name or not name.isprintable():
        raise UnusableFile(_("{name} is no path of a scenario's file.").format(name=repr(name[:100])))
    return name


def keep_files(*, workspace: Workspace, contents: Mapping[str, bytes]) -> dict[str, str]:
    """Keep contents by path; gives ``files``. Raises UnusableFile. Not to be called inside a transaction."""
    if len(contents) > MOST_FILES:
        raise UnusableFile(_("A scenario has at most {most} files.").format(most=f"{MOST_FILES:,}"))
    for name, content in contents.items():
        checked_path(name)
        if len(content) > MOST_BYTES:
            raise UnusableFile(_("{name} is larger than 10 MB.").format(name=name))
    return {
        name: keep_bytes(workspace=workspace, content=content, kind=StoredFile.Kind.SOURCE).sha256
        for name, content in sorted(contents.items())
    }


def contents_of(*, workspace: Workspace, files: Mapping[str, str]) -> dict[str, bytes]:
    """The contents of ``files`` by path."""
    rows = {row.sha256: row for row in StoredFile.objects.filter(workspace=workspace, sha256__in=set(files.values()))}
    return {name: read_bytes(rows[digest]) for name, digest in files.items()}


def tree_digest(files: Mapping[str, str]) -> str:
    """The digest that names these files, byte for byte."""
    text = json.dumps(dict(files), sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def read_contents(contents: Mapping[str, bytes]) -> tuple[EngineScenario | None, tuple[Problem, ...]]:
    """The scenario the files mean, None when they mean none, and every problem in them.

    It prepares the author's SQL, so it belongs into a process that may fail, not into the web's.
    """
    try:
        scenario = parse_contents(contents)
    except ScenarioError as error:
        return None, error.problems
    return scenario, lint_scenario(scenario)


def parse_contents(contents: Mapping[str, bytes]) -> EngineScenario:
    """The scenario the files mean, without a look at its SQL. Raises ScenarioError."""
    document, positions = document_from_files(dict(contents))
    return parse_document(document, positions)


def facts_of(scenario: EngineScenario) -> dict[str, object]:
    """What lists show of a scenario."""
    document = scenario.document
    return {
        "id": document.id,
        "version": document.version,
        "title": document.title,
        "summary": document.summary or "",
        "tables": len(document.world.tables),
        "operations": len(document.tools),
        "rules": sum(len(getattr(document.rules, part) or ()) for part in type(document.rules).model_fields),
        "tasks": len(document.tasks),
        "digest": scenario.digest,
    }


def gallery_folder() -> Path:
    """Where the ready scenarios lie."""
    return Path(__file__).resolve().parent.parent / "gallery"
