"""A workspace and its people: alice owns it, bob edits, carol reviews, dave views, and eve is an outsider."""

import atexit
import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User, Workspace
from accounts.permissions import Role
from accounts.services.workspaces import add_member, create_workspace
from scenarios.models import Scenario
from scenarios.services.drafts import start_scenario

atexit.register(shutil.rmtree, settings.DATA, ignore_errors=True)

SMALL = {
    "scenario.yaml": b"""\
worldwright: 1
id: small-shop
title: Small shop
summary: Orders are shipped once.
world:
  now: "2026-03-02 09:00:00"
""",
    "tables/shop.yaml": b"""\
shop_order:
  summary: An order of a customer.
  rows: 20
  columns:
    id: {type: integer, key: true}
    state: {type: text, choice: {open: 3, shipped: 1}}
""",
    "tools/shop.yaml": b"""\
ship_order:
  summary: Ship an open order.
  parameters:
    order_id: {type: integer}
  guards:
    - require: "(select state from shop_order where id = :order_id) = 'open'"
      else: {code: not_open, message: Only an open order can be shipped.}
  effects:
    - "update shop_order set state = 'shipped' where id = :order_id"
""",
    "tasks/shop.yaml": b"""\
ship_one:
  summary: Ship one order.
  draw: "select id as order_id from shop_order where state = 'open' order by id"
  take: 3
  instruction: "Ship order {order_id}."
  solution:
    - ship_order: {order_id: "{order_id}"}
  checks:
    shipped:
      summary: The order is shipped.
      passes: "select state = 'shipped' from shop_order where id = :order_id"
""",
}


def _user(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "correct horse battery")


@pytest.fixture
def alice(db: None) -> User:
    return _user("alice")


@pytest.fixture
def workspace(alice: User) -> Workspace:
    return create_workspace(name="Acme", owner=alice)


@pytest.fixture
def bob(workspace: Workspace) -> User:
    return add_member(workspace=workspace, user=_user("bob"), role=Role.EDITOR).user


@pytest.fixture
def carol(workspace: Workspace) -> User:
    return add_member(workspace=workspace, user=_user("carol"), role=Role.REVIEWER).user


@pytest.fixture
def dave(workspace: Workspace) -> User:
    return add_member(workspace=workspace, user=_user("dave"), role=Role.VIEWER).user


@pytest.fixture
def eve(db: None) -> User:
    eve = _user("eve")
    create_workspace(name="Elsewhere", owner=eve)
    return eve


@pytest.fixture
def sign_in():
    """A browser of somebody: ``sign_in(alice).get(url)``."""

    def signed_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return signed_in


@pytest.fixture
def small_scenario(workspace: Workspace, alice: User):
    """Makes small scenarios with a draft, quick to generate."""
    return lambda: start_scenario(workspace=workspace, contents=SMALL, user=alice)


@pytest.fixture
def scenario(small_scenario) -> Scenario:
    """The small scenario ``small-shop`` of the workspace ``acme``."""
    return small_scenario()


@pytest.fixture
def gallery_folder() -> Path:
    return settings.BASE_DIR / "scenarios" / "gallery"
