"""The functions added to SQL do what their names say, and stay linear."""

from decimal import ROUND_HALF_UP, Decimal, localcontext

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.sql import FunctionProblem
from simulator.sql.arithmetic import ArithmeticProblem, calculate
from simulator.sql.functions import decimal_round, register_functions


class _World:
    def now(self):
        return "2026-03-02 09:00:00"

    def new_id(self, table):
        return f"{table}-1"


@pytest.fixture(scope="module")
def connection():
    connection = apsw.Connection(":memory:")
    register_functions(connection, _World())
    return connection


@pytest.fixture(scope="module")
def plain():
    return apsw.Connection(":memory:")


@given(st.floats(min_value=-(2.0**53), max_value=2.0**53), st.integers(0, 15))
def test_decimal_round_is_half_up_on_the_shortest_decimal(value, scale):
    with localcontext(prec=60):
        expected = float(Decimal(repr(value)).quantize(Decimal(1).scaleb(-scale), rounding=ROUND_HALF_UP))
    assert decimal_round(value, scale) == expected


@given(st.floats(allow_nan=False), st.integers(0, 15))
def test_rounding_twice_changes_nothing_more(value, scale):
    once = decimal_round(value, scale)
    assert decimal_round(once, scale) == once


@pytest.mark.parametrize(
    ("value", "scale", "expected"),
    [
        (2.675, 2, 2.68),
        (1.005, 2, 1.01),
        (-2.5, 0, -3.0),
        (0.125, 2, 0.13),
        (7, 2, 7.0),
        (None, 2, None),
        (1e300, 2, 1e300),
    ],
)
def test_decimal_round_rounds_as_on_paper(value, scale, expected):
    assert decimal_round(value, scale) == expected


def test_decimal_round_never_gives_negative_zero():
    assert str(decimal_round(-0.001, 2)) == "0.0"


@pytest.mark.parametrize(("value", "scale"), [("2.5", 0), (b"2", 0), (1.0, -1), (1.0, 16), (1.0, None), (1.0, "2")])
def test_decimal_round_refuses_what_is_no_number(value, scale):
    with pytest.raises(FunctionProblem, match="decimal_round"):
        decimal_round(value, scale)


_NUMBERS = st.decimals(min_value=0, max_value=9999, places=2).map(str)
_EXPRESSIONS = st.recursive(
    _NUMBERS,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", " * ", "/ "]), inner).map("".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-({text})"),
    ),
    max_leaves=12,
)


@given(_EXPRESSIONS)
def test_calculate_agrees_with_python(text):
    try:
        expected = eval(text.replace(" ", ""), {"__builtins__": {}})  # digits, + - * / and brackets, made above
    except ZeroDivisionError:
        with pytest.raises(ArithmeticProblem, match="division by zero"):
            calculate(text)
    else:
        assert calculate(text) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "2+", "(2", "2)", "2 3", "2**3", "1e5", "0x10", "1_000", "a", "2+a", "__import__('os')", "1/0", "1//2",
        "2;3", "٣", "1" * 1001, "(" * 65 + "1" + ")" * 65, "-" * 65 + "1", "9" * 400, "()", ".", "1..2", "1%2", "√4",
    ],
)  # fmt: skip
def test_calculate_refuses_everything_else(text):
    with pytest.raises(ArithmeticProblem):
        calculate(text)


def test_calculate_in_sql_rounds_to_two_decimals_and_keeps_null(connection):
    sql = "select calculate('2 * (3 + 4) / 3'), calculate(null), calculate('1.005'), calculate('-0.001'), calculate(12)"
    assert connection.execute(sql).fetchall() == [(4.67, None, 1.01, 0.0, 12.0)]
    with pytest.raises(FunctionProblem, match=r"calculate\(\) cannot work out '1/0': division by zero"):
        connection.execute("select calculate('1/0')").fetchall()


def test_now_and_new_id_ask_the_world(connection):
    assert connection.execute("select now(), new_id('ticket')").fetchall() == [("2026-03-02 09:00:00", "ticket-1")]
    with pytest.raises(FunctionProblem, match="name of a table"):
        connection.execute("select new_id(3)").fetchall()


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("[A-Z]-\\d+", "C-12", 1),
        ("[A-Z]-\\d+", "C-12 ", 0),
        ("a|ab", "ab", 1),
        ("(a*)*b", "a" * 5000, 0),
        ("ü.", "üé", 1),
        (None, "a", None),
        ("a", None, None),
    ],
)
def test_regexp_full_matches_the_whole_text(connection, pattern, text, expected):
    assert connection.execute("select regexp_full(?, ?)", (pattern, text)).fetchall() == [(expected,)]


@pytest.mark.parametrize(("pattern", "text"), [("(", "x"), ("(?=a)", "a"), ("a" * 1001, "a"), (1, "a"), ("a", 1)])
def test_regexp_full_refuses_bad_patterns(connection, pattern, text):
    with pytest.raises(FunctionProblem):
        connection.execute("select regexp_full(?, ?)", (pattern, text)).fetchall()


_VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(alphabet="aAb \tü'%", max_size=8),
)
_CALLS = [
    "instr(:a, :b)",
    "replace(:a, :b, :c)",
    "trim(:a, :b)",
    "ltrim(:a, :b)",
    "rtrim(:a, :b)",
    "trim(:a)",
    "ltrim(:a)",
    "rtrim(:a)",
]


@given(_VALUES, _VALUES, _VALUES)
def test_functions_made_linear_give_what_sqlites_own_give(connection, plain, a, b, c):
    sql = "select " + ", ".join(f"{call}, typeof({call})" for call in _CALLS)
    bindings = {"a": a, "b": b, "c": c}
    assert connection.execute(sql, bindings).fetchall() == plain.execute(sql, bindings).fetchall()


def test_blobs_are_searched_by_bytes(connection, plain):
    sql = "select instr(x'00ff01', x'01'), instr('aüb', 'b'), instr(cast('aüb' as blob), x'62')"
    assert connection.execute(sql).fetchall() == plain.execute(sql).fetchall()


def test_long_strings_do_not_take_quadratic_time(connection):
    # SQLite's own trim() would take minutes here, and cannot be interrupted.
    bindings = {"a": "a" * 400_000, "b": "a" * 200_000 + "b"}
    assert connection.execute("select instr(:a, :b), length(replace(:a, :b, 'x'))", bindings).fetchall() == [
        (0, 400_000)
    ]
    with pytest.raises(FunctionProblem, match="at most 1000 characters"):
        connection.execute("select trim(:a, :b)", bindings).fetchall()
