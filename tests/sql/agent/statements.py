"""Random statements on the office: well-formed ones over every name there is, granted or not, and mutations of any."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import yaml

FIXTURES = Path(__file__).parent / "fixtures"
FOUND = FIXTURES / "found"
"""What fuzzing found, by dialect: each file is one statement."""

CORPORA = Path(__file__).parents[1] / "dialects"

COLUMNS = {
    "person": ["id", "name", "email", "salary", "team", "born"],
    "ticket": ["id", "owner_id", "title", "status", "priority", "opened_at", "urgent", "tags", "note", "cost"],
    "product": ["id", "name", "price", "stock"],
    "line": ["ticket_id", "product_id", "quantity"],
    "vault": ["id", "password"],
    "open_ticket": ["id", "title", "priority"],
    "vault_view": ["password"],
}
TABLES = [*COLUMNS, "ticket", "ticket", "product", "person", "line"]
ODD_TABLES = ["sqlite_master", "_rows", "action", "before.ticket", "main.vault", "temp.ticket", "json_each(tags)"]
LITERALS = [
    "1", "0", "-1", "3", "9223372036854775807", "1.5", "'U-1'", "'U-2'", "'open'", "'%X%'", "null", "'2026-02-10'",
    "'2026-02-03 10:00:00'", "'2026-02-03T10:00Z'", "'[1]'", "x'41'", "''", "'product 1'",
]  # fmt: skip
FUNCTIONS = [
    "abs(%s)", "upper(%s)", "length(%s)", "coalesce(%s, 1)", "json_extract(%s, '$[0]')", "json_extract('{}', %s)",
    "printf('%%s', %s)", "count(%s)", "max(%s)", "group_concat(%s)", "sum(%s)", "quote(%s)", "hex(%s)", "date(%s)",
    "json_array(%s)", "iif(%s, 1, 2)", "typeof(%s)", "sum(%s) over ()", "new_id(%s)", "random() + %s",
    "json_quote(%s)", "replace(%s, 'a', 'b')", "load_extension(%s)", "instr(%s, 'X')", "regexp_full('X.*', %s)",
]  # fmt: skip
OPERATORS = ["=", "<>", "<", ">", "<=", ">=", "like", "is", "is not", "||", "+", "*", "and", "or", "glob", "->>", "%"]


class Writer:
    """Writes random statements; the same seed, the same statement."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.aliases: list[tuple[str, str]] = []

    def statement(self) -> str:
        kind = self.random.random()
        if kind < 0.5:
            text = self.query(0)
        elif kind < 0.7:
            text = self.update()
        elif kind < 0.85:
            text = self.insert()
        else:
            text = self.delete()
        if self.random.random() < 0.2:
            name = self.random.choice(["x", "y", "vault", "ticket", "open_ticket", "_granted_run_sql_0_ticket"])
            text = f"with {self.random.choice(['', 'recursive '])}{name} as ({self.query(1)}) {text}"
        return text

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def query(self, depth: int) -> str:
        outer = list(self.aliases)
        source = self.source(depth)
        columns = (
            "*"
            if self.random.random() < 0.3
            else ", ".join(self.value(depth) for _ in range(1 + self.random.randrange(3)))
        )
        text = f"select {self.pick('', '', 'distinct ')}{columns} from {source}"
        if self.random.random() < 0.5:
            text += f" where {self.condition(depth)}"
        if self.random.random() < 0.15:
            text += f" group by {self.value(depth)} having {self.condition(depth)}"
        if depth < 2 and self.random.random() < 0.1:
            text += f" {self.pick('union', 'union all', 'except', 'intersect')} select {self.value(2)} "
            f"from {self.source(2)}"
        if self.random.random() < 0.2:
            text += f" order by {self.value(depth)}"
        if self.random.random() < 0.2:
            text += f" limit {self.pick('3', '(select count(*) from vault)', '100')}"
        self.aliases = outer
        return text

    def source(self, depth: int) -> str:
        parts = []
        for _ in range(int(self.pick(*"1112"))):
            table = self.table()
            if depth < 2 and self.random.random() < 0.1:
                table = f"({self.query(depth + 1)})"
            alias = self.pick("", "", " as a", " b", " as t", " as vault")
            self.aliases.append((alias.split()[-1] if alias else table, table))
            parts.append(table + alias)
        return self.pick(", ", " join ", " left join ", " natural join ", " cross join ").join(parts)

    def table(self) -> str:
        name = self.random.choice(TABLES if self.random.random() < 0.93 else ODD_TABLES)
        return self.spelled(name) if "(" not in name and "." not in name else name

    def spelled(self, name: str) -> str:
        how = self.random.random()
        if how < 0.8:
            return name
        return self.pick(
            f'"{name}"', f"[{name}]", f"`{name}`", f"'{name}'", name.upper(), f"main.{name}", f"main . /**/ {name}"
        )

    def column(self) -> str:
        if self.aliases and self.random.random() < 0.9:
            alias, table = self.random.choice(self.aliases)
            known = COLUMNS.get(re.sub(r"[^a-z_]", "", table.rpartition(".")[2].lower()), ["id"])
        else:
            alias, known = self.pick(*COLUMNS), COLUMNS[self.pick(*COLUMNS)]
        name = self.random.choice([*known, "rowid"] if self.random.random() < 0.05 else known)
        return f"{alias}.{name}" if self.random.random() < 0.4 and "(" not in alias and "'" not in alias else name

    def value(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.5:
            return self.column()
        if kind < 0.65:
            return self.random.choice(LITERALS)
        if kind < 0.85:
            return self.random.choice(FUNCTIONS) % self.column()
        if depth < 2 and kind < 0.95:
            return f"({self.query(depth + 1)})"
        return f"case when {self.condition(2)} then {self.column()} else {self.random.choice(LITERALS)} end"

    def condition(self, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.7:
            return f"{self.value(depth)} {self.random.choice(OPERATORS)} {self.value(depth)}"
        if kind < 0.8:
            return f"{self.column()} in {self.pick(self.table(), '(1, 2, 3)', f'({self.query(2)})')}"
        if depth < 2 and kind < 0.9:
            return f"exists ({self.query(depth + 1)})"
        return f"not {self.column()} or {self.column()} between {self.random.choice(LITERALS)} and {self.value(2)}"

    def target(self) -> tuple[str, str]:
        table = self.pick("ticket", "ticket", "product", "line", "person", "vault", "open_ticket")
        alias = self.pick("", "", "", "a")
        self.aliases = [(alias or table, table)]
        return table, self.spelled(table) + (f" as {alias}" if alias else "")

    def returning(self) -> str:
        return (
            f" returning {self.pick('*', self.column(), self.value(1), 'id, *')}" if self.random.random() < 0.4 else ""
        )

    def update(self) -> str:
        table, spelled = self.target()
        sets = ", ".join(
            f"{self.random.choice(COLUMNS[table])} = {self.value(1)}" for _ in range(1 + self.random.randrange(2))
        )
        text = f"update {self.pick('', '', 'or replace ', 'or ignore ')}{spelled} set {sets}"
        if self.random.random() < 0.2:
            text += f" from {self.source(1)}"
        if self.random.random() < 0.8:
            text += f" where {self.condition(1)}"
        return text + self.returning()

    def delete(self) -> str:
        _, spelled = self.target()
        text = f"delete from {spelled}"
        if self.random.random() < 0.8:
            text += f" where {self.condition(1)}"
        return text + self.returning()

    def insert(self) -> str:
        table, spelled = self.target()
        verb = self.pick("insert into", "insert or replace into", "replace into", "insert or ignore into")
        columns = list(COLUMNS[table])
        if self.random.random() < 0.4:
            columns = [name for name in columns if name not in ("note", "salary", "email")]
        listed = f" ({', '.join(columns)})" if self.random.random() < 0.8 else ""
        if self.random.random() < 0.5:
            rows = f"values ({', '.join(self.fitting(name) for name in columns)})"
        else:
            self.aliases, outer = [], self.aliases
            source = self.source(1)
            values = ", ".join(self.value(1) if self.random.random() < 0.3 else self.fitting(name) for name in columns)
            rows = f"select {values} from {source} where 1"
            self.aliases = outer
        text = f"{verb} {spelled}{listed} {rows}"
        if self.random.random() < 0.4:
            key = self.pick("(id)", "", "(name)", "(ticket_id, product_id)")
            value = self.pick(self.value(1), "excluded.title", "excluded.name")
            action = f"do update set {self.random.choice(COLUMNS[table])} = {value}"
            text += f" on conflict {key} {self.pick('do nothing', action, f'{action} where {self.condition(1)}')}"
        return text + self.returning()

    def fitting(self, column: str) -> str:
        known = {
            "id": ["1", "3", "500", "abs(1)"], "owner_id": ["'U-1'", "'U-1'", "'U-2'"], "priority": ["1"],
            "opened_at": ["'2026-02-10'", "datetime('now')"], "urgent": ["1", "true"], "tags": ["'[]'"],
            "cost": ["1.5"], "price": ["2"], "stock": ["3"], "quantity": ["1"], "ticket_id": ["3", "1"],
            "product_id": ["1", "29"], "salary": ["1"], "born": ["'2000-01-01'"],
        }  # fmt: skip
        return self.random.choice(known.get(column, ["'text'"])) if self.random.random() < 0.95 else self.value(1)


def corpus() -> list[str]:
    """All statements of the fixtures."""
    attacks = yaml.safe_load((FIXTURES / "attacks.yaml").read_text())
    return [text for texts in attacks.values() for text in texts] + legal()


def legal() -> list[str]:
    """The statements that must run."""
    return [text.strip() for text in (FIXTURES / "legal.sql").read_text().split("\n\n")][1:]


# The corpora of the dialects are written for another world; these are the office's names for what is there.
_OFFICE_NAMES = {
    "customer": "person", "employee": "person", "purchase": "ticket", "payment": "line", "stock": "product",
    "tier": "team", "city": "team", "joined": "born", "hired": "born", "active": "urgent", "credit": "salary",
    "bonus": "salary", "score": "salary", "profile": "tags", "sku": "name", "category": "name", "weight": "price",
    "launched": "born", "discontinued": "urgent", "customer_id": "owner_id", "placed_at": "opened_at",
    "shipped_on": "opened_at", "total": "cost", "purchase_id": "ticket_id", "position": "product_id",
    "unit_price": "quantity", "discount": "quantity", "amount": "quantity", "method": "ticket_id",
    "manager_id": "id", "department": "team", "assignee_id": "owner_id", "closed_at": "opened_at", "subject": "title",
    "warehouse": "name", "reserved": "stock", "email": "name",
}  # fmt: skip


@cache
def texts_of(dialect: str) -> list[str]:
    """What statements in a dialect are mutated from: the fixtures, and the dialect's corpus on the office's tables."""
    files = [path.read_text(encoding="utf-8") for path in sorted((CORPORA / dialect).glob("*.sql"))]
    pieces = [piece.strip() for file in files for piece in re.split(r"^-- id: .*\n", file, flags=re.MULTILINE)]
    own = [re.sub(r"\w+", lambda word: _OFFICE_NAMES.get(word[0].lower(), word[0]), piece) for piece in pieces if piece]
    # The office's own statements are written for SQLite: they should not outnumber the dialect's.
    return [*corpus(), *own * max(1, len(corpus()) // max(1, len(own)))]


def found(dialect: str) -> list[Path]:
    """The files of what fuzzing found in a dialect."""
    return sorted((FOUND / dialect).glob("*.sql"))


def mutated(seed: int, texts: list[str]) -> str:
    """One of ``texts`` with pieces taken out, doubled, swapped, or taken from another."""
    chance = random.Random(seed)
    pieces = _pieces(chance.choice(texts))
    for _ in range(1 + chance.randrange(4)):
        place = chance.randrange(len(pieces) + 1)
        kind = chance.random()
        if kind < 0.3 and place < len(pieces):
            del pieces[place]
        elif kind < 0.6:
            other = _pieces(chance.choice(texts))
            start = chance.randrange(len(other) + 1)
            pieces[place:place] = other[start : start + 1 + chance.randrange(6)]
        elif kind < 0.8 and place < len(pieces):
            pieces.insert(place, pieces[place])
        else:
            pieces.insert(
                place,
                chance.choice(
                    [
                        "(",
                        ")",
                        "'",
                        '"',
                        ";",
                        "--",
                        "/*",
                        "\x00",
                        " vault ",
                        ".",
                        "main.",
                        "\ud800",
                        "é",
                        "ticket",
                        "as",
                        "with",
                        ",",
                    ]
                ),
            )
    return "".join(pieces)


def _pieces(text: str) -> list[str]:
    return re.findall(r"\w+|\s+|.", text, re.DOTALL)


def renamed(seed: int, texts: list[str]) -> str:
    """One of ``texts`` with names of tables and columns replaced by others, so that it still reads as SQL."""
    chance = random.Random(seed)
    names = sorted({*COLUMNS, *(name for columns in COLUMNS.values() for name in columns)})
    return re.sub(
        r"\w+",
        lambda word: chance.choice(names) if word[0].lower() in names and chance.random() < 0.2 else word[0],
        chance.choice(texts),
    )


def statement(seed: int, texts: list[str]) -> str:
    """A random statement: written, mutated, with other names, or written and then mutated."""
    kind = seed % 5
    if kind < 2:
        return Writer(seed).statement()
    if kind == 2:
        return renamed(seed, texts)
    return mutated(seed, texts if kind == 3 else [Writer(seed).statement()])
