"""The live database of one world: the only way an author's SQL runs.

Every statement passes the same authorizer, work limit and row cap, whoever wrote it. What a statement may read beside
the world (row sets, the tables `action` and `change`, the state `before`) is laid on the connection, never into it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, cast

import apsw

from simulator.errors import EngineFault, WorldwrightError
from simulator.scenario.times import format_timestamp
from simulator.sql.agent import Cut, Judged, Limits, Role, register_actor, run, show
from simulator.sql.authorizer import AuthorPolicy, Policy
from simulator.sql.connection import GuardedConnection, connection_setup
from simulator.sql.engine_tables import ACTION_COLUMNS, CHANGE_COLUMNS
from simulator.sql.functions import FunctionProblem
from simulator.sql.preparing import Description
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import ROWS_TABLE, ListTable, row_set
from simulator.sql.schema import Schema, quoted
from simulator.sql.statement import Form, assemble, parameters_of, row_set_cte
from simulator.world.changes import Key, Value
from simulator.world.keys import KeySequences
from simulator.world.store import Store

if TYPE_CHECKING:
    from simulator.world.build import WorldImage

Bindings: TypeAlias = Mapping[str, Any]
"""Parameters by name. Booleans are bound as 0 or 1, lists and mappings as JSON text, everything else as it is."""

ROW_CAP = 100_000
"""The most rows an author's query may return; one that would return more fails with ``sql_limit``."""

SIZE_CAP = 64 * 1024 * 1024
"""The most characters in the texts of a query's result."""

WORK = 50_000_000
"""The most work of one of an author's statements in a world of scale 1, in SQLite VM instructions; it grows with the
scale."""

ACTION_WORK = 2 * WORK
"""The most work of all the author's statements that one action runs (:meth:`Database.one_action`), at scale 1."""

STATEMENT_COST = 500
"""What a statement costs beside its own instructions: about the time that these many take."""


@dataclass(frozen=True, slots=True)
class RowSetValue:
    """Rows computed by a `let`, readable as a table by later statements of the same operation."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A query's result. ``types`` are the language's types of the columns' origins, "" for expressions."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def dictionaries(self) -> tuple[dict[str, Value], ...]:
        """Each row by column name."""
        return tuple(dict(zip(self.columns, row, strict=True)) for row in self.rows)


@dataclass(frozen=True, slots=True)
class AgentRows:
    """What an agent's statement gave: ``affected`` rows changed, ``work`` done, the limit that ``cut`` the rows."""

    rows: Rows
    affected: int
    work: int
    cut: Cut


class StatementFailed(WorldwrightError):
    """A statement could not be carried out with the data at hand. The step that ran it turns this into a verdict.

    ``kind`` is ``constraint`` (``code`` says which: unique, not_null, foreign_key, check, type), ``sql_limit`` (too
    much work, too many rows) or ``sql_error`` (a function refused its argument, a number is out of range).
    """

    def __init__(self, kind: Literal["constraint", "sql_limit", "sql_error"], code: str, message: str) -> None:
        self.kind: Literal["constraint", "sql_limit", "sql_error"] = kind
        self.code = code
        self.message = message
        super().__init__(f"{code}: {message}")


NO_ROWSETS: Mapping[str, RowSetValue] = MappingProxyType({})


@dataclass(slots=True)
class EngineLogs:
    """What the tables `action` and `change` show: rows in the order of ``ACTION_COLUMNS`` and ``CHANGE_COLUMNS``.

    They are made only when a statement reads the table.
    """

    actions: Callable[[], Sequence[tuple[Value, ...]]] = field(default=tuple)
    changes: Callable[[], Sequence[tuple[Value, ...]]] = field(default=tuple)


class Database:
    """The live database of one image, on which episode states are laid.

    ``store`` lays them; ``keys`` and ``logs`` are laid with them by the caller. Callers hold ``store.lock``. Not to be
    carried over a fork of the process: the child makes its own.
    """

    def __init__(self, world: WorldImage) -> None:
        self.world = world
        self.schema: Schema = world.schema
        self.logs = EngineLogs()
        self.keys = KeySequences(world.scenario.document, world.schema, world.seed, world.image)
        self._most_work = int(WORK * max(1.0, world.scale))
        self._most_action_work = int(ACTION_WORK * max(1.0, world.scale))
        self._left: int | None = None
        self._reader = AuthorPolicy("query")
        self._writer = AuthorPolicy("write", writes=True, protected=world.schema.history_tables())
        self._plans: dict[tuple[str, str, str, tuple[tuple[str, tuple[str, ...]], ...]], _Plan] = {}
        self.store = Store(world.image, configure=self._configure)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; the image stays open."""
        self.store.close()

    def now(self) -> str:
        """The world's time as SQL shows it."""
        return format_timestamp(self.store.now)

    def new_id(self, table: str) -> int | str:
        """What the SQL function ``new_id`` gives."""
        with self._engine_work():
            return self.keys.next(self.store.connection, table)

    @contextmanager
    def one_action(self) -> Iterator[None]:
        """Author's statements inside may together do ``ACTION_WORK``; what goes beyond fails with ``sql_limit``.

        A loop over rows, or rules over many changes, is bounded by this and not by the limit of each statement.
        """
        outer, self._left = self._left, self._most_action_work
        try:
            yield
        finally:
            self._left = outer

    @property
    def exhausted(self) -> bool:
        """Whether the work that :meth:`one_action` allows is used up."""
        return self._left is not None and self._left <= 0

    def query(
        self,
        sql: str,
        bindings: Bindings,
        *,
        rowsets: Mapping[str, RowSetValue] = NO_ROWSETS,
        limit: int = ROW_CAP,
        head: int | None = None,
    ) -> Rows:
        """The rows of an author's query, or its first ``head`` rows.

        Raises :class:`StatementFailed` when it fails or has more than ``limit`` rows.
        """
        plan = self._plan(sql, rowsets, self._reader)
        rows = self._run(plan, plan.bind(bindings, rowsets), limit + 1 if head is None else head)
        if not rows:
            return Rows((), (), ())
        if len(rows) > limit:
            raise StatementFailed("sql_limit", "too_many_rows", f"The query returns more than {limit:,} rows.")
        return Rows(plan.columns, plan.types, rows)

    def value(self, sql: str, bindings: Bindings, *, rowsets: Mapping[str, RowSetValue] = NO_ROWSETS) -> Value:
        """The first column of a query's first row, None when there is no row."""
        return self._first(self._plan(sql, rowsets, self._reader), bindings, rowsets)

    def holds(self, condition: str, bindings: Bindings, *, rowsets: Mapping[str, RowSetValue] = NO_ROWSETS) -> bool:
        """Whether a condition is true. NULL does not hold."""
        return bool(self._first(self._plan(condition, rowsets, self._reader, form="condition"), bindings, rowsets))

    def write(self, sql: str, bindings: Bindings, *, rowsets: Mapping[str, RowSetValue] = NO_ROWSETS) -> None:
        """Carry out an author's write. The caller stands inside a recording and rolls it back on failure."""
        plan = self._plan(sql, rowsets, self._writer)
        self._run(plan, plan.bind(bindings, rowsets), 1)

    def learn_dialects(self) -> None:
        """Add the functions that translations of other dialects call."""
        from simulator.sql.dialects import register_dialect_functions  # loads a parser

        register_dialect_functions(self.store.connection)

    def show_to(self, role: Role) -> None:
        """Make the world visible to a role of an SQL tool, as its grants say."""
        with self._engine_work():
            show(self._guarded, role)

    def run_agent(self, statement: Judged, limits: Limits, actor: Value) -> AgentRows | SqlProblem:
        """Run a statement the guard has let through, for ``actor``; a write stands inside a recording.

        Raises :class:`StatementFailed` for a broken constraint. The caller rolls back unless rows come back.
        """
        self._acting.actor = actor
        try:
            ran = run(self._guarded, statement, limits)
        except apsw.ConstraintError as error:
            raise _constraint_failure(error) from error
        if isinstance(ran, SqlProblem):
            return ran
        columns, types = self._described(ran.columns)
        if statement.columns is not None and len(statement.columns) == len(columns):
            columns, types = tuple(name for name, _ in statement.columns), tuple(kind for _, kind in statement.columns)
        return AgentRows(Rows(columns, types, ran.rows), ran.affected, ran.work, ran.cut)

    def append_history(self, table: str, parent: Value, from_state: str, to_state: str) -> None:
        """Add a row to a history table at the world's time."""
        schema = self.schema.tables[table]
        names = ", ".join(map(quoted, schema.column_names))
        with self._engine_work():
            key = self.keys.next(self.store.connection, table)
            self.store.connection.execute(
                f"insert into main.{quoted(table)} ({names}) values (?, ?, ?, ?, ?)",
                (key, parent, from_state, to_state, self.now()),
            ).close()

    def row(self, table: str, key: Key) -> dict[str, Value] | None:
        """The whole row at ``key`` now, or None."""
        outer, self._authorizer.policy = self._authorizer.policy, None
        try:
            row = self.store.fetch_row(table, key)
        finally:
            self._authorizer.policy = outer
        return None if row is None else dict(row)

    def change_holds(
        self,
        condition: str,
        table: str,
        old: Mapping[str, Value] | None,
        new: Mapping[str, Value] | None,
        bindings: Bindings,
    ) -> bool:
        """Whether a condition over ``old`` and ``new`` holds. Both are whole rows; None reads as a row of NULLs."""
        return self._row_condition(condition, table, {"old": old, "new": new}, bindings)

    def row_holds(self, condition: str, table: str, row: Mapping[str, Value], bindings: Bindings) -> bool:
        """Whether a condition over one row holds: its columns by name, also as ``table.column``."""
        return self._row_condition(condition, table, {table: row}, bindings)

    def _row_condition(
        self, condition: str, table: str, rows: Mapping[str, Mapping[str, Value] | None], bindings: Bindings
    ) -> bool:
        columns = self.schema.tables[table].column_names
        bound = dict(bindings)
        for name, row in rows.items():
            values = (None,) * len(columns) if row is None else tuple(map(row.get, columns))
            bound[f"_{name}"] = row_set((values,))
        suffix = _rows_in_scope(tuple(rows), columns)
        plan = self._plan(condition, NO_ROWSETS, self._reader, form="condition", suffix=suffix)
        return bool(self._first(plan, bound, NO_ROWSETS))

    def _first(self, plan: _Plan, bindings: Bindings, rowsets: Mapping[str, RowSetValue]) -> Value:
        rows = self._run(plan, plan.bind(bindings, rowsets), 1)
        return cast(Value, rows[0][0]) if rows else None

    def _plan(
        self,
        sql: str,
        rowsets: Mapping[str, RowSetValue],
        policy: Policy,
        *,
        form: Form = "statement",
        suffix: str = "",
    ) -> _Plan:
        """The text to run. Lint has accepted it, so a refusal here is a fault of the engine."""
        shapes = tuple([(name, value.columns) for name, value in rowsets.items()]) if rowsets else ()
        key = (sql, policy.name, suffix, shapes)
        plan = self._plans.get(key)
        if plan is None:
            ctes = tuple(row_set_cte(name, value.columns) for name, value in rowsets.items())
            assembled = assemble(sql, ctes, form)
            if isinstance(assembled, SqlProblem):
                raise EngineFault(f"A statement that was never checked cannot run. {assembled}")
            # The policy's name is part of the text, so SQLite's cache never hands a statement to another policy.
            text = f"{assembled.sql}{suffix}\n/*{policy.name}*/"
            plan = self._plans[key] = _Plan(text, policy, parameters_of(text))
        return plan

    def _described(self, description: Description) -> tuple[tuple[str, ...], tuple[str, ...]]:
        names, types = [], []
        for name, _, _, table, origin in description:
            known = self.schema.tables.get(table or "")
            column = known.column(origin or "") if known is not None else None
            names.append(name or "")
            types.append(column.type if column is not None else "")
        return tuple(names), tuple(types)

    def _configure(self, connection: apsw.Connection) -> None:
        tables = (
            ListTable("action", ACTION_COLUMNS, self._action_rows),
            ListTable("change", CHANGE_COLUMNS, self._change_rows),
        )
        self._guarded: GuardedConnection = connection_setup(connection, context=self, engine_tables=tables)
        self._acting = register_actor(connection)
        self._authorizer, self._work = self._guarded.authorizer, self._guarded.work

    def _action_rows(self) -> Sequence[tuple[Value, ...]]:
        return self.logs.actions()

    def _change_rows(self) -> Sequence[tuple[Value, ...]]:
        return self.logs.changes()

    @contextmanager
    def _engine_work(self) -> Iterator[None]:
        """The engine's own statements, which no policy judges."""
        outer, self._authorizer.policy = self._authorizer.policy, None
        try:
            yield
        finally:
            self._authorizer.policy = outer

    def _run(self, plan: _Plan, bound: Mapping[str, Any], most: int) -> tuple[tuple[Any, ...], ...]:
        """The first ``most`` rows of a statement, under its policy and the work limit.

        What stops it becomes :class:`StatementFailed`.
        """
        authorizer, work, left = self._authorizer, self._work, self._left
        if left is not None and left <= 0:
            raise _too_much_work()
        outer_policy, authorizer.policy = authorizer.policy, plan.policy
        outer_work = work.start(self._most_work if left is None or left > self._most_work else left)
        try:
            cursor = self.store.connection.execute(plan.text, bound)
            row = next(cursor, None)
            if row is None:
                return ()
            if not plan.columns:
                plan.columns, plan.types = self._described(cursor.description_full)
            rows = _bounded(row, islice(cursor, most - 1)) if most > 1 else (row,)
            cursor.close()
            return rows
        except apsw.InterruptError as error:
            if work.excess == "time":
                raise EngineFault(f"A statement ran longer than {work.WATCHDOG:.0f} seconds.") from error
            raise _too_much_work() from error
        except apsw.ConstraintError as error:
            raise _constraint_failure(error) from error
        except (apsw.TooBigError, apsw.FullError) as error:
            raise StatementFailed("sql_limit", "too_large", "A value or the database grew too large.") from error
        except (apsw.SQLError, apsw.MismatchError, FunctionProblem, OverflowError, UnicodeError) as error:
            raise StatementFailed("sql_error", "not_possible", str(error)) from error
        except apsw.AuthError as error:
            raise EngineFault(f"A statement that was never checked ran. {authorizer.refusal(error)}") from error
        except apsw.Error as error:
            raise EngineFault(f"SQLite failed on a scenario's statement: {error}") from error
        finally:
            done = work.stop(outer_work)
            authorizer.policy = outer_policy
            if left is not None:
                self._left = left - done - STATEMENT_COST


def _too_much_work() -> StatementFailed:
    return StatementFailed("sql_limit", "too_much_work", "This is too much work for one action.")


@dataclass(slots=True)
class _Plan:
    """A statement ready to run: its text with row sets, its policy and parameters, its columns once it has run."""

    text: str
    policy: Policy
    parameters: tuple[str, ...]
    columns: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def bind(self, bindings: Bindings, rowsets: Mapping[str, RowSetValue]) -> dict[str, Any]:
        """What is bound to each parameter."""
        return {
            name: row_set(rowsets[name[1:]].rows)
            if name[1:] in rowsets and name[0] == "_"
            else _bindable(bindings, name)
            for name in self.parameters
        }


def _bindable(bindings: Bindings, name: str) -> Any:
    if name not in bindings:
        raise EngineFault(f"Nothing is bound to :{name}.")
    value = bindings[name]
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


@lru_cache(maxsize=1024)
def _rows_in_scope(names: tuple[str, ...], columns: tuple[str, ...]) -> str:
    """The FROM clause of a condition that sees one row under each of these names, bound as ``:_name``."""
    fields = ", ".join(f"c{index} as {quoted(column)}" for index, column in enumerate(columns))
    return " from " + ", ".join(f"(select {fields} from {ROWS_TABLE}(:_{name})) as {quoted(name)}" for name in names)


def _bounded(first: tuple[Any, ...], rest: Iterator[tuple[Any, ...]]) -> tuple[tuple[Any, ...], ...]:
    """All rows, unless their texts are larger than ``SIZE_CAP`` together."""
    rows = [first]
    size = 0
    for row in rest:
        rows.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if size > SIZE_CAP:
            raise StatementFailed("sql_limit", "too_large", f"The query returns more than {SIZE_CAP:,} bytes.")
    return tuple(rows)


_CONSTRAINTS = {
    apsw.SQLITE_CONSTRAINT_UNIQUE: "unique",
    apsw.SQLITE_CONSTRAINT_PRIMARYKEY: "unique",
    apsw.SQLITE_CONSTRAINT_ROWID: "unique",
    apsw.SQLITE_CONSTRAINT_NOTNULL: "not_null",
    apsw.SQLITE_CONSTRAINT_FOREIGNKEY: "foreign_key",
    apsw.SQLITE_CONSTRAINT_CHECK: "check",
    apsw.SQLITE_CONSTRAINT_DATATYPE: "type",
}


def _constraint_failure(error: apsw.ConstraintError) -> StatementFailed:
    return StatementFailed(
        "constraint", _CONSTRAINTS.get(getattr(error, "extendedresult", 0), "constraint"), str(error)
    )
