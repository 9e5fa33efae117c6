"""The command line, ``worldwright``. ``docs/cli.md`` describes it."""

from simulator.cli.application import main

__all__ = ["main"]
