"""The tables of docs/performance.md, from what the other scripts left in ``build/bench``.

``--write`` puts them into the page, between its two markers; without it they are printed.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from harness.report import RESULTS, table
from harness.worlds import ROOT

PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- tables: make bench -->", "<!-- end of the tables -->"
ORDER = ("reset", "fork", "step", "sql", "generation", "growth", "gallery", "play", "serve", "foreign")


def main() -> None:
    """Print the tables, or write them into the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put them into docs/performance.md")
    options = parser.parse_args()
    text = tables()
    if not options.write:
        print(text)
        return
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}", encoding="utf-8")


def tables() -> str:
    """The tables of all scripts that have run, and the machine of each set of results."""
    results = [json.loads(path.read_text()) for name in ORDER if (path := RESULTS / f"{name}.json").exists()]
    return "\n".join([*_machines(results), *(line for result in results for line in _section(result))])


def _machines(results: list[dict[str, Any]]) -> list[str]:
    """One line for each machine and set of versions, with the scripts that ran there."""
    scripts: dict[str, list[str]] = {}
    for result in results:
        told = "; ".join(f"{name} {value}" for name, value in result["machine"].items() if name != "load")
        scripts.setdefault(told, []).append(result["name"])
    if len(scripts) == 1:
        return [*(f"Machine: {told}." for told in scripts), ""]
    return [*(f"Machine of {', '.join(names)}: {told}.  " for told, names in scripts.items()), ""]


def _section(result: dict[str, Any]) -> list[str]:
    heading, *rows = table(result)
    lines = [f"### {result['title']}", "", f"`benchmarks/{result['name']}.py`; load {result['machine']['load']}.", ""]
    lines += [_row(heading), "|---|---|---|---|---|", *(_row(row) for row in rows), ""]
    return lines + [line for note in result["notes"] for line in (note, "")]


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
