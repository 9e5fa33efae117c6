import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError, UsageError
from simulator.tasks import canonical_parameters, parameters_digest, split_of, task_problems
from tests.tasks.desks import REROUTE, database, world

MANY = {**REROUTE, "draw": "with recursive n(i) as (select 1 union all select i + 1 from n where i < 300) "
        "select i as ticket_id, 'x' as topic, 'Billing' as right_team from n"}  # fmt: skip


def with_draw(draw, **rest):
    return {"reroute": {**REROUTE, "draw": draw, **rest}}


def codes(of):
    with database(of) as opened:
        return [problem.code for problem in task_problems(opened)]


def test_each_row_of_the_draw_is_a_task():
    tasks = world().tasks()
    assert sorted(task.parameters["ticket_id"] for task in tasks) == [1, 4, 7, 8]
    first = next(task for task in tasks if task.parameters["ticket_id"] == 4)
    assert first.instruction == "Ticket 4 is about invoice. Move it to Billing."
    assert (first.template, first.role, first.actor, first.steps, first.world_seed) == ("reroute", None, None, 30, 7)
    assert first.id.startswith("w7/reroute/")
    assert len(first.id.rpartition("/")[2]) == 12


def test_tasks_come_by_template_as_written_and_then_by_id():
    templates = {"second": REROUTE, "first": {**REROUTE, "take": 2}}
    ids = [task.id for task in world(templates).tasks()]
    assert [name.split("/")[1] for name in ids] == ["second"] * 4 + ["first"] * 2
    assert ids[:4] == sorted(ids[:4])


@pytest.mark.parametrize("order", ["t.id", "t.id desc", "t.customer_id, t.id desc", "t.priority desc"])
def test_the_order_of_the_query_decides_nothing(order):
    drawn = world(with_draw(f"{REROUTE['draw']} order by {order}", take=2)).tasks()
    assert drawn == world(with_draw(REROUTE["draw"], take=2)).tasks()


def test_equal_rows_are_one_task():
    twice = f"{REROUTE['draw']} union all select t.id * 1.0, t.topic, 'Billing' from ticket t where t.id in (1, 4)"
    assert len(world(with_draw(twice)).tasks()) == 4


def test_take_grows_with_the_scale():
    assert [len(world({"reroute": {**MANY, "take": 20}}, scale=scale).tasks()) for scale in (0.01, 1, 2.5, 100)] == [
        1,
        20,
        50,
        300,
    ]


def test_worlds_take_different_tasks_of_the_same_splits():
    one, two = (world({"reroute": {**MANY, "take": 100}}, seed=seed).tasks() for seed in (1, 2))
    splits = [{canonical_parameters(task.parameters): task.split for task in tasks} for tasks in (one, two)]
    both = splits[0].keys() & splits[1].keys()
    assert 0 < len(both) < 100
    assert all(splits[0][parameters] == splits[1][parameters] for parameters in both)


def test_a_new_version_moves_no_task_to_another_split():
    one, two = (world({"reroute": MANY}, version=version).tasks() for version in ("1.0.0", "2.0.0"))
    assert one == two


def test_a_task_s_split_goes_by_template_and_scenario():
    digests = {
        parameters_digest(*parts) for parts in (("a", "b", "{}"), ("a", "c", "{}"), ("c", "b", "{}"), ("ab", "", "{}"))
    }
    assert len(digests) == 4


def test_about_a_tenth_each_is_held_out_for_validation_and_test():
    counts = Counter(split_of(parameters_digest("s", "t", str(number))) for number in range(5_000))
    assert counts["train"] == pytest.approx(4_000, abs=150)
    assert counts["validation"] == pytest.approx(500, abs=100)
    assert counts["test"] == pytest.approx(500, abs=100)


def test_a_template_may_be_held_out_whole():
    held = world({"reroute": {**REROUTE, "split": "test"}})
    assert len(held.tasks(split="test")) == 4
    assert held.tasks(split="train") == ()


parameters = st.dictionaries(
    st.sampled_from("abc"), st.none() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3)
)


@given(parameters)
@settings(max_examples=50)
def test_equal_parameters_are_spelled_alike(values):
    other = {name: float(value) if isinstance(value, int) else value for name, value in reversed(values.items())}
    assert canonical_parameters(values) == canonical_parameters(other)
    assert json.loads(canonical_parameters(values)) == values


def test_the_phrase_belongs_to_the_task():
    phrases = ["Move {ticket_id} to {right_team}.", "{right_team} should have {ticket_id}."]
    one, two = (world({"reroute": {**MANY, "instruction": phrases}}, seed=seed).tasks() for seed in (1, 2))
    said = [{task.parameters["ticket_id"]: task.instruction for task in tasks} for tasks in (one, two)]
    assert all(said[0][ticket] == said[1][ticket] for ticket in said[0].keys() & said[1].keys())
    assert {text.startswith("Move") for text in said[0].values()} == {True, False}


@pytest.mark.parametrize(
    ("who", "role", "actor"),
    [
        ("tier1", "tier1", "A-1"),
        ("lead", "lead", None),
        ({"role": "lead", "actor": "{ticket_id}"}, "lead", 1),
        ({"role": "tier1"}, "tier1", "A-1"),
    ],
)
def test_a_task_says_who_the_agent_is(who, role, actor):
    draw = "select t.id as ticket_id, t.topic, 'Billing' as right_team from ticket t where t.id = 1"
    (task,) = world(with_draw(draw, **{"as": who})).tasks()
    assert (task.role, task.actor) == (role, actor)
    assert type(task.actor) is type(actor)


def test_booleans_are_told_as_true_and_false():
    (task,) = world(
        {"t": {"instruction": "{urgent}", "draw": "select urgent from ticket where id = 1", "solution": [{"act": {}}]}}
    ).tasks()
    assert task.parameters == {"urgent": True}
    assert task.instruction == "true"


def test_limits_are_the_template_s_or_the_scenario_s():
    templates = {"one": REROUTE, "two": {**REROUTE, "limits": {"steps": 5}}}
    steps = {task.template: task.steps for task in world(templates, limits={"steps": 12}).tasks()}
    assert steps == {"one": 12, "two": 5}


def test_difficulty_is_the_author_s_or_grows_with_the_solution():
    long = {**REROUTE, "solution": REROUTE["solution"] * 6}
    templates = {
        "easy": {**REROUTE, "solution": REROUTE["solution"][:1]},
        "hard": long,
        "told": {**long, "difficulty": 2},
    }
    found = {task.template: task.difficulty for task in world(templates).tasks()}
    assert found["easy"] == 1
    assert found["hard"] >= 4
    assert found["told"] == 2


@pytest.mark.parametrize(
    ("draw", "code"),
    [
        ("select id as ticket_id, topic, 'x' as right_team from ticket where false", "draw_is_empty"),
        ("select 1 as ticket_id, 2 as ticket_id, 'x' as topic, 'y' as right_team", "duplicate_parameter"),
        ("select 1 as ticket_id, 'x' as topic, 'y' as right_team, 2 as actor", "reserved_parameter"),
        ("select 1 as ticket_id, 'x' as topic, 'y' as right_team, count(*) from ticket", "parameter_name"),
        ("select 1 as ticket_id, 'x' as topic, 'y' as right_team, 9e999 as big", "parameter_value"),
        ("select 1 as ticket_id, x'00' as topic, 'y' as right_team", "parameter_value"),
        ("select 1 as ticket_id, 'x' as topic, 'y' as right_team, json_extract('{', '$') as z", "draw_fails"),
        (
            "with recursive n(i) as (select 1 union all select i + 1 from n where i < 100001) "
            "select i as ticket_id, 'x' as topic, 'y' as right_team from n",
            "draw_too_large",
        ),
    ],
)
def test_a_draw_that_cannot_be_used_is_reported(draw, code):
    assert codes(world(with_draw(draw))) == [code]


def test_only_a_world_s_missing_rows_are_no_error_of_its_tasks():
    assert world(with_draw("select id as ticket_id, 1 as topic, 2 as right_team from ticket where false")).tasks() == ()
    with pytest.raises(ScenarioError) as raised:
        world(with_draw("select 1 as ticket_id, 'x' as topic, 'y' as right_team, 2 as actor")).tasks()
    assert [problem.path for problem in raised.value.problems] == ["tasks.reroute.draw"]


def test_a_placeholder_that_nothing_fills_is_reported_where_it_stands():
    broken = {
        **REROUTE,
        "instruction": ["{ticket_id}", "{tickt_id}"],
        "as": {"role": "lead", "actor": "{who}"},
        "solution": [
            {"get_ticket": {"ticket_id": "{ticket_id}"}, "remember": {"owner": "customer_id"}},
            {
                "each": "select id as message_id from message",
                "do": [{"get_ticket": {"ticket_id": "{message_id}{other}"}}],
            },
            {"assign_ticket": {"ticket_id": "{message_id}", "team": "{owner}"}},
        ],
        "checks": {"told": {"answer": {"exact": "{topc}"}}},
    }
    with database(world({"reroute": broken})) as opened:
        problems = task_problems(opened)
    assert [(problem.code, problem.path) for problem in problems] == [
        ("unknown_placeholder", "tasks.reroute.instruction[1]"),
        ("unknown_placeholder", "tasks.reroute.as.actor"),
        ("unknown_placeholder", "tasks.reroute.checks.told.answer.exact"),
        ("unknown_placeholder", "tasks.reroute.solution[1].do[0].get_ticket"),
        ("unknown_placeholder", "tasks.reroute.solution[2].assign_ticket"),
    ]
    assert problems[0].suggestion == "Did you mean `ticket_id`?"


@pytest.mark.parametrize(
    ("twin", "found"),
    [
        ({}, ["refusal_without_twin"]),
        ({"twin": "reroute"}, []),
        ({"twin": "reroute", "instruction": "Other {ticket_id}."}, ["twin_wording"]),
        ({"twin": "refuse"}, ["twin_refuses"]),
    ],
)
def test_a_refusal_has_a_twin_of_the_same_wording(twin, found):
    refusal = {name: REROUTE[name] for name in ("instruction", "draw")} | {"expects": {"refusal": "duplicate"}} | twin
    assert codes(world({"reroute": REROUTE, "refuse": refusal})) == found


def test_a_task_is_found_by_id_and_a_wrong_id_names_the_nearest():
    of = world()
    task = of.tasks()[0]
    assert of.task(task.id) is task
    with pytest.raises(UsageError, match="Did you mean `w7/reroute/"):
        of.task(task.id[:-1])
    with pytest.raises(UsageError, match="It has 4 tasks"):
        of.task("")
    with pytest.raises(UsageError, match="train, validation, test"):
        of.tasks(split="dev")


def test_a_task_can_be_taken_apart_and_compared():
    task = world().tasks()[0]
    assert replace(task) == task
    assert task.bindings(answer="x")["answer"] == "x"
