"""The files of a scenario's folder on disk: which are read, how much of them, and what is written.

Only regular files that lie inside the folder are opened: a link that leads out, a pipe or a device is an error, so a
scenario from a stranger reads nothing else and never blocks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from simulator.errors import Location, Problem, ScenarioError, UsageError
from simulator.scenario.data_files import DATA_ENDINGS, DATA_SIZE
from simulator.scenario.folder import DATA_FOLDER, MORE_ENDINGS, PARTS, YAML_ENDINGS
from simulator.scenario.regular_files import NotRegular, open_regular
from simulator.scenario.source_text import TextLimits

MOST_FILES = 1_000
_FILE_SIZE = TextLimits().size
_TEXT_SIZE = 4 * _FILE_SIZE


def collect_files(folder: Path) -> dict[str, bytes]:
    """The content of the folder's scenario files by relative path; other files, and hidden ones, are left alone.

    Raises ScenarioError: ``path_escape`` (a link out of the folder), ``not_a_file`` (a pipe, a device),
    ``unreadable_file``, ``too_large`` (10 MB of YAML or Markdown in one file and 40 MB in all, 64 MB of data,
    1,000 files).
    """
    root = Path(os.path.realpath(folder))
    files: dict[str, bytes] = {}
    problems: list[Problem] = []
    data_left, text_left = DATA_SIZE, _TEXT_SIZE
    for name in _names(folder, root, problems):
        if len(files) >= MOST_FILES:
            problems.append(_problem("too_large", f"The folder holds more than {MOST_FILES:,} scenario files.", name))
            break
        is_data = name.startswith(f"{DATA_FOLDER}/")
        content = read_bounded(
            folder / name, root, name, data_left if is_data else min(_FILE_SIZE, text_left), problems
        )
        if content is not None:
            files[name] = content
            if is_data:
                data_left -= len(content)
            else:
                text_left -= len(content)
    if problems:
        raise ScenarioError(problems)
    return files


def read_bounded(path: Path, root: Path, name: str, size: int, problems: list[Problem]) -> bytes | None:
    """The bytes of a regular file under ``root``, at most ``size`` of them; otherwise None and a problem more."""
    try:
        if not Path(os.path.realpath(path, strict=True)).is_relative_to(root):
            problems.append(_problem("path_escape", "The link leads out of the scenario's folder.", name))
            return None
        with open_regular(path) as file:
            content = file.read(size + 1)
    except NotRegular:
        problems.append(_problem("not_a_file", "This is no regular file.", name))
        return None
    except OSError as error:
        problems.append(_problem("unreadable_file", f"The file cannot be read: {error.strerror}.", name))
        return None
    if len(content) > size:
        problems.append(_problem("too_large", f"The file is larger than the {size:,} bytes left for it.", name))
        return None
    return content


def write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write files, content by relative path, to a folder that does not exist yet or is empty.

    Raises UsageError when it is neither, or when a path leaves the folder.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is not an empty folder; choose a new one")
    for name in files:
        if name.startswith("/") or ".." in name.split("/") or "\\" in name:
            raise UsageError(f"the file name {name!r} leaves the folder")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


def _names(folder: Path, root: Path, problems: list[Problem]) -> Iterator[str]:
    """Relative paths of the scenario files, sorted: text at the top, the parts, the data."""
    yield from (name for name in _listed(folder) if name.endswith((*YAML_ENDINGS, ".md")))
    for part, endings in [
        *((part, (*YAML_ENDINGS, *MORE_ENDINGS.get(part, ()))) for part in PARTS), (DATA_FOLDER, DATA_ENDINGS),
    ]:  # fmt: skip
        inner = folder / part
        if not inner.is_dir():
            if inner.is_symlink():
                problems.append(_problem("unreadable_file", "The link leads to no folder.", part))
            continue
        if not Path(os.path.realpath(inner)).is_relative_to(root):
            problems.append(_problem("path_escape", "The link leads out of the scenario's folder.", part))
            continue
        yield from (f"{part}/{name}" for name in _listed(inner) if name.endswith(endings))


def _listed(folder: Path) -> list[str]:
    try:
        names = sorted(entry.name for entry in os.scandir(folder) if not entry.name.startswith("."))
    except OSError as error:
        message = f"The folder cannot be read: {error.strerror}."
        raise ScenarioError([_problem("unreadable_file", message, str(folder))]) from None
    return [name for name in names if not (folder / name).is_dir()]


def _problem(code: str, message: str, file: str) -> Problem:
    return Problem(code, message, location=Location(file))
