"""JSON that many hold and nobody may alter: the descriptions of tools, which all episodes of a role share.

Copying them at each reset would cost more than the rest of the reset. They are dicts and lists to whoever reads or
serialises them; a copy (``copy.deepcopy``, pickling) is an ordinary dict or list again.
"""

from __future__ import annotations

from typing import Any, NoReturn

from pydantic import JsonValue


def read_only(value: JsonValue) -> Any:
    """The same JSON, unalterable at every depth."""
    if isinstance(value, dict):
        return _ReadOnlyDict({name: read_only(item) for name, item in value.items()})
    if isinstance(value, list):
        return _ReadOnlyList([read_only(item) for item in value])
    return value


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError("These descriptions are shared by all episodes; alter a copy (copy.deepcopy).")


class _ReadOnlyDict(dict[str, Any]):
    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (list(self.items()),)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        return {name: _plain(item) for name, item in self.items()}


class _ReadOnlyList(list[Any]):
    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(iter(self)),)

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        return [_plain(item) for item in self]


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value
