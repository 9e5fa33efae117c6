"""However a command ends, it ends in plain words and with the exit code that says how."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from simulator.cli.failures import ends_cleanly, show_tracebacks
from simulator.errors import EngineFault, Problem, ScenarioError, UsageError, WorldError

ENTRY = [sys.executable, "-c", "from simulator.cli import main; main()"]


def ended(error, *words):
    """How a command that raises ``error`` ends."""
    app = typer.Typer()

    def command(json: bool = False) -> None:
        raise error

    app.command()(ends_cleanly(command))
    return CliRunner().invoke(app, list(words))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("no such thing"), 2),
        (WorldError("no such world"), 2),
        (ScenarioError([Problem("odd", "it is odd")]), 2),
        (FileNotFoundError(2, "No such file", "x"), 2),
        (EngineFault("the store is broken"), 70),
        (KeyError("surprise"), 70),
        (RecursionError("deep"), 70),
        (KeyboardInterrupt(), 130),
    ],
)
def test_each_failure_has_its_exit_code_and_no_traceback(error, code):
    result = ended(error)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr
    assert "Traceback" not in result.stderr


def test_json_says_it_on_standard_output_too():
    told = json.loads(ended(ScenarioError([Problem("odd", "it is odd", "world.now")]), "--json").stdout)
    assert told["error"]["problems"][0]["path"] == "world.now"
    assert json.loads(ended(UsageError("no such thing"), "--json").stdout)["error"]["message"] == "no such thing"


def test_a_bug_is_called_one_and_its_traceback_is_shown_on_request():
    assert "This is a bug in Worldwright: KeyError: 'surprise'" in ended(KeyError("surprise")).stderr
    token = show_tracebacks.set(True)
    try:
        assert "Traceback" in ended(KeyError("surprise")).stderr
    finally:
        show_tracebacks.reset(token)


def test_many_problems_are_cut_with_a_word_on_where_to_see_all():
    result = ended(ScenarioError([Problem("odd", f"number {number}") for number in range(50)]))
    assert "number 19" in result.stderr
    assert "number 20" not in result.stderr
    assert "50 errors" in result.stderr


def test_the_shell_sees_the_version_the_exit_codes_and_clean_streams(shell):
    assert shell("--version").stdout.startswith("worldwright ")
    unknown = shell("chekc")
    assert unknown.returncode == 2
    assert "check" in unknown.stderr
    refused = shell("world", "nowhere", "--json")
    assert refused.returncode == 2
    assert "nowhere" in json.loads(refused.stdout)["error"]["message"]


def test_a_terminal_of_few_characters_gets_escapes_not_an_end(shell, desk):
    result = shell("play", desk, "--agent", "null", "--episodes", "2", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert result.returncode == 0
    assert "null" in result.stdout


def test_a_reader_that_goes_away_is_no_reason_to_complain(desk):
    process = subprocess.Popen([*ENTRY, "tasks", str(desk), "--list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    assert process.wait() == 141
    assert b"Traceback" not in told
    assert b"Exception" not in told


def test_ctrl_c_stops_every_process_quietly(desk, tmp_path):
    words = ["play", desk, "--agent", "null", "--episodes", "100000", "--workers", "2", "--out", tmp_path]
    process = subprocess.Popen(
        [*ENTRY, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Where the tests run in the background, SIGINT is ignored, and children would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    while process.poll() is None and not any(Path(tmp_path).rglob("*.jsonl")):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in told
    assert out == ""
