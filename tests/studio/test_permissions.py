"""Who may open which page: made from the permission table and the list of URLs, so that no page is forgotten."""

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.permissions import PERMISSIONS, Role

PEOPLE = {"alice": Role.OWNER, "bob": Role.EDITOR, "carol": Role.REVIEWER, "dave": Role.VIEWER, "eve": None}
OPEN_PAGES = {"healthz", "readyz", "sign_in", "sign_out", "sign_up", "start", "invitation", "password_reset"}
"""Pages that belong to no workspace."""


def patterns(inside: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in inside.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from patterns(pattern, prefix + str(pattern.pattern))
        else:
            yield prefix + str(pattern.pattern), pattern


PAGES = [(route, pattern) for route, pattern in patterns(get_resolver()) if pattern.name not in OPEN_PAGES]
CASES = [
    pytest.param(route, pattern, method, person, id=f"{pattern.name}-{method}-{person}")
    for route, pattern in PAGES
    for method in getattr(pattern.callback, "permissions", {})
    for person in [*PEOPLE, "nobody"]
]


def address(route: str) -> str:
    """The page's address for the workspace ``acme`` and its scenario ``small-shop``; other parts name nothing."""
    words = []
    for part in route.split("/"):
        kind, _, name = part.strip("<>").partition(":") if part.startswith("<") else ("", "", "")
        named = {"workspace": "acme", "key": "small-shop"}
        words.append(named.get(name, "1" if kind == "int" else "x") if kind else part)
    return "/" + "/".join(words)


@pytest.mark.parametrize(("route", "pattern"), [pytest.param(*page, id=page[1].name) for page in PAGES])
def test_every_page_of_a_workspace_says_who_may_open_it(route: str, pattern: URLPattern) -> None:
    assert route.startswith("w/<slug:workspace>/")
    assert getattr(pattern.callback, "permissions", None), f"{pattern.name} has no workspace_page or scenario_page"


@pytest.mark.parametrize(("route", "pattern", "method", "person"), CASES)
def test_a_page_opens_for_those_who_may_and_for_nobody_else(
    route, pattern, method, person, scenario, request, sign_in
) -> None:
    client = Client() if person == "nobody" else sign_in(request.getfixturevalue(person))
    response = client.generic(method, address(route))
    role = PEOPLE.get(person)
    if person == "nobody":
        assert response.status_code == 302
        assert response["Location"].startswith("/sign-in/")
    elif role is None:
        assert response.status_code == 404
    elif role in PERMISSIONS[pattern.callback.permissions[method]]:
        assert response.status_code not in {403, 405}
        assert response.status_code < 500
    else:
        assert response.status_code == 403
