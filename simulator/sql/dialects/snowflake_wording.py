"""What Snowflake says of what the shared rules tell in PostgreSQL's words."""

from __future__ import annotations

import re
from dataclasses import replace

from simulator.sql.dialects.wording import Wording, said
from simulator.sql.problems import SqlProblem


def swapped(name: str) -> str:
    """Upper case as lower and the other way round, of ASCII letters: no two names become one."""
    return "".join(sign.swapcase() if sign.isascii() else sign for sign in name)


_TYPES = {
    "integer": "NUMBER(38,0)", "bigint": "NUMBER(38,0)", "numeric": "NUMBER", "text": "VARCHAR",
    "boolean": "BOOLEAN", "date": "DATE", "timestamp without time zone": "TIMESTAMP_NTZ(9)",
    "timestamp with time zone": "TIMESTAMP_NTZ(9)", "time without time zone": "TIME(9)", "double precision": "FLOAT",
    "jsonb": "VARIANT", "interval": "INTERVAL", "unknown": "VARCHAR",
}  # fmt: skip


def _invalid(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = match[1].strip('"')
    shown = ".".join(swapped(part) for part in name.split("."))
    return replace(problem, message=f"invalid identifier '{shown}'")


def _ambiguous(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    return replace(problem, message=f"ambiguous column name '{swapped(match[1])}'")


def _no_object(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    return replace(problem, message=f"Object '{swapped(match[1])}' does not exist or not authorized.")


def _not_grouped(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = ".".join(swapped(part) for part in match[1].split("."))
    return replace(problem, message=f"'{name}' in select clause is neither an aggregate nor in the group by clause.")


def _implicit_cast(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    """Snowflake would cast one side while it runs; written out, it is plain which."""
    if {"VARCHAR", "VARIANT"} & set(re.split(r"[ ,()]+", problem.message)) or "(VARCHAR" in problem.message:
        return replace(
            problem, code="sql_unsupported", message=f"Comparing or calculating with {match[1]} and {match[3]} "
            "without a cast is not supported here.", suggestion="Cast one side: x::NUMBER, x::VARCHAR, x::DATE.",
        )  # fmt: skip
    message = f"Invalid argument types for function '{match[2]}': ({match[1]}, {match[3]})"
    return replace(problem, message=message, suggestion="Cast one side: x::NUMBER, x::VARCHAR, x::DATE.")


def _no_signature(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    message = f"Invalid argument types for function '{match[1].upper()}': ({match[2]})"
    return replace(problem, message=message, suggestion="Look at the number and the types of the arguments.")


def _finish(problem: SqlProblem) -> SqlProblem:
    if problem.code not in ("sql_syntax", "sql_unknown_name"):
        return problem
    message = problem.message
    if message.startswith("Object "):
        return replace(problem, message=f"SQL compilation error:\n{message}")
    if message.startswith("syntax error line"):
        return replace(problem, message=f"SQL compilation error:\n{message}")
    if not problem.line:
        return replace(problem, message=f"SQL compilation error: {message}")
    place = f"error line {problem.line} at position {problem.column - 1}"
    return replace(problem, message=f"SQL compilation error: {place}\n{message}")


WORDING = Wording(
    messages=(
        (re.compile(r'^column ("[^"]+"|\S+)(?: of relation "[^"]+")? does not exist$'), _invalid),
        (re.compile(r'^missing FROM-clause entry for table ("[^"]+")$'), _invalid),
        (re.compile(r'^column ("[^"]+") specified in USING clause'), _invalid),
        (re.compile(r'^relation "([^"]+)" does not exist$'), _no_object),
        (re.compile(r'^column reference "([^"]+)" is ambiguous$'), _ambiguous),
        (re.compile(r'^column "([^"]+)" must appear in the GROUP BY clause'), _not_grouped),
        (
            re.compile(r'^syntax error at or near "([^"]*)"$'),
            said("syntax error line {line} at position {position} unexpected '{1}'."),
        ),
        (
            re.compile(r"^syntax error at end of input$"),
            said("syntax error line {line} at position {position} unexpected '<EOF>'."),
        ),
        (re.compile(r"^operator does not exist: (.+) (\S+) (.+)$"), _implicit_cast),
        (re.compile(r"^(\w+) types (.+) and (.+) cannot be matched$"), said("Can not convert {2} and {3} of {1}")),
        (re.compile(r"^function (\w+)\((.*)\) does not exist$"), _no_signature),
        (
            re.compile(r"^aggregate functions are not allowed in (.+)$"),
            said("Invalid aggregate function in {1}"),
        ),
        (
            re.compile(r"^window functions are not allowed in (.+)$"),
            said("Window function is not allowed in {1}", "Use QUALIFY, or compute it in a subquery."),
        ),
        (re.compile(r'^invalid input syntax for type (?:integer|numeric|bigint|double precision): "(.*)"$'),
         said("Numeric value '{1}' is not recognized")),
        (re.compile(r'^invalid input syntax for type (date|timestamp): "(.*)"$'),
         said("Timestamp '{2}' is not recognized as type {1}")),
    ),
    types=_TYPES,
    suggestions={
        "No operator matches the given name and argument types. You might need to add explicit type casts.":
            "Cast one side: x::NUMBER, x::VARCHAR, x::DATE.",
        "Write dates as '2024-01-31', or use current_date.": "Write dates as '2024-01-31', or use CURRENT_DATE().",
        "Write times as '2024-01-31 09:30:00' in UTC, or use now().":
            "Write times as '2024-01-31 09:30:00' in UTC, or use CURRENT_TIMESTAMP().",
        "Write numbers with at most 15 digits.": "Write numbers with at most 15 digits.",
        "Compare a field as text: doc ->> 'key' = 'x'.": "Cast it: doc:key::VARCHAR = 'x'.",
        "Write it with CASE, coalesce(), the text functions, date_trunc() and extract().":
            "Write it with CASE, COALESCE(), the text functions, DATE_TRUNC() and DATE_PART().",
        "Use string_agg(x, ', ' ORDER BY x).": "Use LISTAGG(x, ', ') WITHIN GROUP (ORDER BY x).",
    },
    finish=_finish,
)  # fmt: skip
