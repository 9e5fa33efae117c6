import pytest

from simulator.tasks import collateral
from simulator.world.changes import NetChanges
from tests.tasks.desks import REROUTE, act, acted, database, world

RIGHT = "update ticket set team_id = 2, status = 'new' where id = 4"


def damaged(statements, *, may_change=None, solutions=(), steps=None, setup=(), **parts):
    """The places and columns that these statements damage in the task about ticket 4."""
    template = {**REROUTE, "draw": f"{REROUTE['draw']} and t.id = 4", **parts}
    if may_change is not None:
        template["may_change"] = may_change
    of = world({"reroute": template})
    (task,) = of.tasks()
    theirs = [acted(of, *solution) for solution in solutions]
    with database(of) as opened:
        act(opened, *setup)
        mine = act(opened, *statements)
        return collateral(
            opened,
            of.scenario.document.tasks["reroute"],
            task,
            mine,
            theirs,
            **({} if steps is None else {"steps": steps}),
        )


def places(found):
    return [(damage.table, damage.key, damage.op, damage.columns) for damage in found]


OPEN = [{"table": "ticket", "columns": ["team_id", "status"], "where": "id = :ticket_id"}]


@pytest.mark.parametrize(
    ("statements", "may_change", "expected"),
    [
        ([RIGHT], OPEN, []),
        ([RIGHT, "update ticket set topic = 'x' where id = 4"], OPEN, [("ticket", (4,), "update", ("topic",))]),
        (["update ticket set team_id = 2 where id in (4, 8)"], OPEN, [("ticket", (8,), "update", ("team_id",))]),
        (["delete from tag"], OPEN, [("tag", (1, "vip"), "delete", ("ticket_id", "word"))]),
        (["delete from tag"], [{"table": "tag"}], []),
        (
            ["delete from tag"],
            [{"table": "tag", "op": ["insert", "update"]}],
            [("tag", (1, "vip"), "delete", ("ticket_id", "word"))],
        ),
        ([RIGHT], [{"table": "ticket", "columns": ["team_id"]}, {"table": "ticket", "columns": ["status"]}], []),
        (
            ["update ticket set status = 'closed' where id in (3, 5)"],
            [{"table": "ticket", "where": "status = 'closed'"}],
            [("ticket", (5,), "update", ("status",))],
        ),
        (
            ["insert into tag values (4, 'a')", "insert into tag values (5, 'a')"],
            [{"table": "tag", "op": "insert", "where": "tag.ticket_id = :ticket_id -- only ours"}],
            [("tag", (5, "a"), "insert", ("ticket_id", "word"))],
        ),
        (
            ["update ticket set resolution = 'x' where id = 4"],
            [{"table": "ticket", "where": "resolution = 'x'"}],
            [("ticket", (4,), "update", ("resolution",))],
        ),
        (
            ["insert into tag values (4, '{')"],
            [{"table": "tag", "where": "json_extract(word, '$') is not null"}],
            [("tag", (4, "{"), "insert", ("ticket_id", "word"))],
        ),
        ([RIGHT], [], [("ticket", (4,), "update", ("status", "team_id"))]),
    ],
)
def test_what_lies_outside_may_change_is_damage(statements, may_change, expected):
    found = places(damaged(statements, may_change=may_change))
    assert [(*place[:3], tuple(sorted(place[3]))) for place in found] == expected


def test_where_reads_the_row_as_it_was_though_it_was_changed_and_prepared():
    found = damaged(
        ["update ticket set status = 'closed', topic = 'done' where id = 4"],
        may_change=[{"table": "ticket", "where": "status = 'open' and topic = 'prepared'"}],
        setup=["update ticket set topic = 'prepared' where id = 4"],
    )
    assert found == ()


@pytest.mark.parametrize(
    ("statements", "solutions", "expected"),
    [
        ([RIGHT], [[RIGHT]], []),
        (["update ticket set team_id = 1, status = 'x' where id = 4"], [[RIGHT]], []),
        ([f"{RIGHT} or id = 8"], [[RIGHT]], [("ticket", (8,), ("team_id", "status"))]),
        (["update ticket set topic = 'x' where id = 4"], [[RIGHT]], [("ticket", (4,), ("topic",))]),
        ([RIGHT, "delete from tag"], [[RIGHT], ["delete from tag"]], []),
        (
            ["update tag set word = 'x'"],
            [[RIGHT]],
            [("tag", (1, "vip"), ("ticket_id", "word")), ("tag", (1, "x"), ("ticket_id", "word"))],
        ),
        (["insert into tag values (5, 'z')"], [["insert into tag values (4, 'a')"]], []),
        (
            ["insert into tag values (5, 'a')", "insert into tag values (6, 'a')"],
            [["insert into tag values (4, 'a')"], ["insert into tag values (4, 'b')"]],
            [("tag", (6, "a"), ("ticket_id", "word"))],
        ),
        (
            ["delete from message"],
            [["update message set body = 'x'"]],
            [("message", (1,), ("id", "ticket_id", "reply_to", "body", "at"))],
        ),
        (["delete from tag"], [], [("tag", (1, "vip"), ("ticket_id", "word"))]),
    ],
)
def test_without_may_change_a_task_may_change_what_its_solutions_do(statements, solutions, expected):
    found = places(damaged(statements, solutions=solutions))
    assert [(table, key, columns) for table, key, _, columns in found] == expected


def test_a_refusal_may_change_nothing():
    parts = {"expects": {"refusal": "duplicate"}}
    assert places(damaged([RIGHT], solutions=[[RIGHT]], **parts)) == [("ticket", (4,), "update", ("team_id", "status"))]


def test_damage_is_told_in_words_with_its_step():
    (damage,) = damaged(
        ["update ticket set topic = 'x', resolution = 'done' where id = 4"], steps={("ticket", (4,)): 5}
    )
    assert damage.text == "ticket 4: topic from invoice to x, resolution from nothing to done"
    assert damage.step == 5
    (damage,) = damaged(["delete from tag"])
    assert (damage.text, damage.step) == ("tag 1, vip was deleted", None)


def test_no_change_is_no_damage():
    assert damaged([]) == ()
    assert NetChanges().rows() == ()
