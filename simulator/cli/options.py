"""Every argument and option there is, so that those which several commands share mean and read the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DEFAULT_SEED = 7

Scenario = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO",
        show_default=False,
        help="The scenario: its folder, one .yaml or .json file, or the name of a ready one (support_desk).",
    ),
]
Table = Annotated[str, typer.Argument(metavar="TABLE", show_default=False, help="The table the rows are for.")]
RowsFile = Annotated[Path, typer.Argument(metavar="FILE", show_default=False, help="The rows: .csv, .jsonl or .json.")]
World = Annotated[
    bool,
    typer.Option(
        "--world/--no-world",
        help="Also make a world and begin its tasks: finds empty draws, checks that hold at once.",
    ),
]
Replace = Annotated[bool, typer.Option("--replace", help="Replace the table's rows, if it has a data file.")]
TasksName = Annotated[
    str, typer.Argument(metavar="NAME", show_default=False, help="What the tasks are called: NAME_1, NAME_2, …")
]
TasksFile = Annotated[
    Path, typer.Argument(metavar="FILE", show_default=False, help="JSON Lines: id, instruction, calls, answer.")
]
Refusal = Annotated[
    str | None,
    typer.Option(
        "--refusal",
        metavar="CODE",
        show_default=False,
        help="What a task is to be refused with whose calls do nothing.",
    ),
]
ReplaceTasks = Annotated[bool, typer.Option("--replace", help="Replace tasks imported under this name before.")]
TrajectoryFile = Annotated[
    Path, typer.Argument(metavar="TRAJECTORY", show_default=False, help="The .jsonl file that an episode left.")
]
OptionalScenario = Annotated[
    str | None,
    typer.Argument(
        metavar="[SCENARIO]", show_default=False, help="Its scenario; without it, the ready one of that id."
    ),
]
PackName = Annotated[
    str | None, typer.Argument(metavar="[PACK]", show_default=False, help="The pack to show; without it, all are told.")
]
Yaml = Annotated[bool, typer.Option("--yaml", help="Print the pack as it is written, to read or to copy from.")]
BenchmarkName = Annotated[
    str | None, typer.Argument(metavar="[NAME]", show_default=False, help="Run only this script, named without .py.")
]
Full = Annotated[bool, typer.Option("--full", help="Also measure what takes minutes more.")]
WriteTables = Annotated[
    bool, typer.Option("--write", help="Put the tables of all that has been measured into docs/performance.md.")
]

Seed = Annotated[
    int, typer.Option("--seed", metavar="N", min=0, help="The world's seed: equal seeds make equal worlds.")
]
Scale = Annotated[float, typer.Option("--scale", metavar="X", help="What the world's row counts are multiplied by.")]
Split = Annotated[
    str | None,
    typer.Option(
        "--split", metavar="NAME", show_default=False, help="Only tasks of this split: train, validation or test."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on standard output, and nothing else there.")]
JsonAnyway = Annotated[bool, typer.Option("--json", help="Accepted everywhere; this command prints JSON in any case.")]
OutFile = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", show_default=False, help="Write it to this file.")
]
ListTasks = Annotated[bool, typer.Option("--list", help="Print every task's id and instruction instead of counts.")]
Role = Annotated[
    str | None, typer.Option("--role", metavar="NAME", show_default=False, help="What an agent in this role has.")
]
Statement = Annotated[
    str,
    typer.Argument(metavar="STATEMENT", show_default=False, help="One SQL statement; - reads it from standard input."),
]
SqlToolName = Annotated[
    str | None,
    typer.Option("--tool", metavar="NAME", show_default=False, help="The SQL tool, where there are several."),
]
Dialect = Annotated[
    str | None,
    typer.Option(
        "--dialect", metavar="NAME", show_default=False, help="Take the statement as written in this dialect instead."
    ),
]
SqlRole = Annotated[
    str | None,
    typer.Option(
        "--role", metavar="NAME", show_default=False, help="Who asks; without it the task's, or the only one."
    ),
]
OneTask = Annotated[
    str | None,
    typer.Option("--task", metavar="ID", show_default=False, help="Ask as this task begins, after its setup."),
]

Agents = Annotated[
    list[str],
    typer.Option(
        "--agent",
        metavar="NAME[,NAME]",
        show_default=False,
        help="Who plays: oracle, noisy, random, null, scripted. Several with commas, or repeated.",
    ),
]
Episodes = Annotated[
    int,
    typer.Option(
        "--episodes",
        metavar="N",
        min=1,
        max=100_000,
        help="Episodes of each agent. Templates and tasks are taken in turns.",
    ),
]
TaskIds = Annotated[
    list[str] | None,
    typer.Option("--task", metavar="ID", show_default=False, help="Only this task; may be repeated."),
]
TrajectoryFolder = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", show_default=False, help="Keep trajectories: DIR/AGENT/TASK.jsonl."),
]
DemoFolder = Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the trajectories go.")]
Workers = Annotated[
    int,
    typer.Option("--workers", metavar="N", min=1, max=256, help="Processes to play in. Results do not depend on it."),
]
Mistakes = Annotated[
    int, typer.Option("--mistakes", metavar="N", min=0, max=100, help="How many the noisy agent makes.")
]
Kinds = Annotated[
    str | None,
    typer.Option(
        "--kinds",
        metavar="NAME[,NAME]",
        show_default="all",
        help="Which the noisy agent makes: skip_read, repeat_call, wrong_target, wrong_value, out_of_order, "
        "collateral_write, wrong_answer, wrong_sql and sql_instead (for roles with an SQL tool).",
    ),
]
Script = Annotated[
    Path | None,
    typer.Option("--script", metavar="FILE", show_default=False, help="The scripted agent's actions, a JSON list."),
]

Seeds = Annotated[
    str, typer.Option("--seeds", metavar="N[,N]", help="The seeds of the worlds that are made and looked at.")
]
TasksEach = Annotated[
    str, typer.Option("--tasks", metavar="N|all", help="How many tasks of each template and world are looked at.")
]
AllWorkers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=256,
        show_default="one a core",
        help="Processes to work in. Results do not depend on it.",
    ),
]
ReportFile = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", show_default=False, help="Write the report to this JSON file.")
]
HtmlFile = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", show_default=False, help="Write the report as one HTML page.")
]
EvidenceFolder = Annotated[
    Path | None,
    typer.Option(
        "--evidence", metavar="DIR", show_default=False, help="Write the episode behind each finding, for `replay`."
    ),
]
NoCache = Annotated[
    bool, typer.Option("--no-cache", help="Look at everything again, also at what has not changed since last time.")
]

Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        metavar="NAME[,NAME]",
        show_default=False,
        help="A framework to make a package for, such as gymnasium. Several with commas, or repeated.",
    ),
]
BundleSeeds = Annotated[
    str,
    typer.Option(
        "--seeds",
        metavar="N[,N]|N-N",
        show_default=False,
        help="The worlds: train from 0, validation from 10000, test from 20000.",
    ),
]
BundleFolder = Annotated[
    Path,
    typer.Option("--out", metavar="DIR", show_default=False, help="The folder to make; DIR.zip is written beside it."),
]
Frozen = Annotated[
    bool,
    typer.Option("--frozen/--seeds-only", help="Put the worlds in as images, or generate them where they are used."),
]
Verification = Annotated[
    Path | None,
    typer.Option(
        "--verification", metavar="FILE", show_default=False, help="The report that `verify --out` wrote, passed."
    ),
]
Unverified = Annotated[bool, typer.Option("--unverified", help="Export without a verification; the manifest says so.")]
BundleAction = Annotated[str, typer.Argument(metavar="ACTION", show_default=False, help="What to do: check.")]
BundleFile = Annotated[
    Path, typer.Argument(metavar="FILE", show_default=False, help="The bundle: its zip file or its folder.")
]

Trajectories = Annotated[
    Path,
    typer.Argument(metavar="FOLDER", show_default=False, help="The folder of trajectories that `play --out` wrote."),
]
DatasetFolder = Annotated[Path, typer.Option("--out", metavar="DIR", show_default=False, help="The folder to make.")]
DatasetKinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="NAME[,NAME]",
        show_default="sft",
        help="sft: successes as chats; dpo: pairs of a better and a worse attempt; steps: each turn with its reward.",
    ),
]
DatasetFormats = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="NAME[,NAME]", show_default="jsonl", help="jsonl or parquet, or both."),
]
DatasetSplits = Annotated[
    list[str] | None,
    typer.Option(
        "--split",
        metavar="NAME[,NAME]",
        show_default="train",
        help="Attempts at tasks of these splits; what is held out stays out unless it is named.",
    ),
]
LeastReward = Annotated[
    float, typer.Option("--least", metavar="X", min=-1, max=1, help="The lowest reward of a chat for fine-tuning.")
]
Margin = Annotated[
    float,
    typer.Option("--margin", metavar="X", min=0.001, max=2, help="How much better the better of a pair must be."),
]

Served = Annotated[
    str,
    typer.Argument(
        metavar="BUNDLE",
        show_default=False,
        help="The bundle (zip file or folder) or the scenario (folder, file, or the name of a ready one) to serve.",
    ),
]
Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen at.")]
Port = Annotated[
    int, typer.Option("--port", metavar="N", min=0, max=65_535, help="The port to listen at; 0 takes a free one.")
]
ServingWorkers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        min=1,
        max=256,
        show_default="one a core but one",
        help="Processes that hold episodes.",
    ),
]
ServedSeeds = Annotated[
    str | None,
    typer.Option(
        "--seeds",
        metavar="N[,N]|N-N",
        show_default="all of a bundle, 7 of a scenario",
        help="The worlds to serve.",
    ),
]
MostEpisodes = Annotated[
    int, typer.Option("--max-episodes", metavar="N", min=1, max=1_000_000, help="Episodes there may be at once.")
]
LongestIdle = Annotated[
    float, typer.Option("--max-idle", metavar="SECONDS", min=1, help="Drop an episode that nobody touched for so long.")
]
LongestAge = Annotated[
    float, typer.Option("--max-age", metavar="SECONDS", min=1, help="Drop an episode that is older than this.")
]
