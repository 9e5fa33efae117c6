"""From a request to an operation: paths matched as the OpenAPI document writes them, values as texts.

Only what is open to an episode's role is found, so the operations of other roles are not given away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from simulator.scenario.models import Operation, ScenarioDocument


@dataclass(frozen=True, slots=True)
class Match:
    """An operation and the values of its path's placeholders, decoded texts."""

    operation: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WrongMethod:
    """The path is there, for these methods."""

    allowed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    parts: tuple[str, ...]
    operation: str
    roles: frozenset[str] | None

    def values(self, parts: tuple[str, ...]) -> dict[str, str] | None:
        """The placeholders' values when the path fits."""
        found: dict[str, str] = {}
        for own, part in zip(self.parts, parts, strict=True):
            if own.startswith("{"):
                found[own[1:-1]] = part
            elif own != part:
                return None
        return found


class Routes:
    """The operations of a scenario by method and path."""

    def __init__(self, document: ScenarioDocument) -> None:
        by_length: dict[int, list[_Route]] = {}
        for route in _routes(document):
            by_length.setdefault(len(route.parts), []).append(route)
        for routes in by_length.values():  # a fixed part goes before a placeholder: /orders/open before /orders/{id}
            routes.sort(key=lambda route: tuple(part.startswith("{") for part in route.parts))
        self._by_length = by_length

    def find(self, method: str, raw_path: bytes, role: str | None) -> Match | WrongMethod | None:
        """The operation that an agent in this role asks for. ``raw_path`` is percent-encoded, as it came."""
        parts = tuple(_decoded(part) for part in raw_path.removeprefix(b"/").split(b"/"))
        allowed: dict[str, None] = {}
        for route in self._by_length.get(len(parts), ()):
            values = route.values(parts) if route.roles is None or role in route.roles else None
            if values is not None and route.method == method:
                return Match(route.operation, values)
            if values is not None:
                allowed[route.method] = None
        return WrongMethod(tuple(allowed)) if allowed else None

    def reserved(self, prefixes: tuple[str, ...]) -> tuple[str, ...]:
        """The operations whose paths begin with one of the given first parts, which are the server's own."""
        routes = (route for routes in self._by_length.values() for route in routes)
        return tuple(route.operation for route in routes if route.parts[0] in prefixes)


def path_of(name: str, operation: Operation) -> tuple[str, str]:
    """The method and the path of an operation; without `api` it is ``POST /operations/NAME``."""
    method, _, path = (operation.api or f"POST /operations/{name}").partition(" ")
    return method, path


def _routes(document: ScenarioDocument) -> Iterator[_Route]:
    for name, tool in document.tools.items():
        if isinstance(tool, Operation):
            method, path = path_of(name, tool)
            roles = None if tool.roles is None else frozenset(tool.roles)
            yield _Route(method, tuple(path.removeprefix("/").split("/")), name, roles)


def _decoded(part: bytes) -> str:
    """A part of a path as text; bytes that are no UTF-8 stay as halves of characters, which no tool accepts."""
    return unquote_to_bytes(part).decode("utf-8", "surrogateescape")
