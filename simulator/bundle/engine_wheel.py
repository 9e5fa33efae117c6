"""The engine as a wheel, for a bundle to carry: made from the installed package's own files, without pip or a build.

The same engine gives the same bytes wherever it is installed and however: its files are stored uncompressed, in the
order of their names, all of one moment. The ready scenarios stay out: whoever trains in one scenario needs no other's
solutions. The format is that of the Python packaging user guide's *Binary distribution format*, version 1.0.
"""

from __future__ import annotations

import base64
import hashlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.parser import HeaderParser
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable

from simulator.bundle.archive import write_zip
from simulator.errors import UsageError
from simulator.version import ENGINE_VERSION

PROJECT = "worldwright"
PACKAGE = "simulator"
_LOCK = "engine_requirements.lock"
_NOT_CARRIED = ("gallery",)
_FOLDER = f"{PROJECT}-{ENGINE_VERSION}.dist-info"
_WHEEL = f"""\
Wheel-Version: 1.0
Generator: {PROJECT} {ENGINE_VERSION}
Root-Is-Purelib: true
Tag: py3-none-any
"""


@dataclass(frozen=True, slots=True)
class EngineWheel:
    """The wheel's file name and content, what it runs on with hashes (for ``pip install --require-hashes``), and the
    Python it needs, such as ``>=3.11``.
    """  # fmt: skip

    name: str
    content: bytes
    requirements: bytes
    requires_python: str


@cache
def engine_wheel() -> EngineWheel:
    """The wheel of the engine that runs. Raises UsageError where it is run without being installed."""
    installed = _installed()
    metadata = _metadata(installed)
    root = files(PACKAGE)
    contents = dict(_walk(root, f"{PACKAGE}/"))
    contents[f"{_FOLDER}/METADATA"] = metadata.encode()
    contents[f"{_FOLDER}/WHEEL"] = _WHEEL.encode()
    contents[f"{_FOLDER}/entry_points.txt"] = _text(installed, "entry_points.txt").encode()
    contents[f"{_FOLDER}/licenses/LICENSE"] = _text(installed, "licenses/LICENSE").encode()
    contents[f"{_FOLDER}/RECORD"] = _record(contents)
    archive = io.BytesIO()
    write_zip(contents, archive)
    return EngineWheel(
        name=f"{PROJECT}-{ENGINE_VERSION}-py3-none-any.whl",
        content=archive.getvalue(),
        requirements=(root / "bundle" / _LOCK).read_bytes(),
        requires_python=str(HeaderParser().parsestr(metadata)["Requires-Python"]),
    )


def _installed() -> Distribution:
    try:
        installed = distribution(PROJECT)
    except PackageNotFoundError as error:
        raise UsageError(
            "The engine is run without being installed; `make setup` or `pip install .` does that."
        ) from error
    if installed.version != ENGINE_VERSION:
        found = installed.version[:40]
        raise UsageError(f"The engine is {ENGINE_VERSION}, and installed as {found}; install it again: `make setup`.")
    return installed


def _metadata(installed: Distribution) -> str:
    """What the installed package says of itself, without its long description."""
    headers = _text(installed, "METADATA").partition("\n\n")[0]
    lines = [line for line in headers.splitlines() if not line.startswith("Description-Content-Type:")]
    return "\n".join(lines) + "\n"


def _text(installed: Distribution, name: str) -> str:
    text = installed.read_text(name)
    if text is None:
        raise UsageError(f"The engine's installation has no {name}; install it again: `make setup`.")
    return text


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = prefix + entry.name
        if entry.is_dir():
            if entry.name != "__pycache__" and name not in {f"{PACKAGE}/{other}" for other in _NOT_CARRIED}:
                yield from _walk(entry, f"{name}/")
        elif not entry.name.startswith(".") and not entry.name.endswith((".pyc", ".pyo")):
            yield name, entry.read_bytes()


def _record(contents: Mapping[str, bytes]) -> bytes:
    """Of each file its name, digest and size; of the list itself, its name."""
    lines = []
    for name in sorted(contents):
        digest = base64.urlsafe_b64encode(hashlib.sha256(contents[name]).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(contents[name])}\n")
    return ("".join(lines) + f"{_FOLDER}/RECORD,,\n").encode()
