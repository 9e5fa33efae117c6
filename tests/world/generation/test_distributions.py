from __future__ import annotations

import json
import math
import runpy
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import WorldError
from simulator.world.generation import Numbers, Stream, WeightedChoice, round_half_up, zipf_weights
from simulator.world.generation.arithmetic import exp, log, power

ROOT = Path(__file__).parents[3]
GOLDEN = Path(__file__).with_name("golden_numbers.json")
STREAM = Stream(3, "t", "c")
N = 100_000
ALL = {
    "constant": (4.5,),
    "uniform": (-2.0, 6.0),
    "normal": (10.0, 3.0),
    "lognormal": (2.5, 1.0),
    "lognormal_median": (86_400.0, 1.0),
    "exponential": (7200.0,),
    "poisson": (5.0,),
    "pareto": (3.0, 2.0),
    "zipf": (1.1, 50.0),
}


def test_exp_log_and_power_agree_with_the_mathematical_ones():
    x = np.linspace(-690, 690, 20_001)
    assert np.allclose(exp(x), np.exp(x), rtol=1e-14, atol=0)
    y = np.exp(np.linspace(-600, 600, 20_001))
    assert np.allclose(log(y), np.log(y), rtol=1e-15, atol=1e-15)
    assert np.allclose(power(y[9000:11000], 2.5), y[9000:11000] ** 2.5, rtol=1e-12, atol=0)
    assert exp(np.array([0.0, 1e9]))[0] == 1.0
    assert np.isfinite(exp(np.array([1e300, -1e300]))).all()


@pytest.mark.parametrize(
    ("name", "mean", "deviation"),
    [
        ("constant", 4.5, 0),
        ("uniform", 2, 8 / math.sqrt(12)),
        ("normal", 10, 3),
        ("lognormal", math.exp(3), math.exp(3) * math.sqrt(math.e - 1)),
        ("exponential", 7200, 7200),
        ("poisson", 5, math.sqrt(5)),
        ("pareto", 3, math.sqrt(3)),
    ],
)
def test_a_distribution_has_its_mean_and_deviation(name, mean, deviation):
    values = Numbers(name, ALL[name]).sample(STREAM, N)
    assert abs(values.mean() - mean) <= 6 * deviation / math.sqrt(N)
    assert abs(values.std() - deviation) <= 0.1 * deviation


def test_normal_quantiles_are_those_of_the_standard_library_far_into_the_tails():
    u = np.concatenate([np.linspace(0.0001, 0.9999, 5001), 2.0 ** -np.arange(2, 53), 1 - 2.0 ** -np.arange(2, 53)])
    expected = np.array(list(map(NormalDist().inv_cdf, u.tolist())))
    assert np.abs(Numbers("normal", (0, 1)).quantile(u) - expected).max() < 3e-5
    assert np.isfinite(Numbers("normal", (0, 1)).quantile(np.array([0.0, 1 - 2.0**-53]))).all()


@pytest.mark.parametrize("name", sorted(ALL))
def test_quantiles_never_fall_as_the_probability_rises(name):
    u = np.sort(STREAM.uniform(20_000))
    assert np.all(np.diff(Numbers(name, ALL[name]).quantile(u)) >= 0)


def test_the_median_of_a_lognormal_can_be_given():
    assert Numbers("lognormal_median", (86_400, 1)).quantile(np.array([0.5]))[0] == 86_400


@pytest.mark.parametrize("mean", [0.0, 0.3, 4.0, 900.0, 1_000_000.0])
def test_poisson_numbers_have_equal_mean_and_variance(mean):
    values = Numbers("poisson", (mean,)).sample_integers(STREAM, N)
    assert abs(values.mean() - mean) <= 6 * math.sqrt(mean / N)
    assert abs(values.var() - mean) <= 0.05 * mean
    assert values.min() >= 0


def test_zipf_ranks_fall_off_as_their_power():
    values = Numbers("zipf", (1.0, 10)).sample_integers(STREAM, N)
    counts = np.bincount(values, minlength=11)[1:]
    expected = N * zipf_weights(10) / sum(zipf_weights(10))
    assert np.all(np.abs(counts - expected) < 6 * np.sqrt(expected))


def test_integers_from_a_uniform_range_include_both_ends_equally():
    counts = np.bincount(Numbers("uniform", (1, 6)).sample_integers(STREAM, 60_000), minlength=7)
    assert counts[0] == 0
    assert np.all(np.abs(counts[1:] - 10_000) < 600)


def test_values_are_rounded_and_then_clipped():
    values = Numbers("lognormal", (2.5, 1.0), minimum=1, maximum=50, digits=1).sample(STREAM, 10_000)
    assert values.min() == 1
    assert values.max() == 50
    assert np.array_equal(values, np.array([float(f"{value:.1f}") for value in values.tolist()]))
    tens = Numbers("uniform", (0, 99), digits=-1).sample_integers(STREAM, 1000)
    assert set((tens % 10).tolist()) == {0}


def test_halves_round_away_from_zero():
    assert round_half_up(np.array([0.5, 1.5, 2.5, -0.5, -2.5, 0.25, 1e300])).tolist() == [1, 2, 3, -1, -3, 0, 1e300]
    assert round_half_up(np.array([0.125, -0.125, 2.0]), 2).tolist() == [0.13, -0.13, 2.0]
    assert round_half_up(np.array([15.0, 14.9]), -1).tolist() == [20, 10]
    assert math.copysign(1, round_half_up(np.array([-0.2]))[0]) == 1


@given(st.integers(-(10**9), 10**9), st.integers(0, 4))
def test_rounding_a_rounded_value_changes_nothing(whole, digits):
    value = np.array([whole / 10**digits])
    assert round_half_up(value, digits).tolist() == value.tolist()


def test_weights_are_the_shares_of_a_choice():
    picks = WeightedChoice([70, 25, 0, 5]).sample(STREAM, N)
    shares = np.bincount(picks, minlength=4) / N
    assert np.all(np.abs(shares - [0.7, 0.25, 0, 0.05]) < 0.01)
    assert shares[2] == 0
    assert WeightedChoice([1, 0]).pick(np.array([0.0, 1 - 2.0**-53])).tolist() == [0, 0]


@pytest.mark.parametrize("weights", [[], [0, 0], [1, -1], [math.nan], [math.inf], [1e308] * 3])
def test_weights_that_are_no_shares_are_refused(weights):
    with pytest.raises(WorldError, match="weights must"):
        WeightedChoice(weights)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("gauss", (1, 2), "no distribution `gauss`; there are constant, uniform"),
        ("normal", (1,), "takes 2 parameters, not 1"),
        ("uniform", (2, 1), "low is larger"),
        ("normal", (0, -1), "must not be negative"),
        ("exponential", (-1,), "must not be negative"),
        ("poisson", (2e6,), "at most 1000000"),
        ("pareto", (0,), "must be positive"),
        ("zipf", (1, 0.5), "integer from 1"),
        ("uniform", (0, math.inf), "finite"),
    ],
)
def test_impossible_parameters_are_refused_with_the_reason(name, parameters, message):
    with pytest.raises(WorldError, match=message):
        Numbers(name, parameters)


def test_bounds_that_hold_nothing_are_refused():
    with pytest.raises(WorldError, match="min 2 is larger than max 1"):
        Numbers("normal", (0, 1), minimum=2, maximum=1)
    with pytest.raises(WorldError, match="no integer between"):
        Numbers("uniform", (0.2, 0.8)).sample_integers(STREAM, 1)


def test_the_bits_of_every_distribution_are_the_committed_ones():
    # A difference here changes every generated world: it needs a new engine version, and this file written anew.
    stream = Stream(2026, "golden", "value")
    now = {name: [value.hex() for value in Numbers(name, ALL[name]).sample(stream, 6).tolist()] for name in sorted(ALL)}
    now["raw"] = [hex(word) for word in stream.raw(6).tolist()]
    now["distinct"] = list(map(str, stream.distinct(6, 1000).tolist()))
    assert now == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_committed_quantile_table_is_what_its_script_writes():
    script = runpy.run_path(str(ROOT / "scripts" / "make_quantile_tables.py"))
    assert script["table"]() == script["PATH"].read_text(encoding="utf-8")
