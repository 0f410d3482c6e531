"""The files around the code agree with the code and with each other."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import tatian

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

# What must not precede is looked at last: a search for a first letter is a hundred times as fast.
FORBIDDEN = {
    "a path of one machine": re.compile(r"/(?<![\w.:/-]/)(?:work|root|home|Users|opt|mnt)/"),
    "a note to oneself": re.compile(r"[TFX](?<!\w\w)(?:O" + r"DO|IX" + r"ME|X" + r"X)\b"),
    "a conflict marker": re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE),
}
ANNOTATORS_PAGE = "/" + "work/"
"""An address of the workbench that looks like somebody's folder."""


def project_files() -> list[Path]:
    """The files of the project: what git knows or would add, else what a source archive holds."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = [ROOT / name for name in listed.split("\0") if name]
    else:
        found = [path for room in ("src", "tests", "docs") for path in (ROOT / room).rglob("*")]
    return [path for path in found if path.is_file()]


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_citation_names_this_version_and_licence() -> None:
    citation = yaml.safe_load(text_of("CITATION.cff"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == tatian.__version__
    assert citation["license"] == PROJECT["license"]
    assert {"message", "title", "authors"} <= set(citation)


def test_the_citation_refers_to_the_five_papers() -> None:
    references = yaml.safe_load(text_of("CITATION.cff"))["references"]
    assert len(references) == 5
    papers = " ".join(text_of("docs/papers.md").replace("*", "").split())
    for reference in references:
        assert {"type", "title", "authors", "year"} <= set(reference)
        assert reference["title"].partition(" (")[0] in papers


def test_the_contributing_page_lists_every_package() -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "tatian").glob("*/__init__.py")}
    named = set(re.findall(r"^\| `(\w+)/` \|", text_of("CONTRIBUTING.md"), re.MULTILINE))
    assert packages <= named


def test_pictures_the_pages_show_are_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"


@pytest.mark.parametrize("script", ["scripts/test", ".ci/run"])
def test_scripts_are_executable_and_stop_at_the_first_error(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    assert "set -euo pipefail" in text_of(script)
    subprocess.run(["bash", "-n", str(ROOT / script)], check=True)


def test_without_a_python_the_test_script_says_what_it_needs(tmp_path: Path) -> None:
    bash, dirname = shutil.which("bash"), shutil.which("dirname")
    assert bash
    assert dirname
    (tmp_path / "dirname").symlink_to(dirname)
    done = subprocess.run(
        [bash, str(ROOT / "scripts" / "test")],
        env={"PATH": str(tmp_path), "TATIAN_VENV": str(tmp_path / "none")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "needs Python 3.11 or newer" in done.stderr


def test_the_workbench_needs_only_what_it_imports() -> None:
    code = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("workbench/**/*.py"))
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", code, re.MULTILINE))
    modules = {"markdown-it-py": "markdown_it"}
    for needed in PROJECT["optional-dependencies"]["workbench"]:
        name = re.split(r"[^\w-]", needed)[0]
        assert modules.get(name, name.replace("-", "_")) in imported, needed


def test_the_image_copies_only_files_that_are_there_and_let_through() -> None:
    copied = [
        name
        for line in re.findall(r"^COPY (.+)$", text_of("Dockerfile"), re.MULTILINE)
        for name in line.split()[:-1]
    ]
    allowed = set(re.findall(r"^!(.+)$", text_of(".dockerignore"), re.MULTILINE))
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert name in allowed, f".dockerignore keeps {name} out of the image"


def test_the_image_runs_tatian_and_not_as_root() -> None:
    dockerfile = text_of("Dockerfile")
    assert 'ENTRYPOINT ["tatian"]' in dockerfile
    assert re.search(r"^USER (?!root)\w+$", dockerfile, re.MULTILINE)
    assert PROJECT["requires-python"] == ">=3.11"
    assert dockerfile.startswith("FROM python:3.11")


def test_every_dependency_has_its_reasons_written_down() -> None:
    decisions = text_of("docs/decisions.md")
    for requirement in PROJECT["dependencies"]:
        name = re.split(r"[<>=~!\[; ]", requirement)[0]
        assert f"**{name}**" in decisions, f"docs/decisions.md does not say why {name}"


def test_modules_have_at_most_400_lines() -> None:
    modules = [path for path in project_files() if path.suffix == ".py"]
    long = [path.name for path in modules if len(path.read_text("utf-8").splitlines()) > 400]
    assert long == []


def test_class_names_are_unique() -> None:
    homes: dict[str, list[str]] = {}
    for path in sorted((ROOT / "src").rglob("*.py")):
        for name in re.findall(r"^class ([A-Za-z]\w*)", path.read_text("utf-8"), re.M):
            homes.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert homes
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_tests_do_not_sleep() -> None:
    """Two helpers pause between two looks at a condition; nothing else sleeps."""
    helpers = {"tests/waiting.py", "tests/windows.py"}
    found = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        if not re.search(r"\b(sleep|wait_for_timeout)\(", text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                name = str(path.relative_to(ROOT))
                if node.func.attr in ("sleep", "wait_for_timeout") and name not in helpers:
                    found.append(f"{name}:{node.lineno}")
    assert found == []


def test_files_contain_nothing_forbidden() -> None:
    found = []
    for path in project_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if "workbench" in str(path.relative_to(ROOT)):
            text = text.replace(ANNOTATORS_PAGE, "")
        for what, pattern in FORBIDDEN.items():
            if match := pattern.search(text):
                found.append(f"{path.relative_to(ROOT)}: {what}: {match[0]}")
    assert found == []


def test_a_release_states_one_version_everywhere(tmp_path: Path) -> None:
    release = ROOT / "scripts" / "release"
    done = subprocess.run([sys.executable, release, "--agree"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    (tmp_path / "scripts").mkdir()
    copied = shutil.copy(release, tmp_path / "scripts")
    stating = ("CHANGELOG.md", "CITATION.cff", "src/tatian/__init__.py", "adapters/pyproject.toml")
    for name in stating:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "CITATION.cff").write_text("version: 9.9\n")
    done = subprocess.run([sys.executable, copied, "--agree"], capture_output=True, text=True)
    assert done.returncode == 1
    assert "CITATION.cff: 9.9" in done.stderr
