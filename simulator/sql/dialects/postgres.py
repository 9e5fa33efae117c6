"""PostgreSQL: all shared rules, under its own function names."""

from __future__ import annotations

from simulator.sql.dialects.calls import FunctionRule
from simulator.sql.dialects.rules import (
    aggregates,
    arithmetic,
    comparison,
    conditional,
    documents,
    literals,
    numbers,
    patterns,
    texts,
    times,
)
from simulator.sql.dialects.strictness import Reading
from simulator.sql.dialects.tables import TableFunction, generate_series, of_document, of_text, unnest
from simulator.sql.dialects.translator import Dialect
from simulator.sql.dialects.value_types import JSON, TEXT

_FUNCTIONS: dict[str, FunctionRule] = {
    **literals.FUNCTIONS,
    **conditional.FUNCTIONS,
    **numbers.FUNCTIONS,
    **texts.FUNCTIONS,
    **times.FUNCTIONS,
    **documents.FUNCTIONS,
    **aggregates.FUNCTIONS,
}

_TABLE_FUNCTIONS: dict[str, TableFunction] = {
    "generate_series": generate_series,
    "unnest": unnest,
    "regexp_split_to_table": of_text("dx_regex_split", "regexp_split_to_table"),
    "string_to_table": of_text("dx_array_of_parts", "string_to_table"),
    "jsonb_array_elements": of_document("dx_json_elements({0}, 0)", (("value", JSON),)),
    "json_array_elements": of_document("dx_json_elements({0}, 0)", (("value", JSON),)),
    "jsonb_array_elements_text": of_document("dx_json_elements({0}, 1)", (("value", TEXT),)),
    "json_array_elements_text": of_document("dx_json_elements({0}, 1)", (("value", TEXT),)),
    "jsonb_object_keys": of_document("dx_json_keys({0})", (("jsonb_object_keys", TEXT),)),
    "json_object_keys": of_document("dx_json_keys({0})", (("json_object_keys", TEXT),)),
    "jsonb_each": of_document("dx_json_entries({0}, 0)", (("key", TEXT), ("value", JSON))),
    "jsonb_each_text": of_document("dx_json_entries({0}, 1)", (("key", TEXT), ("value", TEXT))),
}

_LAST_DIGITS = "Its last digits differ between machines; use + - * / and sqrt()."
_ALTERNATIVES = {
    **dict.fromkeys(("ifnull", "nvl", "isnull"), "Use coalesce(x, y)."),
    **dict.fromkeys(("group_concat", "listagg"), "Use string_agg(x, ', ' ORDER BY x)."),
    **dict.fromkeys(("date_format", "strftime", "format_date"), "Use to_char(x, 'YYYY-MM-DD')."),
    **dict.fromkeys(("getdate", "sysdate", "curdate"), "Use now() or current_date."),
    **dict.fromkeys(("datediff", "timestampdiff", "julianday"), "Subtract dates: a - b is a number of days."),
    **dict.fromkeys(("dateadd", "date_add", "date_sub"), "Add an interval: x + interval '1 day'."),
    **dict.fromkeys(("year", "month", "day", "hour", "quarter", "week", "dayofweek"), "Use extract(year FROM x)."),
    **dict.fromkeys(("instr", "charindex", "locate"), "Use strpos(text, part)."),
    **dict.fromkeys(("iif", "if", "decode"), "Use CASE WHEN … THEN … ELSE … END."),
    **dict.fromkeys(("json_extract", "json_value", "json_query"), "Use doc -> 'key' or doc ->> 'key'."),
    "datetime": "Use x::timestamp.",
    "printf": "Use to_char(), lpad() or round().",
    "len": "Use length(x).",
    "median": "Use percentile_cont(0.5) WITHIN GROUP (ORDER BY x).",
    "last_day": "Use (date_trunc('month', x) + interval '1 month - 1 day')::date.",
    "substring_index": "Use split_part(text, separator, n).",
    "total": "Use coalesce(sum(x), 0).",
    **dict.fromkeys(
        ("exp", "ln", "log", "log10", "sin", "cos", "tan", "degrees", "radians", "cbrt", "pi"), _LAST_DIGITS
    ),
    "random": "A world is the same in every run; choose by a column, for instance ORDER BY id LIMIT 1.",
    "gen_random_uuid": "A world is the same in every run; give the key yourself.",
    "nextval": "Leave the key out of the INSERT, or give it yourself.",
    "currval": "Ask for the key with RETURNING.",
    "lastval": "Ask for the key with RETURNING.",
    "md5": "Compare the texts themselves.",
    "row_to_json": "Name the fields: jsonb_build_object('id', t.id, …).",
    "date_bin": "Use date_trunc(), or to_timestamp(floor(extract(epoch from x) / 900) * 900).",
    "regr_slope": "Use corr(), avg() and stddev_pop().",
    "to_number": "Cast it: replace(x, ',', '')::numeric.",
    "array_sort": "Order in the aggregate: array_agg(x ORDER BY x).",
    "jsonb_path_query": "Use -> and ->>, or jsonb_array_elements().",
    "jsonb_pretty": "Select the document itself.",
    "similarity": "Use ILIKE or strpos(lower(x), 'part').",
    "levenshtein": "Use ILIKE or a regular expression.",
    "clock_timestamp": "Use now(): the world's clock stands still within a statement.",
    "timeofday": "Use now().",
    "regexp_matches": "Use regexp_match() for the first match, or regexp_count().",
    "quote_literal": "Write || around it.",
    "quote_ident": "Write the name itself.",
    "string_to_list": "Use string_to_array().",
    "merge_action": "Use INSERT … ON CONFLICT.",
    "ts_rank": "Use ILIKE or a regular expression.",
    "to_tsvector": "Use ILIKE or a regular expression.",
    "pg_sleep": "The world's clock does not move while a statement runs.",
    "version": "The world is not a server; ask its tables.",
}

POSTGRES = Dialect(
    name="postgres",
    reading=Reading(
        parser="postgres",
        json_keys=True,
        interval_texts=True,
        own_syntax=frozenset({"STRING_AGG"}),
        foreign=frozenset({"==", "<=>", "!", "rlike", "regexp", "glob", "div", "xor", "qualify"}),
    ),
    rules={
        **literals.RULES,
        **arithmetic.RULES,
        **comparison.RULES,
        **patterns.RULES,
        **conditional.RULES,
        **times.RULES,
        **texts.RULES,
        **documents.RULES,
        **aggregates.RULES,
    },
    functions=_FUNCTIONS,
    table_functions=_TABLE_FUNCTIONS,
    default_schema="public",
    alternatives=_ALTERNATIVES,
    habits=frozenset({"rows_known_by_key"}),
)
