"""One spelling for one meaning, and digests that tell meanings apart."""

import copy
import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.scenario import canonical_json, document_value, parse_document, read_scenario, read_yaml

FIXTURES = Path(__file__).parent / "fixtures"
TINY, _ = read_yaml((FIXTURES / "tiny.yaml").read_bytes(), file="tiny.yaml")


def digest(change=lambda value: None):
    value = copy.deepcopy(TINY)
    change(value)
    return parse_document(value).digest


def test_canonical_json_sorts_keys_and_keeps_numbers_and_letters():
    assert canonical_json({"b": [1, 1.0, None], "a": "é\n"}) == '{"a":"é\\n","b":[1,1.0,null]}'
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"a": float("nan")})


def test_defaults_written_out_and_left_out_mean_the_same():
    def write_out(value):
        value |= {"summary": "", "refusals": [], "rules": {"state": {}}, "limits": {"steps": 30}, "tasks": {}}
        value["reward"] = {"weights": {"process": 0.2}, "shaping": "none"}
        value["tools"]["get_team"] |= {"takes": "0s", "cost": 0, "page": None, "ends": False}

    assert digest(write_out) == digest()


def test_the_order_of_the_languages_own_keys_means_nothing():
    assert parse_document(dict(reversed(TINY.items()))).digest == digest()


@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(title="Other"),
        lambda value: value["world"]["tables"].update(site={"rows": [{"id": 1}]}),
        lambda value: value["world"]["tables"]["team"].update(rows=[{"name": "Billing", "id": 1}]),
        lambda value: value["world"]["tables"]["team"].update(rows=[{"id": 1.0, "name": "Billing"}]),
        lambda value: value.update(limits={"steps": 31}),
    ],
    ids=["a text", "a table", "the order of columns", "the type of a number", "a limit"],
)
def test_what_changes_the_world_or_the_work_changes_the_digest(change):
    assert digest(change) != digest()


def test_the_order_of_tables_is_part_of_the_meaning():
    def first(value):
        value["world"]["tables"] = {"site": {"rows": [{"id": 1}]}, **value["world"]["tables"]}

    def last(value):
        value["world"]["tables"]["site"] = {"rows": [{"id": 1}]}

    assert digest(first) != digest(last)


def test_a_null_that_is_a_value_is_kept():
    def column(**source):
        def change(value):
            columns = {"id": {"type": "integer", "key": True}, "note": {"type": "text", **source}}
            value["world"]["tables"]["site"] = {"rows": 3, "columns": columns}

        return change

    assert digest(column(constant=None)) != digest(column())
    assert digest(column(constant=None)) != digest(column(constant=""))


def test_the_digest_is_the_same_in_every_process():
    code = (
        "import sys; from simulator.scenario import read_scenario;sys.stdout.write(read_scenario(sys.argv[1]).digest)"
    )
    for seed in ("0", "1"):
        run = subprocess.run(
            [sys.executable, "-c", code, str(FIXTURES / "support_desk")],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == read_scenario(FIXTURES / "support_desk").digest
        assert run.stdout.startswith("sha256:")


def test_the_value_of_a_document_is_what_its_author_needed_to_write():
    scenario = parse_document(TINY)
    assert document_value(scenario.document) == TINY
