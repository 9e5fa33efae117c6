"""A verification as a whole: the same for any number of processes, kept for the next time, written and read again."""

import json

import pytest

from simulator import EngineFault, ScenarioError, UsageError
from simulator.evaluation.verification import (
    Check,
    CheckResult,
    ResultCache,
    VerificationReport,
    verify_scenario,
)
from simulator.evaluation.verification.checks import CHECKS
from simulator.evaluation.verification.workshop import guarded

QUICK = tuple(check for check in CHECKS if check.id in ("solvable", "floor", "already_true", "determinism", "cost"))
SMALL = {"seeds": (1, 2), "tasks": 1, "checks": QUICK}


def weaken(document):
    document["tasks"]["route"]["checks"] = {"said": {"answer": {"pattern": "done"}}}


def test_a_report_is_equal_for_any_number_of_processes_and_survives_a_file(desk):
    scenario = desk(weaken)
    alone, together = (verify_scenario(scenario, workers=workers, **SMALL) for workers in (1, 2))
    assert alone.fingerprint == together.fingerprint
    assert alone.findings == together.findings
    assert not alone.passed
    assert "floor.anything" in {finding.check for finding in alone.findings}
    assert alone.tasks == {"route": 2, "count_urgent": 2}
    again = VerificationReport.from_json(json.loads(json.dumps(alone.to_json())))
    assert again == alone
    assert again.fingerprint == alone.fingerprint
    assert list(dict.fromkeys(check.id for check in QUICK)) == [outcome.id for outcome in alone.checks]
    severities = [finding.severity for finding in alone.findings]
    assert severities == sorted(severities, key=("blocking", "warning", "review").index)
    floor = next(outcome for outcome in alone.checks if outcome.id == "floor")
    assert (floor.passed, floor.places) == (False, 4)
    assert {tally.kind for tally in alone.tallies("floor", "route")} >= {"null", "answer_dump"}
    assert {seed for _, seed, figures in alone.figures("cost") if "rows" in figures} == {1, 2}


def test_only_what_has_changed_is_verified_again(desk, tmp_path):
    cache = ResultCache(tmp_path / "cache")

    def verify(change=lambda document: None):
        done = []
        report = verify_scenario(desk(change), cache=cache, done=lambda *told: done.append(told), **SMALL)
        return report, done[1:]  # the first tells of the worlds

    first, done = verify()
    assert done[0][0] == 0
    second, done = verify()
    assert (second.fingerprint, second.findings) == (first.fingerprint, first.findings)
    assert [told[0] == told[1] for told in done] == [True], "all was known"
    third, done = verify(weaken)
    assert {words for _, _, words in done[1:]} == {"route", "world 1", "world 2"}
    assert not third.passed
    known = [part for part in third.parts if part.template == "count_urgent"]
    assert known == [part for part in first.parts if part.template == "count_urgent"]


def test_a_damaged_cache_is_as_good_as_none(desk, tmp_path):
    cache = ResultCache(tmp_path / "cache")
    small = {**SMALL, "seeds": (1,)}
    first = verify_scenario(desk(), cache=cache, **small)
    damages = [b"", b"{", b"[]", b"\xff", b'{"findings": [1], "tallies": [], "figures": {}}', b"[" * 100_000]
    for number, file in enumerate(sorted((tmp_path / "cache").rglob("*.json"))):
        file.write_bytes(damages[number % len(damages)])
    assert verify_scenario(desk(), cache=cache, **small).fingerprint == first.fingerprint


def test_a_template_without_tasks_is_told(desk):
    def empty(document):
        document["tasks"]["route"]["draw"] += " and t.id < 0"

    report = verify_scenario(desk(empty), seeds=(1,), tasks=1, checks=QUICK)
    (finding,) = [finding for finding in report.findings if finding.check == "solvable.no_task"]
    assert (finding.severity, finding.about) == ("blocking", "tasks.route")


def test_a_scenario_without_tasks_does_not_pass(desk):
    report = verify_scenario(desk(lambda document: document.pop("tasks")), seeds=(1,), checks=QUICK)
    assert [(finding.check, finding.about) for finding in report.findings if finding.severity == "blocking"] == [
        ("solvable.no_task", "tasks")
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_world_that_cannot_be_made_is_told_with_its_problems(desk, workers):
    def crowd(document):
        columns = document["world"]["tables"]["ticket"]["columns"]
        columns["number"] = {"type": "integer", "unique": True, "choice": [1, 2, 3]}

    with pytest.raises(ScenarioError) as raised:
        verify_scenario(desk(crowd), seeds=(1,), workers=workers)
    assert all(problem.path.startswith("world.tables.ticket") for problem in raised.value.problems)


def test_a_fault_of_the_engine_is_a_finding_that_blocks():
    def fail(subject):
        raise EngineFault("the floor is lava")

    check = Check("floor", "…", "template", fail)
    (finding,) = guarded(check, "tasks.route", lambda: check.run(None)).findings
    assert (finding.check, finding.severity, finding.about) == ("engine.fault", "blocking", "tasks.route")
    assert "the floor is lava" in finding.message
    assert guarded(check, "", CheckResult) == CheckResult()


@pytest.mark.parametrize(
    "arguments", [{"seeds": ()}, {"seeds": (-1,)}, {"seeds": ("1",)}, {"tasks": 0}, {"tasks": 1.5}]
)
def test_what_cannot_be_asked_for_is_told(desk, arguments):
    with pytest.raises(UsageError):
        verify_scenario(desk(), **arguments)


@pytest.mark.parametrize("value", [{}, {"format": "worldwright-verification", "schema": 2}, {"format": 1}, []])
def test_json_that_is_no_report_is_told(value):
    with pytest.raises(UsageError):
        VerificationReport.from_json(value)


def test_a_whole_verification_makes_every_check(desk):
    report = verify_scenario(desk(), seeds=(1,), tasks=1)
    assert report.passed
    assert [outcome.id for outcome in report.checks] == list(dict.fromkeys(check.id for check in CHECKS))
