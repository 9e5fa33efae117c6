"""Results of earlier verifications, so that what has not changed is not verified again.

A result is known by what it depends on: the engine's code, the check, the scenario's text without the templates it does
not concern, the world's seed and the tasks. Results are files of JSON in one folder, which may be deleted at any time;
a damaged one is as good as none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import simulator
from simulator.evaluation.verification.findings import CheckResult
from simulator.scenario.canonical import canonical_json, document_value_of, scenario_digest
from simulator.scenario.models import ScenarioDocument
from simulator.version import ENGINE_VERSION

_MOST_BYTES = 100_000_000
_MOST_BYTES_OF_ONE = 20_000_000


class ResultCache:
    """Results in the files of ``folder``, which is made when the first is kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, key: str) -> CheckResult | None:
        """The result kept under ``key``, None if there is none or it cannot be read."""
        try:
            data = self._file(key).read_bytes()
            return CheckResult.from_json(json.loads(data))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def put(self, key: str, result: CheckResult) -> None:
        """Keep a result. Raises OSError when it cannot be written."""
        text = json.dumps(result.to_json(), allow_nan=False)
        if len(text) > _MOST_BYTES_OF_ONE:
            return
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
        try:
            temporary.write_text(text)
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)

    def prune(self) -> None:
        """Delete the oldest results until at most 100 MB are left."""
        found = []
        for file in self._folder.glob("*/*.json"):
            try:
                facts = file.stat()
            except FileNotFoundError:
                continue  # another process prunes as well
            found.append((facts.st_mtime_ns, str(file), facts.st_size))
        kept = sum(size for _, _, size in found)
        for _, name, size in sorted(found):
            if kept <= _MOST_BYTES:
                return
            Path(name).unlink(missing_ok=True)
            kept -= size

    def _file(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"


def template_digest(document: ScenarioDocument, template: str) -> str:
    """Names all that the tasks of one template depend on: the document without other templates, but for its twin."""
    mine = document.tasks[template]
    kept = {name: item for name, item in document.tasks.items() if name in (template, mine.twin)}
    rest = document.model_copy(update={"tasks": kept})
    return scenario_digest(rest)


def result_key(check: str, level: str, digest: str, place: Sequence[object]) -> str:
    """The name of a result: 64 hexadecimal digits. ``place`` is what else it depends on: seeds, task ids."""
    parts = [ENGINE_VERSION, code_digest(), check, level, digest, document_value_of(list(place))]
    return hashlib.sha256(canonical_json(parts).encode("utf-8", "backslashreplace")).hexdigest()


@cache
def code_digest() -> str:
    """Names the engine's code: whoever changes a check or the engine verifies again."""
    root = Path(simulator.__file__).parent
    digest = hashlib.sha256()
    for file in sorted(root.rglob("*.py")):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
