"""The page a person reads first in a bundle."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.bundle.content import Content
from simulator.bundle.engine_wheel import engine_wheel
from simulator.bundle.layout import ENGINE, REQUIREMENTS
from simulator.bundle.targets import TARGETS, Target
from simulator.scenario import Scenario
from simulator.version import ENGINE_VERSION


def readme(scenario: Scenario, content: Content, targets: Sequence[str], *, frozen: bool, unverified: bool) -> bytes:
    """What the bundle is, what stands where, and the commands to check and to load it."""
    document = scenario.document
    told = "This scenario has **not been verified**.\n\n" if unverified else ""
    worlds = "their images are in `grader/worlds/`" if frozen else "they are generated when first used"
    rows = "\n".join(
        f"| {split} | {', '.join(map(str, entry.seeds)) or '-'} | {entry.tasks} |"
        for split, entry in content.splits.items()
    )
    engine = engine_wheel()
    return f"""\
# {document.id} {document.version}

A bundle of the scenario `{document.id}`, made by Worldwright {ENGINE_VERSION}. It needs Python {engine.requires_python}
and the engine it carries: another engine may make other worlds and other scores, and refuses it.

{told}\
```sh
python3 -m venv .venv
.venv/bin/pip install --require-hashes -r {REQUIREMENTS}
.venv/bin/pip install --no-deps {ENGINE}/{engine.name}
.venv/bin/worldwright bundle check .      # the digests of all files, and that everything follows from the scenario
```

| split | world seeds | tasks |
|---|---|---|
{rows}

The worlds follow from the scenario and their seeds; {worlds}.

- `engine/`: the engine's wheel, and what it runs on, by versions and hashes
- `MANIFEST.json`: versions, digests of all files, splits, tools, reward range, resources, verification
- `agent/`: what an agent may be shown: tasks, tools, policy
- `grader/`: what it may not: the scenario with its checks and solutions, worlds, parameters. Keep it out of any image
  or prompt an agent can read
{_targets(targets)}""".encode()


def _targets(targets: Sequence[str]) -> str:
    """A section for each target: what it needs, what it was tested with, and its first command."""
    if not targets:
        return ""
    rows = "".join(_row(TARGETS[name]) for name in targets)
    return f"""
## Targets

With the engine installed as above, each package's own `README.md` has the commands, to be run in its folder.

| target | needs | tested with | Python |
|---|---|---|---|
{rows}"""


def _row(target: Target) -> str:
    name = f"[{target.title}](targets/{target.name}/README.md)"
    return f"| {name} | `{target.requirement}` | {target.tested} | `{target.python}` |\n"
