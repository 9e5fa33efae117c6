"""A team's whole way in a real browser: from a ready scenario to a published version and a bundle that plays."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from simulator import Environment
from simulator.bundle import check_bundle, open_bundle

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
SECONDS = 1_000


@pytest.fixture(scope="module")
def studio(tmp_path_factory):
    """``make run`` on a data folder of its own: its address, and the password of the demo's user."""
    if BROWSER is None:
        pytest.skip("there is no chromium; `make browser` installs it")
    folder = tmp_path_factory.mktemp("studio")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WORLDWRIGHT", "DJANGO"))}
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.supervisor"],
            cwd=ROOT,
            env={**kept, "WORLDWRIGHT_DATA": str(folder / "data"), "PORT": str(port), "C_FORCE_ROOT": "1"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        until = time.monotonic() + 90
        while "Ctrl-C ends it" not in log.read_text(errors="replace"):
            assert process.poll() is None, log.read_text(errors="replace")
            assert time.monotonic() < until, log.read_text(errors="replace")
            time.sleep(0.2)
        found = re.search(r"password +(\S+)", log.read_text(errors="replace"))
        assert found
        yield f"http://127.0.0.1:{port}", found[1]
    finally:
        process.terminate()
        process.wait(timeout=30)


@pytest.fixture
def page(studio):
    """A browser's page, signed in; no script of a page may fail."""
    from playwright.sync_api import sync_playwright

    address, password = studio
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_context(accept_downloads=True).new_page()
        page.set_default_timeout(30 * SECONDS)
        failures = []
        page.on("pageerror", lambda error: failures.append(str(error)))
        page.on("console", lambda message: failures.append(message.text) if message.type == "error" else None)
        page.goto(f"{address}/sign-in/")
        page.fill("input[name=username]", "demo")
        page.fill("input[name=password]", password)
        page.click("main form button")
        page.wait_for_url("**/w/**")
        yield page
        browser.close()
    assert [failure for failure in failures if "422" not in failure] == []


def test_from_the_gallery_to_a_bundle_that_plays(page, tmp_path):
    card = page.locator(".card", has_text="Incident room")
    card.get_by_role("button", name="Start from this").click()
    tabs = page.locator("nav[aria-label=Scenario]")

    tabs.get_by_text("Source").click()
    page.locator("nav[aria-label=Files]").get_by_text("scenario.yaml").click()
    right = page.input_value("#text")
    page.fill("#text", right.replace("worldwright: 1", "worldwright: 1\nnonsense: 2"))
    page.keyboard.press("Control+s")
    problem = page.locator("section[aria-label=Problems] li", has_text="nonsense")
    problem.get_by_role("link").click()
    chosen = "(area => area.value.slice(area.selectionStart, area.selectionEnd))(document.querySelector('#text'))"
    assert page.evaluate(chosen) == "nonsense: 2"
    page.fill("#text", right)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("None.").wait_for()

    tabs.get_by_text("Worlds").click()
    page.fill("input[name=seed]", "3")
    page.fill("input[name=scale]", "0.3")
    page.get_by_role("button", name="Generate").click()
    page.get_by_text("Download as SQLite").wait_for(timeout=90 * SECONDS)
    page.get_by_role("link", name="engineer", exact=True).click()
    page.locator("h1", has_text="engineer").wait_for()
    assert page.locator("tbody tr").count() > 5

    tabs.get_by_text("Versions").click()
    page.fill("input[name=message]", "The first")
    page.get_by_role("button", name="Save").click()
    for words in ("Ask for review", "Approve", "Publish"):
        page.get_by_role("button", name=words).click()
    page.get_by_text("Verify this version").wait_for()
    page.get_by_role("link", name="Verify", exact=True).click()
    assert page.input_value("select[name=subject]") == "1"
    page.fill("input[name=seeds]", "1")
    page.fill("input[name=tasks]", "1")
    page.get_by_role("button", name="Verify").click()
    page.locator("main .badge", has_text="passed").first.wait_for(timeout=300 * SECONDS)
    assert page.locator("main .badge", has_text="not passed").count() == 0

    tabs.get_by_text("Versions").click()
    page.locator("main table a").first.click()
    page.get_by_role("button", name="Publish").click()
    page.locator("h1", has_text="published").wait_for()

    tabs.get_by_text("Export").click()
    page.check("input[value=gymnasium]")
    page.fill("input[name=seeds]", "1")
    page.get_by_role("button", name="Export").click()
    link = page.get_by_text("Download the bundle")
    link.wait_for(timeout=180 * SECONDS)
    with page.expect_download() as download:
        link.click()
    bundle = tmp_path / "bundle.zip"
    download.value.save_as(bundle)
    assert check_bundle(bundle) == []
    opened = open_bundle(bundle)
    task = opened.tasks("train")[0]["id"]
    environment = Environment(opened.world_of(task))
    environment.reset(task=task)
    *_, terminated, _, _ = environment.step({"tool": "finish", "arguments": {}})
    assert terminated
