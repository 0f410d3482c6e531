"""The consolidation benchmark runs from end to end, on a corpus of two short reports."""

from __future__ import annotations

import importlib
import io
import json
import tarfile
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
REPORTS = {
    "21_1ecb": "Police arrested Vera Holt on Monday . She was driving a blue van .",
    "21_2ecb": "Vera Holt was arrested by police on Monday . A judge will hear her on Friday .",
}


def xml(name: str, text: str) -> str:
    tokens, sentence = [], 0
    for number, word in enumerate(text.split(), 1):
        tokens.append(f'<token t_id="{number}" sentence="{sentence}" number="0">{word}</token>')
        sentence += word == "."
    arrest = text.split().index("arrested") + 1
    return (
        f'<Document doc_name="{name}.xml" doc_id="1">{"".join(tokens)}<Markables>'
        f'<ACTION_OCCURRENCE m_id="1"><token_anchor t_id="{arrest}"/></ACTION_OCCURRENCE>'
        '<ACTION_OCCURRENCE m_id="2" RELATED_TO="" TAG_DESCRIPTOR="a" instance_id="ACT1"/>'
        '</Markables><Relations><CROSS_DOC_COREF r_id="1" note="ACT1"><source m_id="1"/>'
        '<target m_id="2"/></CROSS_DOC_COREF></Relations></Document>'
    )


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("consolidation")


@pytest.fixture
def data(tmp_path: Path) -> str:
    archive = tmp_path / "coreference" / "ecbplus-topics-1-35.tar.gz"
    archive.parent.mkdir()
    with tarfile.open(archive, "w:gz") as out:
        for name, text in REPORTS.items():
            content = xml(name, text).encode()
            member = tarfile.TarInfo(f"ecbplus/21/{name}.xml")
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
    return str(tmp_path)


def test_it_prints_every_system_side_by_side(
    benchmark: ModuleType, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.main(["--data", data, "--format", "json"])
    rows = {row["system"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["concatenation"]["coverage"]["value"] == 1
    assert rows["concatenation"]["compression"]["value"] == 1
    assert rows["concatenation"]["alignment F1"] is None
    assert rows["extraction, cosine < 0.05"]["alignment F1"]["value"] == 1
    assert rows["longest account"]["coverage"]["value"] < 1
    assert rows["tatian"]["coverage"]["value"] > 0.9


def test_it_prints_the_text_for_reading(
    benchmark: ModuleType, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmark.main(["--data", data, "--split", "report", "--read", "1"])
    printed = capsys.readouterr().out
    assert printed.startswith("## 21 ecb (2 accounts)")
    assert "arrested" in printed


def test_topics_that_are_not_there_are_an_error(benchmark: ModuleType, data: str) -> None:
    with pytest.raises(SystemExit, match="no event in topics 3,4"):
        benchmark.main(["--data", data, "--topics", "3-4"])


def test_missing_data_is_an_error(benchmark: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no such file"):
        benchmark.main(["--data", str(tmp_path)])
