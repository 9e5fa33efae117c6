"""The settings: safe without a variable, complete in their example, loud when a variable cannot be used."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("WORLDWRIGHT", "DJANGO", "DATAB"))
    }
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**clean, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_any_variable_the_deployment_check_finds_nothing() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues (0 silenced)" in done.stdout


def test_without_a_secret_key_the_web_process_does_not_start() -> None:
    done = manage("shell", "-c", "import config.asgi")
    assert done.returncode != 0
    assert "Set WORLDWRIGHT_SECRET_KEY" in done.stderr


def test_a_secret_may_stand_in_a_file(tmp_path) -> None:
    (tmp_path / "key").write_text("from-the-file\n", encoding="utf-8")
    done = manage(
        "shell", "-v0", "-c", "from django.conf import settings; print(settings.SECRET_KEY)",
        WORLDWRIGHT_SECRET_KEY_FILE=str(tmp_path / "key"),
    )  # fmt: skip
    assert done.stdout == "from-the-file\n"


@pytest.mark.parametrize(
    ("name", "value"),
    [("WORLDWRIGHT_LOCAL", "perhaps"), ("WORLDWRIGHT_JOB_LEASE", "-1"), ("DATABASE_URL", "mysql://x")],
)
def test_a_variable_that_cannot_be_used_is_named(name, value) -> None:
    done = manage("check", **{name: value})
    assert done.returncode != 0
    assert name in done.stderr.splitlines()[-1]


def test_the_example_names_every_variable_and_no_other() -> None:
    settings = (ROOT / "config" / "settings.py").read_text(encoding="utf-8")
    read = set(re.findall(r'env_(?:text|flag|number|list)\(\s*"([A-Z0-9_]+)"', settings))
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert set(re.findall(r"^([A-Z0-9_]+)=", example, re.MULTILINE)) == read


def test_migrations_are_complete() -> None:
    done = manage("makemigrations", "--check", "--dry-run")
    assert done.returncode == 0, done.stdout


def test_vendored_files_are_as_their_manifest_says() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/vendor_frontend.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
