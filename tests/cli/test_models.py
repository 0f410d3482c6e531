"""``tatian models list``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .harness import Command


def test_every_step_is_listed_with_its_default_starred(tatian: Command) -> None:
    lines = tatian("models", "list").out.splitlines()
    starred = {line.split()[0] for line in lines if line.split()[1].endswith("*")}
    assert lines[0].split() == ["step", "name", "description", "licence"]
    assert starred == {"analysis", "mentions", "coreference", "aggregation", "union"}


def test_json_says_the_same_in_full(tatian: Command) -> None:
    listed = json.loads(tatian("models", "list", "--format", "json").out)
    assert {"step", "name", "target", "description", "default", "licence", "problem"} == set(
        listed[0]
    )
    graft = next(one for one in listed if one["name"] == "graft")
    assert graft["default"]
    assert graft["description"]


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    """A directory in which another package brings a merger of its own, and a broken one."""
    (tmp_path / "other.py").write_text("class Other:\n    '''Somebody else's merger.'''\n")
    about = tmp_path / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    points = "[tatian.union]\nother = other:Other\nbroken = absent:Thing\n"
    (about / "entry_points.txt").write_text(points)
    return str(tmp_path)


def test_models_of_other_packages_are_listed(plugin: str, tatian: Command) -> None:
    done = tatian("models", "list", PYTHONPATH=plugin)
    assert "Somebody else's merger." in done.out


def test_a_broken_package_is_listed_with_its_problem(plugin: str, tatian: Command) -> None:
    done = tatian("models", "list", PYTHONPATH=plugin)
    assert done.status == 0
    assert "cannot load union model 'broken': No module named 'absent'" in done.out
