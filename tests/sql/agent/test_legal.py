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
    pairs = {
        "select id, status, cost from ticket order by id": "select * from mine order by id",
        "select count(*), sum(cost) from ticket": "select count(*), sum(cost) from mine",
        "select status, max(id) from ticket group by 1 order by 1": (
            "select status, max(id) from mine group by 1 order by 1"
        ),
        "select count(*) from ticket a join ticket b on a.id < b.id": (
            "select count(*) from mine a join mine b on a.id < b.id"
        ),
        "select name from person where id in (select owner_id from ticket)": "select name from person where id = 'U-1'",
        "select id from ticket where json_valid(tags) and cost > 10": "select id from mine where cost > 10",
    }
    for sql, plain in pairs.items():
        expected = database.query(f"with mine as ({granted}) {plain}", {}).rows
        assert the_office.rows(sql) == [tuple(row) for row in expected]
