"""`docs/cli.md` and the help name everything there is."""

import re

import pytest
import typer.main

from simulator.agents import MISTAKES
from simulator.cli.application import app
from simulator.evaluation import AGENT_NAMES

COMMANDS = typer.main.get_command(app).commands


@pytest.fixture(scope="module")
def sections(root):
    """The page's sections by command."""
    text = (root / "docs/cli.md").read_text()
    return dict(re.findall(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def test_the_page_has_a_section_for_every_command_and_for_no_other(sections):
    assert list(sections) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_section_names_every_option_and_argument_and_no_other(sections, name):
    options = (option for item in COMMANDS[name].params for option in (*item.opts, *item.secondary_opts))
    known = {option for option in options if option.startswith("--")}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", sections[name])) - {"--help"} == known - {"--help"}
    arguments = {parameter.metavar.strip("[]") for parameter in COMMANDS[name].params if "-" not in parameter.opts[0]}
    assert arguments <= set(re.findall(r"[A-Z]+", sections[name]))


def test_every_example_is_a_command_that_can_be_typed(sections):
    for name, section in sections.items():
        examples = re.findall(r"^worldwright (\S+)", section, re.MULTILINE)
        assert examples, name
        assert set(examples) == {name}


def test_the_help_of_play_names_every_agent_and_every_mistake(run):
    shown = " ".join(re.sub("[│╭╰─╮╯]", " ", run("play", "--help").stdout).split())
    assert all(name in shown for name in (*AGENT_NAMES, *MISTAKES))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_json_and_a_help_that_says_what_it_does(run, name):
    shown = run(name, "--help").stdout
    assert "--json" in shown
    assert len(COMMANDS[name].help.split()) > 4
