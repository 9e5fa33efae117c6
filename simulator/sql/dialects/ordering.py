"""How values compare and sort: operands in the type they meet in, NULL where the dialect puts it."""

from __future__ import annotations

from sqlglot import exp

from simulator.sql.dialects.conversions import coerced
from simulator.sql.dialects.refusals import mistyped, unsupported
from simulator.sql.dialects.value_types import TEXT, Type, meeting
from simulator.sql.dialects.values import Value, truth


def no_such_operator(symbol: str, left: Type, right: Type, node: exp.Expr) -> Exception:
    """The message for operands that do not go together."""
    if "time" in (left.name, right.name) and {left.name, right.name} & {"interval", "time"}:
        raise unsupported("Arithmetic with times of day", node, "Add the interval to a timestamp.")
    return mistyped(
        f"operator does not exist: {left.label} {symbol} {right.label}", node,
        "No operator matches the given name and argument types. You might need to add explicit type casts.",
    )  # fmt: skip


def compared(left: Value, symbol: str, right: Value, node: exp.Expr) -> Value:
    """Two values compared in the type they meet in."""
    first, second = comparable(left, right, symbol, node)
    return truth(f"{first} {symbol} {second}")


def comparable(left: Value, right: Value, symbol: str, node: exp.Expr) -> tuple[str, str]:
    """SQLite text of two operands that may be compared with each other."""
    kind = meeting((left.type, right.type))
    if kind is None:
        raise no_such_operator(symbol, left.type, right.type, node)
    if kind.name == "unknown":
        kind = TEXT
    first, second = coerced(left, kind, node), coerced(right, kind, node)
    return sortable(first, node), sortable(second, node)


def sortable(value: Value, node: exp.Expr) -> str:
    """SQLite text that compares as the value does."""
    if value.type.name == "interval":
        return f"dx_interval_length({value.sql})"
    if value.type.name == "json":
        raise unsupported("Comparing jsonb", node, "Compare a field as text: doc ->> 'key' = 'x'.")
    if value.type.name == "array":
        return f"json({value.sql})"
    return value.sql


def direction(item: exp.Ordered) -> str:
    """``ASC NULLS LAST``. The parser has already applied the dialect's default for NULL."""
    word = "DESC" if item.args.get("desc") else "ASC"
    return f"{word} NULLS {'FIRST' if item.args.get('nulls_first') else 'LAST'}"


def no_ordinal(sql: str) -> str:
    """SQLite text that is not read as a position in ORDER BY or GROUP BY, as a bare integer would be."""
    return f"coalesce({sql}, NULL)" if sql.strip("()-").isdigit() else sql
