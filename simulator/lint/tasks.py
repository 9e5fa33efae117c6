"""Task templates: their SQL, their names, and the values their texts stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.errors import Problem
from simulator.lint.calls import SolutionCheck
from simulator.lint.findings import Findings
from simulator.lint.operations import CheckedOperation, check_distinct_columns, check_placeholders
from simulator.lint.roles import check_role
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean, render_path
from simulator.scenario.models import (
    RESERVED_PARAMETERS,
    Actor,
    AnswerCheck,
    ExpectedValue,
    MayChange,
    ScenarioDocument,
    TaskTemplate,
)
from simulator.scenario.paths import Path, parse_path
from simulator.sql.twin import StatementFacts
from simulator.tasks import answer_problems, names_used

_ANSWER_FORMS = ("exact", "number", "set_", "list_")


def check_tasks(
    document: ScenarioDocument,
    operations: Mapping[str, CheckedOperation],
    statements: Statements,
    findings: Findings,
) -> None:
    """Check every task template."""
    for name, template in document.tasks.items():
        _TemplateCheck(document, template, ("tasks", name), operations, statements, findings).run()


class _TemplateCheck:
    def __init__(
        self,
        document: ScenarioDocument,
        template: TaskTemplate,
        path: Path,
        operations: Mapping[str, CheckedOperation],
        statements: Statements,
        findings: Findings,
    ) -> None:
        self.document = document
        self.template = template
        self.path = path
        self.operations = operations
        self.statements = statements
        self.findings = findings

    def run(self) -> None:
        draw, parameters = None, Scope()
        if self.template.draw is not None:
            draw = self.statements.check(self.template.draw, (*self.path, "draw"), "query", Scope())
            self._check_columns(draw)
            parameters = Scope().binding_columns(draw)
        bound = parameters.binding(RESERVED_PARAMETERS)
        self._check_words(parameters)
        for index, sql in enumerate(self.template.setup):
            self.statements.check(sql, (*self.path, "setup", index), "write", bound)
        self._check_solutions(draw, parameters, bound)
        for name, check in self.template.checks.items():
            path = (*self.path, "checks", name)
            if check.passes is not None:
                self.statements.check(check.passes, (*path, "passes"), "query", bound.reading_engine_tables())
            if check.answer is not None:
                self._check_answer(check.answer, (*path, "answer"), parameters, bound)
            if check.same_as_solution and not (self.template.solution or self.template.solutions):
                message = "There is no solution to compare with."
                self.findings.error("no_solution", message, (*path, "same_as_solution"), "Write a `solution`.")
        for index, entry in enumerate(self.template.may_change or ()):
            self._check_may_change(entry, (*self.path, "may_change", index), bound)

    def _check_columns(self, draw: StatementFacts | None) -> None:
        path = (*self.path, "draw")
        check_distinct_columns(draw, path, self.findings)
        for column in draw.columns if draw is not None else ():
            if column.name in RESERVED_PARAMETERS:
                message = f"`{column.name}` has a meaning of its own in checks; a parameter cannot take the name."
                self.findings.error("reserved_name", message, path, "Name the column otherwise with `as`.")
            elif not column.name.isidentifier() or not column.name.isascii() or column.name != column.name.lower():
                message = f"The column `{column.name[:60]}` is no name for a parameter."
                self.findings.error("parameter_name", message, path, "Name it with `as`, in small letters.")

    def _check_words(self, parameters: Scope) -> None:
        template = self.template
        hint = "Add it to the draw, or write {{ and }} for braces."
        if isinstance(template.instruction, str):
            phrases: list[tuple[str, Path]] = [(template.instruction, (*self.path, "instruction"))]
        else:
            phrases = [(text, (*self.path, "instruction", at)) for at, text in enumerate(template.instruction)]
        for text, path in phrases:
            check_placeholders(names_used(text), parameters, path, self.findings, hint)
        if isinstance(template.as_, Actor):
            check_role(template.as_.role, (*self.path, "as", "role"), self.document, self.findings)
            path = (*self.path, "as", "actor")
            check_placeholders(names_used(template.as_.actor), parameters, path, self.findings, hint)
        elif template.as_ is not None:
            check_role(template.as_, (*self.path, "as"), self.document, self.findings)
        if template.expects is not None:
            self._check_known("unknown_refusal", "refusal code", template.expects.refusal, ("expects", "refusal"))
        if template.twin is not None:
            self._check_known("unknown_task", "task", template.twin, ("twin",))

    def _check_known(self, code: str, what: str, name: str, place: Path) -> None:
        known = self.document.refusals if code == "unknown_refusal" else [*self.document.tasks]
        if name not in known:
            hint = did_you_mean(name, known)
            self.findings.error(code, f"There is no {what} {name!r}.", (*self.path, *place), hint)

    def _check_solutions(self, draw: StatementFacts | None, parameters: Scope, bound: Scope) -> None:
        role = self.template.as_.role if isinstance(self.template.as_, Actor) else self.template.as_
        types = {column.name: column.type for column in draw.columns} if draw is not None else {}
        solutions = [(calls, (*self.path, "solutions", at)) for at, calls in enumerate(self.template.solutions or ())]
        if self.template.solution is not None:
            solutions.append((self.template.solution, (*self.path, "solution")))
        for calls, path in solutions:
            check = SolutionCheck(self.document, self.operations, role, self.statements, self.findings)
            check.run(calls, path, parameters.binding(["actor"]), bound, types)

    def _check_answer(self, answer: AnswerCheck, path: Path, parameters: Scope, bound: Scope) -> None:
        for problem in answer_problems(answer, ""):
            place = render_path((*path, *parse_path(problem.path.removeprefix("."))))
            self.findings.add([Problem(problem.code, problem.message, place, suggestion=problem.suggestion)])
        for form in _ANSWER_FORMS:
            value: Any = getattr(answer, form)
            place_of_form = (*path, form.removesuffix("_"))
            if isinstance(value, ExpectedValue):
                facts = self.statements.check(value.sql, (*place_of_form, "sql"), "query", bound)
                if form in ("exact", "number") and facts is not None and len(facts.columns) > 1:
                    message = f"One value is expected, and the query has {len(facts.columns)} columns."
                    self.findings.error("several_values", message, (*place_of_form, "sql"))
            else:
                check_placeholders(names_used(value), parameters, place_of_form, self.findings)

    def _check_may_change(self, entry: MayChange, path: Path, bound: Scope) -> None:
        table = self.statements.schema.tables.get(entry.table)
        if table is None:
            if entry.table not in self.statements.unusable:
                hint = did_you_mean(entry.table, self.statements.schema.tables)
                self.findings.error("unknown_table", f"There is no table {entry.table!r}.", (*path, "table"), hint)
            return
        for index, name in enumerate(entry.columns if entry.columns != "*" else ()):
            if table.column(name) is None:
                hint = did_you_mean(name, table.column_names)
                self.findings.error(
                    "unknown_column", f"{table.name} has no column {name!r}.", (*path, "columns", index), hint
                )
        if entry.where is not None:
            scope = bound.reading_engine_tables().about_row(table)
            self.statements.check(entry.where, (*path, "where"), "condition", scope)
