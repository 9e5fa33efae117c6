"""The OpenAPI document that is served: the operations a role has, and its other tools, which have paths here only."""

from __future__ import annotations

from typing import Any

from simulator.scenario import Scenario
from simulator.sql.engine_tables import twin_of
from simulator.sql.schema import build_schema
from simulator.tools import Toolbox, openapi_document

TOOLS = "/worldwright/tools/"


class Documents:
    """The documents of a scenario, each made once."""

    def __init__(self, scenario: Scenario) -> None:
        self._document = scenario.document
        tables, _ = build_schema(scenario.document)
        twin, _ = twin_of(tables)
        self._toolbox = Toolbox(scenario.document, twin.analyse)
        self._made: dict[str | None, dict[str, Any]] = {}

    def for_role(self, role: str | None) -> dict[str, Any]:
        """What an agent in this role, or without one, can call."""
        if role not in self._made:
            self._made[role] = self._make(role)
        return self._made[role]

    def has_tool(self, name: str, role: str | None) -> bool:
        """Whether a role has a tool of this name."""
        return name in self._toolbox.names(role)

    def _make(self, role: str | None) -> dict[str, Any]:
        made: dict[str, Any] = openapi_document(self._document, self._toolbox)
        names = self._toolbox.names(role)
        paths: dict[str, Any] = {}
        for path, methods in made["paths"].items():
            kept = {method: item for method, item in methods.items() if item["operationId"] in names}
            if kept:
                paths[path] = kept
        for described in self._toolbox.descriptions(role, self._document.refusals):
            tool: Any = described["function"]
            if self._toolbox.operation(tool["name"]) is None:
                paths[TOOLS + tool["name"]] = {"post": _tool(tool)}
        made["paths"] = paths
        made["components"]["securitySchemes"] = {"episode": {"type": "http", "scheme": "bearer"}}
        made["security"] = [{"episode": []}]
        return made


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    parameters = tool["parameters"]
    failure = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
    return {
        "operationId": tool["name"],
        "summary": tool["description"],
        "requestBody": {
            "required": bool(parameters["required"]),
            "content": {"application/json": {"schema": parameters}},
        },
        "responses": {
            "200": {"description": "The result.", "content": {"application/json": {"schema": {}}}},
            "default": {"description": "A failure.", "content": failure},
        },
    }
