"""``make run``: one foreground process that starts everything, says what stands in the way, and ends everything."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Studio:
    """A supervisor with its output."""

    def __init__(self, data: Path, port: int) -> None:
        self.port = port
        self.log = data.with_suffix(".log")
        variables = {
            name: value for name, value in os.environ.items() if not name.startswith(("WORLDWRIGHT", "DJANGO"))
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.supervisor"],
                cwd=ROOT,
                env={**variables, "WORLDWRIGHT_DATA": str(data), "PORT": str(port), "C_FORCE_ROOT": "1"},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_until(self, text: str) -> str:
        until = time.monotonic() + 60
        while text not in self.output:
            assert self.process.poll() is None, self.output
            assert time.monotonic() < until, self.output
            time.sleep(0.1)
        return self.output

    def children(self) -> list[int]:
        listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
        pairs = [tuple(map(int, line.split())) for line in listed.splitlines()]
        return [pid for pid, parent in pairs if parent == self.process.pid]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def gone(pids: list[int]) -> bool:
    until = time.monotonic() + 10
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.1)
    return not any(map(is_alive, pids))


def ready(port: int) -> bool:
    """Whether database, broker, storage and a worker of each queue are there."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
            return answer.status == 200
    except urllib.error.URLError:
        return False


@pytest.fixture
def start(tmp_path):
    """Starts a studio on a data folder of its own and a free port."""
    studios = []

    def started(data: Path = tmp_path / "data", port: int = 0) -> Studio:
        if not port:
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                port = probe.getsockname()[1]
        studios.append(Studio(data, port))
        return studios[-1]

    yield started
    for studio in studios:
        studio.process.terminate()
        studio.process.wait(timeout=20)


def test_it_serves_prints_the_demo_once_restarts_what_crashed_and_ends_all_within_five_seconds(start, tmp_path) -> None:
    studio = start()
    output = studio.wait_until("Ctrl-C ends it")
    assert re.search(r"sign in as +demo\n +password +\S{12} ", output)
    with urllib.request.urlopen(f"http://127.0.0.1:{studio.port}/sign-in/", timeout=10) as page:
        assert page.status == 200
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600

    until = time.monotonic() + 60
    while not ready(studio.port):
        assert time.monotonic() < until, studio.output
        time.sleep(0.5)
    assert "starting it again" not in studio.output

    second = start(port=studio.port + 1)
    assert second.process.wait(timeout=60) != 0
    assert "runs already" in second.output

    victim = studio.children()[0]
    os.kill(victim, signal.SIGKILL)
    studio.wait_until("starting it again")

    children = studio.children()
    before = time.monotonic()
    studio.process.send_signal(signal.SIGINT)
    assert studio.process.wait(timeout=20) == 0
    assert time.monotonic() - before < 5
    assert gone(children)

    again = start()
    again.wait_until("Ctrl-C ends it")
    assert again.output.count("sign in as") == 1

    children = again.children()
    again.process.kill()
    again.process.wait()
    assert gone(children)


def test_a_busy_port_is_named_with_a_way_out(start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        studio = start(port=port)
        assert studio.process.wait(timeout=60) != 0
    assert f"Port {port} is in use" in studio.output
    assert f"PORT={port + 1}" in studio.output


def test_a_port_that_is_no_number_is_refused(start, monkeypatch, tmp_path) -> None:
    studio = start(port=70000)
    assert studio.process.wait(timeout=60) != 0
    assert "from 1 to 65535" in studio.output
