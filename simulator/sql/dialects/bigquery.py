"""BigQuery (GoogleSQL).

Names are the same in upper and lower case, in backticks or not; tables may be written with the data set ``main``, and
no project. Results show names as they were written, ``f0_`` for an expression without an alias. A literal in quotes,
single, double or triple, is a STRING, which is read as a date or timestamp beside one, never as a number. The world's
timestamps are TIMESTAMPs; DATETIME is not supported, and so neither is a DATE plus an INTERVAL. ``/`` of INT64s is a
FLOAT64, of NUMERICs a NUMERIC of nine digits. DATE_DIFF counts boundaries, TIMESTAMP_DIFF whole units; a WEEK begins on
Sunday. CONCAT, GREATEST and LEAST are NULL if an argument is. Set operations say ALL or DISTINCT, UPDATE and DELETE
have a WHERE. An alias may be read in GROUP BY, HAVING, QUALIFY and ORDER BY. NULL sorts as the smallest value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from simulator.sql.dialects.calls import FunctionRule, function_call, plain, signature
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.naming import Naming
from simulator.sql.dialects.refusals import mistyped, unsupported
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    literals,
    numbers,
    patterns,
    texts,
    warehouse,
)
from simulator.sql.dialects.rules import of_bigquery as own
from simulator.sql.dialects.rules import times as shared_times
from simulator.sql.dialects.rules.warehouse import aggregate, wide
from simulator.sql.dialects.scopes import folded
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.tables import Rows, TableFunction
from simulator.sql.dialects.translator import Dialect, Translator
from simulator.sql.dialects.value_types import BOOLEAN, DATE, INT4, JSON, NUMERIC, TEXT, TIMESTAMPTZ, array_of
from simulator.sql.dialects.values import Value
from simulator.sql.dialects.wording import Wording, said
from simulator.sql.problems import SqlProblem, line_and_column

# -- Reading -----------------------------------------------------------------------------------------------------------

_SET_OPERATIONS = (TokenType.UNION, TokenType.INTERSECT, TokenType.EXCEPT)


def _refused(sql: str, tokens: list[Token]) -> SqlProblem | None:
    """A set operation without ALL or DISTINCT, and the pipe syntax, which the parser would take."""
    before: Token | None = None
    for token, after in pairwise(tokens):
        is_star = before is not None and before.token_type == TokenType.STAR
        place = line_and_column(sql, after.start)
        if token.token_type in _SET_OPERATIONS and not is_star and after.text.upper() not in ("ALL", "DISTINCT"):
            message = f"Syntax error: Expected keyword ALL or keyword DISTINCT but got {after.text}"
            return SqlProblem("sql_syntax", message, *place, f"Write {token.text.upper()} DISTINCT.")
        if token.text == "|>":
            message = "The pipe syntax is not supported here."
            return SqlProblem("sql_unsupported", message, *line_and_column(sql, token.start), "Write SELECT … FROM ….")
        before = token
    return None


_SAME_RUN = "A world is the same in every run; choose by a column, for instance ORDER BY id LIMIT 10."
_PLACES = {
    "sample": (
        "TABLESAMPLE",
        _SAME_RUN,
    ),
    "version": ("FOR SYSTEM_TIME AS OF", "The world keeps no earlier states of a table; read it as it is now."),
    "pivots": ("PIVOT or UNPIVOT", "Use SUM(IF(condition, x, 0)) with GROUP BY, or UNION ALL."),
}


def _adapted(tree: exp.Expr, _sql: str, _catalogue: TableCatalogue) -> exp.Expr:
    """Names in backticks are names like others; an array's alias names its rows and their column."""
    for node in tree.walk():
        if isinstance(node, exp.Identifier):
            node.set("quoted", False)
        if isinstance(node, exp.Table | exp.Subquery | exp.Unnest):
            for place, (what, alternative) in _PLACES.items():
                if node.args.get(place):
                    raise unsupported(what, node, alternative)
        alias = node.args.get("alias") if isinstance(node, exp.Unnest) else None
        if isinstance(alias, exp.TableAlias) and alias.this is None and alias.columns:
            alias.set("this", alias.columns[0].copy())
        if isinstance(node, exp.Delete) and node.args.get("using"):
            raise mistyped('syntax error at or near "USING"', node, "Write WHERE EXISTS (SELECT 1 FROM …).")
    return tree


def _names(items: Sequence[exp.Expr]) -> list[str]:
    names = []
    unnamed = 0
    for item in items:
        if isinstance(item, exp.Alias):
            names.append(folded(item.args["alias"]))
            item.this.meta["shown"] = item.alias
        elif isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier):
            names.append(folded(item.this))
            item.meta["shown"] = item.name
        else:
            names.append(f"f{unnamed}_")
            unnamed += 1
    return names


def _shown(name: str, item: exp.Expr | None) -> str:
    return str(item.meta.get("shown", name)) if item is not None else name


# -- Functions ---------------------------------------------------------------------------------------------------------


def unnest(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
    """``UNNEST(array)``."""
    if len(values) != 1 or values[0].type.name != "array" or values[0].type.element is None:
        raise mistyped("UNNEST needs one array", node, "Unnest an array: UNNEST([1, 2]) AS x.")
    return Rows(values[0].sql, (("unnest", values[0].type.element),))


_TABLE_FUNCTIONS: dict[str, TableFunction] = {"unnest": unnest}

_BLANKS = "' \t\n\v\f\r'"
_NOW = FunctionRule(shared_times.now_as(TIMESTAMPTZ))

_TEXT_FUNCTIONS: dict[str, FunctionRule] = {
    **{
        name: texts.FUNCTIONS[name]
        for name in ("lower", "upper", "length", "char_length", "character_length", "lpad", "rpad", "repeat", "reverse",
                     "translate", "replace", "left", "right", "strpos", "starts_with", "ascii", "chr")
    },
    "byte_length": texts.FUNCTIONS["octet_length"],
    "initcap": plain(signature("dx_capitalized_words({0})", TEXT, TEXT)),
    "substr": FunctionRule(own.substr),
    "concat": FunctionRule(own.concatenated),
    "ends_with": plain(signature("dx_ends_with({0}, {1})", BOOLEAN, TEXT, TEXT)),
    "instr": plain(signature("dx_position({0}, {1})", INT4, TEXT, TEXT)),
    "ltrim": plain(
        signature(f"dx_stripped({{0}}, {_BLANKS}, 'l')", TEXT, TEXT),
        signature("dx_stripped({0}, {1}, 'l')", TEXT, TEXT, TEXT),
    ),
    "rtrim": plain(
        signature(f"dx_stripped({{0}}, {_BLANKS}, 'r')", TEXT, TEXT),
        signature("dx_stripped({0}, {1}, 'r')", TEXT, TEXT, TEXT),
    ),
    "split": plain(
        signature("dx_split({0}, ',')", array_of(TEXT), TEXT),
        signature("dx_split({0}, {1})", array_of(TEXT), TEXT, TEXT),
    ),
    "regexp_contains": own.regexp("dx_re_contains({0}, {1}, '')", BOOLEAN),
    "regexp_extract": own.regexp("dx_re_found({0}, {1}, '', 1, 1, -1)", TEXT),
    "regexp_substr": own.regexp("dx_re_found({0}, {1}, '', 1, 1, -1)", TEXT),
    "regexp_extract_all": own.regexp("dx_re_all({0}, {1})", array_of(TEXT)),
    "regexp_replace": own.regexp("dx_re_replaced({0}, {1}, {2}, '', 1, 0)", TEXT, texts_after=1),
    "regexp_instr": own.regexp("dx_re_place({0}, {1}, '', 1, 1)", INT4),
}  # fmt: skip

_TIME_FUNCTIONS: dict[str, FunctionRule] = {
    "current_date": FunctionRule(shared_times.today),
    "current_timestamp": _NOW,
    "date": FunctionRule(own.as_date),
    "timestamp": FunctionRule(own.as_timestamp),
    "date_add": FunctionRule(own.added(of_date=True, sign="")),
    "date_sub": FunctionRule(own.added(of_date=True, sign="-")),
    "timestamp_add": FunctionRule(own.added(of_date=False, sign="")),
    "timestamp_sub": FunctionRule(own.added(of_date=False, sign="-")),
    "date_diff": FunctionRule(own.difference(of_date=True)),
    "timestamp_diff": FunctionRule(own.difference(of_date=False)),
    "date_trunc": FunctionRule(own.truncated(of_date=True)),
    "timestamp_trunc": FunctionRule(own.truncated(of_date=False)),
    "last_day": FunctionRule(own.last_day),
    "format_date": FunctionRule(own.format_date),
    "format_timestamp": FunctionRule(own.format_timestamp),
    "parse_date": FunctionRule(own.parsed(DATE)),
    "parse_timestamp": FunctionRule(own.parsed(TIMESTAMPTZ)),
    "unix_seconds": plain(signature("CAST(dx_timestamp_extract('epoch', {0}) AS INTEGER)", INT4, TIMESTAMPTZ)),
    "timestamp_seconds": plain(signature("dx_from_epoch({0})", TIMESTAMPTZ, INT4)),
    "generate_date_array": FunctionRule(own.date_array),
}

_OTHER_FUNCTIONS: dict[str, FunctionRule] = {
    "coalesce": conditional.FUNCTIONS["coalesce"],
    "ifnull": conditional.FUNCTIONS["coalesce"],
    "nullif": conditional.FUNCTIONS["nullif"],
    "greatest": FunctionRule(warehouse.strict_extreme("max")),
    "least": FunctionRule(warehouse.strict_extreme("min")),
    "safe_divide": FunctionRule(own.safe_divide),
    "div": FunctionRule(own.whole_quotient),
    "mod": numbers.FUNCTIONS["mod"],
    "abs": numbers.FUNCTIONS["abs"],
    "sign": plain(signature("sign({0})", INT4, INT4), signature("sign({0})", NUMERIC, NUMERIC)),
    "round": FunctionRule(own.rounding("dx_round")),
    "trunc": FunctionRule(own.rounding("dx_truncate")),
    "floor": own.of_number("floor({0})"),
    "ceil": own.of_number("ceil({0})"),
    "ceiling": own.of_number("ceil({0})"),
    "pow": numbers.FUNCTIONS["power"],
    "power": numbers.FUNCTIONS["power"],
    "sqrt": numbers.FUNCTIONS["sqrt"],
    "json_value": own.json_path("dx_json_scalar", TEXT),
    "json_extract_scalar": own.json_path("dx_json_scalar", TEXT),
    "json_query": own.json_path("dx_json_inner", JSON),
    "json_extract": own.json_path("dx_json_inner", JSON),
    "json_value_array": own.json_path("dx_json_scalars", array_of(TEXT)),
    "json_query_array": own.json_path("dx_json_parts", array_of(JSON)),
    "parse_json": FunctionRule(own.parse_json),
    "to_json_string": FunctionRule(own.to_json_string),
    "array_length": FunctionRule(own.array_length),
    "array_to_string": FunctionRule(own.array_to_string),
    "array_concat": FunctionRule(own.array_concat),
    "generate_array": FunctionRule(own.number_array),
}

_AGGREGATES: dict[str, FunctionRule] = {
    **{
        name: aggregates.FUNCTIONS[name]
        for name in (
            "count", "sum", "min", "max", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop",
            "corr", "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
            "first_value", "last_value", "nth_value", "grouping",
        )
    },
    "avg": aggregate(own.mean),
    "countif": aggregate(warehouse.count_if),
    "any_value": aggregate(own.any_value),
    "max_by": aggregate(warehouse.value_by("dx_largest_by")),
    "min_by": aggregate(warehouse.value_by("dx_smallest_by")),
    "logical_and": aggregates.FUNCTIONS["bool_and"],
    "logical_or": aggregates.FUNCTIONS["bool_or"],
    "string_agg": aggregate(own.string_agg),
    "array_agg": aggregate(own.array_agg),
}  # fmt: skip

_LAST_DIGITS = "Its last digits differ between machines; use + - * / and SQRT()."
_ALTERNATIVES = {
    **dict.fromkeys(("approx_count_distinct", "hll_count", "approx_top_count"), "Use COUNT(DISTINCT x)."),
    **dict.fromkeys(
        ("approx_quantiles", "percentile_cont", "percentile_disc", "median"),
        "Number the rows with ROW_NUMBER() OVER (ORDER BY x) and COUNT(*) OVER (), and take the middle ones.",
    ),
    **dict.fromkeys(("group_concat", "listagg"), "Use STRING_AGG(x, ', ' ORDER BY x)."),
    **dict.fromkeys(("to_char", "date_format", "strftime", "format_datetime"), "Use FORMAT_DATE('%Y-%m', x)."),
    **dict.fromkeys(("to_date", "str_to_date"), "Use PARSE_DATE('%Y-%m-%d', x)."),
    **dict.fromkeys(("now", "getdate", "sysdate", "current_datetime"), "Use CURRENT_TIMESTAMP() or CURRENT_DATE()."),
    **dict.fromkeys(("dateadd", "adddate", "datetime_add", "datetime_sub"), "Use DATE_ADD(x, INTERVAL 1 DAY)."),
    **dict.fromkeys(("datediff", "timestampdiff", "datetime_diff", "age"), "Use DATE_DIFF(a, b, DAY)."),
    **dict.fromkeys(("year", "month", "day", "hour", "quarter", "week", "dayofweek"), "Use EXTRACT(YEAR FROM x)."),
    **dict.fromkeys(("datetime", "datetime_trunc", "parse_datetime"), "Use TIMESTAMP(x); the world has no DATETIMEs."),
    **dict.fromkeys(("nvl", "isnull"), "Use IFNULL(x, y)."),
    **dict.fromkeys(("iff", "iif", "decode", "nvl2"), "Use IF(condition, a, b), or CASE."),
    **dict.fromkeys(("charindex", "position", "locate"), "Use STRPOS(text, part)."),
    **dict.fromkeys(("contains", "contains_substr"), "Use STRPOS(LOWER(x), 'part') > 0, or REGEXP_CONTAINS()."),
    **dict.fromkeys(("startswith", "endswith"), "Use STARTS_WITH() and ENDS_WITH()."),
    **dict.fromkeys(("regexp_like", "rlike"), "Use REGEXP_CONTAINS(x, r'…')."),
    **dict.fromkeys(("split_part", "substring_index"), "Use SPLIT(x, ',')[SAFE_OFFSET(0)]."),
    **dict.fromkeys(("count_if", "sumif"), "Use COUNTIF(condition)."),
    **dict.fromkeys(("bool_and", "bool_or", "every"), "Use LOGICAL_AND() and LOGICAL_OR()."),
    **dict.fromkeys(("concat_ws",), "Use ARRAY_TO_STRING([a, b], ', '), or a || ', ' || b."),
    **dict.fromkeys(("len",), "Use LENGTH(x)."),
    **dict.fromkeys(("to_json", "json_array", "to_hex"), "Use TO_JSON_STRING(x)."),
    **dict.fromkeys(("bool", "int64", "float64", "string"), "Use CAST(JSON_VALUE(doc, '$.field') AS INT64)."),
    "struct": "Select the fields as columns of their own.",
    "array_agg_distinct": "Use ARRAY_AGG(DISTINCT x).",
    "format": "Join STRINGs with ||, and LPAD() them.",
    "ieee_divide": "Use SAFE_DIVIDE(a, b).",
    "generate_timestamp_array": "Use GENERATE_DATE_ARRAY().",
    "generate_series": "Use UNNEST(GENERATE_ARRAY(1, 10)) AS n.",
    **dict.fromkeys(("exp", "ln", "log", "log10", "sin", "cos", "tan", "cbrt"), _LAST_DIGITS),
    **dict.fromkeys(("rand", "generate_uuid"), _SAME_RUN),
    **dict.fromkeys(("farm_fingerprint", "md5", "sha1", "sha256", "sha512"), "Compare the values themselves."),
    **dict.fromkeys(("session_user",), "The world is not a server; ask its tables."),
    "error": "Filter the rows instead.",
    "external_query": "Read a table of the world.",
    "soundex": "Use REGEXP_CONTAINS().",
    "normalize": "Use LOWER().",
}

# -- Messages ----------------------------------------------------------------------------------------------------------

_TYPES = {
    "integer": "INT64", "bigint": "INT64", "numeric": "NUMERIC", "text": "STRING", "boolean": "BOOL", "date": "DATE",
    "timestamp without time zone": "TIMESTAMP", "timestamp with time zone": "TIMESTAMP",
    "time without time zone": "TIME", "double precision": "FLOAT64", "jsonb": "JSON", "interval": "INTERVAL",
    "unknown": "NULL",
}  # fmt: skip
_CAST_IT = "Use CAST(x AS INT64), DATE(x) or TIMESTAMP(x)."
_LOOK = "Look at the number and the types of the arguments."
_HINT = re.compile(r'^Perhaps you meant to reference the column "(?:[^".]+\.)?([^".]+)"\.$')


def _meant(problem: SqlProblem) -> str:
    """``; Did you mean x?`` of the suggestion."""
    hint = _HINT.match(problem.suggestion)
    return f"; Did you mean {hint[1]}?" if hint is not None else ""


def _unrecognized(match: re.Match[str], problem: SqlProblem) -> SqlProblem:
    name = match[1].strip('"')
    table, _, field = name.rpartition(".")
    message = f"Name {field} not found inside {table}" if table else f"Unrecognized name: {name}"
    return replace(problem, message=message + _meant(problem))


_WORDING = Wording(
    messages=(
        (re.compile(r'^column ("[^"]+"|\S+) does not exist$'), _unrecognized),
        (re.compile(r'^missing FROM-clause entry for table ("[^"]+")$'), _unrecognized),
        (re.compile(r'^column "([^"]+)" of relation "([^"]+)" does not exist$'),
         said("Column {1} is not present in table {2}")),
        (re.compile(r'^column "([^"]+)" specified in USING clause'), said("Column {1} in USING clause not found")),
        (re.compile(r'^relation "([^"]+)" does not exist$'), said("Not found: Table {1} was not found")),
        (re.compile(r'^column reference "([^"]+)" is ambiguous$'), said("Column name {1} is ambiguous")),
        (
            re.compile(r'^column "(?:[^".]+\.)?([^"]+)" must appear in the GROUP BY clause'),
            said("SELECT list expression references column {1} which is neither grouped nor aggregated"),
        ),
        (re.compile(r'^syntax error at or near "(.*)"$'), said('Syntax error: Unexpected "{1}"')),
        (re.compile(r"^syntax error at end of input$"), said("Syntax error: Unexpected end of statement")),
        (
            re.compile(r"^operator does not exist: (.+) (\S+) (.+)$"),
            said("No matching signature for operator {2} for argument types: {1}, {3}", _CAST_IT),
        ),
        (
            re.compile(r"^function (\w+)\((.*)\) does not exist$"),
            said("No matching signature for function {1} for argument types: {2}", _LOOK),
        ),
        (re.compile(r"^(\w+) types (.+) and (.+) cannot be matched$"), said("{1} has incompatible types: {2}, {3}")),
        (
            re.compile(r'^column "([^"]+)" is of type (.+) but expression is of type (.+)$'),
            said("Value has type {3} which cannot be inserted into column {1}, which has type {2}", _CAST_IT),
        ),
        (
            re.compile(r"^aggregate functions are not allowed in (.+)$"),
            said("Aggregate function not allowed in {1} clause"),
        ),
        (
            re.compile(r"^window functions are not allowed in (.+)$"),
            said("Analytic function not allowed in {1} clause", "Use QUALIFY, or compute it in a subquery."),
        ),
        (re.compile(r'^invalid input syntax for type (?:integer|bigint): "(.*)"$'), said("Bad int64 value: {1}")),
        (re.compile(r'^invalid input syntax for type double precision: "(.*)"$'), said("Bad double value: {1}")),
        (re.compile(r'^invalid input syntax for type numeric: "(.*)"$'), said("Invalid NUMERIC value: {1}")),
    ),
    types=_TYPES,
    suggestions={
        "Write dates as '2024-01-31', or use current_date.": "Write dates as '2024-01-31', or use CURRENT_DATE().",
        "Write times as '2024-01-31 09:30:00' in UTC, or use now().":
            "Write times as '2024-01-31 09:30:00' in UTC, or use CURRENT_TIMESTAMP().",
        "Compare a field as text: doc ->> 'key' = 'x'.": "Use JSON_VALUE(doc, '$.key') = 'x'.",
        "Write it with CASE, coalesce(), the text functions, date_trunc() and extract().":
            "Write it with CASE, COALESCE(), the text functions, DATE_TRUNC() and EXTRACT().",
    },
    finish=lambda problem: (
        replace(problem, message=f"{problem.message} at [{problem.line}:{problem.column}]")
        if problem.code in ("sql_syntax", "sql_unknown_name") and problem.line
        else problem
    ),
)  # fmt: skip

BIGQUERY = Dialect(
    name="bigquery",
    reading=Reading(
        parser="bigquery",
        foreign=frozenset({"==", "<=>", "!", "%", "::", "ilike", "rlike", "glob", "div", "xor", "returning"}),
        bracket_arrays=True,
        trailing_comma=True,
        star_replace=True,
        instead_of_merge="Use UPDATE … SET … FROM, and then INSERT … SELECT … WHERE NOT EXISTS (…).",
        refused=_refused,
    ),
    rules={
        **{kind: rule for kind, rule in literals.RULES.items() if kind not in (exp.AtTimeZone, exp.ByteString)},
        **comparison.RULES,
        **{kind: rule for kind, rule in patterns.RULES.items() if kind in (exp.Like,)},
        **conditional.RULES,
        exp.Trim: texts.RULES[exp.Trim],
        **dict.fromkeys(comparison.SYMBOLS, own.comparison_of),
        exp.Between: own.between,
        exp.In: own.in_list,
        exp.Literal: wide(own.constant),
        exp.RawString: own.raw_text,
        exp.Column: wide(own.column),
        exp.Cast: own.cast_to,
        exp.TryCast: own.safe_cast,
        exp.Interval: own.interval,
        exp.If: own.if_of,
        exp.Add: wide(arithmetic.operator_rule("+", own.no_datetime, *arithmetic.ADDITION)),
        exp.Sub: wide(arithmetic.operator_rule("-", own.no_datetime, *arithmetic.SUBTRACTION)),
        exp.Mul: wide(arithmetic.operator_rule("*", own.product, *arithmetic.MULTIPLICATION)),
        exp.Div: arithmetic.operator_rule("/", own.divided),
        exp.Neg: wide(arithmetic.negated),
        exp.DPipe: arithmetic.operator_rule("||", own.joined),
        exp.Substring: own.substring,
        exp.Extract: own.extract,
        exp.Array: own.array,
        exp.Bracket: own.element,
        **dict.fromkeys((exp.Anonymous, exp.Filter, exp.WithinGroup, exp.Window), wide(function_call)),
    },
    functions={**_TEXT_FUNCTIONS, **_TIME_FUNCTIONS, **_OTHER_FUNCTIONS, **_AGGREGATES},
    table_functions=_TABLE_FUNCTIONS,
    default_schema="main",
    alternatives=_ALTERNATIVES,
    naming=Naming(_names, _shown),
    habits=frozenset(
        {
            "qualify", "group_by_all", "star_except", "star_replace", "alias_in_having", "alias_in_qualify",
            "where_required", "one_source_row", "offset_from_zero",
        }
    ),
    messages=_WORDING,
    adapted=_adapted,
)  # fmt: skip
