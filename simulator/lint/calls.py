"""The calls of a solution: tools its role has, arguments that can fit, values that are there to be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simulator.errors import ScenarioError
from simulator.lint.findings import Findings
from simulator.lint.operations import CheckedOperation, ResultShape, check_placeholders
from simulator.lint.scopes import Scope
from simulator.lint.statements import Statements
from simulator.scenario import did_you_mean
from simulator.scenario.models import Call, Operation, Parameter, ScenarioDocument
from simulator.scenario.paths import Path
from simulator.tasks import fill_arguments, names_used
from simulator.tools import FINISH, SQL, WAIT, ArgumentReader, Verdict
from simulator.tools.built_in import check_wait

_TEXT = Parameter.model_validate({"type": "string", "max_length": 20_000})
_OPTIONAL_TEXT = Parameter.model_validate({"type": "string", "optional": True, "max_length": 20_000})
_STATEMENT = Parameter.model_validate({"type": "string", "max_length": 100_000})
_PAGE = Parameter.model_validate({"type": "integer", "optional": True, "minimum": 1})
_BUILT_IN: Mapping[str, Mapping[str, Parameter]] = {
    FINISH: {"answer": _OPTIONAL_TEXT, "refusal": _OPTIONAL_TEXT},
    WAIT: {"duration": _TEXT},
}
# JSON types that a value of a column of this storage can never become.
_NEVER_FITS = {
    "TEXT": frozenset({"integer", "number", "boolean"}),
    "INTEGER": frozenset({"array", "object"}),
    "REAL": frozenset({"array", "object"}),
}
_PAGE_FIELDS = frozenset({"items", "page", "total", "next_page"})


class SolutionCheck:
    """Checks the calls of one solution of a task that is played in ``role``."""

    def __init__(
        self,
        document: ScenarioDocument,
        operations: Mapping[str, CheckedOperation],
        role: str | None,
        statements: Statements,
        findings: Findings,
    ) -> None:
        self.document = document
        self.operations = operations
        self.role = role
        self.statements = statements
        self.findings = findings

    def run(self, calls: Sequence[Call], path: Path, known: Scope, bound: Scope, types: Mapping[str, str]) -> Scope:
        """Check the calls at ``path``; returns ``known`` with what they remember.

        ``known`` are the names that placeholders can use, ``bound`` the parameters of SQL, ``types`` the storage of the
        values that come from columns.
        """
        for index, call in enumerate(calls):
            place = (*path, index)
            if call.each is not None:
                facts = self.statements.check(call.each, (*place, "each"), "query", bound)
                columns = {column.name: column.type for column in facts.columns} if facts is not None else {}
                inner = self.run(
                    call.do, (*place, "do"), known.binding_columns(facts), bound.binding_columns(facts),
                    {**types, **columns},
                )  # fmt: skip
                remembered = {name for step in call.do for name in step.remember}
                known = Scope(known.parameters | (inner.parameters & remembered), open=known.open)
            elif call.tool is not None:
                self._call(call, call.tool, place, known, types)
                known = known.binding(call.remember)
        return known

    def _call(self, call: Call, name: str, path: Path, known: Scope, types: Mapping[str, str]) -> None:
        tool = self.document.tools.get(name)
        place = (*path, name)
        if tool is None and name not in _BUILT_IN:
            hint = did_you_mean(name, [*self.document.tools, *_BUILT_IN])
            self.findings.error("unknown_tool", f"There is no tool {name!r}.", place, hint, at_key=True)
            return
        if tool is not None and tool.roles is not None and self.role not in tool.roles:
            who = f"the role `{self.role}`" if self.role is not None else "a task without a role"
            message = f"`{name}` is not open to {who}."
            hint = f"Its roles are {', '.join(tool.roles)}."
            self.findings.error("tool_of_other_role", message, place, hint, at_key=True)
        check_placeholders(
            names_used(call.arguments), known, place, self.findings, "Draw it, or remember it from an earlier call."
        )
        if isinstance(tool, Operation):
            parameters = {**tool.parameters, **({"page": _PAGE} if tool.page is not None else {})}
            self._remember(call, place, name, path)
        elif tool is None:
            parameters = dict(_BUILT_IN[name])
        else:
            parameters = {SQL: _STATEMENT}
        if call.errs is None:  # a call that is meant to fail may fail by its arguments
            self._arguments(call, parameters, place, types)

    def _arguments(self, call: Call, parameters: Mapping[str, Parameter], path: Path, types: Mapping[str, str]) -> None:
        for name, value in call.arguments.items():
            parameter = parameters.get(name)
            if parameter is None:
                hint = did_you_mean(name, parameters) or (f"It takes {', '.join(parameters)}." if parameters else "")
                message = f"`{call.tool}` has no parameter {name[:60]!r}."
                self.findings.error("unknown_argument", message, (*path, name), hint, at_key=True)
            elif problem := self._misfit(value, name, parameter, types):
                self.findings.error("argument_type", problem, (*path, name))
            elif call.tool == FINISH and name == "refusal" and not names_used(value):
                if value is not None and value not in self.document.refusals:
                    hint = did_you_mean(str(value), self.document.refusals)
                    self.findings.error("unknown_refusal", f"There is no refusal code {value!r}.", (*path, name), hint)
            elif call.tool == WAIT and not names_used(value) and (verdict := check_wait({"duration": value})):
                self.findings.error("argument_type", verdict.message, (*path, name))
        missing = [name for name, item in parameters.items() if not item.optional and name not in call.arguments]
        if missing:
            message = f"The call lacks {', '.join(f'`{name}`' for name in missing)}."
            self.findings.error("missing_argument", message, path, at_key=True)

    def _misfit(self, value: Any, name: str, parameter: Parameter, types: Mapping[str, str]) -> str:
        """Why a value can never be taken, empty where it can."""
        names = names_used(value)
        if not names:
            return _refusal(fill_arguments(value, {}), name, parameter)
        if not isinstance(value, str):
            return ""
        if value.strip() != f"{{{names[0]}}}":
            fits = parameter.type == "string"
            return "" if fits else f"`{name}` is of type {parameter.type}, and this is a text with values in it."
        if parameter.type in _NEVER_FITS.get(types.get(names[0], ""), ()):
            return f"`{name}` is of type {parameter.type}, and the column `{names[0]}` is a text or of another type."
        return ""

    def _remember(self, call: Call, place: Path, name: str, path: Path) -> None:
        checked = self.operations.get(name)
        for remembered, where in call.remember.items() if checked is not None and call.errs is None else ():
            missing = _missing_step(checked.result, where.split(".") if where else []) if checked is not None else ""
            if missing:
                message = f"The result of `{name}` has no `{missing[:60]}`."
                self.findings.error("unknown_result", message, (*path, "remember", remembered))


def _refusal(value: Any, name: str, parameter: Parameter) -> str:
    if value is None and parameter.optional:
        return ""
    try:
        read = ArgumentReader({name: parameter}).read({name: value})
    except ScenarioError:
        return ""  # the parameter itself is wrong, which is told where it stands
    return read.message if isinstance(read, Verdict) else ""


def _missing_step(shape: ResultShape, steps: list[str]) -> str:
    """The first step of a place in a result that cannot be there; empty where all may be."""
    if not steps or (shape.fields is None and not shape.many):
        return ""
    if shape.paged:
        if steps[0] not in _PAGE_FIELDS:
            return steps[0]
        items = ResultShape(shape.fields, shape.nested, many=True)
        return _missing_step(items, steps[1:]) if steps[0] == "items" else ""
    if shape.many:
        if not steps[0].isdecimal():
            return steps[0]
        return _missing_step(ResultShape(shape.fields, shape.nested), steps[1:])
    if shape.fields is not None and steps[0] not in shape.fields:
        return steps[0]
    return _missing_step(shape.nested[steps[0]], steps[1:]) if steps[0] in shape.nested else ""
