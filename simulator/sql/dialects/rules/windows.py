"""OVER: partitions, order and frames."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import Call
from simulator.sql.dialects.hiding import INTERVAL_CALL
from simulator.sql.dialects.ordering import direction, no_ordinal, sortable
from simulator.sql.dialects.refusals import mistyped, only, refuse, unsupported
from simulator.sql.dialects.runtime import intervals
from simulator.sql.dialects.scopes import Scope, folded
from simulator.sql.dialects.translator import Translator
from simulator.sql.dialects.values import Value

_ALLOWED = ("this", "partition_by", "order", "spec", "alias", "over", "first")


def over(translator: Translator, call: Call, scope: Scope) -> str:
    """`` OVER (…)`` of a call, empty without one."""
    if call.window is None:
        return ""
    if call.distinct:
        raise mistyped("DISTINCT is not implemented for window functions", call.node)
    inner = replace(scope, windows=None)
    return f" OVER ({_definition(translator, call.window, scope.windows or {}, inner)})"


def _definition(translator: Translator, window: exp.Window, named: dict[str, exp.Window] | object, scope: Scope) -> str:
    only(window, *_ALLOWED)
    partition, order, spec = _merged(window, named if isinstance(named, dict) else {})
    parts = []
    if partition:
        keys = [sortable(translator.expression(item, scope), item) for item in partition]
        parts.append(f"PARTITION BY {', '.join(no_ordinal(key) for key in keys)}")
    terms = order.expressions if order is not None else []
    values = [translator.expression(item.this, scope) for item in terms]
    by_interval = _interval_frame(spec)
    if by_interval and (len(values) != 1 or not values[0].type.is_instant):
        raise mistyped("RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column", window)
    if terms:
        texts = []
        for item, value in zip(terms, values, strict=True):
            only(item, "this", "desc", "nulls_first")
            key = f"unixepoch({value.sql})" if by_interval else sortable(value, item)
            texts.append(f"{no_ordinal(key)} {direction(item)}")
        parts.append(f"ORDER BY {', '.join(texts)}")
    if spec is not None:
        parts.append(_frame(spec, values))
    return " ".join(parts)


def _merged(
    window: exp.Window, named: dict[str, exp.Window]
) -> tuple[list[exp.Expr], exp.Expr | None, exp.WindowSpec | None]:
    """A window's own parts, and those of the window of the WINDOW clause it names."""
    partition: list[exp.Expr] = list(window.args.get("partition_by") or [])
    order, spec = window.args.get("order"), window.args.get("spec")
    alias = window.args.get("alias")
    if alias is None:
        return partition, order, spec
    other = named.get(folded(alias))
    if other is None:
        raise refuse("sql_unknown_name", f'window "{alias.name}" does not exist', window, "", [alias.name])
    only(other, *_ALLOWED)
    base_partition, base_order, base_spec = _merged(
        other, {name: item for name, item in named.items() if item is not other}
    )
    if partition or (order is not None and base_order is not None):
        raise mistyped(f'cannot override the clauses of window "{alias.name}"', window)
    return base_partition, order if order is not None else base_order, spec if spec is not None else base_spec


def _interval_frame(spec: exp.WindowSpec | None) -> bool:
    return spec is not None and any(_interval_text(spec.args.get(name)) is not None for name in ("start", "end"))


def _interval_text(bound: object) -> str | None:
    """The text of an interval literal."""
    if isinstance(bound, exp.Anonymous) and bound.name == INTERVAL_CALL:
        return " ".join(str(part.this).lower() for part in bound.expressions)
    if isinstance(bound, exp.Cast) and isinstance(bound.this, exp.Literal) and bound.to.this == exp.DType.INTERVAL:
        return str(bound.this.this)
    return None


def _frame(spec: exp.WindowSpec, values: list[Value]) -> str:
    only(spec, "kind", "start", "start_side", "end", "end_side", "exclude")
    kind = str(spec.args["kind"]).upper()
    start = _bound(spec, "start", kind, values)
    end = _bound(spec, "end", kind, values) if spec.args.get("end") else ""
    frame = f"{kind} BETWEEN {start} AND {end or 'CURRENT ROW'}"
    exclude = spec.args.get("exclude")
    return f"{frame} EXCLUDE {exclude.name.upper()}" if exclude is not None else frame


def _bound(spec: exp.WindowSpec, name: str, kind: str, values: list[Value]) -> str:
    bound, side = spec.args[name], str(spec.args.get(f"{name}_side") or "").upper()
    if not side and bound != "CURRENT ROW":
        raise mistyped("syntax error in the frame: PRECEDING or FOLLOWING is missing", spec)
    if isinstance(bound, str):
        return f"{bound} {side}".strip()
    if isinstance(bound, exp.Literal) and not bound.args.get("is_string") and (kind != "RANGE" or _one_number(values)):
        return f"{bound.name} {side}"
    if (text := _interval_text(bound)) is not None:
        span = intervals.interval(text)
        if not span.months and not span.micros % intervals.SECOND and span.length >= 0:
            return f"{span.length // intervals.SECOND} {side}"
    raise unsupported("This bound of a frame", spec, "Use a number of rows, or an interval of days or hours.")


def _one_number(values: list[Value]) -> bool:
    return len(values) == 1 and values[0].type.is_number
