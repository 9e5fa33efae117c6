"""Run where Inspect or Harbor is: read logs with its own readers. Speaks JSON."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path


def of_inspect(folder):
    from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

    logs = []
    for info in list_eval_logs(folder):
        log = read_eval_log(info.name)
        summaries = read_eval_log_sample_summaries(info.name)
        samples = [read_eval_log_sample(info.name, item.id, item.epoch) for item in summaries]
        assert {item.uuid for item in samples} == {item.uuid for item in log.samples}
        logs.append(
            {
                "task": info.task,
                "status": log.status,
                "model": log.eval.model,
                "means": {score.name: score.metrics["mean"].value for score in log.results.scores},
                "samples": [
                    {
                        "task": item.id,
                        "epoch": item.epoch,
                        "input": item.input,
                        "roles": [message.role for message in item.messages],
                        "calls": [
                            [call.function, call.arguments]
                            for message in item.messages
                            if message.role == "assistant"
                            for call in message.tool_calls or ()
                        ],
                        "tools": [event.function for event in item.events if event.event == "tool"],
                        "reward": item.scores["worldwright"].value["reward"],
                    }
                    for item in samples
                ],
            }
        )
    return {"logs": logs, "viewer": viewer(folder)}


def viewer(folder):
    """The logs that Inspect's own viewer, written out as a folder of a web page, holds."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "inspect_ai", "view", "bundle", "--log-dir", folder, "--output-dir", place]
        subprocess.run([*command, "--overwrite"], check=True, stdout=sys.stderr)
        assert (Path(place) / "index.html").is_file()
        return sorted(file.name for file in (Path(place) / "logs").glob("*.eval"))


def of_harbor(folder):
    from harbor.utils.trajectory_validator import TrajectoryValidator

    validator = TrajectoryValidator()
    files = sorted(Path(folder).rglob("*.json"))
    return {"valid": {str(file.relative_to(folder)): bool(validator.validate(file)) for file in files}}


def main():
    asked = json.load(sys.stdin)
    told = of_inspect(asked["folder"]) if asked["format"] == "inspect" else of_harbor(asked["folder"])
    sys.stdout.write("\n" + json.dumps(told))


if __name__ == "__main__":
    main()
