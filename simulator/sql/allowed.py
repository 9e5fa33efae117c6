"""The functions an author's SQL may call: those that give the same value on every machine and in every run.

An allow-list, so a function SQLite gains one day is refused until somebody has looked at it.
"""

from __future__ import annotations

_SCALAR = """
abs ceil ceiling char coalesce concat concat_ws degrees floor format glob hex if ifnull iif instr length like
likelihood likely lower ltrim max min mod nullif octet_length pi printf quote radians replace round rtrim sign sqrt
substr substring trim trunc typeof unhex unicode unlikely upper
"""
# The clock is the world's: SQLite takes the time from the world's file system.
_TIME = "current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch"
_AGGREGATE = "avg count group_concat median percentile percentile_cont percentile_disc string_agg sum total"
_WINDOW = "cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number"
_JSON = """
-> ->> json json_array json_array_insert json_array_length json_error_position json_extract json_group_array
json_group_object json_insert json_object json_patch json_pretty json_quote json_remove json_replace json_set json_type
json_valid
"""
_FULL_TEXT = "bm25 highlight match snippet"
_OWN = "calculate decimal_round new_id now regexp_full"

AUTHOR_FUNCTIONS = frozenset(" ".join((_SCALAR, _TIME, _AGGREGATE, _WINDOW, _JSON, _FULL_TEXT, _OWN)).split())
"""Names in lower case, as SQLite reports them."""

AGENT_FUNCTIONS = AUTHOR_FUNCTIONS - frozenset(
    # They tell of other tables (the next key, a search index) or compile a program (a pattern) at every call.
    ("calculate", "new_id", "regexp_full", *_FULL_TEXT.split())
)
"""What an agent's SQL may call."""

_SAFE = """
ceil ceiling coalesce floor if ifnull iif instr length like likely lower max min mod nullif octet_length pi round
sign substr substring trunc typeof unicode unlikely upper now
current_date current_time current_timestamp date datetime julianday strftime time unixepoch
avg count total cume_dist dense_rank first_value lag last_value lead percent_rank rank row_number
"""
SAFE_ON_HIDDEN_ROWS = frozenset(_SAFE.split())
"""Functions that never fail on a value, whatever it is: SQLite may then compute them on rows before a row filter hides
them, and nothing shows. PostgreSQL calls such functions leakproof."""

_RANDOM = frozenset({"random", "randomblob"})
_ROW_COUNTERS = frozenset({"changes", "last_insert_rowid", "total_changes"})
_INEXACT = frozenset(
    "acos acosh asin asinh atan atan2 atanh cos cosh exp ln log log10 log2 pow power sin sinh tan tanh".split()  # noqa: SIM905
)


def refused_because(function: str) -> str:
    """Why a known function is refused, with what to do instead; empty where there is nothing to add."""
    if function in _RANDOM:
        return "A world is the same in every run; draw random values in the world's columns."
    if function in _ROW_COUNTERS:
        return "It depends on statements run before; ask the tables instead."
    if function in _INEXACT:
        return "Its last digits differ between machines; use + - * / instead."
    return ""
