"""What is sent to harm: refused in words, at no cost to any episode, and the server goes on."""

import socket
import subprocess
import sys
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.serve.tokens import Tokens
from tests.serve.serving import KEY, ROOT

DEEP = b"[" * 200_000
LARGE = b'{"text": "' + b"x" * 1_000_000


@pytest.fixture
def episode(begun, trainer):
    """An agent, and how many steps its episode has made."""
    made, agent = begun()

    def steps():
        return trainer.ask("GET", f"/worldwright/episodes/{made['episode']}").json["steps"]

    return agent, steps


def raw(port, content, *, patient=30):
    """What comes back on a connection of its own until the server closes it or says no more."""
    with socket.create_connection(("127.0.0.1", port), timeout=patient) as place:
        place.sendall(content)
        parts = b""
        while part := place.recv(65_536):
            parts += part
            if b"\r\n\r\n" in parts and b"connection: close" not in parts.lower():
                break
        return parts


def test_what_is_no_call_is_refused_and_costs_no_step(episode):
    agent, steps = episode
    for method, path, status in (
        ("GET", "/nonsense", 404), ("GET", "/", 404), ("GET", "//", 404), ("GET", "/tickets/1/2/3/4", 404),
        ("GET", "/worldwright", 404), ("GET", "/worldwright/episodes/", 401), ("GET", "/../etc/passwd", 404),
        ("GET", "/worldwright/tools/get_ticket", 405), ("POST", "/worldwright/tools/nonsense", 404),
        ("PATCH", "/tickets", 405), ("OPTIONS", "/tickets", 405), ("HEAD", "/tickets", 405), ("BREW", "/tickets", 400),
        ("DELETE", "/worldwright/act", 405), ("POST", "/healthz", 405),
    ):  # fmt: skip
        token = None if status == 401 else ""
        answer = agent.ask(method, path, token=token)
        assert answer.status == status, (method, path, answer)
        if status == 400:
            agent.close()
    assert steps() == 0


def test_a_wrong_method_says_which_are_right(episode):
    agent, _ = episode
    assert agent.ask("PATCH", "/tickets/1/status").headers["allow"] == "PUT"
    assert agent.ask("GET", "/worldwright/act").headers["allow"] == "POST"


def test_bad_tokens_open_nothing(episode, trainer):
    agent, steps = episode
    version, name, signature = agent.token.split(".")
    bad = [
        "", "x", "ww1", "ww1..", f"ww1.{name}", f"ww1.{name}.", f"ww1.{name}.{signature[:-1]}",
        f"ww2.{name}.{signature}",
        f"ww1.{name}9.{signature}", f"ww1..{signature}", agent.token * 50, agent.token.upper(), "\xff" * 20,
        f"{version}.{name}.{signature}.{signature}",
    ]  # fmt: skip
    for token in bad:
        answer = agent.ask("GET", "/tickets", token=token or " ")
        assert answer.status == 401, token
        assert answer.headers["www-authenticate"] == "Bearer"
    for header in ({"Authorization": agent.token}, {"Authorization": f"Basic {agent.token}"}, {}):
        assert agent.ask("GET", "/tickets", token=None, headers=header).status == 401
    assert trainer.ask("GET", "/tickets").status == 403
    assert steps() == 0


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_no_token_is_made_without_the_key(version, name, signature):
    tokens, others = Tokens(KEY), Tokens(KEY + "!")
    for token in (f"{version}.{name}.{signature}", f"ww1.{name}.{signature}", others.sign(name)):
        assert tokens.episode_of(token) is None
    assert not tokens.is_server_key(name)
    if name and len(name) < 40:
        assert tokens.episode_of(tokens.sign(name)) == name


def test_the_token_of_one_episode_does_nothing_in_another(begun, trainer):
    first, one = begun("close")
    second, _ = begun("close")
    one.ask("POST", "/worldwright/tools/finish")
    scores = [
        trainer.ask("GET", f"/worldwright/episodes/{made['episode']}/score").json["over"] for made in (first, second)
    ]
    assert scores == [True, False]


@pytest.mark.parametrize(
    "body",
    [
        DEEP, b"{" * 1_000, b'{"a":' * 5_000, b"\xff\xfe", b"{", b"null", b"[]", b'"x"', b"NaN", b'{"status": NaN}',
        b'{"status": "open", "status": "new"}', b'{"status": 1' + b"0" * 5_000 + b"}", b'{"status": "\\ud800"}',
        b'{"status": "\\u0000"}', b"\x00" * 100,
    ],
)  # fmt: skip
def test_bodies_that_are_no_arguments_are_mistakes_and_answered(episode, body):
    agent, steps = episode
    answer = agent.ask("PUT", "/tickets/1/status", body=body)
    assert answer.status in (400, 422), answer
    assert answer.json["kind"] in ("malformed", "bad_arguments")
    told = agent.ask("POST", "/worldwright/act", body=body)
    assert told.status == 200
    assert told.json["observation"]["kind"] == "malformed"
    assert steps() == 2


def test_a_body_that_is_too_large_is_refused_unread(episode):
    agent, steps = episode
    head = f"POST /worldwright/act HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {agent.token}\r\n"
    told = raw(agent.port, f"{head}Content-Length: 100000000000\r\n\r\n".encode())
    assert told.startswith(b"HTTP/1.1 413 ")
    chunk = b"%x\r\n%s" % (2 * len(LARGE), LARGE)
    told = raw(agent.port, f"{head}Transfer-Encoding: chunked\r\n\r\n".encode() + chunk)
    assert told.startswith(b"HTTP/1.1 413 ")
    assert steps() == 0


@pytest.mark.parametrize(
    "body", [b"{", b"[]", DEEP, b'{"task": "x", "task": "y"}', b'{"task": "' + b"w" * 90_000 + b'"}']
)
def test_a_trainers_bodies_are_bounded_too(trainer, body):
    answer = trainer.ask("POST", "/worldwright/episodes", body=body)
    assert answer.status in (400, 404)
    assert answer.json["kind"] == "server"


def test_paths_and_queries_may_hold_anything(episode):
    agent, steps = episode
    for path in (
        "/tickets/%00", "/tickets/%ff", "/tickets/%ED%A0%80", "/tickets/" + "9" * 200, "/tickets/" + "x" * 5_000,
        "/tickets/%2e%2e", "/tickets/1%2F2", "/tickets?status=%ff", "/tickets?page=" + "9" * 40,
        "/tickets?page=1e400", "/tickets?%00=1", "/tickets?status[]=open",
    ):  # fmt: skip
        answer = agent.ask("GET", path)
        assert answer.status in (400, 422), (path, answer)
        assert answer.json["kind"] in ("malformed", "bad_arguments")
    assert agent.ask("GET", "/tickets?" + "a=1&" * 200).status == 400
    assert steps() == 12


def test_what_is_no_http_is_turned_away(server, trainer):
    for content in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n"):
        assert raw(server.port, content).startswith(b"HTTP/1.1 400")
    long_head = b"GET / HTTP/1.1\r\n" + b"".join(b"X-%d: %s\r\n" % (number, b"y" * 1_000) for number in range(200))
    with suppress(ConnectionError):  # closed while it was being sent: the same answer
        assert raw(server.port, long_head) == b""
    assert trainer.ask("GET", "/healthz").status == 200


def test_clients_that_are_slow_lose_their_connection_and_others_do_not_notice(bundle):
    with patient_server(bundle) as port, socket.create_connection(("127.0.0.1", port), timeout=30) as silent:
        started = b"POST /worldwright/episodes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + KEY.encode()
        with socket.create_connection(("127.0.0.1", port), timeout=30) as half_a_head:
            half_a_head.sendall(started)
            with socket.create_connection(("127.0.0.1", port), timeout=30) as half_a_body:
                half_a_body.sendall(started + b"\r\nContent-Length: 50\r\n\r\n{")
                assert half_a_body.recv(65_536).startswith(b"HTTP/1.1 408 ")
            assert closed(half_a_head)
        assert closed(silent)
        assert raw(port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").startswith(b"HTTP/1.1 200 ")


def closed(place):
    try:
        return place.recv(1) == b""
    except ConnectionError:
        return True


@contextmanager
def patient_server(bundle):
    """A server that gives a request one second, which the command line does not let anybody choose."""
    settings = f"bundle={str(bundle)!r}, key={KEY!r}, port=0, slowest_request=1.0"
    program = f"""
from simulator.serve import Settings, serve
serve(Settings({settings}), lambda address: print(address, flush=True))
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield int(process.stdout.readline().rpartition(":")[2])
    finally:
        process.terminate()
        process.communicate()
