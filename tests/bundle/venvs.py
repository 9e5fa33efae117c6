"""One virtual environment for each framework, made once and kept in `.cache/venvs`; the engine is this source tree."""

import os
import shutil
import site
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def venv_with(requirement):
    """The Python of an environment that holds the framework; skips, with the reason, where it cannot be had."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = ROOT / ".cache" / "venvs" / f"{requirement}-py{python}"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix=".making-", dir=place.parent))
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", making], check=True)
        pip = [sys.executable, "-m", "pip", "--python", making / "bin" / "python"]
        options = ["-q", "--no-input", "--disable-pip-version-check", "--retries", "1", "--timeout", "10"]
        done = subprocess.run([*pip, "install", *options, requirement], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            shutil.rmtree(making)
            pytest.skip(f"{requirement} cannot be installed: {done.stderr.strip().splitlines()[-1]}")
        try:
            making.rename(place)
        except OSError:  # another process was faster
            shutil.rmtree(making)
    return place / "bin" / "python"


def environment(*folders):
    """Environment variables with which that Python finds ``folders``, the engine and what the engine needs."""
    paths = [*map(str, folders), str(ROOT), *site.getsitepackages()]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
