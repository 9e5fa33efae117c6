"""Every SQL text of a scenario, prepared on the twin in the scope of its place, each distinct one once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from simulator.lint.findings import Findings
from simulator.lint.scopes import Scope
from simulator.scenario import did_you_mean
from simulator.scenario.paths import Path
from simulator.sql import Role, SqlProblem, StatementFacts, Twin, check_text
from simulator.sql.advice import (
    ColumnName,
    lost_json_subtype,
    nullable_comparison,
    sum_of_nothing,
    tautological_where,
    whole_division,
)
from simulator.sql.problems import line_and_column
from simulator.sql.schema import ColumnSchema, Schema
from simulator.sql.tokens import significant

_ENGINE_TABLES = frozenset({"action", "change"})

_LONGEST_SHOWN = 60


class Statements:
    """Checks the SQL texts of one scenario and reports what is wrong with them.

    ``unusable`` are tables and views that have problems of their own; what follows from these is not reported again.
    """

    def __init__(self, twin: Twin, schema: Schema, unusable: frozenset[str], findings: Findings) -> None:
        self.schema = schema
        self.unusable = unusable
        self._twin = twin
        self._findings = findings
        self._analysed: dict[tuple[str, Role, Scope], StatementFacts | list[SqlProblem]] = {}
        self._read: dict[str, _Names] = {}
        self._json = _columns(schema, lambda column: column.type == "json")
        self._nullable = _columns(schema, lambda column: column.nullable)

    def check(self, sql: str, path: Path, role: Role, scope: Scope) -> StatementFacts | None:
        """What the text at ``path`` does; None when it is wrong, or names what is wrong itself."""
        self._check_parameters(sql, path, scope)
        facts = self._analyse(sql, role, scope)
        if isinstance(facts, list):
            hidden = self.unusable | scope.broken
            for problem in facts:
                if not (problem.code == "sql_unknown_name" and hidden & _parts(problem)):
                    self._findings.statement(self._explained(problem, sql, role), path, sql)
            return None
        self._check_readable(facts, path, scope)
        if "new_id" in facts.functions:
            self._check_new_ids(sql, path)
        advice = lost_json_subtype(facts.sql, self._json) if "json" in sql.lower() else []
        advice += sum_of_nothing(facts.sql) if "sum" in sql.lower() else []
        advice += whole_division(facts.sql) if "/" in sql else []
        if role == "write" and (careless := tautological_where(sql)) is not None:
            advice.append(careless)
        for problem in advice:
            self._findings.statement(problem, path, sql)
        return facts

    def require(self, sql: str, path: Path, scope: Scope, nullable: Collection[ColumnName] = ()) -> None:
        """Check a condition that must hold; ``nullable`` are columns that may be NULL beside those of tables."""
        facts = self.check(sql, path, "condition", scope)
        if facts is not None:
            read = [(table, column) for _, table, column in facts.reads if (table, column) in self._nullable]
            for problem in nullable_comparison(sql, [*read, *nullable]):
                self._findings.statement(problem, path, sql)

    def view_columns(self, name: str) -> tuple[str, ...] | None:
        """The columns of a view; None when there is no such view, or it is wrong itself."""
        if name not in self.schema.views or name in self.unusable:
            return None
        facts = self._analyse(f'select * from "{name}"', "query", Scope())
        return None if isinstance(facts, list) else tuple(column.name for column in facts.columns)

    def computed_columns(self, view: str) -> tuple[str, ...]:
        """The columns of a view that are no table's column, whose type is therefore unknown."""
        facts = self._analyse(f'select * from "{view}"', "query", Scope())
        return () if isinstance(facts, list) else tuple(column.name for column in facts.columns if not column.column)

    def uses(self, sql: str) -> frozenset[str]:
        """The names of parameters and tables a text may use; none where it is refused unread."""
        return self._names(sql).words

    def _names(self, sql: str) -> _Names:
        if sql not in self._read:
            self._read[sql] = _Names.of(sql)
        return self._read[sql]

    def _analyse(self, sql: str, role: Role, scope: Scope) -> StatementFacts | list[SqlProblem]:
        key = (sql, role, Scope(rowsets=scope.rowsets, rows=scope.rows))
        if key not in self._analysed:
            self._analysed[key] = self._twin.analyse(sql, role=role, ctes=scope.rowsets, over=scope.rows)
        return self._analysed[key]

    def _check_parameters(self, sql: str, path: Path, scope: Scope) -> None:
        for name in self._names(sql).parameters if not scope.open else ():
            if name in scope.parameters or name.startswith("_"):
                continue
            bound = ", ".join(f":{known}" for known in sorted(scope.parameters)[:12])
            hint = did_you_mean(name, sorted(scope.parameters)) or (f"Bound here: {bound}." if bound else "")
            message = f"Nothing binds `:{name}`." if bound else f"`:{name}` is read, and nothing is bound here."
            self._findings.parameter(message, path, sql, name, hint)

    def _check_readable(self, facts: StatementFacts, path: Path, scope: Scope) -> None:
        if scope.engine:
            return
        engine = [table for _, table, _ in facts.reads if table in _ENGINE_TABLES]
        before = [f"before.{table}" for database, table, _ in facts.reads if database == "before"]
        for name in sorted({*engine, *before})[:1]:
            self._findings.error("not_readable_here", f"`{name}` can be read by rules and checks only.", path)

    def _check_new_ids(self, sql: str, path: Path) -> None:
        tokens = significant(sql)
        for function, bracket, argument in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if function.folded != "new_id" or bracket.text != "(" or argument.kind != "string":
                continue
            name = argument.name or ""
            table = self.schema.tables.get(name)
            place = line_and_column(sql, argument.start)
            if table is None and name not in self.unusable:
                hint = did_you_mean(name, self.schema.tables)
                problem = SqlProblem("sql_unknown_name", f"There is no table `{name}` to make a key for.", *place, hint)
            elif table is not None and len(table.key) > 1:
                problem = SqlProblem("sql_unsupported", f"The key of `{name}` has several columns.", *place)
            else:
                continue
            self._findings.statement(problem, path, sql)

    def _explained(self, problem: SqlProblem, sql: str, role: Role) -> SqlProblem:
        """A condition in place of a query, and a refused write of a history, say what to do."""
        if role == "query" and problem.code == "sql_syntax" and not problem.suggestion and not _begins_a_query(sql):
            return replace(problem, suggestion=f"Write a query: `select {_shortened(sql)} …`.")
        table = self.schema.tables.get(problem.names[0]) if problem.names else None
        if problem.code == "sql_forbidden" and table is not None and table.history_of is not None:
            message = f"Only the engine writes `{table.name}`."
            return replace(problem, message=message, suggestion=f"Change the state in `{table.history_of}`.")
        return problem


@dataclass(frozen=True, slots=True)
class _Names:
    """The parameters of a text in order of appearance, and all words in it that can name something."""

    parameters: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, sql: str) -> _Names:
        """Of a text that is not refused unread; otherwise nothing."""
        if check_text(sql) is not None:
            return cls()
        tokens = significant(sql)
        parameters = dict.fromkeys(token.text[1:] for token in tokens if token.text.startswith(":"))
        return cls(tuple(parameters), frozenset(name for token in tokens if (name := token.name)) | set(parameters))


def _begins_a_query(sql: str) -> bool:
    return next((token.folded in ("select", "with", "values") for token in significant(sql)), True)


def _shortened(sql: str) -> str:
    words = " ".join(sql.split())
    return words if len(words) <= _LONGEST_SHOWN else words[:_LONGEST_SHOWN].rstrip() + " …"


def _columns(schema: Schema, wanted: Callable[[ColumnSchema], bool]) -> frozenset[ColumnName]:
    return frozenset(
        (table.name, column.name) for table in schema.tables.values() for column in table.columns if wanted(column)
    )


def _parts(problem: SqlProblem) -> set[str]:
    """The names a problem speaks of, and the parts they are made of."""
    return {part for name in problem.names for part in name.split(".")}
