"""SQL an agent writes: granted by table, verb, column and row, judged by meaning and by what it really changes.

A role has a twin on which statements are prepared (:mod:`.twin`) and views through which it sees the world
(:mod:`.views`); :mod:`.guard` judges a text, :mod:`.execution` runs it within its limits. What a write changed is held
against the grants by whoever runs it, from the row changes.
"""

from simulator.sql.agent.execution import Cut, Limits, Ran, run
from simulator.sql.agent.grants import VERBS, GrantedTable, Relation, Right, Role, role_of
from simulator.sql.agent.guard import Guard, Judged, Meaning
from simulator.sql.agent.views import ActingAs, register_actor, show

__all__ = [
    "VERBS",
    "ActingAs",
    "Cut",
    "GrantedTable",
    "Guard",
    "Judged",
    "Limits",
    "Meaning",
    "Ran",
    "Relation",
    "Right",
    "Role",
    "register_actor",
    "role_of",
    "run",
    "show",
]
