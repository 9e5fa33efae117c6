"""The names a statement can use, and what was meant by one that does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import apsw

from simulator.sql.problems import did_you_mean
from simulator.sql.rowset import ListTable
from simulator.sql.statement import Cte, RowNames
from simulator.sql.tokens import Token

_TABLES = "select name from main.sqlite_schema where type in ('table', 'view') and name not glob 'sqlite[_]*'"
_COLUMNS = "select name from pragma_table_xinfo(?, 'main') order by cid"
_KEY = "select name from pragma_table_xinfo(?, 'main') where pk order by pk"

_LISTED = 30  # columns named in a message before it gets too long

# Words that follow a table's name without being its alias.
_NO_ALIAS = frozenset(
    (
        *(
            "where",
            "on",
            "set",
            "join",
            "left",
            "right",
            "full",
            "inner",
            "outer",
            "cross",
            "natural",
            "using",
            "group",
        ),
        *("order", "limit", "having", "union", "except", "intersect", "values", "select", "indexed", "not", "window"),
        *("returning", "default", "when", "and", "or", "is", "in"),
    )
)


@dataclass(frozen=True, slots=True)
class TableNames:
    """A table, view or row set by its names. ``key`` is empty but for tables of the world."""

    name: str
    columns: tuple[str, ...]
    key: tuple[str, ...] = ()


class Catalogue:
    """All tables of a connection by lower-case name, and questions about the names in a statement."""

    def __init__(self, tables: Iterable[TableNames]) -> None:
        self.tables: Mapping[str, TableNames] = {table.name.lower(): table for table in tables}

    @classmethod
    def of(cls, connection: apsw.Connection, engine_tables: Iterable[ListTable]) -> Catalogue:
        """The tables and views of ``main``, and the engine's tables. Reads the schema with the engine's rights."""
        tables = [TableNames(table.name, table.columns) for table in engine_tables]
        for (name,) in connection.execute(_TABLES).fetchall():
            columns = [str(column) for (column,) in connection.execute(_COLUMNS, (name,))]
            key = [str(column) for (column,) in connection.execute(_KEY, (name,))]
            tables.append(TableNames(str(name), tuple(columns), tuple(key)))
        return cls(tables)

    def extended(self, names: Iterable[Cte | RowNames]) -> Catalogue:
        """The catalogue a statement sees that has row sets and rows laid before it."""
        return Catalogue((*self.tables.values(), *(TableNames(item.name, item.columns) for item in names)))

    def is_key_column(self, table: str, column: str) -> bool:
        """Whether a column, or SQLite's row number, is part of the primary key."""
        key = self.tables[table.lower()].key if table.lower() in self.tables else ()
        return column.lower() == "rowid" or column.lower() in (name.lower() for name in key)

    def unknown_table(self, name: str) -> tuple[str, str]:
        """Message and suggestion for a table that does not exist."""
        plain = name.removeprefix("main.").removeprefix("before.")
        prefix = "before." if name.startswith("before.") else ""
        suggestion = did_you_mean(plain, (table.name for table in self.tables.values()), prefix=prefix)
        return f"There is no table `{name}`.", suggestion

    def unknown_column(self, reference: str, tokens: tuple[Token, ...]) -> tuple[str, str]:
        """Message and suggestion for a column that does not exist, ``reference`` being ``column`` or ``alias.column``.

        Which tables it could belong to is read from the statement's tokens.
        """
        *qualifier, column = reference.split(".")
        aliases = self.aliases(tokens)
        if qualifier:
            alias = qualifier[-1]
            table = aliases.get(alias.lower())
            if table is None and _names_a_result(alias, tokens):
                return f"There is no column `{column}` in `{alias}`.", ""
            if table is None:
                suggestion = did_you_mean(alias, aliases)
                return f"`{reference}`: nothing in this statement is called `{alias}`.", suggestion
            candidates = [table]
        else:
            candidates = list(dict.fromkeys(aliases.values()))
        if not candidates:
            return f"There is no column `{column}` here: the statement reads no table.", ""
        names = ", ".join(f"`{table.name}`" for table in candidates)
        message = f"There is no column `{column}` in {names}"
        if len(candidates) == 1:
            listed = ", ".join(candidates[0].columns[:_LISTED])
            more = ", …" if len(candidates[0].columns) > _LISTED else ""
            message += f"; its columns are {listed}{more}"
        owners = {name: table.name for table in reversed(candidates) for name in table.columns}
        suggestion = did_you_mean(column, owners)
        if suggestion and len(candidates) > 1:
            found = suggestion.split("`")[1]
            suggestion = f"Did you mean `{owners[found]}.{found}`?"
        return message + ".", suggestion

    def aliases(self, tokens: tuple[Token, ...]) -> dict[str, TableNames]:
        """What each name for a table stands for, in lower case: the table's own name, and its alias."""
        found: dict[str, TableNames] = {}
        for index, token in enumerate(tokens):
            name = token.name
            table = self.tables.get(name.lower()) if name is not None and token.kind != "string" else None
            follower = tokens[index + 1] if index + 1 < len(tokens) else None
            if table is None or (follower is not None and follower.text == "."):
                continue  # `before.ticket` and `ticket.id` are looked at once more at their second name
            if index and tokens[index - 1].text == "." and (index < 2 or tokens[index - 2].folded not in _DATABASES):
                continue  # a column of the same name as a table
            found.setdefault(table.name.lower(), table)
            if follower is not None and follower.folded == "as" and index + 2 < len(tokens):
                follower = tokens[index + 2]
            alias = follower.name if follower is not None and follower.kind in ("word", "quoted") else None
            if alias is not None and alias.lower() not in _NO_ALIAS:
                found[alias.lower()] = table
        return found


_DATABASES = ("main", "before")


def _names_a_result(alias: str, tokens: tuple[Token, ...]) -> bool:
    """Whether a name is given in the statement, to a subquery or a CTE, and not only put before columns."""
    pairs = zip(tokens, (*tokens[1:], None), strict=True)
    return any(
        (name := token.name) is not None
        and name.lower() == alias.lower()
        and (following is None or following.text != ".")
        for token, following in pairs
    )
