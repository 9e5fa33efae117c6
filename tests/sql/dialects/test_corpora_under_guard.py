"""The statements of the corpora as an agent's that may do everything: what the database answers, the guard runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from simulator.scenario.models import ScenarioDocument
from tests.sql.agent.office import Office, office
from tests.sql.dialects.test_corpora import CORPORA, WORLD

LEGAL = {
    dialect: [known for known in corpus.values() if "error" not in known.answer and not known.alternative]
    for dialect, corpus in CORPORA.items()
}

# What the engine refuses whatever is granted: an UPDATE of a key.
KEY_UPDATES = {"postgres": {"write_053"}}


def _column(written: str, is_key: bool) -> dict[str, Any]:
    return {"type": written.rstrip("?"), "nullable": written.endswith("?"), **({"key": True} if is_key else {})}


def _value(value: Any, written: str) -> Any:
    if value is None:
        return None
    if written.startswith("decimal"):
        return float(value)
    return json.loads(value) if written.startswith("json") else value


def _document(dialect: str) -> ScenarioDocument:
    tables = {}
    for name, table in WORLD["tables"].items():
        kinds = table["columns"]
        tables[name] = {
            "columns": {column: _column(kind, table["key"] == [column]) for column, kind in kinds.items()},
            "rows": [
                {column: _value(value, kind) for (column, kind), value in zip(kinds.items(), row, strict=True)}
                for row in table["rows"]
            ],
        }
        if len(table["key"]) > 1:
            tables[name]["key"] = table["key"]
    everything = {"select": "*", "insert": "*", "update": "*", "delete": True}
    grants = dict.fromkeys(tables, everything)
    whole = {
        "worldwright": 1,
        "id": "shop",
        "title": "Shop",
        "world": {"now": WORLD["clock"], "tables": tables},
        "tools": {"run_sql": {"sql": {"dialect": dialect, "grants": grants, "limits": {"rows": 200, "affected": 100}}}},
    }
    return ScenarioDocument.model_validate_json(json.dumps(whole))


@pytest.fixture(scope="module", params=LEGAL)
def shop(request: pytest.FixtureRequest) -> Iterator[tuple[str, Office]]:
    with office(_document(request.param)) as place:
        yield request.param, place


def test_no_statement_that_means_something_is_refused_under_a_full_grant(shop: tuple[str, Office]) -> None:
    dialect, place = shop
    refused = {}
    for known in LEGAL[dialect]:
        told = place.explain(known.sql).verdict
        if not told.ok:
            refused[known.id] = f"{told.kind}: {told.message}"
    assert refused.keys() == KEY_UPDATES.get(dialect, set()), refused
