"""The commands put together: ``worldwright``."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from simulator.cli import commands
from simulator.cli.failures import ends_cleanly, show_tracebacks
from simulator.version import ENGINE_VERSION

_GROUPS = {
    "See it work": (commands.demo,),
    "Write a scenario": (
        commands.check,
        commands.verify,
        commands.import_rows,
        commands.import_tasks,
        commands.schema,
        commands.reference,
        commands.packs,
        commands.diagram,
    ),
    "Use a scenario": (commands.world, commands.tasks, commands.play, commands.replay, commands.sql),
    "Carry a scenario elsewhere": (
        commands.export,
        commands.bundle,
        commands.serve,
        commands.export_trajectories,
    ),
    "For other programs": (commands.openapi, commands.tools, commands.bench),
}

app = typer.Typer(
    name="worldwright",
    help="Business simulators for training and testing AI agents, from a description. Start with `worldwright demo`.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"worldwright {ENGINE_VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when Worldwright itself fails.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    show_tracebacks.set(debug)


for _panel, _commands in _GROUPS.items():
    for _command in _commands:
        app.command(_command.__name__.replace("_", "-"), rich_help_panel=_panel)(ends_cleanly(_command))


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal or pipe that cannot show a character gets its escape, not an end with an error.
            stream.reconfigure(errors="backslashreplace")
    app(prog_name="worldwright")
