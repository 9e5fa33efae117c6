"""A folder and its one document: each made from the other, and nothing read from outside the folder."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.errors import ScenarioError, UsageError
from simulator.scenario import (
    canonical_json,
    collect_files,
    document_from_files,
    document_value,
    files_from_document,
    parse_document,
    read_scenario,
    write_folder,
)

FIXTURES = Path(__file__).parent / "fixtures"
TINY = (FIXTURES / "tiny.yaml").read_bytes()


def document(**files):
    named = {name.replace("__", "/").replace("_dot_", "."): text.encode() for name, text in files.items()}
    return document_from_files({"scenario.yaml": TINY, **named})


def problems(files):
    with pytest.raises(ScenarioError) as caught:
        document_from_files({"scenario.yaml": TINY, **files})
    return [(p.code, p.path, p.location.file, p.location.line) for p in caught.value.problems]


def with_table(text):
    return TINY.replace(b"tools:", f"    site: {text}\ntools:".encode())


def test_a_folder_becomes_a_document_and_the_same_folder_again(tmp_path):
    first = read_scenario(FIXTURES / "support_desk")
    write_folder(files_from_document(document_value(first.document)), tmp_path / "copy")
    second = read_scenario(tmp_path / "copy")
    assert second == first
    assert canonical_json(document_value(second.document)) == canonical_json(document_value(first.document))
    assert list(second.document.tasks) == list(first.document.tasks)
    assert (tmp_path / "copy" / "policy.md").read_text() == first.document.policy


def test_parts_are_merged_and_know_their_files():
    value, positions = document(
        tasks__a_dot_yaml="rename: {instruction: Rename it.}\n",
        tasks__b_dot_yml="\ndrop: {instruction: Drop it.}\n",
        tools__more_dot_yaml="drop_team: {summary: Drop one.}\n",
        tables__site_dot_yaml="site: {rows: 5}\n",
        rules__all_dot_yaml="state:\n  named: {never: select 1}\n",
        rules__more_dot_yaml="state:\n  placed: {never: select 2}\nprocess: {}\n",
        README_dot_md="Not part of it.",
    )
    assert list(value["tasks"]) == ["rename", "drop"]
    assert list(value["tools"]) == ["get_team", "drop_team"]
    assert list(value["world"]["tables"]) == ["team", "site"]
    assert list(value["rules"]["state"]) == ["named", "placed"]
    place = positions.value(("rules", "state", "placed", "never"))
    assert (place.file, place.line, place.column) == ("rules/more.yaml", 2, 19)
    assert positions.key(("tasks", "drop")).file == "tasks/b.yml"
    assert positions.key(("tools", "get_team")).file == "scenario.yaml"


def test_what_stands_in_two_files_and_what_is_broken_in_any_is_reported_at_once():
    found = problems(
        {
            "tasks/a.yaml": b"rename: {}\n",
            "tasks/b.yaml": b"# again\nrename: {}\n",
            "tools/a.yaml": b"get_team: {}\n",
            "rules/a.yaml": b"- 1\n",
            "tables/a.yaml": b"x: [\n",
        }
    )
    assert found == [
        ("not_a_mapping", "", "rules/a.yaml", 1),
        ("yaml_syntax", "x[0]", "tables/a.yaml", 2),
        ("duplicate_key", "tasks.rename", "tasks/b.yaml", 2),
        ("duplicate_key", "tools.get_team", "tools/a.yaml", 1),
    ]


def test_problems_of_form_are_located_in_the_file_of_the_part(tmp_path):
    (tmp_path / "tasks").mkdir()
    (tmp_path / "scenario.yaml").write_bytes(TINY + b"polcy: x\n")
    (tmp_path / "tasks" / "rename.yaml").write_text("rename:\n  instruction: Rename it.\n  drow: select 1\n")
    with pytest.raises(ScenarioError) as caught:
        read_scenario(tmp_path)
    assert [(p.code, p.path, p.location.file, p.location.line) for p in caught.value.problems] == [
        ("unknown_key", "polcy", "scenario.yaml", 15),
        ("unknown_key", "tasks.rename.drow", "tasks/rename.yaml", 3),
    ]


def test_a_policy_that_names_a_file_is_its_text_and_any_other_text_is_itself():
    value, _ = document_from_files({"scenario.yaml": b"policy: rules.md\n", "rules.md": "Be kind — è".encode()})
    assert value["policy"] == "Be kind — è"
    prose, _ = document_from_files({"scenario.yaml": b"policy: See policy.md\n"})
    assert prose["policy"] == "See policy.md"


@pytest.mark.parametrize(
    ("name", "content", "columns", "rows"),
    [
        ("site.csv", b"id,name\n1,Ada\n2,\n\n", ["id", "name"], [["1", "Ada"], ["2", None]]),
        ("site.csv", b'id,note\r\n1,"a ""b"",\r\nc"\r\n', ["id", "note"], [["1", 'a "b",\r\nc']]),
        ("site.jsonl", b'{"id": 1}\n\n{"name": "Bo", "id": 2.5}\n', ["id", "name"], [[1, None], [2.5, "Bo"]]),
        ("site.json", b'[{"id": 1}, {"x": [true]}]', ["id", "x"], [[1, None], [None, [True]]]),
        ("site.json", b'{"columns": ["id"], "rows": [[1], [null]]}', ["id"], [[1], [None]]),
    ],
)
def test_data_files_become_columns_and_rows(name, content, columns, rows):
    value, _ = document_from_files({"scenario.yaml": with_table(f"{{data: data/{name}}}"), f"data/{name}": content})
    assert value["world"]["tables"]["site"]["data"] == {"columns": columns, "rows": rows}


@pytest.mark.parametrize(
    ("name", "content", "code", "line"),
    [
        ("site.csv", b"id,name\n1,Ada\n2\n", "data_row", 3),
        ("site.csv", b'id\n"1', "csv_syntax", 2),
        ("site.csv", b"", "data_columns", 1),
        ("site.csv", b"id,id\n", "data_columns", 1),
        ("site.csv", b"id,\n", "data_columns", 1),
        ("site.csv", b"id\n\xff\n", "encoding", 2),
        ("site.csv", b"id\n" + b"x" * 200_000, "csv_syntax", 2),
        ("site.csv", b"id\n\x00\n", "bad_character", 2),
        ("site.jsonl", b'{"id": 1}\n{"id": 1, "id": 2}\n', "duplicate_key", 2),
        ("site.jsonl", b'{"id": 1}\n[1]\n', "data_row", 2),
        ("site.jsonl", b"[" * 100_000, "too_deep", 1),
        ("site.json", b'{"rows": []}', "data_row", 1),
        ("site.json", b'{"columns": ["id"], "rows": [[1, 2]]}', "data_row", 1),
        ("site.json", b"[]", "data_columns", 1),
        ("site.xlsx", b"PK", "data_ending", 0),
    ],
)
def test_bad_data_files_are_refused_at_their_line(name, content, code, line):
    found = problems({"scenario.yaml": with_table(f"{{data: data/{name}}}"), f"data/{name}": content})
    assert (found[0][0], found[0][2], found[0][3]) == (code, f"data/{name}", line)


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.csv", "data/../../secret.csv", "..\\\\secret.csv"])
def test_names_that_leave_the_folder_are_refused(name):
    assert problems({"scenario.yaml": with_table(f'{{data: "{name}"}}')})[0][0] == "path_escape"
    assert problems({"scenario.yaml": b"policy: " + name.replace(".csv", "").encode() + b".md"})[0][0] == "path_escape"


def test_a_file_that_is_not_there_is_missed_by_name():
    found = problems({"scenario.yaml": with_table("{data: data/sites.csv}"), "data/site.csv": b"id\n1\n"})
    assert found == [("missing_file", "world.tables.site.data", "scenario.yaml", 10)]
    with pytest.raises(ScenarioError, match=r"There is no file scenario\.yaml\. Did you mean `scenario\.yml`"):
        document_from_files({"scenario.yml": TINY})


def test_links_out_of_the_folder_pipes_and_locked_files_are_refused(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.csv").write_text("id\n1\n")
    folder = tmp_path / "scenario"
    (folder / "data").mkdir(parents=True)
    (folder / "scenario.yaml").write_bytes(TINY)
    (folder / "data" / "secret.csv").symlink_to(outside / "secret.csv")
    (folder / "data" / "broken.csv").symlink_to(folder / "data" / "gone.csv")
    (folder / "tasks").symlink_to(outside)
    os.mkfifo(folder / "policy.md")
    with pytest.raises(ScenarioError) as caught:
        collect_files(folder)
    assert {(p.code, p.location.file) for p in caught.value.problems} == {
        ("path_escape", "data/secret.csv"),
        ("unreadable_file", "data/broken.csv"),
        ("path_escape", "tasks"),
        ("not_a_file", "policy.md"),
    }


def test_links_within_the_folder_are_followed_and_hidden_files_are_not_read(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "site.csv").write_text("id\n1\n")
    (tmp_path / "data" / "site.csv").symlink_to(tmp_path / "shared" / "site.csv")
    (tmp_path / "data" / ".site.csv.swp.csv").write_bytes(b"\xff")
    (tmp_path / "scenario.yaml").write_bytes(with_table("{data: data/site.csv}"))
    assert set(collect_files(tmp_path)) == {"scenario.yaml", "data/site.csv"}


def test_files_over_their_size_are_refused_without_being_read_whole(tmp_path):
    (tmp_path / "data").mkdir()
    with (tmp_path / "data" / "huge.csv").open("wb") as file:
        file.truncate(10**12)
    with (tmp_path / "scenario.yaml").open("wb") as file:
        file.truncate(10_000_001)
    with pytest.raises(ScenarioError) as caught:
        collect_files(tmp_path)
    assert [(p.code, p.location.file) for p in caught.value.problems] == [
        ("too_large", "scenario.yaml"),
        ("too_large", "data/huge.csv"),
    ]


def test_a_folder_is_written_only_where_nothing_is(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(UsageError):
        write_folder({"scenario.yaml": TINY}, tmp_path)
    with pytest.raises(UsageError):
        write_folder({"../scenario.yaml": TINY}, tmp_path / "new")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


_TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"], exclude_characters="\ufeff"), max_size=8
)
_CELL = st.one_of(
    st.none(), _TEXT, st.sampled_from(["", "1", 'a"b', "a,b", "a\nb", "a\r\nb", " ", "null"]), st.integers(-9, 9)
)
_DATA = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.lists(_CELL, min_size=width, max_size=width), max_size=4).map(
        lambda rows: {"columns": ["id", "name", "note"][:width], "rows": rows}
    )
)


@settings(max_examples=150)
@given(policy=_TEXT.filter(lambda text: not text.endswith(".md")), data=_DATA)
def test_any_policy_and_rows_survive_the_way_to_a_folder_and_back(policy, data):
    value, _ = document_from_files({"scenario.yaml": TINY})
    value |= {"policy": policy}
    value["world"]["tables"]["site"] = {"data": data}
    files = files_from_document(value)
    again, _ = document_from_files(files)
    assert repr(again) == repr(value)
    assert parse_document(again) == parse_document(value)


@pytest.mark.parametrize("place", ["data/site.csv", "tasks/more.yaml", "extra.yaml", "notes.md", "tables", "data"])
@pytest.mark.parametrize("kind", ["loop", "dangling", "outside", "pipe", "socket"])
def test_what_is_no_file_of_the_folder_is_a_problem_that_names_it(tmp_path, monkeypatch, place, kind):
    folder = tmp_path / "scenario"
    folder.mkdir()
    (folder / "scenario.yaml").write_text("id: x\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside.txt").write_text("x: 1\n")
    is_folder = "." not in place
    if is_folder and kind in ("pipe", "socket"):
        kind = "loop"
    path = folder / place
    path.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        monkeypatch.chdir(path.parent)  # the path of a socket must be short
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(path.name)
        listening.close()
    else:
        target = {"loop": path, "dangling": folder / "gone", "outside": tmp_path / "outside"}[kind]
        path.symlink_to(target if is_folder or kind != "outside" else tmp_path / "outside.txt")
    with pytest.raises(ScenarioError) as caught:
        collect_files(folder)
    (problem,) = caught.value.problems
    assert problem.location.file == place
    assert problem.code in ("path_escape", "not_a_file", "unreadable_file")


def test_a_single_file_that_leads_to_itself_is_a_problem(tmp_path):
    path = tmp_path / "scenario.yaml"
    path.symlink_to(path)
    with pytest.raises(ScenarioError, match="scenario"):
        read_scenario(path)
