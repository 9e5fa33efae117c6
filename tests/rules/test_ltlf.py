"""The templates against linear temporal logic on finite traces, written out here and evaluated by brute force.

Actions may be both events of a pair; before and after are strict.
"""

from hypothesis import given
from hypothesis import strategies as st

from simulator.rules import RuleBook
from simulator.scenario.models import ScenarioDocument
from simulator.sql.schema import Schema

A, B, TRUE = ("letter", "a"), ("letter", "b"), ("true",)


def negation(formula):
    return ("not", formula)


def both(*formulas):
    return ("and", *formulas)


def implies(premise, conclusion):
    return negation(both(premise, negation(conclusion)))


def eventually(formula):
    return ("until", TRUE, formula)


def always(formula):
    return negation(eventually(negation(formula)))


def following(formula):
    return ("next", formula)


def weakly_following(formula):
    return negation(following(negation(formula)))


def unless(formula, release):  # weak until
    return negation(both(negation(("until", formula, release)), negation(always(formula))))


def at_least(count):
    return TRUE if count == 0 else eventually(both(A, TRUE if count == 1 else following(at_least(count - 1))))


PRECEDENCE = unless(negation(B), both(A, negation(B)))
RESPONSE = always(implies(A, following(eventually(B))))
FORMULAS = {  # template: (it holds, it is activated)
    "existence": (at_least(2), eventually(A)),
    "absence": (negation(eventually(A)), eventually(A)),
    "at_most": (negation(at_least(3)), eventually(A)),
    "exactly": (both(at_least(2), negation(at_least(3))), eventually(A)),
    "init": (A, A),
    "last": (eventually(both(A, negation(following(TRUE)))), eventually(both(A, negation(following(TRUE))))),
    "precedence": (PRECEDENCE, eventually(B)),
    "response": (RESPONSE, eventually(A)),
    "succession": (both(PRECEDENCE, RESPONSE), negation(both(negation(eventually(A)), negation(eventually(B))))),
    "chain_precedence": (both(negation(B), always(implies(following(B), A))), eventually(B)),
    "chain_response": (always(implies(A, following(B))), eventually(A)),
    "alternate_precedence": (both(PRECEDENCE, always(implies(B, weakly_following(PRECEDENCE)))), eventually(B)),
    "not_coexistence": (
        negation(both(eventually(A), eventually(B))), negation(both(negation(eventually(A)), negation(eventually(B)))),
    ),
}  # fmt: skip
SAFETY = {"absence", "at_most", "init", "precedence", "chain_precedence", "alternate_precedence", "not_coexistence"}
COUNTED = {"existence", "at_most", "exactly"}


def holds(formula, trace, at=0):
    kind = formula[0]
    if kind == "true":
        return True
    if kind == "letter":
        return formula[1] in trace[at]
    if kind == "not":
        return not holds(formula[1], trace, at)
    if kind == "and":
        return all(holds(part, trace, at) for part in formula[1:])
    if kind == "next":
        return at + 1 < len(trace) and holds(formula[1], trace, at + 1)
    assert kind == "until"
    return any(
        holds(formula[2], trace, end) and all(holds(formula[1], trace, before) for before in range(at, end))
        for end in range(at, len(trace))
    )


def rule_of(template):
    first, second = ["a", "c"], ["b", "c"]  # c is both events of a pair
    if template in COUNTED:
        return {template: [first, 2]}
    return {template: first if template in ("absence", "init", "last") else [first, second]}


def book_of(**extra):
    document = ScenarioDocument.model_validate(
        {
            "worldwright": 1, "id": "traces", "title": "Traces",
            "world": {"now": "2026-03-02 09:00:00", "tables": {"t": {"rows": [{"id": 1}]}}},
            "tools": {name: {"summary": name} for name in "abcx"},
            "rules": {"process": {template: {**rule_of(template), **extra} for template in FORMULAS}},
        },
        strict=False,
    )  # fmt: skip
    return RuleBook(document, Schema({}, {}), lambda sql, *, role: [])


PLAIN, CORRELATED = book_of(), book_of(same="k")
CORRELATING = set(FORMULAS) - {"absence", "init", "last"}


def letters(tool):
    return {"a": "a", "b": "b", "c": "ab"}.get(tool, "")


def results_by_template(book, events):
    return {
        result.rule.partition(".")[2]: result for result in book.process_results(events, database=None, bindings={})
    }


tools = st.lists(st.sampled_from("abcx"), min_size=1, max_size=7)


def test_every_template_agrees_with_its_formula(actions):
    @given(tools)
    def check(trace):
        word = [letters(tool) for tool in trace]
        for template, result in results_by_template(PLAIN, actions(*trace)).items():
            formula, activation = FORMULAS[template]
            assert (not result.violations) == holds(formula, word), template
            assert result.activated == holds(activation, word), template

    check()


def test_with_same_a_template_holds_if_its_formula_holds_for_every_value(actions):
    @given(st.lists(st.tuples(st.sampled_from("abcx"), st.sampled_from([1, 2])), min_size=1, max_size=6))
    def check(trace):
        results = results_by_template(CORRELATED, actions(*(f"{tool} k={value}" for tool, value in trace)))
        for template in CORRELATING:
            formula, activation = FORMULAS[template]
            events = "a" if template in COUNTED else "ab"
            values = {value for tool, value in trace if set(letters(tool)) & set(events)}
            words = [[letters(tool) if value == own else "" for tool, value in trace] for own in values or {0}]
            assert (not results[template].violations) == all(holds(formula, word) for word in words), template
            assert results[template].activated == any(holds(activation, word) for word in words), template

    check()


def test_a_safety_rule_is_violated_at_the_first_action_after_which_its_formula_cannot_hold(actions):
    @given(tools)
    def check(trace):
        events = actions(*trace)
        at_once = {template: [] for template in FORMULAS}
        for end in range(1, len(events) + 1):
            for violation in PLAIN.judge_process(events[:end], bindings={}):
                at_once[violation.rule.partition(".")[2]].append(violation.step)
        for template in SAFETY:
            word = [letters(tool) for tool in trace]
            failing = [end for end in range(1, len(word) + 1) if not holds(FORMULAS[template][0], word[:end])]
            assert at_once[template][:1] == failing[:1], template

    check()


def test_what_is_judged_action_by_action_agrees_with_what_is_judged_at_the_end(actions):
    @given(st.lists(st.tuples(st.sampled_from(["a", "b", "c", "x !", "finish"]), st.sampled_from([1, 2])), max_size=8))
    def check(trace):
        events = actions(*(f"{tool} k={value}" for tool, value in trace))
        for book in (PLAIN, CORRELATED):
            at_once = [
                (violation.rule, violation.step)
                for end in range(1, len(events) + 1)
                for violation in book.judge_process(events[:end], bindings={})
            ]
            results = book.process_results(events, database=None, bindings={})
            at_end = {(violation.rule, violation.step) for result in results for violation in result.violations}
            assert set(at_once) <= at_end
            assert len(at_once) == len(set(at_once))
            safety = {f"process.{template}" for template in SAFETY}
            assert {item for item in at_end if item[0] in safety} <= set(at_once)

    check()
