"""Statements that are not refused."""

import pytest

from tests.sql.agent.promises import check
from tests.sql.agent.statements import legal

LEGAL = legal()


def test_there_are_enough_of_them():
    assert len(LEGAL) >= 150


@pytest.mark.parametrize("sql", LEGAL, ids=[text[:60] for text in LEGAL])
def test_a_legal_statement_runs(the_office, sql):
    explained = the_office.explain(sql)
    assert explained.verdict.ok, explained.verdict
    check(the_office, sql)


def test_results_are_those_of_the_same_query_on_the_granted_rows(the_office):
    """Filters and masks are put into the text; nothing else about it may change."""
    database = the_office.database
    granted = "select id, status, cost from ticket where owner_id = 'U-1'"
    for sql, plain in (
        ("select id, status, cost from ticket order by id", f"{granted} order by id"),
        ("select count(*), sum(cost) from ticket", f"select count(*), sum(cost) from ({granted})"),
        ("select status, max(id) from ticket group by 1 order by 1", f"select status, max(id) from ({granted}) group by 1 order by 1"),
        ("select count(*) from ticket a join ticket b on a.id < b.id", f"select count(*) from ({granted}) a join ({granted}) b on a.id < b.id"),
        ("select name from person where id in (select owner_id from ticket)", "select name from person where id = 'U-1'"),
        ("select id from ticket where json_valid(tags) and cost > 10 order by id", f"select id from ({granted}) where cost > 10 order by id"),
    ):  # fmt: skip
        assert the_office.rows(sql) == [tuple(row) for row in database.query(plain, {}).rows]
