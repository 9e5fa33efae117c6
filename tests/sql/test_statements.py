"""What authors may write and what they may not, statement by statement."""

from pathlib import Path

import pytest
import yaml

from simulator.sql import StatementFacts

_FIXTURES = Path(__file__).parent / "fixtures"


def _refused():
    groups = yaml.safe_load((_FIXTURES / "refused.yaml").read_text())
    return [
        pytest.param(case, id=f"{group}: {case['sql'][:60]!a}") for group, cases in groups.items() for case in cases
    ]


def _accepted():
    groups = yaml.safe_load((_FIXTURES / "accepted.yaml").read_text())
    return [
        pytest.param(role, case, id=f"{role}: {case['sql'][:60]!a}") for role, cases in groups.items() for case in cases
    ]


@pytest.mark.parametrize("case", _refused())
def test_a_statement_that_may_not_be_written_is_refused_with_a_code(twin, case):
    first = case["sql"].split()[:1]
    role = "write" if first and first[0].lower() in ("insert", "replace", "update", "delete") else "query"
    problems = twin.analyse(case["sql"], role=role)
    assert isinstance(problems, list)
    assert problems[0].code == case["code"]
    assert problems[0].message


@pytest.mark.parametrize(("role", "case"), _accepted())
def test_a_statement_that_may_be_written_is_accepted_with_what_it_touches(twin, role, case):
    facts = twin.analyse(case["sql"], role=role)
    assert isinstance(facts, StatementFacts), facts
    assert facts.is_write == (role == "write")
    if "reads" in case:
        assert sorted(facts.tables_read) == case["reads"]
    if "writes" in case:
        assert sorted(facts.tables_written) == case["writes"]


@pytest.mark.parametrize(("role", "case"), [case for case in _accepted() if case.values[0] == "write"])
def test_a_write_is_refused_where_a_query_belongs(twin, role, case):
    problems = twin.analyse(case["sql"], role="query")
    assert [problem.code for problem in problems] == ["not_a_query"]


def test_a_query_is_refused_where_a_write_belongs(twin):
    problems = twin.analyse("select id from orders", role="write")
    assert [problem.code for problem in problems] == ["not_a_write"]


def test_a_write_is_refused_where_a_condition_belongs(twin):
    assert isinstance(twin.analyse("delete from orders", role="condition"), list)
    assert isinstance(twin.analyse("1) union select (2", role="condition"), list)
    assert isinstance(twin.analyse("1; select 2", role="condition"), list)
    assert isinstance(twin.analyse("", role="condition"), list)
