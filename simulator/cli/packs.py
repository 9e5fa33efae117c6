"""``packs``: the ready-made systems a scenario can name, and what each of them brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.cli.terminal import plain_table, show, show_json, styled, write_text
from simulator.errors import UsageError
from simulator.scenario import did_you_mean
from simulator.scenario.packs import PACKS, Pack, part_at, read_pack


def packs(name: str | None, *, as_yaml: bool, as_json: bool) -> None:
    """List the packs, or show one: its tables and operations, or its YAML. Raises UsageError for an unknown name."""
    if name is None and as_yaml:
        raise UsageError("Name the pack whose YAML is wanted.")
    if name is None:
        _list(as_json=as_json)
        return
    if name not in PACKS:
        hint = did_you_mean(name, PACKS) or f"The packs are {', '.join(PACKS)}."
        raise UsageError(f"There is no pack {name[:100]!r}. {hint}")
    parts = [read_pack(part) for part in (*read_pack(name).includes, name)]
    if as_yaml:
        if as_json:
            show_json({"yaml": {part.name: part.text for part in parts}})
        else:
            write_text("\n".join(part.text for part in parts))
    elif as_json:
        show_json(pack_json(name))
    else:
        _show(pack_json(name))


def pack_json(name: str) -> dict[str, Any]:
    """What a pack brings, with what it includes: tables, views, lifecycles, rules and operations."""
    parts = [read_pack(part) for part in (*read_pack(name).includes, name)]
    return {
        "name": name,
        "summary": read_pack(name).summary,
        "tables": [
            {"name": table, "summary": _summary(model), "columns": list(model.get("columns", {}))}
            for table, model in _entries(parts, "world", "tables")
        ],
        "views": [
            {"name": view, "summary": _summary(model) if isinstance(model, dict) else ""}
            for view, model in _entries(parts, "world", "views")
        ],
        "lifecycles": [table for table, _ in _entries(parts, "world", "lifecycles")],
        "rules": [
            {"name": rule, "kind": kind, "summary": _summary(model)}
            for kind in ("state", "change", "process")
            for rule, model in _entries(parts, "rules", kind)
        ],
        "operations": [
            {"name": tool, "api": model.get("api", ""), "summary": " ".join(_summary(model).split())}
            for tool, model in _entries(parts, "tools")
        ],
    }


def _entries(parts: list[Pack], *path: str) -> Iterator[tuple[str, Any]]:
    for pack in parts:
        found = part_at(pack.parts, path)
        if isinstance(found, dict):
            yield from found.items()


def _summary(model: dict[str, Any]) -> str:
    if "history_of" in model:
        return f"The transitions of {model['history_of']}."
    return str(model.get("summary", ""))


def _list(*, as_json: bool) -> None:
    if as_json:
        show_json([{"name": name, "summary": read_pack(name).summary} for name in PACKS])
        return
    table = plain_table("pack", "<what it is>")
    for name in PACKS:
        table.add_row(name, read_pack(name).summary)
    show(
        table,
        "",
        "`worldwright packs NAME` shows what one brings; `packs: [NAME]` under `world` adds it to a scenario.",
    )


def _show(pack: dict[str, Any]) -> None:
    show(styled(f"{pack['name']}: {pack['summary']}", "bold"), "")
    tables = plain_table("table", "<what one row is>")
    for item in pack["tables"]:
        tables.add_row(item["name"], item["summary"])
    operations = plain_table("operation", "api", "<what it does>")
    for item in pack["operations"]:
        operations.add_row(item["name"], item["api"], item["summary"])
    show(tables, "", operations)
    for title in ("views", "lifecycles", "rules"):
        names = [item if isinstance(item, str) else item["name"] for item in pack[title]]
        if names:
            show("", f"{title if len(names) > 1 else title[:-1]}: {', '.join(names)}")
