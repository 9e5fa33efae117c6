"""MCP: a server over stdio and streamable HTTP, an episode for each token; the package holds no logic of its own."""

from __future__ import annotations

from simulator.bundle.targets.target import Target

MCP = Target(name="mcp", title="MCP", requirement="mcp>=1.27,<3", tested="2.3.0")
