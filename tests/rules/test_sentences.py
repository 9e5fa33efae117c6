"""Every rule reads as an English sentence."""

import pytest

from simulator.rules import describe, describe_lifecycle
from simulator.scenario.models import ChangeRule, Lifecycle, ProcessRule, StateRule

READ, WRITE = {"reads": "ticket"}, {"writes": "ticket.status"}
SENTENCES = [
    ({"existence": "a"}, "`a` must be called."),
    ({"existence": ["a", 2]}, "`a` must be called at least 2 times."),
    ({"absence": ["a", READ]}, "`a` must not be called or `ticket` must not be read."),
    ({"at_most": ["a", 1], "same": "k"}, "`a` may be called at most once with the same `k`."),
    ({"exactly": [WRITE, 3]}, "`ticket.status` must be changed exactly 3 times."),
    ({"init": "a"}, "The first action must be `a`."),
    ({"last": ["a", "b", WRITE]}, "The last action before `finish` must be `a`, `b` or a change of `ticket.status`."),
    (
        {"precedence": ["get", "assign"], "same": "ticket_id"},
        "Before `assign`, `get` must have been called with the same `ticket_id`.",
    ),
    ({"response": ["a", "b"], "within": "2h"}, "After `a`, `b` must be called within 2h."),
    ({"succession": ["a", "b"]}, "Before `b`, `a` must have been called, and after `a`, `b` must be called."),
    ({"chain_precedence": [READ, WRITE]}, "Directly before a change of `ticket.status`, `ticket` must have been read."),
    ({"chain_response": ["a", ["b", "c"]]}, "Directly after `a`, `b` or `c` must be called."),
    (
        {"alternate_precedence": ["a", "b"], "within": 1},
        "Before each `b`, `a` must have been called within 1 step, anew each time.",
    ),
    (
        {"not_coexistence": ["a", "b"], "same": {"a": "id", "b": "key"}},
        "One episode must not have both `a` and `b` with equal `a.id` and the key of the row that `b` changed.",
    ),
    ({"absence": "a", "outcome": "error"}, "`a` must not be called. Only failed calls count."),
    ({"absence": "a", "where": ":k  =\n 1"}, "`a` must not be called. Only where `:k = 1`."),
    ({"absence": "a", "where": {"a": ":k = 1"}}, "`a` must not be called. Only where `:k = 1` (`a`)."),
    ({"never": "select 1"}, "No row may ever be returned over the actions by: `select 1`."),
]


@pytest.mark.parametrize(("rule", "sentence"), SENTENCES, ids=[sentence for _, sentence in SENTENCES])
def test_a_process_rule_reads_as_a_sentence(rule, sentence):
    assert describe(ProcessRule.model_validate(rule, strict=False)) == sentence


def test_other_rules_read_as_sentences():
    assert describe(StateRule(never="select id\nfrom t")) == "No row may ever be returned by: `select id from t`."
    change = ChangeRule.model_validate({"when": {"update": "t.c"}, "require": "new.c > 0"})
    assert describe(change) == "When `t.c` changes, this must hold: `new.c > 0`."


def test_a_lifecycle_reads_as_a_sentence():
    steps = [{"from": "new", "to": "open"}, {"from": ["open", "held"], "to": "closed"}, {"from": "open", "to": "held"}]
    lifecycle = Lifecycle.model_validate({"start": "new", "at": "opened_at", "steps": steps})
    assert describe_lifecycle("ticket", lifecycle) == (
        "A ticket begins as `new` and goes only from `new` to `open`; from `open` to `held` or `closed`; "
        "from `held` to `closed`."
    )
