"""Faults as they are written: each kind has keys of its own, and an outage says when."""

import json
from pathlib import Path

import pytest
import yaml

from simulator import ScenarioError
from simulator.scenario import parse_document

BASE = yaml.safe_load((Path(__file__).parents[1] / "lint" / "base.yaml").read_text("utf-8"))


def read(**fault):
    document = json.loads(json.dumps({**BASE, "faults": {"it": {"tools": "get_ticket", **fault}}}))
    return parse_document(document).document.faults["it"]


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ({"kind": "timeout", "retry_after": "1m"}, "`retry_after` says nothing of the kind timeout"),
        ({"kind": "server_error", "effect": "after"}, "`effect` says nothing of the kind server_error"),
        ({"kind": "outage", "from_step": 1, "to_step": 2, "share": 0.2}, "`share` says nothing of the kind outage"),
        ({"kind": "rate_limit", "behind": 3}, "`behind` says nothing of the kind rate_limit"),
        ({"kind": "outage", "from_step": 3}, "an outage has a `from_step` and a `to_step`"),
        ({"kind": "outage", "from_step": 3, "to_step": 2}, "`to_step` comes before `from_step`"),
        ({"kind": "timeout", "share": 1.5}, "out of range"),
        ({"kind": "timeout", "share": 0}, "more than 0"),
        ({"kind": "timeout", "share": -0.1}, "more than 0"),
        ({"kind": "flood"}, "kind"),
    ],
)
def test_what_says_nothing_of_a_kind_is_refused(fault, says):
    with pytest.raises(ScenarioError) as caught:
        read(**fault)
    assert any(says.lower() in str(problem).lower() for problem in caught.value.problems), caught.value.problems


def test_a_default_written_out_means_the_same():
    plain = read(kind="timeout")
    assert read(kind="timeout", share=0.1, effect="before", retry_after="30s", behind=2) == plain
    assert plain.names == ("get_ticket",)


def test_an_operation_named_twice_is_struck_once():
    assert read(kind="timeout", tools=["get_ticket", "close_ticket", "get_ticket"]).names == (
        "get_ticket",
        "close_ticket",
    )
