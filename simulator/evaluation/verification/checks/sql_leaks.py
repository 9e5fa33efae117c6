"""What an agent's SQL can reach though its grants do not say so: the engine's tables, masked columns, hidden rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.episode import Environment, workplace_of
from simulator.evaluation.verification.findings import Evidence, Finding
from simulator.evaluation.verification.subject import EPISODE_SEED
from simulator.scenario.models import Grant, SqlTool
from simulator.sql.engine_tables import twin_of
from simulator.sql.schema import quoted
from simulator.sql.twin import StatementFacts
from simulator.tasks import Task, World
from simulator.world import StatementFailed

_ENGINE_TABLES = ("action", "change", "before.action", "sqlite_master", "sqlite_schema", "pragma_table_list")
_MOST_ROWS = 2_000
_SHORTEST = 4
"""Characters of a value from which on finding it elsewhere is no coincidence."""


def sql_leaks(world: World, tasks: Sequence[Task]) -> Iterator[Finding]:
    """What the SQL tools of a world give away; ``tasks`` has one task of each role."""
    for name, tool in world.scenario.document.tools.items():
        if not isinstance(tool, SqlTool):
            continue
        for task in tasks:
            if tool.roles is not None and task.role not in tool.roles:
                continue
            yield from _engine_tables(world, name, task)
            yield from _views(world, name, tool, task.role)


def _engine_tables(world: World, name: str, task: Task) -> Iterator[Finding]:
    own = world.image.schema.tables
    environment = Environment(world)
    environment.reset(task=task, seed=EPISODE_SEED)
    for table in _ENGINE_TABLES:
        action = {"tool": name, "arguments": {"sql": f"select * from {table}"}}
        observation, *_, over, _ = environment.step(action)
        if observation["ok"] and table not in own:
            message = f"An agent can read the engine's table `{table}` with `{name}`."
            advice = "This is a bug in Worldwright: please report it, with the scenario."
            evidence = Evidence(world.seed, task.id, EPISODE_SEED, (action,), 1)
            yield Finding("leakage.engine_table", "blocking", f"tools.{name}", message, advice, evidence)
        if over:
            return
        environment.reset(task=task, seed=EPISODE_SEED)


def _views(world: World, name: str, tool: SqlTool, role: str | None) -> Iterator[Finding]:
    """Views that a role may read, and what stands behind them that it may not."""
    engine = workplace_of(world).engine
    twin, _ = twin_of(engine.schema)
    granted = {table: _of_role(grants, role) for table, grants in tool.sql.grants.items()}
    granted = {table: grants for table, grants in granted.items() if grants}
    for view in granted:
        if view not in engine.schema.views:
            continue
        facts = twin.analyse(f"select * from {quoted(view)}", role="query")
        behind = sorted(facts.tables_read & set(engine.schema.tables)) if isinstance(facts, StatementFacts) else []
        about = f"tools.{name}.sql.grants.{view}"
        filtered = any(grant.where is not None for grant in granted[view])
        for table in behind:
            grants = granted.get(table, ())
            masked = sorted({column for grant in grants for column in grant.masked})
            for column in masked:
                if _shows(world, view, table, column):
                    message = f"The view `{view}` shows `{table}.{column}`, which is masked in `{table}`."
                    advice = "Mask the column of the view too, or take it out of the view."
                    yield Finding("leakage.masked_in_view", "blocking", about, message, advice)
            if not grants:
                message = f"The view `{view}` reads `{table}`, which `{role or 'everyone'}` may not read itself."
                yield Finding("leakage.ungranted_in_view", "review", about, message, "See whether this is meant.")
            elif not filtered and all(grant.where is not None for grant in grants):
                message = f"The view `{view}` shows rows of `{table}` that the grant of `{table}` hides."
                yield Finding("leakage.rows_in_view", "review", about, message, "Give the view a `where` as well.")


def _of_role(grants: Grant | list[Grant], role: str | None) -> tuple[Grant, ...]:
    every = grants if isinstance(grants, list) else [grants]
    return tuple(grant for grant in every if grant.select is not None and (grant.roles is None or role in grant.roles))


def _shows(world: World, view: str, table: str, column: str) -> bool:
    """Whether a view holds values of a column that are long enough to be no coincidence."""
    try:
        with workplace_of(world).engine.laid_bare() as database:
            secret = database.query(
                f"select distinct {quoted(column)} from {quoted(table)} where {quoted(column)} is not null order by 1",
                {}, head=_MOST_ROWS,
            ).rows  # fmt: skip
            shown = database.query(f"select * from {quoted(view)}", {}, head=_MOST_ROWS).rows
    except StatementFailed:
        return False
    secrets = {row[0] for row in secret if len(str(row[0])) >= _SHORTEST}
    return any(value in secrets for row in shown for value in row)
