"""Operations: each of their texts in the order they run, with what the ones before it made known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from simulator.lint.findings import Findings
from simulator.lint.naming import operation_names
from simulator.lint.results import has_order, json_results
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean
from simulator.scenario.models import ConditionalEffect, Operation, Returns
from simulator.scenario.paths import Path
from simulator.sql.rowset import MAX_COLUMNS
from simulator.sql.twin import StatementFacts
from simulator.tools import MessageTemplate


@dataclass(frozen=True, slots=True)
class ResultShape:
    """What an operation's result is made of, as far as it can be told. ``fields`` None: any may be there.

    ``many`` says that it is a list of such objects, ``paged`` that the list is in ``items`` of a page.
    """

    fields: frozenset[str] | None
    nested: dict[str, ResultShape] = field(default_factory=dict)
    many: bool = False
    paged: bool = False


@dataclass(frozen=True, slots=True)
class CheckedOperation:
    """What the rest of lint needs to know of an operation: the names its texts use, the tables they read and write, and
    what it returns.
    """

    uses: frozenset[str]
    result: ResultShape
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()


def check_operation(operation: Operation, path: Path, statements: Statements, findings: Findings) -> CheckedOperation:
    """Check all SQL and messages of the operation at ``path``."""
    operation_names(operation, statements.schema, path, findings)
    check = _OperationCheck(operation, path, statements, findings)
    check.lets()
    check.guards()
    check.effects()
    result = ResultShape(frozenset({"ok"}))
    if operation.returns is not None:
        result = check.returns(operation.returns, (*path, "returns"), check.scope, paged=operation.page is not None)
    uses = check.uses | ({operation.idempotency} if operation.idempotency is not None else set())
    for name in operation.let:
        if name not in uses:
            message = f"Nothing uses the let `{name}`."
            findings.warning("unused_let", message, (*path, "let", name), "Take it out.", at_key=True)
    return CheckedOperation(frozenset(uses), result, frozenset(check.tables_read), frozenset(check.tables_written))


def check_placeholders(
    names: Iterable[str], scope: Scope, path: Path, findings: Findings, hint: str = "Write {{ and }} for braces."
) -> None:
    """Report names in braces that nothing fills."""
    for name in names:
        if name not in scope.parameters and not scope.open:
            near = did_you_mean(name, sorted(scope.parameters))
            findings.error("unknown_placeholder", f"`{{{name}}}` is filled by nothing here.", path, near or hint)


def check_distinct_columns(facts: StatementFacts | None, path: Path, findings: Findings) -> None:
    """Report names that several columns of a result share: only one of them would be seen."""
    counts = Counter(column.name for column in facts.columns) if facts is not None else Counter[str]()
    for name, count in counts.items():
        if count > 1:
            message = f"The query has {count} columns named `{name}`."
            findings.error("duplicate_column", message, path, "Name them with `as`.")


class _OperationCheck:
    def __init__(self, operation: Operation, path: Path, statements: Statements, findings: Findings) -> None:
        self.operation = operation
        self.path = path
        self.statements = statements
        self.findings = findings
        self.scope = Scope().binding([*operation.parameters, "actor"])
        self.uses: set[str] = set()
        self.tables_read: set[str] = set()
        self.tables_written: set[str] = set()
        self.columns: dict[str, StatementFacts | None] = {}

    def lets(self) -> None:
        for name, let in self.operation.let.items():
            path = (*self.path, "let", name)
            if isinstance(let, str):
                self._query(let, path, self.scope)
                self.scope = self.scope.binding([name])
                continue
            path = (*path, "rows")
            facts = self._query(let.rows, path, self.scope)
            check_distinct_columns(facts, path, self.findings)
            if facts is not None and len(facts.columns) > MAX_COLUMNS:
                message = f"A row set has at most {MAX_COLUMNS} columns; this one has {len(facts.columns)}."
                self.findings.error("too_many_columns", message, path)
                facts = None
            self.columns[name] = facts
            self.scope = self.scope.reading(name, facts)

    def guards(self) -> None:
        for index, guard in enumerate(self.operation.guards):
            path = (*self.path, "guards", index)
            known = self.scope
            if guard.require is not None:
                self.uses |= self.statements.uses(guard.require)
                self.statements.require(guard.require, (*path, "require"), self.scope)
            if guard.refuse is not None:
                known = known.binding_columns(self._query(guard.refuse, (*path, "refuse"), self.scope))
            self._message(guard.else_.message, (*path, "else", "message"), known)

    def effects(self) -> None:
        for index, effect in enumerate(self.operation.effects):
            path = (*self.path, "effects", index)
            if isinstance(effect, ConditionalEffect):
                self._conditional(effect, path)
            else:
                self._write(effect, path, self.scope)

    def returns(self, returns: Returns, path: Path, scope: Scope, *, paged: bool = False) -> ResultShape:
        if returns.text is not None:
            self._message(returns.text, (*path, "text"), scope)
            return ResultShape(frozenset())
        form = next((form for form in ("one", "many", "value", "values") if getattr(returns, form) is not None), "")
        inner = scope
        fields: set[str] = set()
        known = True
        if form:
            sql, place = str(getattr(returns, form)), (*path, form)
            facts = self._query(sql, place, scope)
            self._result_advice(sql, place, form, facts)
            if form in ("value", "values"):
                return ResultShape(None)
            check_distinct_columns(facts, place, self.findings)
            inner = scope.binding_columns(facts)
            known = facts is not None
            fields |= {column.name for column in facts.columns} if facts is not None else set()
            self._key_of_rows(returns, fields if known else None, path, paged=paged)
        nested: dict[str, ResultShape] = {}
        for name, part in returns.nest.items():
            if name in fields:
                message = f"`{name}` is a column of the query already."
                self.findings.error("duplicate_column", message, (*path, "nest", name), at_key=True)
            nested[name] = self.returns(part, (*path, "nest", name), inner)
        if returns.by is not None:
            return ResultShape(None)
        return ResultShape(frozenset(fields | set(nested)) if known else None, nested, form == "many", paged)

    def _key_of_rows(self, returns: Returns, columns: set[str] | None, path: Path, *, paged: bool) -> None:
        if returns.by is None:
            return
        path = (*path, "by")
        if paged:
            self.findings.error("by_page", "A result by pages is a list of rows.", path, "Leave out `by` or `page`.")
        if columns is not None and returns.by not in columns:
            hint = did_you_mean(returns.by, sorted(columns))
            self.findings.error("unknown_column", f"The query has no column `{returns.by}`.", path, hint)

    def _result_advice(self, sql: str, path: Path, form: str, facts: StatementFacts | None) -> None:
        if facts is None:
            return
        for advice in json_results(sql):
            self.findings.statement(advice, path, sql)
        if form in ("many", "values") and facts.reads and not has_order(sql):
            message = "Nothing says in which order the rows come."
            self.findings.warning("unordered", message, path, "Add `order by`.")

    def _conditional(self, effect: ConditionalEffect, path: Path) -> None:
        scope = self.scope
        if effect.each is not None:
            self.uses.add(effect.each)
            scope = scope.binding_columns(self.columns.get(effect.each))
        if effect.if_ is not None:
            self.uses |= self.statements.uses(effect.if_)
            self.statements.check(effect.if_, (*path, "if"), "condition", scope)
        if isinstance(effect.do, str):
            self._write(effect.do, (*path, "do"), scope)
        else:
            for index, sql in enumerate(effect.do):
                self._write(sql, (*path, "do", index), scope)

    def _query(self, sql: str, path: Path, scope: Scope) -> StatementFacts | None:
        self.uses |= self.statements.uses(sql)
        facts = self.statements.check(sql, path, "query", scope)
        self.tables_read |= facts.tables_read if facts is not None else frozenset()
        return facts

    def _write(self, sql: str, path: Path, scope: Scope) -> None:
        self.uses |= self.statements.uses(sql)
        facts = self.statements.check(sql, path, "write", scope)
        self.tables_written |= {table for _, table, _ in facts.writes} if facts is not None else set()

    def _message(self, text: str, path: Path, scope: Scope) -> None:
        names = MessageTemplate.parse(text).names
        self.uses |= set(names)
        check_placeholders(names, scope, path, self.findings)
