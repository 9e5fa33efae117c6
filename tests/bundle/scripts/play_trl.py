"""Run where TRL is: train steps of GRPO on what scripted attempts earn, and tell of it. Speaks JSON."""

import contextlib
import importlib
import json
import os
import sys
from dataclasses import dataclass

import trl
from tiny_model import tiny_model
from transformers.utils import get_json_schema
from trl import GRPOTrainer

from simulator.bundle.targets.trl.recipe import grpo_config
from simulator.bundle.targets.trl.tool_methods import tool_method


@dataclass
class Attempt:
    """One attempt of a batch: what the model is to say, and the tokens so far."""

    turns: list
    tokens: list


class ScriptedTrainer(GRPOTrainer):
    """Lets the model say what it is told to; all else is TRL's."""

    scripts = {}  # noqa: RUF012 - of each task, the turns of each attempt in a group

    def _generate_and_score_completions(self, inputs):
        self.tasks = [row["task"] for row in inputs]
        self.attempts = None
        return super()._generate_and_score_completions(inputs)

    def _generate_single_turn(self, prompt_ids, *_, **__):
        if self.attempts is None:
            turns = [self.scripts[task][index] for index, task in enumerate(self.tasks)]
            self.attempts = [Attempt(list(said), ids) for said, ids in zip(turns, prompt_ids, strict=True)]
        said, attempts = [], iter(self.attempts)
        for ids in prompt_ids:  # of those that go on, in order
            attempt = next(attempt for attempt in attempts if ids[: len(attempt.tokens)] == attempt.tokens)
            text = attempt.turns.pop(0) if attempt.turns else "Done."
            said.append(self._tokenizer(text + self._tokenizer.eos_token)["input_ids"])
            attempt.tokens = ids + said[-1]
        return said, None

    def _calculate_rewards(self, inputs, *arguments):
        rewards = super()._calculate_rewards(inputs, *arguments)
        for task, environment, row in zip(self.tasks, self.environments, rewards, strict=True):
            outcome = environment.outcome
            self.played.append(
                {
                    "task": task,
                    "reward": environment.get_reward(),
                    "trained_on": row.nansum().item(),
                    "digest": outcome.state_digest,
                    "success": outcome.success,
                }
            )
        return rewards


def main():
    os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
    asked = json.load(sys.stdin)
    package = importlib.import_module(asked["module"])
    ScriptedTrainer.scripts = asked["scripts"]
    rows = package.dataset("train").filter(lambda row: row["task"] in asked["scripts"])
    schemas = {}
    for name, factory in package.environment_factory.items():
        tools = [getattr(factory(), tool) for tool in asked["tools"][name]]
        schemas[name] = {tool.__name__: get_json_schema(tool) for tool in tools}
    model, tokenizer = tiny_model([json.dumps([list(rows["prompt"]), list(asked["scripts"].values()), schemas])])
    if asked.get("save"):
        model.save_pretrained(asked["save"])
        tokenizer.save_pretrained(asked["save"])
    group = len(next(iter(asked["scripts"].values())))
    config = grpo_config(
        package.MOST_STEPS, output_dir=asked["out"], max_steps=len(rows), num_generations=group,
        per_device_train_batch_size=group, shuffle_dataset=False, logging_steps=1, report_to="none", use_cpu=True,
        bf16=False, gradient_checkpointing=False, chat_template_kwargs={"enable_thinking": False}, save_strategy="no",
        learning_rate=1e-3,
    )  # fmt: skip
    trainer = ScriptedTrainer(
        model=model, args=config, train_dataset=rows, processing_class=tokenizer, reward_funcs=[package.log_score],
        environment_factory=package.environment_factory,
    )  # fmt: skip
    trainer.played = []
    before = [parameter.detach().clone() for parameter in trainer.model.parameters()]
    with contextlib.redirect_stdout(sys.stderr):
        trainer.train()
    moved = [bool((old != new).any()) for old, new in zip(before, trainer.model.parameters(), strict=True)]
    told = {
        "version": trl.__version__,
        "columns": rows.column_names,
        "schemas": schemas,
        "odd": get_json_schema(type("Odd", (), {"send": tool_method(asked["odd"])})().send),
        "played": trainer.played,
        "logs": [line for line in trainer.state.log_history if "reward" in line],
        "scale_rewards": trainer.args.scale_rewards,
        "moved": any(moved),
    }
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
