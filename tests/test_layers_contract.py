"""Dependencies point downwards: the contracts in pyproject.toml hold for the code as it is."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]


def test_the_import_contracts_are_kept() -> None:
    command = Path(sysconfig.get_path("scripts")) / "lint-imports"
    done = subprocess.run(
        [sys.executable, str(command), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_training_and_models_of_a_hub_may_need_pytorch() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    light = next(
        contract["source_modules"]
        for contract in settings["tool"]["importlinter"]["contracts"]
        if contract["type"] == "forbidden"
    )
    package = ROOT / "src" / "tatian"
    parts = [path.parent.name for path in package.glob("*/__init__.py")]
    parts += [path.stem for path in package.glob("*.py") if not path.stem.startswith("__")]
    assert set(light) == {f"tatian.{part}" for part in parts if part not in ("training", "pytorch")}


def test_imports_have_no_cycles() -> None:
    graph = grimp.build_graph("tatian", exclude_type_checking_imports=True, cache_dir=None)
    needs = {one: graph.find_modules_directly_imported_by(one) for one in sorted(graph.modules)}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        pytest.fail(" imported by ".join(error.args[1]))
