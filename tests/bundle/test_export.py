"""What an export writes: the same bytes each time, everything listed, the agent's side apart from the grader's."""

import hashlib
import json
import stat
import zipfile
from dataclasses import replace

import pytest

from simulator import Environment, generate_world
from simulator.bundle import TARGETS, check_bundle, export_bundle, open_bundle, split_of_seed
from simulator.errors import UsageError
from simulator.evaluation.verification import CheckOutcome, CheckResult, Finding, Part, VerificationReport
from simulator.version import ENGINE_VERSION


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def lines(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_an_export_gives_the_same_bytes_again(desk, exported, tmp_path):
    again = export_bundle(desk, seeds=(20_000, 7, 10_000), targets=list(TARGETS), out=tmp_path / "b", unverified=True)
    assert again.archive.read_bytes() == exported.archive.read_bytes()
    assert files_of(again.folder) == files_of(exported.folder)
    assert again.sha256 == hashlib.sha256(again.archive.read_bytes()).hexdigest()


def test_the_zip_file_holds_the_folder_with_nothing_of_the_machine(exported):
    with zipfile.ZipFile(exported.archive) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files_of(exported.folder)
        assert archive.namelist() == sorted(archive.namelist())
        for entry in archive.infolist():
            assert entry.date_time == (1980, 1, 1, 0, 0, 0)
            assert entry.external_attr >> 16 == stat.S_IFREG | 0o644
            assert entry.compress_type == zipfile.ZIP_STORED


def test_the_manifest_lists_every_file_with_size_and_digest(exported):
    manifest = json.loads((exported.folder / "MANIFEST.json").read_text())
    files = files_of(exported.folder)
    del files["MANIFEST.json"]
    assert manifest["files"] == {
        name: {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()} for name, content in files.items()
    }
    assert manifest["unverified"] is True
    assert manifest["verification"] is None
    assert manifest["reward_range"] == [-1.0, 1.0]
    assert manifest["engine"] == {
        "version": ENGINE_VERSION,
        "requires_python": ">=3.11",
        "wheel": f"engine/worldwright-{ENGINE_VERSION}-py3-none-any.whl",
        "requirements": "engine/requirements.lock",
    }
    assert [target["name"] for target in manifest["targets"]] == list(TARGETS)
    assert manifest["licence"] == {"engine": "Apache-2.0", "scenario": "not stated"}
    assert "get_ticket" in manifest["tools"]


def test_the_scenarios_digest_is_that_of_its_one_document(desk, exported):
    content = (exported.folder / "grader/scenario.json").read_bytes()
    assert desk.digest == "sha256:" + hashlib.sha256(content).hexdigest()


@pytest.mark.parametrize(
    ("seed", "split"),
    [
        (0, "train"),
        (9_999, "train"),
        (10_000, "validation"),
        (19_999, "validation"),
        (20_000, "test"),
        (10**12, "test"),
    ],
)
def test_the_range_of_a_seed_decides_its_split(seed, split):
    assert split_of_seed(seed) == split


def test_a_world_gives_only_the_tasks_of_its_own_split(desk, exported):
    for seed in (7, 10_000, 20_000):
        split = split_of_seed(seed)
        told = lines(exported.folder, f"agent/tasks/{split}.jsonl")
        assert [task["id"] for task in told] == [task.id for task in generate_world(desk, seed).tasks(split)]
        assert {task["split"] for task in told} == {split}
        assert set(told[0]) == {"id", "template", "instruction", "split", "difficulty", "role"}


def test_nothing_on_the_agents_side_holds_what_only_the_grader_may_know(desk, exported):
    others = ("grader/", "engine/", "README")
    agents = b"\n".join(
        content for name, content in files_of(exported.folder).items() if not name.startswith(others)
    ).decode()
    hidden = ["zq7919hidden", "hidden_margin", "solutions", "before.", "urgency_kept", "passes", "same_as_solution"]
    marks = [task["parameters"]["mark"] for task in lines(exported.folder, "grader/tasks/train.jsonl")
             if "/reroute/" in task["id"]]  # fmt: skip
    assert marks
    queries = [check.passes for template in desk.document.tasks.values() for check in template.checks.values()]
    assert not [text for text in (*hidden, *marks, *filter(None, queries)) if text in agents]


def test_the_graders_side_holds_parameters_checks_and_solutions(exported):
    tasks = lines(exported.folder, "grader/tasks/train.jsonl")
    reroute = next(task for task in tasks if "/reroute/" in task["id"])
    assert reroute["parameters"]["hidden_margin"]
    assert set(reroute["checks"]) == {"routed", "urgency_kept"}
    assert [step["tool"] for step in reroute["solutions"][0]] == ["get_ticket", "assign_ticket", "finish"]


@pytest.mark.parametrize("frozen", [True, False])
def test_a_bundle_opens_as_the_same_worlds_from_folder_and_zip(desk, tmp_path, frozen):
    report = export_bundle(desk, seeds=[7], targets=[], out=tmp_path / "b", frozen=frozen, unverified=True)
    assert (tmp_path / "b/grader/worlds").exists() == frozen
    for place in (report.folder, report.archive):
        assert check_bundle(place) == []
        bundle = open_bundle(place)
        assert bundle.scenario == desk
        assert bundle.world(7).digest == generate_world(desk, 7).digest
        task = bundle.tasks("train")[0]
        environment = Environment(bundle.world_of(task["id"]))
        assert environment.reset(task=task["id"])[0]["instruction"] == task["instruction"]


def report_of(scenario, *findings):
    outcome = CheckOutcome("oracle", "Solutions pass", 3, {"blocking": len(findings)} if findings else {})
    part = Part("oracle", None, None, CheckResult(findings=tuple(findings)))
    document = scenario.document
    return VerificationReport(
        scenario=document.id, version=document.version, title=document.title, digest=scenario.digest,
        engine=ENGINE_VERSION, seeds=(1, 2), asked=5, tasks={"close": 9}, checks=(outcome,), parts=(part,),
    )  # fmt: skip


def test_a_verification_that_passed_stands_in_the_manifest(desk, tmp_path):
    report = report_of(desk)
    written = export_bundle(desk, seeds=[7], targets=[], out=tmp_path / "b", frozen=False, verification=report)
    manifest = json.loads((written.folder / "MANIFEST.json").read_text())
    assert manifest["unverified"] is False
    assert manifest["verification"]["fingerprint"] == report.fingerprint
    assert manifest["verification"]["tasks"] == 9
    assert check_bundle(written.archive) == []


def test_only_a_verification_of_this_scenario_by_this_engine_that_passed_counts(desk, tmp_path):
    finding = Finding("oracle", "blocking", "tasks.close", "It fails.", "Mend it.")
    refused = {
        "not verified": {},
        "not both": {"verification": report_of(desk), "unverified": True},
        "digest": {"verification": replace(report_of(desk), digest="sha256:" + "0" * 64)},
        "engine": {"verification": replace(report_of(desk), engine="0.0.9")},
        "not passed": {"verification": report_of(desk, finding)},
    }
    for words, options in refused.items():
        with pytest.raises(UsageError, match=words):
            export_bundle(desk, seeds=[7], targets=[], out=tmp_path / "b", **options)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_exported_is_told_before_anything_is_written(desk, tmp_path):
    (tmp_path / "there.zip").touch()
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    refused = {
        "at least one seed": {"seeds": []},
        "twice": {"seeds": [7, 7]},
        "no target 'gym'": {"targets": ["gym"]},
        "there already": {"out": tmp_path / "there"},
        "not an empty folder": {"out": tmp_path / "full"},
        "whole number": {"seeds": [-1]},
    }
    for words, options in refused.items():
        given = {"seeds": [7], "targets": [], "out": tmp_path / "b", **options}
        with pytest.raises(UsageError, match=words):
            export_bundle(desk, **given, unverified=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "there.zip"]
