"""Run by tau2's own Python: replays and evaluates its golden trajectories, and prints the seconds of each round.

What is timed is tau2's own `EnvironmentEvaluator.calculate_reward`, which replays the calls, checks their answers,
replays the golden calls and compares the databases. It is given the trajectory that an agent making the golden calls
leaves. Its database is read from disk once and copied for each environment, which is kinder than its own way.
"""

import json
import sys
from pathlib import Path
from time import perf_counter

from loguru import logger
from tau2.data_model.message import AssistantMessage, Message, ToolCall
from tau2.data_model.tasks import Task
from tau2.domains.retail.data_model import RetailDB
from tau2.domains.retail.environment import get_environment
from tau2.domains.retail.utils import RETAIL_DB_PATH
from tau2.environment.environment import Environment
from tau2.evaluator.evaluator_env import EnvironmentEvaluator

logger.remove()
DATABASE = RetailDB.load(RETAIL_DB_PATH)


def environment(solo_mode: bool = False) -> Environment:
    """An environment of its own for each replay."""
    return get_environment(DATABASE.model_copy(deep=True), solo_mode)


def trajectory(task: Task) -> list[Message]:
    """The messages of an agent that makes the golden calls."""
    world, messages = environment(), []
    for action in task.evaluation_criteria.actions or []:
        call = ToolCall(id=action.action_id, name=action.name, arguments=action.arguments)
        messages += [AssistantMessage(role="assistant", tool_calls=[call]), world.get_response(call)]
    return messages


def main() -> None:
    """Replay every task of the file named first, as many rounds as the second argument says."""
    tasks = [Task.model_validate(task) for task in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))]
    episodes = [(task, trajectory(task)) for task in tasks]
    rounds, rewards = [], []
    for _ in range(int(sys.argv[2])):
        begun = perf_counter()
        rewards = [EnvironmentEvaluator.calculate_reward(environment, task, messages) for task, messages in episodes]
        rounds.append(perf_counter() - begun)
    print(json.dumps({"rounds": rounds, "rewarded": sum(reward.reward == 1.0 for reward in rewards)}))


main()
