"""Packs: ready-made systems, written in the language itself, that a scenario names in ``world.packs``.

A pack is one YAML file beside this module. :mod:`.reading` reads it, :mod:`.composition` joins it to a document before
the document is checked, so that all that follows sees one scenario and knows nothing of packs.
"""

from simulator.scenario.packs.composition import part_at, with_packs
from simulator.scenario.packs.reading import PACKS, PACKS_FOLDER, Pack, read_pack

__all__ = ["PACKS", "PACKS_FOLDER", "Pack", "part_at", "read_pack", "with_packs"]
