"""How the command line speaks: results on standard output, everything said along the way on standard error.

Texts of scenarios, worlds and trajectories are a stranger's: control and invisible characters are shown as escapes, so
that nothing they hold can move the cursor or hide. Colour and progress bars appear on a terminal only.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

ProgressReport = Callable[[int, int, str], None]
"""Called with how much is done, of how much, and what comes next in words."""


class _Terminal(Console):
    """Rich's console, but a reader that went away is told to the caller instead of ending the process here."""

    def on_broken_pipe(self) -> None:
        """Called while the error is being handled."""
        raise  # noqa: PLE0704 - the error that is being handled


def stdout() -> Console:
    """The console for results."""
    return _Terminal(highlight=False, markup=False, emoji=False)


def stderr() -> Console:
    """The console for everything else."""
    return _Terminal(stderr=True, highlight=False, markup=False, emoji=False)


def clean(text: object) -> str:
    """Text that is safe to show: what cannot be seen is written as an escape; lines stay."""
    return "".join(char if char == "\n" or _is_visible(char) else _escape(char) for char in str(text))


def styled(text: object, style: str = "") -> Text:
    """Clean text in a style."""
    return Text(clean(text), style=style)


def show(*parts: RenderableType | str, console: Console | None = None) -> None:
    """Print results: texts and tables. Piped texts are not broken into lines, and no line ends in spaces."""
    console = console or stdout()
    for part in parts:
        shown = Text(clean(part)) if isinstance(part, str) else part
        if console.is_terminal:
            console.print(shown)
        else:
            with console.capture() as captured:
                console.print(shown, soft_wrap=isinstance(shown, Text))
            console.file.write("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def remark(text: object, style: str = "") -> None:
    """Say something on standard error."""
    show(styled(text, style), console=stderr())


def show_json(value: Any) -> None:
    """Print a value as JSON, in ASCII, so that no terminal and no pipe can garble it."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False) + "\n")


def write_text(text: str) -> None:
    """Print a text exactly as it is."""
    sys.stdout.write(text)


def plain_table(*headers: str) -> Table:
    """An empty table. A header that begins with ``>`` is that of a column of numbers; one in ``<>`` may be folded."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for header in headers:
        if header.startswith(">"):
            table.add_column(header[1:], justify="right", no_wrap=True)
        elif header.startswith("<"):
            table.add_column(header.strip("<>"), overflow="fold")
        else:
            table.add_column(header, no_wrap=True, overflow="ellipsis")
    return table


@contextmanager
def progress(title: str) -> Iterator[ProgressReport]:
    """A bar on standard error while the block runs; nothing where that is no terminal."""
    console = stderr()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[words]}", style="dim", markup=False),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None, words="")

        def report(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, words=clean(words)[:24])

        yield report


def near(path: Path) -> Path:
    """The path as seen from the working directory, if it is inside."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) and path != here else path


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 table``, ``2 tables``, ``3,000 rows``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _is_visible(char: str) -> bool:
    return char.isprintable() or unicodedata.category(char) == "Zs"


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")
