"""SQL Server's own rules: decimals with their precision, ``+`` of texts, units of times as words."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from simulator.sql.dialects.calls import FunctionRule
from simulator.sql.dialects.rules import aggregates
from simulator.sql.dialects.rules.of_mysql import called
from simulator.sql.dialects.rules.of_tsql.casts import cast_to, convert, if_null, try_cast
from simulator.sql.dialects.rules.of_tsql.documents import json_query, json_value_of
from simulator.sql.dialects.rules.of_tsql.numbers import (
    arithmetic_of,
    average,
    count,
    plus,
    quotient,
    rounded,
    total,
    whole_of,
)
from simulator.sql.dialects.rules.of_tsql.texts import (
    chosen,
    collate,
    concatenated,
    escaped,
    like,
    national,
    of_texts,
    string_agg,
    substring,
)
from simulator.sql.dialects.rules.of_tsql.times import (
    clock,
    dateadd,
    datediff,
    datename,
    datepart,
    datetrunc,
    formatted,
    month_end,
    named_part,
    now_word,
)
from simulator.sql.dialects.translator import Rule
from simulator.sql.dialects.value_types import (
    DATE,
    INT4,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
)


def _windowed(names: Sequence[str]) -> dict[str, FunctionRule]:
    return {name: aggregates.FUNCTIONS[name] for name in names}


RULES: dict[type[exp.Expr], Rule] = {
    exp.Add: plus,
    exp.Sub: arithmetic_of("-"),
    exp.Mul: arithmetic_of("*"),
    exp.Div: quotient,
    exp.Substring: substring,
    exp.Like: like,
    exp.Escape: escaped,
    exp.National: national,
    exp.Cast: cast_to,
    exp.Convert: convert,
    exp.TryCast: try_cast,
    exp.CurrentTimestamp: now_word,
    exp.Collate: collate,
}


FUNCTIONS: dict[str, FunctionRule] = {
    "sum": FunctionRule(total, "aggregate"),
    "avg": FunctionRule(average, "aggregate"),
    "count": FunctionRule(count, "aggregate"),
    "count_big": FunctionRule(aggregates.count, "aggregate"),
    "string_agg": FunctionRule(string_agg, "aggregate"),
    "stdev": aggregates.FUNCTIONS["stddev_samp"],
    "stdevp": aggregates.FUNCTIONS["stddev_pop"],
    "var": aggregates.FUNCTIONS["var_samp"],
    "varp": aggregates.FUNCTIONS["var_pop"],
    **_windowed(("min", "max", "row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile", "lag", "lead",
                 "first_value", "last_value", "grouping")),
    "round": FunctionRule(rounded),
    "floor": FunctionRule(whole_of("floor")),
    "ceiling": FunctionRule(whole_of("ceil")),
    "isnull": FunctionRule(if_null),
    "choose": FunctionRule(chosen),
    "concat": FunctionRule(concatenated),
    "concat_ws": FunctionRule(concatenated),
    "len": of_texts("length(dx_stripped({0}, ' ', 'r'))", INT4, "t"),
    "lower": of_texts("dx_lower({0})", TEXT, "t"),
    "upper": of_texts("dx_upper({0})", TEXT, "t"),
    "left": of_texts("dx_substring({0}, 1, {1})", TEXT, "tn"),
    "right": of_texts("dx_substring({0}, max(length({0}) - {1} + 1, 1), {1})", TEXT, "tn"),
    "charindex": of_texts("dx_char_place({0}, {1}, {2})", INT4, "ttn", "1"),
    "replace": of_texts("dx_replaced_any_case({0}, {1}, {2})", TEXT, "ttt"),
    "stuff": of_texts("dx_stuffed({0}, {1}, {2}, {3})", TEXT, "tnnt"),
    "replicate": of_texts("dx_repeated({0}, {1})", TEXT, "tn"),
    "space": of_texts("dx_repeated(' ', {0})", TEXT, "n"),
    "reverse": of_texts("dx_reversed({0})", TEXT, "t"),
    "translate": of_texts("dx_translated({0}, {1}, {2})", TEXT, "ttt"),
    "ltrim": of_texts("dx_stripped({0}, ' ', 'l')", TEXT, "t"),
    "rtrim": of_texts("dx_stripped({0}, ' ', 'r')", TEXT, "t"),
    "getdate": clock(TIMESTAMPTZ),
    "getutcdate": clock(TIMESTAMPTZ),
    "sysdatetime": clock(TIMESTAMP),
    "sysutcdatetime": clock(TIMESTAMP),
    "dateadd": FunctionRule(dateadd),
    "datediff": FunctionRule(datediff),
    "datepart": FunctionRule(datepart),
    "datename": FunctionRule(datename),
    "datetrunc": FunctionRule(datetrunc),
    "year": named_part("year"),
    "month": named_part("month"),
    "day": named_part("day"),
    "eomonth": FunctionRule(month_end),
    "datefromparts": called("dx_make_date({0}, {1}, {2})", DATE, "nnn"),
    "format": FunctionRule(formatted),
    "json_value": FunctionRule(json_value_of),
    "json_query": FunctionRule(json_query),
}  # fmt: skip

__all__ = ["FUNCTIONS", "RULES"]
