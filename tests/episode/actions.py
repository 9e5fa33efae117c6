"""Actions for property tests: calls that fit the repair desk, and everything else a caller may hand in."""

from hypothesis import strategies as st

from tests.episode.desk import call

NUMBERS = st.sampled_from([1, 2, 5, 12, 22, 23, 40, 48, 999])
TEXTS = st.sampled_from(["works?", "done", "{", "ff", "\U0001f600", "a\u2028b", "x" * 300])
REQUESTS = st.sampled_from(["a", "b", "c"])

CALLS = st.one_of(
    st.builds(lambda n: call("get_ticket", ticket_id=n), NUMBERS),
    st.builds(lambda n, t: call("write_note", ticket_id=n, text=t), NUMBERS, TEXTS),
    st.builds(lambda n, t, r: call("write_note", ticket_id=n, text=t, request=r), NUMBERS, TEXTS, REQUESTS),
    st.builds(
        lambda n, r, a: call("refund", ticket_id=n, request=r, amount=a), NUMBERS, REQUESTS, st.sampled_from([1, 60.5])
    ),
    st.builds(
        lambda n, t: call("assign_ticket", ticket_id=n, team=t), NUMBERS, st.sampled_from(["Billing", "Field", "x"])
    ),
    st.builds(lambda n, o: call("merge_tickets", into=n, others=o), NUMBERS, st.lists(NUMBERS, max_size=4)),
    st.builds(lambda n, p: call("set_priority", ticket_id=n, priority=p), NUMBERS, st.integers(1, 3)),
    st.builds(
        lambda n, s, r: call("set_status", ticket_id=n, status=s, **({"resolution": r} if r else {})),
        NUMBERS,
        st.sampled_from(["new", "open", "pending", "closed"]),
        st.sampled_from(["", "fixed"]),
    ),
    st.builds(lambda n: call("drop_note", note_id=n), st.integers(1, 8)),
    st.builds(lambda n: call("read_extra", note_id=n), st.integers(1, 8)),
    st.builds(lambda d: call("wait", duration=d), st.sampled_from(["5m", "20m", "1h", "3h", "13d", "40d"])),
    st.sampled_from(
        [call("list_tickets", page=2), call("nonsense"), "x", None, {"tool": "get_ticket", "arguments": "{"}]
    ),
)
"""Calls of the desk's operations, most of which change something, and some mistakes; none ends the episode."""
