"""A document as YAML that people like to read and that `read_yaml` reads back as the same values.

Mappings and lists stand in blocks, a short one without nesting on one line (`{type: text, key: true}`); text of several
lines is a literal block; a text that would read as a number or constant is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml
from pydantic import JsonValue

from simulator.scenario.yaml_text import is_plain_text

_LONGEST_FLOW = 80
_NOT_LITERAL = re.compile("[\r\x85\u2028\u2029\t]|(?:^|\n)[ ]+(?:\n|$)|^\n|^ ")
_UNLIMITED = 2**31 - 1


def write_yaml(value: Mapping[str, JsonValue]) -> str:
    """The mapping as YAML text, its keys in their order."""
    return yaml.dump(
        dict(value), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_UNLIMITED, default_flow_style=False
    )


class _Dumper(yaml.CSafeDumper):
    def ignore_aliases(self, data: object) -> bool:
        return True


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = None
    if "\n" in text and not _NOT_LITERAL.search(text):
        style = "|"
    elif not text.isprintable() or not is_plain_text(text):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_mapping(dumper: _Dumper, value: dict[str, JsonValue]) -> yaml.MappingNode:
    flow = _fits_a_line([item for pair in value.items() for item in pair])
    return dumper.represent_mapping("tag:yaml.org,2002:map", value.items(), flow_style=flow)


def _represent_list(dumper: _Dumper, value: list[JsonValue]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=_fits_a_line(value))


def _fits_a_line(items: list[JsonValue]) -> bool:
    length = 0
    for item in items:
        if isinstance(item, (dict, list)) and item:
            return False
        length += len(str(item)) + 2
    return length <= _LONGEST_FLOW


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(dict, _represent_mapping)
_Dumper.add_representer(list, _represent_list)
