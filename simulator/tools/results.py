"""Results: the JSON an operation returns, built from rows by the types of their columns.

Booleans read true and false, json columns are their content, decimals are numbers. Authors never assemble JSON in SQL:
`nest` puts the rows of further queries into fields.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import JsonValue

from simulator.scenario.models import Returns
from simulator.scenario.paths import Path
from simulator.sql import Spliced, assemble
from simulator.tools.messages import MessageTemplate, shown
from simulator.world.changes import Value
from simulator.world.database import Bindings, Database, Rows, RowSetValue, StatementFailed

MOST_ROWS = 100_000
_DEEPEST_JSON = 64

Form = Literal["one", "many", "value", "values", "text", "parts"]
_OFFSET = "PAGE_OFFSET"  # authors' parameters have small letters


@dataclass(frozen=True, slots=True)
class CompiledReturns:
    """What `returns` says, ready to run. ``parts`` is an object made of `nest` alone; ``page`` the rows of a page."""

    form: Form
    sql: str = ""
    template: MessageTemplate | None = None
    nest: tuple[tuple[str, CompiledReturns], ...] = ()
    page: int | None = None
    by: str | None = None
    sparse: bool = False

    @classmethod
    def compile(cls, returns: Returns, page: int | None = None) -> CompiledReturns:
        """``page`` applies to the outermost `many` only."""
        nest = tuple((name, cls.compile(part)) for name, part in returns.nest.items())
        if returns.text is not None:
            return cls("text", template=MessageTemplate.parse(returns.text))
        if returns.value is not None:
            return cls("value", returns.value)
        if returns.values is not None:
            return cls("values", returns.values)
        if returns.one is not None:
            return cls("one", returns.one, nest=nest, sparse=returns.sparse)
        if returns.many is not None:
            # Inside brackets a statement must be bare; what is none is found when it is analysed.
            bare = assemble(returns.many) if page is not None else None
            query = bare.sql if isinstance(bare, Spliced) else returns.many
            return cls("many", query, nest=nest, page=page, by=returns.by, sparse=returns.sparse)
        return cls("parts", nest=nest)

    def queries(self, path: Path) -> Iterator[tuple[Path, str]]:
        """Every SQL text in it, with its place; ``path`` is where `returns` stands."""
        if self.sql:
            yield (*path, self.form), self.sql
        for name, part in self.nest:
            yield from part.queries((*path, "nest", name))


def build_result(
    returns: CompiledReturns,
    database: Database,
    bindings: Bindings,
    rowsets: Mapping[str, RowSetValue],
    *,
    page: int = 1,
) -> JsonValue:
    """The result. Raises StatementFailed when a query fails or all of them together give more than 100,000 rows."""
    return _Builder(database, rowsets).build(returns, bindings, page)


@dataclass(slots=True)
class _Builder:
    database: Database
    rowsets: Mapping[str, RowSetValue]
    rows: int = field(default=0)

    def build(self, returns: CompiledReturns, bindings: Bindings, page: int = 1) -> JsonValue:
        if returns.template is not None:
            return returns.template.fill(bindings)
        if returns.form == "parts":
            return self._nested({}, returns, bindings, {})
        if returns.page is not None:
            return self._page(returns, returns.page, bindings, page)
        rows = self._query(returns.sql, bindings)
        if returns.form == "value":
            return converters(rows)[0](rows.rows[0][0]) if rows.rows else None
        if returns.form == "values":
            show = converters(rows)[0] if rows.rows else _plain
            return [show(row[0]) for row in rows.rows]
        items = self._objects(rows, returns, bindings)
        if returns.by is not None:
            return dict(_under(items, rows, returns.by))
        if returns.form == "many":
            return list[JsonValue](items)
        return items[0] if items else None

    def _page(self, returns: CompiledReturns, size: int, bindings: Bindings, page: int) -> JsonValue:
        query = returns.sql
        counted = self.database.value(f"select count(*) from (\n{query}\n)", bindings, rowsets=self.rowsets)
        total = counted if isinstance(counted, int) else 0
        cut = f"select * from (\n{query}\n) limit {size} offset :{_OFFSET}"
        rows = self._query(cut, {**bindings, _OFFSET: (page - 1) * size})
        return {
            "items": list[JsonValue](self._objects(rows, returns, bindings)),
            "page": page,
            "total": total,
            "next_page": page + 1 if page * size < total else None,
        }

    def _objects(self, rows: Rows, returns: CompiledReturns, bindings: Bindings) -> list[dict[str, JsonValue]]:
        converted = converters(rows)
        items: list[dict[str, JsonValue]] = []
        for row in rows.rows:
            item = {
                name: show(value)
                for name, show, value in zip(rows.columns, converted, row, strict=True)
                if name != returns.by and not (returns.sparse and value is None)
            }
            if returns.nest:
                columns = dict(zip(rows.columns, row, strict=True))
                items.append(self._nested(item, returns, bindings, columns))
            else:
                items.append(item)
        return items

    def _nested(
        self, item: dict[str, JsonValue], returns: CompiledReturns, bindings: Bindings, columns: Mapping[str, Value]
    ) -> dict[str, JsonValue]:
        inner = {**bindings, **columns}
        for name, part in returns.nest:
            item[name] = self.build(part, inner)
        return item

    def _query(self, sql: str, bindings: Bindings) -> Rows:
        rows = self.database.query(sql, bindings, rowsets=self.rowsets)
        self.rows += len(rows.rows)
        if self.rows > MOST_ROWS:
            raise StatementFailed("sql_limit", "too_many_rows", f"the result has more than {MOST_ROWS:,} rows")
        return rows


def _under(items: Sequence[dict[str, JsonValue]], rows: Rows, by: str) -> Iterator[tuple[str, JsonValue]]:
    """Each item under its row's value of the column ``by``; the value of the only other field stands for the item."""
    if not rows.rows:
        return
    place = rows.columns.index(by)
    alone = len(rows.columns) == 2
    for item, row in zip(items, rows.rows, strict=True):
        yield shown(row[place]), next(iter(item.values()), None) if alone and len(item) < 2 else dict(item)


def converters(rows: Rows) -> tuple[Callable[[Any], JsonValue], ...]:
    """For each column, what turns its values into JSON."""
    return tuple(_CONVERTERS.get(kind, _plain) for kind in rows.types)


def _plain(value: Value) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value.hex() if isinstance(value, bytes) else value


def _boolean(value: Value) -> JsonValue:
    return bool(value) if value in (0, 1) else _plain(value)


def _json(value: Value) -> JsonValue:
    if not isinstance(value, str) or _nesting(value) > _DEEPEST_JSON:
        return _plain(value)
    try:
        content: JsonValue = json.loads(value)
    except ValueError:
        return value
    return content


def _nesting(text: str) -> int:
    """Levels of brackets, those inside strings counted too: never less than the nesting of the JSON in it."""
    if text.count("[") + text.count("{") <= _DEEPEST_JSON:
        return 0
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


_CONVERTERS: dict[str, Callable[[Any], JsonValue]] = {"boolean": _boolean, "json": _json}
