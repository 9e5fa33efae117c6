"""``import-rows``: rows that somebody already has become the data of a scenario's table."""

from __future__ import annotations

from pathlib import Path

from simulator.cli.failures import UnusableFile
from simulator.cli.opening import scenario_path
from simulator.cli.terminal import clean, count, near, plain_table, show, show_json, styled, write_text
from simulator.errors import ScenarioError
from simulator.world.rows_import import ImportReport
from simulator.world.rows_import import import_rows as import_file


def import_rows(given: str, table: str, file: Path, *, replace: bool, as_json: bool) -> None:
    """Write the rows into the scenario's folder; show what was understood, and the YAML that declares the table."""
    try:
        report = import_file(file, scenario_path(given), table, replace=replace)
    except ScenarioError as error:
        raise UnusableFile(error, file) from error
    if as_json:
        show_json(_json(report))
        return
    show(styled(f"{count(report.rows, 'row')} written to {near(report.data_file)}", "green"), "")
    columns = plain_table("column", "type", "", "in the file")
    for column in report.columns:
        note = "key" if column.key else "may be empty" if column.nullable else ""
        columns.add_row(clean(column.name), column.type, note, clean(column.original))
    show(columns, "", "Declare the table under `world.tables`, or in a file of the folder `tables`:", "")
    write_text(report.snippet)


def _json(report: ImportReport) -> dict[str, object]:
    return {
        "table": report.table,
        "file": str(report.data_file),
        "rows": report.rows,
        "columns": [
            {
                "name": column.name,
                "original": column.original,
                "type": column.type,
                "nullable": column.nullable,
                "key": column.key,
            }
            for column in report.columns
        ],
        "snippet": report.snippet,
    }
