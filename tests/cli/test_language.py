"""`schema`, `reference`, `openapi`, `tools`, `import-rows`: the language for people, editors and other programs."""

import json

from simulator.scenario.packs import PACKS, read_pack


def test_the_schema_printed_is_the_one_published(run, root, tmp_path):
    published = (root / "docs/scenario.schema.json").read_text()
    assert run("schema").stdout == published
    run("schema", "--out", tmp_path / "schema.json")
    assert (tmp_path / "schema.json").read_text() == published


def test_the_reference_printed_is_the_one_published(run, run_json, root):
    published = (root / "docs/language-reference.md").read_text()
    assert run("reference").stdout == published
    assert run_json("reference") == {"markdown": published}


def test_openapi_describes_every_operation(run_json, desk):
    document = run_json("openapi", desk)
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {"/tickets/{ticket_id}", "/teams", "/tickets/{ticket_id}/assign"}


def test_tools_are_those_of_the_role(run, run_json, desk):
    def names(*words):
        return [tool["function"]["name"] for tool in run_json("tools", desk, *words)]

    assert names() == ["get_ticket", "list_teams", "finish", "wait"]
    assert names("--role", "clerk") == ["get_ticket", "list_teams", "assign_ticket", "finish", "wait"]
    assert "Did you mean `clerk`?" in run("tools", desk, "--role", "clark", exits=2).stderr


def test_imported_rows_become_data_of_the_scenario(run, run_json, own_desk, tmp_path):
    folder, file = own_desk(), tmp_path / "people.csv"
    file.write_text("Customer ID,Since,Note\nC-1,2020-01-02,\nC-2,2021-01-02,x\n")
    shown = run("import-rows", folder, "customer", file).stdout
    assert "2 rows" in shown
    snippet = shown[shown.index("customer:\n") :]
    (folder / "tables").mkdir()
    (folder / "tables" / "customer.yaml").write_text(snippet)
    assert run_json("world", folder)["tables"]["customer"] == 2
    assert "there already" in run("import-rows", folder, "customer", file, exits=2).stderr
    report = run_json("import-rows", folder, "customer", file, "--replace")
    assert [column["name"] for column in report["columns"]] == ["customer_id", "since", "note"]
    assert report["declared"]
    assert "declares the table so already" in run("import-rows", folder, "customer", file, "--replace").stdout
    file.write_text("Customer ID,Since,Note\nC-1,recently,\n")
    assert "Row 1, column since" in run("import-rows", folder, "customer", file, "--replace", exits=2).stderr
    assert run_json("world", folder)["tables"]["customer"] == 2


def test_rows_that_cannot_be_imported_are_told_with_their_place(run, run_json, own_desk, tmp_path):
    folder, file = own_desk(), tmp_path / "odd.csv"
    file.write_text("a,b\n1\n")
    assert f"{file}:2:1" in run("import-rows", folder, "customer", file, exits=2).stderr.replace("\n", "")
    problems = run_json("import-rows", folder, "customer", file, exits=2)["error"]["problems"]
    assert [problem["code"] for problem in problems] == ["data_row"]
    run("import-rows", folder, "customer", tmp_path / "none.csv", exits=2)
    run("import-rows", folder, "../x", file, exits=2)


def test_what_is_printed_is_json_also_without_being_asked(run, desk):
    for words in (("schema",), ("openapi", desk), ("tools", desk)):
        assert json.loads(run(*words).stdout) == json.loads(run(*words, "--json").stdout)


def test_imported_tasks_become_tasks_of_the_scenario(run, run_json, own_desk, tmp_path):
    folder, file = own_desk(), tmp_path / "golden.jsonl"
    task = {"id": 1, "instruction": "Who is there?", "calls": [{"tool": "list_teams", "arguments": {}}]}
    file.write_text(json.dumps(task) + "\n")
    assert "cannot be judged" in run("import-tasks", folder, "golden", file, exits=2).stderr
    file.write_text(json.dumps({**task, "answer": "Billing"}) + "\n")
    assert "1 task" in run("import-tasks", folder, "golden", file).stdout
    report = run_json("import-tasks", folder, "golden", file, "--replace")
    assert [(item["id"], item["judged_by"]) for item in report["tasks"]] == [("golden_1", "answer")]
    assert "golden_1" in run("tasks", folder).stdout
    assert f"{file}:1:1" in run("import-tasks", folder, "x", broken(file), exits=2).stderr.replace("\n", "")


def broken(file):
    file.write_text("[]\n")
    return file


def test_packs_lists_them_and_shows_one(run, run_json):
    listed = run("packs").stdout
    assert all(name in listed for name in PACKS)
    assert [item["name"] for item in run_json("packs")] == list(PACKS)
    shown = run("packs", "queue").stdout
    assert "dead_letter" in shown
    assert "POST /queues/{queue}/messages" in shown
    tables = [item["name"] for item in run_json("packs", "alerts")["tables"]]
    assert tables[0] == "service", "what a pack includes is shown with it"
    assert "alert_rule" in tables


def test_a_pack_is_printed_as_it_is_written(run, run_json):
    assert run("packs", "queue", "--yaml").stdout == read_pack("queue").text
    assert run_json("packs", "logs", "--yaml")["yaml"].keys() == {"services", "logs"}
    assert "Did you mean `queue`?" in run("packs", "queues", exits=2).stderr
    assert "Name the pack" in run("packs", "--yaml", exits=2).stderr


def test_the_diagram_shows_every_table(run, run_json, desk, tmp_path):
    text = run("diagram", desk).stdout
    assert text.startswith("erDiagram\n")
    assert "team ||--o{ ticket" in text or "team |o--o{ ticket" in text
    assert run_json("diagram", desk) == {"mermaid": text}
    run("diagram", desk, "--out", tmp_path / "diagram.mmd")
    assert (tmp_path / "diagram.mmd").read_text() == text
