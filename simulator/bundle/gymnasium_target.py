"""The package that lets Gymnasium load a bundle: it registers one environment and holds no logic of its own.

Run where it lies, it finds the bundle around it; built into a wheel, it carries a copy.
"""

from __future__ import annotations

from simulator.scenario import Scenario
from simulator.version import ENGINE_VERSION

REQUIREMENT = "gymnasium>=1.2,<2"
TESTED = "1.4.0"


def module_name(scenario: Scenario) -> str:
    """The name of the package to import."""
    return f"{scenario.document.id.replace('-', '_')}_gymnasium"


def environment_id(scenario: Scenario) -> str:
    """The id under which importing the package registers the environment; its version is the scenario's first part."""
    return f"{scenario.document.id}-v{scenario.document.version.partition('.')[0]}"


def gymnasium_files(scenario: Scenario) -> dict[str, bytes]:
    """The files of the package, by name."""
    module, identifier = module_name(scenario), environment_id(scenario)
    values = {
        "project": module.replace("_", "-"),
        "version": scenario.document.version,
        "module": module,
        "id": identifier,
        "engine": ENGINE_VERSION,
        "requirement": REQUIREMENT,
        "tested": TESTED,
    }
    return {
        "pyproject.toml": _PROJECT.format_map(values).encode(),
        "README.md": _README.format_map(values).encode(),
        f"{module}/__init__.py": _MODULE.format_map(values).encode(),
    }


_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "{project}"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["worldwright=={engine}", "{requirement}"]

[tool.hatch.build]
ignore-vcs = true

[tool.hatch.build.targets.wheel]
packages = ["{module}"]

[tool.hatch.build.targets.wheel.force-include]
"../../MANIFEST.json" = "{module}/bundle/MANIFEST.json"
"../../README.md" = "{module}/bundle/README.md"
"../../agent" = "{module}/bundle/agent"
"../../grader" = "{module}/bundle/grader"
"../../targets" = "{module}/bundle/targets"
"""

_MODULE = '''\
"""Registers the environment `{id}` with Gymnasium: `gymnasium.make("{module}:{id}")`."""

from pathlib import Path

import gymnasium

from simulator.bundle.gymnasium_environment import BundleEnvironment

_here = Path(__file__).resolve().parent
BUNDLE = _here / "bundle" if (_here / "bundle").is_dir() else _here.parents[2]

__all__ = ["BUNDLE", "BundleEnvironment"]

if "{id}" not in gymnasium.registry:
    gymnasium.register("{id}", entry_point=BundleEnvironment, kwargs={{"bundle": str(BUNDLE)}})
'''

_README = """\
# {id} for Gymnasium

Tested with Gymnasium {tested}; needs `{requirement}`, the engine `worldwright=={engine}` and Python 3.11 or newer.

```sh
pip install "{requirement}" .
python -c 'import gymnasium; print(gymnasium.make("{module}:{id}").reset(seed=1)[0]["text"])'
```

An action is a text, the JSON of one call: `{{"tool": "finish", "arguments": {{}}}}`. An observation is
`{{"text": ..., "step": ...}}`; the tools are in the `info` of `reset`, as JSON, in the format of OpenAI's functions.

```python
import gymnasium

env = gymnasium.make("{module}:{id}", split="train")  # or validation, test
observation, info = env.reset(seed=1)  # the seed chooses the task; options={{"task": id}} names it
observation, reward, terminated, truncated, info = env.step('{{"tool": "finish", "arguments": {{}}}}')

envs = gymnasium.make_vec(
    "{module}:{id}", num_envs=4, vectorization_mode="async", vector_kwargs={{"shared_memory": False}}
)
```

With shared memory, Gymnasium's asynchronous environments show texts as blanks: leave it off.
"""
