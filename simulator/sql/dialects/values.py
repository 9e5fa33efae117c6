"""An expression that has been translated: SQLite text and the type it has in the dialect."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.sql.dialects.value_types import BOOLEAN, TEXT, UNKNOWN, Type


@dataclass(frozen=True, slots=True)
class Value:
    """``sql`` can stand anywhere an operand can. ``constant`` is a literal's own text; NULL has ``is_null``."""

    sql: str
    type: Type
    constant: str | None = None
    is_null: bool = False


NULL = Value("NULL", UNKNOWN, is_null=True)


def text_literal(text: str) -> str:
    """A text as SQLite writes it."""
    return "'" + text.replace("'", "''") + "'"


def text_value(text: str) -> Value:
    """A constant text."""
    return Value(text_literal(text), TEXT, constant=text)


def untyped(text: str) -> Value:
    """A literal in quotes, which becomes a value of whatever type its place wants."""
    return Value(text_literal(text), UNKNOWN, constant=text)


def truth(sql: str) -> Value:
    """A boolean expression, in brackets."""
    return Value(f"({sql})", BOOLEAN)


def quoted(name: str) -> str:
    """An identifier as SQLite text."""
    return '"' + name.replace('"', '""') + '"'
