"""The author's guide, followed to the letter: its files are written, its commands run, its outputs compared."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import apsw
import pytest
from typer.testing import CliRunner

from simulator import Environment, generate_world, load_scenario
from simulator.agents import NullAgent, OracleAgent, ScriptedAgent, finish, play
from simulator.cli.application import app
from simulator.errors import ScenarioError
from simulator.lint import lint_scenario
from simulator.scenario import read_scenario
from simulator.scenario.models import Operation, TaskTemplate
from simulator.scenario.models.rules import TEMPLATES
from simulator.scenario.models.sources import SOURCE_NAMES
from simulator.tools.verdicts import Kind

GUIDE = Path(__file__).parents[2] / "docs" / "scenarios.md"
FOLDER = "hire_desk"
SEEDS = (7, 8, 9)

_FENCE = re.compile(r'^```(?P<language>\w+)?(?: (?P<how>title|append)="(?P<file>[^"]+)")?$')


@dataclass(frozen=True)
class Block:
    """A fenced block of the guide, or a heading (``language`` "heading"); ``line`` is that of its first line."""

    line: int
    language: str
    text: str
    how: str = ""
    file: str = ""
    before: str = ""


def blocks_of(guide: str) -> Iterator[Block]:
    """The guide's headings and fenced blocks in order; ``before`` is the prose since the block before."""
    lines = guide.splitlines()
    position, prose = 0, []
    while position < len(lines):
        line = lines[position]
        fence = _FENCE.match(line)
        if fence:
            end = lines.index("```", position + 1)
            text = "".join(f"{inner}\n" for inner in lines[position + 1 : end])
            yield Block(
                position + 2, fence["language"] or "", text, fence["how"] or "", fence["file"] or "", "\n".join(prose)
            )
            position, prose = end, []
        elif line.startswith("## "):
            yield Block(position + 1, "heading", line)
            prose = []
        else:
            prose.append(line)
        position += 1


BLOCKS = tuple(blocks_of(GUIDE.read_text(encoding="utf-8")))
FILES = [block for block in BLOCKS if block.file]


@dataclass(frozen=True)
class Shown:
    """What the guide says is printed, and what is."""

    line: int
    source: str
    want: str
    got: str


class Follower:
    """Follows the guide in an empty folder and notes what comes of it."""

    def __init__(self) -> None:
        self.shown: list[Shown] = []
        self.problems: dict[str, list[str]] = {}
        self._section = ""
        self._globals: dict[str, object] = {}

    def follow(self) -> None:
        """Every block of the guide in order; the scenario is checked at the end of each section."""
        for block in BLOCKS:
            if block.language == "heading":
                self._check()
                self._section = block.text
            elif block.file:
                self._write(block)
            elif block.language == "console":
                self._console(block)
            elif block.language == "pycon":
                self._python(block)
        self._check()

    def _write(self, block: Block) -> None:
        path = Path(FOLDER, block.file)
        path.parent.mkdir(parents=True, exist_ok=True)
        assert path.exists() == (block.how == "append"), f"line {block.line}: {path}"
        with path.open("a", encoding="utf-8") as file:
            file.write(block.text)

    def _check(self) -> None:
        if Path(FOLDER, "tools").exists():
            try:
                found = lint_scenario(read_scenario(Path(FOLDER)))
            except ScenarioError as error:
                found = error.problems
            self.problems[self._section] = [f"{item.path}: {item.message}" for item in found]

    def _console(self, block: Block) -> None:
        for command in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            line, _, want = command.partition("\n")
            got = "\n".join(printed.rstrip() for printed in self._run(shlex.split(line)).splitlines())
            self.shown.append(Shown(block.line, line, want, f"{got}\n" if got else ""))

    def _run(self, words: list[str]) -> str:
        match words:
            case ["worldwright", *arguments]:
                return CliRunner().invoke(app, arguments, prog_name="worldwright").stdout
            case ["sqlite3", file, query]:
                rows = apsw.Connection(file, flags=apsw.SQLITE_OPEN_READONLY).execute(query)
                return "".join("|".join("" if cell is None else str(cell) for cell in row) + "\n" for row in rows)
            case ["rm", file]:
                Path(file).unlink()
                return ""
            case _:
                raise AssertionError(f"the guide has a command this test does not know: {words}")

    def _python(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(block.text, {}, "guide", str(GUIDE), block.line)
        test.globs = self._globals
        runner = _Recorder(self.shown, block.line)
        runner.run(test, clear_globs=False, out=lambda _: None)


class _Recorder(doctest.DocTestRunner):
    def __init__(self, shown: list[Shown], line: int) -> None:
        super().__init__()
        self._shown, self._line = shown, line

    def report_success(self, out, test, example, got):
        self._shown.append(Shown(self._line + example.lineno, example.source, example.want, got))

    report_failure = report_success

    def report_unexpected_exception(self, out, test, example, exc_info):
        self._shown.append(Shown(self._line + example.lineno, example.source, example.want, repr(exc_info[1])))


@pytest.fixture(scope="module")
def follower(tmp_path_factory):
    """The guide, followed from the first line to the last in an empty folder, which stays the working directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("guide"))
        patch.setenv("COLUMNS", "100")
        patch.delenv("FORCE_COLOR", raising=False)
        follower = Follower()
        follower.follow()
        yield follower


@pytest.fixture(scope="module")
def scenario(follower):
    """The scenario the guide ends with."""
    return load_scenario(FOLDER)


@pytest.mark.parametrize("block", FILES, ids=[f"{block.file}, line {block.line}" for block in FILES])
def test_the_text_before_a_file_names_it(block):
    assert f"`{block.file}`" in block.before


def test_no_section_leaves_a_problem_behind(follower):
    assert len(follower.problems) > 10
    assert {section: found for section, found in follower.problems.items() if found} == {}


def test_every_output_shown_is_what_is_printed(follower):
    compare = doctest.OutputChecker().check_output
    differences = [shown for shown in follower.shown if not compare(shown.want, shown.got, doctest.ELLIPSIS)]
    assert len(follower.shown) > 30
    assert differences == []


@pytest.mark.parametrize("seed", SEEDS)
def test_the_solutions_succeed_and_idle_or_refusing_agents_do_not(scenario, seed):
    world = generate_world(scenario, seed=seed)
    environment = Environment(world)
    tasks = world.tasks()
    assert {task.template for task in tasks} == set(scenario.document.tasks)
    for task in tasks:
        done = play(environment, OracleAgent(), task, 0).score
        assert done.success, (task.id, done)
        assert (done.completion, done.penalties, done.total) == (1, 0, pytest.approx(1)), (task.id, done)
        idle = play(environment, NullAgent(), task, 0).score
        assert (idle.success, idle.completion, idle.total) == (False, 0, 0), (task.id, idle)
        expects = scenario.document.tasks[task.template].expects
        for code in scenario.document.refusals:
            refused = play(environment, ScriptedAgent([finish(refusal=code)]), task, 0).score
            assert refused.success == (expects is not None and expects.refusal == code), (task.id, code, refused)


def test_every_refusal_has_a_twin_of_the_same_wording_that_blind_refusal_fails(scenario):
    templates = scenario.document.tasks
    refusals = {name: template for name, template in templates.items() if template.expects}
    assert {template.expects.refusal for template in refusals.values()} == set(scenario.document.refusals)
    for template in refusals.values():
        twin = templates[template.twin]
        assert twin.expects is None
        assert twin.instruction == template.instruction


@pytest.mark.parametrize(
    ("file", "old", "new", "code"),
    [
        ("tools/3_working.yaml", ":state = 'free'", "(select max(due_at) from hire) < now()", ""),
        (
            "tools/3_working.yaml",
            "\":state = 'free'\"",
            '"(select due_at from hire h where h.machine_id = :machine_id) < now()"',
            "nullable_comparison",
        ),
        ("tools/1_customers.yaml", " order by id", "", "unordered"),
        ("tools/3_working.yaml", "\":state = 'free'\"", '"exists (select 1 from before.hire)"', "not_readable_here"),
        ("tools/3_working.yaml", "update machine set hours = :meter", "update machine set id = :meter", "key_update"),
        ("scenario.yaml", "tools: reserve, kind", "tools: reserv, kind", "unknown_tool"),
        ("scenario.yaml", "effect: after, share: 0.2", "effect: after, share: 0.6", "too_many_faults"),
        ("scenario.yaml", "to_step: 4", "to_step: 40", "endless_outage"),
    ],
)
def test_check_finds_what_the_guide_says_it_finds(follower, tmp_path, file, old, new, code):
    folder = tmp_path / "changed"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    assert {problem.code for problem in lint_scenario(read_scenario(folder))} == ({code} if code else set())


def test_the_page_of_the_language_names_every_source_template_key_and_verdict():
    page = GUIDE.read_text(encoding="utf-8").partition("## 15.")[2]
    keys = [field.alias or name for model in (Operation, TaskTemplate) for name, field in model.model_fields.items()]
    words = [*SOURCE_NAMES, "constant", *TEMPLATES, *keys, *get_args(Kind)]
    assert [word for word in words if f"`{word}`" not in page] == []


def test_links_lead_to_pages_and_headings_there_are():
    text = GUIDE.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w -]", "", line[3:].lower()).replace(" ", "-") for line in text.splitlines() if line[:3] == "## "
    }
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) > 15
    for target in targets:
        assert target[1:] in headings if target.startswith("#") else (GUIDE.parent / target).is_file(), target
