"""One virtual environment for each framework, made once and kept in `.cache/venvs`, with what the engine needs.

The engine itself is this source tree, by PYTHONPATH.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_OPTIONS = ["-q", "--no-input", "--disable-pip-version-check", "--retries", "1", "--timeout", "20"]


def venv_with(*requirements, python=None, options=()):
    """The Python of an environment that holds the framework; skips, with the reason, where it cannot be had.

    ``python`` is the minor version it needs, such as ``3.12``, where ours may be too old; ``options`` are pip's.
    """
    interpreter = _interpreter(python)
    needed = [*requirements, *_engine_requirements()]
    name = re.sub(r"[^A-Za-z0-9.=_-]+", "-", requirements[0])
    digest = hashlib.sha256("\n".join([str(interpreter), *needed, *options]).encode()).hexdigest()[:12]
    place = ROOT / ".cache" / "venvs" / f"{name}-{digest}"
    if not place.exists():
        _make(place, interpreter, needed, options)
    return place / "bin" / "python"


def _make(place, interpreter, needed, options):
    place.parent.mkdir(parents=True, exist_ok=True)
    making = Path(tempfile.mkdtemp(prefix=".making-", dir=place.parent))
    subprocess.run([interpreter, "-m", "venv", "--without-pip", making], check=True)
    pip = [sys.executable, "-m", "pip", "--python", making / "bin" / "python", "install", *_OPTIONS, *options]
    done = subprocess.run([*pip, *needed], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        shutil.rmtree(making)
        pytest.skip(f"{needed[0]} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
    try:
        making.rename(place)
    except OSError:  # another process was faster
        shutil.rmtree(making)


def _interpreter(version):
    """A Python of that minor version or, failing that, a newer one; ours where it is new enough."""
    ours = sys.version_info[:2]
    wanted = ours if version is None else tuple(map(int, version.split(".")))
    if ours >= wanted:
        return Path(sys.executable)
    names = [f"python3.{minor}" for minor in range(wanted[1], wanted[1] + 4)]
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name) for name in names]
    found += [path for name in names for path in sorted(versions.glob(f"{name.removeprefix('python')}.*/bin/python"))]
    for candidate in filter(None, found):
        done = subprocess.run([candidate, "-c", "import ensurepip"], capture_output=True, check=False)
        if done.returncode == 0:
            return Path(candidate)
    pytest.skip(f"needs Python {version} or newer, and there is none here ({', '.join(names)})")


def _engine_requirements():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def environment(*folders):
    """Environment variables with which such a Python finds ``folders`` and the engine."""
    paths = [*map(str, folders), str(ROOT)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
