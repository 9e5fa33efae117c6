"""Nothing an agent sees tells what only the author and the trainer know."""

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from simulator import Environment
from tests.episode.actions import CALLS
from tests.episode.desk import call, document, task, world

MACHINERY = re.compile(
    r"_world\b|\bbefore\.|sqlite|\bselect\b|\bjoin\b|json_each|Traceback|simulator|same_as_solution|\bapsw\b|:actor|new_id",
    re.IGNORECASE,
)


HIDDEN = {"urgency_kept", "few_notes", "no_silence_after_refund", "hidden_margin"} | {
    check["passes"]
    for template in document()["tasks"].values()
    for check in template.get("checks", {}).values()
    if "passes" in check
}
"""Texts of the scenario that no agent may see: names of checks and silent rules, hidden parameters, what checks ask."""

TALK = st.one_of(
    CALLS,
    CALLS,
    st.builds(
        lambda tool, names: call(tool, **dict.fromkeys(names, 1)),
        st.sampled_from(
            ["get_ticket", "write_note", "hand_over", "_world", "before.ticket", "action", "change", "select 1"]
        ),
        st.lists(st.sampled_from(["ticket_id", "mark", "hidden_margin", "actor", "answer", "secret"]), max_size=3),
    ),
)


@settings(max_examples=60)
@given(actions=st.lists(TALK, max_size=6), template=st.sampled_from(["reroute", "reroute", "close", "pay_too_much"]))
def test_observations_hold_no_secret(actions, template):
    env = Environment(world())
    first, _ = env.reset(task=task(template))
    mine = json.dumps(actions)
    for told in (first, *(env.step(action)[0] for action in actions), env.stop("enough")[0]):
        text = json.dumps(told, ensure_ascii=False)
        secrets = HIDDEN | {str(env.task.parameters.get("mark", "hidden_margin"))}
        assert not [secret for secret in secrets if secret in text and secret not in mine]
        found = MACHINERY.search(text)
        assert found is None or found[0] in mine, text


def test_the_instruction_shows_only_the_parameters_it_names():
    for item in world().tasks():
        if item.template == "reroute":
            told = json.dumps(Environment(world()).reset(task=item)[0])
            assert item.parameters["mark"] not in told
            assert str(item.parameters["ticket_id"]) in told


def test_the_refusals_offered_do_not_tell_whether_to_refuse():
    tools = [
        json.dumps(Environment(world()).reset(task=task(name))[0]["tools"]) for name in ("pay_back", "pay_too_much")
    ]
    assert tools[0] == tools[1]
    assert "over_limit" in tools[0]
    assert task("pay_back").split
    assert {task("pay_back").steps, task("pay_back").role} == {task("pay_too_much").steps, task("pay_too_much").role}


def test_a_violation_that_is_not_told_is_not_in_the_observation():
    env = Environment(world())
    env.reset(task=task("reroute"))
    observation, _, _, _, info = env.step(
        call("assign_ticket", ticket_id=env.task.parameters["ticket_id"], team="Billing")
    )
    assert [item["rule"] for item in info["violations"]] == ["process.look_before_assigning"]
    assert "look_before" not in json.dumps(observation)
    assert "notices" not in observation
