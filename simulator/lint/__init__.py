"""Lint: what is wrong with a scenario, all at once, before any world is made of it."""

from simulator.lint.linting import checked, lint_scenario, load_scenario

__all__ = ["checked", "lint_scenario", "load_scenario"]
