"""``serve``: a bundle, or a scenario, over HTTP."""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from pathlib import Path

from simulator.bundle import export_bundle
from simulator.bundle.layout import MANIFEST
from simulator.cli.bundles import seeds_in
from simulator.cli.failures import UnusableFile
from simulator.cli.opening import open_scenario
from simulator.cli.options import DEFAULT_SEED
from simulator.cli.terminal import progress, remark, show, show_json
from simulator.errors import ScenarioError, UsageError

KEY = "WORLDWRIGHT_SERVER_KEY"
_SHORTEST_KEY = 16


def serve(
    given: str,
    *,
    host: str,
    port: int,
    workers: int | None,
    seeds: str | None,
    most_episodes: int,
    longest_idle: float,
    longest_age: float,
    as_json: bool,
) -> None:
    """Serve until told to stop. Raises UsageError for a key that is too short, or without what serving needs."""
    try:
        from simulator.serve import Settings
        from simulator.serve import serve as run
    except ModuleNotFoundError as error:
        raise UsageError(f"Serving needs {error.name}: pip install 'worldwright[serve]'.") from None
    key, made = _key()
    numbers = () if seeds is None else tuple(seeds_in(seeds))
    # One core is the front's, where there is more than one.
    processes = workers if workers is not None else max(1, (os.cpu_count() or 1) - 1)

    def announce(address: str) -> None:
        if as_json:
            show_json({"url": address, "pid": os.getpid(), "workers": processes, **({"key": key} if made else {})})
        else:
            show(f"serving at {address}")
            if made:
                show(f"server key: {key}")
            remark(f"{processes} worker processes are getting ready: /readyz tells when. Ctrl-C or SIGTERM stops.")
        sys.stdout.flush()

    with tempfile.TemporaryDirectory(prefix="worldwright-serve-") as folder:
        bundle, served = _bundle(given, numbers, Path(folder))
        run(
            Settings(
                bundle=str(bundle),
                key=key,
                seeds=served,
                host=host,
                port=port,
                workers=processes,
                most_episodes=most_episodes,
                longest_idle=longest_idle,
                longest_age=longest_age,
            ),
            announce,
        )


def _bundle(given: str, seeds: tuple[int, ...], folder: Path) -> tuple[Path, tuple[int, ...]]:
    """The bundle that was named, or one made of the scenario that was; and the seeds whose worlds are served."""
    path = Path(given)
    if (path / MANIFEST).is_file() or (path.is_file() and path.suffix == ".zip"):
        return path.resolve(), seeds
    scenario = open_scenario(given)
    try:
        with progress("Making worlds"):
            written = export_bundle(
                scenario, seeds=seeds or (DEFAULT_SEED,), targets=(), out=folder / "bundle", unverified=True
            )
    except ScenarioError as error:
        raise UnusableFile(error, scenario.source or Path()) from error
    return written.folder, ()


def _key() -> tuple[str, bool]:
    """The server's key, and whether it was made now: from the environment, where no list of processes shows it."""
    key = os.environ.get(KEY)
    if key is None:
        return secrets.token_urlsafe(24), True
    if len(key) < _SHORTEST_KEY:
        raise UsageError(f"{KEY} has fewer than {_SHORTEST_KEY} characters; choose a long random one.")
    return key, False
