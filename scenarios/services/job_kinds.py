"""What each kind of job needs before it runs and keeps after. Storage is written before the job's row is."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from scenarios.models import Export, Job, StoredFile, Verification, World
from scenarios.services.stored_files import keep_file, open_local

Commit = Callable[[], None]


class JobKind(NamedTuple):
    """``source`` gives the files by path, ``prepare`` adds to the folder, ``keep`` stores what was made and gives what
    the transaction that ends the job has to write.
    """  # fmt: skip

    source: Callable[[Job], Mapping[str, str]]
    prepare: Callable[[Job, Path], None]
    keep: Callable[[Job, Path, Mapping[str, Any]], Commit]


def _nothing(job: Job, folder: Path) -> None:
    return


def _keep_world(job: Job, folder: Path, result: Mapping[str, Any]) -> Commit:
    file = keep_file(workspace=job.workspace, path=folder / "out" / "world.sqlite", kind=StoredFile.Kind.WORLD)
    return lambda: _update(job.worlds.all(), file=file, rows=result["rows"], tables=result["tables"])


def _keep_verification(job: Job, folder: Path, result: Mapping[str, Any]) -> Commit:
    report, page = (
        keep_file(workspace=job.workspace, path=folder / "out" / name, kind=StoredFile.Kind.REPORT)
        for name in ("report.json", "report.html")
    )
    return lambda: _update(
        job.verifications.all(), report=report, page=page, passed=result["passed"], summary=dict(result)
    )


def _prepare_export(job: Job, folder: Path) -> None:
    export = job.exports.select_related("verification__report").get()
    if export.verification is not None and export.verification.report is not None:
        with open_local(export.verification.report) as path:
            shutil.copyfile(path, folder / "report.json")


def _keep_export(job: Job, folder: Path, result: Mapping[str, Any]) -> Commit:
    file = keep_file(workspace=job.workspace, path=folder / "out" / "bundle.zip", kind=StoredFile.Kind.BUNDLE)
    return lambda: _update(job.exports.all(), file=file, problems=result["problems"])


def _update(made: Any, /, **values: Any) -> None:
    made.update(**values)


KINDS: Mapping[str, JobKind] = {
    "world": JobKind(lambda job: World.objects.filter(job=job)[0].files, _nothing, _keep_world),
    "verification": JobKind(lambda job: Verification.objects.filter(job=job)[0].files, _nothing, _keep_verification),
    "export": JobKind(
        lambda job: Export.objects.select_related("version").filter(job=job)[0].version.files,
        _prepare_export,
        _keep_export,
    ),
}
