"""Writing datasets: ``<kind>/<split>.jsonl`` or ``.parquet`` in a new folder, the same bytes for the same trajectories.

JSON Lines are OpenAI's format, tools as a list. In Parquet tools are JSON texts: a column of lists of different schemas
would give every tool the parameters of all others, empty.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from simulator.bundle.datasets.attempts import Attempt
from simulator.bundle.datasets.records import Kind, Record, Selection, records_of
from simulator.errors import UsageError
from simulator.scenario import write_folder

Format = Literal["jsonl", "parquet"]
FORMATS: tuple[Format, ...] = ("jsonl", "parquet")

_CHATS = ("messages", "prompt", "completion", "chosen", "rejected")
_NUMBERS = ("reward", "chosen_reward", "rejected_reward", "return", "points", "episode_reward")
_COUNTS = ("turn", "difficulty")


@dataclass(frozen=True, slots=True)
class Written:
    """One file that was written, and how many records are in it."""

    file: str
    kind: Kind
    split: str
    records: int


def write_dataset(
    attempts: Sequence[Attempt],
    out: Path,
    *,
    kinds: Sequence[Kind],
    splits: Sequence[str],
    formats: Sequence[Format],
    selection: Selection,
) -> tuple[Written, ...]:
    """Write the records of each kind and split to the new folder ``out``; where there is no record, no file.

    Raises UsageError when there is no record at all, when pyarrow is missing for Parquet, and for a place that cannot
    be used.
    """
    files: dict[str, bytes] = {}
    written = []
    for kind in kinds:
        for split in splits:
            chosen = [attempt for attempt in attempts if attempt.split == split]
            records = list(records_of(kind, chosen, selection))
            for form in formats if records else ():
                name = f"{kind}/{split}.{form}"
                files[name] = _jsonl(records) if form == "jsonl" else _parquet(records)
                written.append(Written(name, kind, split, len(records)))
    if not files:
        raise UsageError(
            f"Of {len(attempts):,} scored attempts none makes a record: other splits, lower rewards or a smaller "
            "margin may."
        )
    write_folder(files, out)
    return tuple(written)


def _jsonl(records: Sequence[Record]) -> bytes:
    lines = (json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n" for record in records)
    return "".join(lines).encode("utf-8", errors="backslashreplace")


def _parquet(records: Sequence[Record]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise UsageError("Parquet needs pyarrow: install worldwright[parquet], or write JSON Lines.") from error
    text = pyarrow.string()
    function = pyarrow.struct([("name", text), ("arguments", text)])
    call = pyarrow.struct([("id", text), ("type", text), ("function", function)])
    message = pyarrow.struct(
        [("role", text), ("content", text), ("tool_calls", pyarrow.list_(call)), ("tool_call_id", text)]
    )
    types = {
        **dict.fromkeys(_CHATS, pyarrow.list_(message)),
        **dict.fromkeys(_NUMBERS, pyarrow.float64()),
        **dict.fromkeys(_COUNTS, pyarrow.int64()),
        "why": pyarrow.list_(text),
    }
    schema = pyarrow.schema([(name, types.get(name, text)) for name in records[0]])
    rows = [{name: _cell(name, value) for name, value in record.items()} for record in records]
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), sink, compression="zstd")
    content: bytes = sink.getvalue().to_pybytes()
    return content


def _cell(name: str, value: Any) -> Any:
    if name == "tools":
        return json.dumps(value, ensure_ascii=False)
    return _encodable(value)


def _encodable(value: Any) -> Any:
    """The value, with an escape for what UTF-8 has no bytes for: half a surrogate pair, which a model may write."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, Mapping):
        return {name: _encodable(item) for name, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value
