"""The SQL functions that translations call: what SQLite has not, written in Python."""

from simulator.sql.dialects.runtime.registry import (
    BUILT_IN_FUNCTIONS,
    DIALECT_FUNCTIONS,
    register_dialect_functions,
)

__all__ = ["BUILT_IN_FUNCTIONS", "DIALECT_FUNCTIONS", "register_dialect_functions"]
