"""The smallest scenario that names packs."""

from simulator.scenario import parse_document

NOW = "2026-03-30 09:00:00"
TASK = {
    "instruction": "Do nothing.",
    "draw": "select 1 as one",
    "solution": [{"wait": {"duration": "1m"}}],
    "checks": {"idle": {"answer": {"exact": "never"}}},
}


def document(*packs, world=None, **parts):
    value = {
        "worldwright": 1,
        "id": "minimal",
        "title": "Minimal",
        "world": {"now": NOW, "locale": ["en_GB", "de_DE"], "packs": list(packs), **(world or {})},
        "tasks": {"idle": TASK},
        "limits": {"steps": 200},
    }
    return {**value, **parts}


def scenario(*packs, **parts):
    return parse_document(document(*packs, **parts))
