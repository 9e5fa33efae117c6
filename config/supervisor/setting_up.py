"""What happens before the first page: the database is copied and migrated, and an empty one gets a demo to look at."""

from __future__ import annotations

import secrets
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import django
from django.conf import settings


def set_up() -> Demo | None:
    """Bring the database up to date; gives the demo, if this studio has one that is not finished."""
    django.setup()

    from django.core.management import call_command

    _copy_before_migrating()
    call_command("migrate", interactive=False, verbosity=0)
    return Demo.begun()


def _copy_before_migrating() -> None:
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    if connection.vendor != "sqlite" or not Path(connection.settings_dict["NAME"]).exists():
        return
    executor = MigrationExecutor(connection)
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return
    copies = settings.DATA / "backups"
    copies.mkdir(parents=True, exist_ok=True)
    path = copies / f"before-migration-{datetime.now(UTC):%Y%m%d-%H%M%S}.sqlite3"
    with sqlite3.connect(connection.settings_dict["NAME"]) as source, sqlite3.connect(path) as target:
        source.backup(target)


class Demo:
    """The demo workspace. Its world and verification are made by jobs; when they are done, its version is published."""

    username = "demo"

    def __init__(self, password: str = "") -> None:
        self.password = password

    @classmethod
    def begun(cls) -> Demo | None:
        """The demo of an empty database, made now; that of an earlier start, while it is not finished; or None."""
        from accounts.models import User
        from scenarios.services.demo import begin_demo, demo_is_unfinished

        if not User.objects.exists():
            password = secrets.token_urlsafe(9)
            begin_demo(username=cls.username, password=password)
            return cls(password)
        return cls() if demo_is_unfinished(username=cls.username) else None

    def advance(self) -> bool:
        """Do what can be done now; True when nothing is left."""
        from django.db import close_old_connections

        from scenarios.services.demo import advance_demo

        done = advance_demo(username=self.username)
        close_old_connections()
        return done
