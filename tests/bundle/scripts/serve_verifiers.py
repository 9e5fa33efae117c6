"""Run where verifiers is: its server of tools with the state of one rollout, several calls at once. Speaks JSON."""

import asyncio
import importlib
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

from simulator.bundle.opening import shared_bundle
from simulator.bundle.targets.verifiers.attempt import AttemptState
from simulator.bundle.targets.verifiers.taskset import BundleTasksetConfig
from simulator.bundle.targets.verifiers.toolset import BundleToolsConfig, BundleToolset
from simulator.episode import workplace_of
from simulator.errors import EngineFault

CALLS = [("get_ticket", {"ticket_id": number}) for number in range(1, 7)]


class State(BaseHTTPRequestHandler):
    """The state as verifiers keeps it: whole, and the last to write it wins."""

    held = ""

    def log_message(self, *_):
        """Say nothing."""

    def do_GET(self):
        self._answer(State.held)

    def do_PUT(self):
        State.held = self.rfile.read(int(self.headers["content-length"])).decode()
        self._answer("{}")

    def _answer(self, text):
        self.send_response(200)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


def state():
    return AttemptState.model_validate_json(State.held)


async def called(toolset, *calls):
    results = await asyncio.gather(*(toolset.call_tool(name, arguments) for name, arguments in calls))
    return [result.content[0].text for result in results]


async def played(toolset, task):
    State.held = AttemptState(attempt="one", task=task.key).model_dump_json()
    told = {"at_once": await called(toolset, *CALLS), "calls": state().calls}
    kept = State.held
    told["kept"] = await called(toolset, ("write_note", {"ticket_id": 1, "text": "hello"}))
    State.held = kept  # the record of that call is lost
    told["again"] = await called(toolset, ("write_note", {"ticket_id": 1, "text": "hello"}))
    told["digest"] = state().digest
    await called(toolset, ("finish", {}), ("list_tickets", {}))
    told |= {"over": state().over, "last": state().calls[-1]}
    trace = SimpleNamespace(state=state(), info={}, record_metrics=lambda _: None)
    await task.finalize(trace, None)
    told |= {"reward": await task.score_total(trace), "record": trace.info["worldwright"]}
    return told


async def faulty(toolset, task):
    State.held = AttemptState(attempt="two", task=task.key).model_dump_json()
    await called(toolset, *CALLS[:1])
    workplace_of(shared_bundle(task.BUNDLE).world_of(task.key)).engine.database.close()
    told = {"answers": [*await called(toolset, *CALLS[:1]), *await called(toolset, *CALLS[:1])], "fault": state().fault}
    trace = SimpleNamespace(state=state(), info={})
    told["stops"] = await task.episode_over(trace)
    try:
        await task.finalize(trace, None)
    except EngineFault as error:
        told["raised"] = type(error).__name__
    return told


def main():
    asked = json.load(sys.stdin)
    taskset = importlib.import_module(asked["module"]).ScenarioTaskset
    server = ThreadingHTTPServer(("127.0.0.1", 0), State)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["VF_STATE_URL"] = f"http://127.0.0.1:{server.server_port}/state"
    os.environ["VF_STATE_SECRET"] = "secret"
    tasks = {task.key: task for task in taskset(BundleTasksetConfig()).load()}
    toolset = BundleToolset(BundleToolsConfig(bundle=tasks[asked["task"]].BUNDLE))
    told = {"played": asyncio.run(played(toolset, tasks[asked["task"]]))}
    told["faulty"] = asyncio.run(faulty(toolset, tasks[asked["task"]]))
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
