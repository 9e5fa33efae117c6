"""Other dialects' SQL as SQLite's, with the same meaning or not at all.

:func:`translate` reads a statement in the agent's dialect, gives every expression a type from the catalogue, and
writes it anew for SQLite. Where SQLite lacks a function, or its own means something else, the text calls one of ours,
written in Python (:mod:`.runtime`). What has no rule is refused as ``sql_unsupported``, with something that works: a
translation never means something else than the statement did.

How it hangs together: :mod:`.parsing` passes the gate and makes the tree; :mod:`.translation` hands it to
:mod:`.queries` (set operations, WITH; SELECT is :mod:`.selecting`, FROM :mod:`.tables`) or :mod:`.writes`; these hand
expressions to :class:`~.translator.Translator`, which looks up the rule for each node in :mod:`.rules`. A rule gets
the node and the names in scope (:mod:`.scopes`), and returns SQLite text with a type (:mod:`.values`). Rules that only
one dialect has stand in a folder of its own, ``rules/of_<name>``, a module for each kind of expression. Values become
others' types in :mod:`.conversions`, and compare as :mod:`.ordering` says.

To add a dialect, write a module like :mod:`.postgres`: a :class:`~.translator.Dialect` that takes the shared rules and
functions, replaces those whose meaning differs (``{**arithmetic.RULES, exp.Div: …}``), leaves out what the dialect does
not have, adds its own names for functions, and says for each refused function what to write instead; put it into
:data:`DIALECTS`. Then write a corpus in ``tests/sql/dialects/<name>/`` with answers from the real database, or worked
out by hand: a rule without a statement in the corpus is not finished.
"""

from simulator.sql.dialects.catalogue import TableCatalogue, TableColumn, TableShape
from simulator.sql.dialects.runtime import BUILT_IN_FUNCTIONS, DIALECT_FUNCTIONS, register_dialect_functions
from simulator.sql.dialects.translated import OutputColumn, Translated
from simulator.sql.dialects.translation import DIALECTS, translate
from simulator.sql.dialects.value_types import Type

__all__ = [
    "BUILT_IN_FUNCTIONS",
    "DIALECTS",
    "DIALECT_FUNCTIONS",
    "OutputColumn",
    "TableCatalogue",
    "TableColumn",
    "TableShape",
    "Translated",
    "Type",
    "register_dialect_functions",
    "translate",
]
