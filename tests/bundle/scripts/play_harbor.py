"""Run where Harbor is: lint task folders, and run its oracle, its nop and recorded agents on them. Speaks JSON."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

HARBOR = [sys.executable, "-c", "from harbor.cli.main import app; app()"]


def lint(folders):
    """What Harbor finds; without the Compose plugin, which its rules for Compose files need, without these."""
    compose = subprocess.run(["docker", "compose", "version"], capture_output=True, check=False).returncode == 0
    with tempfile.TemporaryDirectory() as place:
        copies = [Path(shutil.copytree(folder, Path(place) / Path(folder).name)) for folder in folders]
        for copy in [] if compose else copies:
            (copy / "environment" / "docker-compose.yaml").unlink()
        done = subprocess.run([*HARBOR, "lint", "--json", *copies], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return json.loads(done.stdout)


def run(folders, place, agent, recorded=None):
    """For each task what Harbor keeps of the trial: rewards, the error if there is one, what the world told."""
    tasks = place / "tasks"
    for folder in folders:
        shutil.copytree(folder, tasks / Path(folder).name)
    variables = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "HARBOR_TELEMETRY": "off"}
    if recorded is not None:
        (place / "recorded.json").write_text(json.dumps(recorded))
        variables["RECORDED"] = str(place / "recorded.json")
    command = [
        *HARBOR,
        "run",
        "-p",
        tasks,
        "-a",
        agent,
        "-e",
        "harbor_without_docker:Environment",
        "-o",
        place / "jobs",
    ]
    done = subprocess.run(
        [*command, "-n", "2", "--yes", "--job-name", "job"], env=variables, capture_output=True, text=True, check=False
    )
    trials = {}
    for file in (place / "jobs" / "job").glob("*/result.json"):
        result = json.loads(file.read_text())
        rewards = (result.get("verifier_result") or {}).get("rewards")
        kept = {item.name: item for item in (file.parent / "artifacts").rglob("*") if item.is_file()}
        outcome = json.loads(kept["outcome.json"].read_text()) if "outcome.json" in kept else None
        told = file.parent / "agent" / "told.txt"
        trials[Path(result["task_id"]["path"]).name] = {
            "rewards": rewards,
            "error": result.get("exception_info"),
            "outcome": outcome,
            "kept": sorted(kept),
            "told": told.read_text() if told.is_file() else "",
        }
    assert len(trials) == len(folders), done.stdout[-3_000:] + done.stderr[-3_000:]
    return trials


def main():
    asked = json.load(sys.stdin)
    os.environ["BUNDLE"] = asked["bundle"]
    folders = asked["folders"]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        answer = {
            "version": version("harbor"),
            "lint": lint(folders),
            "oracle": run(folders, place / "oracle", "oracle"),
            "nop": run(folders[:2], place / "nop", "nop"),
            "recorded": {},
        }
        for name, recorded in asked["recorded"].items():
            chosen = [item for item in folders if Path(item).name in recorded]
            answer["recorded"][name] = run(
                chosen, place / f"recorded-{name}", "harbor_without_docker:Recorded", recorded
            )
    sys.stdout.write("\n" + json.dumps(answer))


if __name__ == "__main__":
    main()
