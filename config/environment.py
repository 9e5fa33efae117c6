"""Settings from environment variables: read, checked, and refused by name when they cannot be used."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

_YES = {"1", "true", "yes", "on"}
_NO = {"", "0", "false", "no", "off"}


def env_text(name: str, default: str = "") -> str:
    """The variable's text. ``NAME_FILE`` names a file that holds it instead, as container secrets do."""
    file = os.environ.get(f"{name}_FILE")
    if file:
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE names {file}, which cannot be read: {error.strerror}.") from error
    return os.environ.get(name, default)


def env_flag(name: str, *, default: bool = False) -> bool:
    """The variable as yes or no. Raises ImproperlyConfigured for any other word."""
    word = os.environ.get(name, "1" if default else "0").strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise ImproperlyConfigured(f"{name} is {word!r}; write 1 or 0.")


def env_number(name: str, default: int) -> int:
    """The variable as a whole number from 0. Raises ImproperlyConfigured for anything else."""
    word = os.environ.get(name, "").strip() or str(default)
    if not word.isdecimal():
        raise ImproperlyConfigured(f"{name} is {word!r}; write a whole number.")
    return int(word)


def env_list(name: str, default: Sequence[str] = ()) -> list[str]:
    """The variable's words between commas."""
    text = os.environ.get(name)
    return list(default) if text is None else [word.strip() for word in text.split(",") if word.strip()]


def database(url: str, data: Path) -> dict[str, Any]:
    """Django's entry for the database of ``url``, or for the SQLite file in the data folder where it is empty.

    SQLite takes the write lock when a transaction begins, so two writers wait for each other in place of failing.
    """
    if not url:
        url = f"sqlite:///{data / 'worldwright.sqlite3'}"
    parts = urlsplit(url)
    if parts.scheme == "sqlite":
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": unquote(parts.path[1:]) if parts.path.startswith("//") else unquote(parts.path),
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            },
        }
    if parts.scheme in {"postgres", "postgresql"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": unquote(parts.path.lstrip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": unquote(parts.hostname or ""),
            "PORT": str(parts.port or ""),
            "OPTIONS": dict(parse_qsl(parts.query)),
        }
    raise ImproperlyConfigured(f"DATABASE_URL begins with {parts.scheme!r}; sqlite and postgresql are known.")
