"""Where the sidecar is: what its command, its image and the tasks' folders agree on."""

from __future__ import annotations

SERVICE = "world"
PORT = 8080
SOCKET = "/world/grader.sock"
RESULT = "/world/result"
"""The folder of the outcome: ``reward.json`` as Harbor reads it, ``outcome.json`` and ``trajectory.jsonl``."""
