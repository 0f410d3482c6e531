"""The mention benchmark runs from end to end, on a few short texts."""

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


class Pages(list[Page]):
    """A source of knowledge."""

    name = "pages"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    module = importlib.import_module("mentions")
    monkeypatch.setattr(module, "HALVED", {"VoxEL": "VoxEL.ttl"})
    return module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    build(
        [Pages([Page("Oslo", kind="location"), Page("Bergen", kind="location")])], tmp_path / "kb"
    )
    texts = [
        build_document(f"http://a.org/{number}", "We met in Oslo.", (Link(10, 14, ("Oslo",)),))
        for number in range(4)
    ]
    (tmp_path / "mentions").mkdir()
    for name in ("conversations-train.jsonl", "conversations-dev.jsonl"):
        written = "".join(find("jsonl", "mention").write(texts))
        (tmp_path / "mentions" / name).write_text(written, encoding="utf-8")
    written = "".join(find("nif").write(texts))
    (tmp_path / "mentions" / "VoxEL.ttl").write_text(written, encoding="utf-8")
    return tmp_path


def test_every_table_is_printed(
    benchmark: ModuleType, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.main(["--kb", str(folder / "kb"), "--data", str(folder)])
    printed = capsys.readouterr().out
    for title in ("tuned on", "strong matching", "differences", "confidence", "tokens a second"):
        assert title in printed
    rows = [line.split() for line in printed.splitlines() if line.startswith("conversations-dev")]
    assert rows[0][:4] == ["conversations-dev", "4", "100.0", "prior"]
    assert rows[0][-3:] == ["100.0", "100.0", "100.0"]


def test_whole_sets_are_marked_as_partly_trained_on_where_they_are(
    benchmark: ModuleType,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    given = ["--kb", str(folder / "kb"), "--data", str(folder), "--limit", "2"]
    benchmark.main(given)
    printed = capsys.readouterr().out
    assert "VoxEL, second half" in printed
    assert "VoxEL, whole " in printed
    assert "partly trained on" not in printed
    monkeypatch.setattr(benchmark, "TRAINED_ON", {"VoxEL"})
    benchmark.main(given)
    assert "VoxEL, whole (partly trained on)" in capsys.readouterr().out


def test_without_a_base_it_says_how_to_build_one(benchmark: ModuleType) -> None:
    with pytest.raises(SystemExit, match="tatian kb build"):
        benchmark.main([])


def test_the_calibration_error_is_the_distance_of_confidence_and_truth(
    benchmark: ModuleType,
) -> None:
    ece = importlib.import_module("mentions_calibration").ece
    assert ece([(0.5, True), (0.5, False)], bins=1) == 0
    assert ece([(0.9, False)] * 4) == pytest.approx(0.9)
    assert ece([]) is None
