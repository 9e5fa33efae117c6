"""The Declare templates as pure functions over a sequence of actions.

The semantics are those of Pesic and van der Aalst, "A Declarative Approach for Flexible Business Processes Management"
(2006), on finite traces; activation is that of Di Ciccio, Maggi, Montali and Mendling, "On the relevance of a business
constraint to an event log" (2018): a rule that was never activated holds vacuously and says nothing about the agent.

A Declare event is one activity, here an action may be both events of a pair (`[{reads: ticket}, {writes: ticket}]`).
Before and after are therefore strict: an action neither precedes nor answers itself.

Each function gets the :class:`Trace` of one correlation group and returns a :class:`Judgement`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    """An action that is one of a rule's events.

    ``position`` is its index in the sequence of actions that count for the rule, ``step`` its number in the episode and
    ``seconds`` the world's time. ``first`` and ``second`` say which events of the pair it is; a template with one event
    has only ``first``.
    """

    position: int
    step: int
    seconds: int
    first: bool
    second: bool


@dataclass(frozen=True, slots=True)
class Trace:
    """The moments of one group in order, and the rule's numbers.

    ``length`` is how many actions count for the rule, matched or not. ``count`` is the `n` of `at_most`, `exactly` and
    `existence`. ``near`` says whether two moments are within the rule's `within`.
    """

    moments: Sequence[Moment]
    length: int
    count: int
    near: Callable[[Moment, Moment], bool]


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a rule fared. Positions index the sequence of actions that count.

    ``activated``: it had something to say. ``broken``: positions of the actions that broke it for good, whatever comes
    later. ``unmet``: positions of the actions that still wait for what they demand, -1 where the trace as a whole lacks
    something; at the end of an episode these are violations, earlier they are not.
    """

    activated: bool
    broken: tuple[int, ...] = ()
    unmet: tuple[int, ...] = ()


WHOLE_TRACE = -1
"""In :attr:`Judgement.unmet`: no action is to blame, something never happened."""


def existence(trace: Trace) -> Judgement:
    """`a` happens at least n times. Activated by an `a`."""
    found = sum(moment.first for moment in trace.moments)
    return Judgement(found > 0, unmet=(WHOLE_TRACE,) if found < trace.count else ())


def absence(trace: Trace) -> Judgement:
    """`a` never happens; each one breaks it. Activated by an `a`, so only ever when it is broken."""
    broken = tuple(moment.position for moment in trace.moments if moment.first)
    return Judgement(bool(broken), broken)


def at_most(trace: Trace) -> Judgement:
    """`a` happens at most n times; each one beyond breaks it. Activated by an `a`."""
    found = tuple(moment.position for moment in trace.moments if moment.first)
    return Judgement(bool(found), found[trace.count :])


def exactly(trace: Trace) -> Judgement:
    """`a` happens exactly n times; each one beyond breaks it. Activated by an `a`."""
    found = tuple(moment.position for moment in trace.moments if moment.first)
    return Judgement(bool(found), found[trace.count :], (WHOLE_TRACE,) if len(found) < trace.count else ())


def init(trace: Trace) -> Judgement:
    """The first action is an `a`; another first action breaks it. Activated when it is one. An empty trace has none."""
    begins = any(moment.first and moment.position == 0 for moment in trace.moments)
    return Judgement(begins, () if begins or not trace.length else (0,))


def last(trace: Trace) -> Judgement:
    """The last action is an `a`. Activated when it is one. An empty trace has none."""
    end = trace.length - 1
    ends = any(moment.first and moment.position == end for moment in trace.moments)
    return Judgement(ends, unmet=() if ends or not trace.length else (end,))


def precedence(trace: Trace) -> Judgement:
    """Before each `b` there was an `a`; a `b` without one breaks it. Activated by a `b`."""
    broken = []
    latest: Moment | None = None
    for moment in trace.moments:
        if moment.second and (latest is None or not trace.near(latest, moment)):
            broken.append(moment.position)
        if moment.first:
            latest = moment
    return Judgement(any(moment.second for moment in trace.moments), tuple(broken))


def response(trace: Trace) -> Judgement:
    """After each `a` there comes a `b`; one `b` may answer many. Activated by an `a`."""
    unmet = []
    following: Moment | None = None
    for moment in reversed(trace.moments):
        if moment.first and (following is None or not trace.near(moment, following)):
            unmet.append(moment.position)
        if moment.second:
            following = moment
    return Judgement(any(moment.first for moment in trace.moments), unmet=tuple(reversed(unmet)))


def succession(trace: Trace) -> Judgement:
    """Precedence and response together. Activated by an `a` or a `b`."""
    before, after = precedence(trace), response(trace)
    return Judgement(before.activated or after.activated, before.broken, after.unmet)


def chain_precedence(trace: Trace) -> Judgement:
    """Directly before each `b` stands an `a`; a `b` without one breaks it. Activated by a `b`."""
    at = {moment.position: moment for moment in trace.moments}
    targets = [moment for moment in trace.moments if moment.second]
    broken = tuple(
        moment.position for moment in targets
        if (previous := at.get(moment.position - 1)) is None or not previous.first or not trace.near(previous, moment)
    )  # fmt: skip
    return Judgement(bool(targets), broken)


def chain_response(trace: Trace) -> Judgement:
    """Directly after each `a` stands a `b`; the action that stands there instead breaks it. Activated by an `a`."""
    at = {moment.position: moment for moment in trace.moments}
    broken, unmet = [], []
    sources = [moment for moment in trace.moments if moment.first]
    for moment in sources:
        following = at.get(moment.position + 1)
        if moment.position + 1 == trace.length:
            unmet.append(moment.position)
        elif following is None or not following.second or not trace.near(moment, following):
            broken.append(moment.position + 1)
    return Judgement(bool(sources), tuple(broken), tuple(unmet))


def alternate_precedence(trace: Trace) -> Judgement:
    """Between each `b` and the one before it (or the start) there was an `a`; a `b` without breaks it.

    Activated by a `b`. Two `a` do not save up for two `b`.
    """
    broken = []
    since: Moment | None = None
    for moment in trace.moments:
        if moment.second:
            if since is None or not trace.near(since, moment):
                broken.append(moment.position)
            since = None
        elif moment.first:
            since = moment
    return Judgement(any(moment.second for moment in trace.moments), tuple(broken))


def not_coexistence(trace: Trace) -> Judgement:
    """`a` and `b` do not both happen; each action that follows one of the other kind breaks it. Activated by either."""
    broken = []
    latest_first: Moment | None = None
    latest_second: Moment | None = None
    for moment in trace.moments:
        if moment.first:
            latest_first = moment
        if moment.second:
            latest_second = moment
        others = [latest_second] if moment.first else []
        others += [latest_first] if moment.second else []
        if any(other is not None and trace.near(other, moment) for other in others):
            broken.append(moment.position)
    return Judgement(bool(trace.moments), tuple(broken))


TEMPLATES: Mapping[str, Callable[[Trace], Judgement]] = {
    "existence": existence,
    "absence": absence,
    "at_most": at_most,
    "exactly": exactly,
    "init": init,
    "last": last,
    "precedence": precedence,
    "response": response,
    "succession": succession,
    "chain_precedence": chain_precedence,
    "chain_response": chain_response,
    "alternate_precedence": alternate_precedence,
    "not_coexistence": not_coexistence,
}
"""Every template but `never`, which is SQL."""

PAIRS = frozenset({
    "precedence", "response", "succession", "chain_precedence", "chain_response", "alternate_precedence",
    "not_coexistence",
})  # fmt: skip
"""Templates of two events."""

LOOK_PAST_FINISH = frozenset({"init", "last", "chain_precedence", "chain_response"})
"""Templates about neighbours, for which `finish` is no action."""

ONLY_AT_THE_END = frozenset({"existence", "last", "response"})
"""Templates no single action can break, so that there is nothing to deny."""
