"""The speech benchmark runs from end to end, on three short texts."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pytest

from tatian.formats import find
from tatian.formats.links import build_document
from tatian.knowledge.building.builder import build
from tatian.knowledge.building.pages import Page
from tatian.text import Link

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
DETECTOR = """
from tatian.text import LINKS, Link


class Exact:
    def __init__(self, kb):
        pass

    def detect(self, document):
        at = document.text.find("Oslo")
        found = [Link(at, at + 4, ("Oslo",))] if at >= 0 else []
        return document.with_layer(LINKS, found, "exact")
"""


class Pages(list[Page]):
    """A source of knowledge."""

    name = "pages"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "speechdetector.py").write_text(DETECTOR)
    return importlib.import_module("mentions_speech")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    oslo = Link(9, 13, ("Oslo",))
    texts = [
        build_document(f"http://example.org/{number}", f"She left Oslo in {number}.", (oslo,))
        for number in (1889, 2020, 2021)
    ]
    (tmp_path / "mentions").mkdir()
    for name, form in (("conversations-dev.jsonl", "jsonl"), ("VoxEL.ttl", "nif")):
        (tmp_path / "mentions" / name).write_text("".join(find(form, "mention").write(texts)))
    build([Pages([Page("Oslo", kind="location")])], tmp_path / "small.kb")
    return tmp_path


def test_three_kinds_of_text_are_compared_with_the_papers_figures(
    benchmark: ModuleType, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = "speechdetector:Exact"
    benchmark.main(["--data", str(folder), "--kb", str(folder / "small.kb"), "--models", model])
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines() if model in line]
    assert [row[0].strip("| ") for row in rows] == ["written", "transcript", "recognised"] * 2
    assert [row[4] for row in rows[:3]] == ["1.000", "0.000", "0.000"]


def test_without_a_base_only_the_projection_is_measured(
    benchmark: ModuleType, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.main(["--data", str(folder)])
    shown = capsys.readouterr().out
    assert "exactly placed" in shown
    assert "TagMe" not in shown
