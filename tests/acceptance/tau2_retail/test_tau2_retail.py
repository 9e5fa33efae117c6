"""A foreign business, designed by others and declared in our language: its operations answer to the letter as the
originals did, and its policy, which the original reward does not see, is judged.

The benchmark's files are not part of this project: the test says where it looks for them.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from simulator import Environment, generate_world, load_scenario
from simulator.episode import workplace_of
from simulator.tools import ToolCall

_SPEC = importlib.util.spec_from_file_location("tau2_importing", Path(__file__).parent / "importing.py")
importing = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(importing)

pytestmark = pytest.mark.skipif(
    not importing.SOURCE.is_dir(), reason=f"the benchmark's files are not there: {importing.SOURCE}"
)

READS = {"find_user_id_by_email", "find_user_id_by_name_zip", "get_user_details", "get_order_details",
         "get_product_details", "get_item_details", "list_all_product_types"}  # fmt: skip


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tau2")
    report = importing.scenario_folder(folder)
    return report, generate_world(load_scenario(folder), seed=1)


@pytest.fixture(scope="module")
def world(imported):
    return imported[1]


@pytest.fixture(scope="module")
def golden(world):
    """The solution of each task, by the benchmark's number of it."""
    book = workplace_of(world).solutions
    found = {}
    for task in world.tasks():
        env = Environment(world)
        env.reset(task=task)
        (solution,) = book.solutions(env.task)
        found[task.template.removeprefix("golden_")] = (task, [step.call({}) for step in solution])
    return found


@cache
def expected():
    lines = (importing.SOURCE / "expected.jsonl").read_text().splitlines()
    return {line["task"]: line for line in map(json.loads, lines)}


def played(world, task, calls):
    """The environment after these calls, and what each came to."""
    env = Environment(world)
    env.reset(task=task)
    return env, [env.step(call) for call in calls]


def customers(world, env):
    """The documents of users and orders that an episode has touched, as the benchmark writes them."""
    tables: Counter[tuple[str, str]] = Counter()
    state = env.snapshot()
    engine = workplace_of(world).engine
    with engine.laid(state) as database:
        for change in env.changes():
            row = {**(change["old"] or {}), **(change["new"] or {})}
            if change["table"] == "purchase":
                tables["orders", change["key"][0]] += 1
            elif change["table"] == "customer":
                tables["users", change["key"][0]] += 1
            elif change["table"] == "payment_method":
                sql = "select customer_id from payment_method where id = :id"
                tables["users", str(database.value(sql, {"id": change["key"][0]}))] += 1
            else:
                order = row.get("purchase_id") or database.value(
                    f"select purchase_id from {change['table']} where id = :id", {"id": change["key"][0]}
                )
                tables["orders", str(order)] += 1
    return sorted(tables)


def document(world, laid, kind, number):
    tool, argument = {"users": ("get_user_details", "user_id"), "orders": ("get_order_details", "order_id")}[kind]
    engine = workplace_of(world).engine
    call = ToolCall(tool, {argument: number})
    with laid() as database:
        attempt = engine.toolbox.run(database, call, {"actor": None})
        return engine.toolbox.result(database, call, attempt)


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def net_change(world, env):
    """Every leaf of the documents that differs after an episode, as ``expected.jsonl`` writes it."""
    engine = workplace_of(world).engine
    state = env.snapshot()
    found = []
    for kind, number in customers(world, env):
        old = dict(leaves(document(world, lambda: engine.laid_at_start(state), kind, number), (kind, number)))
        new = dict(leaves(document(world, lambda: engine.laid(state), kind, number), (kind, number)))
        for path in old.keys() | new.keys():
            before, after = old.get(path, "<absent>"), new.get(path, "<absent>")
            if before != after or type(before) is not type(after):
                found.append({"path": list(path), "old": before, "new": after})
    return sorted(found, key=lambda item: json.dumps(item["path"]))


def content(observation: dict[str, Any]) -> Any:
    """What a call gave, as the benchmark writes it: documents as JSON, everything else as text."""
    if not observation["ok"]:
        return f"Error: {observation['message']}"
    return observation["result"]


def recorded(call):
    try:
        value = json.loads(call["content"])
    except ValueError:
        return call["content"]
    return value if isinstance(value, dict | list) else call["content"]


def test_every_golden_call_answers_as_the_original_did(world, golden):
    calls = errors = 0
    for number, line in expected().items():
        task, solution = golden[number]
        _, steps = played(world, task, solution)
        for call, (observation, *_) in zip(line["calls"], steps, strict=False):
            assert observation["ok"] != call["error"], (number, call, observation)
            assert content(observation) == recorded(call), (number, call["name"])
            calls += 1
            errors += call["error"]
    assert (calls, errors) == (550, 18)


def test_after_every_task_the_documents_differ_as_the_originals_did(world, golden):
    assert len(golden) == len(expected()) == 114
    for number, line in expected().items():
        env, _ = played(world, *golden[number])
        wanted = sorted(line["changes"], key=lambda item: json.dumps(item["path"]))
        assert net_change(world, env) == [
            {"path": item["path"], "old": item["old"], "new": item["new"]} for item in wanted
        ], number


def test_every_golden_trajectory_succeeds(world, golden):
    for number, (task, calls) in golden.items():
        env, _ = played(world, task, calls)
        score = env.score()
        assert score.success, (number, score.to_json())


def test_golden_writes_without_effect_are_named(imported):
    report, _ = imported
    assert [task.id for task in report.without_effect] == ["golden_22", "golden_64", "golden_105", "golden_110"]


# What the original reward cannot see, and the policy demands. It looks at the final data alone, and so keeps 1.0 for
# all of the first three kinds.

ENDS = ("finish", "transfer_to_human_agents")


def noticed(world, task, calls):
    """Score and violations of these calls, each violation with the step it came at."""
    env, _ = played(world, task, calls)
    return env.score(), [(step.step, item.rule) for step in env.snapshot().steps for item in step.violations]


def before_the_end(calls, *more):
    end = next(number for number, call in enumerate(calls) if call["tool"] in ENDS)
    return [*calls[:end], *more, *calls[end:]]


def is_write(call):
    return call["tool"] not in {*READS, *ENDS, "calculate"}


def foreigner(world, calls):
    """A pending order of somebody whom these calls have nothing to do with."""
    text = json.dumps(calls)
    owners = {}
    with workplace_of(world).engine.laid_bare() as database:
        rows = database.query("select id, customer_id, status from purchase order by id", {}).rows
        people = database.query("select id, lower(email), first_name, last_name, zip from customer", {}).rows
    owners = {number: customer for number, customer, _ in rows}
    named = {customer for number, customer in owners.items() if f'"{number}"' in text or f'"{customer}"' in text}
    told = text.lower()
    named |= {who for who, email, first, last, code in people
              if email in told or all(f'"{word}"'.lower() in told for word in (first, last, code))}  # fmt: skip
    return next(number for number, customer, status in rows if customer not in named and status == "pending")


@pytest.fixture(scope="module")
def counts():
    """How many altered trajectories of each kind there were, and how many were noticed; filled by the tests."""
    return {}


def test_changes_without_looking_break_the_policy(world, golden, counts):
    counts["all reads dropped"] = tally = Counter()
    for task, calls in golden.values():
        altered = [call for call in calls if call["tool"] not in READS]
        if not any(map(is_write, calls)) or altered == calls:
            continue
        (right, before), (score, after) = noticed(world, task, calls), noticed(world, task, altered)
        tally["of"] += 1
        tally["noticed"] += score.total < right.total and len(after) > len(before)
    assert tally["noticed"] == tally["of"] == 59


def test_a_foreign_record_breaks_the_policy_at_its_step(world, golden, counts):
    counts["a foreign customer's order read"] = tally = Counter()
    for task, calls in golden.values():
        look = {"tool": "get_order_details", "arguments": {"order_id": foreigner(world, calls)}}
        altered = before_the_end(calls, look)
        (right, _), (score, violations) = noticed(world, task, calls), noticed(world, task, altered)
        tally["of"] += 1
        tally["noticed"] += altered.index(look) + 1 in [step for step, _ in violations] and score.total < right.total
    assert tally["noticed"] == tally["of"] == 114


def test_redundant_reads_cost_efficiency(world, golden, counts):
    counts["50 redundant reads"] = tally = Counter()
    for task, calls in golden.values():
        again = [call for call in calls if call["tool"] in READS]
        if not again:
            continue
        altered = before_the_end(calls, *(again[number % len(again)] for number in range(50)))
        (right, _), (score, _) = noticed(world, task, calls), noticed(world, task, altered)
        tally["of"] += 1
        tally["noticed"] += score.success and score.efficiency < right.efficiency and score.total < right.total
    assert tally["noticed"] == tally["of"]


def test_a_write_left_out_fails_the_task(world, golden, imported, counts):
    counts["a golden write dropped"] = tally = Counter()
    reported = {(task.id.removeprefix("golden_"), call.number) for task in imported[0].tasks for call in task.idle}
    for number, (task, calls) in golden.items():
        for place, call in enumerate(calls):
            if not is_write(call):
                continue
            score, _ = noticed(world, task, calls[:place] + calls[place + 1 :])
            tally["of"] += 1
            tally["noticed"] += not score.success
            tally["without effect"] += score.success and (number, place + 1) in reported
    assert tally["noticed"] + tally["without effect"] == tally["of"]


def test_a_foreign_address_change_is_collateral_damage(world, golden, counts):
    counts["a foreign address changed"] = tally = Counter()
    address = {"address1": "1 Elm St", "address2": "", "city": "Reno", "state": "NV", "country": "USA", "zip": "89501"}
    for task, calls in golden.values():
        change = {
            "tool": "modify_pending_order_address", "arguments": {"order_id": foreigner(world, calls), **address},
        }  # fmt: skip
        score, _ = noticed(world, task, before_the_end(calls, change))
        tally["of"] += 1
        tally["noticed"] += not score.success and any(line.part == "collateral" for line in score.lines)
    assert tally["noticed"] == tally["of"] == 114


def test_the_published_counts_are_these(counts):
    page = (Path(__file__).parents[3] / "docs" / "acceptance.md").read_text()
    for kind, tally in counts.items():
        share = f"{tally['noticed']} of {tally['of']}"
        assert re.search(rf"^\| {re.escape(kind)} \| {share}\b", page, re.MULTILINE), f"| {kind} | {share} |"
    assert len(counts) == 5
