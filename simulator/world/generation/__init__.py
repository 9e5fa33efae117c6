"""What a world is made of, column by column: random streams, distributions, times, words, keys, counts and walks.

Everything here is a pure function of (seed, table, column) and gives the same bits on every machine. Sources work on
whole columns: ``n`` rows in, ``n`` values out.
"""

from simulator.world.generation.arithmetic import round_half_up
from simulator.world.generation.cardinality import Cardinality, CountChoice, child_counts, parent_positions
from simulator.world.generation.distributions import DISTRIBUTIONS, Numbers, WeightedChoice, zipf_weights
from simulator.world.generation.lifecycle import MOST_TRANSITIONS, NEVER, Step, Walks, walk
from simulator.world.generation.patterns import KeyPattern
from simulator.world.generation.people import PERSON_PROVIDERS, People
from simulator.world.generation.pools import COMMITTED_LOCALES, PoolSet
from simulator.world.generation.streams import Floats, Integers, Stream
from simulator.world.generation.templates import Template
from simulator.world.generation.texts import PROVIDERS, FakerColumn, FakerTable, check_provider
from simulator.world.generation.times import WeekShape, draw_times, format_dates, format_timestamps
from simulator.world.generation.uniqueness import number_repeats, unique_choices, unique_positions

__all__ = [
    "COMMITTED_LOCALES",
    "DISTRIBUTIONS",
    "MOST_TRANSITIONS",
    "NEVER",
    "PERSON_PROVIDERS",
    "PROVIDERS",
    "Cardinality",
    "CountChoice",
    "FakerColumn",
    "FakerTable",
    "Floats",
    "Integers",
    "KeyPattern",
    "Numbers",
    "People",
    "PoolSet",
    "Step",
    "Stream",
    "Template",
    "Walks",
    "WeekShape",
    "WeightedChoice",
    "check_provider",
    "child_counts",
    "draw_times",
    "format_dates",
    "format_timestamps",
    "number_repeats",
    "parent_positions",
    "round_half_up",
    "unique_choices",
    "unique_positions",
    "walk",
    "zipf_weights",
]
