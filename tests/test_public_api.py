"""The public interface: a change to it is a decision, made here first."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tatian

PUBLIC = [
    "AssetError",
    "Consolidation",
    "Document",
    "EmptyInput",
    "InputError",
    "LayerMissing",
    "Metadata",
    "MissingExtra",
    "NotEnglish",
    "NotText",
    "Pipeline",
    "Score",
    "Sentence",
    "Span",
    "TatianError",
    "Token",
    "Trace",
    "UnknownModel",
    "__version__",
    "aggregate",
    "consolidate",
    "detect",
    "merge",
    "read",
    "resolve",
    "score",
    "trace",
]


def test_public_names_are_locked() -> None:
    assert tatian.__all__ == PUBLIC
    assert dir(tatian) == PUBLIC


def test_public_names_exist_and_are_documented() -> None:
    documented = {name for name in PUBLIC if getattr(tatian, name).__doc__}
    assert documented | {"__version__"} == set(PUBLIC)


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'tatian' has no attribute 'harmony'"):
        tatian.harmony  # type: ignore[attr-defined]  # noqa: B018


def test_type_checkers_see_the_same_names_as_the_interpreter() -> None:
    tree = ast.parse(Path(tatian.__file__).with_suffix(".pyi").read_text("utf-8"))
    declared = {
        alias.asname: node.module
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == tatian._HOME
    assert {*declared, "__version__"} == set(PUBLIC)


def test_importing_tatian_imports_none_of_its_parts() -> None:
    code = "import sys, tatian; print(*(name for name in sys.modules if name.startswith('tatian')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["tatian"]


def test_consolidate_has_a_short_call_path(tmp_path: Path) -> None:
    code = (
        "import sys; from tatian.cli import main\n"
        "sys.argv = ['tatian', 'consolidate', *sys.argv[1:]]\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code\n"
        "assert sum(name.split('.')[0] == 'tatian' for name in sys.modules) <= 150\n"
    )
    given = [str(Path(__file__).parents[1] / "examples" / "ferry"), "-o", str(tmp_path / "woven")]
    subprocess.run([sys.executable, "-c", code, *given], check=True, timeout=60)
