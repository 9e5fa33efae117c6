"""A server as users run it, in processes of its own, and a client that speaks to it over one connection."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import quote, urlencode

ROOT = Path(__file__).parents[2]
KEY = "a key for tests, long enough"
ENTRY = [sys.executable, "-c", "from simulator.cli import main; main()"]
WITHIN = 60
QUERY_METHODS = ("GET", "DELETE")


@dataclass
class Answer:
    status: int
    headers: dict
    content: bytes

    @property
    def json(self):
        return json.loads(self.content)


class Client:
    """One connection; every request bears ``token`` unless it names another."""

    def __init__(self, port, token=KEY):
        self.port = port
        self.token = token
        self.connection = HTTPConnection("127.0.0.1", port, timeout=WITHIN)

    def ask(self, method, path, value=None, *, body=None, token="", headers=()):
        borne = self.token if token == "" else token
        given = {"Authorization": f"Bearer {borne}"} if borne is not None else {}
        content = body if value is None else json.dumps(value).encode()
        self.connection.request(method, path, body=content, headers={**given, **dict(headers)})
        got = self.connection.getresponse()
        return Answer(got.status, {name.lower(): text for name, text in got.getheaders()}, got.read())

    def begin(self, task, **options):
        """A new episode: what was answered, and a client of its agent."""
        made = self.ask("POST", "/worldwright/episodes", {"task": task, **options})
        assert made.status == 201, made.content
        return made.json, Client(self.port, made.json["token"])

    def tasks(self, template=None):
        listed = self.ask("GET", "/worldwright/tasks").json["tasks"]
        return [task["id"] for task in listed if template in (None, task["template"])]

    def workers(self):
        return self.ask("GET", "/worldwright/workers").json["workers"]

    def close(self):
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


@dataclass
class Server:
    process: subprocess.Popen
    port: int

    def client(self, token=KEY):
        return Client(self.port, token)

    def wait_until_ready(self, workers):
        def ready():
            try:
                with self.client() as client:
                    return client.ask("GET", "/readyz").json["workers_ready"] == workers
            except OSError:
                return False

        eventually(ready, self)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(WITHIN)


def eventually(holds, server=None):
    """Wait until something holds."""
    for _ in range(WITHIN * 20):
        if holds():
            return
        assert server is None or server.process.poll() is None, "the server ended"
        time.sleep(0.05)
    raise TimeoutError(holds)


def free_port():
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return place.getsockname()[1]


def start(given, *options, workers=1):
    """A server on a free port, which is listening."""
    port = free_port()
    command = [
        *ENTRY,
        "serve",
        str(given),
        "--port",
        str(port),
        "--workers",
        str(workers),
        *map(str, options),
        "--json",
    ]
    environment = {**os.environ, "WORLDWRIGHT_SERVER_KEY": KEY, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
    return Server(process, port)


@contextmanager
def serving(given, *options, workers=1):
    """The same, ready; stopped in the end."""
    server = start(given, *options, workers=workers)
    try:
        server.wait_until_ready(workers)
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
        server.process.communicate()


def as_request(document, action):
    """The request that an action is by the OpenAPI document: method, path, JSON body. None for what has no path."""
    arguments = action["arguments"] if isinstance(action, dict) and isinstance(action.get("arguments"), dict) else None
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if arguments is None or operation["operationId"] != action["tool"]:
                continue
            in_path = re.findall(r"\{(\w+)\}", path)
            if not set(in_path) <= arguments.keys() or "" in map(str, (arguments[name] for name in in_path)):
                return None
            filled = re.sub(r"\{(\w+)\}", lambda match: quote(_text(arguments[match[1]]), safe=""), path)
            rest = {name: value for name, value in arguments.items() if name not in in_path}
            if method.upper() not in QUERY_METHODS:
                return method.upper(), filled, rest
            query = urlencode({name: _text(value) for name, value in rest.items() if value is not None})
            return method.upper(), f"{filled}?{query}" if query else filled, None
    return None


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)
