"""Typed answers: what `finish(answer=…)` must say.

An answer is text an agent wrote, so it is read with bounds on size and nesting, and patterns run in linear time (RE2).
What is expected is computed as the task begins, before the agent can have changed it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

import re2
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import extend
from pydantic import JsonValue

from simulator.errors import Problem, ScenarioError
from simulator.scenario.canonical import canonical_json
from simulator.scenario.json_text import read_json
from simulator.scenario.models import AnswerCheck, ExpectedValue, Scalar, TaskTemplate
from simulator.scenario.source_text import TextLimits
from simulator.tasks.drawn_values import scalar
from simulator.tasks.placeholders import fill_arguments, worded
from simulator.tasks.task import Task
from simulator.world.database import Database

ANSWER_LIMITS = TextLimits(size=100_000, depth=32, nodes=10_000, scalar=100_000)
"""How large an answer that is read as JSON may be; a larger one fails its check."""

MOST_EXPECTED = 10_000
"""The most rows an expected set or list may have."""

_SCHEMA_DEPTH = 32
_SCHEMA_NODES = 2_000
_PATTERN_MEMORY = 8 << 20
_ROUNDING = Decimal("1e-9")
_MOST_ROUNDING = Decimal("1e-6")  # a share of a large sum would be a tolerance nobody asked for
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)?(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?")

# References can be fetched or endless, and these compile patterns with Python's own engine, which can take forever.
_REFUSED_KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef", "$id", "$schema", "patternProperties")


def expected_answers(database: Database, template: TaskTemplate, task: Task) -> dict[str, JsonValue]:
    """What each answer check expects, by its name, on the world as the task begins.

    Of a query, `exact` and `number` take the first value; `set` and `list` take one element a row: the value, or the
    list of values where the query has several columns. Written values may hold placeholders. `schema` and `pattern` are
    taken as they are. Raises StatementFailed when a query cannot be carried out.
    """
    return {
        name: _expected(database, check.answer, task)
        for name, check in template.checks.items()
        if check.answer is not None
    }


def answer_failure(check: AnswerCheck, expected: JsonValue, answer: str | None) -> str:
    """Why an answer is wrong, in words for the author; the empty string when it is right."""
    if answer is None:
        return "no answer was given"
    if len(answer) > ANSWER_LIMITS.size:
        return f"the answer has more than {ANSWER_LIMITS.size:,} characters"
    if check.pattern is not None:
        matches = compiled_pattern(check.pattern).fullmatch(_encodable(answer)) is not None
        return "" if matches else f"the answer {_quoted(answer)} does not match {check.pattern}"
    if check.schema_ is not None:
        return _schema_failure(check.schema_, answer)
    if check.set_ is not None or check.list_ is not None:
        return _elements_failure(expected, answer, ordered=check.list_ is not None)
    if check.number is not None or (isinstance(expected, (int, float)) and not isinstance(expected, bool)):
        return _number_failure(expected, answer, Decimal(repr(check.tolerance)))
    said = read_answer(answer)
    spellings = {_spelled(answer), _spelled(said)} if isinstance(said, str) else {_spelled(answer)}
    right = _spelled(expected) in spellings or (expected is None and "none" in spellings)
    return "" if right else f"the answer is {_quoted(answer)}, expected {_quoted(worded(expected))}"


def answer_text(check: AnswerCheck, expected: JsonValue) -> str | None:
    """The answer that meets what is expected, as an oracle writes it; None where only a form is asked for."""
    if check.pattern is not None or check.schema_ is not None:
        return None
    return worded(expected) if isinstance(expected, str) else canonical_json(expected)


def answer_problems(check: AnswerCheck, path: str) -> Iterator[Problem]:
    """What is wrong with a check itself: a pattern RE2 does not know, a JSON Schema that cannot be judged safely."""
    try:
        if check.pattern is not None:
            compiled_pattern(check.pattern)
        if check.schema_ is not None:
            _validator(canonical_json(check.schema_))
    except ScenarioError as error:
        for problem in error.problems:
            yield Problem(problem.code, problem.message, f"{path}.{problem.path}", suggestion=problem.suggestion)


@lru_cache(maxsize=1_000)
def compiled_pattern(pattern: str) -> Any:
    """An RE2 pattern. Raises ScenarioError (``answer_pattern``) when it is none."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _PATTERN_MEMORY
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        words = str(error.args[0]) if error.args else "unknown syntax"
        words = error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else words
        problem = Problem("answer_pattern", f"the pattern cannot be used: {words}.", "pattern")
        raise ScenarioError([problem]) from None


def read_answer(answer: str) -> JsonValue:
    """The JSON value an answer holds, or the answer itself when it is no JSON within bounds."""
    try:
        return read_json(answer, file="answer", limits=ANSWER_LIMITS)[0]
    except ScenarioError:
        return answer


def _expected(database: Database, check: AnswerCheck, task: Task) -> JsonValue:
    several = check.set_ is not None or check.list_ is not None
    wanted: Any = next(
        (form for form in (check.number, check.set_, check.list_, check.schema_, check.pattern) if form is not None),
        check.exact,
    )
    if check.schema_ is not None or check.pattern is not None:
        return None
    if not isinstance(wanted, ExpectedValue):
        value: JsonValue = fill_arguments(wanted, task.parameters)
        return value
    rows = database.query(wanted.sql, task.bindings(), limit=MOST_EXPECTED)
    elements: list[JsonValue] = []
    for row in rows.rows:
        values = [_finite(scalar(cell, kind)) for cell, kind in zip(row, rows.types, strict=True)]
        elements.append(list(values) if several and len(values) > 1 else values[0])
    if several:
        return elements
    return elements[0] if elements else None


def _finite(value: Scalar) -> Scalar:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number_failure(expected: JsonValue, answer: str, tolerance: Decimal) -> str:
    wanted = _number(expected)
    if wanted is None:
        return f"a number is asked for, but {_quoted(worded(expected))} is expected, which is none"
    said = _number(read_answer(answer))
    if said is None:
        return f"the answer {_quoted(answer)} is no number, expected {worded(expected)}"
    integral = wanted == wanted.to_integral_value() and said == said.to_integral_value()
    noise = Decimal(0) if integral else min(_MOST_ROUNDING, _ROUNDING * max(Decimal(1), abs(wanted)))
    right = abs(said - wanted) <= tolerance + noise
    within = f" within {tolerance.normalize():f}" if tolerance else ""
    return "" if right else f"the answer is {_quoted(answer)}, expected {worded(expected)}{within}"


def _elements_failure(expected: JsonValue, answer: str, *, ordered: bool) -> str:
    said = read_answer(answer)
    if not isinstance(said, list):
        return f"the answer {_quoted(answer)} is no JSON list"
    wanted = expected if isinstance(expected, list) else [expected]
    told, asked = [_spelled(item) for item in said], [_spelled(item) for item in wanted]
    if told == asked or (not ordered and set(told) == set(asked)):
        return ""
    missing = [item for item in dict.fromkeys(asked) if item not in set(told)]
    extra = [item for item in dict.fromkeys(told) if item not in set(asked)]
    if missing or extra:
        return f"missing: {_listed(missing)}; not expected: {_listed(extra)}"
    return f"the elements are right, but {'not in this order' if len(told) == len(asked) else 'not so often'}"


def _schema_failure(schema: Mapping[str, Any], answer: str) -> str:
    try:
        value = read_json(answer, file="answer", limits=ANSWER_LIMITS)[0]
    except ScenarioError as error:
        return f"the answer is no JSON: {error.problems[0].message}"
    failure = next(iter(_validator(canonical_json(dict(schema))).iter_errors(value)), None)
    if failure is None:
        return ""
    return f"the answer does not fit the schema at {failure.json_path}: {failure.message[:200]}"


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[ValidationError]:
    """The keyword `pattern`, judged by RE2."""
    if isinstance(instance, str) and compiled_pattern(pattern).search(_encodable(instance)) is None:
        yield ValidationError(f"{instance[:200]!r} does not match {pattern!r}")


def _unique_items(_: Any, unique: bool, instance: Any, __: Any) -> Iterator[ValidationError]:
    """The keyword `uniqueItems`, in linear time."""
    if unique and isinstance(instance, list) and len({_spelled(item) for item in instance}) < len(instance):
        yield ValidationError("the elements are not unique")


_Validator: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {"pattern": _pattern, "uniqueItems": _unique_items}
)


@lru_cache(maxsize=1_000)
def _validator(schema_text: str) -> Any:
    """A validator of a JSON Schema. Raises ScenarioError (``answer_schema``) when it cannot be judged safely."""
    schema = read_json(schema_text, file="schema", limits=TextLimits(depth=_SCHEMA_DEPTH, nodes=_SCHEMA_NODES))[0]
    refused = next((name for name in _keywords(schema) if name in _REFUSED_KEYWORDS), None)
    if refused is not None:
        raise ScenarioError([Problem("answer_schema", f"the keyword {refused!r} is not supported here.", "schema")])
    try:
        _Validator.check_schema(schema)
    except SchemaError as error:
        message = f"this is no JSON Schema: {error.json_path}: {error.message[:200]}."
        raise ScenarioError([Problem("answer_schema", message, "schema")]) from None
    for pattern in _patterns(schema):
        compiled_pattern(pattern)
    return _Validator(schema)


def _keywords(schema: JsonValue) -> Iterator[str]:
    """Every key in a schema, property names among them."""
    if isinstance(schema, dict):
        yield from schema
        for item in schema.values():
            yield from _keywords(item)
    elif isinstance(schema, list):
        for item in schema:
            yield from _keywords(item)


def _patterns(schema: JsonValue) -> Iterator[str]:
    if isinstance(schema, dict):
        pattern = schema.get("pattern")
        if isinstance(pattern, str):
            yield pattern
    for item in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _patterns(item)


def _number(value: JsonValue) -> Decimal | None:
    """A number, or text that is one: `1234.5`, `+7`, `1,234.50`."""
    if isinstance(value, bool) or value is None:
        return None
    text = value.strip() if isinstance(value, str) else repr(value)
    if isinstance(value, str) and not (len(text) <= 100 and _NUMBER.fullmatch(text)):
        return None
    try:
        number = Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < 400 else None


def _spelled(value: JsonValue) -> str:
    """One spelling of equal values: text without case and outer spaces, numbers without a superfluous fraction."""
    if isinstance(value, str):
        return value.strip().casefold()
    if isinstance(value, list):
        return canonical_json([_spelled(item) for item in value])
    if isinstance(value, dict):
        return canonical_json({name: _spelled(item) for name, item in value.items()})
    if isinstance(value, float):
        return f"{value:.12g}" if not value.is_integer() else str(int(value))
    return "null" if value is None else worded(value)


def _encodable(text: str) -> str:
    """Text without half characters, which RE2 cannot read."""
    return text.encode("utf-8", "replace").decode()


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 100 else text[:99] + "…")


def _listed(items: list[str]) -> str:
    shown = ", ".join(item[:60] for item in items[:5]) or "nothing"
    return f"{shown} and {len(items) - 5} more" if len(items) > 5 else shown
