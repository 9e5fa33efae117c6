"""The page a person reads first in a bundle."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.bundle.content import Content
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
    sections = "".join(f"- `targets/{target}/`: see its `README.md` for the commands\n" for target in targets)
    return f"""\
# {document.id} {document.version}

A bundle of the scenario `{document.id}`, made by Worldwright {ENGINE_VERSION}. It needs Python 3.11 or newer and
`worldwright=={ENGINE_VERSION}`: another engine may make other worlds and other scores, and refuses it.

{told}\
```sh
worldwright bundle check .      # the digests of all files, and that everything follows from the scenario
```

| split | world seeds | tasks |
|---|---|---|
{rows}

The worlds follow from the scenario and their seeds; {worlds}.

- `MANIFEST.json`: versions, digests of all files, splits, tools, reward range, resources, verification
- `agent/`: what an agent may be shown: tasks, tools, policy
- `grader/`: what it may not: the scenario with its checks and solutions, worlds, parameters. Keep it out of any image
  or prompt an agent can read
{sections}""".encode()
