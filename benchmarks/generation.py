"""Making worlds: rows in a second, with indexes, unique columns and the foreign-key check; a million rows in all.

The peer makes the same tables one row and one value at a time: Faker and `random`, an INSERT a row into SQLite, then
the same indexes and the same check. A million rows would take it a minute, so it makes the order desk at scale 2, and
the rate of that stands for any size: an extrapolation, and a kind one, as large indexes are slower than small ones.
"""

from __future__ import annotations

import gc
import random
import sqlite3
import uuid
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from statistics import median
from time import perf_counter

from faker import Faker
from harness import SEED, Report, main, order_desk, rows_of, support_desk

from simulator import World

GOAL = 400_000
MILLION = 85.0
"""The scale of an order desk with about a million rows."""

ROUNDS = 3
SAMPLE_CUSTOMERS = 1_800

_NOW = datetime(2026, 3, 2, 9)


def measure(full: bool) -> Report:
    """Make each world in turn, several times."""
    report = Report("generation", "Making worlds")
    small = order_desk(1)  # also reads the word pools, once in a process
    cases: dict[str, Callable[[], object]] = {
        "million": lambda: order_desk(MILLION),
        "small": lambda: order_desk(1),
        "support desk": lambda: support_desk(1),
        "faker": lambda: _row_by_row(small),
    }
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    rows: dict[str, int] = {}
    for _ in range(ROUNDS):
        for name, make in cases.items():
            gc.collect()
            begun = perf_counter()
            made = make()
            seconds[name].append(perf_counter() - begun)
            rows[name] = rows_of(made) if isinstance(made, World) else int(str(made))
            del made
    rates = {name: rows[name] / median(spent) for name, spent in seconds.items()}
    times = {"Faker row by row": rates["million"] / rates["faker"]}
    report.add(f"{rows['million']:,} rows, 6 tables, 8 indexes", rates["million"], "rows/s", goal=GOAL, times=times)
    report.add("the same, fastest round", rows["million"] / min(seconds["million"]), "rows/s")
    report.add(f"the same scenario with {rows['small']:,} rows", median(seconds["small"]), "s")
    report.add(f"support_desk at scale 1, {rows['support desk']:,} rows", median(seconds["support desk"]), "s")
    report.add(f"peer: Faker row by row, a sample of {rows['faker']:,} rows", rates["faker"], "rows/s")
    return report


def _row_by_row(world: World) -> int:
    """An order desk made the usual way; how many rows it has."""
    schema = world.image.schema
    connection = sqlite3.connect(":memory:")
    for statement in schema.table_statements():
        connection.execute(statement)
    rows = 0
    for table, row in _rows():
        connection.execute(f"insert into {table} values ({', '.join('?' * len(row))})", row)
        rows += 1
    for statement in schema.index_statements():
        connection.execute(statement)
    assert connection.execute("pragma foreign_key_check").fetchone() is None
    connection.commit()
    connection.close()
    return rows


def _rows() -> Iterator[tuple[str, tuple[object, ...]]]:
    """Table and row, parents first."""
    faker = Faker(["en_US", "de_DE"])
    faker.seed_instance(SEED)
    chance = random.Random(SEED)
    for warehouse, name in enumerate(("North", "South", "East", "West"), 1):
        yield "warehouse", (warehouse, name)
    products = SAMPLE_CUSTOMERS * 250 // 900
    for product in range(1, products + 1):
        price = round(min(max(chance.lognormvariate(3, 1), 1), 5000), 2)
        yield "product", (product, f"P-{product:06d}", price, chance.randint(0, 500))
    purchase = line = 0
    for customer in range(1, SAMPLE_CUSTOMERS + 1):
        since = _NOW - timedelta(seconds=chance.randint(30 * 86400, 3 * 365 * 86400))
        tier = chance.choices(("basic", "plus", "premium"), (70, 25, 5))[0]
        yield "customer", (customer, faker.name(), faker.unique.email(), faker.city(), tier, str(since))
        for _ in range(chance.randint(2, 4)):
            purchase += 1
            placed = since + timedelta(seconds=chance.randint(0, int((_NOW - since).total_seconds())))
            status = chance.choices(("open", "packed", "shipped"), (30, 20, 50))[0]
            priority = chance.choices((1, 2, 3), (10, 30, 60))[0]
            yield "purchase", (
                purchase, customer, chance.randint(1, 4), status, priority, str(placed), faker.sentence(),
            )  # fmt: skip
            for _ in range(chance.randint(1, 3)):
                line += 1
                remark = chance.choice(("", "gift wrapping", "leave with the neighbour", "call before delivery"))
                yield "line", (line, purchase, chance.randint(1, products), chance.randint(1, 12), remark)
            method = chance.choices(("card", "invoice", "transfer"), (60, 30, 10))[0]
            yield "payment", (purchase, purchase, method, str(uuid.UUID(int=chance.getrandbits(128), version=4)))


if __name__ == "__main__":
    main(measure, __doc__)
