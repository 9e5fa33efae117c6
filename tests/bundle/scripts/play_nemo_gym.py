"""Run where NeMo Gym is: the resources server by its TestClient, played as the simple agent plays. Speaks JSON."""

import importlib.util
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

from fastapi.testclient import TestClient
from nemo_gym.base_responses_api_agent import BaseResponsesAPIAgentConfig
from nemo_gym.config_types import BaseServerConfig, DatasetConfig
from nemo_gym.openai_utils import NeMoGymResponseCreateParamsNonStreaming
from nemo_gym.server_utils import ServerClient
from omegaconf import OmegaConf

from simulator.bundle.opening import shared_bundle
from simulator.episode import workplace_of

RESPONSE = {
    "id": "r", "object": "response", "created_at": 0, "model": "m", "output": [], "parallel_tool_calls": False,
    "tool_choice": "auto", "tools": [],
}  # fmt: skip


def server_of(folder, config):
    """The class that the package's own file names, with its configuration."""
    specification = importlib.util.spec_from_file_location("app", folder / "app.py")
    app = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(app)
    kind = app.BundleResourcesServer
    settings = kind.model_fields["config"].annotation(
        **{**config, "bundle": str(folder / config["bundle"])}, name=folder.name, host="127.0.0.1", port=1
    )
    head = BaseServerConfig(host="127.0.0.1", port=2)
    return kind(
        config=settings,
        server_client=ServerClient(head_server_config=head, global_config_dict=OmegaConf.create({})),
    )


def play(app, row, actions):
    client = TestClient(app)
    client.post("/seed_session", json=row).raise_for_status()
    texts = [client.post("/" + action["tool"], json=action["arguments"]).text for action in actions]
    verified = client.post("/verify", json={**row, "response": RESPONSE})
    verified.raise_for_status()
    again = client.post("/verify", json={**row, "response": RESPONSE}).status_code
    answer = verified.json()
    return {
        **answer,
        "digest": answer["state_digest"],
        "success": bool(answer["success"]),
        "texts": texts,
        "again": again,
    }


def look(app, row):
    """What is told of mistakes and of requests that fit no episode."""
    client = TestClient(app)
    early = [
        client.post("/finish", json={}).status_code,
        client.post("/verify", json={**row, "response": RESPONSE}).status_code,
    ]
    unknown = [client.post("/seed_session", json={"task": task}).status_code for task in ("nonsense", "", 3)]
    client.post("/seed_session", json=row).raise_for_status()
    mistakes = [
        client.post(path, content=content, headers={"content-type": "application/json"})
        for path, content in (
            ("/nonsense", b"{}"), ("/finish", b"[1]"), ("/finish", b"{'x"), ("/finish", b"\xff"),
            ("/finish", b"[" * 60_000), ("/get_ticket", b""), ("/list_tickets", b'{"status": 7}'),
            ("/finish", b'{"answer": "\\ud800"}'),
        )
    ]  # fmt: skip
    return {
        "early": early,
        "unknown": unknown,
        "mistakes": [[answer.status_code, answer.text] for answer in mistakes],
    }


def faulty(app, bundle, row):
    """What the server answers once the connection to the data has died under an episode."""
    client = TestClient(app)
    client.post("/seed_session", json=row).raise_for_status()
    workplace_of(shared_bundle(bundle).world_of(row["task"])).engine.database.close()
    called = client.post("/list_tickets", json={}).status_code
    return [called, client.post("/verify", json={**row, "response": RESPONSE}).status_code]


def main():
    asked = json.load(sys.stdin)
    folder = Path(asked["folder"])
    config = OmegaConf.to_container(OmegaConf.load(folder / "configs" / f"{folder.name}.yaml"))
    server = config[folder.name]["resources_servers"][folder.name]
    agent = config[f"{folder.name}_simple_agent"]["responses_api_agents"]["simple_agent"]
    assert BaseResponsesAPIAgentConfig(**agent, name="agent", host="127.0.0.1", port=3)
    datasets = {item["name"]: DatasetConfig(**item) for item in agent["datasets"]}
    rows = {}
    for name, item in datasets.items():
        lines = (folder.parents[1] / item.jsonl_fpath).read_text().splitlines()
        rows[name] = [json.loads(line) for line in lines]
        for row in rows[name]:
            NeMoGymResponseCreateParamsNonStreaming(**row["responses_create_params"])
    app = server_of(folder, server).setup_webserver()
    of_task = {row["task"]: row for row in rows["train"]}
    with ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(play, app, of_task[item["task"]], item["actions"]) for item in asked["play"]]
        played = [job.result() for job in jobs]
    rows_of = [{**item, "_ng_task_index": number, "_ng_rollout_index": 0} for number, item in enumerate(played)]
    metrics = TestClient(app).post("/aggregate_metrics", json={"verify_responses": rows_of})
    stopped = play(app, rows["test"][0], [{"tool": "list_tickets", "arguments": {}}])
    json.dump(
        {
            "version": version("nemo-gym"),
            "types": {name: item.type for name, item in datasets.items()},
            "rows": rows,
            "played": played,
            "metrics": [metrics.status_code, metrics.json()],
            "stopped": stopped,
            **look(app, rows["example"][0]),
            "faulty": faulty(app, str(folder / server["bundle"]), rows["train"][0]),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
