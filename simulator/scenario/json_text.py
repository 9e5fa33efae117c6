"""JSON documents from outside: read with bounds, and with the place of every part.

A scan over the tokens checks nesting, size, keys given twice and numbers out of range before Python's own parser, which
recurses, sees the text; the parser then decides what is JSON and gives the value.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import NoReturn

from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.json_value import number_problem, text_problem
from simulator.scenario.paths import Path, render_path
from simulator.scenario.positions import Mark, Positions
from simulator.scenario.source_text import MOST_PROBLEMS, TextLimits, decode_text, place_in

JSON_LIMITS = TextLimits(size=80_000_000, nodes=1_000_000)
"""What a JSON text may hold, rows included: what is read in some seconds. Rows in CSV may be more."""

# A string without its closing quote runs to the end, so that no text is scanned twice.
_TOKEN = re.compile(
    r'(?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"?)|(?P<number>-?[0-9][0-9.eE+-]*)|(?P<word>-?[A-Za-z]+)|[{}\[\],:]',
    re.DOTALL,
)
_MOST_MARKS = 200_000
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?")


def read_json(text: str | bytes, *, file: str, limits: TextLimits = JSON_LIMITS) -> tuple[JsonValue, Positions]:
    """The value written in ``text``, and where its parts stand (the first 200,000). ``file`` names it in problems.

    Raises ScenarioError, as one list where reading can go on: ``json_syntax``, ``duplicate_key``, ``number_range``
    (NaN and Infinity too), ``bad_character``, ``encoding``, ``too_large``, ``too_deep``.
    """
    characters = decode_text(text, file=file, size=limits.size)
    scan = _Scan(file, characters, limits)
    scan.run()
    try:
        value: JsonValue = json.loads(characters)
    except json.JSONDecodeError as error:
        words = error.msg[:1].lower() + error.msg[1:]
        scan.stop("json_syntax", f"This is not valid JSON: {words}.", error.pos)
    if scan.problems:
        raise ScenarioError(scan.problems)
    return value, Positions(scan.marks)


@dataclass(slots=True)
class _Open:
    """An object or list still being scanned; ``keys`` is None for a list."""

    keys: set[str] | None
    index: int = 0
    key: str | None = None
    key_place: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class _Scan:
    file: str
    text: str
    limits: TextLimits
    problems: list[Problem] = field(default_factory=list)
    marks: dict[Path, Mark] = field(default_factory=dict)
    open: list[_Open] = field(default_factory=list)
    nodes: int = 0
    line: int = 1
    line_start: int = 0
    looked_to: int = 0

    def run(self) -> None:
        for match in _TOKEN.finditer(self.text):
            word, kind, at = match.group(), match.lastgroup, match.start()
            if kind == "string":
                self._string(word, at)
            elif kind is not None:
                self._node(at)
                if kind == "number":
                    self._number(word, at)
                elif word.lstrip("-") in ("NaN", "Infinity"):
                    self._report("number_range", f"{word} is no JSON number.", at)
            elif word in "{[":
                self._start(word, at)
            elif word in "}]":
                if self.open:
                    self.open.pop()
            elif word == "," and self.open:
                self.open[-1].index += 1
                self.open[-1].key = None

    def _start(self, bracket: str, at: int) -> None:
        self._node(at)
        if len(self.open) >= self.limits.depth:
            self.stop("too_deep", f"The text is nested more than {self.limits.depth} levels deep.", at)
        self.open.append(_Open(set() if bracket == "{" else None))

    def _string(self, token: str, at: int) -> None:
        if len(token) > self.limits.scalar:
            self.stop("too_large", f"A text is longer than {self.limits.scalar:,} characters.", at)
        parent = self.open[-1] if self.open else None
        if parent is None or parent.keys is None or parent.key is not None:
            self._node(at)
            self._decode(token, at)
            return
        self._count(at)
        key = self._decode(token, at)
        parent.key = key
        if self.nodes <= _MOST_MARKS:
            parent.key_place = self._place(at)
        if key in parent.keys:
            self._report("duplicate_key", f"The key `{key[:80]}` stands here twice.", at, "Remove or rename one.")
        parent.keys.add(key)

    def _decode(self, token: str, at: int) -> str:
        """The text of a string token; of one that is broken, which the parser will refuse, its characters."""
        if "\\" not in token:
            return token[1:-1]
        try:
            text = str(json.loads(token))
        except json.JSONDecodeError:
            return token
        problem = text_problem(text)
        if problem:
            self._report("bad_character", problem, at)
        return text

    def _number(self, token: str, at: int) -> None:
        if _PLAIN_NUMBER.fullmatch(token):
            return
        try:
            problem = number_problem(token)
        except ValueError:
            return  # not a number at all, which the parser will refuse
        if problem:
            # The parser would fail on a number this long in its own way.
            self.stop("number_range", problem, at)

    def _count(self, at: int) -> None:
        self.nodes += 1
        if self.nodes > self.limits.nodes:
            message = f"The text holds more than {self.limits.nodes:,} keys and values."
            self.stop("too_large", message, at, "Keep many rows in CSV files, in the folder `data` of a scenario.")

    def _node(self, at: int) -> None:
        self._count(at)
        if self.nodes <= _MOST_MARKS:
            place = self._place(at)
            parent = self.open[-1] if self.open else None
            self.marks[self._path()] = Mark(
                self.file, parent.key_place if parent and parent.key is not None else place, place
            )

    def _path(self) -> Path:
        steps = ((parent.index if parent.keys is None else parent.key) for parent in self.open)
        return tuple(step for step in steps if step is not None)

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column of a character; each call looks further on than the one before."""
        self.line += self.text.count("\n", self.looked_to, at)
        last = self.text.rfind("\n", self.looked_to, at)
        if last >= 0:
            self.line_start = last + 1
        self.looked_to = at
        return self.line, at - self.line_start + 1

    def _report(self, code: str, message: str, at: int, suggestion: str = "") -> None:
        location = Location(self.file, *self._place(at))
        self.problems.append(Problem(code, message, render_path(self._path()), location, suggestion))
        if len(self.problems) >= MOST_PROBLEMS:
            raise ScenarioError(self.problems)

    def stop(self, code: str, message: str, at: int, suggestion: str = "") -> NoReturn:
        """End the reading with a problem, after those noted before."""
        location = Location(self.file, *place_in(self.text, at))
        problem = Problem(code, message, render_path(self._path()), location, suggestion)
        raise ScenarioError([*self.problems, problem])
