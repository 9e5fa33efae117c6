"""Agents that write other dialects: what they may try in each, its verdict; a query, a write and an error of each."""

import tracemalloc
from contextlib import ExitStack

import pytest
import yaml

from simulator.tools import DIALECTS
from tests.sql.agent.office import document, office
from tests.sql.agent.promises import check
from tests.sql.agent.statements import FIXTURES

ATTACKS = [
    (path.stem.removeprefix("attacks_"), kind, text)
    for path in sorted(FIXTURES.glob("attacks_*.yaml"))
    for kind, texts in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    for text in texts
]

SHARED = yaml.safe_load((FIXTURES / "shared.yaml").read_text(encoding="utf-8"))
KINDS = {
    text: kind
    for kind, texts in yaml.safe_load((FIXTURES / "attacks.yaml").read_text(encoding="utf-8")).items()
    for text in texts
}


@pytest.fixture(scope="module")
def offices():
    """An office for each dialect, made when it is first asked for."""
    made = {}
    with ExitStack() as opened:

        def of(dialect):
            if dialect not in made:
                made[dialect] = opened.enter_context(office(document(dialect=dialect)))
            return made[dialect]

        yield of


@pytest.mark.parametrize(
    ("dialect", "kind", "sql"), ATTACKS, ids=[f"{dialect}-{kind}-{text[:50]!r}" for dialect, kind, text in ATTACKS]
)
def test_an_attack_in_its_own_dialect_gets_its_verdict_and_nothing_else(offices, dialect, kind, sql):
    assert offices(dialect).explain(sql).verdict.kind == kind
    check(offices(dialect), sql)


@pytest.mark.parametrize("dialect", sorted({dialect for group in SHARED for dialect in group["dialects"]}))
def test_an_attack_on_sqlite_gets_the_same_verdict_where_it_can_be_written(offices, dialect):
    attacks = [text for group in SHARED if dialect in group["dialects"] for text in group["attacks"]]
    assert len(attacks) > 100
    different = {}
    for text in attacks:
        told = offices(dialect).explain(text).verdict
        if told.kind != KINDS[text]:
            different[text] = f"{told.kind}: {told.message}"
    assert not different


@pytest.mark.parametrize("dialect", sorted({dialect for dialect, _, _ in ATTACKS}))
def test_there_are_enough_of_them(dialect):
    assert dialect in DIALECTS
    assert sum(other == dialect for other, _, _ in ATTACKS) >= 25


# By dialect: a query with the columns and rows it gives, a write with the rows it changes, a mistake with what is told.
EPISODES = {
    "snowflake": (
        "SELECT status, COUNT_IF(urgent) AS urgent_ones FROM ticket GROUP BY ALL ORDER BY ALL",
        ["STATUS", "URGENT_ONES"],
        [["open", 1]],
        "UPDATE product SET price = price / 2 FROM line l WHERE l.product_id = product.id AND l.ticket_id = 3",
        3,
        "SELECT titel FROM ticket",
        ["SQL compilation error: error line 1 at position 7", "invalid identifier 'TITEL'", "title"],
    ),
    "bigquery": (
        "SELECT status, COUNTIF(urgent) AS urgent_ones FROM `main.ticket` GROUP BY status ORDER BY status",
        ["status", "urgent_ones"],
        [["open", 1]],
        "UPDATE product SET stock = stock + 1 WHERE id IN UNNEST([1, 2])",
        2,
        "SELECT titel FROM ticket",
        ["Unrecognized name: titel; Did you mean title? at [1:8]"],
    ),
    "mysql": (
        "SELECT status, SUM(urgent) AS urgent_ones FROM ticket WHERE status = 'OPEN' GROUP BY status",
        ["status", "urgent_ones"],
        [["open", 1]],
        "UPDATE product p JOIN line l ON l.product_id = p.id SET p.stock = 1 WHERE l.ticket_id = 3",
        3,
        "SELECT titel FROM ticket",
        ["Unknown column 'titel' in 'field list'", "title"],
    ),
    "tsql": (
        "SELECT TOP 1 status, COUNT(*) FROM ticket WHERE urgent = 1 GROUP BY status ORDER BY status",
        ["status", ""],
        [["open", 1]],
        "UPDATE p SET p.stock = 1 FROM product AS p JOIN line AS l ON l.product_id = p.id WHERE l.ticket_id = 3",
        3,
        "SELECT titel FROM ticket",
        ["Invalid column name 'titel'", "title"],
    ),
    "oracle": (
        "SELECT status, COUNT(*) FROM ticket WHERE urgent GROUP BY status ORDER BY status FETCH FIRST 1 ROW ONLY",
        ["STATUS", "COUNT(*)"],
        [["open", 1]],
        "UPDATE product SET stock = stock + 1 WHERE id IN (1, 2)",
        2,
        "SELECT titel FROM ticket",
        ['ORA-00904: "TITEL": invalid identifier', "title"],
    ),
}


@pytest.mark.parametrize("dialect", EPISODES)
def test_a_query_a_write_and_a_mistake(offices, dialect):
    query, columns, rows, write, changed, mistake, words = EPISODES[dialect]
    place = offices(dialect)
    result = place.explain(query).result
    assert result == {"columns": columns, "rows": rows}
    explained = place.explain(write)
    assert explained.verdict.ok, explained.verdict
    assert len(explained.changes) == changed
    told = place.explain(mistake).verdict
    assert told.kind == "sql_unknown_name"
    for word in words:
        assert word in told.message


@pytest.mark.parametrize(
    ("dialect", "call"),
    [
        ("postgres", "nullif(@, 1)"), ("postgres", "concat_ws(@, 'x')"), ("snowflake", "DIV0(1, @)"),
        ("snowflake", "DECODE(@, 1, 2, 3, 4)"), ("bigquery", "NULLIF(@, 1)"),
    ],
)  # fmt: skip
def test_calls_that_write_an_argument_twice_do_not_exhaust_memory(offices, dialect, call):
    expression = "id" if "ws" not in call else "name"
    for _ in range(40):
        expression = call.replace("@", expression)
    assert offices(dialect).explain(f"SELECT {expression} FROM product").verdict.kind == "sql_limit"


# Each would make a text of 2.5 GB out of texts that are short enough.
GROWING = {
    "sqlite": "select replace(printf('%.50000c', 'a'), 'a', printf('%.50000c', 'b'))",
    "postgres": "select regexp_replace(repeat('a', 50000), 'a', repeat('b', 50000), 'g')",
    "mysql": "SELECT REPLACE(REPEAT('a', 50000), 'a', REPEAT('b', 50000))",
    "tsql": "SELECT REPLACE(REPLICATE('a', 50000), 'A', REPLICATE('b', 50000))",
    "oracle": "SELECT REPLACE(RPAD('a', 50000, 'a'), 'a', RPAD('b', 50000, 'b')) FROM dual",
    "snowflake": "SELECT REGEXP_REPLACE(REPEAT('a', 50000), 'a', REPEAT('b', 50000))",
    "bigquery": "SELECT ARRAY_TO_STRING(SPLIT(REPEAT('a,', 9000), ','), REPEAT('x', 50000))",
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_text_that_is_too_long_is_never_made(offices, dialect):
    place = offices(dialect)
    place.explain(GROWING[dialect])
    tracemalloc.start()
    verdict = place.explain(GROWING[dialect]).verdict
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict.kind in ("constraint", "sql_limit")
    assert peak < 20_000_000


# What a hostile author writes to keep a translator busy: 20,000 characters, or stars that double their columns.
BUSY = {
    "subscripts": "SELECT tags" + "[0]" * 6_000 + " FROM ticket",
    "fields": "SELECT tags" + ":a" * 9_000 + " FROM ticket",
    "stars": "SELECT " + "p.*, " * 3_900 + "1 FROM product p",
    "doubled": "WITH "
    + ", ".join(f"c{n} AS (SELECT a.*, b.* FROM c{n - 1} a CROSS JOIN c{n - 1} b)" for n in range(1, 25)).replace(
        "c0 ", "product "
    )
    + " SELECT COUNT(*) FROM c24",
    "cases": "SELECT " + "CASE WHEN id = 1 THEN 2 END + " * 640 + "1 FROM product",
    "shared": "SELECT " + ", ".join(["id AS a0", *(f"a{n - 1} + a{n - 1} AS a{n}" for n in range(1, 60))])
    + " FROM product",
    "rollups": "SELECT COUNT(*) FROM product GROUP BY " + ", ".join(["ROLLUP (id, name, price)"] * 20),
}  # fmt: skip


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", BUSY)
def test_a_long_statement_is_refused_soon(offices, dialect, name):
    verdict = check(offices(dialect), BUSY[name])
    assert verdict.kind in ("sql_limit", "sql_syntax", "sql_unknown_name", "sql_unsupported"), verdict
