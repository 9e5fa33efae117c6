"""Actions in short form: `assign id=3 writes=ticket.status#3 @10m`."""

import re

import pytest
import yaml

from simulator.rules import ActionEvent
from simulator.scenario.durations import parse_duration
from simulator.scenario.times import format_timestamp, parse_timestamp

START = parse_timestamp("2026-03-02 09:00:00")


def action(text: str, step: int) -> ActionEvent:
    tool, *words = text.split()
    kind, at, reads, arguments = "ok", START, set(), {}
    writes: set[tuple[str, str]] = set()
    keys: dict[str, set[tuple[object, ...]]] = {}
    for word in words:
        if word.startswith("!"):
            kind = "rule_denied" if word == "!denied" else "guard"
        elif word.startswith("@"):
            at = START + parse_duration(word[1:])
        elif word.startswith("reads="):
            reads.add(word[6:])
        elif match := re.fullmatch(r"writes=(\w+)\.(\w+)(?:#(\w+))?", word):
            writes.add((match[1], match[2]))
            if match[3]:
                keys.setdefault(match[1], set()).add((yaml.safe_load(match[3]),))
        else:
            name, _, value = word.partition("=")
            arguments[name] = yaml.safe_load(value)
    return ActionEvent(
        step=step, turn=step, tool=tool, arguments=arguments, ok=kind == "ok", kind=kind, code=kind, result="null",
        at=format_timestamp(at), reads=frozenset(reads), writes=frozenset(writes),
        keys={table: frozenset(rows) for table, rows in keys.items()},
    )  # fmt: skip


@pytest.fixture(name="actions")
def _actions():
    return lambda *texts: [action(text, step) for step, text in enumerate(texts, 1)]
