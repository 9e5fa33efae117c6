"""What the front knows and does for all requests: workers, episodes, tasks, tokens; beginning, asking and dropping."""

from __future__ import annotations

import asyncio
from typing import Any

from simulator.bundle import Bundle
from simulator.errors import UsageError
from simulator.scenario import did_you_mean
from simulator.serve.documents import Documents
from simulator.serve.metrics import Metrics
from simulator.serve.registry import REASONS, Episode, Registry
from simulator.serve.replies import Refusal
from simulator.serve.routes import Routes
from simulator.serve.settings import Settings
from simulator.serve.tokens import Tokens
from simulator.serve.workers import Worker, WorkerBusy, WorkerGone

_AGAIN = {"Retry-After": "1"}


class Desk:
    """The front's state. Raises UsageError for seeds that the bundle does not have."""

    def __init__(self, settings: Settings, bundle: Bundle) -> None:
        self.settings = settings
        self.seeds = _seeds(settings, bundle)
        self.tasks = {
            task["id"]: task for task in bundle.tasks() if int(task["id"].partition("/")[0][1:]) in self.seeds
        }
        self.roles = tuple(bundle.scenario.document.roles)
        self.routes = Routes(bundle.scenario.document)
        self.documents = Documents(bundle.scenario)
        self.tokens = Tokens(settings.key)
        self.metrics = Metrics()
        self.registry = Registry(longest_idle=settings.longest_idle, longest_age=settings.longest_age)
        opening = {"bundle": settings.bundle, "seeds": list(self.seeds)}
        self.workers = [
            Worker(place, opening, longest=settings.longest_operation, lost=self._lost)
            for place in range(settings.workers)
        ]
        self._beginning = 0
        self._to_drop: list[Episode] = []

    async def live(self) -> None:
        """Keep the workers running and drop episodes whose time is up, until cancelled.

        Raises WorldError when workers cannot get ready.
        """
        try:
            async with asyncio.TaskGroup() as group:
                for worker in self.workers:
                    group.create_task(worker.live())
                group.create_task(self._sweep())
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None

    def held(self, name: str) -> Episode:
        """The episode of this name. Raises Refusal when it is gone."""
        episode = self.registry.find(name, _now())
        if episode is None:
            raise _gone(self.registry.why_gone(name) or "unknown")
        return episode

    def named(self, name: str) -> Episode:
        """The same for a name that somebody typed: one that was never given is not found."""
        if self.registry.find(name, _now()) is None and self.registry.why_gone(name) is None:
            raise Refusal(404, "no_such_episode", "There is no such episode.")
        return self.held(name)

    def role_asked(self, role: str | None) -> str | None:
        """A role of the scenario. Raises Refusal for one it does not have."""
        if role is not None and role not in self.roles:
            hint = did_you_mean(role, self.roles) or f"Roles: {', '.join(self.roles) or 'none'}."
            raise Refusal(422, "unknown_role", f"There is no such role. {hint}")
        return role

    async def begin(self, task: str, *, seed: int | None, agent: dict[str, Any]) -> tuple[Episode, dict[str, Any]]:
        """A new episode, in the ready worker that holds the fewest, and the worker's answer. Raises Refusal."""
        known = self.tasks.get(task)
        if known is None:
            raise Refusal(404, "no_such_task", f"There is no such task. {did_you_mean(task[:200], self.tasks)}".strip())
        if len(self.registry) + self._beginning >= self.settings.most_episodes:
            message = f"There are {self.settings.most_episodes:,} episodes already: delete those that are done."
            raise Refusal(429, "too_many_episodes", message, _AGAIN)
        ready = [worker for worker in self.workers if worker.ready]
        if not ready:
            raise _busy()
        worker = min(ready, key=lambda worker: (self.registry.held_by(worker.place), worker.place))
        name = self.registry.new_name()
        self._beginning += 1
        try:
            request = {"do": "begin", "episode": name, "task": task, "seed": seed, "agent": agent}
            answer = _checked(await worker.ask(request))
        except (WorkerBusy, WorkerGone):
            raise _busy() from None
        finally:
            self._beginning -= 1
        now = _now()
        episode = Episode(name, worker.place, known["role"], now, now)
        self.registry.add(episode)
        self.metrics.begun.inc()
        return episode, answer

    async def ask(self, episode: Episode, request: dict[str, Any]) -> dict[str, Any]:
        """What the episode's worker answers. Raises Refusal."""
        try:
            answer = await self.workers[episode.place].ask({**request, "episode": episode.name})
        except WorkerBusy:
            if self.registry.find(episode.name, _now()) is None:
                raise _gone(self.registry.why_gone(episode.name) or "unknown") from None
            raise _busy() from None
        except WorkerGone:
            raise _gone("worker_lost") from None
        if "gone" in answer:
            self._remove(episode, "worker_lost")
            raise _gone("worker_lost")
        checked = _checked(answer)
        episode.over = checked["over"]
        return checked

    async def drop(self, episode: Episode, reason: str) -> None:
        """The episode is gone for everybody, and its worker may forget it."""
        self._remove(episode, reason)
        try:
            await self.workers[episode.place].ask({"do": "drop", "episode": episode.name})
        except WorkerBusy:
            self._to_drop.append(episode)  # at the next sweep
        except WorkerGone:
            return

    def _remove(self, episode: Episode, reason: str) -> None:
        self.registry.remove(episode.name, reason)
        self.metrics.gone.labels(reason).inc()

    def _lost(self, place: int) -> None:
        self.metrics.workers_lost.inc()
        self.metrics.gone.labels("worker_lost").inc(self.registry.lose(place))

    async def _sweep(self) -> None:
        pause = min(1.0, self.settings.longest_idle / 4, self.settings.longest_age / 4)
        while True:
            await asyncio.sleep(pause)
            late, self._to_drop = self._to_drop, []
            for episode, reason in [*((episode, "") for episode in late), *self.registry.expired(_now())]:
                if reason:
                    await self.drop(episode, reason)
                elif self.workers[episode.place].ready:
                    await self.drop_again(episode)

    async def drop_again(self, episode: Episode) -> None:
        """Tell the worker once more; it may not know the episode any longer."""
        try:
            await self.workers[episode.place].ask({"do": "drop", "episode": episode.name})
        except WorkerBusy:
            self._to_drop.append(episode)
        except WorkerGone:
            return


def _seeds(settings: Settings, bundle: Bundle) -> tuple[int, ...]:
    known = tuple(entry.seed for entry in bundle.manifest.worlds)
    missing = [seed for seed in settings.seeds if seed not in known]
    if missing:
        raise UsageError(f"The bundle has no world {missing[0]}; it has {', '.join(map(str, known[:20]))}.")
    return tuple(seed for seed in known if seed in (settings.seeds or known))


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    refused = answer.get("refused")
    if refused is not None:
        raise Refusal(refused["status"], refused["code"], refused["message"])
    return answer


def _busy() -> Refusal:
    return Refusal(503, "busy", "The server cannot take this now.", _AGAIN)


def _gone(reason: str) -> Refusal:
    code = "episode_lost" if reason == "worker_lost" else "episode_gone"
    return Refusal(410, code, REASONS[reason])


def _now() -> float:
    return asyncio.get_running_loop().time()
