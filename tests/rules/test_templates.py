"""Every Declare template on traces that keep it, break it, and never activate it."""

from pathlib import Path

import pytest
import yaml

from simulator.rules import RuleBook
from simulator.rules.templates import TEMPLATES
from simulator.scenario.models import ScenarioDocument
from simulator.sql.schema import Schema

CASES = yaml.safe_load((Path(__file__).parent / "traces.yaml").read_text())
DOCUMENT = {
    "worldwright": 1, "id": "traces", "title": "Traces",
    "world": {"now": "2026-03-02 09:00:00", "tables": {"t": {"rows": [{"id": 1}]}}},
    "tools": {name: {"summary": name, "parameters": {"k": {"type": "integer", "optional": True}}} for name in "abcx"},
}  # fmt: skip


def book_of(rule):
    document = ScenarioDocument.model_validate({**DOCUMENT, "rules": {"process": {"rule": rule}}}, strict=False)
    return RuleBook(document, Schema({}, {}), lambda sql, *, role: [])


@pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])
def test_a_trace_is_judged_as_expected(case, actions):
    book = book_of(case["rule"])
    events = actions(*case["trace"])
    violations = case.get("violations", [])

    (result,) = book.process_results(events, database=None, bindings={})
    assert (result.activated, [violation.step for violation in result.violations]) == (case["activated"], violations)
    assert result.kept == (case["activated"] and not violations)

    at_once = [
        violation.step
        for end in range(1, len(events) + 1)
        for violation in book.judge_process(events[:end], bindings={})
    ]
    assert at_once == case.get("at_once", violations)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_has_a_trace_that_keeps_it_one_that_breaks_it_and_one_that_never_activates_it(template):
    cases = [case for case in CASES if template in case["rule"]]
    kept = [case for case in cases if case["activated"] and "violations" not in case]
    broken = [case for case in cases if "violations" in case]
    silent = [case for case in cases if not case["activated"]]
    assert broken
    assert silent
    assert kept or template == "absence"  # whatever activates an absence breaks it


def test_a_rule_that_denies_says_so_only_while_the_action_can_be_refused(actions):
    book = book_of({"precedence": ["a", "b"], "deny": True})
    events = actions("b")
    (refused,) = book.judge_process(events, bindings={})
    (result,) = book.process_results(events, database=None, bindings={})
    assert refused.deny
    assert not result.violations[0].deny


def test_a_violation_names_the_rule_the_step_and_the_call(actions):
    book = book_of({"precedence": ["a", "b"], "same": "k"})
    (violation,) = book.judge_process(actions("x", "b k=7"), bindings={})
    assert (violation.rule, violation.step, violation.row, violation.severity) == ("process.rule", 2, "", None)
    described = "Before `b`, `a` must have been called with the same `k`."
    assert violation.sentence == described + " Not kept: step 2 was b(k=7)."
    assert violation.message == "That is against the rule `rule`."  # an agent may not have the tool `a`


def test_a_message_is_filled_from_the_arguments(actions):
    book = book_of({"absence": "b", "message": "Leave {k} alone, {{really}}."})
    (violation,) = book.judge_process(actions("b k=7"), bindings={})
    assert violation.message == "Leave 7 alone, {really}."


def test_an_empty_episode_gives_no_violation_at_once():
    assert book_of({"init": "a"}).judge_process([], bindings={}) == []
