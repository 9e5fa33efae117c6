"""YAML that means JSON: a bounded reader for the part of YAML that authors need.

Plain values are JSON's (`null`, `true`, `5`, `0.5`) or else text: no dates, no octal, no `yes`. Keys are texts. A key
given twice, a tag, a merge key, a directive or a second document is an error. Anchors work, within an expansion budget.

Built on the events of libyaml, which parses without recursion and stops by itself at 1000 levels; the limits here are
checked event by event, so hostile text costs no more than its first megabytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn, Protocol

import yaml
from pydantic import JsonValue

from simulator.errors import Location, Problem, ScenarioError
from simulator.scenario.json_value import copy_json, number_problem, text_problem
from simulator.scenario.paths import Path, did_you_mean, render_path
from simulator.scenario.positions import Mark, Positions
from simulator.scenario.source_text import MOST_PROBLEMS, TextLimits, decode_text, place_in

YAML_LIMITS = TextLimits()

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_CONSTANTS: dict[str, JsonValue] = {"": None, "~": None, "null": None, "true": True, "false": False}
_DIRECTIVE = re.compile("^%", re.MULTILINE)
_ANCHOR_LENGTH = 200
_KEPT_TAGS = {
    yaml.ScalarEvent: {"!", "tag:yaml.org,2002:str"},
    yaml.SequenceStartEvent: {"!", "tag:yaml.org,2002:seq"},
    yaml.MappingStartEvent: {"!", "tag:yaml.org,2002:map"},
}


def read_yaml(
    text: str | bytes, *, file: str, limits: TextLimits = YAML_LIMITS
) -> tuple[dict[str, JsonValue], Positions]:
    """The mapping written in ``text`` and where each of its parts stands; ``file`` names it in problems.

    Raises ScenarioError, as one list where reading can go on: ``yaml_syntax``, ``duplicate_key``, ``yaml_key``,
    ``yaml_merge_key``, ``yaml_tag``, ``yaml_alias``, ``yaml_alias_bomb``, ``yaml_directive``,
    ``yaml_several_documents``, ``not_a_mapping``, ``number_range``, ``bad_character``, ``encoding``, ``too_large``,
    ``too_deep``.
    """
    characters = decode_text(text, file=file, size=limits.size)
    directive = _DIRECTIVE.search(characters)
    if directive:
        # libyaml takes time quadratic in the number of directives, and none changes what a scenario means.
        location = Location(file, *place_in(characters, directive.start()))
        problem = Problem(
            "yaml_directive",
            "A line starts with %, a YAML directive.",
            location=location,
            suggestion="Remove the line; indent it if it belongs to a text.",
        )
        raise ScenarioError([problem])
    reader = _Reader(file, characters, limits)
    value = reader.read()
    if not isinstance(value, dict):
        reader.stop("not_a_mapping", f"The file must hold `key: value` lines, but it holds {_kind(value)}.", (1, 1))
    if reader.problems:
        raise ScenarioError(reader.problems)
    return value, Positions(reader.marks)


def is_plain_text(text: str) -> bool:
    """Whether a plain (unquoted) value of these characters is read as this text, and not as a number or constant."""
    return text not in _CONSTANTS and not _NUMBER.fullmatch(text)


class _MarkLike(Protocol):
    """A place as PyYAML's two parsers report it, counted from 0."""

    line: int
    column: int
    index: int


@dataclass(slots=True)
class _Open:
    """A list or mapping still being read. ``size`` and ``characters`` are the reader's totals when it was opened."""

    value: dict[str, JsonValue] | list[JsonValue]
    path: Path
    anchor: str | None
    size: int
    characters: int
    height: int = 1
    key: str | None = None
    key_place: tuple[int, int] = (0, 0)
    key_end: int = 0
    in_braces: bool = False


@dataclass(frozen=True, slots=True)
class _Anchored:
    value: JsonValue
    size: int
    characters: int
    height: int


class _Reader:
    """One reading: the lists and mappings that are open, the values that have anchors, and what has been counted."""

    def __init__(self, file: str, text: str, limits: TextLimits) -> None:
        self.file = file
        self.text = text
        self.limits = limits
        self.problems: list[Problem] = []
        self.marks: dict[Path, Mark] = {}
        self.open: list[_Open] = []
        self.anchored: dict[str, _Anchored] = {}
        self.size = 0
        self.characters = 0
        self.root: JsonValue = None
        self.documents = 0

    def read(self) -> JsonValue:
        for event in self._events():
            place = _place_of(event.start_mark)
            if isinstance(event, yaml.ScalarEvent):
                self._scalar(event, place)
            elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                self._start(event, place)
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                self._end()
            elif isinstance(event, yaml.AliasEvent):
                self._alias(event, place)
            elif isinstance(event, yaml.DocumentStartEvent):
                self.documents += 1
                if self.documents > 1:
                    self.stop(
                        "yaml_several_documents",
                        "The file holds a second YAML document.",
                        place,
                        suggestion="Remove the `---` line.",
                    )
        return self.root

    def _events(self) -> Iterator[yaml.Event]:
        try:
            yield from yaml.parse(self.text, Loader=yaml.CSafeLoader)
        except yaml.MarkedYAMLError as error:
            place = _place_of(error.problem_mark or error.context_mark)
            if error.problem == "exceeded maximum nesting depth":
                self.stop("too_deep", f"The text is nested more than {self.limits.depth} levels deep.", place)
            context = error.context or ""
            if context and error.context_mark and error.context_mark.line + 1 != place[0]:
                context += f" that begins on line {error.context_mark.line + 1}"
            words = ", ".join(part for part in (context, error.problem) if part)
            self.stop("yaml_syntax", f"This is not valid YAML: {words}.", place, suggestion=self._syntax_hint(place))
        except yaml.YAMLError as error:
            self.stop("yaml_syntax", f"This is not valid YAML: {error}.", (0, 0))

    def _scalar(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        self._count(1, len(event.value), place)
        if len(event.value) > self.limits.scalar:
            self.stop("too_large", f"A text is longer than {self.limits.scalar:,} characters.", place)
        self._check_tag(event, place)
        if self._awaits_key():
            self._take_key(event, place)
            return
        value: JsonValue = event.value
        if event.implicit[0] and event.tag is None:
            value = self._resolve(event.value, place)
            self._check_braces(event)
        elif problem := text_problem(event.value):
            self.report("bad_character", problem, place)
        self._anchor(event.anchor, _Anchored(value, 1, len(event.value), 0))
        self._place(value, place, height=0)

    def _resolve(self, text: str, place: tuple[int, int]) -> JsonValue:
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if not _NUMBER.fullmatch(text):
            return text
        problem = number_problem(text)
        if problem:
            self.report("number_range", problem, place, suggestion="Quote it if it is a text.")
            return None
        return int(text) if text.lstrip("-").isdigit() else float(text)

    def _take_key(self, event: yaml.ScalarEvent, place: tuple[int, int]) -> None:
        parent = self.open[-1]
        key = str(event.value)
        plain = event.implicit[0] and event.tag is None
        if plain and key == "<<":
            self.report(
                "yaml_merge_key",
                "Merge keys (`<<`) are not supported.",
                place,
                suggestion="Write the keys out, or repeat a whole value by an alias.",
            )
        elif plain and _CONSTANTS.get(key, key) is None:
            self.report(
                "yaml_key",
                f"A key must be a text, but this one is {key or 'empty'}.",
                place,
                suggestion="Quote it if the text is meant.",
            )
        elif problem := text_problem(key):
            self.report("bad_character", problem, place)
        elif isinstance(parent.value, dict) and key in parent.value:
            first = self.marks[(*parent.path, key)].key
            self.report(
                "duplicate_key",
                f"The key `{key[:80]}` stands here twice.",
                place,
                (*parent.path, key),
                suggestion=f"The first is on line {first[0]}; remove or rename one.",
            )
        if event.anchor is not None:
            self._anchor(event.anchor, _Anchored(key, 1, len(key), 0))
        parent.key, parent.key_place, parent.key_end = key, place, _index_of(event.end_mark)

    def _check_braces(self, event: yaml.ScalarEvent) -> None:
        """Report a name in braces without a colon, `{meter}`: to YAML a mapping, to authors a placeholder."""
        parent = self.open[-1] if self.open else None
        if parent is None or not parent.in_braces or parent.key is None or event.value:
            return
        if ":" not in self.text[parent.key_end : _index_of(event.start_mark)]:
            key = parent.key[:80]
            self.report(
                "yaml_key",
                f"In braces, the key `{key}` stands without a value.",
                parent.key_place,
                suggestion=f'Quote a text that holds a placeholder: "{{{key}}}". An empty value is `{key}: null`.',
            )

    def _start(self, event: yaml.MappingStartEvent | yaml.SequenceStartEvent, place: tuple[int, int]) -> None:
        self._count(1, 0, place)
        if len(self.open) >= self.limits.depth:
            self.stop("too_deep", f"The text is nested more than {self.limits.depth} levels deep.", place)
        self._check_tag(event, place)
        if self._awaits_key():
            self.stop(
                "yaml_key", "A key must be a text, not a list or mapping.", place, suggestion=self._syntax_hint(place)
            )
        if event.anchor is not None:
            self.anchored.pop(event.anchor, None)
        value: dict[str, JsonValue] | list[JsonValue] = {} if isinstance(event, yaml.MappingStartEvent) else []
        path = self._next_path()
        self._place(value, place, height=1)
        in_braces = isinstance(event, yaml.MappingStartEvent) and bool(event.flow_style)
        self.open.append(_Open(value, path, event.anchor, self.size - 1, self.characters, in_braces=in_braces))

    def _end(self) -> None:
        closed = self.open.pop()
        if closed.anchor is not None:
            size, characters = self.size - closed.size, self.characters - closed.characters
            self._anchor(closed.anchor, _Anchored(closed.value, size, characters, closed.height))
        if self.open:
            self.open[-1].height = max(self.open[-1].height, closed.height + 1)

    def _alias(self, event: yaml.AliasEvent, place: tuple[int, int]) -> None:
        name = str(event.anchor)[:_ANCHOR_LENGTH]
        if self._awaits_key():
            self.stop("yaml_key", f"A key must be a text, not the alias `*{name}`.", place)
        source = self.anchored.get(str(event.anchor))
        if source is None:
            if any(parent.anchor == event.anchor for parent in self.open):
                self.report("yaml_alias", f"The alias `*{name}` stands inside the value it repeats.", place)
            else:
                self.report(
                    "yaml_alias",
                    f"There is no anchor `&{name}` before this alias.",
                    place,
                    suggestion=did_you_mean(name, self.anchored) or "Quote it if it is a text.",
                )
            source = _Anchored(None, 1, 0, 0)
        if len(self.open) + source.height > self.limits.depth:
            self.stop("too_deep", f"The text is nested more than {self.limits.depth} levels deep.", place)
        self._count(source.size, source.characters, place, code="yaml_alias_bomb")
        self._place(copy_json(source.value), place, height=source.height)

    def _anchor(self, name: str | None, value: _Anchored) -> None:
        if name is not None:
            self.anchored[name] = value

    def _check_tag(
        self, event: yaml.ScalarEvent | yaml.MappingStartEvent | yaml.SequenceStartEvent, place: tuple[int, int]
    ) -> None:
        if event.tag is not None and event.tag not in _KEPT_TAGS[type(event)]:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")[:80]
            self.report(
                "yaml_tag",
                f"The tag `{tag}` is not supported.",
                place,
                suggestion="Remove it; quote the value if it is a text.",
            )

    def _awaits_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def _next_path(self) -> Path:
        if not self.open:
            return ()
        parent = self.open[-1]
        if isinstance(parent.value, list):
            return (*parent.path, len(parent.value))
        return parent.path if parent.key is None else (*parent.path, parent.key)

    def _place(self, value: JsonValue, place: tuple[int, int], *, height: int) -> None:
        """Put a value where the open list or mapping waits for one."""
        path = self._next_path()
        if not self.open:
            self.root = value
            self.marks[path] = Mark(self.file, place, place)
            return
        parent = self.open[-1]
        parent.height = max(parent.height, height + 1)
        if isinstance(parent.value, list):
            parent.value.append(value)
            self.marks[path] = Mark(self.file, place, place)
        elif parent.key is not None:
            parent.value[parent.key] = value
            self.marks[path] = Mark(self.file, parent.key_place, place)
            parent.key = None

    def _count(self, size: int, characters: int, place: tuple[int, int], code: str = "too_large") -> None:
        self.size += size
        self.characters += characters
        if self.size > self.limits.nodes or self.characters > self.limits.size:
            what = "repeats so much by aliases that it" if code == "yaml_alias_bomb" else "is so long that it"
            self.stop(
                code,
                f"The text {what} holds more than {self.limits.nodes:,} values or {self.limits.size:,} characters.",
                place,
            )

    def _syntax_hint(self, place: tuple[int, int]) -> str:
        """What most often causes a syntax error like the one at this place."""
        lines = self.text.split("\n", place[0])
        line = lines[place[0] - 1] if 0 < place[0] <= len(lines) else ""
        if "\t" in line[: len(line) - len(line.lstrip())]:
            return "Indent with spaces, not with tabs."
        placeholder = re.search(r"(?::|-)\s+(\{\w+\})[^,}]", line)
        if placeholder:
            return f'Quote a text that begins with a placeholder: "{placeholder.group(1)} …".'
        if re.search(r":\s+[{\[@`%*&!|>]", line):
            return "Quote a text that starts with one of { [ @ ` % * & ! | >."
        if line.count(": ") > 1:
            return "Quote a text that holds `: `."
        return ""

    def report(
        self, code: str, message: str, place: tuple[int, int], path: Path | None = None, *, suggestion: str = ""
    ) -> None:
        """Note a problem that does not end the reading."""
        where = render_path(self._next_path() if path is None else path)
        self.problems.append(Problem(code, message, where, Location(self.file, *place), suggestion))
        if len(self.problems) >= MOST_PROBLEMS:
            raise ScenarioError(self.problems)

    def stop(self, code: str, message: str, place: tuple[int, int], *, suggestion: str = "") -> NoReturn:
        """End the reading with a problem, after those noted before."""
        where = render_path(self._next_path())
        raise ScenarioError([*self.problems, Problem(code, message, where, Location(self.file, *place), suggestion)])


def _place_of(mark: _MarkLike | None) -> tuple[int, int]:
    return (mark.line + 1, mark.column + 1) if mark else (0, 0)


def _index_of(mark: _MarkLike | None) -> int:
    return mark.index if mark else 0


def _kind(value: JsonValue) -> str:
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else "a single value"
