"""What can be read off the text of a rule's query, and the same query asked of one row or of the start.

The author's text is kept as it is; only the names of tables are replaced in it, found by their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from simulator.sql.gate import check_text
from simulator.sql.schema import Schema, TableSchema, quoted
from simulator.sql.tokens import Token, significant

OLD_PREFIX, KEY_PREFIX = "worldwright_old_", "worldwright_key_"
"""Parameters of the queries made here: with a column's number, and with a key column's."""

LOGS = frozenset({"action", "change"})
"""Tables that show what happened in the episode; nothing happened before it began."""

# Words that make a result depend on more than one row, or on which row comes first.
_BEYOND_ONE_ROW = frozenset({
    "with", "distinct", "join", "union", "intersect", "except", "group", "having", "limit", "offset", "over", "values",
    "filter", "returning", "indexed",
})  # fmt: skip
_AGGREGATES = frozenset({
    "avg", "count", "group_concat", "json_group_array", "json_group_object", "jsonb_group_array", "jsonb_group_object",
    "max", "median", "min", "percentile", "percentile_cont", "percentile_disc", "string_agg", "sum", "total",
})  # fmt: skip
_ROW_IDS = frozenset({"rowid", "oid", "_rowid_"})


@dataclass(frozen=True, slots=True)
class RowQuery:
    """A query that judges each row of one table by itself.

    ``on_row`` asks it of the row with the key bound as ``worldwright_key_0``, …; ``on_old`` of the row whose values are
    bound as ``worldwright_old_0``, …, in the order of the table's columns.
    """

    table: str
    on_row: str
    on_old: str


def row_query(sql: str, schema: Schema) -> RowQuery | None:
    """The query by row, None unless it is `select … from table [where …]` over one table and nothing else."""
    tokens = significant(sql)
    words = [token.folded for token in tokens]
    if words[-1:] == [";"]:
        tokens, words = tokens[:-1], words[:-1]
    if words[:1] != ["select"] or words.count("select") != 1 or words.count("from") != 1:
        return None
    if _BEYOND_ONE_ROW & set(words) or _calls_an_aggregate(tokens) or _reads_a_table_by_in(tokens):
        return None
    place = words.index("from") + 1
    table = schema.tables.get(tokens[place].name or "") if place < len(tokens) else None
    if table is None or _ROW_IDS & set(words) - set(table.column_names):
        return None
    named = _alias_ends(tokens, place)
    if named is None:
        return None
    alias = "" if named > place else f" as {quoted(table.name)}"
    head, tail = sql[: tokens[place].start], sql[tokens[place].end :]
    return RowQuery(
        table.name,
        f"{head}(select * from {quoted(table.name)} where {_key_condition(table)}){alias}{tail}",
        f"{head}(select {_old_columns(table)}){alias}{tail}",
    )


def query_at_start(sql: str, schema: Schema) -> str | None:
    """The query with every table and view read from `before`, None if its names cannot be told apart with certainty."""
    if check_text(sql) is not None or _reads_a_table_by_in(significant(sql)):
        return None
    try:
        root = sqlglot.parse_one(sql, read="sqlite")
        scopes = traverse_scope(root)
    except SqlglotError:
        return None
    known = {*schema.tables, *schema.views}
    starts: set[int] = set()
    for scope in scopes:
        for table in scope.tables:
            if table.db:
                if table.db.lower() != "before":
                    return None
            elif not isinstance(table.this, exp.Identifier):
                continue  # a function, such as json_each
            elif table.name in scope.sources and not isinstance(scope.sources[table.name], exp.Table):
                continue  # a common table expression
            elif table.name not in known:
                return None
            else:
                starts.add(_identifier_start(table, sql))
    if -1 in starts or any(column.args.get("db") for column in root.find_all(exp.Column)):
        return None
    for start in sorted(starts, reverse=True):
        sql = f"{sql[:start]}before.{sql[start:]}"
    return sql


def _identifier_start(table: exp.Table, sql: str) -> int:
    """Where a table's name stands in the text, -1 if it does not stand where the parser says."""
    start = table.this.meta.get("start", -1)
    end = table.this.meta.get("end", -1)
    written = sql[start : end + 1].strip('"`[]') if start >= 0 else None
    return start if written == table.name else -1


def _calls_an_aggregate(tokens: tuple[Token, ...]) -> bool:
    return any((token.name or "").lower() in _AGGREGATES and after.text == "(" for token, after in pairwise(tokens))


def _reads_a_table_by_in(tokens: tuple[Token, ...]) -> bool:
    """Whether `x in name` stands for a query over a table."""
    return any(token.folded == "in" and after.text != "(" for token, after in pairwise(tokens))


def _alias_ends(tokens: tuple[Token, ...], place: int) -> int | None:
    """The place of the table's last word, alias included; None if something other than `where` or `order` follows."""
    end = place
    following: list[Token] = list(tokens[place + 1 : place + 3])
    if following and following[0].folded == "as":
        end += 2
    elif following and following[0].name is not None and following[0].folded not in ("where", "order"):
        end += 1
    after = tokens[end + 1].folded if end + 1 < len(tokens) else "where"
    return end if after in ("where", "order") else None


def _key_condition(table: TableSchema) -> str:
    return " and ".join(f"{quoted(name)} = :{KEY_PREFIX}{index}" for index, name in enumerate(table.key))


def _old_columns(table: TableSchema) -> str:
    """The old values as columns; the casts change no value, but give each its column's affinity in comparisons."""
    return ", ".join(
        f"cast(:{OLD_PREFIX}{index} as {column.storage}) as {quoted(column.name)}"
        for index, column in enumerate(table.columns)
    )
