"""Run where openreward is: serve the package, and play recorded actions with its client. Speaks JSON."""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from urllib.request import urlopen

from openreward import OpenReward


def served(url, server):
    """Wait until it answers."""
    for _ in range(600):
        assert server.poll() is None, "the server ended"
        try:
            return urlopen(url + "/health").read()
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(url)


def told(output):
    return {
        "text": "".join(block.text for block in output.blocks),
        "reward": output.reward,
        "finished": output.finished,
        **(output.metadata or {}),
    }


def play(environment, task, actions):
    with environment.session(task=task) as session:
        outputs = [told(session.call_tool(action["tool"], action["arguments"])) for action in actions]
    assert outputs[-1]["finished"]
    rewards = [output["reward"] for output in outputs]
    return {"rewards": rewards, "digest": outputs[-1]["state_digest"], "success": outputs[-1]["success"]}


def look(environment, tasks):
    """What a client is told of a task of each role, of mistakes, and when a model makes no more calls."""
    tools, prompts = {}, {}
    for task in tasks:
        with environment.session(task=task) as session:
            role = task.task_spec["role"]
            tools[role] = [{"name": tool.name, "schema": tool.input_schema} for tool in session.list_tools()]
            prompts[role] = "".join(block.text for block in session.get_prompt())
            messages = session.get_messages(format="openai")
    with environment.session(task=tasks[0]) as session:
        wrong = [
            told(session.call_tool(tool, arguments))["text"]
            for tool, arguments in (
                ("finish", {"x": 1}), ("list_tickets", {"status": 7}), ("get_ticket", {}),
                ("get_ticket", {"_schema": 1}), ("get_ticket", {"self": 1}),
                ("write_note", {"ticket_id": 1, "text": "\ud800"}), ("list_tickets", {"page": 10**30}),
            )
        ]  # fmt: skip
        unknown = []
        for tool in ("nonsense", "call", "__init__"):
            try:
                unknown.append(told(session.call_tool(tool, {})))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is shown
                unknown.append(type(error).__name__)
    with environment.session(task=tasks[0]) as session:
        session.call_tool("list_tickets", {})
        stopped = told(session.call_terminal_tool("I am done."))
    refused = []
    for spec in ({"id": "nonsense"}, {"id": 3}, {}):
        try:
            with environment.session(task=type(tasks[0])(**{**vars(tasks[0]), "task_spec": spec})) as session:
                refused.append(str(session.get_prompt()))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is shown
            refused.append(type(error).__name__)
    return {
        "tools": tools, "prompts": prompts, "messages": messages, "wrong": wrong, "unknown": unknown,
        "stopped": stopped, "refused": refused,
    }  # fmt: skip


def main():
    asked = json.load(sys.stdin)
    url = f"http://127.0.0.1:{asked['port']}"
    server = subprocess.Popen([sys.executable, "-m", asked["module"], "--port", str(asked["port"])], stdout=sys.stderr)
    try:
        served(url, server)
        client = OpenReward(api_key="none")
        environment = client.environments.get(name=asked["name"], base_url=url)
        tasks = {task.task_spec["id"]: task for task in environment.list_tasks(split="train")}
        with ThreadPoolExecutor(8) as pool:
            jobs = [pool.submit(play, environment, tasks[item["task"]], item["actions"]) for item in asked["play"]]
            played = [job.result() for job in jobs]
        roles = {task.task_spec["role"]: task for task in tasks.values()}
        answer = {
            "version": version("openreward"),
            "splits": environment.list_splits(),
            "tasks": [dict(task.task_spec) for task in tasks.values()],
            "listed": [tool.name for tool in environment.list_tools()],
            "played": played,
            **look(environment, list(roles.values())),
        }
        client.close()
    finally:
        server.terminate()
        server.wait()
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
