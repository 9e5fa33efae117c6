"""What holds for any statement whatever, checked without asking the guard."""

from __future__ import annotations

from simulator.tools import Verdict, result_text
from simulator.tools.verdicts import STATUSES
from tests.sql.agent.office import ACTOR, SECRET, TICKET_COLUMNS

_COLUMNS = {
    "ticket": {*TICKET_COLUMNS},
    "product": {"id", "name", "price", "stock"},
    "line": {"ticket_id", "product_id", "quantity"},
}
_UPDATABLE = {
    "ticket": {"title", "status", "priority", "opened_at", "cost"},
    "product": {"price", "stock", "name"},
    "line": {"quantity"},
}


def check(office, sql: str) -> Verdict:
    """The verdict. Raises AssertionError for a statement that gets beyond the grants, or gets no proper verdict."""
    before = office.database.store.pages()
    explained = office.explain(sql)
    verdict = explained.verdict
    assert verdict.kind in STATUSES
    assert verdict.ok or verdict.message, sql
    if SECRET not in sql:
        assert SECRET not in verdict.message, sql
        assert SECRET not in result_text(explained.result), sql
    assert explained.work <= 400_000
    for change in explained.changes:
        _check_change(sql, change)
    assert (
        office.database.store.pages() is before or not verdict.ok or explained.changes or "changed" in explained.result
    )
    return verdict


def _check_change(sql, change) -> None:
    assert change.table in _COLUMNS, sql
    if change.op == "update":
        changed = set(change.new)
        replaced = "replace" in sql.lower()
        assert changed <= (_COLUMNS if replaced else _UPDATABLE)[change.table], sql
    if change.op == "insert":
        assert {name for name, value in change.new.items() if value is not None} <= _COLUMNS[change.table], sql
    if change.table == "ticket":
        for row in (change.old, change.new):
            assert (row or {}).get("owner_id", ACTOR) == ACTOR, sql
        if change.op == "update":
            assert change.key[0] % 3 == 0 or change.key[0] > 20, sql
