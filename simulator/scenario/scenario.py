"""A scenario as the rest of the engine holds it: checked, frozen and named by its digest."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from simulator.scenario.models import ScenarioDocument
from simulator.scenario.positions import Positions


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario. Policy text, data rows and packs stand in ``document``, whatever files they came from.

    ``digest`` names its meaning (see `scenario_digest`), and scenarios of one digest are equal. ``source`` is the
    folder or file it was read from, None when it was given as a value; ``positions`` tell where each part stands there.
    """

    document: ScenarioDocument = field(compare=False)
    digest: str
    source: Path | None = field(default=None, compare=False)
    positions: Positions = field(default_factory=Positions, compare=False, repr=False)
