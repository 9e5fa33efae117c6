"""The HTML report: what it holds, that hostile texts are only texts, and that it needs nothing from elsewhere."""

import re
from html.parser import HTMLParser

import pytest

from simulator.evaluation.verification import (
    CheckOutcome,
    CheckResult,
    Evidence,
    Finding,
    Part,
    Tally,
    VerificationReport,
    html_report,
)

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&"
VOID = {"meta", "br"}


def report(text="a text", *, severity="blocking"):
    actions = tuple({"tool": f"tool_{number}", "arguments": {"text": text}} for number in range(1, 4))
    finding = Finding("floor.null", severity, "tasks.route", text, text, Evidence(1, "w1/route/x", 1, actions, 2))
    agents = {
        name: {"passed": [share, 0, 1], "reward": [share, 0, 1]}
        for name, share in (("oracle", 1.0), ("noisy_1", 0.5), ("noisy_4", 0.25), ("null", -0.1))
    }
    tallies = tuple(Tally(name, 4, round(max(0, figures["reward"][0]) * 4)) for name, figures in agents.items())
    parts = (
        Part("floor", "route", 1, CheckResult((finding,))),
        Part("mutants", "route", 1, CheckResult((), (Tally("wrong_target", 40, 30, 2), Tally(text, 10, 10)))),
        Part("difficulty", "route", 1, CheckResult((), tallies, {"agents": agents, "structure": {"steps": 3.0}})),
        Part("cost", "route", 1, CheckResult((), (), {"reset_ms": 1.25, "generation_s": {"1": 2.5}})),
    )
    checks = (CheckOutcome("floor", text, 1, {severity: 1}), CheckOutcome("cost", "Costs", 1, {}, True))
    return VerificationReport(
        "desk", "1.0.0", text, "sha256:00", "0.1.0", (1, 2), 5, {"route": 4}, checks, parts
    )  # fmt: skip


class Balanced(HTMLParser):
    """Collects tags and attributes, and fails on one that is closed in the wrong place."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(text="a text", **changes):
    parser = Balanced()
    parser.feed(html_report(report(text, **changes)))
    parser.close()
    assert parser.open == []
    return parser


def test_it_tells_the_verdict_the_score_the_findings_and_the_cost():
    words = " ".join(parsed().text)
    for part in ("not passed", "80.0%", "floor.null", "tasks.route", "tool_2(text=", "reset_ms 1.25", "30 of 40"):
        assert part in words
    assert "✗ fails" in words


def test_only_what_blocks_fails():
    assert "not passed" not in " ".join(parsed(severity="warning").text)


def test_the_offending_step_is_marked():
    page = html_report(report())
    (marked,) = re.findall(r'<li class="here"[^>]*>(.*?)</li>', page)
    assert "tool_2" in marked


def test_every_plot_says_in_words_what_it_shows():
    page = html_report(report())
    plots = re.findall(r"<svg[^>]*>", page)
    assert len(plots) == 4
    assert all('role="img"' in plot and "aria-label=" in plot for plot in plots)
    assert "wrong_target: 30 of 40" in page
    assert "4 mistakes: 25%" in page


def test_hostile_texts_are_only_texts():
    parser = parsed(HOSTILE)
    assert not {"script", "img", "iframe", "link", "object"} & set(parser.tags)
    assert not [name for name, _ in parser.attributes if name.startswith("on") or name in ("src", "href", "style")]
    assert "<script>alert(1)</script>" in "".join(parser.text)


def test_it_loads_nothing_and_forbids_to():
    page = html_report(report())
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|//[a-z]|url\(|@import", page)


@pytest.mark.parametrize("scheme", ["light dark", "prefers-color-scheme:dark"])
def test_it_is_light_and_dark(scheme):
    assert scheme in html_report(report())


def test_a_report_without_findings_and_figures_has_no_empty_parts():
    nothing = VerificationReport("desk", "1.0.0", "Desk", "d", "e", (1,), 5, {"route": 1}, (), ())
    page = html_report(nothing)
    assert "Nothing was found." in page
    assert "<svg" not in page
