"""Snowflake.

Names without quotes are upper case in Snowflake, and the world's tables are taken for such: ``id``, ``ID`` and
``"ID"`` are its column, ``"id"`` is not. Results show names in upper case, an expression without an alias its text in
upper case. There is one integer type, NUMBER(38,0), here of 64 bits; ``/`` of NUMBERs is a NUMBER with six digits more
than the dividend has, twelve at most. CONCAT, GREATEST and LEAST are NULL if an argument is; aggregates that collect
pass over NULL; FIRST_VALUE and LAST_VALUE without a frame see the whole partition; LIKE has no escape sign unless
written. DATEDIFF counts boundaries, weeks begin on Monday. An alias may be read in the list, WHERE, HAVING and
QUALIFY; a column of that name goes before it. NULL sorts as the largest value. World timestamps are TIMESTAMP_NTZ.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from simulator.sql.dialects.calls import FunctionRule, function_call, plain, signature
from simulator.sql.dialects.catalogue import TableCatalogue
from simulator.sql.dialects.naming import Naming, keep_written, written
from simulator.sql.dialects.refusals import mistyped, unsupported
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    documents,
    literals,
    numbers,
    of_variants,
    patterns,
    texts,
    warehouse,
)
from simulator.sql.dialects.rules import of_snowflake as own
from simulator.sql.dialects.rules import times as shared_times
from simulator.sql.dialects.rules.warehouse import aggregate, wide
from simulator.sql.dialects.scopes import folded
from simulator.sql.dialects.snowflake_wording import WORDING, swapped
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.tables import Rows, TableFunction, of_text
from simulator.sql.dialects.translator import Dialect, Translator
from simulator.sql.dialects.value_types import (
    BOOLEAN,
    DATE,
    FLOAT8,
    INT4,
    JSON,
    NUMERIC,
    TEXT,
    TIMESTAMP,
    Type,
    array_of,
)
from simulator.sql.dialects.values import Value

# -- Names -------------------------------------------------------------------------------------------------------------


_PLACES = {
    "sample": ("SAMPLE", "A world is the same in every run; choose by a column, for instance ORDER BY id LIMIT 10."),
    "when": ("Time travel with AT or BEFORE", "The world keeps no earlier states of a table; read it as it is now."),
    "changes": ("CHANGES", "The world keeps no earlier states of a table; read it as it is now."),
    "pivots": ("PIVOT or UNPIVOT", "Use SUM(IFF(condition, x, 0)) with GROUP BY, or UNION ALL."),
}


def _adapted(tree: exp.Expr, sql: str, _: TableCatalogue) -> exp.Expr:
    """Names in quotes are kept so that an upper-case one is what the same name is without quotes. ``TABLE(f(…))`` is
    ``f(…)``. The items of the list know how they were written.
    """
    keep_written(tree, sql, "snowflake")
    for node in tree.walk():
        if isinstance(node, exp.Table | exp.Subquery | exp.Lateral):
            for place, (what, alternative) in _PLACES.items():
                if node.args.get(place):
                    raise unsupported(what, node, alternative)
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Var):
            raise unsupported("A stage", node, "Read a table of the world.")
        if isinstance(node, exp.Anonymous) and node.name.lower() == "generator":
            raise unsupported("GENERATOR()", node, _ALTERNATIVES["generator"])
        if isinstance(node, exp.Identifier) and node.args.get("quoted"):
            node.set("this", swapped(node.name))
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous) and node.this.name.lower() == "table":
            inner = node.this.expressions
            if len(inner) == 1 and isinstance(inner[0], exp.Anonymous):
                node.set("this", inner[0])
    return tree


def _names(items: Sequence[exp.Expr]) -> list[str]:
    return [_name(item) for item in items]


def _name(item: exp.Expr) -> str:
    if isinstance(item, exp.Alias):
        return folded(item.args["alias"])
    if isinstance(item, exp.Column) and isinstance(item.this, exp.Identifier):
        return folded(item.this)
    return swapped(written(item, "snowflake").upper())


# -- Functions ---------------------------------------------------------------------------------------------------------


def flatten(_: Translator, node: exp.Expr, values: list[Value]) -> Rows:
    """``FLATTEN(input => x, outer => true)``."""
    call = node if isinstance(node, exp.Anonymous) else node.find(exp.Anonymous)
    given = {"input": values[0]} if values else {}
    for argument, value in zip(call.expressions if call is not None else [], values, strict=False):
        if isinstance(argument, exp.Kwarg):
            given[argument.this.name.lower()] = value
    document = given.get("input")
    if document is None or document.type.name not in ("json", "array"):
        raise mistyped("FLATTEN needs a VARIANT, an object or an array", node, "Write FLATTEN(input => doc:field).")
    outer = given["outer"].constant == "true" if "outer" in given else False
    source = f"coalesce({document.sql}, 'null')" if outer else document.sql
    return Rows(f"dx_json_flattened({source}, {int(outer)})", (("key", TEXT), ("index", INT4), ("value", JSON)))


_TABLE_FUNCTIONS: dict[str, TableFunction] = {
    "flatten": flatten,
    "split_to_table": of_text("dx_split", "value"),
}

_TEXT_FUNCTIONS: dict[str, FunctionRule] = {
    **{
        name: texts.FUNCTIONS[name]
        for name in ("lower", "upper", "length", "lpad", "rpad", "repeat", "reverse", "translate", "ltrim", "rtrim")
    },
    "len": texts.FUNCTIONS["length"],
    "initcap": plain(signature("dx_capitalized_words({0})", TEXT, TEXT)),
    "left": plain(signature("dx_left({0}, max({1}, 0))", TEXT, TEXT, INT4)),
    "right": plain(signature("dx_right({0}, max({1}, 0))", TEXT, TEXT, INT4)),
    "replace": plain(
        signature("dx_replaced({0}, {1}, {2})", TEXT, TEXT, TEXT, TEXT),
        signature("dx_replaced({0}, {1}, '')", TEXT, TEXT, TEXT),
    ),
    "substr": FunctionRule(own.substr),
    "concat": FunctionRule(own.joined),
    "split_part": plain(signature("dx_split_part({0}, {1}, coalesce(nullif({2}, 0), 1))", TEXT, TEXT, TEXT, INT4)),
    "split": plain(signature("dx_split({0}, {1})", array_of(TEXT), TEXT, TEXT)),
    "strtok": plain(
        signature("dx_word({0}, ' ', 1)", TEXT, TEXT),
        signature("dx_word({0}, {1}, 1)", TEXT, TEXT, TEXT),
        signature("dx_word({0}, {1}, {2})", TEXT, TEXT, TEXT, INT4),
    ),
    "charindex": plain(signature("dx_position({1}, {0})", INT4, TEXT, TEXT)),
    "contains": plain(signature("(dx_position({0}, {1}) > 0)", BOOLEAN, TEXT, TEXT)),
    "startswith": plain(signature("dx_starts_with({0}, {1})", BOOLEAN, TEXT, TEXT)),
    "endswith": plain(signature("dx_ends_with({0}, {1})", BOOLEAN, TEXT, TEXT)),
    "chr": texts.FUNCTIONS["chr"],
    "ascii": texts.FUNCTIONS["ascii"],
    "to_char": FunctionRule(own.to_varchar),
    "to_varchar": FunctionRule(own.to_varchar),
    "regexp_like": own.regexp("dx_re_whole({0}, {1}, {2})", ("flags",), BOOLEAN),
    "rlike": own.regexp("dx_re_whole({0}, {1}, {2})", ("flags",), BOOLEAN),
    "regexp_count": own.regexp("dx_re_count({0}, {1}, {2}, {3})", ("1", "flags"), INT4),
    "regexp_replace": own.regexp("dx_re_replaced({0}, {1}, {3}, {2}, {4}, {5})", ("''", "1", "0", "flags"), TEXT),
    "regexp_substr": own.regexp("dx_re_found({0}, {1}, {2}, {3}, {4}, {group})", ("1", "1", "flags"), TEXT),
    "regexp_instr": own.regexp("dx_re_place({0}, {1}, {2}, {3}, {4})", ("1", "1"), INT4),
}

_NOW = FunctionRule(shared_times.now_as(TIMESTAMP))
_TODAY = FunctionRule(shared_times.today)

_TIME_FUNCTIONS: dict[str, FunctionRule] = {
    "dateadd": FunctionRule(own.date_add),
    "timeadd": FunctionRule(own.date_add),
    "timestampadd": FunctionRule(own.date_add),
    "datediff": FunctionRule(own.date_diff),
    "timediff": FunctionRule(own.date_diff),
    "timestampdiff": FunctionRule(own.date_diff),
    "date_trunc": FunctionRule(own.date_trunc),
    "date_part": FunctionRule(own.date_part),
    "last_day": FunctionRule(own.last_day),
    "add_months": plain(
        signature("substr(dx_months_added({0}, {1}), 1, 10)", DATE, DATE, INT4),
        signature("dx_months_added({0}, {1})", TIMESTAMP, TIMESTAMP, INT4),
    ),
    "year": own.part("year"),
    "quarter": own.part("quarter"),
    "month": own.part("month"),
    "week": own.part("week"),
    "weekofyear": own.part("week"),
    "weekiso": own.part("week"),
    "day": own.part("day"),
    "dayofmonth": own.part("day"),
    "dayofweek": own.part("dow"),
    "dayofweekiso": own.part("isodow"),
    "dayofyear": own.part("doy"),
    "yearofweek": own.part("isoyear"),
    "yearofweekiso": own.part("isoyear"),
    "hour": own.part("hour"),
    "minute": own.part("minute"),
    "second": own.part("second"),
    "monthname": own.named("Mon"),
    "dayname": own.named("Dy"),
    "to_date": FunctionRule(own.conversion(DATE)),
    "date": FunctionRule(own.conversion(DATE)),
    "to_timestamp": FunctionRule(own.conversion(TIMESTAMP)),
    "to_timestamp_ntz": FunctionRule(own.conversion(TIMESTAMP)),
    "try_to_date": FunctionRule(own.conversion(DATE, tried=True)),
    "try_to_timestamp": FunctionRule(own.conversion(TIMESTAMP, tried=True)),
    "try_to_timestamp_ntz": FunctionRule(own.conversion(TIMESTAMP, tried=True)),
    "date_from_parts": plain(signature("dx_make_date({0}, {1}, {2})", DATE, INT4, INT4, INT4)),
    "datefromparts": plain(signature("dx_make_date({0}, {1}, {2})", DATE, INT4, INT4, INT4)),
    "timestamp_from_parts": plain(
        signature("dx_make_timestamp({0}, {1}, {2}, {3}, {4}, {5})", TIMESTAMP, INT4, INT4, INT4, INT4, INT4, FLOAT8)
    ),
    "current_timestamp": _NOW,
    "getdate": _NOW,
    "sysdate": _NOW,
    "systimestamp": _NOW,
    "localtimestamp": _NOW,
    "current_date": _TODAY,
}


def _of_number(sql: str, of_number: Type, of_float: Type) -> FunctionRule:
    """A whole number of a number."""
    return plain(
        signature(sql, INT4, INT4),
        signature(f"dx_to_integer({sql}, 64, 0)", of_number, NUMERIC),
        signature(sql, of_float, FLOAT8),
    )


_OTHER_FUNCTIONS: dict[str, FunctionRule] = {
    "coalesce": conditional.FUNCTIONS["coalesce"],
    "nvl": conditional.FUNCTIONS["coalesce"],
    "ifnull": conditional.FUNCTIONS["coalesce"],
    "nullif": conditional.FUNCTIONS["nullif"],
    "iff": FunctionRule(own.iff),
    "nvl2": FunctionRule(own.nvl2),
    "nullifzero": FunctionRule(own.null_if_zero),
    "zeroifnull": FunctionRule(own.zero_if_null),
    "decode": FunctionRule(own.decode),
    "equal_null": FunctionRule(own.equal_null),
    "greatest": FunctionRule(warehouse.strict_extreme("max")),
    "least": FunctionRule(warehouse.strict_extreme("min")),
    "div0": FunctionRule(own.div0(or_null=False)),
    "div0null": FunctionRule(own.div0(or_null=True)),
    "round": FunctionRule(own.rounding("dx_round")),
    "trunc": FunctionRule(own.truncated),
    "truncate": FunctionRule(own.rounding("dx_truncate")),
    "floor": plain(
        signature("{0}", INT4, INT4), signature("floor({0})", NUMERIC, NUMERIC), signature("floor({0})", FLOAT8, FLOAT8)
    ),
    "ceil": plain(
        signature("{0}", INT4, INT4), signature("ceil({0})", NUMERIC, NUMERIC), signature("ceil({0})", FLOAT8, FLOAT8)
    ),
    "abs": numbers.FUNCTIONS["abs"],
    "mod": numbers.FUNCTIONS["mod"],
    "power": FunctionRule(own.power),
    "pow": FunctionRule(own.power),
    "sqrt": FunctionRule(own.square),
    "sign": plain(
        signature("sign({0})", INT4, INT4), signature("sign({0})", INT4, NUMERIC), signature("sign({0})", INT4, FLOAT8)
    ),
    "to_number": FunctionRule(own.conversion(INT4)),
    "to_decimal": FunctionRule(own.conversion(INT4)),
    "to_numeric": FunctionRule(own.conversion(INT4)),
    "try_to_number": FunctionRule(own.conversion(INT4, tried=True)),
    "try_to_decimal": FunctionRule(own.conversion(INT4, tried=True)),
    "try_to_numeric": FunctionRule(own.conversion(INT4, tried=True)),
    "to_double": FunctionRule(own.conversion(FLOAT8)),
    "try_to_double": FunctionRule(own.conversion(FLOAT8, tried=True)),
    "to_boolean": FunctionRule(own.conversion(BOOLEAN)),
    "try_to_boolean": FunctionRule(own.conversion(BOOLEAN, tried=True)),
    "to_variant": FunctionRule(own.conversion(JSON)),
    "parse_json": FunctionRule(of_variants.parse_json),
    "try_parse_json": plain(signature("dx_try_read({0}, 'json')", JSON, TEXT)),
    "to_json": FunctionRule(of_variants.to_json),
    "get": FunctionRule(of_variants.get),
    "object_construct": FunctionRule(of_variants.build_object(keeps_null=False)),
    "object_construct_keep_null": FunctionRule(of_variants.build_object(keeps_null=True)),
    "object_keys": plain(signature("dx_json_keys({0})", array_of(TEXT), JSON)),
    "array_construct": documents.FUNCTIONS["jsonb_build_array"],
    "array_size": FunctionRule(of_variants.array_size),
    "array_contains": FunctionRule(of_variants.array_contains),
    "array_to_string": FunctionRule(of_variants.array_to_string),
}

_AGGREGATES: dict[str, FunctionRule] = {
    **{
        name: aggregates.FUNCTIONS[name]
        for name in (
            "count", "sum", "min", "max", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop",
            "corr", "percentile_cont", "percentile_disc", "row_number", "rank", "dense_rank", "percent_rank",
            "cume_dist", "ntile", "lag", "lead", "grouping",
        )
    },
    "variance_samp": aggregates.FUNCTIONS["var_samp"],
    "variance_pop": aggregates.FUNCTIONS["var_pop"],
    "grouping_id": aggregates.FUNCTIONS["grouping"],
    "first_value": FunctionRule(of_variants.over_all(aggregates.FUNCTIONS["first_value"].body), "window"),
    "last_value": FunctionRule(of_variants.over_all(aggregates.FUNCTIONS["last_value"].body), "window"),
    "nth_value": FunctionRule(of_variants.over_all(aggregates.FUNCTIONS["nth_value"].body), "window"),
    "avg": aggregate(own.mean),
    "median": aggregate(own.median),
    "mode": aggregate(own.mode),
    "ratio_to_report": FunctionRule(own.ratio, "window"),
    "count_if": aggregate(warehouse.count_if),
    "any_value": aggregate(warehouse.any_value),
    "max_by": aggregate(warehouse.value_by("dx_largest_by")),
    "min_by": aggregate(warehouse.value_by("dx_smallest_by")),
    "booland_agg": aggregates.FUNCTIONS["bool_and"],
    "boolor_agg": aggregates.FUNCTIONS["bool_or"],
    "listagg": aggregate(of_variants.list_agg),
    "string_agg": aggregate(of_variants.list_agg),
    "array_agg": aggregate(of_variants.array_agg),
}  # fmt: skip

_SAME_RUN = "A world is the same in every run; choose by a column, for instance ORDER BY id LIMIT 10."
_LAST_DIGITS = "Its last digits differ between machines; use + - * / and SQRT()."
_ALTERNATIVES = {
    **dict.fromkeys(("string_to_array", "regexp_split_to_array"), "Use SPLIT(x, ',')."),
    **dict.fromkeys(("group_concat", "wm_concat"), "Use LISTAGG(x, ', ') WITHIN GROUP (ORDER BY x)."),
    **dict.fromkeys(("date_format", "strftime", "format_date", "format"), "Use TO_CHAR(x, 'YYYY-MM-DD')."),
    **dict.fromkeys(("now", "curdate", "today"), "Use CURRENT_TIMESTAMP() or CURRENT_DATE()."),
    **dict.fromkeys(("date_add", "date_sub", "adddate", "subdate"), "Use DATEADD(day, 1, x)."),
    **dict.fromkeys(("date_diff", "julianday", "age"), "Use DATEDIFF(day, a, b)."),
    **dict.fromkeys(("months_between",), "Use DATEDIFF(month, a, b)."),
    **dict.fromkeys(("instr", "strpos", "locate"), "Use POSITION(part IN text) or CHARINDEX(part, text)."),
    **dict.fromkeys(("if", "iif"), "Use IFF(condition, a, b)."),
    **dict.fromkeys(("isnull",), "Use x IS NULL, or NVL(x, y)."),
    **dict.fromkeys(("safe_divide",), "Use DIV0(a, b) or a / NULLIF(b, 0)."),
    **dict.fromkeys(("json_value", "json_extract", "get_path"), "Use doc:field.inner::VARCHAR."),
    **dict.fromkeys(("starts_with", "ends_with"), "Use STARTSWITH(x, y) and ENDSWITH(x, y)."),
    **dict.fromkeys(("countif", "sumif"), "Use COUNT_IF(condition)."),
    **dict.fromkeys(("bool_and", "bool_or", "logical_and", "logical_or"), "Use BOOLAND_AGG() and BOOLOR_AGG()."),
    **dict.fromkeys(("concat_ws",), "Use a || ', ' || b; CONCAT_WS is NULL if an argument is."),
    **dict.fromkeys(("jsonb_agg", "json_agg", "object_agg"), "Use ARRAY_AGG() or LISTAGG()."),
    **dict.fromkeys(
        ("exp", "ln", "log", "sin", "cos", "tan", "degrees", "radians", "cbrt", "pi"), _LAST_DIGITS
    ),
    **dict.fromkeys(("random", "uniform", "randstr", "normal", "uuid_string"), _SAME_RUN),
    **dict.fromkeys(
        ("seq1", "seq2", "seq4", "seq8"), "Use ROW_NUMBER() OVER (ORDER BY …), or WITH RECURSIVE for a series."
    ),
    "generator": "Use WITH RECURSIVE: SELECT 1 AS n UNION ALL SELECT n + 1 FROM s WHERE n < 10.",
    **dict.fromkeys(
        ("approx_count_distinct", "hll", "approx_percentile", "approx_top_k"),
        "Use COUNT(DISTINCT x) or PERCENTILE_CONT().",
    ),
    **dict.fromkeys(("hash", "md5", "sha1", "sha2", "hash_agg"), "Compare the values themselves."),
    **dict.fromkeys(("convert_timezone",), "The world's times are UTC; leave it out."),
    **dict.fromkeys(("current_user", "current_role", "current_session", "current_database", "current_schema",
                     "current_warehouse", "current_version"), "The world is not a server; ask its tables."),
    "result_scan": "Send the query again as a subquery.",
    "identifier": "Write the name itself.",
    "array_unique_agg": "Use ARRAY_AGG(DISTINCT x).",
    "conditional_true_event": "Use SUM(IFF(condition, 1, 0)) OVER (ORDER BY …).",
    "width_bucket": "Use CASE, or FLOOR((x - low) / size).",
    "typeof": "Select the value itself; a cast fails on another type.",
    "to_array": "Use SPLIT() or PARSE_JSON().",
    "soundex": "Use ILIKE.",
    "editdistance": "Use ILIKE.",
}  # fmt: skip

SNOWFLAKE = Dialect(
    name="snowflake",
    reading=Reading(
        parser="snowflake",
        interval_texts=True,
        foreign=frozenset({"==", "<=>", "!", "glob", "div", "xor", "returning"}),
        bracket_arrays=True,
        trailing_comma=True,
        instead_of_merge="Use UPDATE … FROM, and then INSERT … SELECT … WHERE NOT EXISTS (…).",
    ),
    rules={
        **{kind: rule for kind, rule in literals.RULES.items() if kind is not exp.AtTimeZone},
        **comparison.RULES,
        **patterns.RULES,
        **conditional.RULES,
        **texts.RULES,
        exp.Literal: wide(literals.constant),
        exp.Column: wide(own.column),
        exp.Cast: own.cast_to,
        exp.TryCast: own.try_cast,
        exp.CurrentTimestamp: literals.local_now,
        exp.Add: wide(arithmetic.operator_rule("+", own.later_date, *arithmetic.ADDITION)),
        exp.Sub: wide(arithmetic.operator_rule("-", own.earlier_date, *arithmetic.SUBTRACTION)),
        exp.Mul: wide(arithmetic.operator_rule("*", own.product, *arithmetic.MULTIPLICATION)),
        exp.Div: arithmetic.operator_rule("/", own.divided),
        exp.Mod: wide(arithmetic.RULES[exp.Mod]),
        exp.Neg: wide(arithmetic.negated),
        exp.DPipe: arithmetic.RULES[exp.DPipe],
        exp.Like: own.like,
        exp.ILike: own.like,
        exp.RegexpLike: own.matches,
        exp.Substring: own.substring,
        exp.StrPosition: own.position,
        exp.Extract: own.extract,
        exp.JSONExtract: of_variants.path,
        exp.Bracket: of_variants.bracket,
        exp.Array: of_variants.array_literal,
        exp.Kwarg: of_variants.keyword,
        exp.Parameter: own.numbered,
        **dict.fromkeys((exp.Anonymous, exp.Filter, exp.WithinGroup, exp.Window), wide(function_call)),
        exp.GroupConcat: wide(function_call),
    },
    functions={
        **literals.FUNCTIONS,
        **_TEXT_FUNCTIONS,
        **_TIME_FUNCTIONS,
        **_OTHER_FUNCTIONS,
        **_AGGREGATES,
    },
    table_functions=_TABLE_FUNCTIONS,
    default_schema="public",
    alternatives=_ALTERNATIVES,
    adapted=_adapted,
    naming=Naming(_names, lambda name, _: swapped(name)),
    habits=frozenset(
        {
            "qualify", "group_by_all", "order_by_all", "star_except", "star_rename", "star_replace", "alias_in_select",
            "alias_in_where", "alias_in_having", "alias_in_qualify",
        }
    ),
    messages=WORDING,
)  # fmt: skip
