"""Every SQL function a translation may call, and their registration on a connection.

They are named ``dx_…``; no dialect has such names, so that an agent cannot call them past the translation. NULL in
means NULL out, unless said otherwise. They are deterministic, and bounded by the connection's limit on lengths and by
limits of their own; what they cannot work with stops the statement with a :class:`FunctionProblem`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import apsw

from simulator.sql.dialects.runtime import (
    aggregates,
    calendar,
    collations,
    documents,
    expressions,
    formats,
    intervals,
    numbers,
    of_mysql,
    of_oracle,
    of_tsql,
    reading,
    texts,
    times,
)
from simulator.sql.functions import FunctionProblem


def fail(message: str) -> None:
    """Stop the statement."""
    raise FunctionProblem(message)


def _first_groups(text: str, pattern: str, flags: str) -> str | None:
    groups = texts.regex_first(text, pattern, flags)
    return None if groups is None else json.dumps(groups, ensure_ascii=False)


def _split(text: str, pattern: str) -> str:
    return json.dumps(texts.regex_split(text, pattern), ensure_ascii=False)


def _split_text(text: str, separator: str) -> str:
    return documents.as_array(texts.split(text, separator))


def _concatenated(separator: str, *parts: str | None) -> str:
    return texts.bounded(separator.join(part for part in parts if part is not None))


_STRICT: dict[str, tuple[Callable[..., Any], int]] = {
    "dx_int4": (numbers.within_int4, 1),
    "dx_int8": (numbers.within_int8, 1),
    "dx_integer_divide": (numbers.integer_divide, 2),
    "dx_integer_modulo": (numbers.integer_modulo, 2),
    "dx_divide": (numbers.divide, 2),
    "dx_float_divide": (numbers.float_divide, 2),
    "dx_numeric_modulo": (numbers.numeric_modulo, 2),
    "dx_round": (numbers.round_numeric, 2),
    "dx_truncate": (numbers.truncate_numeric, 2),
    "dx_round_float": (numbers.round_float, 1),
    "dx_to_integer": (numbers.to_integer, 3),
    "dx_read_integer": (numbers.read_integer, 2),
    "dx_read_number": (numbers.read_number, 2),
    "dx_finite": (numbers.finite, 1),
    "dx_fit_numeric": (numbers.fit_numeric, 3),
    "dx_power": (numbers.power, 2),
    "dx_square_root": (numbers.square_root, 1),
    "dx_width_bucket": (numbers.width_bucket, 4),
    "dx_greatest_divisor": (numbers.greatest_divisor, 2),
    "dx_numeric_text": (numbers.numeric_text, 2),
    "dx_float_text": (numbers.float_text, 1),
    "dx_upper": (texts.simple_upper, 1),
    "dx_lower": (texts.simple_lower, 1),
    "dx_like": (texts.like, 3),
    "dx_ilike": (texts.ilike, 3),
    "dx_regex_matches": (texts.regex_matches, 3),
    "dx_regex_replace": (texts.regex_replace, 4),
    "dx_regex_substring": (texts.regex_substring, 2),
    "dx_regex_count": (texts.regex_count, 2),
    "dx_regex_first": (_first_groups, 3),
    "dx_regex_split": (_split, 2),
    "dx_similar_to": (texts.similar_to, 2),
    "dx_left": (texts.left, 2),
    "dx_right": (texts.right, 2),
    "dx_substring": (texts.substring, 3),
    "dx_substring_from": (texts.substring_from, 2),
    "dx_split_part": (texts.split_part, 3),
    "dx_pad_left": (texts.pad_left, 3),
    "dx_pad_right": (texts.pad_right, 3),
    "dx_capitalized": (texts.capitalized, 1),
    "dx_repeated": (texts.repeated, 2),
    "dx_reversed": (texts.reversed_text, 1),
    "dx_translated": (texts.translated, 3),
    "dx_position": (texts.position, 2),
    "dx_overlaid": (texts.overlaid, 4),
    "dx_replaced": (texts.replaced, 3),
    "dx_from_code": (texts.from_code, 1),
    "dx_to_code": (texts.to_code, 1),
    "dx_stripped": (texts.stripped, 3),
    "dx_starts_with": (texts.starts_with, 2),
    "dx_read_boolean": (texts.read_boolean, 1),
    "dx_interval_text": (intervals.interval_text, 1),
    "dx_interval_add": (intervals.interval_add, 2),
    "dx_interval_multiply": (intervals.interval_multiply, 2),
    "dx_interval_divide": (intervals.interval_divide, 2),
    "dx_interval_length": (intervals.interval_length, 1),
    "dx_interval_make": (intervals.interval_make, 7),
    "dx_interval_extract": (intervals.interval_extract, 2),
    "dx_justify": (intervals.justify, 3),
    "dx_read_timestamp": (times.read_timestamp, 1),
    "dx_read_date": (times.read_date, 1),
    "dx_read_time": (times.read_time, 1),
    "dx_timestamp_add": (times.timestamp_add, 2),
    "dx_timestamp_subtract": (times.timestamp_subtract, 2),
    "dx_timestamp_difference": (times.timestamp_difference, 2),
    "dx_date_add": (times.date_add, 2),
    "dx_date_difference": (times.date_difference, 2),
    "dx_make_date": (times.make_date, 3),
    "dx_make_timestamp": (times.make_timestamp, 6),
    "dx_age": (times.age, 2),
    "dx_timestamp_truncate": (times.timestamp_truncate, 2),
    "dx_timestamp_extract": (times.timestamp_extract, 2),
    "dx_time_extract": (times.time_extract, 2),
    "dx_from_epoch": (times.from_epoch, 1),
    "dx_rounded_to_second": (times.rounded_to_second, 1),
    "dx_time_to_char": (formats.time_to_char, 2),
    "dx_to_date": (formats.to_date, 2),
    "dx_to_timestamp": (formats.to_timestamp, 2),
    "dx_last_day": (formats.last_day, 1),
    "dx_number_to_char": (formats.number_to_char, 2),
    "dx_read_json": (documents.read_json, 1),
    "dx_json_get": (documents.json_get, 2),
    "dx_json_get_text": (documents.json_get_text, 2),
    "dx_json_path": (documents.json_path, 2),
    "dx_json_path_text": (documents.json_path_text, 2),
    "dx_json_has_key": (documents.json_has_key, 2),
    "dx_json_contains": (documents.json_contains, 2),
    "dx_json_length": (documents.json_length, 1),
    "dx_json_kind": (documents.json_kind, 1),
    "dx_json_elements": (documents.json_elements, 2),
    "dx_json_entries": (documents.json_entries, 2),
    "dx_json_keys": (documents.json_keys, 1),
    "dx_json_concat": (documents.json_concat, 2),
    "dx_json_without": (documents.json_without, 2),
    "dx_json_with": (documents.json_with, 3),
    "dx_json_quoted": (documents.json_quoted, 1),
    "dx_array_text": (documents.array_text, 1),
    "dx_array_element": (documents.array_element, 2),
    "dx_array_length": (documents.array_length, 1),
    "dx_array_size": (documents.array_size, 1),
    "dx_array_joined": (documents.array_joined, 2),
    "dx_array_of_parts": (documents.array_of_parts, 2),
    "dx_array_position": (documents.array_position, 2),
    "dx_array_removed": (documents.array_removed, 2),
    "dx_array_concat": (documents.array_concat, 2),
    "dx_array_contains": (documents.array_contains, 2),
    "dx_array_overlaps": (documents.array_overlaps, 2),
    "dx_integer_series": (documents.integer_series, 3),
    "dx_timestamp_series": (documents.timestamp_series, 3),
    "dx_moved": (calendar.moved, 3),
    "dx_moved_date": (calendar.moved_date, 3),
    "dx_start_of": (calendar.start_of, 2),
    "dx_last_of": (calendar.last_of, 2),
    "dx_boundaries": (calendar.boundaries, 3),
    "dx_whole_units": (calendar.whole_units, 3),
    "dx_dates": (calendar.dates, 4),
    "dx_times": (calendar.times, 4),
    "dx_re_contains": (expressions.contains, 3),
    "dx_re_whole": (expressions.is_whole, 3),
    "dx_re_found": (expressions.found, 6),
    "dx_re_all": (expressions.all_found, 2),
    "dx_re_count": (expressions.count, 4),
    "dx_re_place": (expressions.place, 5),
    "dx_re_replaced": (expressions.replaced, 6),
    "dx_try_read": (reading.try_read, 2),
    "dx_try_fit": (reading.try_fit, 3),
    "dx_try_template": (reading.try_template, 3),
    "dx_json_compact": (documents.json_compact, 1),
    "dx_json_as_text": (documents.json_as_text, 1),
    "dx_json_scalar": (documents.json_scalar, 2),
    "dx_json_inner": (documents.json_inner, 2),
    "dx_json_scalars": (documents.json_scalars, 2),
    "dx_json_parts": (documents.json_parts, 2),
    "dx_json_flattened": (documents.json_flattened, 2),
    "dx_json_elements_count": (documents.json_size, 1),
    "dx_array_slot": (documents.array_slot, 3),
    "dx_array_head": (documents.array_head, 2),
    "dx_array_without_null": (documents.array_without_null, 1),
    "dx_part": (texts.part, 3),
    "dx_capitalized_words": (texts.capitalized_words, 1),
    "dx_ends_with": (texts.ends_with, 2),
    "dx_split": (_split_text, 2),
    "dx_word": (texts.words, 3),
    "dx_fail": (fail, 1),
    "dx_char_place": (of_tsql.located, 3),
    "dx_replaced_any_case": (of_tsql.replaced, 3),
    "dx_stuffed": (of_tsql.stuffed, 4),
    "dx_like_classes": (of_tsql.like, 3),
    "dx_week_of_year": (of_tsql.week, 1),
    "dx_name_of_part": (of_tsql.name_of_part, 2),
    "dx_net_time": (of_tsql.format_time, 2),
    "dx_net_number": (of_tsql.format_number, 2),
    "dx_days_between": (of_oracle.days_between, 2),
    "dx_days_added": (of_oracle.days_added, 2),
    "dx_months_added": (of_oracle.months_added, 2),
    "dx_months_between": (of_oracle.months_between, 2),
    "dx_oracle_number": (of_oracle.number_to_char, 2),
    "dx_short_number": (of_oracle.number_text, 1),
    "dx_oracle_part": (of_oracle.substring, 3),
    "dx_nth_place": (of_oracle.place, 4),
    "dx_divide_or_null": (of_mysql.divide_or_null, 2),
    "dx_whole_quotient": (of_mysql.whole_quotient, 3),
    "dx_remainder": (of_mysql.remainder, 3),
    "dx_number_of": (of_mysql.number_of, 2),
    "dx_integer_of": (of_mysql.integer_of, 2),
    "dx_unsigned": (of_mysql.unsigned, 1),
    "dx_with_commas": (of_mysql.with_commas, 2),
    "dx_text_part": (of_mysql.substring, 3),
    "dx_before": (of_mysql.before, 3),
    "dx_located": (of_mysql.located, 3),
    "dx_in_set": (of_mysql.in_set, 2),
    "dx_inserted": (of_mysql.inserted, 4),
    "dx_like_letters": (of_mysql.like, 3),
    "dx_first_bytes": (of_mysql.first_bytes, 2),
    "dx_week": (of_mysql.week, 2),
    "dx_year_week": (of_mysql.year_week, 2),
    "dx_day_name": (of_mysql.day_name, 1),
    "dx_month_name": (of_mysql.month_name, 1),
    "dx_format_time": (of_mysql.format_time, 2),
    "dx_read_formatted": (of_mysql.read_time, 3),
    "dx_units_between": (of_mysql.units_between, 3),
    "dx_day_of_year": (of_mysql.day_of_year, 2),
    "dx_to_days": (of_mysql.to_days, 1),
    "dx_json_at": (of_mysql.json_at, 2),
    "dx_json_unquoted": (of_mysql.json_unquoted, 1),
    "dx_json_members": (of_mysql.json_size, 1),
}
# These see NULLs among their arguments.
_LENIENT: dict[str, tuple[Callable[..., Any], int]] = {
    "dx_concatenated": (_concatenated, -1),
    "dx_json_object": (documents.json_object, -1),
    "dx_json_array": (documents.json_array, -1),
    "dx_json_present": (documents.json_present, -1),
    "dx_array_appended": (documents.array_appended, 2),
    "dx_field": (of_mysql.field, -1),
    "dx_chosen": (of_mysql.chosen, -1),
}
_AGGREGATES: dict[str, tuple[Callable[[], Any], int]] = {
    "dx_single": (aggregates.Single, 1),
    "dx_mode": (aggregates.Mode, 1),
    "dx_percentile_disc": (aggregates.PercentileDisc, 3),
    "dx_percentile_cont": (aggregates.PercentileCont, 3),
    "dx_var_samp": (aggregates.SampleVariance, 1),
    "dx_var_pop": (aggregates.PopulationVariance, 1),
    "dx_stddev_samp": (aggregates.SampleDeviation, 1),
    "dx_stddev_pop": (aggregates.PopulationDeviation, 1),
    "dx_corr": (aggregates.Correlation, 2),
    "dx_largest_by": (aggregates.LargestBy, 2),
    "dx_smallest_by": (aggregates.SmallestBy, 2),
    "dx_interval_sum": (aggregates.IntervalSum, 1),
    "dx_interval_average": (aggregates.IntervalAverage, 1),
    "dx_interval_largest": (aggregates.IntervalLargest, 1),
    "dx_interval_smallest": (aggregates.IntervalSmallest, 1),
}
_COLLATIONS: dict[str, Callable[[str, str], int]] = {
    "dx_ai_ci": collations.by_letter,
    "dx_ci_as": collations.by_letter_and_accent,
}

DIALECT_FUNCTIONS = frozenset((*_STRICT, *_LENIENT, *_AGGREGATES))
"""Their names, as an authorizer sees them."""

BUILT_IN_FUNCTIONS = frozenset(
    """
    abs avg ceil coalesce count cume_dist dense_rank first_value floor glob group_concat json json_array json_each
    json_group_array json_group_object lag last_value lead length max min now nth_value ntile nullif octet_length
    percent_rank rank round row_number sign substr sum unixepoch ->>
    """.split()  # noqa: SIM905
)
"""SQLite's and the engine's own functions that a translation may call."""


@dataclass(frozen=True, slots=True)
class _Strict:
    """A function that is not asked when an argument is NULL."""

    function: Callable[..., Any]

    def __call__(self, *arguments: Any) -> Any:
        return None if None in arguments else self.function(*arguments)


def register_dialect_functions(connection: apsw.Connection) -> None:
    """Add the functions to a connection; cheap, and they do nothing until a translation calls them."""
    pure = apsw.SQLITE_DETERMINISTIC | apsw.SQLITE_INNOCUOUS
    for name, (function, arity) in _STRICT.items():
        connection.create_scalar_function(name, _Strict(function), arity, flags=pure)
    for name, (function, arity) in _LENIENT.items():
        connection.create_scalar_function(name, function, arity, flags=pure)
    for name, compare in _COLLATIONS.items():
        connection.create_collation(name, compare)
    for name, (factory, arity) in _AGGREGATES.items():
        connection.create_aggregate_function(name, factory, arity, flags=pure)
