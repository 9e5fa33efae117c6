"""SQL in scenarios: what is let through, what it does, and the connection it runs on.

Every statement, whoever wrote it, passes the gate (:mod:`.gate`), SQLite's own grammar under an authorizer
(:mod:`.authorizer`, :mod:`.twin`) and the limits of its connection (:mod:`.limits`). The schema comes from the
scenario's models (:mod:`.schema`); advice to authors (:mod:`.advice`) is imported on its own, as it loads a parser.
"""

from simulator.sql.authorizer import Access, Authorizer, AuthorPolicy, Policy, Verb
from simulator.sql.connection import GuardedConnection, connection_setup
from simulator.sql.functions import FunctionProblem, WorldContext
from simulator.sql.gate import check_text
from simulator.sql.limits import WorkLimit
from simulator.sql.problems import SqlProblem
from simulator.sql.rowset import ROWS_TABLE, ListTable, row_set
from simulator.sql.statement import Cte, RowNames, Spliced, assemble, parameters_of, row_set_cte
from simulator.sql.twin import ResultColumn, Role, StatementFacts, Twin

__all__ = [
    "ROWS_TABLE",
    "Access",
    "AuthorPolicy",
    "Authorizer",
    "Cte",
    "FunctionProblem",
    "GuardedConnection",
    "ListTable",
    "Policy",
    "ResultColumn",
    "Role",
    "RowNames",
    "Spliced",
    "SqlProblem",
    "StatementFacts",
    "Twin",
    "Verb",
    "WorkLimit",
    "WorldContext",
    "assemble",
    "check_text",
    "connection_setup",
    "parameters_of",
    "row_set",
    "row_set_cte",
]
