"""The command: ``python -m simulator.bundle.trajectory_logs FOLDER --format inspect --out DIR``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from simulator.bundle.datasets import read_attempts
from simulator.bundle.trajectory_logs.writing import LOG_FORMATS, write_logs
from simulator.errors import WorldwrightError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with ``arguments`` (those of the process); the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m simulator.bundle.trajectory_logs", description="Write trajectories as logs of other tools."
    )
    parser.add_argument("folder", type=Path, help="the folder of trajectories that `play --out` wrote")
    parser.add_argument("--format", choices=LOG_FORMATS, default="inspect")
    parser.add_argument("--out", type=Path, required=True, help="the folder to make")
    options = parser.parse_args(arguments)
    try:
        attempts = read_attempts(options.folder)
        written = write_logs(attempts.scored, options.out, options.format)
    except WorldwrightError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    for name in written:
        sys.stdout.write(f"{options.out / name}\n")
    for reason, number in sorted(attempts.left_out.items()):
        sys.stderr.write(f"left out, {reason}: {number:,}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
