"""Each direct dependency has a reason, each installed file has a hash, and nothing of one machine is in the locks."""

import re
import tomllib

import pytest

LOCKS = ["runtime.lock", "dev.lock"]
PINNED = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)(?: ; [^\\]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def name_of(requirement):
    """The normal form of the package that a requirement names: ``sqlglot[c]>=30`` is ``sqlglot``."""
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


@pytest.fixture(scope="module")
def direct(root):
    """The direct dependencies by the heading they stand under in docs/dependencies.md."""
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    build = [line for line in (root / "requirements/build.in").read_text().splitlines() if not line.startswith("#")]
    extras = project["optional-dependencies"]
    groups = {
        "The engine": project["dependencies"],
        "Parquet": extras["parquet"],
        "Serving": extras["serve"],
        "The studio": extras["studio"],
        "Development": [line for line in extras["dev"] if name_of(line) != name_of(project["name"])],
        "Building": build,
    }
    return {heading: {name_of(requirement) for requirement in group} for heading, group in groups.items()}


@pytest.fixture(scope="module")
def pinned(root):
    """For each lock file, the pinned version of each package."""
    found = {}
    for lock in LOCKS:
        lines = (root / "requirements" / lock).read_text().splitlines()
        pins = [match for line in lines if (match := PINNED.fullmatch(line))]
        found[lock] = {match["name"]: match["version"] for match in pins}
        assert len(found[lock]) == len(pins), f"{lock} pins a package twice"
    return found


def test_every_direct_dependency_has_a_written_reason_and_nothing_else_has(root, direct):
    reasons = {}
    for section in (root / "docs/dependencies.md").read_text().split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        rows = re.findall(r"^\| ([a-z0-9-]+) \| (.+) \|$", body, re.MULTILINE)
        reasons[heading] = {package for package, reason in rows if package != "package" and len(reason.split()) >= 4}
    assert reasons == direct


def test_the_build_backend_is_the_one_that_is_locked(root, direct):
    backend = tomllib.loads((root / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {name_of(requirement) for requirement in backend} == direct["Building"]


def test_the_runtime_lock_holds_what_engine_and_studio_need_and_no_development_tool(direct, pinned):
    names = set(pinned["runtime.lock"])
    needed = ("The engine", "Parquet", "Serving", "The studio", "Building")
    assert names >= set().union(*(direct[heading] for heading in needed))
    assert not names & direct["Development"]


def test_the_development_lock_holds_everything_at_the_same_versions(direct, pinned):
    everything = pinned["dev.lock"]
    assert set(everything) >= set().union(*direct.values())
    assert {name: everything.get(name) for name in pinned["runtime.lock"]} == pinned["runtime.lock"]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_is_nothing_but_pinned_versions_each_with_a_hash(root, lock):
    lines = (root / "requirements" / lock).read_text().splitlines()
    strange = [line for line in lines if not PINNED.fullmatch(line) and not HASH.fullmatch(line)]
    assert not strange, "no index, path, comment or unpinned name may stand in a lock"
    without = [
        line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
        if PINNED.fullmatch(line) and not HASH.fullmatch(following)
    ]
    assert not without
