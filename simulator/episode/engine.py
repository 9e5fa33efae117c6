"""The engine of one world: its live database, its compiled tools and rules, and how an episode begins.

Environments of a process share it. Every use lays a state on the database first, under the database's lock.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simulator.episode.faults import Faults
from simulator.episode.logs import action_rows, change_rows
from simulator.episode.read_only import read_only
from simulator.episode.state import EpisodeState
from simulator.episode.timeline import Timeline
from simulator.errors import WorldError
from simulator.rules import RuleBook, StateBaseline, history_rows
from simulator.scenario.models import TaskTemplate
from simulator.scenario.times import parse_timestamp
from simulator.sql.engine_tables import twin_of
from simulator.tasks import Task, World, run_setup
from simulator.tools import Toolbox
from simulator.world import Database, Pages, RowChange, StatementFailed, delta


class Engine:
    """What all episodes of one world share. It holds the world's image and not the :class:`World` itself."""

    def __init__(self, world: World) -> None:
        self.document = world.scenario.document
        self.content_digest = world.digest
        self.database = Database(world.image)
        self.schema = self.database.schema
        twin, _ = twin_of(self.schema)
        self.toolbox = Toolbox(self.document, twin.analyse)
        self.toolbox.open_world(self.database)
        self.rules = RuleBook(self.document, self.schema, twin.analyse)
        self.timeline = Timeline(self.document)
        self.faults = Faults(self.document, world.seed)
        self.start = parse_timestamp(self.document.world.now)
        self._tools: dict[str | None, tuple[dict[str, Any], ...]] = {}
        self._baselines: dict[Any, StateBaseline] = {}
        self._bare = Pages.none(world.image.image)  # one object, so that a store that shows it need not lay it again

    def template(self, task: Task) -> TaskTemplate:
        """The template a task was drawn from."""
        return self.document.tasks[task.template]

    def tools(self, role: str | None) -> tuple[dict[str, Any], ...]:
        """The tools a role has, in OpenAI function format; shared, and not to be altered."""
        if role not in self._tools:
            described = self.toolbox.descriptions(role, self.document.refusals)
            self._tools[role] = tuple(read_only(tool) for tool in described)
        return self._tools[role]

    @contextmanager
    def laid(self, state: EpisodeState) -> Iterator[Database]:
        """The database with ``state`` on it, locked."""
        database = self.database
        with database.store.lock:
            database.store.lay(state.pages, state.before, state.now)
            database.keys.lay(state.issued)
            database.logs.actions = lambda: action_rows(state.events)
            database.logs.changes = lambda: change_rows(state.changes)
            yield database

    @contextmanager
    def laid_bare(self) -> Iterator[Database]:
        """The database as the world was made, locked."""
        database = self.database
        with database.store.lock:
            database.store.lay(self._bare, self._bare, self.start)
            database.logs.actions = database.logs.changes = tuple
            yield database

    @contextmanager
    def laid_at_start(self, state: EpisodeState) -> Iterator[Database]:
        """The database as this episode's task began, locked."""
        database = self.database
        with database.store.lock:
            database.store.lay(state.before, state.before, state.start)
            database.logs.actions = database.logs.changes = tuple
            yield database

    def begin(self, task: Task, seed: int, *, faults: bool = True) -> EpisodeState:
        """The state in which an episode of ``task`` begins: the world, prepared by the task's setup.

        ``faults`` says whether the scenario's faults strike. Raises :class:`WorldError` when the setup cannot be
        carried out.
        """
        database = self.database
        pages = self._bare
        sum_of_setup = 0
        with database.store.lock:
            database.store.lay(pages, pages, self.start)
            database.keys.lay({})
            database.logs.actions = database.logs.changes = tuple
            if self.template(task).setup:
                sum_of_setup = delta(self._set_up(task))
                pages = database.store.pages()
                database.store.lay(pages, pages, self.start)
            baseline = self._baseline(task, prepared=bool(self.template(task).setup))
            return EpisodeState(
                world=self.content_digest,
                task=task,
                seed=seed,
                pages=pages,
                before=pages,
                start=self.start,
                now=self.start,
                delta=sum_of_setup,
                issued=dict(database.keys.issued),
                baseline=baseline,
                due=self.timeline.at_reset(self.start),
                faults=self.faults.at_reset() if faults else None,
            )

    def append_history(self, changes: tuple[RowChange, ...]) -> bool:
        """Add to the history tables what these changes moved through a lifecycle; whether there was anything."""
        transitions = history_rows(self.schema, changes)
        for table, parent, from_state, to_state in transitions:
            self.database.append_history(table, parent, from_state, to_state)
        return bool(transitions)

    def _set_up(self, task: Task) -> tuple[RowChange, ...]:
        try:
            with self.database.store.record() as recorder:
                run_setup(self.database, self.template(task), task)
                self.append_history(recorder.changes)
                return recorder.changes
        except StatementFailed as failure:
            raise WorldError(f"The setup of task {task.id} cannot be carried out: {failure.message}") from failure

    def _baseline(self, task: Task, *, prepared: bool) -> StateBaseline:
        """What state rules already return at the start; shared by the tasks that begin in the same state."""
        key = (task.id if prepared else "", task.actor)
        if key not in self._baselines:
            self._baselines[key] = self.rules.baseline(self.database, {"actor": task.actor})
        return self._baselines[key]
