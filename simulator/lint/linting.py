"""The whole of lint: every check of a loaded scenario that needs no data, all problems at once."""

from __future__ import annotations

from pathlib import Path

from simulator.errors import Problem, ScenarioError
from simulator.lint.faults import check_faults
from simulator.lint.findings import Findings
from simulator.lint.naming import world_names
from simulator.lint.rules import check_rules
from simulator.lint.statements import Statements
from simulator.lint.tasks import check_tasks
from simulator.lint.tools import check_tools
from simulator.lint.twin_schema import build_twin
from simulator.lint.world import check_world
from simulator.reward import reward_problems
from simulator.rules import rule_problems
from simulator.scenario import Scenario, read_scenario
from simulator.sql.schema import build_schema
from simulator.tools import api_problems, tool_problems
from simulator.world.generation.tables import world_problems


def lint_scenario(scenario: Scenario) -> tuple[Problem, ...]:
    """Every problem of a scenario, errors and warnings, in the order of the author's files; at most 1,000.

    Names are resolved, and every SQL text is prepared on an empty database of the scenario's schema, in the scope of
    its place. What only a generated world can tell (draws without rows, checks true at reset) is not looked at.
    """
    document = scenario.document
    findings = Findings(scenario)
    schema, problems = build_schema(document)
    findings.add(problems)
    unusable = world_names(document, schema, findings)
    twin = build_twin(document, schema, unusable, findings)
    statements = Statements(twin.twin, twin.schema, twin.missing, findings)
    check_world(document.world, statements, findings)
    findings.add(world_problems(document, twin.schema))
    findings.add(tool_problems(document))
    findings.add(api_problems(document))
    operations = check_tools(document, statements, findings)
    check_faults(document, operations, findings)
    findings.add(rule_problems(document, twin.schema))
    check_rules(document.rules, statements, findings)
    check_tasks(document, operations, statements, findings)
    findings.add(reward_problems(document.reward, document.tasks))
    return findings.result()


def checked(scenario: Scenario) -> Scenario:
    """The scenario, if it can be used. Raises ScenarioError with all problems, if any is an error."""
    problems = lint_scenario(scenario)
    if any(problem.severity == "error" for problem in problems):
        raise ScenarioError(problems)
    return scenario


def load_scenario(path: str | Path) -> Scenario:
    """The scenario in a folder, a YAML or a JSON file, read and checked. Raises ScenarioError with all problems."""
    return checked(read_scenario(path))
