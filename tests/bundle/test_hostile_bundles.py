"""A bundle from a stranger: whatever is wrong with it is told in words, before anything of it is used."""

import io
import json
import lzma
import os
import stat
import struct
import warnings
import zipfile

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator import open_world
from simulator.bundle import check_bundle, open_bundle
from simulator.bundle.layout import is_file_name
from simulator.errors import BundleError, UsageError

WORLD = "grader/worlds/7.sqlite.xz"


def use(path):
    bundle = open_bundle(path)
    for entry in bundle.manifest.worlds:
        bundle.world(entry.seed)
    bundle.tasks()


def codes(path):
    """What `open_bundle` refuses it with, and `check_bundle` tells."""
    with pytest.raises(BundleError) as refused:
        use(path)
    assert all(problem.message for problem in refused.value.problems)
    assert check_bundle(path)
    return {problem.code for problem in refused.value.problems}


def zipped(exported, tmp_path, *entries, compression=zipfile.ZIP_STORED):
    """The archive with entries added: ``(name or ZipInfo, content)``."""
    path = tmp_path / "hostile.zip"
    path.write_bytes(exported.archive.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile tells of duplicate names
        with zipfile.ZipFile(path, "a", compression) as archive:
            for entry, content in entries:
                archive.writestr(entry, content)
    return path


@pytest.mark.parametrize(
    "name",
    ["../up", "a/../../up", "/etc/passwd", "C:/windows", "a\\b", "a//b", "./a", ".hidden", "a/", "a\nb", "é", "a" * 101,
     "a/b/c/d/e/f/g/h/i"],
)  # fmt: skip
def test_a_name_that_leaves_the_bundle_or_hides_is_refused(exported, tmp_path, name):
    assert codes(zipped(exported, tmp_path, (name, b"x"))) == {"bad_name"}


def test_a_name_that_ends_for_some_readers_and_goes_on_for_others_is_refused(exported, tmp_path):
    path = zipped(exported, tmp_path, ("agent/okXevil", b"x"))
    path.write_bytes(path.read_bytes().replace(b"agent/okXevil", b"agent/ok\0evil"))
    assert codes(path) == {"bad_name"}


@given(st.text(max_size=40))
def test_no_accepted_name_leaves_the_folder(name):
    if is_file_name(name):
        joined = os.path.normpath(os.path.join("/top", name))  # noqa: PTH118 - the very function that would be fooled
        assert joined.startswith("/top/")
        assert joined == f"/top/{name}"


def test_a_link_is_refused_in_archive_and_folder(exported, copied, tmp_path):
    entry = zipfile.ZipInfo("agent/link")
    entry.create_system = 3
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    assert codes(zipped(exported, tmp_path, (entry, "/etc/passwd"))) == {"not_a_file"}
    scenario = copied / "grader/scenario.json"
    scenario.rename(tmp_path / "elsewhere.json")
    scenario.symlink_to(tmp_path / "elsewhere.json")
    assert codes(copied) == {"not_a_file"}


def test_a_linked_folder_and_a_pipe_are_refused(copied, tmp_path):
    (copied / "agent").rename(tmp_path / "agent")
    (copied / "agent").symlink_to(tmp_path / "agent")
    assert codes(copied) == {"not_a_file"}
    (copied / "agent").unlink()
    os.mkfifo(copied / "agent")
    assert codes(copied) == {"not_a_file"}


@pytest.mark.parametrize("name", ["README.md", "readme.MD", "README.md/inside"])
def test_a_name_given_twice_is_refused(exported, tmp_path, name):
    assert codes(zipped(exported, tmp_path, (name, b"x"))) == {"duplicate_name"}


def test_what_is_compressed_in_the_archive_is_not_unpacked(exported, tmp_path):
    path = zipped(exported, tmp_path, ("agent/bomb", bytes(50_000_000)), compression=zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < exported.archive.stat().st_size + 100_000
    assert codes(path) == {"not_stored"}


def test_files_that_share_their_bytes_are_no_more_than_the_archive(exported, tmp_path):
    path = tmp_path / "overlap.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("MANIFEST.json", bytes(100_000))
        (entry,) = archive.infolist()
        for number in range(50):
            again = zipfile.ZipInfo(f"file{number}")
            again.header_offset, again.CRC = entry.header_offset, entry.CRC
            again.file_size = again.compress_size = entry.file_size
            archive.filelist.append(again)
            archive._didModify = True
    assert codes(path) == {"too_large"}


def test_a_size_that_lies_is_refused(exported, tmp_path):
    content = bytearray(exported.archive.read_bytes())
    at = content.rindex(b"agent/tools.json") - 46  # its entry in the central directory
    assert content[at : at + 4] == b"PK\x01\x02"
    content[at + 20 : at + 28] = struct.pack("<II", 0x7FFFFFFF, 0x7FFFFFFF)
    path = tmp_path / "lie.zip"
    path.write_bytes(content)
    assert codes(path) == {"too_large"}


def test_too_many_files_are_refused(tmp_path):
    path = tmp_path / "many.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(10_001):
            archive.writestr(f"f{number}", b"")
    assert codes(path) == {"too_large"}


def test_what_is_no_archive_is_refused(tmp_path):
    path = tmp_path / "no.zip"
    path.write_bytes(b"PK\x03\x04 nothing")
    assert codes(path) == {"unreadable"}
    with pytest.raises(UsageError, match="There is no"):
        open_bundle(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    assert codes(tmp_path / "empty") == {"missing_file"}


def test_a_swapped_file_is_found_by_its_digest(copied):
    file = copied / "grader/tasks/train.jsonl"
    file.write_bytes(file.read_bytes().replace(b"Billing", b"Network"))
    assert codes(copied) == {"wrong_digest"}
    file.write_bytes(b"")
    assert codes(copied) == {"wrong_size"}
    file.unlink()
    assert codes(copied) == {"missing_file"}


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [("grader/tasks/train.jsonl", b"Billing", b"Network"),
     ("agent/tasks/train.jsonl", b"Close ticket", b"Loose ticket"),
     ("targets/gymnasium/repair_desk_gymnasium/__init__.py", b"import gymnasium", b"import evil"),
     ("targets/gymnasium/pyproject.toml", b"gymnasium>=1.2,<2", b"evil"),
     ("README.md", b"Keep it out", b"Show it")],
)  # fmt: skip
def test_a_file_swapped_together_with_its_digest_is_found_by_making_it_again(copied, relisted, name, before, after):
    content = (copied / name).read_bytes()
    assert before in content
    (problem,) = check_bundle(relisted(name, content.replace(before, after)))
    assert (problem.code, problem.path) == ("swapped_file", name)


def test_another_scenario_under_the_same_name_is_refused(copied, relisted):
    content = (copied / "grader/scenario.json").read_bytes()
    assert codes(relisted("grader/scenario.json", content.replace(b"Repair desk", b"Repair mess"))) == {
        "other_scenario"
    }


@pytest.mark.parametrize(
    "text",
    [b"a: &a [x, x]\nb: [*a, *a]\n", b"!!python/object/apply:os.system ['true']\n", b"<<: {a: 1}\n", b"", b"\xff\xfe",
     b'{"a": 1, "a": 2}', b"[" * 100_000, b'{"worldwright": NaN}', b"[]"],
)  # fmt: skip
def test_no_yaml_and_no_broken_json_is_read_as_the_scenario(relisted, text):
    assert codes(relisted("grader/scenario.json", text)) <= {
        "json_syntax", "encoding", "duplicate_key", "too_deep", "number_range", "not_a_mapping", "bad_character",
    }  # fmt: skip


def test_a_scenario_that_does_not_pass_lint_is_refused(copied, relisted):
    value = json.loads((copied / "grader/scenario.json").read_text())
    value["tools"]["drop_note"]["effects"] = ["attach database '/etc/passwd' as p"]
    assert "other_scenario" not in codes(relisted("grader/scenario.json", json.dumps(value).encode()))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda told: told.update(format="other"), "unknown_format"),
        (lambda told: told.update(schema=3), "unknown_format"),
        (lambda told: told.update(schema=1), "unknown_format"),
        (lambda told: told["engine"].update(version="99.0.0"), "other_engine"),
        (lambda told: told.update(extra=1), "bad_manifest"),
        (lambda told: told.pop("worlds"), "bad_manifest"),
        (lambda told: told["worlds"][0].update(size=10**12), "bad_manifest"),
        (lambda told: told["worlds"].append(told["worlds"][0]), "bad_manifest"),
        (lambda told: told.update(unverified=False), "bad_manifest"),
        (lambda told: told["files"].update({"../up": {"size": 1, "sha256": "0" * 64}}), "bad_name"),
        (lambda told: told["files"].update({"readme.md": told["files"]["README.md"]}), "duplicate_name"),
        (lambda told: told["files"].pop("grader/scenario.json"), "missing_file"),
        (lambda told: told["files"].pop(WORLD), "missing_file"),
        (lambda told: told["worlds"][0].update(digest="0" * 64), "other_world"),
        (lambda told: told["scenario"].update(version="9.9.9"), "other_scenario"),
        (lambda told: told["worlds"][0].update(seed=8), "missing_file"),
    ],
)
def test_a_manifest_that_lies_is_refused(remade, change, code):
    assert codes(remade(change)) == {code}


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told.update(reward_range=[0.0, 1.0]),
        lambda told: told["splits"]["train"].update(tasks=1),
        lambda told: told["tools"].append("rm"),
        lambda told: told["resources"].update(most_steps=1),
        lambda told: told["licence"].update(scenario="MIT"),
    ],
)
def test_a_fact_of_the_manifest_that_is_not_so_is_told(remade, change):
    assert [problem.code for problem in check_bundle(remade(change))] == ["other_facts"]


def test_a_manifest_that_is_no_json_is_refused(copied):
    for text in (b"", b"{", b"[]", b"&a [*a]", b'{"format": "worldwright-bundle", "format": 1}'):
        (copied / "MANIFEST.json").write_bytes(text)
        assert codes(copied) <= {"unreadable_manifest", "unknown_format"}


def test_a_task_outside_its_split_is_refused(copied, relisted):
    name = "agent/tasks/train.jsonl"
    content = (copied / name).read_bytes()
    assert codes(relisted(name, content.replace(b'"w7/', b'"w10000/', 1))) == {"other_split"}
    assert codes(relisted(name, content.replace(b'"w7/', b'"x7/', 1))) == {"bad_task"}
    assert codes(relisted(name, b"[1]\n")) == {"bad_task"}


def packed(data):
    return lzma.compress(data, format=lzma.FORMAT_XZ, preset=0)


def test_a_damaged_or_exchanged_image_is_refused(copied, relisted):
    good = (copied / WORLD).read_bytes()
    image = lzma.decompress(good)
    other = (copied / "grader/worlds/20000.sqlite.xz").read_bytes()
    damaged = {
        "cut": good[:-20],
        "not packed": image,
        "trailing": good + b"x",
        "two": good + good,
        "empty": b"",
        "bomb": packed(bytes(20_000_000)),
        "no database": packed(b"x" * len(image)),
        "zeroed": packed(image[:2_000] + bytes(len(image) - 2_000)),
        "short": packed(image[:4_096]),
        "other": other,
    }
    for content in damaged.values():
        assert codes(relisted(WORLD, content)) <= {"damaged_image", "other_world"}


def test_an_image_that_says_it_is_vast_is_not_unpacked(copied, relisted, remade):
    relisted(WORLD, packed(bytes(70_000_000)))
    assert codes(remade(lambda told: told["worlds"][0].update(size=70_000_000))) == {"damaged_image"}


def test_an_image_with_other_rows_is_found_though_all_digests_fit(desk, copied, relisted, remade, tmp_path):
    file = tmp_path / "world.sqlite"
    file.write_bytes(lzma.decompress((copied / WORLD).read_bytes()))
    connection = apsw.Connection(str(file))
    connection.execute("update customer set vip = 1")
    connection.close()
    digest = open_world(file, desk).digest
    relisted(WORLD, packed(file.read_bytes()))
    remade(lambda told: told["worlds"][0].update(digest=digest, size=file.stat().st_size))
    assert {problem.code for problem in check_bundle(copied)} == {"other_world"}


def test_a_file_that_nobody_listed_is_told(copied):
    (copied / "targets/gymnasium/extra.py").write_text("import os")
    (problem,) = check_bundle(copied)
    assert (problem.code, problem.path) == ("unlisted_file", "targets/gymnasium/extra.py")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.data())
def test_an_altered_byte_anywhere_is_refused_or_changes_nothing(exported, tmp_path, data):
    original = exported.archive.read_bytes()
    at = data.draw(st.integers(0, len(original) - 1))
    altered = bytearray(original)
    altered[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "altered.zip"
    path.write_bytes(altered)
    try:
        bundle = open_bundle(path)
        digests = [bundle.world(entry.seed).digest for entry in bundle.manifest.worlds]
    except (BundleError, UsageError):
        return
    assert digests == [entry.digest for entry in exported.manifest.worlds]
    assert bundle.manifest == exported.manifest
    with zipfile.ZipFile(io.BytesIO(original)) as archive:
        assert all(archive.read(name) == content for name, content in bundle.files.items())
