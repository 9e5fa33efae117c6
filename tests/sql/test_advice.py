"""Advice is given where a statement probably means something else, and not elsewhere."""

from pathlib import Path

import apsw
import pytest
import yaml

from simulator.sql.advice import (
    lost_json_subtype,
    nullable_comparison,
    sum_of_nothing,
    tautological_where,
    whole_division,
)
from simulator.sql.trees import parse

_CASES = yaml.safe_load((Path(__file__).parent / "fixtures" / "advice.yaml").read_text())
_NULLABLE = {("ticket", "resolution"), ("ticket", "team_id"), ("new", "resolution")}
_JSON = {("doc", "data"), ("v", "j")}


def _cases(kind):
    return [pytest.param(case, id=case["sql"]) for case in _CASES[kind]]


@pytest.mark.parametrize("case", _cases("nullable_comparison"))
def test_comparing_a_nullable_column_is_pointed_out(case):
    problems = nullable_comparison(case["sql"], _NULLABLE)
    assert [problem.names[0] for problem in problems] == case["columns"]
    assert all(problem.code == "nullable_comparison" for problem in problems)


@pytest.mark.parametrize("case", _cases("lost_json_subtype"))
def test_json_that_becomes_a_string_is_pointed_out(case):
    problems = lost_json_subtype(case["sql"], _JSON)
    assert bool(problems) == case["advice"]
    assert all(problem.code == "lost_json_subtype" for problem in problems)


@pytest.mark.parametrize("case", _cases("lost_json_subtype"))
def test_the_advice_about_json_says_what_sqlite_does(case):
    if not case["sql"].startswith(("select", "with")):
        return
    connection = apsw.Connection(":memory:")
    connection.execute(
        """create table doc (id, data); create table product (id, name, data); create table t (x);
        insert into doc values (1, '[1]'); insert into product values (1, 'pen', 'x'); insert into t values (1);
        create view v as select json_array(1) as j"""
    ).fetchall()
    result = "".join(str(value) for row in connection.execute(case["sql"]) for value in row)
    assert ('"[1]"' in result or '"{\\"a\\":1}"' in result) == case["advice"]


@pytest.mark.parametrize("case", _cases("tautological_where"))
def test_a_write_to_every_row_is_pointed_out(case):
    problem = tautological_where(case["sql"])
    assert (problem is not None) == case["advice"]


@pytest.mark.parametrize("case", _cases("sum_of_nothing"))
def test_a_sum_that_may_be_null_is_pointed_out_where_something_is_calculated_with_it(case):
    problems = sum_of_nothing(case["sql"])
    assert [problem.code for problem in problems] == ["sum_of_nothing"] * case["advice"]


@pytest.mark.parametrize("case", _cases("whole_division"))
def test_a_quotient_of_whole_numbers_is_pointed_out(case):
    problems = whole_division(case["sql"])
    assert [problem.code for problem in problems] == ["whole_division"] * case["advice"]


@pytest.mark.parametrize("sql", ["select 1; select 2", "select from from", "explain select 1", "select " + "(" * 99])
def test_what_cannot_be_read_as_one_statement_has_no_tree(sql):
    assert parse(sql) is None


def test_a_statement_with_too_many_nodes_has_no_tree():
    assert parse("select " + ",".join(["1"] * 100)) is not None
    assert parse("select " + ",".join(["1"] * 6000)) is None
