"""The server of an OpenEnv package: an episode to each session, many sessions at once in one process.

Needs the package ``openenv``, which the engine does not depend on: import this module only where that is installed.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import uvicorn
from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation
from openenv.core.env_server.types import ConcurrencyConfig

from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.openenv.environment import BundleEnvironment, TaskObservation

MOST_SESSIONS = 256
IDLE_SECONDS = 3_600.0
"""How long a session of ``POST /mcp`` that has no websocket is kept after its last call."""
PONG_SECONDS = 600.0
"""How long a client may take to answer a ping: one that waits for its model in the same thread answers late."""


def application(bundle: str, name: str) -> Any:
    """The FastAPI application that serves a bundle's episodes as the environment ``name``.

    Raises BundleError for a bundle that cannot be trusted.
    """
    shared_bundle(bundle)
    return create_app(
        partial(BundleEnvironment, bundle),
        CallToolAction,
        CallToolObservation,
        env_name=name,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=MOST_SESSIONS, session_timeout=IDLE_SECONDS),
        reset_observation_cls=TaskObservation,
    )


def serve(app: Any) -> None:
    """Serve the application until stopped, at the ``--host`` and ``--port`` of the command line."""
    options = argparse.ArgumentParser(description="Serve the environment.")
    options.add_argument("--host", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8000)
    chosen = options.parse_args()
    uvicorn.run(app, host=chosen.host, port=chosen.port, ws_ping_timeout=PONG_SECONDS)
