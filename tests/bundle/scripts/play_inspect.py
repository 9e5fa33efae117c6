"""Run where Inspect is: evaluate the package's task with a model that makes recorded calls. Speaks JSON."""

import json
import os
import sys
import tempfile
from importlib.metadata import version

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate
from inspect_ai.tool import ToolCall

MODEL = "mockllm/model"
USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # told, so that no tokenizer is fetched


def output(call):
    """What a model would have said: calls come as names and arguments, or with what is wrong with their text."""
    said = ModelOutput.for_tool_call(MODEL, call["tool"], {})
    arguments = call.get("arguments", {})
    told = {"arguments": arguments} if isinstance(arguments, dict) else {"arguments": {}, "parse_error": str(arguments)}
    said.choices[0].message.tool_calls = [ToolCall(id="call", function=call["tool"], **told)]
    said.usage = USAGE
    return said


def attempt(tasks, folder, calls, asked=None, **options):
    """The samples of an evaluation in which the model makes these calls and then no more."""
    last = ModelOutput.from_content(MODEL, "That is all.")
    last.usage = USAGE

    def answer(messages, tools, tool_choice, config):
        made = sum(message.role == "assistant" for message in messages)
        return output(calls[made]) if made < len(calls) else last

    model = get_model(MODEL, custom_outputs=answer, memoize=False)
    (log,) = evaluate(
        tasks, model=model, task_args=asked or {}, log_dir=folder, display="none", log_level="error", **options
    )
    assert log.status == "success", log.error
    return log


def told(sample):
    score = sample.scores["worldwright"]
    return {
        "task": sample.id,
        "reward": score.value["reward"],
        "success": bool(score.value["success"]),
        "digest": score.metadata["state_digest"],
        "ending": score.metadata["ending"],
        "parts": score.metadata["parts"],
        "messages": [[message.role, message.text] for message in sample.messages],
    }


def main():
    asked = json.load(sys.stdin)
    os.chdir(asked["folder"])
    tasks, calls = asked["tasks"], asked["calls"]
    with tempfile.TemporaryDirectory() as folder:
        played = []
        for item in asked["play"]:
            log = attempt(tasks, folder, item["actions"], {"task_id": item["task"]})
            played.append(told(log.samples[0]))
        whole = attempt(tasks, folder, [], {"split": "test"})
        twice = attempt(tasks, folder, calls, limit=1, epochs=2)
        limited = attempt(tasks, folder, calls * 20, limit=1, message_limit=6)
        generated = attempt(tasks, folder, calls[:1], limit=1, solver=generate())
        events = [event for event in twice.samples[0].events if event.event == "model"]
        answer = {
            "version": version("inspect-ai"),
            "played": played,
            "whole": [told(sample) for sample in whole.samples],
            "metadata": [sample.metadata for sample in whole.samples],
            "means": {score.name: sorted(score.metrics) for score in whole.results.scores},
            "twice": [told(sample) for sample in twice.samples],
            "limited": told(limited.samples[0]),
            "generated": told(generated.samples[0]),
            "tools": {tool.name: tool.parameters.model_dump(exclude_none=True) for tool in events[0].tools},
            "text": json.dumps([sample.model_dump(mode="json") for sample in whole.samples]),
        }
    sys.stdout.write("\n" + json.dumps(answer))


if __name__ == "__main__":
    main()
