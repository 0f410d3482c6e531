"""The benchmarks of fitness, relations and pairs run from end to end, on a few short texts."""

import importlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from tatian.analysis.installed import unavailable

pytestmark = pytest.mark.skipif(bool(unavailable()), reason=unavailable())

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
CSV = """sentence1Text,sentence2Text,mergedText
The navy captured 23 pirates off Halverne.,The navy captured 23 armed pirates off Halverne in May.,\
The navy captured 23 armed pirates off Halverne in May.
A ferry ran aground in thick fog.,The ferry ran aground near Sennick.,\
The ferry ran aground near Sennick in thick fog.
The motel burned down in May.,The hotel burned down in Halverne.,\
The motel burned down in Halverne in May.
"""
SPLIT = "whole .\tVera Holt was born in Rome . <::::> She later wrote plays .\n" * 3
TEXTS = (
    "Police arrested Vera Holt in a blue van . She was later freed by a judge .",
    "Vera Holt was arrested by police on Monday . A judge will hear the case of Vera Holt .",
)
REPORTS = {
    f"{topic}_{number}ecb": text for topic in (1, 19) for number, text in enumerate(TEXTS, 1)
}


def xml(name, text):
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
def run(monkeypatch, tmp_path, capsys):
    extra = tmp_path / "union" / "extra"
    extra.mkdir(parents=True)
    for name in ("train", "eval"):
        (tmp_path / "union" / f"{name}.csv").write_text(CSV)
    for name in ("tune", "validation"):
        (extra / f"wikisplit-{name}.tsv").write_text(SPLIT)
    (tmp_path / "coreference").mkdir()
    archive = tmp_path / "coreference" / "ecbplus-topics-1-35.tar.gz"
    with tarfile.open(archive, "w:gz") as out:
        for name, text in REPORTS.items():
            content = xml(name, text).encode()
            member = tarfile.TarInfo(f"ECB+/{name.partition('_')[0]}/{name}.xml")
            member.size = len(content)
            out.addfile(member, io.BytesIO(content))
    monkeypatch.syspath_prepend(str(BENCHMARKS))

    def benchmark(name, *options):
        importlib.import_module(name).main(["--data", str(tmp_path), *options])
        return capsys.readouterr().out

    return benchmark


def rows(table):
    first = table["columns"][0]
    return {row[first]: row for row in table["rows"]}


def test_fitness_stands_beside_word_overlap(run):
    tables = json.loads(run("union_fitness", "--format", "json"))["tables"]
    systems, verdicts = rows(tables[0]), rows(tables[1])
    assert systems["tatian"]["unions"]["value"] > 0.6
    assert any(name.startswith("word overlap") for name in systems)
    assert verdicts["split sentences"]["no-consolidation"] == 1
    assert verdicts["unrelated sentences"]["no-consolidation"] == 1


def test_altered_figures_are_noticed(run):
    table = json.loads(run("union_fitness", "--format", "json"))["tables"][3]
    assert table["rows"][0]["pairs"] == 1
    assert table["rows"][0]["noticed"]["value"] == 1


def test_relations_are_counted_beside_peoples_and_checked_against_unions(run):
    printed = run("union_relations")
    assert "Relations per 10 pairs, 3 pairs" in printed
    assert "entailment" in printed
    assert "Borne out by the unions that people wrote" in printed


def test_pairs_report_common_events(run):
    table = json.loads(run("union_pairs", "--format", "json"))
    assert rows(table)["tatian, at least 50% likely"]["report a common event"]["value"] == 1


def test_weights_are_fitted_anew(run):
    lines = run("union_fitting").splitlines()
    assert lines[0].startswith("fitness: words=")
    assert any(line.startswith("direction, ") for line in lines)


def test_missing_data_is_an_error(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    with pytest.raises(SystemExit, match="error: "):
        importlib.import_module("union_fitness").main(["--data", str(tmp_path)])
