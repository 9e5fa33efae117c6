"""How a value becomes one of another type: by itself, when it is stored, or by a cast."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from sqlglot import exp

from simulator.sql.dialects.refusals import bad_value, mistyped, unsupported
from simulator.sql.dialects.runtime import documents, intervals, numbers, texts, times
from simulator.sql.dialects.value_types import BOOLEAN, INT4, INT8, JSON, TEXT, Type, TypeName, array_of, fits
from simulator.sql.dialects.values import NULL, Value, text_literal
from simulator.sql.functions import FunctionProblem

_TIMES: dict[TypeName, str] = {
    "date": "Write dates as '2024-01-31', or use current_date.",
    "time": "Write times as '09:30:00'.",
    "timestamp": "Write times as '2024-01-31 09:30:00' in UTC, or use now().",
    "timestamptz": "Write times as '2024-01-31 09:30:00' in UTC, or use now().",
    "interval": "Write intervals as '1 month 2 days 03:04:05'.",
}
# PostgreSQL reads times in many ways; with a digit or one of its words, it may be one of those.
_OTHER_TIME = re.compile(r"[0-9]|now|today|tomorrow|yesterday|infinity|epoch|allballs", re.IGNORECASE)
_ARRAY_ITEM = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|([^,"{}\\]+))\s*(?:,|$)')


def literal(value: Value, target: Type, node: exp.Expr | None) -> Value:
    """A literal in quotes, or NULL, as a constant of a type."""
    if value.is_null or value.constant is None:
        return Value(NULL.sql, target, is_null=True)
    try:
        sql = _constant(value.constant, target)
    except FunctionProblem as problem:
        if target.name in _TIMES and _OTHER_TIME.search(value.constant) and "out of range" not in str(problem):
            what = f"'{value.constant[:40]}' as {target.label}"
            raise unsupported(what, node, _TIMES[target.name]) from problem
        raise bad_value(str(problem), node) from problem
    return Value(sql, target, constant=value.constant)


def _constant(text: str, target: Type) -> str:
    readers: dict[TypeName, Callable[[str], Any]] = {
        "int4": lambda text: numbers.read_integer(text, 32),
        "int8": lambda text: numbers.read_integer(text, 64),
        "numeric": lambda text: numbers.read_number(text, "numeric"),
        "float8": lambda text: numbers.read_number(text, "double precision"),
        "boolean": texts.read_boolean,
        "date": times.read_date,
        "time": times.read_time,
        "timestamp": times.read_timestamp,
        "timestamptz": times.read_timestamp,
        "interval": intervals.interval_text,
        "json": documents.read_json,
        "array": lambda text: _array(text, target),
    }
    result = readers[target.name](text) if target.name in readers else text
    if isinstance(result, str):
        return text_literal(result)
    return repr(result) if result >= 0 else f"({result!r})"


def _array(text: str, target: Type) -> str:
    inner = text.strip()
    if not (inner.startswith("{") and inner.endswith("}")):
        raise FunctionProblem(f'malformed array literal: "{text[:80]}"')
    inner = inner[1:-1].strip()
    items = []
    position = 0
    element = target.element or TEXT
    while position < len(inner):
        match = _ARRAY_ITEM.match(inner, position)
        if match is None:
            raise FunctionProblem(f'malformed array literal: "{text[:80]}"')
        bare = match[2].strip() if match[2] is not None else None
        if bare is not None and bare.upper() == "NULL":
            items.append("null")
        else:
            constant = _constant(bare if bare is not None else re.sub(r"\\(.)", r"\1", match[1]), element)
            if constant.startswith("'"):
                items.append(documents.json_quoted(constant[1:-1].replace("''", "'")))
            else:
                items.append(constant.strip("()"))
        position = match.end()
    return "[" + ",".join(items) + "]"


def coerced(value: Value, target: Type, node: exp.Expr | None) -> Value:
    """A value where ``target`` is wanted and no cast is written. The caller has seen that it fits."""
    if value.type.name == "unknown":
        return literal(value, target, node)
    if value.type.name == "date" and target.name in ("timestamp", "timestamptz"):
        return Value(f"({value.sql} || ' 00:00:00')", target, is_null=value.is_null)
    if value.type.name == target.name:
        return value
    return Value(value.sql, target, constant=value.constant, is_null=value.is_null)


def implicit(value: Value, target: Type, node: exp.Expr | None, what: str) -> Value:
    """A value where only ``target`` is allowed (``what`` names the place: ``argument of WHERE``)."""
    if not fits(value.type, target):
        raise mistyped(f"{what} must be type {target.label}, not type {value.type.label}", node)
    return coerced(value, target, node)


def stored(value: Value, target: Type, column: str, node: exp.Expr | None) -> Value:
    """A value as a column of type ``target`` keeps it: what PostgreSQL casts when it assigns."""
    source = value.type
    if source.name == "unknown" and not fits(source, target):
        raise _not_assignable(column, source, target, node)
    if source.name == "unknown" or value.is_null:
        value = literal(value, target, node)
        if target.name == "numeric" and target.scale is not None and value.constant is not None:
            return Value(_rescaled(value, target.scale), target)
        return value
    if source.name == target.name == "numeric" and target.scale is not None:
        return value if source.scale is not None and source.scale <= target.scale else _to_scale(value, target.scale)
    if source.name == target.name and source.element is None:
        return value
    if target.name == "numeric" and source.is_number:
        return _to_scale(value, target.scale) if source.name == "float8" and target.scale is not None else value
    allowed = source.is_number and target.is_number
    allowed = allowed or (source.is_instant and target.is_instant) or target.name == "text"
    if not allowed:
        raise _not_assignable(column, source, target, node)
    return cast(value, target, node)


def _not_assignable(column: str, source: Type, target: Type, node: exp.Expr | None) -> Exception:
    return mistyped(
        f'column "{column}" is of type {target.label} but expression is of type {source.label}', node,
        "You will need to rewrite or cast the expression.",
    )  # fmt: skip


def _rescaled(value: Value, scale: int) -> str:
    return repr(numbers.round_numeric(float(value.constant or 0), scale))


def _to_scale(value: Value, scale: int) -> Value:
    return Value(f"dx_round({value.sql}, {scale})", Type("numeric", scale))


def cast(value: Value, target: Type, node: exp.Expr | None) -> Value:  # noqa: C901, PLR0911, PLR0912  # a table of pairs
    """A value cast to a type. Raises :class:`Refused` where there is no such cast."""
    source = value.type
    if source.name == "unknown" or value.is_null:
        result = literal(value, target, node)
        if target.name == "numeric" and target.scale is not None and not result.is_null:
            return Value(_rescaled(result, target.scale), target)
        return result
    sql = value.sql
    match source.name, target.name:
        case "numeric", "numeric":
            return value if target.scale is None or target.scale == source.scale else _to_scale(value, target.scale)
        case (a, b) if a == b and source.element is None:
            return value
        case "array", "array" if source.element == target.element:
            return value
        case _, "text":
            return to_text(value, node)
        case "int4", "int8":
            return Value(sql, target)
        case "int8", "int4":
            return Value(f"dx_int4({sql})", target)
        case (("int4" | "int8"), ("numeric" | "float8")):
            return Value(sql, target)
        case ("numeric" | "float8") as kind, ("int4" | "int8") as wanted:
            bits = 32 if wanted == "int4" else 64
            return Value(f"dx_to_integer({sql}, {bits}, {int(kind == 'float8')})", target)
        case ("numeric", "float8"):
            return Value(sql, target)
        case ("float8", "numeric"):
            return Value(sql, target) if target.scale is None else _to_scale(value, target.scale)
        case "int4", "boolean":
            return Value(f"({sql} <> 0)", target)
        case "boolean", "int4":
            return Value(sql, target)
        case "text", ("int4" | "int8") as wanted:
            return Value(f"dx_read_integer({sql}, {32 if wanted == 'int4' else 64})", target)
        case "text", ("numeric" | "float8"):
            read = Value(f"dx_read_number({sql}, '{target.label}')", Type(target.name))
            return read if target.scale is None else _to_scale(read, target.scale)
        case "text", ("boolean" | "date" | "time" | "interval" | "json") as kind:
            name = "dx_interval_text" if kind == "interval" else f"dx_read_{kind}"
            return Value(f"{name}({sql})", target)
        case "text", ("timestamp" | "timestamptz"):
            return Value(f"dx_read_timestamp({sql})", target)
        case (("timestamp" | "timestamptz"), "date"):
            return Value(f"substr({sql}, 1, 10)", target)
        case (("timestamp" | "timestamptz"), "time"):
            return Value(f"substr({sql}, 12)", target)
        case (("timestamp" | "timestamptz" | "date"), ("timestamp" | "timestamptz")):
            return coerced(value, target, node)
        case "time", "interval":
            return Value(f"dx_interval_text({sql})", target)
        case "json", ("int4" | "int8" | "numeric" | "float8" | "boolean"):
            scalar = Value(f"dx_json_path_text({sql}, '[]')", TEXT)
            if target.name in ("int4", "int8"):
                scalar = Value(f"dx_read_number({scalar.sql}, 'numeric')", Type("numeric"))
            return cast(scalar, target, node)
    if "array" in (source.name, target.name) or (source.name, target.name) == ("interval", "time"):
        raise unsupported(f"A cast of {source.label} to {target.label}", node, "Build the array from cast elements.")
    raise mistyped(f"cannot cast type {source.label} to {target.label}", node)


def to_text(value: Value, node: exp.Expr | None) -> Value:
    """A value as the text PostgreSQL prints for it."""
    sql, kind = value.sql, value.type
    if kind.name in ("text", "unknown", "date", "time", "timestamp", "interval"):
        return Value(sql, TEXT, constant=value.constant, is_null=value.is_null)
    if kind.is_integer:
        return Value(f"CAST({sql} AS TEXT)", TEXT)
    if kind.name == "boolean":
        return Value(f"CASE {sql} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END", TEXT)
    if kind.name == "numeric" and kind.scale is not None:
        return Value(f"dx_numeric_text({sql}, {kind.scale})", TEXT)
    if kind.name == "numeric":
        raise unsupported(
            "Writing a number of unknown scale as text", node, "Round it first: round(x, 2)::text, or use to_char()."
        )
    if kind.name == "float8":
        return Value(f"dx_float_text({sql})", TEXT)
    if kind.name == "timestamptz":
        return Value(f"({sql} || '+00')", TEXT)
    if kind.name == "json":
        return Value(f"dx_read_json({sql})", TEXT)
    if kind.element is not None and (kind.element.is_integer or kind.element.name in ("text", "date", "timestamp")):
        return Value(f"dx_array_text({sql})", TEXT)
    raise unsupported(f"A {kind.label} as text", node, "Use array_to_string() or string_agg().")


def printed(value: Value, node: exp.Expr | None) -> str:
    """SQLite text of a value as concat() and format() print it: as a cast does, but for ``t`` and ``f``."""
    if value.type.name == "boolean":
        return f"CASE {value.sql} WHEN 1 THEN 't' WHEN 0 THEN 'f' END"
    return to_text(value, node).sql


def to_json_text(value: Value, node: exp.Expr | None) -> str:
    """SQLite text of a value's JSON document, ``null`` for NULL."""
    kind = value.type
    if kind.name == "json":
        return f"coalesce({value.sql}, 'null')"
    if kind.name == "boolean" or kind.is_number:
        return f"coalesce({to_text(value, node).sql}, 'null')"
    if kind.name in ("timestamp", "timestamptz"):
        zone = "+00:00" if kind.name == "timestamptz" else ""
        sql = f"substr({value.sql}, 1, 10) || 'T' || substr({value.sql}, 12) || '{zone}'"
        return f"coalesce(dx_json_quoted({sql}), 'null')"
    if kind.name == "array":
        if kind.element is not None and (kind.element.is_integer or kind.element.name in ("text", "date")):
            return f"coalesce({value.sql}, 'null')"
        raise unsupported(f"A {kind.label} in JSON", node, "Use jsonb_agg() instead of array_agg().")
    return f"coalesce(dx_json_quoted({to_text(value, node).sql}), 'null')"


_TYPES: dict[exp.DType, Type] = {
    exp.DType.SMALLINT: INT4, exp.DType.INT: INT4, exp.DType.BIGINT: INT8, exp.DType.TEXT: TEXT,
    exp.DType.VARCHAR: TEXT, exp.DType.BOOLEAN: BOOLEAN, exp.DType.DATE: Type("date"), exp.DType.TIME: Type("time"),
    exp.DType.TIMESTAMP: Type("timestamp"), exp.DType.TIMESTAMPTZ: Type("timestamptz"),
    exp.DType.INTERVAL: Type("interval"), exp.DType.JSON: JSON, exp.DType.JSONB: JSON,
    exp.DType.DOUBLE: Type("float8"), exp.DType.DECIMAL: Type("numeric"),
}  # fmt: skip


def written_type(node: exp.Expr) -> Type:
    """The type a cast names, without its length. Raises :class:`Refused` for one there is none of here."""
    if isinstance(node, exp.DataType):
        if node.this == exp.DType.ARRAY and len(node.expressions) == 1:
            return array_of(written_type(node.expressions[0]))
        if node.this in _TYPES and node.this != exp.DType.SMALLINT:
            return _TYPES[node.this]
    name = node.sql(dialect="postgres").lower() if isinstance(node, exp.DataType) else str(node.this)
    raise unsupported(
        f"The type {name}", node,
        "Use integer, bigint, numeric(p,s), double precision, text, boolean, date, timestamp, interval or jsonb.",
    )  # fmt: skip


def written_parameters(node: exp.Expr) -> tuple[int, ...]:
    """The numbers in the brackets of a type."""
    if isinstance(node, exp.DataType) and node.this != exp.DType.ARRAY:
        names = [item.this.name for item in node.expressions if isinstance(item, exp.DataTypeParam)]
        if any(not name.isdigit() or len(name) > 4 for name in names):
            raise mistyped("invalid type modifier", node)
        return tuple(map(int, names))
    return ()
