"""Every statement of the corpora means here what it means to the dialect's database, or is refused with another that
does.

The answers were recorded by ``scripts/record_dialect_answers.py`` from a real PostgreSQL: for other dialects from a
statement written by hand beneath theirs, that means the same; or they were worked out by hand. They are compared so:
numbers by value (numeric and double precision to twelve digits, since decimals are floats here; ``avg`` and divisions
have as many digits in PostgreSQL as it likes), booleans as 0 and 1, times by their text without the offset ``+00``,
jsonb and arrays as parsed documents; the order of rows where the statement has ORDER BY at its end (in the corpus
always a total one), else as bags. A write is compared by the rows it changed in any table. Where PostgreSQL has an
error, ours must be of the same class; the errors of other dialects are told by our code and a part of the message.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import apsw.ext
import pytest
import yaml

from simulator.sql.dialects import TableCatalogue, Translated, translate
from simulator.sql.functions import FunctionProblem
from simulator.sql.problems import SqlProblem

HERE = Path(__file__).parent
WORLD: dict[str, Any] = yaml.safe_load((HERE / "world.yaml").read_text())
_STATEMENT = re.compile(
    r"-- id: (?P<id>\w+)\n(?P<sql>.*?);\n(?P<told>(?:-- (?:alternative|postgres|error): [^\n]*\n)*)(?=\n|\Z)", re.DOTALL
)
_ALTERNATIVE = re.compile(r"-- alternative: (\w+)")
FEWEST = {"postgres": 250}


@dataclass(frozen=True)
class Statement:
    dialect: str
    id: str
    sql: str
    alternative: str
    answer: dict[str, Any]

    @property
    def is_ordered(self) -> bool:
        depth, last = 0, False
        for word in re.findall(r"'[^']*'|[()]|\border by\b", self.sql, re.IGNORECASE):
            depth += {"(": 1, ")": -1}.get(word, 0)
            last = last or (depth == 0 and word.lower() == "order by")
        return last


def _load(dialect: str) -> dict[str, Statement]:
    found: dict[str, Statement] = {}
    for file in sorted((HERE / dialect).glob("*.sql")):
        text = file.read_text()
        answers = json.loads((HERE / dialect / "answers" / f"{file.stem}.json").read_text())
        for match in _STATEMENT.finditer(text):
            assert match["id"] not in found, f"{match['id']} stands twice in the corpus of {dialect}"
            alternative = _ALTERNATIVE.search(match["told"])
            # What is refused here for another statement needs no answer, but where PostgreSQL itself has one.
            answer = answers[match["id"]] if alternative is None else answers.get(match["id"], {})
            named = "" if alternative is None else alternative[1]
            found[match["id"]] = Statement(dialect, match["id"], match["sql"], named, answer)
        assert text.count("-- id: ") == len(_STATEMENT.findall(text)), f"a statement of {file} cannot be read"
    return found


CORPORA = {folder.name: _load(folder.name) for folder in sorted(HERE.iterdir()) if any(folder.glob("*.sql"))}
STATEMENTS = [statement for corpus in CORPORA.values() for statement in corpus.values()]

# What PostgreSQL's error classes are here.
_CLASSES = {
    "sql_syntax": "42803 42804 42P20 42P19 42P10 42701 42712 42846",
    "sql_syntax sql_unsupported": "42601 0A000 42883 42725",
    "sql_unknown_name": "42P01 42703 42702",
    "sql_value": "22003 22008 22012 21000 22023 2201W 22011 22025 2201F",
    "sql_value sql_unsupported": "22P02 22007",
    "constraint": "23505 23502",
}
_CODES = {state: codes.split() for codes, states in _CLASSES.items() for state in states.split()}


@dataclass(frozen=True)
class Outcome:
    """``verdict`` is right, different or unsupported."""

    verdict: str
    detail: str = ""


def replay(statement: Statement, catalogue: TableCatalogue, database: apsw.Connection) -> Outcome:
    translated = translate(statement.sql, statement.dialect, catalogue)
    if isinstance(translated, SqlProblem):
        if translated.code == "sql_unsupported" and "error" not in statement.answer:
            return Outcome("unsupported", str(translated))
        return _judged_error(statement, translated.code, str(translated))
    before = _state(database)
    database.execute("SAVEPOINT replay")
    try:
        names = [column[0] for column in apsw.ext.query_info(database, translated.sql).description]
        rows = [list(row) for row in database.execute(translated.sql)]
        after = _state(database)
    except FunctionProblem as problem:
        return _judged_error(statement, "sql_value", f"{problem}\n{translated.sql}")
    except apsw.ConstraintError as error:
        return _judged_error(statement, "constraint", f"{error}\n{translated.sql}")
    finally:
        database.execute("ROLLBACK TO replay; RELEASE replay").fetchall()
    return _judged(statement, translated, names, rows, before, after)


def _judged_error(statement: Statement, code: str, detail: str) -> Outcome:
    expected = statement.answer.get("error")
    if expected is None:
        return Outcome("different", f"the database answers, we do not: {code}: {detail}")
    message = statement.answer["message"]
    is_same = code in _CODES[expected] if expected in _CODES else code == expected and message in detail
    if not is_same:
        return Outcome("different", f"the database has {expected} {message}, we have {code}: {detail}")
    return Outcome("right")


def _judged(
    statement: Statement, translated: Translated, names: list[str], rows: list[Any], before: Any, after: Any
) -> Outcome:
    answer = statement.answer
    if "error" in answer:
        return Outcome(
            "different", f"the database has {answer['error']} {answer['message']}, we answer {rows}\n{translated.sql}"
        )
    if names != answer.get("columns", []) or [column.name for column in translated.columns] != names:
        return Outcome("different", f"columns {names} instead of {answer.get('columns')}")
    types = answer.get("types", [])
    expected = [
        [_expected(value, kind) for value, kind in zip(row, types, strict=True)] for row in answer.get("rows", [])
    ]
    actual = [[_actual(value, kind) for value, kind in zip(row, types, strict=True)] for row in rows]
    if not statement.is_ordered:
        expected, actual = sorted(expected, key=repr), sorted(actual, key=repr)
    if not _same(expected, actual):
        return Outcome("different", f"{actual}\ninstead of\n{expected}\n{translated.sql}")
    changes = answer.get("changes", {})
    for table, columns in _column_types().items():
        gone = [row for row in before[table] if row not in after[table]]
        new = [row for row in after[table] if row not in before[table]]
        wanted = changes.get(table, {"gone": [], "new": []})
        for ours, theirs in ((gone, wanted["gone"]), (new, wanted["new"])):
            a = sorted(([_actual(v, k) for v, k in zip(row, columns, strict=True)] for row in ours), key=repr)
            b = sorted(([_expected(v, k) for v, k in zip(row, columns, strict=True)] for row in theirs), key=repr)
            if not _same(a, b):
                return Outcome("different", f"{table}: {a}\ninstead of\n{b}\n{translated.sql}")
    return Outcome("right")


def _column_types() -> dict[str, list[str]]:
    plain = {"decimal": "numeric", "json": "jsonb", "boolean": "bool", "real": "float8"}
    return {
        name: [plain.get(kind.rstrip("?").partition("(")[0], kind.rstrip("?")) for kind in table["columns"].values()]
        for name, table in WORLD["tables"].items()
    }


def _state(database: apsw.Connection) -> dict[str, list[Any]]:
    return {name: database.execute(f'SELECT * FROM "{name}"').fetchall() for name in WORLD["tables"]}


def _expected(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind.endswith("[]"):
        return [_expected(item, kind[:-2]) for item in value]
    if kind == "numeric":
        return float(value)
    if kind in ("bool", "boolean"):
        return int(value)
    if kind == "timestamptz":
        return value.removesuffix("+00")
    return value


def _actual(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind.endswith("[]"):
        return [_expected(item, kind[:-2]) for item in json.loads(value)]
    if kind in ("json", "jsonb"):
        return json.loads(value)
    if kind == "numeric":
        return float(value)
    return value


def _same(first: Any, second: Any) -> bool:
    if isinstance(first, float) or isinstance(second, float):
        both = isinstance(first, int | float) and isinstance(second, int | float)
        return both and math.isclose(first, second, rel_tol=1e-12, abs_tol=1e-12)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    return type(first) is type(second) and bool(first == second)


@pytest.mark.parametrize("statement", STATEMENTS, ids=[f"{known.dialect}-{known.id}" for known in STATEMENTS])
def test_a_statement_means_what_it_means_to_the_database(
    statement: Statement, catalogue: TableCatalogue, database: apsw.Connection
) -> None:
    outcome = replay(statement, catalogue, database)
    if statement.alternative:
        assert outcome.verdict == "unsupported", f"{outcome}: it needs no alternative"
        assert outcome.detail.count("sql_unsupported") == 1
        alternative = CORPORA[statement.dialect][statement.alternative]
        assert replay(alternative, catalogue, database).verdict == "right"
    else:
        assert outcome.verdict == "right", outcome.detail


@pytest.mark.parametrize("dialect", CORPORA)
def test_the_corpus_is_large_and_mostly_right(
    dialect: str, catalogue: TableCatalogue, database: apsw.Connection
) -> None:
    verdicts = Counter(replay(statement, catalogue, database).verdict for statement in CORPORA[dialect].values())
    assert sum(verdicts.values()) >= FEWEST.get(dialect, 50)
    assert verdicts["different"] == 0
    assert verdicts["right"] >= 0.88 * sum(verdicts.values()), verdicts


@pytest.mark.parametrize("dialect", CORPORA)
def test_every_refusal_says_what_to_write_instead(dialect: str, catalogue: TableCatalogue) -> None:
    for statement in CORPORA[dialect].values():
        problem = translate(statement.sql, dialect, catalogue)
        if isinstance(problem, SqlProblem) and problem.code == "sql_unsupported":
            assert problem.suggestion, statement.id
