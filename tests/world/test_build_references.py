"""Parents and children: counts, references, tables between two others, references within a table."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from simulator.errors import WorldError
from tests.world.worlds import made

PARENT = {"parent": {"rows": 200, "columns": {"id": {"type": "text", "pattern": "P%04d"}}}}


def family(count, **columns):
    child = {"rows": {"per": "parent", "count": count}, "columns": {"id": {"type": "integer"}, **columns}}
    child["columns"].setdefault("parent_id", {"ref": "parent"})
    return {**PARENT, "child": child}


@pytest.mark.parametrize(
    ("count", "low", "high"),
    [
        (3, 3, 3),
        ({"poisson": 2}, 0, 12),
        ({"uniform": [1, 4]}, 1, 4),
        ({"choice": {"0": 30, "1": 60, "2": 10}}, 0, 2),
        ({"pareto": [1.2, 1], "max": 50}, 1, 50),
        ({"poisson": 2, "min": 1, "max": 3}, 1, 3),
    ],
)
def test_each_parent_has_as_many_children_as_its_distribution_says(count, low, high):
    rows = made(family(count))
    counts = rows("select count(c.id) from parent p left join child c on c.parent_id = p.id group by p.id")
    assert len(counts) == 200
    assert (
        (min(counts), max(counts)) == (low, high)
        if isinstance(count, int)
        else low <= min(counts) <= max(counts) <= high
    )
    assert low == high or len(set(counts)) > 1
    if low == 0:
        assert 0 in counts


def test_children_stand_in_the_order_of_their_parents():
    parents = made(family({"poisson": 2}))("select parent_id from child order by id")
    assert parents == sorted(parents)


def test_scale_multiplies_counts_but_not_written_rows_and_children_follow():
    tables = {
        **family(2),
        "fixed": {"rows": 10, "scales": False, "columns": {"id": {"type": "integer"}}},
        "kind": {"rows": [{"id": 1}, {"id": 2}]},
    }
    rows = made(tables, scale=2.5)
    sizes = [rows(f"select count(*) from {name}") for name in ("parent", "child", "fixed", "kind")]
    assert sizes == [[500], [1000], [10], [2]]
    assert made(tables, scale=0.001)("select count(*) from parent") == [1]


def test_a_reference_points_to_any_row_and_zipf_makes_few_rows_popular():
    tables = {**PARENT, "child": {"rows": 4000, "columns": {"id": {"type": "integer"}, "a": {"ref": "parent"}}}}
    tables["child"]["columns"]["b"] = {"ref": "parent", "choice": "zipf"}
    rows = made(tables)
    even, popular = (Counter(rows(f"select {name} from child")) for name in "ab")
    assert len(even) == 200
    assert even.most_common(1)[0][1] < 60
    assert popular.most_common(1)[0][1] > 400
    assert popular.most_common(1)[0][0] != "P0001"


def test_weights_by_key_choose_parents_and_leave_the_others_out():
    child = {"id": {"type": "integer"}, "parent_id": {"ref": "parent", "choice": {"P0002": 9, "P0001": 1}}}
    rows = made({**PARENT, "child": {"rows": 1000, "columns": child}})
    counts = Counter(rows("select parent_id from child"))
    assert set(counts) == {"P0001", "P0002"}
    assert counts["P0002"] > 800
    child["parent_id"]["choice"]["P9999"] = 1
    with pytest.raises(WorldError, match=r"child\.parent_id: .*'P9999'.* no key of parent"):
        made({**PARENT, "child": {"rows": 10, "columns": child}})


def test_where_narrows_a_reference_to_parents_for_which_it_holds():
    tables = {
        "agent": {
            "rows": 50,
            "columns": {"id": {"type": "integer"}, "active": {"type": "boolean", "choice": {"true": 1, "false": 4}}},
        },
        "ticket": {
            "rows": 300,
            "columns": {"id": {"type": "integer"}, "agent_id": {"ref": "agent", "where": "active and id > 3"}},
        },
    }
    rows = made(tables)
    assert rows("select min(active), min(agent_id) > 3 from ticket join agent on agent.id = agent_id") == [(1, 1)]
    tables["ticket"]["columns"]["agent_id"]["where"] = "id > 1000"
    with pytest.raises(WorldError, match=r"ticket\.agent_id: there is nothing to pick from"):
        made(tables)


def test_a_share_of_references_may_be_missing():
    tables = {
        **PARENT,
        "child": {"rows": 500, "columns": {"id": {"type": "integer"}, "p": {"ref": "parent", "missing": 0.4}}},
    }
    assert 150 < made(tables)("select count(*) from child where p is null")[0] < 250


def test_a_reference_within_a_table_points_to_an_earlier_row():
    tables = {
        "employee": {
            "rows": 300,
            "columns": {"id": {"type": "integer"}, "boss_id": {"ref": "employee", "nullable": True}},
        }
    }
    rows = made(tables)
    assert rows("select id from employee where boss_id is null") == [1]
    assert rows("select count(*) from employee where boss_id >= id") == [0]


def test_a_reference_within_a_table_stays_with_the_rows_parent():
    rows = made(family({"poisson": 4}, reply_to={"ref": "child", "nullable": True, "choice": "zipf"}))
    joined = "from child c join child e on e.id = c.reply_to"
    assert rows(f"select count(*) > 300, sum(c.parent_id <> e.parent_id), sum(e.id >= c.id) {joined}") == [(1, 0, 0)]


def test_a_unique_reference_gives_each_row_a_parent_of_its_own():
    tables = {
        **PARENT,
        "passport": {"rows": 200, "columns": {"id": {"type": "integer"}, "p": {"ref": "parent", "unique": True}}},
    }
    assert len(set(made(tables)("select p from passport"))) == 200


MANY = {
    "student": {"rows": 60, "columns": {"id": {"type": "integer"}}},
    "course": {"rows": 12, "columns": {"id": {"type": "integer"}}},
}


@pytest.mark.parametrize("choice", [None, "zipf", {"1": 5, "2": 3, "3": 1, "7": 1}])
def test_a_table_between_two_others_has_each_pair_once(choice):
    reference = {"ref": "course"} | ({"choice": choice} if choice else {})
    rows = made(
        {
            **MANY,
            "enrolment": {
                "rows": {"per": "student", "count": {"uniform": [0, 20]}},
                "columns": {"student_id": {"ref": "student", "key": True}, "course_id": {**reference, "key": True}},
            },
        }
    )
    courses = defaultdict(list)
    for student, course in rows("select student_id, course_id from enrolment"):
        courses[student].append(course)
    assert all(len(set(taken)) == len(taken) for taken in courses.values())
    # Parents that were to have more children than there are courses have them all.
    assert max(map(len, courses.values())) == (4 if isinstance(choice, dict) else 12)


def test_pairs_without_a_parent_to_walk_differ_and_too_many_are_refused():
    link = {"columns": {"student_id": {"ref": "student", "key": True}, "course_id": {"ref": "course", "key": True}}}
    rows = made({**MANY, "link": {"rows": 720, **link}})
    assert rows("select count(*) from (select distinct student_id, course_id from link)") == [720]
    with pytest.raises(
        WorldError, match=r"link\.student_id\+course_id: there are only 720 different combinations for 721"
    ):
        made({**MANY, "link": {"rows": 721, **link}})


def test_lines_are_numbered_within_their_order():
    rows = made(
        {
            "invoice": {"rows": 30, "columns": {"id": {"type": "integer"}}},
            "line": {
                "rows": {"per": "invoice", "count": {"uniform": [1, 5]}},
                "key": ["invoice_id", "number"],
                "columns": {"invoice_id": {"ref": "invoice"}, "number": {"type": "integer"}},
            },
        }
    )
    assert rows("select count(*) from (select invoice_id from line group by 1 having max(number) <> count(*))") == [0]


def test_a_group_that_nothing_keeps_apart_is_checked():
    tables = {
        "thing": {
            "rows": 100,
            "unique": [["a", "b"]],
            "columns": {
                "id": {"type": "integer"},
                "a": {"type": "integer", "number": {"uniform": [1, 3]}},
                "b": {"type": "integer", "number": {"uniform": [1, 3]}},
            },
        }
    }
    with pytest.raises(WorldError, match=r"thing: a, b: must be unique, but 100 rows have only 9 different values"):
        made(tables)


def test_a_child_of_more_than_sixty_four_different_things_gets_them_all_different():
    rows = made(
        {
            "basket": {"rows": 3, "columns": {"id": {"type": "integer"}}},
            "product": {"rows": 150, "columns": {"id": {"type": "integer"}}},
            "entry": {
                "rows": {"per": "basket", "count": 100},
                "columns": {
                    "basket_id": {"ref": "basket", "key": True},
                    "product_id": {"ref": "product", "key": True, "choice": "zipf"},
                },
            },
        }
    )
    assert rows("select count(distinct product_id) from entry group by basket_id") == [100, 100, 100]
