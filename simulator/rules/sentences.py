"""Rules and their violations as English sentences, for reports, documentation and agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from simulator.rules.events import ActionEvent
from simulator.rules.matching import ROW_KEY
from simulator.scenario.models import ChangeRule, Lifecycle, ProcessRule, Rule, StateRule
from simulator.scenario.models.rules import Event, ReadsEvent, WritesEvent
from simulator.tools.messages import MessageTemplate, shown
from simulator.tools.verdicts import echo

_LONGEST_SQL = 200


@dataclass(frozen=True, slots=True)
class RuleWords:
    """What is said of a rule: ``title`` is the author's summary, or the rule described; ``told`` is for agents."""

    title: str
    told: MessageTemplate | str

    @classmethod
    def of(cls, name: str, rule: Rule) -> RuleWords:
        """The words of the rule called ``name``.

        Without a message or summary an agent is told the rule's name only: the rule described would name tools, tables
        and SQL that the agent may know nothing of.
        """
        title = _full_stop(rule.summary.strip() or describe(rule))
        if rule.message is not None:
            return cls(title, MessageTemplate.parse(rule.message))
        return cls(title, title if rule.summary.strip() else f"That is against the rule `{name}`.")

    def message(self, values: Mapping[str, object]) -> str:
        """What an agent is told: the rule's message with values in place, else the rule."""
        return self.told if isinstance(self.told, str) else self.told.fill(values)

    def sentence(self, where: str) -> str:
        """What an author reads: the title, and where it was not kept."""
        return f"{self.title} Not kept: {where}."


def describe(rule: Rule) -> str:
    """The rule itself in one sentence, from its parts: "Before `a`, `b` must have been called with the same `id`."."""
    if isinstance(rule, ProcessRule):
        return _process(rule)
    if isinstance(rule, ChangeRule):
        return f"{_trigger(rule)}, this must hold: {_sql(rule.require)}."
    if isinstance(rule, StateRule):
        return f"No row may ever be returned by: {_sql(rule.never)}."
    raise TypeError(f"{type(rule).__name__} is no kind of rule")


def describe_lifecycle(table: str, lifecycle: Lifecycle) -> str:
    """A state machine in one sentence."""
    steps = []
    for state in lifecycle.states():
        following = next_states(lifecycle, state)
        if following:
            steps.append(f"from `{state}` to {either(following)}")
    return f"A {table} begins as `{lifecycle.start}` and goes only {'; '.join(steps)}."


def next_states(lifecycle: Lifecycle, state: str | None) -> list[str]:
    """The states that may follow ``state``, in the order of the lifecycle."""
    pairs = lifecycle.transitions()
    return [f"`{target}`" for target in lifecycle.states() if (state, target) in pairs]


def call_words(event: ActionEvent) -> str:
    """An action as an author reads it: ``assign_ticket(ticket_id=3)``."""
    arguments = ", ".join(f"{name}={shown(value)}" for name, value in event.arguments.items())
    words = echo(f"{event.tool}({arguments})") if event.tool else "an action that was no tool call"
    return words if event.happened else f"{words}, which failed"


def row_words(values: Mapping[str, object]) -> str:
    """A row as an author reads it: ``id 3, status open``."""
    return "a row with " + echo(", ".join(f"{name} {shown(value)}" for name, value in values.items()))


def either(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _process(rule: ProcessRule) -> str:
    template = rule.template
    given = getattr(rule, template)
    if template == "never":
        return f"No row may ever be returned over the actions by: {_sql(rule.never or '')}."
    if template in _PAIR_SENTENCES:
        words = {
            "a": _noun(given[0]), "a_done": _done(given[0], "must have been"), "a_due": _done(given[0], "must be"),
            "b": _noun(given[1]), "b_due": _done(given[1], "must be"),
            "alike": _alike(rule) + _within(rule),
        }  # fmt: skip
        return _PAIR_SENTENCES[template].format(**words) + _which(rule)
    event, count = given if isinstance(given, tuple) else (given, 1)
    times = "once" if count == 1 else f"{count} times"
    sentence = {
        "existence": _done(event, "must be") + (f" at least {times}" if count != 1 else ""),
        "absence": _done(event, "must not be"),
        "at_most": _done(event, "may be") + f" at most {times}",
        "exactly": _done(event, "must be") + f" exactly {times}",
        "init": f"the first action must be {_noun(event)}",
        "last": f"the last action before `finish` must be {_noun(event)}",
    }[template]
    alike = _alike(rule) if template in ("existence", "at_most", "exactly") else ""
    return _capital(sentence) + alike + "." + _which(rule)


_PAIR_SENTENCES = {
    "precedence": "Before {b}, {a_done}{alike}.",
    "response": "After {a}, {b_due}{alike}.",
    "succession": "Before {b}, {a_done}{alike}, and after {a}, {b_due}.",
    "chain_precedence": "Directly before {b}, {a_done}{alike}.",
    "chain_response": "Directly after {a}, {b_due}{alike}.",
    "alternate_precedence": "Before each {b}, {a_done}{alike}, anew each time.",
    "not_coexistence": "One episode must not have both {a} and {b}{alike}.",
}


def _members(event: Event) -> Sequence[str | ReadsEvent | WritesEvent]:
    return event if isinstance(event, list) else [event]


def _noun(event: Event) -> str:
    """An event as a thing: ``get_ticket``, ``a read of ticket``, ``a change of ticket.status``."""
    return either([
        f"a read of `{member.reads}`" if isinstance(member, ReadsEvent)
        else f"a change of `{member.writes}`" if isinstance(member, WritesEvent)
        else f"`{member}`"
        for member in _members(event)
    ])  # fmt: skip


def _done(event: Event, verb: str) -> str:
    """An event as a demand: ``get_ticket must be called``, ``ticket must be read or customer must be changed``."""
    subjects: dict[str, list[str]] = {}
    for member in _members(event):
        if isinstance(member, ReadsEvent):
            subjects.setdefault("read", []).append(f"`{member.reads}`")
        elif isinstance(member, WritesEvent):
            subjects.setdefault("changed", []).append(f"`{member.writes}`")
        else:
            subjects.setdefault("called", []).append(f"`{member}`")
    return " or ".join(f"{either(names)} {verb} {participle}" for participle, names in subjects.items())


def _alike(rule: ProcessRule) -> str:
    same = rule.same
    if same is None:
        return ""
    if isinstance(same, str):
        return " for the same row" if same == ROW_KEY else f" with the same `{same}`"
    parts = [
        f"the key of the row that `{name}` changed" if argument == ROW_KEY else f"`{name}.{argument}`"
        for name, argument in same.items()
    ]
    return " with equal " + (parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1])


def _within(rule: ProcessRule) -> str:
    if rule.within is None:
        return ""
    if isinstance(rule.within, str):
        return f" within {rule.within}"
    return f" within {rule.within} step" + ("" if rule.within == 1 else "s")


def _which(rule: ProcessRule) -> str:
    """Which calls count, as sentences of their own."""
    words = {"ok": "", "error": " Only failed calls count.", "any": " Failed calls count, too."}[rule.outcome]
    if isinstance(rule.where, str):
        words += f" Only where {_sql(rule.where)}."
    elif rule.where is not None:
        conditions = [f"{_sql(condition)} (`{tool}`)" for tool, condition in rule.where.items()]
        words += f" Only where {'; '.join(conditions)}."
    return words


def _trigger(rule: ChangeRule) -> str:
    what = {"insert": "a new row of `{}` appears", "update": "`{}` changes", "delete": "a row of `{}` is deleted"}
    name = rule.when.table if rule.when.column is None else f"{rule.when.table}.{rule.when.column}"
    return "When " + what[rule.when.verb].format(name)


def _sql(text: str) -> str:
    words = " ".join(text.split())
    return f"`{words if len(words) <= _LONGEST_SQL else words[: _LONGEST_SQL - 1] + '…'}`"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _full_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else text + "."
