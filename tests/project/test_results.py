"""The page of results says what each table was measured on, and what it says is true."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "results.md").read_text("utf-8")
PART = re.compile(
    r"^\| \[[^]]+\]\((results/[\w-]+\.md)#[\w-]+\) \|[^|]+\|([^|]+)\|([^|]+)\|$", re.M
)
NUMBER = re.compile(r"(?<![\w-])\d*\.\d+|(?<![\w.-])\d+(?![\w.-])")
HEADING = re.compile(r"^## (.+)$", re.MULTILINE)


@pytest.fixture
def current(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return benchmark("current", monkeypatch)


def benchmark(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(current: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one benchmark, one package and its weights."""
    monkeypatch.setattr(current, "ROOT", tmp_path)
    for name, text in {
        "benchmarks/speed.py": "from tatian.text import split\n",
        "src/tatian/__init__.py": "",
        "src/tatian/text/__init__.py": "from tatian.text.splitter import split\n",
        "src/tatian/text/splitter.py": 'MODELS = {"a": "model:Model"}\n',
        "src/tatian/text/model.py": "class Model:\n    size = 1\n",
        "src/tatian/text/other.py": "size = 1\n",
        "src/tatian/text/weights/model.bin": "1",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def fingerprint(current: ModuleType) -> str:
    for memory in (current._tree, current._content, current._needs):
        memory.cache_clear()
    return str(current.fingerprint(current.script("speed")))


def test_tables_are_up_to_date_with_their_code(current: ModuleType) -> None:
    advice = "measure again, or run 'python benchmarks/current.py --correct'"
    assert current.outdated(PAGE) == [], advice


def test_every_section_of_results_says_what_it_was_measured_on(current: ModuleType) -> None:
    listed = {row.link for row in current.rows(PAGE)}
    there = {
        f"results/{page.name}#{re.sub(r'[^a-z0-9]+', '-', title.lower())}"
        for page in (ROOT / "docs" / "results").glob("*.md")
        for title in HEADING.findall(page.read_text("utf-8"))
    }
    assert listed == there


def test_every_table_has_its_benchmark_and_names_it(current: ModuleType) -> None:
    for row in current.rows(PAGE):
        assert current.script(row.benchmark).is_file(), row
        page = (ROOT / "docs" / row.link.partition("#")[0]).read_text("utf-8")
        assert f"benchmarks/{row.benchmark}.py" in " ".join(page.split()), row


def test_every_figure_of_the_front_page_is_on_the_page_of_its_part() -> None:
    lost = []
    for page, ours, others in PART.findall(PAGE.partition("## Measured on")[0]):
        text = (ROOT / "docs" / page).read_text("utf-8").replace(",", "")
        there = [float(number) for number in NUMBER.findall(text)]
        for figure in NUMBER.findall(ours + others):
            digits = len(figure.partition(".")[2])
            if all(abs(float(figure) - one) > 0.51 * 10**-digits for one in there):
                lost.append(f"{page}: {figure}")
    assert lost == []


def test_the_picture_is_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = benchmark("picture", monkeypatch)
    advice = "run 'python benchmarks/picture.py'"
    assert drawn.PICTURE.read_text("utf-8") == drawn.picture(PAGE), advice


@pytest.mark.parametrize(
    ("file", "text", "same"),
    [
        ("benchmarks/speed.py", "from tatian.text import split\nN = 3\n", False),
        ("src/tatian/text/splitter.py", 'MODELS = {"a": "model:Model"}\nN = 3\n', False),
        ("src/tatian/text/model.py", "class Model:\n    size = 2\n", False),
        ("src/tatian/text/weights/model.bin", "2", False),
        ("src/tatian/text/other.py", "size = 2\n", True),
        ("src/tatian/text/model.py", 'class Model:\n    """One."""\n\n    size = 1  # so\n', True),
    ],
)
def test_the_fingerprint_changes_with_what_is_measured(
    current: ModuleType, tree: Path, file: str, text: str, same: bool
) -> None:
    before = fingerprint(current)
    (tree / file).write_text(text)
    assert (fingerprint(current) == before) is same


def test_a_table_is_marked_and_a_change_is_noticed(current: ModuleType, tree: Path) -> None:
    page = "| [Speed](results/a.md#speed) | `speed` | 2026-11-15 | older |\n"
    assert current.outdated(page) == []
    marked = current.mark(page, "speed", "2026-11-16")
    assert current.rows(marked)[0].code == fingerprint(current)
    assert current.outdated(marked) == []
    (tree / "src/tatian/text/model.py").write_text("class Model:\n    size = 2\n")
    fingerprint(current)
    assert current.outdated(marked) == ["speed"]
    assert current.corrected(marked) == page.replace("11-15", "11-16")
