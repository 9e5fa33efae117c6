"""What an agent may try, with the verdict it must get; and crash inputs."""

import subprocess
import sys
import threading

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.tools import DIALECTS, result_text
from tests.sql.agent.office import SECRET, document, office
from tests.sql.agent.promises import check
from tests.sql.agent.statements import FIXTURES, found, statement, texts_of

ATTACKS = [
    (kind, text) for kind, texts in yaml.safe_load((FIXTURES / "attacks.yaml").read_text()).items() for text in texts
]

BOMBS = {
    "brackets": "SELECT " + "(" * 1500 + "1" + ")" * 1500,
    "subqueries": "SELECT " + "((SELECT " * 60 + "1" + "))" * 60,
    "subqueries in from": "SELECT * FROM " + "(SELECT * FROM " * 70 + "product" + ")" * 70,
    "not": "SELECT " + "not " * 4000 + "1",
    "minus": "SELECT " + "- " * 5000 + "1",
    "case": "SELECT " + "case when 1 then " * 200 + "1" + " end" * 200,
    "functions": "SELECT " + "abs(" * 70 + "1" + ")" * 70,
    "columns": "SELECT " + ",".join(["1"] * 5000),
    "ors": "SELECT " + " OR ".join(["1=1"] * 2500),
    "unions": "SELECT 1" + " UNION SELECT 1" * 1000,
    "concatenations": "SELECT " + "'a'||" * 3000 + "'b'",
    "only brackets": "(" * 19_999,
    "too long": "x" * 30_000,
    "one long word": "SELECT " + "x" * 19_000,
    "one long quoted name": 'SELECT "' + "x" * 19_000 + '" FROM ticket',
    "ctes": "WITH " + ", ".join(f"c{n} AS (SELECT * FROM c{n - 1}, c{n - 1})" if n else "c0 AS (SELECT 1 "
    "a)" for n in range(60)) + " SELECT count(*) FROM c59",
    "joins": "SELECT count(*) FROM " + ", ".join(f"product p{n}" for n in range(70)),
    "whens": "SELECT case id " + "when 1 then 2 " * 1200 + "end FROM product",
}  # fmt: skip


@pytest.mark.parametrize(("kind", "sql"), ATTACKS, ids=[f"{kind}-{text[:60]!r}" for kind, text in ATTACKS])
def test_an_attack_gets_its_verdict_and_nothing_else(the_office, kind, sql):
    assert the_office.explain(sql).verdict.kind == kind
    check(the_office, sql)


@pytest.mark.parametrize("name", BOMBS)
def test_a_statement_made_to_exhaust_the_parser_is_refused_as_too_much(the_office, name):
    verdict = the_office.explain(BOMBS[name]).verdict
    assert verdict.kind in ("sql_limit", "sql_syntax", "sql_unknown_name"), verdict
    assert len(verdict.message) < 25_000


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_stack_holds_it(the_office, name):
    """sqlglot's compiled parser would end the process, and threads of servers have small stacks."""
    told = []
    previous = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: told.append(the_office.tool.judge(BOMBS[name], None)))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    assert told


@pytest.fixture(scope="module", params=DIALECTS)
def dialect(request):
    return request.param


@pytest.fixture(scope="module")
def its_office(dialect):
    """An office whose agents write that dialect."""
    with office(document(dialect=dialect)) as place:
        yield place


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 1 << 40))
def test_no_statement_reads_writes_or_spends_beyond_the_grant(dialect, its_office, seed):
    check(its_office, statement(seed, texts_of(dialect)))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_gets_a_verdict(its_office, text):
    check(its_office, text)


def test_what_fuzzing_found_stays_mended(dialect, its_office):
    for path in found(dialect):
        check(its_office, path.read_text(encoding="utf-8", errors="surrogatepass"))


def test_every_attack_is_harmless_in_every_dialect(its_office):
    for _, sql in ATTACKS:
        check(its_office, sql)


def test_the_secrets_are_there_to_be_found():
    """Without this the tests above could pass by looking for what is nowhere."""
    grants = {name: {"select": "*"} for name in ("person", "ticket", "vault", "vault_view")}
    with office(document(grants)) as place:
        for sql in ("select email from person", "select note from ticket", "select title from ticket",
                    "select * from vault", "select * from vault_view"):  # fmt: skip
            assert SECRET in result_text(place.explain(sql).result)
            assert SECRET not in the_result_of_the_same(sql)


def the_result_of_the_same(sql):
    with office() as place:
        return place.told(sql)


def test_whether_a_table_exists_shows_nowhere(the_office):
    """A table that is not granted and one that does not exist are told apart by nothing but their names."""
    for template in (
        "select * from {}", "select foo from {}", "select count(*) from {}", "select {}.id from ticket",
        "update {} set id = 1", "delete from {}", "insert into {} values (1)", "select * from main.{}",
        "select * from ticket where id in {}", "with {} as (select 1 a) select count(*) from {}",
        "select * from {}(1)", "select * from ticket natural join {}", "insert into {} default values",
        "update product set stock = 1 from {} where 1", "select * from {} indexed by x",
    ):  # fmt: skip
        hidden = the_office.told(template.replace("{}", "vault")).replace("vault", "NAME")
        unknown = the_office.told(template.replace("{}", "cellar")).replace("cellar", "NAME")
        assert hidden == unknown, template


def test_whether_a_column_exists_shows_nowhere(the_office):
    for template in (
        "select {} from ticket", "select t.{} from ticket t", "update ticket set {} = 1", "select * from "
        "ticket order by {}",
        "update ticket set status = {}", "insert into ticket (id, {}) values (1, 2)", "delete from ticket returning {}",
        "update ticket set status = 1 from ticket t where t.{} = 1", "select {} from ticket natural join person",
    ):  # fmt: skip
        hidden = the_office.told(template.replace("{}", "note")).replace("note", "NAME")
        unknown = the_office.told(template.replace("{}", "mote")).replace("mote", "NAME")
        assert hidden == unknown, template


@pytest.mark.parametrize(
    "where",
    [
        "json_extract('{{}}', {0}) is null", "abs(case when {0} like 'XSECRET%' then "
        "-9223372036854775808 else 1 end) > 0",
        "json({0}) is null", "printf('%9999999s', case when {0} like 'XS%' then 'a' end) > 1 and length({0}) > 9",
        "'a' like 'b' escape {0}", "json_array_length({0}) > 1", "char({0}, {0}) = json_extract('[', {0})",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "form", ["select id from ticket where {0}", "update ticket set status = 'x' where {0}",
             "delete from ticket where id = 1 and {0}"]
)  # fmt: skip
def test_errors_on_rows_that_are_hidden_do_not_tell_of_them(the_office, form, where):
    """A function that fails on a hidden row would be an oracle for its values; none is computed there."""
    told = the_office.told(form.format(where.format("title")))
    only_mine = the_office.told(form.format(where.format("title") + " and owner_id = 'U-1'"))
    assert SECRET not in told.replace("XSECRET%", "")
    assert told.partition("line")[0] == only_mine.partition("line")[0]


@pytest.mark.slow
def test_random_statements_for_five_minutes(capfd):
    """Every dialect in turn, each in a process of its own. What fails is kept among the fixtures."""
    command = [sys.executable, str(FIXTURES.parent / "fuzz.py"), "5", "--seed", "5000000"]
    with capfd.disabled():  # the seeds, and what was tried
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=1_800, check=False)
    assert done.returncode == 0, done.stderr
