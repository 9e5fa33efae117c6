from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import WorldError
from simulator.world.generation import Stream, WeekShape, draw_times, format_dates, format_timestamps

STREAM = Stream(1, "ticket", "opened_at")
FIRST, LAST = -62_135_596_800, 253_402_300_799
NOW = 1_772_442_000  # 2026-03-02 09:00:00, a Monday


def moments(times):
    return [datetime(1970, 1, 1) + timedelta(seconds=at) for at in times.tolist()]


@given(st.lists(st.integers(FIRST, LAST), max_size=30))
def test_timestamps_are_written_like_the_standard_library_writes_them(times):
    array = np.array(times, dtype=np.int64)
    assert format_timestamps(array) == [moment.isoformat(" ") for moment in moments(array)]
    assert format_dates(array // 86_400) == [moment.date().isoformat() for moment in moments(array)]


def test_a_dense_column_of_times_is_written_like_a_sparse_one():
    times = NOW + np.arange(0, 3_000_000, 977)
    assert format_timestamps(times) == [moment.isoformat(" ") for moment in moments(times)]


@pytest.mark.parametrize("at", [FIRST - 1, LAST + 1])
def test_a_time_no_text_can_hold_is_refused(at):
    with pytest.raises(WorldError, match="outside the years 1 to 9999"):
        format_timestamps(np.array([at]))
    with pytest.raises(WorldError, match="outside the years 1 to 9999"):
        format_dates(np.array([at // 86_400]))


def test_times_fall_within_their_bounds_ends_included():
    after = NOW + np.arange(2000) * 7
    drawn = draw_times(STREAM, after, after + np.arange(2000) % 3)
    offsets = drawn - after
    assert np.all((offsets >= 0) & (offsets <= np.arange(2000) % 3))
    assert set(offsets[np.arange(2000) % 3 == 2].tolist()) == {0, 1, 2}


def test_a_window_that_ends_before_it_starts_is_refused_by_row():
    with pytest.raises(WorldError, match="row 2 needs a time between 2026-03-02 09:00:00 and 2026-03-02 08:59:59"):
        draw_times(STREAM, np.array([NOW, NOW]), np.array([NOW, NOW - 1]))


def test_business_hours_hold_every_time_and_fill_each_weekday_alike():
    n = 20_000
    drawn = draw_times(STREAM, np.full(n, NOW - 364 * 86_400), np.full(n, NOW), WeekShape.business_hours())
    days = np.zeros(7, dtype=int)
    for moment in moments(drawn):
        assert 8 <= moment.hour < 18
        days[moment.weekday()] += 1
    assert days[5:].tolist() == [0, 0]
    assert np.all(np.abs(days[:5] - n / 5) < 400)


@given(st.integers(0, 14 * 86_400), st.integers(0, 3 * 86_400))
def test_shaped_times_never_leave_their_window(offset, length):
    start = np.full(20, NOW + offset)
    for shape in (WeekShape.business_hours(), WeekShape.daytime()):
        drawn = draw_times(STREAM, start, start + length, shape)
        assert np.all((drawn >= start) & (drawn <= start + length))


def test_a_window_without_business_hours_is_drawn_from_evenly():
    saturday = np.full(5000, NOW - 2 * 86_400)
    drawn = draw_times(STREAM, saturday, saturday + 86_400 - 1, WeekShape.business_hours())
    assert abs((drawn - saturday).mean() - 43_200) < 1500


def test_daytime_is_busier_than_the_night_and_the_weekend_quieter_than_the_week():
    n = 20_000
    drawn = moments(draw_times(STREAM, np.full(n, NOW - 364 * 86_400), np.full(n, NOW), WeekShape.daytime()))
    night = sum(moment.hour < 6 for moment in drawn)
    weekend = sum(moment.weekday() >= 5 for moment in drawn)
    assert 0 < night < n / 15
    assert 0.08 < weekend / n < 0.16


@pytest.mark.parametrize("weights", [[1.0] * 167, [0.0] * 168, [-1.0] * 168, [float("nan")] * 168])
def test_a_week_that_is_no_week_is_refused(weights):
    with pytest.raises(WorldError, match=r"168|positive weight"):
        WeekShape(weights)
