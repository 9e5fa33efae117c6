"""Serving: a bundle's business over HTTP, many episodes at once, for agents and for those who train them.

A front process answers HTTP and keeps who may do what; the episodes live in worker processes. ``docs/serving.md`` tells
users how to use it.
"""

from simulator.serve.server import serve
from simulator.serve.settings import Settings

__all__ = ["Settings", "serve"]
