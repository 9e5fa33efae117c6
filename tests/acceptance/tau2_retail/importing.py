"""The benchmark's files as a scenario's: its database as rows of tables, its tasks with their golden calls.

``python importing.py FOLDER`` makes the scenario in an empty folder, to be looked at and played with.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simulator.evaluation import TaskImportReport, import_tasks
from simulator.world.rows_import import import_rows

HERE = Path(__file__).parent
SOURCE = HERE.parents[2].parent / "shared" / "data" / "tau2-retail"
"""Where the benchmark's files are; nothing of them is kept in this project."""

ADDRESS = ("address1", "address2", "city", "country", "state", "zip")


def scenario_folder(folder: Path) -> TaskImportReport:
    """Make the scenario in ``folder``, which holds nothing yet, and tell of its tasks."""
    shutil.copy(HERE / "scenario.yaml", folder)
    shutil.copy(SOURCE / "policy.md", folder)
    for table, rows in tables(json.loads((SOURCE / "db.json").read_text())).items():
        file = folder / f"{table}.jsonl"
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        import_rows(file, folder, table)
        file.unlink()
    file = folder / "golden.jsonl"
    file.write_text("".join(f"{json.dumps(task)}\n" for task in tasks()))
    report = import_tasks(file, folder, "golden", seed=1, refusal="not_possible")
    file.unlink()
    return report


def tables(documents: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The benchmark's documents as rows."""
    found: dict[str, list[dict[str, Any]]] = {}

    def add(table: str, **row: Any) -> None:
        found.setdefault(table, []).append(row)

    for product in documents["products"].values():
        add("product", id=product["product_id"], name=product["name"])
        for variant in product["variants"].values():
            row = {key: variant[key] for key in ("options", "available", "price")}
            add("variant", id=variant["item_id"], product_id=product["product_id"], **row)
    positions: dict[str, int] = {}
    for user in documents["users"].values():
        address = {key: user["address"][key] for key in ADDRESS}
        add("customer", id=user["user_id"], **user["name"], **address, email=user["email"])
        for method in user["payment_methods"].values():
            row = {key: method.get(key) for key in ("source", "brand", "last_four", "balance")}
            add("payment_method", id=method["id"], customer_id=user["user_id"], **row)
        positions.update({order: place for place, order in enumerate(user["orders"])})
    optional = (
        "cancel_reason", "exchange_items", "exchange_new_items", "exchange_payment_method_id",
        "exchange_price_difference", "return_items", "return_payment_method_id",
    )  # fmt: skip
    for number, order in positions.items():
        document = documents["orders"][number]
        address = {key: document["address"][key] for key in ADDRESS}
        rest = {key: document.get(key) for key in optional}
        add(
            "purchase", id=number, customer_id=document["user_id"], position=order, **address,
            status=document["status"], **rest,
        )  # fmt: skip
        for item in document["items"]:
            row = {key: item[key] for key in ("name", "product_id", "item_id", "price", "options")}
            add("purchase_item", id=len(found.get("purchase_item", ())) + 1, purchase_id=number, **row)
        for shipment in document["fulfillments"]:
            row = {"tracking_ids": shipment["tracking_id"], "item_ids": shipment["item_ids"]}
            add("shipment", id=len(found.get("shipment", ())) + 1, purchase_id=number, **row)
        for payment in document["payment_history"]:
            row = {"kind": payment["transaction_type"], "amount": payment["amount"]}
            add(
                "payment", id=len(found.get("payment", ())) + 1, purchase_id=number, **row,
                method_id=payment["payment_method_id"],
            )  # fmt: skip
    return found


def tasks() -> Iterator[dict[str, Any]]:
    """The benchmark's tasks as lines for ``worldwright import-tasks``: what the customer says, and the golden calls.

    What the agent must tell the customer is looked for in the answer.
    """
    for task in json.loads((SOURCE / "tasks.json").read_text()):
        wishes = task["user_scenario"]["instructions"]
        parts = (wishes.get(key) for key in ("reason_for_call", "known_info", "unknown_info", "task_instructions"))
        criteria = task["evaluation_criteria"]
        line: dict[str, Any] = {
            "id": task["id"],
            "instruction": "\n".join(part.strip() for part in parts if part),
            "calls": [{"tool": call["name"], "arguments": call["arguments"]} for call in criteria["actions"]],
        }
        told = criteria["communicate_info"]
        if told:
            line["calls"].append({"tool": "finish", "arguments": {"answer": ", ".join(told)}})
            line["checks"] = {
                f"told_{number}": {"answer": {"pattern": f"(?is).*{re.escape(words)}.*"}}
                for number, words in enumerate(told, start=1)
            }
        yield line


if __name__ == "__main__":
    scenario_folder(Path(sys.argv[1]))
