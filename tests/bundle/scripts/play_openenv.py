"""Run where OpenEnv is: serve the package, validate it, and play recorded actions over websockets. Speaks JSON."""

import asyncio
import json
import subprocess
import sys
import time
from importlib.metadata import version
from urllib.request import Request, urlopen

from openenv import GenericEnvClient
from openenv.core.env_server.mcp_types import CallToolAction
from openenv.core.mcp_client import MCPToolClient

OPENENV = [sys.executable, "-m", "openenv.cli", "validate"]  # a script would name the folder it was installed to


def served(url, server):
    """Wait until it answers."""
    for _ in range(600):
        assert server.poll() is None, "the server ended"
        try:
            return urlopen(url + "/health").read()
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(url)


def get(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = Request(url, data, {"content-type": "application/json"})
    return json.load(urlopen(request))


def validated(*options, folder):
    done = subprocess.run([*OPENENV, *options, "--json"], cwd=folder, capture_output=True, text=True, check=False)
    return {"code": done.returncode, "report": json.loads(done.stdout)}


async def play(url, task, actions):
    async with MCPToolClient(base_url=url) as env:
        await env.reset(task=task)
        rewards = []
        for action in actions:
            step = await env.step(CallToolAction(tool_name=action["tool"], arguments=action["arguments"]))
            rewards.append(step.reward)
        facts = step.observation.metadata
        state = await env.state()
        assert step.done
        assert state.step_count == len(actions)
        return {"rewards": rewards, "digest": facts["state_digest"], "success": facts["success"], "facts": facts}


async def look(url):
    """What a client is told, in an order of its own."""
    async with GenericEnvClient(base_url=url) as env:
        early = (await env.step({"type": "call_tool", "tool_name": "finish", "arguments": {}})).observation
        told = await env.reset(seed=1)
        tasks = [(await env.state())["task"]]
        again = await env.reset(seed=1)
        await env.reset(split="test", index=0)
        tasks.append((await env.state())["task"])
        wrong = []
        for tool, arguments in (
            ("", {}), ("nonsense", {}), ("finish", {"x": 1}), ("list_tickets", {"status": 7}), ("get_ticket", {}),
            ("write_note", {"ticket_id": 1, "text": "\ud800"}), ("list_tickets", {"page": 10**30}),
        ):  # fmt: skip
            step = await env.step({"type": "call_tool", "tool_name": tool, "arguments": arguments})
            wrong.append(step.observation["result"])
            assert not step.observation["metadata"]
        refused = []
        for options in ({"task": "nonsense"}, {"split": "nonsense"}, {"index": 10**9}, {"colour": "red"}):
            try:
                await env.reset(**options)
            except RuntimeError as error:
                refused.append(str(error))
        return {
            "early": early, "told": told.observation, "again": again.observation, "tasks": tasks, "wrong": wrong,
            "refused": refused,
        }  # fmt: skip


async def tools(url, task):
    async with MCPToolClient(base_url=url) as env:
        before = [tool.name for tool in await env.list_tools()]
        await env.reset(task=task)
        return {"before": before, "after": [tool.name for tool in await env.list_tools(use_cache=False)]}


async def answers(url, asked):
    played = await asyncio.gather(*(play(url, item["task"], item["actions"]) for item in asked["play"]))
    return {"played": played, "look": await look(url), "tools": await tools(url, asked["play"][0]["task"])}


def main():
    asked = json.load(sys.stdin)
    url, name = f"http://127.0.0.1:{asked['port']}", asked["name"]
    server = subprocess.Popen(
        [sys.executable, "-m", "server.app", "--port", str(asked["port"])], cwd=asked["folder"], stdout=sys.stderr
    )
    try:
        served(url, server)
        answer = {
            "version": version("openenv"),
            "static": validated(".", "--level", "static", "--skip-build", folder=asked["folder"]),
            "running": validated("--url", url, folder=asked["folder"]),
            "metadata": get(url + "/metadata"),
            "splits": get(f"{url}/{name}/splits"),
            "counts": {split: get(f"{url}/{name}/num_tasks", {"split": split}) for split in ("train", "test")},
            "task": get(f"{url}/{name}/task", {"split": "train", "index": 1}),
            "tasks": get(f"{url}/{name}/tasks", {"split": "train"}),
            **asyncio.run(answers(url, asked)),
        }
    finally:
        server.terminate()
        server.wait()
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
