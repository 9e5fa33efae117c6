"""Random ledgers, and short ways to write one down."""

from hypothesis import strategies as st

from simulator.reward import FailedAction, Ledger, SolutionTrace
from simulator.rules import ProcessResult, Violation
from simulator.scenario.models import Reward
from simulator.tasks import CheckResult, Damage

RULES = ("process.look_first", "process.ask_once", "process.tell_after")
WEIGHTS = (0.5, 1.0, 2.0, 3.0)
ENDINGS = ("running", "finished", "ended", "stopped", "truncated")
KINDS = ("guard", "rule_denied", "bad_arguments", "malformed", "fault", "limit", "sql_unsupported", "episode_over")


def check(name="routed", passed=True, *, keeps=False, required=True, weight=1.0, form="passes"):
    return CheckResult(name, passed, keeps, required, weight, "", "", form)


def violation(rule="state.closed_has_resolution", severity="major", *, step=1, row='["ticket",[1]]'):
    return Violation(rule, severity, step, row, "no", deny=False, tell=False, sentence=f"{rule} at {row}")


def process(rule=RULES[0], *, activated=True, broken_at=(), severity=None):
    broken = tuple(violation(rule, severity, step=step, row=str(step)) for step in broken_at)
    return ProcessResult(rule, activated, broken)


def damage(key=1, *, step=None):
    return Damage("ticket", (key,), "update", ("status",), f"ticket {key}: status from open to closed", step)


def failed(kind="guard", step=1):
    return FailedAction(step, "assign_ticket", kind, "not_open")


def reward(**parts):
    return Reward.model_validate(parts)


steps = st.integers(1, 30)
severities = st.sampled_from((None, "minor", "major", "critical"))


@st.composite
def checks(draw):
    passed = st.booleans() | st.just(True)
    count = draw(st.integers(1, 4))
    return tuple(
        check(
            f"check_{number}",
            draw(passed),
            keeps=draw(st.booleans()) and number > 0,
            weight=draw(st.sampled_from(WEIGHTS)),
        )
        for number in range(count)
    )


@st.composite
def process_results(draw):
    return tuple(
        process(
            rule,
            activated=draw(st.booleans()),
            broken_at=draw(st.lists(steps, max_size=2, unique=True)),
            severity=draw(severities),
        )
        for rule in RULES
    )


@st.composite
def ledgers(draw):
    """Any ledger whose earning checks are all required."""
    limit = draw(steps)
    activates = st.frozensets(st.sampled_from(RULES))
    violations = st.builds(
        violation,
        st.sampled_from(("state.one", "change.two", "lifecycle.ticket")),
        severities,
        step=steps,
        row=st.sampled_from(tuple("abcdef")),
    )
    return Ledger(
        ending=draw(st.sampled_from(ENDINGS) | st.just("finished")),
        steps=draw(st.integers(0, limit)),
        limit=limit,
        checks=draw(checks()),
        allowance=draw(st.sampled_from((0, 0, 2))),
        solutions=tuple(draw(st.lists(st.builds(SolutionTrace, steps, activates), max_size=3))),
        process=draw(st.just(()) | process_results()),
        violations=tuple(draw(st.lists(violations, max_size=8))),
        damages=tuple(draw(st.just([]) | st.lists(st.integers(1, 9).map(damage), max_size=5))),
        failed_actions=tuple(draw(st.lists(st.builds(failed, st.sampled_from(KINDS), steps), max_size=12))),
    )


@st.composite
def rewards(draw):
    """Any legal reward, some of whose weights break the promise."""
    share = st.floats(0, 3, allow_nan=False).map(lambda number: round(number, 3))
    price = st.floats(0, 2, allow_nan=False).map(lambda number: round(number, 3))
    names = ("minor", "major", "critical", "collateral", "failed_action")
    return reward(
        weights={"completion": draw(share) + 0.001, "process": draw(share), "efficiency": draw(share)},
        penalties={name: draw(price) for name in names},
    )
