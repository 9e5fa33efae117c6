"""Near misses: values that are almost right, such as a careless agent would give."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from simulator.scenario.times import normalise_date, normalise_timestamp
from simulator.tasks import Task, worded

_QUOTED = re.compile(r"[\"“']([^\"“”']{3,400})[\"”']")
_WORD = re.compile(r"[^\W_]+")
_LITERAL = re.compile(r"'(?:[^']|'')*'|(?<![\w.:$@])\d+(?:\.\d+)?(?![\w.])")
_OTHER_WORD = "otherwise"


def near_misses(
    value: Any, schema: Mapping[str, Any], known: Sequence[Any], told: Sequence[str], quoted: Sequence[str] = ()
) -> Iterator[Any]:
    """Values beside ``value``: the neighbours of an enum or of ``known`` values, a number ±1 or ±0.01, a day earlier or
    later, the other truth; of text a word changed in a phrase that was ``told`` and is the whole of it, or in one that
    was ``quoted`` and stands in it.

    Other free text has no near miss: nobody said what it must be.
    """
    choices = schema.get("enum") or ()
    if isinstance(value, bool):
        yield not value
    elif value in choices:
        yield from _neighbours(value, choices)
    elif isinstance(value, int | float):
        yield from near_numbers(value, float(schema.get("multipleOf", 0)) or None)
    elif isinstance(value, str):
        moved = list(_other_days(value))
        if moved:
            yield from moved
        elif value in known:
            yield from _neighbours(value, [item for item in known if isinstance(item, str)])
        else:
            yield from _other_texts(value, told, quoted)


def near_numbers(value: float, step: float | None = None) -> Iterator[int | float]:
    """A whole number ±1; any other ±0.01."""
    whole = isinstance(value, int) or float(value).is_integer()
    by = step if step is not None else (1 if whole else 0.01)
    for number in (value + by, value - by):
        yield int(number) if isinstance(value, int) and float(number).is_integer() else round(number, 6)


def near_answers(answer: str, tolerance: float, told: Sequence[str], *, text: bool) -> Iterator[str]:
    """Answers beside a right one: numbers further off than ``tolerance``, a list with an element more, less or changed.

    Other text is changed by a word where ``text`` says that the very text is asked for, else only in what was told.
    """
    value = _json(answer)
    if isinstance(value, int | float) and not isinstance(value, bool):
        beyond = 2 * tolerance if tolerance else None
        yield from (json.dumps(number) for number in near_numbers(value, beyond))
    elif isinstance(value, list):
        if value:
            yield json.dumps(value[:-1])
            changed = next(iter(near_misses(value[0], {}, (), [str(value[0])])), None)
            if changed is not None and changed not in value:
                yield json.dumps([changed, *value[1:]])
        yield json.dumps([*value, _beyond(value)])
    else:
        yield from near_misses(answer, {}, (), [answer] if text else told)


def near_statements(sql: str) -> Iterator[str]:
    """A statement with one literal changed: a number by one, a date by a day, a text by a word."""
    for found in _LITERAL.finditer(sql):
        literal = found.group()
        if literal.startswith("'"):
            inner = literal[1:-1].replace("''", "'")
            others = list(_other_days(inner)) or list(_other_texts(inner, [inner]))
            changed = [f"'{other.replace(chr(39), chr(39) * 2)}'" for other in others[:1]]
        else:
            number = float(literal) if "." in literal else int(literal)
            changed = [repr(other) for other in near_numbers(number)][:1]
        for other in changed:
            yield sql[: found.start()] + other + sql[found.end() :]


def phrases_told(task: Task) -> tuple[str, ...]:
    """The phrases that a task speaks of, longest first: quotations in its instruction, and parameters that are text."""
    texts = [worded(value) for value in task.parameters.values() if isinstance(value, str)]
    found = [text for text in dict.fromkeys([*quotations(task), *texts]) if _WORD.search(text)]
    return tuple(sorted(found, key=lambda text: (-len(text), text)))


def quotations(task: Task) -> tuple[str, ...]:
    """What the instruction puts in quotation marks."""
    return tuple(_QUOTED.findall(task.instruction))


def _neighbours(value: Any, choices: Sequence[Any]) -> Iterator[Any]:
    place = choices.index(value)
    yield from choices[place + 1 : place + 2]
    if place:
        yield choices[place - 1]


def _other_days(text: str) -> Iterator[str]:
    for form, pattern in ((normalise_date, "%Y-%m-%d"), (normalise_timestamp, "%Y-%m-%d %H:%M:%S")):
        plain = form(text)
        if plain is None:
            continue
        moment = datetime.strptime(plain, pattern).replace(tzinfo=UTC)
        for days in (1, -1) if 1 < moment.year < 9_999 else ():  # 9999-12-31 stands for no end
            yield (moment + timedelta(days=days)).strftime(pattern)
        return


def _other_texts(text: str, told: Sequence[str], quoted: Sequence[str] = ()) -> Iterator[str]:
    """The text with one word changed: of a phrase that is the whole of it, or of a quotation of several words in it."""
    for phrase in told:
        whole = phrase.strip() == text.strip()
        if phrase not in text or not (whole or (phrase in quoted and len(_WORD.findall(phrase)) > 1)):
            continue
        words = sorted(_WORD.finditer(phrase), key=lambda word: (-len(word.group()), word.start()))
        if words:
            start = text.index(phrase)
            first, last = start + words[0].start(), start + words[0].end()
            yield text[:first] + _other_word(text[first:last]) + text[last:]
            return


def _other_word(word: str) -> str:
    if word.isdecimal() and word.isascii():
        return str(int(word) + 1).zfill(len(word))
    return word + "s" if word == _OTHER_WORD else _OTHER_WORD


def _beyond(value: list[Any]) -> Any:
    """An element that a list does not hold."""
    numbers = [item for item in value if isinstance(item, int | float) and not isinstance(item, bool)]
    if numbers and len(numbers) == len(value):
        return max(numbers) + 1
    return _OTHER_WORD


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
