"""The gate holds against inputs that crash or stall parsers."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.sql import check_text
from simulator.sql.tokens import tokenize
from simulator.sql.trees import parse

_DEEP = {
    "brackets": "select " + "(" * 1500 + "1" + ")" * 1500,
    "subqueries": "select * from " + "(select * from " * 1300 + "t" + ")" * 1300,
    "scalar subqueries": "select " + "(select " * 1000 + "1" + ")" * 1000,
    "functions": "select " + "abs(" * 1500 + "1" + ")" * 1500,
    "case": "select " + "case when 1 then " * 800 + "1" + " end" * 800,
    "case in brackets": "select " + "(case when 1 then " * 40 + "1" + " end)" * 40,
    "not": "select " + "not " * 4900 + "1",
    "minus": "select " + "- " * 9000 + "1",
    "tilde": "select " + "~" * 19000 + "1",
    "mixed signs": "select " + "-+~ not " * 2000 + "1",
    "not and brackets": "select " + ("not " * 16 + "(") * 60 + "1" + ")" * 60,
    "joins in brackets": "select * from " + "(t join " * 1000 + "t" + ")" * 1000,
    "exists": "select " + "exists(select " * 900 + "1" + ")" * 900,
    "in": "select " + "1 in (" * 1500 + "1" + ")" * 1500,
    "cast": "select " + "cast(" * 1000 + "1" + " as int)" * 1000,
    "with": "with a as (" * 900 + "select 1" + ") select 1" * 900,
    "unclosed brackets": "select " + "(" * 19000,
    "too long": "select " + "1," * 10_000 + "1",
}

_FLAT = {
    "columns": "select " + ",".join(["1"] * 9000),
    "or": "select " + " or ".join(["1"] * 3900),
    "and": "select " + " and ".join(["1"] * 3200),
    "plus": "select " + "+".join(["1"] * 9000),
    "concat": "select " + "||".join(["1"] * 6000),
    "union": " union ".join(["select 1"] * 1300),
    "values": "values " + ",".join(["(1)"] * 4900),
    "in list": "select 1 in (" + ",".join(["1"] * 9900) + ")",
    "joins": "select 1 from orders " + "join orders using (id) " * 800,
    "comma joins": "select 1 from " + ",".join(["orders"] * 2800),
    "arguments": "select max(" + ",".join(["1"] * 9900) + ")",
    "parameters": "select " + ",".join(f":p{number}" for number in range(2500)),
    "arrows": "select '{}'" + " -> 'a'" * 2500,
    "collate": "select 1" + " collate nocase" * 1300,
    "is not": "select 1 is " + "not " * 10 + "null",
    "comments": "select 1" + " /* x */" * 2400,
    "line comments": "select 1" + "\n--" * 6000,
    "nested comment openers": "select 1 " + "/*" * 9000 + "*/",
    "quotes": "select '" + "''" * 9900 + "'",
    "long name": "select 1 as " + "a" * 19_900,
    "long number": "select " + "9" * 19_900,
    "dots": "select a" + ".a" * 9900,
    "semicolons": "select 1" + ";" * 19_000,
    "ctes": "with " + ",".join(f"c{number} as (select 1)" for number in range(900)) + " select 1",
    "between": "select 1 " + "between 1 and " * 1300 + "1",
    "case branches": "select case " + "when 1 then 2 " * 1300 + "end",
    "at signs": "select " + "@" * 19_000,
    "on": "select 1 from orders " + "join orders " * 700 + "on 1 " * 700,
}


@pytest.mark.parametrize("sql", [pytest.param(sql, id=name) for name, sql in _DEEP.items()])
def test_deep_nesting_is_refused_unread(twin, sql):
    problem = check_text(sql)
    assert problem is not None
    assert problem.code in ("sql_limit", "sql_syntax")
    assert twin.analyse(sql, role="query") == [problem]


@pytest.mark.parametrize("sql", [pytest.param(sql, id=name) for name, sql in _FLAT.items()])
def test_twenty_thousand_characters_of_anything_get_an_answer(twin, sql):
    assert len(sql) <= 20_000
    answers = [twin.analyse(sql, role=role) for role in ("query", "write", "condition")]
    assert all(answers)


@pytest.mark.parametrize("depth", [60, 63])
def test_what_the_gate_lets_through_does_not_crash_the_parser_on_a_small_stack(depth):
    nested = [
        "select * from " + "(select * from " * depth + "t" + ")" * depth,
        "select " + "(case when 1 then " * (depth // 2) + "1" + " end)" * (depth // 2),
        "select " + ("not " * 15 + "(") * (depth // 16) + "1" + ")" * (depth // 16),
        "select " + "not (" * (depth // 2) + "1" + ")" * (depth // 2),
    ]
    assert all(check_text(sql) is None for sql in nested)
    done: list[str] = []
    previous = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: done.extend(sql for sql in nested if parse(sql) or True))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    assert done == nested


def test_brackets_up_to_the_limit_pass_and_one_more_does_not():
    assert check_text("select " + "(" * 64 + "1" + ")" * 64) is None
    assert check_text("select " + "(" * 65 + "1" + ")" * 65).code == "sql_limit"


def test_brackets_in_strings_names_and_comments_do_not_count():
    many = "(" * 100
    assert check_text(f"select '{many}', \"{many}\", [{many}], `{many}` /* {many} */ -- {many}") is None


def test_a_column_called_end_is_no_end_of_a_case():
    assert check_text('select "end", (case when x then 1 end) as "case" from t') is None


@pytest.mark.parametrize("character", ["\ud800", "\x00", "\u202e", "\u200d", "\ufeff", "\U000e0041"])
def test_invisible_and_broken_characters_are_refused_even_in_strings(character):
    problem = check_text(f"select\n  '{character}'")
    assert (problem.code, problem.line, problem.column) == ("sql_forbidden", 2, 4)


def test_emoji_umlauts_and_foreign_blanks_are_welcome_in_strings():
    assert check_text("select 'Zürich 🚀 10\u00a0000 東\u3000京'") is None
    assert check_text("select 1 -- 10\u00a0000") is None


@given(st.text(alphabet=st.sampled_from("ab '\"`[]()-*/;:\n\\$1.,&uU"), max_size=60))
def test_tokens_cover_the_text_without_gaps(sql):
    end = 0
    for token in tokenize(sql):
        assert token.start == end
        end = token.end
        if token.kind == "broken":
            return
    assert end == len(sql)


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(sql):
    problem = check_text(sql)
    assert problem is None or problem.message
