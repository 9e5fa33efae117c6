"""Text put together from other columns of the row: ``{first_name} {last_name} <{email}>``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from simulator.errors import WorldError

Value = str | int | float | bool | None

_PIECE = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]|[^{}]+")
_LONGEST_TEMPLATE = 10_000


class Template:
    """``{column}`` is replaced by that column's value; ``{{`` and ``}}`` are braces. Nothing else is interpreted.

    ``columns`` names the columns used, each once, in order of appearance. Raises WorldError for a stray brace.
    """

    __slots__ = ("_format", "_used", "columns")

    def __init__(self, text: str) -> None:
        if len(text) > _LONGEST_TEMPLATE:
            raise WorldError(f"a template has at most {_LONGEST_TEMPLATE} characters")
        pieces: list[str] = []
        used: list[str] = []
        for match in _PIECE.finditer(text):
            if match[1]:
                used.append(match[1])
                pieces.append("%s")
            elif match[0] in ("{", "}"):
                raise WorldError(
                    f"the template {text[:80]!r} has a stray `{match[0]}` at character {match.start() + 1}; "
                    "write {column} for a value and {{ or }} for a brace"
                )
            else:
                pieces.append(match[0].replace("{{", "{").replace("}}", "}").replace("%", "%%"))
        self._format = "".join(pieces)
        self._used = tuple(used)
        self.columns: tuple[str, ...] = tuple(dict.fromkeys(used))

    def render(self, values: Mapping[str, Sequence[Value]], n: int) -> list[str | None]:
        """``n`` texts; ``values`` holds ``n`` values for each of ``columns``.

        A row in which one of them is None gives None, as ``||`` does in SQL. Booleans read true and false.
        """
        if not self._used:
            return [self._format % ()] * n
        sources = [values[name] for name in self._used]
        return [None if None in row else self._format % tuple(map(_text, row)) for row in zip(*sources, strict=True)]


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
