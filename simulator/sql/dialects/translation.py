"""One statement of a dialect made one of SQLite."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.bigquery import BIGQUERY
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.mysql import MYSQL
from simulator.sql.dialects.oracle import ORACLE
from simulator.sql.dialects.parsing import parse_statement
from simulator.sql.dialects.postgres import POSTGRES
from simulator.sql.dialects.queries import compile_query
from simulator.sql.dialects.refusals import Refused, place
from simulator.sql.dialects.snowflake import SNOWFLAKE
from simulator.sql.dialects.translated import OutputColumn, Translated
from simulator.sql.dialects.translator import Dialect, Translator
from simulator.sql.dialects.tsql import TSQL
from simulator.sql.dialects.writes import compile_write
from simulator.sql.functions import FunctionProblem
from simulator.sql.problems import SqlProblem, line_and_column

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect for dialect in (POSTGRES, SNOWFLAKE, BIGQUERY, MYSQL, TSQL, ORACLE)
}
"""The dialects that are translated, by name."""

_FUNCTION = re.compile(r"dx_\w+")


def translate(sql: str, dialect: str, catalogue: TableCatalogue) -> Translated | SqlProblem:
    """The statement ``sql`` of ``dialect`` (a key of :data:`DIALECTS`) as one of SQLite, over the tables of
    ``catalogue``.

    A problem has its place in ``sql``. ``sql_syntax`` and ``sql_unknown_name`` are what the dialect itself refuses,
    ``sql_value`` a literal that is no value of its type; ``sql_unsupported`` is valid in the dialect, but its meaning
    could not be kept, and ``suggestion`` says what works instead. Raises :class:`KeyError` for an unknown dialect.
    """
    known = DIALECTS[dialect]
    found = _read(sql, known, catalogue)
    return known.messages(found) if isinstance(found, SqlProblem) else found


def _read(sql: str, known: Dialect, catalogue: TableCatalogue) -> Translated | SqlProblem:
    try:
        tree = parse_statement(sql, known.reading)
        if isinstance(tree, SqlProblem):
            return tree
        return _translated(known.adapted(tree, sql, catalogue), Translator(known, catalogue))
    except Refused as refused:
        start, _ = place(refused.node, sql)
        line, column = line_and_column(sql, start)
        return replace(refused.problem, line=line, column=column)
    except FunctionProblem as problem:
        return SqlProblem("sql_value", str(problem), 1, 1)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # The parser takes texts that are no SQL and makes trees with holes of them; a rule has met one.
        return SqlProblem("sql_syntax", "The statement cannot be read.", 1, 1, "Look for a missing part.")
    except RecursionError:
        return SqlProblem("sql_limit", "The statement is nested too deeply.", 1, 1, "Split it into several.")


def _translated(tree: exp.Expr, translator: Translator) -> Translated:
    columns: tuple[OutputColumn, ...]
    if isinstance(tree, exp.Insert | exp.Update | exp.Delete):
        write = compile_write(translator, tree)
        sql, columns = write.sql, write.columns
    else:
        query = compile_query(translator, tree, None, {}, top=True)
        sql, columns = query.sql, query.columns
    return Translated(sql, columns, frozenset(_FUNCTION.findall(sql)), tuple(dict.fromkeys(translator.notes)))
