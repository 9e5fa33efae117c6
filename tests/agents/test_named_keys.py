"""Which table's key a parameter holds is read from the operations' SQL."""

import pytest
import yaml

from simulator import generate_world
from simulator.agents.values import WorldValues
from simulator.lint import load_scenario

WORLD = {
    "now": "2026-03-02 09:00:00",
    "tables": {
        "opportunity": {"rows": 3, "columns": {"id": {"type": "text", "key": True, "pattern": "OPP-%03d"}}},
        "quote": {
            "rows": 3,
            "columns": {
                "id": {"type": "integer", "key": True},
                "deal": {"ref": "opportunity"},
                "sum": {"type": "integer", "constant": 3},
            },
        },
    },
}


@pytest.fixture
def values(tmp_path):
    def of(**operation):
        document = {
            "worldwright": 1, "id": "deals", "version": "1.0.0", "title": "Deals", "summary": "Deals.",
            "policy": "Sell.", "roles": {"seller": {"summary": "Sells."}}, "world": WORLD,
            "tools": {"act": {"summary": "Act.", "parameters": {"deal_id": {"type": "string"}}, **operation}},
        }  # fmt: skip
        file = tmp_path / "scenario.yaml"
        file.write_text(yaml.safe_dump(document, sort_keys=False))
        return WorldValues(generate_world(load_scenario(file), 1))

    return of


GUARD = {"status": 404, "code": "no_deal", "message": "There is no such deal."}


@pytest.mark.parametrize(
    "operation",
    [
        {"guards": [{"require": "exists (select 1 from opportunity where id = :deal_id)", "else": GUARD}]},
        {"guards": [{"refuse": "select 1 from quote q join opportunity o where :deal_id = o.id", "else": GUARD}]},
        {"let": {"total": "select sum(q.sum) from quote q where q.deal = :deal_id"}},
        {"effects": ["delete from quote where deal = :deal_id"]},
        {"effects": ["update quote set sum = 1 where deal = :deal_id"]},
        {"returns": {"many": "select * from quote where deal = :deal_id"}},
    ],
)  # fmt: skip
def test_a_parameter_compared_with_a_key_or_a_reference_holds_one(values, operation):
    found = values(**operation)
    assert found.target_table("deal_id") == "opportunity"
    assert found.of_world("deal_id") == ("OPP-001", "OPP-002", "OPP-003")


@pytest.mark.parametrize(
    "operation",
    [
        {},
        {"returns": {"many": "select * from quote where sum > length(:deal_id)"}},
        {"returns": {"many": "select * from quote q where substr(q.deal, 1) = :deal_id"}},
    ],
)
def test_nothing_is_guessed(values, operation):
    assert values(**operation).target_table("deal_id") is None
