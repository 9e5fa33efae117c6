"""GoogleSQL's literals, columns and casts."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.conversions import cast
from simulator.sql.dialects.refusals import only, unsupported
from simulator.sql.dialects.rules import literals
from simulator.sql.dialects.rules.of_bigquery.documents import AS_SCALAR
from simulator.sql.dialects.rules.of_bigquery.operators import DIGITS
from simulator.sql.dialects.scopes import Scope
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    DATE,
    FLOAT8,
    INT4,
    JSON,
    NUMERIC,
    TEXT,
    TEXT_LITERAL,
    TIME,
    TIMESTAMPTZ,
    Type,
    numeric,
)
from simulator.sql.dialects.values import Value


def constant(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A number, or a STRING, which is a date or timestamp where one is wanted, but no number."""
    value = literals.constant(translator, node, scope)
    return replace(value, type=TEXT_LITERAL) if value.type.name == "unknown" else value


def raw_text(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``r'…'``."""
    return replace(literals.text_constant(translator, node, scope), type=TEXT_LITERAL)


def column(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """A column; the world's timestamps are TIMESTAMPs, which have a zone."""
    if node.args.get("db") is not None:
        raise unsupported("A field of a column", node, "Use JSON_VALUE(doc, '$.field').")
    value = literals.column(translator, node, scope)
    return replace(value, type=TIMESTAMPTZ) if value.type.name == "timestamp" else value


_TYPES: dict[exp.DType, Type] = {
    exp.DType.BIGINT: INT4, exp.DType.INT: INT4, exp.DType.SMALLINT: INT4, exp.DType.TINYINT: INT4,
    exp.DType.DOUBLE: FLOAT8, exp.DType.FLOAT: FLOAT8, exp.DType.DECIMAL: numeric(DIGITS), exp.DType.TEXT: TEXT,
    exp.DType.VARCHAR: TEXT, exp.DType.BOOLEAN: BOOLEAN, exp.DType.DATE: DATE, exp.DType.TIME: TIME,
    exp.DType.TIMESTAMPTZ: TIMESTAMPTZ, exp.DType.JSON: JSON,
}  # fmt: skip


def _written(node: exp.Expr) -> Type:
    kind = _TYPES.get(node.this) if isinstance(node, exp.DataType) else None
    if kind is None or node.expressions:
        name = node.sql(dialect="bigquery")
        raise unsupported(
            f"The type {name}", node, "Use INT64, NUMERIC, FLOAT64, STRING, BOOL, DATE, TIMESTAMP or JSON."
        )
    return kind


def as_type(value: Value, kind: Type, node: exp.Expr) -> Value:
    """A value cast to a type."""
    source = value.type.name
    if kind == INT4 and source in ("numeric", "float8") and not value.is_null:
        return Value(f"dx_to_integer({value.sql}, 64, 0)", INT4)
    if kind == INT4 and source in ("text", "unknown") and not value.is_null:
        return Value(f"dx_read_integer({value.sql}, 64)", INT4)
    if kind == TEXT and source in ("numeric", "float8"):
        return Value(f"dx_float_text({value.sql})", TEXT)
    if source == "json" or (kind == JSON and not value.is_null):
        raise unsupported(f"A cast of {value.type.label} to {kind.label}", node, AS_SCALAR)
    if kind.name == "numeric" and source not in ("numeric", "int4"):
        return Value(f"dx_round({cast(value, NUMERIC, node).sql}, {DIGITS})", kind)
    return replace(cast(value, kind, node), type=kind)


def cast_to(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``CAST(x AS type)``, ``DATE '…'``."""
    only(node, "this", "to")
    return as_type(translator.expression(node.this, scope), _written(node.args["to"]), node)


_READ = {"int4": "integer", "numeric": "number", "float8": "number", "timestamptz": "timestamp"}


def safe_cast(translator: Translator, node: exp.Expr, scope: Scope) -> Value:
    """``SAFE_CAST(x AS type)``."""
    only(node, "this", "to", "safe")
    value, kind = translator.expression(node.this, scope), _written(node.args["to"])
    if value.type.name not in ("text", "unknown") or kind == TEXT:
        return as_type(value, kind, node)
    sql = f"dx_try_read({value.sql}, '{_READ.get(kind.name, kind.name)}')"
    return Value(f"dx_round({sql}, {DIGITS})" if kind.name == "numeric" else sql, kind)
