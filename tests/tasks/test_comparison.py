from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.scenario.times import parse_timestamp
from simulator.sql.schema import ColumnSchema, Schema, TableSchema
from simulator.tasks import Comparison, generated_tables, same_changes
from simulator.world.changes import NetChanges, RowChange
from tests.tasks.desks import NOW, acted, world

DESK = world()
COMPARISON = Comparison(
    DESK.image.schema, generated_tables(DESK.scenario.document, DESK.image.schema), parse_timestamp(NOW), elapsed=3600
)


def alike(mine, theirs, **changes):
    """Whether two lists of statements change the desk alike; the second is carried out at noon."""
    one, two = acted(DESK, *mine, at="2026-03-02 09:10:00"), acted(DESK, *theirs, at="2026-03-02 09:59:00")
    return same_changes(one, two, replace(COMPARISON, **changes))


def message(key, body="Hi", ticket=1, reply_to="null", at="now()"):
    return f"insert into message values ({key}, {ticket}, {reply_to}, '{body}', {at})"


def ticket(key, **values):
    cells = {"customer_id": "'C-00001'", "team_id": 1, "topic": "'login'", "status": "'new'", "priority": 1,
             "urgent": 0, "resolution": "null", "changed_at": "now()", **values}  # fmt: skip
    return f"insert into ticket (id, {', '.join(cells)}) values ({key}, {', '.join(map(str, cells.values()))})"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        pytest.param([], [], id="nothing"),
        pytest.param(
            ["update ticket set team_id = 1, priority = 9"], ["update ticket set priority = 9.0, team_id = 1"]
        ),
        pytest.param(
            ["update ticket set topic = 'x'", "update ticket set topic = 'y' where id = 1"],
            ["update ticket set topic = 'y' where id = 1", "update ticket set topic = 'x' where id <> 1"],
        ),
        pytest.param([message(7)], [message(9)], id="a generated key"),
        pytest.param([message(7, "a"), message(8, "b")], [message(8, "a"), message(7, "b")], id="keys the other way"),
        pytest.param(
            [message(7, "a"), message(8, "b", reply_to=7)],
            [message(9, "a"), message(3, "b", reply_to=9)],
            id="a reference to a new row",
        ),
        pytest.param([ticket(50), message(7, ticket=50)], [ticket(60), message(7, ticket=60)], id="a new parent"),
        pytest.param(
            [ticket(50), "insert into tag values (50, 'vip')"],
            [ticket(60), "insert into tag values (60, 'vip')"],
            id="a reference that is part of a key",
        ),
        pytest.param(
            [message(7), "update message set reply_to = 7 where id = 1"],
            [message(9), "update message set reply_to = 9 where id = 1"],
            id="an old row refers to a new one",
        ),
        pytest.param([message(7, reply_to=7)], [message(8, reply_to=8)], id="a row that refers to itself"),
        pytest.param(
            ["update ticket set changed_at = now() where id = 1"],
            ["update ticket set changed_at = now() where id = 1"],
            id="the time of the action",
        ),
        pytest.param(
            [message(7, at="datetime('now', '+2 days')")],
            [message(7, at="datetime('now', '+2 days')")],
            id="a time counted from then",
        ),
        pytest.param(["delete from tag"], ["delete from tag where word = 'vip'"], id="deletes"),
    ],
)
def test_these_change_the_world_alike(mine, theirs):
    assert alike(mine, theirs)
    assert alike(theirs, mine)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        pytest.param([], ["delete from tag"], id="nothing"),
        pytest.param(["update ticket set priority = 9 where id = 1"], ["update ticket set priority = 8 where id = 1"]),
        pytest.param(["update ticket set priority = 9 where id = 1"], ["update ticket set priority = 9 where id = 2"]),
        pytest.param(
            ["update ticket set priority = 9 where id = 1"],
            ["update ticket set priority = 9, topic = 'x' where id = 1"],
        ),
        pytest.param([message(7)], [message(7), message(8)], id="one row more"),
        pytest.param([message(7, "a")], [message(7, "b")], id="another text"),
        pytest.param([message(7, ticket=1)], [message(7, ticket=2)], id="another parent"),
        pytest.param(
            [message(7, "a"), message(8, "b", reply_to=7)],
            [message(7, "a"), message(8, "b", reply_to=8)],
            id="a reference to another new row",
        ),
        pytest.param([message(7, reply_to=1)], [message(7, reply_to=7)], id="an old row instead of a new one"),
        pytest.param(
            [message(7), message(8), "update message set reply_to = 7 where id = 1"],
            [message(7), message(8, reply_to=7), "update message set reply_to = 8 where id = 1"],
        ),
        pytest.param(
            ["insert into tag values (1, 'new')"], ["insert into tag values (1, 'old')"], id="a key that was told"
        ),
        pytest.param(["insert into customer values ('C-9', 'x')"], ["insert into customer values ('C-8', 'x')"]),
        pytest.param(
            [message(7, at="'2026-04-01 10:00:00'")], [message(7, at="'2026-04-05 10:00:00'")], id="another day"
        ),
        pytest.param(
            [message(7, at="'2026-01-01 10:00:00'")], [message(7, at="'2026-01-01 10:00:01'")], id="in the past"
        ),
        pytest.param([message(7, at="'2026-03-01 10:00:00'")], [message(7)], id="before the start"),
        pytest.param(["update ticket set resolution = '' where id = 1"], ["delete from tag"]),
    ],
)
def test_these_do_not(mine, theirs):
    assert not alike(mine, theirs)
    assert not alike(theirs, mine)


def test_exact_compares_keys_and_times_to_the_letter():
    same = [message(7, at="'2026-03-02 10:00:00'")]
    assert alike(same, same, exact=True)
    assert not alike([message(7)], [message(7)], exact=True)
    assert not alike(same, [message(8, at="'2026-03-02 10:00:00'")], exact=True)


def test_moments_since_the_start_may_differ_by_as_much_as_the_episode_lasted():
    assert alike([message(7)], [message(7)], elapsed=49 * 60)
    assert not alike([message(7)], [message(7)], elapsed=49 * 60 - 1)


def test_generated_keys_are_those_the_world_makes_up():
    tools = {
        "make": {"summary": "Make.", "effects": ["insert into customer (id, name) values (new_id('customer'), 'x')"]}
    }
    made = world(tools=tools)
    assert COMPARISON.generated == {"team", "ticket", "message"}
    assert generated_tables(made.scenario.document, made.image.schema) == {"team", "ticket", "message", "customer"}


def test_a_made_up_text_key_is_known_wherever_it_stands():
    comparison = replace(COMPARISON, generated=COMPARISON.generated | {"customer"})

    def changes(key, told):
        return acted(DESK, f"insert into customer values ('{key}', 'x')", message(7, body=told, at=f"'{NOW}'"))

    assert same_changes(changes("C-9", "C-9"), changes("C-8", "C-8"), comparison)
    assert not same_changes(changes("C-9", "C-9"), changes("C-8", "C-1"), comparison)


# Rows of one table that refer to each other: as hard as the comparison gets.
NODES = Schema(
    {
        "node": TableSchema(
            "node",
            (
                ColumnSchema("id", "integer"),
                ColumnSchema("next", "integer", nullable=True, references="node"),
                ColumnSchema("other", "integer", nullable=True, references="node"),
                ColumnSchema("label", "text"),
            ),
            ("id",),
        ),
        "node_history": TableSchema("node_history", (ColumnSchema("id", "integer"),), ("id",), history_of="node"),
    },
    {},
)
GRAPH = Comparison(NODES, frozenset({"node"}), 0, 0)


def graph(rows):
    """Net changes that insert these (id, next, other, label) rows."""
    names = NODES.tables["node"].column_names
    return NetChanges().merge(
        RowChange("node", "insert", (row[0],), None, dict(zip(names, row, strict=True))) for row in rows
    )


@st.composite
def renamed_graphs(draw):
    count = draw(st.integers(1, 6))
    target = st.none() | st.integers(1, count)
    rows = [(number, draw(target), draw(target), draw(st.sampled_from("aab"))) for number in range(1, count + 1)]
    names = {None: None, **dict(zip(range(1, count + 1), draw(st.permutations(range(11, 11 + count))), strict=True))}
    renamed = [(names[key], names[one], names[two], label) for key, one, two, label in rows]
    return rows, draw(st.permutations(renamed))


@given(renamed_graphs())
@settings(max_examples=150)
def test_renaming_every_new_row_changes_nothing(graphs):
    one, two = graphs
    assert same_changes(graph(one), graph(two), GRAPH)


def brute_force(one, two):
    """Whether some renaming makes the graphs equal, by trying them all."""
    from itertools import permutations

    keys = [row[0] for row in one]
    for order in permutations([row[0] for row in two]):
        names = {None: None, **dict(zip(keys, order, strict=True))}
        if {(names[key], names[a], names[b], label) for key, a, b, label in one} == set(two):
            return True
    return False


@st.composite
def small_graphs(draw):
    target = st.none() | st.integers(1, 4)
    return [(number, draw(target), draw(st.none() | target), draw(st.sampled_from("aaab"))) for number in range(1, 5)]


@given(small_graphs(), small_graphs())
@settings(max_examples=150)
def test_the_comparison_agrees_with_trying_every_renaming(one, two):
    assert same_changes(graph(one), graph(two), GRAPH) == brute_force(one, two)


def test_refinement_alone_would_take_two_triangles_for_a_hexagon():
    def ring(keys):
        return [(key, keys[(at + 1) % len(keys)], keys[at - 1], "a") for at, key in enumerate(keys)]

    hexagon, triangles = ring([1, 2, 3, 4, 5, 6]), ring([1, 2, 3]) + ring([4, 5, 6])
    assert same_changes(graph(hexagon), graph(ring([3, 1, 5, 2, 6, 4])), GRAPH)
    assert not same_changes(graph(hexagon), graph(triangles), GRAPH)


def test_many_equal_rows_are_matched_without_a_search():
    rows = [(key, None, None, "a") for key in range(2_000)]
    assert same_changes(graph(rows), graph(rows[::-1]), GRAPH)


def test_history_is_the_engine_s_own():
    history = NetChanges().merge([RowChange("node_history", "insert", (1,), None, {"id": 1})])
    assert same_changes(history, NetChanges(), GRAPH)
    assert same_changes(history, NetChanges(), replace(GRAPH, exact=True))


def test_a_moment_that_the_solution_names_must_be_met_exactly():
    told = frozenset({"2026-03-02 09:30:00"})
    right = [message(7, at="'2026-03-02 09:30:00'")]
    for wrong in ("'2026-03-02 09:31:00'", "now()"):
        assert alike([message(7, at=wrong)], right)
        assert not alike([message(7, at=wrong)], right, told=told)
    assert alike([message(8, at="'2026-03-02 09:30:00'")], right, told=told)
    assert alike([message(7)], [message(7)], told=told)
