"""Why a statement is not translated. Raised inside the translation only; its caller gets the problem as data."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from simulator.sql.problems import SqlCode, SqlProblem


class Refused(Exception):  # not an error of ours: control flow up to `translate`
    """A problem, and the node it is about."""

    def __init__(self, problem: SqlProblem, node: exp.Expr | None = None) -> None:
        super().__init__(problem.message)
        self.problem = problem
        self.node = node


def refuse(
    code: SqlCode, message: str, node: exp.Expr | None, suggestion: str = "", names: Iterable[str] = ()
) -> Refused:
    """The exception to raise."""
    return Refused(SqlProblem(code, message, suggestion=suggestion, names=tuple(names)), node)


def unsupported(what: str, node: exp.Expr | None, alternative: str) -> Refused:
    """``what`` is valid in the dialect, but its meaning could not be kept; ``alternative`` says what works."""
    return refuse("sql_unsupported", f"{what} is not supported here.", node, alternative)


def mistyped(message: str, node: exp.Expr | None, hint: str = "") -> Refused:
    """The dialect itself would refuse the statement, for its types or its form."""
    return refuse("sql_syntax", message, node, hint)


def bad_value(message: str, node: exp.Expr | None) -> Refused:
    """A literal that is no value of its type."""
    return refuse("sql_value", message, node)


def only(node: exp.Expr, *allowed: str) -> None:
    """Refuse a node that carries anything beside the named arguments: what we do not look at must not be there."""
    for name, value in node.args.items():
        if name not in allowed and value not in (None, False, [], ""):
            what = f"{name.rstrip('_').replace('_', ' ').upper()} in {type(node).__name__.upper()}"
            raise unsupported(what, node, "Leave it out, or write it with joins, subqueries and CASE.")


def place(node: exp.Expr | None, source: str) -> tuple[int, int]:
    """Offset and end of a node's first and last token in ``source``; (-1, -1) where the parser has kept none."""
    if node is None:
        return -1, -1
    starts = [item.meta["start"] for item in node.walk() if "start" in item.meta]
    ends = [item.meta["end"] for item in node.walk() if "end" in item.meta]
    if starts and 0 <= min(starts) <= len(source):
        return min(starts), max(ends) + 1
    return (
        place(node.parent, source) if node.parent is not None and not isinstance(node.parent, exp.Query) else (-1, -1)
    )
