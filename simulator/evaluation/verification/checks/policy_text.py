"""The policy held against the rules: by the words they share, and by the numbers it names.

A reader decides what the findings mean; so they are for review.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from simulator.evaluation.verification.findings import Finding
from simulator.rules import describe
from simulator.scenario.models import ScenarioDocument

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11,
    "twelve": 12, "fourteen": 14, "thirty": 30,
}  # fmt: skip
_COMMON = frozenset(
    re.findall(
        r"\w+",
        """
        about after again alone also always another because been before being below between both called cannot could
        does each either every from have into more most must never none nothing only other over rather same shall
        should since some such than that their them then there these they this those unless until when where which
        while whose will with without would your
        """,
    )
)
_STEM = 5
_ENOUGH = 2
_NUMBER = re.compile(r"(?<![\w.#/-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w-])")
_ANY_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n\s*[-*|]\s*|\n\s*\d+\.\s+")
_CODE = re.compile(r"`([a-z][a-z0-9_]*)`")
_UNITS = (1, 60, 3_600, 86_400, 7, 24, 30, 0.01, 100)
"""What a number may have been multiplied by on its way from a sentence to SQL: hours, days, shares."""


def policy_findings(document: ScenarioDocument) -> Iterator[Finding]:
    """Rules that no sentence mentions, numbers that nothing holds, names that mean nothing."""
    sentences = [" ".join(text.split()) for text in _SENTENCE.split(document.policy) if text.strip()]
    yield from _untold_rules(document, sentences)
    yield from _lone_numbers(document, sentences)
    yield from _unknown_names(document)


def _untold_rules(document: ScenarioDocument, sentences: list[str]) -> Iterator[Finding]:
    told = [_stems(sentence) for sentence in sentences]
    rules = document.rules
    for kind, name, rule in (
        *(("state", name, rule) for name, rule in rules.state.items()),
        *(("change", name, rule) for name, rule in rules.change.items()),
        *(("process", name, rule) for name, rule in rules.process.items()),
    ):
        words = _stems(" ".join((name.replace("_", " "), rule.summary or describe(rule), rule.message or "")))
        enough = min(_ENOUGH, len(words))
        if not any(len(words & stems) >= enough for stems in told):
            message = "No sentence of the policy seems to speak of the rule, so agents cannot know it."
            advice = "Say it in the policy, in the words of the rule's summary."
            yield Finding("consistency.rule_not_in_policy", "review", f"rules.{kind}.{name}", message, advice)


def _stems(text: str) -> frozenset[str]:
    """The beginnings of the words that carry meaning."""
    words = re.findall(r"[a-z]{4,}", text.casefold())
    return frozenset(word[:_STEM] for word in words if word not in _COMMON)


def _lone_numbers(document: ScenarioDocument, sentences: list[str]) -> Iterator[Finding]:
    held = _held(document)
    for sentence in sentences:
        plain = _CODE.sub(" ", sentence)
        numbers = {text: float(text.replace(",", "")) for text in _NUMBER.findall(plain)}
        numbers |= {word: float(_WORDS[word]) for word in re.findall(r"[a-z]+", plain.casefold()) if word in _WORDS}
        for text, number in numbers.items():
            if number > 1 and not any(round(number * unit, 6) in held for unit in _UNITS):
                message = f"No rule, guard or other SQL holds the {text} of: {sentence[:200]!r}"
                advice = "Write the rule or guard, or set the number right in one of the two."
                yield Finding("consistency.policy_number", "review", "policy", message, advice)


def _held(document: ScenarioDocument) -> frozenset[float]:
    """Every number in what is enforced: rules, operations, lifecycles, timeline, views and checks."""
    world = document.world
    parts = [
        document.rules.model_dump(mode="json", exclude={"summary", "message"}),
        {name: tool.model_dump(mode="json", exclude={"summary", "page"}) for name, tool in document.tools.items()},
        {name: event.model_dump(mode="json") for name, event in world.timeline.items()},
        {name: view if isinstance(view, str) else view.sql for name, view in world.views.items()},
        {
            name: {check: item.passes for check, item in template.checks.items()}
            for name, template in document.tasks.items()
        },
    ]
    texts = json.dumps(_without_words(parts))
    numbers = {float(text) for text in _ANY_NUMBER.findall(texts)}
    for table in world.tables.values():  # limits by kind of customer and the like stand in rows
        rows = table.rows if isinstance(table.rows, list) else []
        numbers |= {
            float(value) for row in rows for value in row.values()
            if isinstance(value, int | float) and not isinstance(value, bool)
        }  # fmt: skip
    return frozenset(round(number, 6) for number in numbers)


def _without_words(value: object) -> object:
    """The value without what only people read."""
    if isinstance(value, dict):
        left_out = ("summary", "message", "description", "max_length", "min_length", "max_items", "status", "api")
        return {name: _without_words(item) for name, item in value.items() if name not in left_out}
    return [_without_words(item) for item in value] if isinstance(value, list) else value


def _unknown_names(document: ScenarioDocument) -> Iterator[Finding]:
    """Names in code marks that nothing in the scenario has."""
    everything = json.dumps(document.model_dump(mode="json", exclude={"policy"}))
    for name in dict.fromkeys(_CODE.findall(document.policy)):
        if not re.search(rf"\b{name}\b", everything) and name not in ("finish", "wait", "answer", "refusal", "null"):
            message = f"The policy names `{name}`, and there is no tool, table, column or value of that name."
            yield Finding("consistency.unknown_name", "review", "policy", message, "Use the name that there is.")
