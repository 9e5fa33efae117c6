"""Signing in: throttled after failures, sign-up closed unless opened, every page under a strict policy."""

import pytest
from django.test import Client

PASSWORD = "correct horse battery"


def sign_in_as(name: str, password: str) -> int:
    return Client().post("/sign-in/", {"username": name, "password": password}).status_code


def test_the_right_password_leads_to_the_workspace(workspace, alice) -> None:
    answer = Client().post("/sign-in/", {"username": "alice", "password": PASSWORD}, follow=True)
    assert answer.redirect_chain[-1] == ("/w/acme/", 302)


def test_after_too_many_failures_even_the_right_password_waits(alice, settings) -> None:
    settings.SIGN_IN_ATTEMPTS = 3
    for _ in range(3):
        assert sign_in_as("alice", "wrong") == 200
    page = Client().post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert page.status_code == 200
    assert "Too many failed sign-ins" in page.content.decode()


def test_sign_up_is_closed_unless_opened(db, settings) -> None:
    form = {"username": "frank", "password1": "a long pass phrase", "password2": "a long pass phrase"}
    assert Client().post("/sign-up/", form).status_code == 404
    settings.SIGN_UP_OPEN = True
    assert Client().post("/sign-up/", form, follow=True).redirect_chain[-1][0] == "/w/franks-workspace/"


@pytest.mark.parametrize("address", ["/sign-in/", "/w/acme/", "/w/acme/scenarios/small-shop/"])
def test_every_page_allows_no_script_but_its_own(address, scenario, alice, sign_in) -> None:
    client = Client() if address == "/sign-in/" else sign_in(alice)
    page = client.get(address)
    policy = page["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "script-src 'self'" in policy
    assert " style=" not in page.content.decode()
    assert page["X-Frame-Options"] == "DENY"
