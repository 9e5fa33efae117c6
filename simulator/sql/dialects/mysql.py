"""MySQL 8, with its default modes and collation.

What it means, beside PostgreSQL:

- Texts compare, sort, group and match LIKE without case and accents (``utf8mb4_0900_ai_ci``): ``'Møller' = 'MOLLER'``.
  By code point with ``COLLATE utf8mb4_bin`` or ``BINARY``, and what ``->>`` gives. Keys are told apart by code point.
- Booleans are 0 and 1: a comparison is a number where a number is wanted, a number is a condition.
- ``/`` gives a decimal of four digits more than the dividend, and ``AVG`` too; they round where a result or a grouped
  subquery shows them. Division by zero is NULL, in writes an error. Whole numbers add up to BIGINT.
- A text beside a number is refused, where MySQL would read the number the text begins with; a CAST does read it so.
- ``||`` is OR; double quotes are texts; a backslash escapes. NULLs come first ascending.
- ``UPDATE … JOIN`` writes one table; a row that meets several others is an error if it takes values of theirs. An
  assignment does not read a column that an earlier one has set, which MySQL would read with its new value.
- ON DUPLICATE KEY UPDATE goes by the one key that the inserted columns hold. INSERT IGNORE passes over keys that exist
  but not over wrong values. GROUP_CONCAT keeps 1,024 bytes.
- A FULL JOIN, variables, MERGE and RETURNING there is not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.dialects import conditions
from simulator.sql.dialects.calls import FunctionRule
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.hiding import INTERVAL_CALL
from simulator.sql.dialects.mysql_writes import delete, insert, update
from simulator.sql.dialects.naming import Naming, output_name
from simulator.sql.dialects.refusals import refuse, unsupported
from simulator.sql.dialects.reshaping import (
    name_by_text,
)
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    literals,
    numbers,
    of_mysql,
    texts,
)
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.translator import Dialect
from simulator.sql.dialects.wording import Wording, near_column, said, unlike_operands, unlike_types
from simulator.sql.problems import SqlProblem

SCHEMA = "world"

# -- Trees -------------------------------------------------------------------------------------------------------------


def _retold(tokens: list[Token]) -> list[Token]:
    """``REPLACE INTO`` as an INSERT, which :func:`_adapted` tells apart by the text. The parser's tokens have a command
    and the rest of the statement in one piece.
    """
    if len(tokens) < 2 or tokens[0].text.upper() != "REPLACE" or tokens[1].token_type != TokenType.STRING:
        return tokens
    first, rest = tokens[0], tokens[1]
    insert = Token(TokenType.INSERT, "INSERT", first.line, first.col, first.start, first.end, [])
    return [insert, *MySQL().tokenize(" " * rest.start + rest.text), *tokens[2:]]


def _adapted(tree: exp.Expr, sql: str, catalogue: TableCatalogue) -> exp.Expr:
    _check_forms(tree)
    conditions.literals_as_texts(tree)
    if isinstance(tree, exp.Insert):
        insert(tree, catalogue, replaces=sql.lstrip(" \t\n\r(").upper().startswith("REPLACE"))
    elif isinstance(tree, exp.Update):
        update(tree, catalogue)
    elif isinstance(tree, exp.Delete):
        delete(tree, catalogue)
    for window in tree.find_all(exp.WindowSpec):
        _frame(window)
    for group in tree.find_all(exp.Group):
        if group.args.get("rollup"):
            group.set("expressions", [exp.Rollup(expressions=group.expressions)])
            group.set("rollup", None)
    name_by_text(tree, sql, "mysql")
    conditions.as_numbers(tree)
    for select in tree.find_all(exp.Select):
        _round_where_shown(select, is_top=select is tree)
    return tree


def _check_forms(tree: exp.Expr) -> None:
    for join in tree.find_all(exp.Join):
        if str(join.args.get("side") or "").upper() == "FULL":
            raise refuse("sql_syntax", 'syntax error at or near "FULL"', join, "Use LEFT JOIN … UNION … RIGHT JOIN.")
    for select in tree.find_all(exp.Select):
        if select.args.get("into") is not None:
            raise refuse("sql_forbidden", "SELECT … INTO is not allowed.", select)
        having, group = select.args.get("having"), select.args.get("group")
        if (
            having is not None
            and group is None
            and not any(_aggregates(item) for item in [*select.expressions, having])
        ):
            raise unsupported("HAVING without groups", having, "Use WHERE, with the expressions themselves.")


def _aggregates(node: exp.Expr) -> bool:
    return any(
        isinstance(call, exp.GroupConcat) or FUNCTIONS.get(call.name.lower(), _PLAIN).is_aggregate
        for call in node.find_all(exp.Anonymous, exp.GroupConcat)
    )


def _frame(window: exp.WindowSpec) -> None:
    """``INTERVAL 7 DAY PRECEDING`` as the rule for frames knows it."""
    for bound in ("start", "end"):
        span = window.args.get(bound)
        if isinstance(span, exp.Interval) and span.args.get("unit") is not None:
            words = [exp.Literal.string(f"{span.this.name} {span.args['unit'].name.lower()}")]
            window.set(bound, exp.Anonymous(this=INTERVAL_CALL, expressions=words))


def _round_where_shown(select: exp.Select, *, is_top: bool) -> None:
    """Quotients get the digits of their type in a result, and where MySQL keeps a subquery's rows aside."""
    is_kept_aside = (
        any(select.args.get(name) for name in ("group", "distinct", "limit", "having", "windows"))
        or isinstance(select.parent, exp.SetOperation)
        or any(_aggregates(item) for item in select.expressions)
    )
    if not (is_top or is_kept_aside):
        return
    for item in list(select.expressions):
        inner = item.this if isinstance(item, exp.Alias) else item
        if inner.find(exp.Div) is None and not any(
            call.name.lower() == "avg" for call in inner.find_all(exp.Anonymous)
        ):
            continue
        call = exp.Anonymous(this=of_mysql.SHOWN_CALL)
        inner.replace(call)
        call.set("expressions", [inner])


# -- Words -------------------------------------------------------------------------------------------------------------

_CLAUSES = {
    "WHERE": "where clause", "the SELECT list": "field list", "GROUP BY": "group statement", "HAVING": "having clause",
    "ORDER BY": "order clause", "JOIN conditions": "on clause",
}  # fmt: skip


def _unknown_column(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = match[1].strip('"')
    hint = near_column(problem.suggestion)
    return replace(problem, message=f"Unknown column '{name}' in 'field list'", suggestion=hint)


def _odd_value(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    """What MySQL takes for 0, with a warning; a date it refuses."""
    kind = match[1]
    if kind in ("date", "timestamp"):
        name = "DATE" if kind == "date" else "DATETIME"
        return replace(problem, message=f"Incorrect {name} value: '{match[2]}'")
    what = f"The text '{match[2]}' as a {kind} is not supported here."
    return replace(problem, code="sql_unsupported", message=what, suggestion="Write the number itself.")


def _no_table(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = match[1]
    spelled = name if "." in name else f"{SCHEMA}.{name}"
    return replace(problem, message=f"Table '{spelled}' doesn't exist")


def _syntax(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    near = match[1] if match.lastindex else ""
    return replace(
        problem,
        message=(
            "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for "
            f"the right syntax to use near '{near}' at line {problem.line or 1}"
        ),
    )


_WORDING = Wording(
    messages=(
        (re.compile(r'^column ("[^"]+"|\S+) does not exist$'), _unknown_column),
        (re.compile(r'^column ("[^"]+") of relation "[^"]+" does not exist$'), _unknown_column),
        (re.compile(r'^column ("[^"]+") specified in USING clause'), _unknown_column),
        (re.compile(r'^missing FROM-clause entry for table "([^"]+)"$'), said("Unknown table '{1}'")),
        (re.compile(r'^relation "([^"]+)" does not exist$'), _no_table),
        (re.compile(r'^column reference "([^"]+)" is ambiguous$'), said("Column '{1}' in field list is ambiguous")),
        (re.compile(r'^ORDER BY "([^"]+)" is ambiguous$'), said("Column '{1}' in order clause is ambiguous")),
        (re.compile(r'^table name "([^"]+)" specified more than once$'), said("Not unique table/alias: '{1}'")),
        (
            re.compile(r'^column "([^"]+)" must appear in the GROUP BY clause'),
            said(
                "Expression of SELECT list is not in GROUP BY clause and contains nonaggregated column '{1}' which is "
                "not functionally dependent on columns in GROUP BY clause; this is incompatible with "
                "sql_mode=only_full_group_by",
                "Group by it, or write ANY_VALUE(), MIN() or MAX() around it.",
            ),
        ),
        (re.compile(r"^aggregate functions are not allowed in"), said("Invalid use of group function")),
        (
            re.compile(r"^window functions are not allowed in (.+)$"),
            said("You cannot use a window function in {1}", "Compute it in a subquery, and filter around it."),
        ),
        (re.compile(r'^syntax error at or near "(.*)"$', re.DOTALL), _syntax),
        (re.compile(r"^syntax error at end of input$"), _syntax),
        unlike_operands(
            "Cast one of them: CAST(x AS SIGNED), CAST(x AS DECIMAL(10,2)), CAST(x AS CHAR) or CAST(x AS DATE)."
        ),
        unlike_types("Cast them to one type, for instance CAST(x AS CHAR)."),
        (re.compile(r'^invalid input syntax for type ([a-z ]+): "(.*)"$', re.DOTALL), _odd_value),
        (
            re.compile(r"^function (\w+)\(.*\) does not exist$"),
            said("Incorrect parameters in the call to native function '{1}'", "Cast the arguments."),
        ),
        (
            re.compile(r"^INSERT has more|^VALUES lists must all be the same length"),
            said("Column count doesn't match value count at row 1"),
        ),
        (
            re.compile(r"^each (UNION|INTERSECT|EXCEPT|UNION ALL) query must have the same number of columns$"),
            said("The used SELECT statements have a different number of columns"),
        ),
        (re.compile(r"^subquery (must return only one column|has too)"), said("Operand should contain 1 column")),
        (
            re.compile(r'^column "([^"]+)" is of type (.+) but expression is of type (.+)$'),
            said("A {3} stored in '{1}', which is {2}, is not supported here.", "Cast it."),
        ),
        (
            re.compile(r"^for SELECT DISTINCT, ORDER BY expressions must appear in select list$"),
            said("Expression of ORDER BY clause is not in SELECT list; this is incompatible with DISTINCT"),
        ),
        (re.compile(r"^division by zero$"), said("Division by 0")),
    ),
    types={
        "integer": "int", "bigint": "bigint", "numeric": "decimal", "double precision": "double", "text": "text",
        "timestamp without time zone": "datetime", "timestamp with time zone": "timestamp", "jsonb": "json",
        "boolean": "condition",
    },
    suggestions={
        "Write it with CASE, coalesce(), the text functions, date_trunc() and extract().":
            "Write it with CASE, COALESCE(), CONCAT(), SUBSTRING(), DATE_FORMAT() and EXTRACT().",
    },
    finish=lambda problem: problem,
)  # fmt: skip

_PLAIN = FunctionRule(lambda *_: None)  # type: ignore[arg-type]
_INSTEAD = {
    **dict.fromkeys(("nvl", "nvl2"), "Use IFNULL(x, y) or COALESCE(x, y)."),
    **dict.fromkeys(("to_char", "strftime", "format_date"), "Use DATE_FORMAT(x, '%Y-%m-%d')."),
    **dict.fromkeys(("to_date", "to_timestamp"), "Use STR_TO_DATE(x, '%Y-%m-%d')."),
    **dict.fromkeys(("date_trunc", "trunc"), "Use DATE_FORMAT(x, '%Y-%m-01'), or YEAR(x) and MONTH(x)."),
    **dict.fromkeys(("dateadd", "age"), "Use DATE_ADD(x, INTERVAL 1 DAY), or TIMESTAMPDIFF(unit, a, b)."),
    **dict.fromkeys(("getdate", "julianday"), "Use NOW() or CURDATE()."),
    **dict.fromkeys(("string_agg", "listagg", "array_agg"), "Use GROUP_CONCAT(x ORDER BY x SEPARATOR ', ')."),
    **dict.fromkeys(("charindex", "strpos"), "Use LOCATE(part, text)."),
    **dict.fromkeys(("iif", "decode"), "Use IF(condition, a, b) or CASE."),
    **dict.fromkeys(("len",), "Use CHAR_LENGTH(x)."),
    **dict.fromkeys(("split_part",), "Use SUBSTRING_INDEX(text, separator, n)."),
    **dict.fromkeys(("initcap", "translate"), "Use UPPER(), LOWER(), LEFT() and SUBSTRING()."),
    **dict.fromkeys(("percentile_cont", "percentile_disc", "median"), "Number the rows with ROW_NUMBER()."),
    **dict.fromkeys(("json_arrayagg", "json_objectagg"), "Use GROUP_CONCAT(x ORDER BY x)."),
    **dict.fromkeys(("json_array", "json_set", "json_insert", "json_replace", "json_remove", "json_keys", "json_type"),
                    "Read fields with ->>, and write the whole document."),
    **dict.fromkeys(("regexp_substr", "regexp_instr"), "Use x REGEXP 'pattern' or REGEXP_REPLACE()."),
    **dict.fromkeys(("exp", "ln", "log", "log2", "log10", "sin", "cos", "tan", "pi", "radians", "degrees"),
                    "Its last digits differ between machines; use + - * / and SQRT()."),
    **dict.fromkeys(("rand", "uuid", "uuid_short"),
                    "A world is the same in every run; choose by a column, or give the key yourself."),
    **dict.fromkeys(("sleep", "benchmark"), "The world's clock does not move while a statement runs."),
    **dict.fromkeys(("version", "database", "schema", "user", "current_user", "session_user", "system_user",
                     "connection_id"), "The world is not a server; ask its tables."),
    **dict.fromkeys(("load_file", "sys_exec", "sys_eval", "updatexml", "extractvalue", "get_lock", "release_lock",
                     "name_const", "sleep"), "Only the tables can be read."),
    **dict.fromkeys(("last_insert_id", "row_count", "found_rows"), "Ask the tables: SELECT MAX(id) FROM …."),
    **dict.fromkeys(("md5", "sha1", "sha2", "crc32", "hex", "unhex"), "Compare the texts themselves."),
    **dict.fromkeys(("timediff", "time", "sec_to_time", "time_to_sec", "addtime", "subtime"),
                    "Use TIMESTAMPDIFF(SECOND, a, b)."),
    **dict.fromkeys(("convert_tz",), "The world's times are UTC; leave it out."),
    **dict.fromkeys(("merge",), "Use INSERT … ON DUPLICATE KEY UPDATE."),
}  # fmt: skip

FUNCTIONS: dict[str, FunctionRule] = {
    **{name: conditional.FUNCTIONS[name] for name in ("coalesce", "nullif")},
    "ifnull": conditional.FUNCTIONS["coalesce"],
    **{name: numbers.FUNCTIONS[name] for name in ("abs", "sign", "sqrt", "power", "pow")},
    "ascii": texts.FUNCTIONS["ascii"],
    **{
        name: aggregates.FUNCTIONS[name]
        for name in (
            "count", "sum", "min", "max", "stddev_samp", "stddev_pop", "var_samp", "var_pop", "row_number", "rank",
            "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value",
            "nth_value", "grouping",
        )
    },
    "std": aggregates.FUNCTIONS["stddev_pop"],
    "stddev": aggregates.FUNCTIONS["stddev_pop"],
    "variance": aggregates.FUNCTIONS["var_pop"],
    **of_mysql.FUNCTIONS,
    **conditions.FUNCTIONS,
    **literals.FUNCTIONS,
}  # fmt: skip

_SHARED = {
    **literals.RULES, **arithmetic.RULES, **comparison.RULES, **conditional.RULES, **texts.RULES, **aggregates.RULES,
}  # fmt: skip
_NOT_HERE = (exp.Pow, exp.DPipe, exp.ByteString, exp.RawString, exp.AtTimeZone, exp.Localtimestamp, exp.Overlay)

MYSQL = Dialect(
    name="mysql",
    reading=Reading(
        parser="mysql",
        own_syntax=frozenset({"GROUP_CONCAT"}),
        foreign=frozenset({"::", "ilike", "similar", "qualify", "returning", "lateral view", "==", "~", "~*"}),
        limit_pair=True,
        quoted_alias=True,
        insert_set=True,
        instead_of_merge="Use INSERT … ON DUPLICATE KEY UPDATE.",
        retold=_retold,
    ),
    rules={kind: rule for kind, rule in {**_SHARED, **of_mysql.RULES}.items() if kind not in _NOT_HERE},
    functions=FUNCTIONS,
    table_functions={},
    default_schema=SCHEMA,
    alternatives=_INSTEAD,
    naming=Naming(lambda items: [output_name(item) for item in items], lambda name, _: name),
    habits=frozenset({
        "rows_known_by_key", "alias_in_having", "one_source_row", "rows_written_twice", "truth_is_a_number",
    }),
    messages=_WORDING,
    adapted=_adapted,
    collation="dx_ai_ci",
)  # fmt: skip
