"""Every command: what can be typed, and what its help says.

What a command does is in a module of its own, imported when it is run: help and mistakes are answered at once.
"""

from __future__ import annotations

from pathlib import Path

from simulator.cli import options


def demo(
    out: options.DemoFolder = Path("out/demo"), episodes: options.Episodes = 30, json: options.Json = False
) -> None:
    """Play a ready scenario with several agents and print a scored table: the place to start."""
    from simulator.cli.showing import demo as run

    run(out, episodes=episodes, as_json=json)


def check(scenario: options.Scenario, world: options.World = True, json: options.Json = False) -> None:
    """Tell every problem of a scenario, with its place and what to do; or what the scenario holds.

    Exits with 2 when there is an error; warnings are shown and do no harm.
    """
    from simulator.cli.checking import check as run

    run(scenario, world=world, as_json=json)


def verify(
    scenario: options.Scenario,
    *,
    seeds: options.Seeds = "1,2,3",
    tasks: options.TasksEach = "5",
    workers: options.AllWorkers = None,
    out: options.ReportFile = None,
    html: options.HtmlFile = None,
    evidence: options.EvidenceFolder = None,
    no_cache: options.NoCache = False,
    json: options.Json = False,
) -> None:
    """Tell whether a scenario's scores can be trusted: its tasks can be solved, and nobody passes without the work.

    Exits with 1 when something blocks: what blocks must be mended before a scenario is published.
    """
    from simulator.cli.verifying import verify as run

    run(
        scenario,
        seeds=seeds,
        tasks=tasks,
        workers=workers,
        out=out,
        html=html,
        evidence=evidence,
        cached=not no_cache,
        as_json=json,
    )


def import_rows(
    scenario: options.Scenario,
    table: options.Table,
    file: options.RowsFile,
    replace: options.Replace = False,
    json: options.Json = False,
) -> None:
    """Take rows from a file into a scenario's folder, as the data of one of its tables."""
    from simulator.cli.importing import import_rows as run

    run(scenario, table, file, replace=replace, as_json=json)


def import_tasks(
    scenario: options.Scenario,
    name: options.TasksName,
    file: options.TasksFile,
    *,
    seed: options.Seed = options.DEFAULT_SEED,
    refusal: options.Refusal = None,
    replace: options.ReplaceTasks = False,
    json: options.Json = False,
) -> None:
    """Take tasks with the calls that solve them from a file into a scenario's folder, each tried in a world first."""
    from simulator.cli.importing import import_tasks as run

    run(scenario, name, file, seed=seed, refusal=refusal, replace=replace, as_json=json)


def schema(out: options.OutFile = None, json: options.JsonAnyway = False) -> None:
    """Print the scenario language as JSON Schema, for editors that complete and check while you type."""
    from simulator.cli.language import schema as run

    run(out)


def reference(out: options.OutFile = None, json: options.Json = False) -> None:
    """Print the reference of the scenario language, as Markdown."""
    from simulator.cli.language import reference as run

    run(out, as_json=json)


def packs(name: options.PackName = None, yaml: options.Yaml = False, json: options.Json = False) -> None:
    """List the ready-made systems a scenario can name under `packs`, or show the tables and operations of one."""
    from simulator.cli.packs import packs as run

    run(name, as_yaml=yaml, as_json=json)


def diagram(scenario: options.Scenario, out: options.OutFile = None, json: options.Json = False) -> None:
    """Draw a scenario's tables and what they refer to, as Mermaid text, which GitHub and many editors show."""
    from simulator.cli.language import diagram as run

    run(scenario, out, as_json=json)


def world(
    scenario: options.Scenario,
    seed: options.Seed = options.DEFAULT_SEED,
    scale: options.Scale = 1.0,
    out: options.OutFile = None,
    json: options.Json = False,
) -> None:
    """Generate a world: its tables, their row counts, its digest. --out keeps it as a SQLite file."""
    from simulator.cli.worlds import world as run

    run(scenario, seed=seed, scale=scale, out=out, as_json=json)


def tasks(
    scenario: options.Scenario,
    seed: options.Seed = options.DEFAULT_SEED,
    scale: options.Scale = 1.0,
    split: options.Split = None,
    list_tasks: options.ListTasks = False,
    json: options.Json = False,
) -> None:
    """Count a world's tasks by template, split and difficulty (1 easy to 5 hard); --list prints them."""
    from simulator.cli.worlds import tasks as run

    run(scenario, seed=seed, scale=scale, split=split, listed=list_tasks, as_json=json)


def play(
    scenario: options.Scenario,
    *,
    agent: options.Agents,
    episodes: options.Episodes = 60,
    split: options.Split = None,
    task: options.TaskIds = None,
    seed: options.Seed = options.DEFAULT_SEED,
    scale: options.Scale = 1.0,
    out: options.TrajectoryFolder = None,
    workers: options.Workers = 1,
    mistakes: options.Mistakes = 1,
    kinds: options.Kinds = None,
    script: options.Script = None,
    json: options.Json = False,
) -> None:
    """Play episodes with one or several agents; print success, the parts of the score, steps and verdicts.

    Every mean has its 95 % interval: Wilson's for success, the bootstrap's for the rest. Exits with 1 when the engine
    failed in an episode.
    """
    from simulator.cli.playing import chosen_agents
    from simulator.cli.playing import play as run

    agents = chosen_agents(agent, mistakes=mistakes, kinds=kinds, script=script)
    run(
        scenario,
        agents,
        episodes=episodes,
        split=split,
        task_ids=task or (),
        seed=seed,
        scale=scale,
        out=out,
        workers=workers,
        as_json=json,
    )


def replay(
    trajectory: options.TrajectoryFile, scenario: options.OptionalScenario = None, json: options.Json = False
) -> None:
    """Generate a trajectory's world again, repeat its actions and compare everything but wall times.

    Exits with 1 at the first difference. Against another version of the scenario or the engine, differences are drift.
    """
    from simulator.cli.replaying import replay as run

    run(trajectory, scenario, as_json=json)


def sql(
    scenario: options.Scenario,
    statement: options.Statement,
    *,
    tool: options.SqlToolName = None,
    dialect: options.Dialect = None,
    role: options.SqlRole = None,
    task: options.OneTask = None,
    seed: options.Seed = options.DEFAULT_SEED,
    scale: options.Scale = 1.0,
    json: options.Json = False,
) -> None:
    """Explain one SQL statement of an agent: verdict, translation, what it reads and writes, rows, changes, work.

    Nothing is kept. Exits with 1 when an agent would be refused.
    """
    from simulator.cli.explaining import sql as run

    run(
        scenario,
        statement,
        tool=tool,
        dialect=dialect,
        role=role,
        seed=seed,
        task=task,
        scale=scale,
        as_json=json,
    )


def export(
    scenario: options.Scenario,
    *,
    target: options.Targets = None,
    seeds: options.BundleSeeds,
    out: options.BundleFolder,
    frozen: options.Frozen = True,
    verification: options.Verification = None,
    unverified: options.Unverified = False,
    json: options.Json = False,
) -> None:
    """Write a bundle: the scenario, its worlds and tasks, and a package for each target, as a folder and a zip file.

    Needs the report of a verification that passed, or --unverified.
    """
    from simulator.cli.bundles import export as run

    run(
        scenario,
        targets=target or (),
        seeds=seeds,
        out=out,
        frozen=frozen,
        verification=verification,
        unverified=unverified,
        as_json=json,
    )


def bundle(action: options.BundleAction, file: options.BundleFile, json: options.Json = False) -> None:
    """Check a bundle: its digests, and that all of it follows from its scenario and seeds. Nothing of it is run.

    Exits with 1 when something is wrong.
    """
    from simulator.cli.bundles import bundle as run

    run(action, file, as_json=json)


def export_trajectories(
    folder: options.Trajectories,
    *,
    out: options.DatasetFolder,
    kind: options.DatasetKinds = None,
    format: options.DatasetFormats = None,  # noqa: A002  the option's name
    split: options.DatasetSplits = None,
    least: options.LeastReward = 0.9,
    margin: options.Margin = 0.1,
    json: options.Json = False,
) -> None:
    """Write trajectories as training data: chats with tool calls, preference pairs, steps with their rewards."""
    from simulator.cli.exporting_trajectories import export_trajectories as run

    run(
        folder,
        out,
        kinds=kind or (),
        formats=format or (),
        splits=split or (),
        least=least,
        margin=margin,
        as_json=json,
    )


def serve(
    bundle: options.Served,
    *,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8080,
    workers: options.ServingWorkers = None,
    seeds: options.ServedSeeds = None,
    max_episodes: options.MostEpisodes = 10_000,
    max_idle: options.LongestIdle = 3_600.0,
    max_age: options.LongestAge = 86_400.0,
    json: options.Json = False,
) -> None:
    """Serve a bundle or a scenario over HTTP: its own API for agents, many episodes at once, scores for trainers.

    The server's key is taken from WORLDWRIGHT_SERVER_KEY, or made and printed.
    """
    from simulator.cli.serving import serve as run

    run(
        bundle,
        host=host,
        port=port,
        workers=workers,
        seeds=seeds,
        most_episodes=max_episodes,
        longest_idle=max_idle,
        longest_age=max_age,
        as_json=json,
    )


def openapi(scenario: options.Scenario, json: options.JsonAnyway = False) -> None:
    """Print a scenario's operations as an OpenAPI 3.1 document."""
    from simulator.cli.language import openapi as run

    run(scenario)


def tools(scenario: options.Scenario, role: options.Role = None, json: options.JsonAnyway = False) -> None:
    """Print the tools an agent is offered, as a list of OpenAI functions."""
    from simulator.cli.language import tools as run

    run(scenario, role=role)


def bench(
    name: options.BenchmarkName = None,
    *,
    full: options.Full = False,
    write: options.WriteTables = False,
    json: options.Json = False,
) -> None:
    """Measure speed on this machine, beside the usual alternatives; takes minutes. Needs a source tree.

    Exits with 1 when a script fails.
    """
    from simulator.cli.measuring import bench as run

    run(name, full=full, write=write, as_json=json)
