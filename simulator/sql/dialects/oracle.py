"""Oracle Database 23ai.

What it means, beside PostgreSQL:

- An empty text is NULL, wherever it comes from, and ``||`` and CONCAT take NULL for empty. Texts compare by code point.
- Dates carry a time: the world's dates are DATEs at midnight, its timestamps DATEs to the second; the difference of two
  is a number of days, a number added is days. Texts are read as dates, and dates written, by the session's format
  ``YYYY-MM-DD HH24:MI:SS``.
- ``/`` is never cut to a whole number. Numbers become texts without needless digits: ``39.9``, ``.5``.
- Names without quotes are upper case in results, as are columns named by their expression; names are found either way.
- NULLs come last ascending. ROWNUM counts rows where it is the one limit of a query without ORDER BY, or around one
  with it.
- CONNECT BY, ``(+)``, KEEP, MERGE, RETURNING and packages there are not.
"""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot import exp

from simulator.sql.dialects.calls import FunctionRule
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.naming import Naming, output_name
from simulator.sql.dialects.refusals import refuse, unsupported
from simulator.sql.dialects.reshaping import mark_recursive, name_by_text, outermost_select, restrict, unqualified
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    literals,
    numbers,
    of_oracle,
    patterns,
    texts,
)
from simulator.sql.dialects.scopes import EMPTY_IS_NULL
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.translator import Dialect
from simulator.sql.dialects.wording import Wording, near_column, said, unlike_operands, unlike_types
from simulator.sql.problems import SqlProblem

_QUOTED = "\u00b7"
_WITH_INSTEAD = "Use WITH tree (id, …) AS (SELECT … UNION ALL SELECT … FROM t JOIN tree ON …) SELECT …."

# -- Trees -------------------------------------------------------------------------------------------------------------


def _adapted(tree: exp.Expr, sql: str, _catalogue: TableCatalogue) -> exp.Expr:
    _check_forms(tree)
    for node in list(tree.find_all(exp.DateStrToDate, exp.StrToTime)):
        kind = exp.DType.DATE if isinstance(node, exp.DateStrToDate) else exp.DType.TIMESTAMP
        node.replace(exp.Cast(this=node.this, to=exp.DataType(this=kind)))
    _name_columns(tree, sql)
    for identifier in tree.find_all(exp.Identifier):
        is_own = identifier.name.startswith(_QUOTED)
        if identifier.args.get("quoted") and not is_own:
            if identifier.name == identifier.name.upper():
                identifier.set("quoted", False)
            else:  # no name without quotes, nor that of a table, is the same
                identifier.set("this", f"{_QUOTED}{identifier.name}")
    _without_dual(tree)
    _check_row_numbers(tree)
    _target(tree)
    mark_recursive(tree)
    return tree


def _without_dual(tree: exp.Expr) -> None:
    for select in list(tree.find_all(exp.Select)):
        source = select.args.get("from_")
        is_dual = source is not None and isinstance(source.this, exp.Table) and source.this.name.lower() == "dual"
        if is_dual and not select.args.get("joins"):
            select.set("from_", None)
        _row_numbers(select)


def _check_row_numbers(tree: exp.Expr) -> None:
    for column in tree.find_all(exp.Column):
        if isinstance(column.this, exp.Identifier) and column.name.lower() == "rownum" and not column.args.get("table"):
            what = "ROWNUM at this place"
            raise unsupported(what, column, "Use FETCH FIRST n ROWS ONLY, or ROW_NUMBER() OVER (ORDER BY …).")


def _target(tree: exp.Expr) -> None:
    if isinstance(tree, exp.Update):
        for item in tree.expressions:
            if isinstance(item, exp.EQ):
                item.set("this", unqualified(item.this))
    if isinstance(tree, exp.Delete) and tree.args.get("tables"):
        if len(tree.args["tables"]) != 1 or tree.this:
            raise unsupported("This DELETE", tree, "Write DELETE FROM table WHERE ….")
        tree.set("this", tree.args["tables"][0])
        tree.set("tables", None)


def _check_forms(tree: exp.Expr) -> None:
    for column in tree.find_all(exp.Column):
        if column.args.get("join_mark"):
            raise unsupported("The outer join (+)", column, "Use LEFT JOIN … ON ….")
    for select in tree.find_all(exp.Select):
        if select.args.get("connect") is not None:
            raise unsupported("CONNECT BY", select, _WITH_INSTEAD)
        if select.args.get("into") is not None:
            raise refuse("sql_forbidden", "SELECT … INTO is not allowed.", select)
    for window in tree.find_all(exp.Window):
        if str(window.args.get("over") or "OVER").upper() != "OVER":
            raise unsupported("KEEP", window, "Use ROW_NUMBER() OVER (… ORDER BY …) in a subquery.")
    if tree.args.get("returning") is not None:
        raise unsupported("RETURNING … INTO", tree, "SELECT the rows afterwards.")


def _name_columns(tree: exp.Expr, sql: str) -> None:
    """Expressions are named by their text in upper case without blanks; names in quotes stay as they are."""
    select = outermost_select(tree)
    if select is None:
        return
    own = {id(item) for item in select.expressions if isinstance(item, exp.Alias)}
    quoted = {}
    for item in select.expressions:
        alias = item.args.get("alias") if isinstance(item, exp.Alias) else None
        if alias is not None and alias.args.get("quoted"):
            quoted[alias.name] = f"{_QUOTED}{alias.name}"
            alias.set("this", quoted[alias.name])
    order = [select.args.get("order"), tree.args.get("order")]
    for clause in filter(None, order):
        for column in clause.find_all(exp.Column):
            if column.name in quoted and column.this.args.get("quoted") and not column.args.get("table"):
                column.this.set("this", quoted[column.name])
    name_by_text(tree, sql, "oracle")
    for item in select.expressions:
        if isinstance(item, exp.Alias) and id(item) not in own:
            pieces = re.split(r"('(?:[^']|'')*')", item.args["alias"].name)
            text = "".join(piece if piece.startswith("'") else re.sub(r"\s+", "", piece).upper() for piece in pieces)
            item.args["alias"].set("this", f"{_QUOTED}{text}")


def _row_numbers(select: exp.Select) -> None:
    """``WHERE ROWNUM <= n`` as a limit, where it is clear which rows it keeps."""
    where = select.args.get("where")
    if where is None:
        return
    limits: list[int] = []
    others: list[exp.Expr] = []
    for part in where.this.flatten() if isinstance(where.this, exp.And) else [where.this]:
        count = _row_limit(part)
        if count is None:
            others.append(part)
        else:
            limits.append(count)
    if len(limits) != 1:
        return
    if any(select.args.get(name) for name in ("group", "having", "order", "distinct", "limit", "offset")) or any(
        call.name.lower() in ("count", "sum", "avg", "min", "max") for call in _own_calls(select)
    ):
        raise unsupported(
            "ROWNUM beside ORDER BY, DISTINCT or groups", select, "Use ORDER BY … FETCH FIRST n ROWS ONLY."
        )
    select.set("where", None)
    restrict(select, others)
    source = select.args["from_"].this if select.args.get("from_") is not None else None
    inner = source.this if isinstance(source, exp.Subquery) else None
    limit = exp.Limit(expression=exp.Literal.number(limits[0]))
    if not others and not select.args.get("joins") and isinstance(inner, exp.Select) and not inner.args.get("limit"):
        inner.set("limit", limit)  # the subquery's order says which
    elif isinstance(inner, exp.Select) and inner.args.get("order") is not None:
        raise unsupported("ROWNUM with other conditions", select, "Use ORDER BY … FETCH FIRST n ROWS ONLY.")
    else:
        select.set("limit", limit)


def _own_calls(select: exp.Select) -> list[exp.Anonymous]:
    return [call for item in select.expressions for call in item.find_all(exp.Anonymous)]


def _row_limit(node: exp.Expr) -> int | None:
    is_limit = isinstance(node, exp.LT | exp.LTE | exp.EQ) and isinstance(node.this, exp.Column)
    if not is_limit or node.this.name.lower() != "rownum" or not isinstance(node.expression, exp.Literal):
        return None
    text = node.expression.name
    if not text.isdigit() or (isinstance(node, exp.EQ) and text != "1"):
        return None
    return max(int(text) - isinstance(node, exp.LT), 0)


# -- Words -------------------------------------------------------------------------------------------------------------


def _names(items: list[exp.Expr]) -> list[str]:
    return [output_name(item) for item in items]


def _shown(name: str, _: exp.Expr | None) -> str:
    return name.removeprefix(_QUOTED) if name.startswith(_QUOTED) else name.upper() if name == name.lower() else name


def _invalid(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    parts = match[1].strip('"').split(".")
    spelled = ".".join(f'"{_shown(part, None)}"' for part in parts)
    hint = near_column(problem.suggestion)
    return replace(problem, message=f"ORA-00904: {spelled}: invalid identifier", suggestion=hint)


_WORDING = Wording(
    messages=(
        (re.compile(r'^column ("[^"]+"|\S+)(?: of relation "[^"]+")? does not exist$'), _invalid),
        (re.compile(r'^column ("[^"]+") specified in USING clause'), _invalid),
        (re.compile(r'^missing FROM-clause entry for table ("[^"]+")$'), _invalid),
        (re.compile(r'^relation "([^"]+)" does not exist$'), said("ORA-00942: table or view does not exist")),
        (re.compile(r'^column reference "([^"]+)" is ambiguous$'), said("ORA-00918: column ambiguously defined")),
        (re.compile(r'^ORDER BY "([^"]+)" is ambiguous$'), said("ORA-00918: column ambiguously defined")),
        (
            re.compile(r'^column "([^"]+)" must appear in the GROUP BY clause'),
            said("ORA-00979: not a GROUP BY expression: {1}", "Group by it, or write MIN() or MAX() around it."),
        ),
        (
            re.compile(r"^aggregate functions are not allowed in (.+)$"),
            said("ORA-00934: group function is not allowed here"),
        ),
        (
            re.compile(r"^window functions are not allowed in (.+)$"),
            said(
                "ORA-30483: window functions are not allowed here", "Compute it in a subquery, and filter around it."
            ),
        ),
        (
            re.compile(r'^syntax error at or near "(.*)"$', re.DOTALL),
            said("ORA-00933: SQL command not properly ended, near '{1}'"),
        ),
        (re.compile(r"^syntax error at end of input$"), said("ORA-00921: unexpected end of SQL command")),
        unlike_operands("Convert one of them: TO_NUMBER(x), TO_CHAR(x) or TO_DATE(x, 'YYYY-MM-DD')."),
        unlike_types("Convert them to one type: TO_CHAR(x) or TO_NUMBER(x)."),
        (
            re.compile(r"^invalid input syntax for type (date|timestamp)"),
            said("ORA-01861: literal does not match format string", "Write DATE '2024-01-31' or TO_DATE()."),
        ),
        (
            re.compile(r'^invalid input syntax for type ([a-z ]+): "(.*)"$', re.DOTALL),
            said("ORA-01722: invalid number: '{2}'"),
        ),
        (
            re.compile(r"^function (\w+)\((.*)\) does not exist$"),
            said("ORA-06553: wrong number or types of arguments in call to '{1}'", "Convert the arguments."),
        ),
        (re.compile(r"^INSERT has more expressions"), said("ORA-00913: too many values")),
        (re.compile(r"^INSERT has more target"), said("ORA-00947: not enough values")),
        (
            re.compile(r"^each (UNION ALL|UNION|INTERSECT|EXCEPT) query must have the same number of columns$"),
            said("ORA-01789: query block has incorrect number of result columns"),
        ),
        (re.compile(r"^division by zero$"), said("ORA-01476: divisor is equal to zero")),
    ),
    types={
        "integer": "NUMBER", "bigint": "NUMBER", "numeric": "NUMBER", "double precision": "BINARY_DOUBLE",
        "text": "VARCHAR2", "date": "DATE", "timestamp without time zone": "DATE",
        "timestamp with time zone": "TIMESTAMP", "jsonb": "JSON", "boolean": "BOOLEAN",
    },
    suggestions={
        "Write it with CASE, coalesce(), the text functions, date_trunc() and extract().":
            "Write it with CASE, NVL(), SUBSTR(), TRUNC(date, 'MM'), EXTRACT() and TO_CHAR().",
    },
    finish=lambda problem: problem,
)  # fmt: skip

_INSTEAD = {
    **dict.fromkeys(("ifnull", "isnull"), "Use NVL(x, y) or COALESCE(x, y)."),
    **dict.fromkeys(("if", "iif"), "Use CASE or DECODE(x, a, b, other)."),
    **dict.fromkeys(("len", "char_length"), "Use LENGTH(x)."),
    **dict.fromkeys(("date_format", "format", "strftime"), "Use TO_CHAR(x, 'YYYY-MM-DD')."),
    **dict.fromkeys(("date_trunc", "datetrunc"), "Use TRUNC(x, 'MM')."),
    **dict.fromkeys(("datediff", "timestampdiff"), "Subtract dates: a - b is a number of days."),
    **dict.fromkeys(("dateadd", "date_add", "date_sub"), "Add days: x + 7; or ADD_MONTHS(x, 1)."),
    **dict.fromkeys(("now", "getdate", "curdate"), "Use SYSDATE, or TRUNC(SYSDATE) for the day."),
    **dict.fromkeys(("year", "month", "day", "quarter"), "Use EXTRACT(YEAR FROM x), or TO_CHAR(x, 'Q')."),
    **dict.fromkeys(("group_concat", "wm_concat"), "Use LISTAGG(x, ', ') WITHIN GROUP (ORDER BY x)."),
    **dict.fromkeys(("charindex", "locate", "strpos"), "Use INSTR(text, part)."),
    **dict.fromkeys(("left", "right", "mid"), "Use SUBSTR(x, 1, 3) and SUBSTR(x, -3)."),
    **dict.fromkeys(("split_part", "substring_index"), "Use REGEXP_SUBSTR(x, '[^@]+') or INSTR() with SUBSTR()."),
    **dict.fromkeys(("translate",), "Use REPLACE(x, 'a', 'b')."),
    **dict.fromkeys(("next_day", "numtodsinterval", "numtoyminterval"), "Add days: x + 7; or ADD_MONTHS(x, 1)."),
    **dict.fromkeys(("json_value", "json_query", "json_exists"), "Select the document itself."),
    "median": "Use PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x).",
    **dict.fromkeys(("regexp_instr",), "Use REGEXP_LIKE(), REGEXP_SUBSTR() or INSTR()."),
    **dict.fromkeys(("exp", "ln", "log", "sin", "cos", "tan"),
                    "Its last digits differ between machines; use + - * / and SQRT()."),
    **dict.fromkeys(("sys_guid", "standard_hash", "ora_hash"),
                    "A world is the same in every run; choose by a column, or give the key yourself."),
    **dict.fromkeys(("sys_context", "userenv", "uid", "user", "xmltype", "dbtimezone", "sys_connect_by_path"),
                    "Only the tables can be read."),
}  # fmt: skip

FUNCTIONS: dict[str, FunctionRule] = {
    **{name: conditional.FUNCTIONS[name] for name in ("nullif",)},
    **{name: numbers.FUNCTIONS[name] for name in ("abs", "mod", "sign", "sqrt", "power")},
    **{name: texts.FUNCTIONS[name] for name in ("ascii", "chr")},
    **{
        name: aggregates.FUNCTIONS[name]
        for name in (
            "count", "sum", "avg", "min", "max", "stddev_samp", "stddev_pop", "var_samp",
            "var_pop", "corr", "percentile_cont", "percentile_disc", "row_number", "rank", "dense_rank",
            "percent_rank", "cume_dist", "ntile", "lag", "lead", "first_value", "last_value", "nth_value", "grouping",
        )
    },
    **of_oracle.FUNCTIONS,
}  # fmt: skip

_SHARED = {
    **literals.RULES, **arithmetic.RULES, **comparison.RULES, **patterns.RULES, **conditional.RULES, **texts.RULES,
    **aggregates.RULES,
}  # fmt: skip
_NOT_HERE = (
    exp.Pow, exp.Mod, exp.ByteString, exp.AtTimeZone, exp.Overlay, exp.NullSafeEQ, exp.NullSafeNEQ, exp.StrPosition,
    exp.ILike, exp.RegexpLike, exp.RegexpILike, exp.SimilarTo, exp.Substring,
)  # fmt: skip

ORACLE = Dialect(
    name="oracle",
    reading=Reading(
        parser="oracle",
        own_syntax=frozenset({"LISTAGG"}),
        foreign=frozenset({"::", "ilike", "similar", "qualify", "limit", "==", "~", "<=>", "except", "&&"}),
        instead_of_merge="Use UPDATE, and then INSERT … SELECT … WHERE NOT EXISTS.",
    ),
    rules={kind: rule for kind, rule in {**_SHARED, **of_oracle.RULES}.items() if kind not in _NOT_HERE},
    functions=FUNCTIONS,
    table_functions={},
    default_schema="world",
    alternatives=_INSTEAD,
    naming=Naming(lambda items: _names(list(items)), _shown),
    habits=frozenset({"alias_in_having", "one_type_of_number"}),
    messages=_WORDING,
    adapted=_adapted,
    collation=EMPTY_IS_NULL,
)  # fmt: skip
