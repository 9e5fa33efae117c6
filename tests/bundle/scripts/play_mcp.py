"""Plays recorded calls through MCP clients, over stdio and over HTTP, and prints what came of them."""

import asyncio
import importlib.metadata
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from pathlib import Path

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SECOND = importlib.metadata.version("mcp").startswith("2.")
KEY = "the-trainers-key"
MISTAKES = (("no_such_tool", {}), ("get_ticket", {"ticket_id": "many"}), ("get_ticket", {"x": 1}))


@asynccontextmanager
async def over_stdio(module, task, result):
    words = ["-m", module, "stdio", "--task", task, "--result", result]
    server = StdioServerParameters(command=sys.executable, args=words, env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        yield session


@asynccontextmanager
async def over_http(url, token):
    headers = {"Authorization": f"Bearer {token}"}
    if SECOND:
        import httpx2 as httpx
    else:
        import httpx
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx.AsyncClient(headers=headers, timeout=30) as client,
        streamable_http_client(f"{url}/mcp", http_client=client) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        yield session


async def play(session, actions):
    """The text of each answer; what is no call cannot be sent and is left out."""
    answers = []
    for action in actions:
        result = await session.call_tool(action["tool"], action["arguments"])
        answers.append(result.content[0].text)
    return answers


def ask(url, method="GET", body=None, token=KEY):
    data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(url, data, method=method, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith(("{", "[")) and "\n" not in text else text
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def outcome(told, answers):
    return {
        "reward": told["reward"], "digest": told["state_digest"], "success": told["success"], "answers": answers,
    }  # fmt: skip


async def stdio(asked):
    with tempfile.TemporaryDirectory() as folder:
        played = []
        for item in asked["play"]:
            result = Path(folder) / "result.json"
            async with over_stdio(asked["module"], item["task"], str(result)) as session:
                answers = await play(session, item["actions"])
            for _ in range(200):
                if result.exists():
                    break
                await asyncio.sleep(0.05)
            told = json.loads(result.read_text())
            played.append(
                {
                    "reward": told["reward"],
                    "digest": told["state_digest"],
                    "success": told["success"],
                    "answers": answers,
                }
            )
            result.unlink()
        return played


async def http(asked, url):
    played = []
    for item in asked["play"]:
        status, begun = ask(f"{url}/episodes", "POST", {"task": item["task"]})
        assert status == 201, begun
        async with over_http(url, begun["token"]) as session:
            answers = await play(session, item["actions"])
        _, told = ask(f"{url}/episodes/{begun['episode']}/finish", "POST")
        played.append(outcome(told, answers))
    return played


async def others(asked, url):
    """Two episodes at once, what a client sees first, and what nobody may do."""
    task = asked["play"][0]["task"]
    one, two = (ask(f"{url}/episodes", "POST", {"task": task})[1] for _ in range(2))
    async with over_http(url, one["token"]) as first, over_http(url, two["token"]) as second:
        listed = await first.list_tools()
        prompt = await first.get_prompt("task")
        prompts = await first.list_prompts()
        mistakes = [(await first.call_tool(name, arguments)).content[0].text for name, arguments in MISTAKES]
        await first.call_tool("finish", {})
        over = (await first.call_tool("finish", {})).content[0].text
        going = (await second.call_tool("list_tickets", {})).content[0].text
    name = one["episode"]
    refused = {
        "trainer with token": ask(f"{url}/episodes/{name}/finish", "POST", token=one["token"])[0],
        "begin with token": ask(f"{url}/episodes", "POST", {"task": task}, token=one["token"])[0],
        "record with token": ask(f"{url}/episodes/{name}/trajectory", token=one["token"])[0],
        "tasks without key": ask(f"{url}/tasks", token="")[0],
        "mcp with key": ask(f"{url}/mcp", "POST", {}, token=KEY)[0],
        "mcp without": ask(f"{url}/mcp", "POST", {}, token="")[0],
        "no such task": ask(f"{url}/episodes", "POST", {"task": "w1/none"})[0],
        "no object": ask(f"{url}/episodes", "POST", [1])[0],
        "no json": ask(f"{url}/episodes", "POST", b"{")[0],
        "deep": ask(f"{url}/episodes", "POST", b"[" * 200_000)[0],
        "large": ask(f"{url}/episodes", "POST", b" " * 1_100_000)[0],
        "no such episode": ask(f"{url}/episodes/abc/finish", "POST")[0],
    }
    record = ask(f"{url}/episodes/{name}/trajectory")[1]
    ended = [ask(f"{url}/episodes/{name}", "DELETE")[0], ask(f"{url}/mcp", "POST", {}, token=one["token"])[0]]
    schema = "input_schema" if SECOND else "inputSchema"
    return {
        "tools": {tool.name: getattr(tool, schema) for tool in listed.tools},
        "begun": one["tools"],
        "prompt": prompt.messages[0].content.text,
        "prompts": [item.name for item in prompts.prompts],
        "mistakes": mistakes,
        "over": over,
        "going": going,
        "refused": refused,
        "record": [json.loads(line)["type"] for line in record.splitlines()],
        "ended": ended,
        "tasks": [item["id"] for item in ask(f"{url}/tasks?split=train")[1]],
    }


def main():
    asked = json.load(sys.stdin)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    words = [sys.executable, "-m", asked["module"], "http", "--port", str(port)]
    with subprocess.Popen(words, env={**os.environ, "WORLDWRIGHT_MCP_KEY": KEY}) as server:
        try:
            for _ in range(300):
                try:
                    if ask(f"{url}/healthz")[0] == 200:
                        break
                except OSError:
                    time.sleep(0.1)
            told = {"http": asyncio.run(http(asked, url)), "others": asyncio.run(others(asked, url))}
        finally:
            server.terminate()
    told["stdio"] = asyncio.run(stdio({**asked, "play": asked["play"][: asked["over_stdio"]]}))
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
