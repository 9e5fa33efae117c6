"""How a command ends when it cannot do what was asked: in plain words, with an exit code, never with a traceback.

0 it went well; 1 the answer is no (a replay differs, an episode is invalid, a statement is refused); 2 the command or
the scenario is wrong; 70 the engine failed, which is a bug; 130 Ctrl-C; 141 the reader of the output went away.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import typer

from simulator.cli.problems import problem_json, show_problems, tally
from simulator.cli.terminal import near, remark, show, show_json, stderr
from simulator.errors import EngineFault, ScenarioError, WorldwrightError

NEGATIVE = 1
UNUSABLE = 2
BUG = 70
INTERRUPTED = 130
READER_GONE = 141

_MOST_SHOWN = 20

show_tracebacks: ContextVar[bool] = ContextVar("show_tracebacks", default=False)
"""Whether ``--debug`` was given."""

_Parameters = ParamSpec("_Parameters")


class UnusableFile(ScenarioError):
    """The scenario, or the file of rows, at ``source`` cannot be used."""

    def __init__(self, error: ScenarioError, source: Path) -> None:
        super().__init__(error.problems)
        self.source = source


def ends_cleanly(command: Callable[_Parameters, None]) -> Callable[_Parameters, None]:
    """The command, with every failure told in words and turned into an exit code."""

    @wraps(command)
    def guarded(*args: _Parameters.args, **options: _Parameters.kwargs) -> None:
        as_json = bool(options.get("json"))
        try:
            command(*args, **options)
            sys.stdout.flush()
        except BrokenPipeError:
            _abandon_output()
            raise typer.Exit(READER_GONE) from None
        except KeyboardInterrupt:
            remark("Stopped.")
            raise typer.Exit(INTERRUPTED) from None
        except ScenarioError as error:
            _tell_problems(error, as_json)
            raise typer.Exit(UNUSABLE) from None
        except EngineFault as error:
            raise typer.Exit(_tell_bug(error, as_json)) from None
        except WorldwrightError as error:
            raise typer.Exit(_tell(str(error), as_json)) from None
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            raise typer.Exit(_tell(f"{place}{error.strerror or error}", as_json)) from None
        except (typer.Exit, typer.Abort):
            raise
        except Exception as error:  # noqa: BLE001 - the last resort: nobody meets a traceback
            raise typer.Exit(_tell_bug(error, as_json)) from None

    return guarded


def _tell(message: str, as_json: bool) -> int:
    remark(message, "red")
    if as_json:
        show_json({"error": {"message": message, "problems": []}})
    return UNUSABLE


def _tell_problems(error: ScenarioError, as_json: bool) -> None:
    source = error.source if isinstance(error, UnusableFile) else None
    message = f"{near(source) if source else 'The scenario'} cannot be used: {tally(error.problems)}."
    console = stderr()
    show_problems(error.problems[:_MOST_SHOWN], source, console)
    hidden = len(error.problems) - _MOST_SHOWN
    more = f" Only the first {_MOST_SHOWN} are shown; `worldwright check` shows all." if hidden > 0 else ""
    show(f"{message}{more}", console=console)
    if as_json:
        problems: list[Any] = [problem_json(problem, source) for problem in error.problems]
        show_json({"error": {"message": message, "problems": problems}})


def _tell_bug(error: BaseException, as_json: bool) -> int:
    message = f"This is a bug in Worldwright: {type(error).__name__}: {error}"
    if show_tracebacks.get():
        stderr().print("".join(traceback.format_exception(error)), soft_wrap=True)
        remark(message, "red")
    else:
        remark(f"{message} (worldwright --debug COMMAND shows where)", "red")
    if as_json:
        show_json({"error": {"message": message, "problems": []}})
    return BUG


def _abandon_output() -> None:
    """Let the interpreter's last flush go nowhere: nobody reads it (https://docs.python.org/3/library/signal.html)."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
