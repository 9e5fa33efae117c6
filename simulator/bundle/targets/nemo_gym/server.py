"""A resources server of NeMo Gym (https://github.com/NVIDIA-NeMo/Gym) that plays a bundle's episodes, one a session.

Needs the package ``nemo_gym``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import PlainTextResponse
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.server_utils import SESSION_ID_KEY
from pydantic import ConfigDict, PrivateAttr
from starlette.concurrency import run_in_threadpool

from simulator.bundle.opening import shared_bundle
from simulator.bundle.tool_episode import Outcome, ToolEpisode
from simulator.errors import EngineFault, UsageError

MOST_SESSIONS = 10_000
"""How many sessions are kept that have not been verified; beyond that, the oldest are given up."""


class BundleServerConfig(BaseResourcesServerConfig):  # type: ignore[misc] # Any where it is not installed
    """``bundle`` is a folder or zip file."""

    bundle: str


class SeedRequest(BaseSeedSessionRequest):  # type: ignore[misc]
    """A row of the dataset: which task to begin."""

    model_config = ConfigDict(extra="allow")
    task: str


class VerifyRequest(BaseVerifyRequest):  # type: ignore[misc]
    """A row of the dataset, with the model's response."""

    model_config = ConfigDict(extra="allow")


class VerifyResponse(BaseVerifyResponse):  # type: ignore[misc]
    """The row with the score: ``reward`` is its total in [-1, 1], ``success`` 1 or 0; its parts are further fields."""

    model_config = ConfigDict(extra="allow")
    success: float
    ending: str
    state_digest: str


class BundleResourcesServer(SimpleResourcesServer):  # type: ignore[misc]
    """Each tool is a route of its name, which answers with the text a model is shown.

    A failure of the engine is a status of 500, and so is verifying such an episode: it has no reward.
    """

    config: BundleServerConfig
    _sessions: dict[str, _Session] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        """The application. Raises BundleError for a bundle that cannot be trusted."""
        shared_bundle(self.config.bundle)
        app = super().setup_webserver()
        app.post("/{tool}")(self.call_tool)
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> BaseSeedSessionResponse:
        """Begin an attempt at a row's task. A task the bundle does not have is a status of 400."""
        try:
            episode = await run_in_threadpool(ToolEpisode, shared_bundle(self.config.bundle), body.task)
        except UsageError as error:
            raise HTTPException(400, str(error)) from error
        self._sessions.pop(_session_id(request), None)
        self._sessions[_session_id(request)] = _Session(episode)
        if len(self._sessions) > MOST_SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return BaseSeedSessionResponse()

    async def call_tool(self, tool: str, request: Request) -> PlainTextResponse:
        """Call a tool with the arguments in the body; any mistake in them is told in the answer."""
        session = self._sessions.get(_session_id(request))
        if session is None:
            raise HTTPException(409, "There is no episode in this session: seed it first.")
        arguments = (await request.body()).decode("utf-8", "replace")
        try:
            return PlainTextResponse(await run_in_threadpool(session.call, tool, arguments))
        except EngineFault as error:
            raise HTTPException(500, str(error)) from error

    async def verify(self, request: Request, body: VerifyRequest) -> VerifyResponse:
        """Score the session's attempt as it stands, and forget it."""
        session = self._sessions.pop(_session_id(request), None)
        if session is None:
            raise HTTPException(409, "There is no episode in this session: it was verified, or the server restarted.")
        try:
            outcome = await run_in_threadpool(session.outcome)
        except EngineFault as error:
            raise HTTPException(500, str(error)) from error
        told: dict[str, Any] = {
            **body.model_dump(),
            **outcome.parts,
            "reward": outcome.reward,
            "success": float(outcome.success),
            "ending": outcome.ending,
            "state_digest": outcome.state_digest,
        }
        return VerifyResponse(**told)


class _Session:
    """An attempt, used by one thread at a time."""

    def __init__(self, episode: ToolEpisode) -> None:
        self._episode = episode
        self._lock = Lock()

    def call(self, tool: str, arguments: str) -> str:
        with self._lock:
            return self._episode.call(tool, arguments)

    def outcome(self) -> Outcome:
        with self._lock:
            return self._episode.outcome()


def _session_id(request: Request) -> str:
    return str(request.session[SESSION_ID_KEY])
