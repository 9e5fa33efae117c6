"""``sql``: one statement of an agent, judged and run as an SQL tool would, and undone: what it does and why."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from simulator.cli.failures import NEGATIVE
from simulator.cli.opening import make_world, open_scenario
from simulator.cli.terminal import clean, count, plain_table, show, show_json, styled
from simulator.cli.worlds import world_json
from simulator.episode import workplace_of
from simulator.errors import UsageError
from simulator.scenario import did_you_mean
from simulator.scenario.models import ScenarioDocument, SqlTool
from simulator.tasks import Task, World
from simulator.tools import DIALECTS, CompiledSqlTool, Explanation, explain_sql
from simulator.world import RowChange

FROM_STDIN = "-"
_LONGEST_READ = 1_000_000  # characters of standard input; the gate refuses far shorter statements, in its own words
_MOST_ROWS = 40  # shown; `--json` gives all that an agent would get
_MOST_CHANGES = 40
_AROUND = 60  # characters of a line shown on either side of a place

_NO_TOOL = """The scenario has no SQL tool. Declare one under `tools`, with the tables it opens:

  run_sql:
    sql:
      dialect: postgres
      grants:
        {table}: {{select: "*"}}"""


def sql(
    given: str,
    statement: str,
    *,
    tool: str | None,
    dialect: str | None,
    role: str | None,
    seed: int,
    task: str | None,
    scale: float,
    as_json: bool,
) -> None:
    """Explain a statement. Exits with 1 when an agent would be refused."""
    text = sys.stdin.read(_LONGEST_READ) if statement == FROM_STDIN else statement
    loaded = open_scenario(given)
    name = _chosen_tool(loaded.document, tool)
    if dialect is not None and dialect not in DIALECTS:
        raise _unknown("dialect", dialect, DIALECTS)
    made = make_world(loaded, seed=seed, scale=scale)
    begun = made.task(task) if task is not None else None
    asked = _Asked(made, name, dialect, role, begun)
    explained = asked.explain(text)
    if as_json:
        show_json({**world_json(made), **asked.to_json(), "statement": text, **_to_json(explained, asked.tool)})
    else:
        show(*_verdict(explained, text), "", asked.facts(explained))
        show(*_rows(explained), *_changes(explained.changes))
    if not explained.verdict.ok:
        raise typer.Exit(NEGATIVE)


class _Asked:
    """Which tool a statement is for, in which dialect, for whom, at which moment of which world."""

    def __init__(self, world: World, name: str, dialect: str | None, role: str | None, task: Task | None) -> None:
        self.engine = workplace_of(world).engine
        known = self.engine.toolbox.sql_tool(name)
        if known is None:
            raise UsageError(f"The SQL tool {name} opens nothing.")
        self.tool = known if dialect is None else known.in_dialect(dialect)
        self.task = task
        self.role = _chosen_role(world.scenario.document, known, role, task)

    def explain(self, text: str) -> Explanation:
        """The statement, explained; nothing of it is kept."""
        engine = self.engine
        laid = engine.laid_bare() if self.task is None else engine.laid(engine.begin(self.task, 0))
        with laid as database:
            if self.tool.dialect != "sqlite":
                database.learn_dialects()
            actor: Any = None
            if self.task is not None and self.role == self.task.role:
                actor = self.task.actor
            elif self.role is not None:
                chosen = engine.document.roles[self.role].actor
                actor = database.value(chosen, {}) if chosen is not None else None
            self.actor = actor
            return explain_sql(database, self.tool, text, self.role, {"actor": actor})

    def to_json(self) -> dict[str, Any]:
        """The same, as JSON."""
        return {
            "tool": self.tool.name,
            "dialect": self.tool.dialect,
            "role": self.role,
            "actor": _plain(self.actor),
            "task": self.task.id if self.task is not None else None,
        }

    def facts(self, explained: Explanation) -> Table:
        """Everything but rows and changes, one fact a line."""
        table = plain_table("", "<>")
        table.show_header = False
        role = f", as {self.role}" if self.role is not None else ""
        actor = f", :actor {_plain(self.actor)}" if self.actor is not None else ""
        used = f"{explained.work:,}" if explained.work else "under 1,000"  # it is counted in thousands
        facts = {
            "asked": f"{self.tool.name} in {DIALECTS[self.tool.dialect]}{role}{actor}",
            "flags": ", ".join(explained.verdict.flags),
            "for SQLite": explained.translated if self.tool.dialect != "sqlite" else "",
            "reads": ", ".join(explained.reads),
            "writes": ", ".join(explained.writes),
            "work": f"{used} of {self.tool.limits.work:,} steps of the database" if explained.verdict.ok else "",
        }
        for label, words in facts.items():
            if words:
                table.add_row(Text(label, "dim"), clean(words))
        return table


def _chosen_tool(document: ScenarioDocument, wanted: str | None) -> str:
    names = [name for name, tool in document.tools.items() if isinstance(tool, SqlTool)]
    if not names:
        raise UsageError(_NO_TOOL.format(table=next(iter(document.world.tables), "some_table")))
    if wanted is None:
        if len(names) > 1:
            raise UsageError(f"The scenario has {len(names)} SQL tools; choose with --tool: {', '.join(names)}.")
        return names[0]
    if wanted not in names:
        raise _unknown("SQL tool", wanted, names)
    return wanted


def _chosen_role(
    document: ScenarioDocument, tool: CompiledSqlTool, wanted: str | None, task: Task | None
) -> str | None:
    named = [role for role in tool.roles if role is not None]
    if wanted is not None:
        if wanted not in document.roles:
            raise _unknown("role", wanted, document.roles)
    elif task is not None:
        wanted = task.role
    elif len(named) > 1:
        raise UsageError(f"{tool.name} is open to {len(named)} roles; choose with --role: {', '.join(named)}.")
    elif named:
        return named[0]
    if wanted not in tool.roles:
        who = f"the role {wanted}" if wanted is not None else "an agent without a role"
        raise UsageError(f"{tool.name} is not open to {who}. It is open to {', '.join(named) or 'no role'}.")
    return wanted


def _unknown(what: str, wanted: str, known: Any) -> UsageError:
    hint = did_you_mean(wanted, known) or f"There is {', '.join(known) or 'none'}."
    return UsageError(f"There is no {what} {wanted[:100]!r}. {hint}")


def _verdict(explained: Explanation, text: str) -> list[RenderableType | str]:
    """The verdict in words, and where in the statement the trouble is."""
    verdict = explained.verdict
    if verdict.ok:
        return [styled("ok", "bold green")]
    shown: list[RenderableType | str] = [
        Text.assemble((verdict.kind, "bold red"), f" ({verdict.status})  {clean(verdict.message)}")
    ]
    lines = text.split("\n")
    if 0 < explained.line <= len(lines):
        place = explained.column - 1
        start = max(0, place - _AROUND)
        line = lines[explained.line - 1][start : place + _AROUND].replace("\t", " ")
        indent = len(clean(line[: place - start]))
        shown += ["", f"    {clean(line)}", styled(f"    {' ' * indent}^", "bold red")]
    return shown


def _rows(explained: Explanation) -> list[RenderableType | str]:
    result = explained.result
    if not isinstance(result, dict):
        return []
    shown: list[RenderableType | str] = []
    rows, columns = result.get("rows"), result.get("columns")
    if isinstance(rows, list) and isinstance(columns, list):
        numbers = [_is_number_column(rows, index) for index in range(len(columns))]
        table = plain_table(
            *(
                f">{clean(name)}" if is_number else f"<{clean(name)}>"
                for name, is_number in zip(columns, numbers, strict=True)
            )
        )
        for row in rows[:_MOST_ROWS]:
            table.add_row(*map(_cell, row if isinstance(row, list) else [row]))
        more = len(rows) - _MOST_ROWS
        told = f", the first {_MOST_ROWS} shown; --json gives all" if more > 0 else ""
        shown += ["", table, "", f"{count(len(rows), 'row')}{told}"]
    if "note" in result:
        shown.append(str(result["note"]))
    return shown


def _changes(changes: Sequence[RowChange]) -> list[RenderableType | str]:
    """Every changed value, before and after."""
    if not changes:
        return []
    table = plain_table("table", "key", "change", "column", "<before>", "<after>")
    for change in changes[:_MOST_CHANGES]:
        old, new = change.old or {}, change.new or {}
        begin: tuple[str, str, str] = (change.table, ", ".join(str(_plain(part)) for part in change.key), change.op)
        for name in dict.fromkeys((*old, *new)):
            table.add_row(
                *map(clean, begin), clean(name), _cell(old[name]) if name in old else "",
                _cell(new[name]) if name in new else "",
            )  # fmt: skip
            begin = ("", "", "")
    more = len(changes) - _MOST_CHANGES
    told = f", the first {_MOST_CHANGES} shown; --json gives all" if more > 0 else ""
    return ["", table, "", f"{count(len(changes), 'row')} would change{told}; nothing was kept"]


def _to_json(explained: Explanation, tool: CompiledSqlTool) -> dict[str, Any]:
    verdict = explained.verdict
    return {
        "verdict": {
            "kind": verdict.kind,
            "code": verdict.code,
            "status": verdict.status,
            "message": verdict.message,
            "flags": list(verdict.flags),
        },
        "place": {"line": explained.line, "column": explained.column} if explained.line else None,
        "translated": explained.translated,
        "reads": list(explained.reads),
        "writes": list(explained.writes),
        "result": explained.result,
        "changes": [
            {
                "table": change.table,
                "op": change.op,
                "key": [_plain(part) for part in change.key],
                "old": None if change.old is None else {name: _plain(value) for name, value in change.old.items()},
                "new": None if change.new is None else {name: _plain(value) for name, value in change.new.items()},
            }
            for change in explained.changes
        ],
        "work": {"used": explained.work, "limit": tool.limits.work},
    }


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _is_number_column(rows: Sequence[Any], index: int) -> bool:
    values = [row[index] for row in rows[:_MOST_ROWS] if isinstance(row, list) and row[index] is not None]
    return bool(values) and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)


def _cell(value: Any) -> Text:
    if value is None:
        return Text("NULL", "dim")
    plain = _plain(value)
    return styled(plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False))


__all__ = ["sql"]
