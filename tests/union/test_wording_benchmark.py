"""Training of the model that grades wordings runs from end to end, on a few sentences."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from tatian.analysis.installed import unavailable
from tatian.corpora.bundles import Bundle
from tatian.training.unions import join_parts

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FOG = "The old ferry ran aground in thick fog."
WALL = "The ferry ran aground near the harbour wall on Monday."
BOTH = "The old ferry ran aground in thick fog near the harbour wall on Monday."
TORN = "The old ferry in thick fog near ran the harbour wall on Monday."
SHORT = "The old ferry ran aground on Monday."
OTHER = ("The motel burned down in May.", "The hotel burned down in Halverne.")
ROWS: list[dict[str, Any]] = [
    {
        "id": f"grade-{number}",
        "bundle": "ferry",
        "sentences": pair,
        "wordings": [{"text": BOTH, "grade": 10, "flags": ""}, {"text": TORN, "grade": 1}],
    }
    for number, pair in enumerate(((FOG, WALL), (WALL, FOG), (FOG, SHORT)))
]
PLACED = {
    "id": "grade-9",
    "bundle": "ferry",
    "places": ["A.0", "A.1"],
    "wordings": [{"parts": [[0, 0, 38], [1, 21, 54]], "grade": 10, "flags": ""}],
}


@pytest.fixture
def train(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("wording_train")


@pytest.fixture
def grades(train: ModuleType) -> ModuleType:
    return importlib.import_module("wording_grades")


def write(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, grades: ModuleType) -> Path:
    """A folder of data with one bundle, and empty test sets."""
    folder = tmp_path / "data"
    (folder / "union").mkdir(parents=True)
    (folder / "consolidation" / "train").mkdir(parents=True)
    columns = "sentence1Text,sentence2Text,mergedText\n"
    (folder / "union" / "eval.csv").write_text(columns)
    (folder / "union" / "train.csv").write_text(f"{columns}{OTHER[0]},{OTHER[1]},?\n")
    fact = {"id": "f1", "text": "?", "sources": ["A.0"], "keys": [["?"]], "importance": 1}
    bundle = {
        "id": "ferry",
        "accounts": [{"id": "A", "name": "a", "sentences": [FOG, WALL]}],
        "noise": [],
        "facts": [fact],
        "reference": [{"text": BOTH, "facts": ["f1"]}],
    }
    encoded = msgspec.json.encode(msgspec.convert(bundle, Bundle))
    (folder / "consolidation" / "train" / "ferry.json").write_bytes(encoded)
    monkeypatch.setattr(grades, "ecb_sentences", lambda data, lengths: [])
    monkeypatch.setattr(grades, "stories", lambda data: {})
    monkeypatch.setattr(grades, "UNIONS", tmp_path)
    for name in (*grades.TESTS, "news-test.jsonl"):
        write(tmp_path / name, [])
    return folder


@pytest.mark.parametrize("wording", [BOTH, TORN, f"{FOG[:-1]}, it is said.", "", "Nothing of it"])
def test_parts_give_the_wording_again(wording: str, grades: ModuleType) -> None:
    assert join_parts((FOG, WALL), grades.as_parts(wording, (FOG, WALL))) == wording


def test_a_wording_in_the_words_of_its_sentences_has_no_other_words(grades: ModuleType) -> None:
    parts = grades.as_parts(BOTH, (FOG, WALL))
    assert all(isinstance(part, tuple) for part in parts)


def test_pairs_of_others_are_read_only_with_the_data(
    tmp_path: Path, data: Path, grades: ModuleType
) -> None:
    path = write(tmp_path / "grades.jsonl", [PLACED, ROWS[0]])
    assert [contest.wordings for contest in grades.read_grades(path, None)] == [(BOTH, TORN)]
    first, _ = grades.read_grades(path, data)
    assert first == grades.Contest((FOG, WALL), (BOTH,), (1.0,))


def test_answers_become_grades_without_sentences_of_others_and_of_tests(
    tmp_path: Path, data: Path, train: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    pairs = ((FOG, WALL), OTHER, ("Nobody knows", "where this is from."))
    items = [
        {"id": n, "sentences": pair, "wordings": [BOTH, SHORT]} for n, pair in enumerate(pairs)
    ]
    write(sheets / "key.jsonl", items)
    answers = [{"id": n, "a": [9, ""], "b": [4, "l"]} for n in range(len(pairs))]
    write(sheets / "answers-0.jsonl", answers)
    train.main(["grades", str(sheets), "--data", str(data), "-o", str(tmp_path / "out")])
    assert "1 share a sentence with a test, 1 of unknown origin" in capsys.readouterr().out
    text = (tmp_path / "out" / "grades.jsonl").read_text("utf-8")
    row = json.loads(text)
    assert FOG not in text
    assert row["places"] == ["A.0", "A.1"]
    assert [(w["grade"], w["flags"]) for w in row["wordings"]] == [(9, ""), (4, "l")]


def test_sheets_have_candidates_of_pairs_in_any_order(tmp_path: Path, train: ModuleType) -> None:
    rows = [{"sentences": [FOG, WALL], "answer": BOTH}, {"sentences": list(OTHER)}]
    tasks = {"train": {"corpus": rows}, "teach": {"pairs": [{"sentences": [FOG, WALL]}]}}
    (tmp_path / "tasks.json").write_text(json.dumps(tasks))
    train.main(["candidates", str(tmp_path), "-o", str(tmp_path)])
    lines = (tmp_path / "candidates.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["set"] for line in lines] == ["corpus", "corpus", "teach"]
    train.main(["packets", str(tmp_path), "-o", str(tmp_path / "sheets")])
    sheet = (tmp_path / "sheets" / "sheet-0.md").read_text("utf-8")
    assert sheet.count(f"S1: {FOG}") == 1
    assert f") {json.loads(lines[0])['wordings'][0][0]}\n" in sheet


def test_the_small_model_is_trained_from_judged_wordings(tmp_path: Path, train: ModuleType) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    path = write(tmp_path / "judged.jsonl", ROWS)
    options = ["--grades", str(path), "--epochs", "1", "-o", str(tmp_path / "out")]
    train.main(["train", str(tmp_path), "--limit", "1", *options])
    trained = tmp_path / "out" / "wording.onnx.gz"
    train.main(["pack", str(trained), "-o", str(tmp_path)])
    assert 10**5 < (tmp_path / "wording.diff.gz").stat().st_size < trained.stat().st_size / 2


def test_the_model_is_measured_by_the_grades_of_its_choice(
    tmp_path: Path, train: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = (
        ("Holt, the mayor of Halverne, resigned after a newspaper printed her letters.", 10),
        ("The mayor of Oslo died.", 0),
    )
    sentences = ("Holt, the mayor of Halverne, resigned.", "A newspaper printed Holt's letters.")
    wordings = [{"text": text, "grade": grade, "flags": ""} for text, grade in texts]
    path = write(tmp_path / "judged.jsonl", [{"sentences": sentences, "wordings": wordings}])
    train.main(["evaluate", str(path), "-o", str(tmp_path / "out")])
    printed = capsys.readouterr().out
    assert "chosen: 10.00\nmean: 5.00\nbest: 10.00\n" in printed
