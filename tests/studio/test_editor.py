"""The editor: files are kept byte for byte, different files merge, and nobody's text is lost."""

import pytest
from django.urls import reverse

from scenarios.services.drafts import draft_contents
from scenarios.services.problems import problems_of
from tests.studio.conftest import SMALL

pytestmark = pytest.mark.django_db

NAME = "tables/shop.yaml"
TEXT = SMALL[NAME].decode()


def at(name, *rest):
    return reverse(name, args=("acme", "small-shop", *rest))


def save(client, base, text, name=NAME, **more):
    return client.post(at("editor_save"), {"base": base, "file": name, "text": text, **more})


def now(scenario):
    scenario.refresh_from_db()
    scenario.draft.refresh_from_db()
    return draft_contents(scenario)


def test_a_file_is_shown_and_saved_byte_for_byte(scenario, bob, sign_in):
    page = sign_in(bob).get(at("editor"), {"file": NAME})
    assert page.context["text"] == TEXT
    text = "# é ∑ \n" + TEXT + "\n\n"
    assert save(sign_in(bob), 1, text).status_code == 302
    assert now(scenario)[NAME] == text.encode()
    assert sign_in(bob).get(at("editor"), {"file": NAME}).context["text"] == text
    assert scenario.edited_by == bob


def test_an_unparsable_draft_is_kept_and_its_problems_are_told_with_their_places(scenario, bob, sign_in):
    assert save(sign_in(bob), 1, TEXT.replace("rows: 20", "rows: many")).status_code == 302
    page = sign_in(bob).get(at("editor"), {"file": NAME})
    assert any(problem.file == NAME and problem.line == 3 for problem in page.context["problems"])
    assert b"rows: many" in now(scenario)[NAME]
    assert scenario.facts["problems"]


def test_problems_of_sql_are_found_too_and_a_sound_draft_has_none():
    assert problems_of(SMALL) == [] or all(problem.severity == "warning" for problem in problems_of(SMALL))
    broken = {**SMALL, "tasks/shop.yaml": SMALL["tasks/shop.yaml"].replace(b"from shop_order", b"from shop_oder")}
    found = [problem for problem in problems_of(broken) if problem.severity == "error"]
    assert {problem.file for problem in found} == {"tasks/shop.yaml"}
    assert all(problem.line for problem in found)


def test_text_that_takes_too_long_or_is_too_deep_is_a_problem_and_no_more():
    (found, *_) = problems_of({"scenario.yaml": b"[" * 200_000})
    assert found.severity == "error"


def test_changes_of_different_files_merge(scenario, alice, bob, sign_in):
    assert save(sign_in(alice), 1, "# alice\n" + TEXT).status_code == 302
    tools = SMALL["tools/shop.yaml"].decode()
    assert save(sign_in(bob), 1, "# bob\n" + tools, name="tools/shop.yaml").status_code == 302
    contents = now(scenario)
    assert contents[NAME].startswith(b"# alice")
    assert contents["tools/shop.yaml"].startswith(b"# bob")


def test_the_same_file_answers_409_with_both_sides_and_keeps_the_losing_text(scenario, alice, bob, sign_in):
    save(sign_in(alice), 1, "# alice\n" + TEXT)
    answer = save(sign_in(bob), 1, "# bob\n" + TEXT)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "# alice" in page
    assert "# bob" in page
    assert now(scenario)[NAME].startswith(b"# alice")
    kept = scenario.revisions.get(kind="kept")
    assert kept.author == bob
    head = answer.context["head"].number
    assert save(sign_in(bob), head, "# alice\n# bob\n" + TEXT).status_code == 302
    assert now(scenario)[NAME].startswith(b"# alice\n# bob")


def test_the_same_change_by_two_is_no_conflict(scenario, alice, bob, sign_in):
    save(sign_in(alice), 1, "# same\n" + TEXT)
    assert save(sign_in(bob), 1, "# same\n" + TEXT).status_code == 302
    assert not scenario.revisions.filter(kind="kept").exists()


def test_files_are_added_and_deleted_and_undone(scenario, bob, sign_in):
    save(sign_in(bob), 1, "# new\n", name="rules/more.yaml")
    assert "rules/more.yaml" in now(scenario)
    save(sign_in(bob), 2, "", name="rules/more.yaml", do="delete")
    assert "rules/more.yaml" not in now(scenario)
    assert sign_in(bob).post(at("editor_restore", 2)).status_code == 302
    assert now(scenario)["rules/more.yaml"] == b"# new\n"
    assert "undone" in sign_in(bob).get(at("editor_history")).content.decode()


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", ".hidden", "a/../b", "", "x" * 300, "a\\b"])
def test_a_name_that_is_no_path_of_the_scenarios_is_refused(scenario, bob, sign_in, name):
    answer = save(sign_in(bob), 1, "x", name=name)
    assert answer.status_code == 422
    assert "x" in answer.content.decode()
    assert now(scenario) == SMALL


def test_hostile_text_stays_text(scenario, bob, sign_in):
    evil = "</textarea><script>alert(1)</script>"
    save(sign_in(bob), 1, evil)
    page = sign_in(bob).get(at("editor"), {"file": NAME}).content.decode()
    assert "<script>alert" not in page


def test_a_viewer_reads_and_does_not_save(scenario, dave, sign_in):
    assert not sign_in(dave).get(at("editor"), {"file": NAME}).context["may_edit"]
    assert save(sign_in(dave), 1, "x").status_code == 403
