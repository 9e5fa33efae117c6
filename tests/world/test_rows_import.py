"""Rows brought along from elsewhere: types told from values, canonical data files, declarations to paste."""

from __future__ import annotations

import pytest
import yaml

from simulator.errors import ScenarioError, UsageError
from simulator.scenario.loading import read_scenario
from simulator.world import build_world
from simulator.world.rows_import import import_rows
from tests.world.worlds import Rows

HEAD = """\
worldwright: 1
id: small
title: Small
tools:
  look: {api: GET /look, summary: Look., returns: {one: select 1 as one}}
world:
  now: "2026-03-02 09:00:00"
  tables:
"""


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "scenario"
    folder.mkdir()
    (folder / "scenario.yaml").write_text(HEAD)
    return folder


def imported(folder, name, text, table="customer", **options):
    source = folder.parent / name
    source.write_text(text, encoding="utf-8")
    return import_rows(source, folder, table, **options)


def world(folder, report):
    indented = "".join(f"    {line}\n" for line in report.snippet.splitlines())
    (folder / "scenario.yaml").write_text(HEAD + indented)
    return Rows(build_world(read_scenario(folder), 1))


CSV = '''\
Customer ID,Signed Up,lastSeen,VIP,Balance,Seats,Zip,Notes,Tags
C-1,2026-01-05,2026-01-05T10:00:00+02:00,TRUE,12.50,3,01234,"a, ""b""","[1, 2]"
C-2,2026-02-05,2026-02-05 11:30,false,7,,99999,,"{""b"": 1, ""a"": 2}"
'''


def test_a_csv_file_becomes_a_table_that_builds(folder):
    report = imported(folder, "people.csv", CSV)
    assert {column.name: column.type for column in report.columns} == {
        "customer_id": "text", "signed_up": "date", "last_seen": "timestamp", "vip": "boolean", "balance": "real",
        "seats": "integer", "zip": "text", "notes": "text", "tags": "json",
    }  # fmt: skip
    assert [column.name for column in report.columns if column.nullable] == ["seats", "notes"]
    assert report.data_file == folder / "data" / "customer.csv"
    assert world(folder, report)("select * from customer") == [
        ("C-1", "2026-01-05", "2026-01-05 08:00:00", 1, 12.5, 3, "01234", 'a, "b"', "[1,2]"),
        ("C-2", "2026-02-05", "2026-02-05 11:30:00", 0, 7.0, None, "99999", None, '{"a":2,"b":1}'),
    ]


def test_json_lines_and_json_keep_their_types(folder):
    lines = (
        '{"id": 7, "open": true, "meta": {"k": [1]}, "note": ""}\n{"id": 9, "open": false, "note": "x", "code": 1}\n'
    )
    report = imported(folder, "jobs.jsonl", lines, table="job")
    assert report.data_file.name == "job.jsonl"  # CSV would lose the empty text
    assert {column.name: column.type for column in report.columns} == {
        "id": "integer", "open": "boolean", "meta": "json", "note": "text", "code": "integer",
    }  # fmt: skip
    assert world(folder, report)("select * from job") == [(7, 1, '{"k":[1]}', "", None), (9, 0, None, "x", 1)]
    report = imported(folder, "kinds.json", '[{"code": "a", "mixed": 1}, {"code": "b", "mixed": "two"}]', table="kind")
    assert yaml.safe_load(report.snippet) == {
        "kind": {
            "data": "data/kind.csv",
            "columns": {"code": {"type": "text", "key": True}, "mixed": {"type": "json"}},
        }
    }
    assert world(folder, report)("select * from kind") == [("a", "1"), ("b", '"two"')]


def test_importing_twice_needs_to_be_asked_for(folder):
    imported(folder, "people.csv", CSV)
    with pytest.raises(UsageError, match=r"customer\.csv is there already"):
        imported(folder, "people.csv", CSV)
    report = imported(folder, "people.jsonl", '{"id": 1, "note": ""}\n', replace=True)
    assert [file.name for file in (folder / "data").iterdir()] == ["customer.jsonl"] == [report.data_file.name]


DECLARED = """\
    region:
      rows: [{id: 01, name: North}]
      columns: {id: {type: text, key: true}}
    customer:
      data: data/customer.csv
      columns:
        code: {type: text, key: true}
        region_id: {ref: region}
        balance: {type: "decimal(8,2)"}
        open: {type: boolean, nullable: true}
        rank: {type: integer, sequence: 1}
""".replace("01", '"01"')


@pytest.mark.parametrize(
    ("name", "text"),
    [
        # Alone, every one of these columns would be told to have another type than the declared one.
        ("new.csv", "Code,Region ID,Balance,Open\n12,01,7,1\n13,01,8.005,\n"),
        ("new.jsonl", '{"code": "12", "region_id": "01", "balance": 7, "open": 1}\n'
                      '{"code": "13", "region_id": "01", "balance": 8.005}\n'),
    ],
)  # fmt: skip
def test_new_rows_keep_the_types_that_are_declared(folder, name, text):
    (folder / "scenario.yaml").write_text(HEAD + DECLARED)
    imported(folder, "first.csv", "code,region_id,balance\nA,01,1.50\n")
    report = imported(folder, name, text, replace=True)
    assert {column.name: column.type for column in report.columns} == {
        "code": "text", "region_id": "text", "balance": "decimal(8,2)", "open": "boolean",
    }  # fmt: skip
    assert [column.name for column in report.columns if column.key] == ["code"]
    assert report.declared
    rows = Rows(build_world(read_scenario(folder), 1))
    assert rows("select code, region_id, balance, open, rank from customer") == [
        ("12", "01", 7.0, 1, 1), ("13", "01", 8.01, None, 2),
    ]  # fmt: skip


def test_what_the_declaration_lacks_is_added_to_it_and_nothing_else_is_changed(folder):
    (folder / "scenario.yaml").write_text(HEAD + DECLARED)
    report = imported(folder, "new.jsonl", '{"code": "1", "region_id": "01", "balance": 2, "note": "", "seats": 3}\n')
    assert not report.declared
    before = yaml.safe_load(DECLARED)["customer"]
    new = {"note": {"type": "text"}, "seats": {"type": "integer"}}
    assert yaml.safe_load(report.snippet)["customer"] == {
        "data": "data/customer.jsonl", "columns": {**before["columns"], **new},
    }  # fmt: skip


def test_rows_that_do_not_fit_the_declaration_are_all_told_and_nothing_is_written(folder):
    (folder / "scenario.yaml").write_text(HEAD + DECLARED)
    imported(folder, "first.csv", "code,region_id,balance\nA,01,1.50\n")
    before = (folder / "data" / "customer.csv").read_bytes()
    with pytest.raises(ScenarioError) as caught:
        imported(folder, "new.csv", "code,region_id,open\nB,01,perhaps\n,01,no\nC,,1\n", replace=True)
    assert [(problem.code, problem.message) for problem in caught.value.problems] == [
        ("missing_value", "Row 2 has no code, and the column is not `nullable`."),
        ("missing_value", "There is no column balance, which the scenario declares and does not make."),
        ("bad_value", "Row 1, column open: 'perhaps' is not true or false."),
        ("bad_value", "Row 2, column open: 'no' is not true or false."),
    ]
    with pytest.raises(ScenarioError, match="Rows 1 and 3 have the same key: B"):
        imported(folder, "new.csv", "code,region_id,balance\nB,01,1\nC,01,1\nB,01,2\n", replace=True)
    assert (folder / "data" / "customer.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "text", "table", "message"),
    [
        ("x.csv", "id\n1\n", "Customer", "no table name"),
        ("x.csv", "id\n1\n", "../customer", "no table name"),
        ("x.csv", "id\n", "customer", "holds no rows"),
        ("x.csv", "a,b\n1,2\n1,2\n", "customer", "no key"),
        ("x.csv", "A b,a_b\n1,2\n", "customer", "both be called 'a_b'"),
        ("x.csv", "名,id\n1,2\n", "customer", "no Latin letter"),
    ],
)
def test_what_makes_no_table_is_told(folder, name, text, table, message):
    with pytest.raises(UsageError, match=message):
        imported(folder, name, text, table=table)


def test_a_file_that_cannot_be_read_is_told_with_its_line(folder):
    with pytest.raises(ScenarioError, match=r"x\.csv:3"):
        imported(folder, "x.csv", "id,name\n1,a\n2\n")
    with pytest.raises(ScenarioError, match="data_ending"):
        imported(folder, "x.xlsx", "id")
    with pytest.raises(ScenarioError, match="cannot be read"):
        import_rows(folder / "nothing.csv", folder, "customer")
    with pytest.raises(UsageError, match=r"no scenario\.yaml"):
        import_rows(folder / "nothing.csv", folder.parent, "customer")
