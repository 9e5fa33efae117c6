"""``schema``, ``reference``, ``diagram``, ``openapi`` and ``tools``: the language and its parts, in other forms."""

from __future__ import annotations

from pathlib import Path

from simulator.cli.opening import open_scenario
from simulator.cli.terminal import remark, show_json, write_text
from simulator.errors import UsageError
from simulator.scenario import Scenario, did_you_mean, json_schema_text, mermaid_diagram, reference_markdown
from simulator.sql.engine_tables import twin_of
from simulator.sql.schema import build_schema
from simulator.tools import Toolbox, openapi_document


def schema(out: Path | None) -> None:
    """Print or write the JSON Schema of the scenario language."""
    _deliver(json_schema_text(), out)


def reference(out: Path | None, *, as_json: bool) -> None:
    """Print or write the reference of the scenario language."""
    if as_json and out is None:
        show_json({"markdown": reference_markdown()})
    else:
        _deliver(reference_markdown(), out)


def diagram(given: str, out: Path | None, *, as_json: bool) -> None:
    """Print or write the diagram of a scenario's tables."""
    text = mermaid_diagram(open_scenario(given).document)
    if as_json and out is None:
        show_json({"mermaid": text})
    else:
        _deliver(text, out)


def openapi(given: str) -> None:
    """Print the OpenAPI document of a scenario's operations."""
    loaded = open_scenario(given)
    show_json(openapi_document(loaded.document, _toolbox(loaded)))


def tools(given: str, *, role: str | None) -> None:
    """Print the tools of a role, or of an agent without one. Raises UsageError for a role there is not."""
    loaded = open_scenario(given)
    document = loaded.document
    if role is not None and role not in document.roles:
        hint = did_you_mean(role, document.roles) or f"Roles: {', '.join(document.roles) or 'none'}."
        raise UsageError(f"The scenario has no role {role[:100]!r}. {hint}")
    show_json(list(_toolbox(loaded).descriptions(role, document.refusals)))


def _toolbox(scenario: Scenario) -> Toolbox:
    tables, _ = build_schema(scenario.document)
    twin, _ = twin_of(tables)
    return Toolbox(scenario.document, twin.analyse)


def _deliver(text: str, out: Path | None) -> None:
    if out is None:
        write_text(text)
    else:
        out.write_text(text, encoding="utf-8")
        remark(f"written to {out}")
