"""``tatian mentions convert``, ``stats``, ``split`` and ``sample``, as users run them."""

from __future__ import annotations

import json
import re
import signal
import urllib.request
from pathlib import Path

import pytest

from .harness import Command

TEXT = "Complaints about marriage customs reached the Queen of Norway."
GOLD = {
    "id": "customs",
    "text": TEXT,
    "topic": "Monarchy",
    "mentions": [
        {"start": 17, "end": 25, "term": "marriage", "titles": ["Marriage"], "named": False},
        {"start": 26, "end": 33, "term": "customs", "titles": ["Convention (norm)", "Tradition"]},
        {"start": 55, "end": 61, "term": "Norway", "titles": ["Norway"], "named": True},
    ],
}
CSV = (
    "id,text,topic,mentions\n"
    f"customs,{TEXT},Monarchy,"
    '"marriage#https://en.wikipedia.org/wiki/Marriage\n'
    "customs#https://en.wikipedia.org/wiki/Convention_(norm)\n"
    "customs#https://en.wikipedia.org/wiki/Tradition\n"
    'Norway#https://en.wikipedia.org/wiki/Norway"\n'
)


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text(json.dumps(GOLD) + "\n")


def test_the_format_is_recognised_and_the_result_printed(tatian: Command) -> None:
    done = tatian("mentions", "convert", "gold.jsonl", "--to", "csv", "-q")
    assert (done.status, done.out, done.err) == (0, CSV, "")


def test_standard_input_is_read(tatian: Command) -> None:
    done = tatian("mentions", "convert", "-", "--to", "jsonl", stdin=CSV.encode())
    plain = json.loads(done.out)
    assert [one["titles"] for one in plain["mentions"]][1] == ["Convention (norm)", "Tradition"]


def test_every_loss_is_a_warning_with_its_count_and_first_place(tatian: Command) -> None:
    done = tatian("mentions", "convert", "gold.jsonl", "--to", "csv")
    assert done.err == (
        "tatian: warning: not in csv: scores, types, tags and ids of links "
        "(2; first in 'customs')\n"
    )


def test_a_broken_line_is_one_error(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"id":"a","text":"b","mentions":[{"start":0,"end":9}]}')
    done = tatian("mentions", "convert", "bad.jsonl", "--to", "nif")
    assert done.error == "bad.jsonl:1: the mention at 0..9 lies outside the text"


def test_counts_are_printed_as_table_or_json(tatian: Command) -> None:
    shown = tatian("mentions", "stats", "gold.jsonl").out.splitlines()
    assert ["per", "sentence", "4.000"] in [line.split() for line in shown]
    found = json.loads(tatian("mentions", "stats", "gold.jsonl", "--format", "json").out)
    assert (found["mentions"], found["named"], found["general"], found["unsaid"]) == (4, 1, 1, 2)
    assert found["per_sentence"] == 4
    assert found["sentence_length"] == 10


def test_counts_of_several_files_are_by_file(tatian: Command) -> None:
    done = tatian("mentions", "stats", "gold.jsonl", "gold.jsonl", "--format", "json")
    assert json.loads(done.out)["gold.jsonl"]["texts"] == 1


def test_a_benchmark_is_split_into_seeded_halves(tatian: Command, tmp_path: Path) -> None:
    lines = [json.dumps({**GOLD, "id": str(number)}) for number in range(9)]
    (tmp_path / "all.jsonl").write_text("\n".join(lines))
    assert tatian("mentions", "split", "all.jsonl", "dev.jsonl", "test.jsonl").status == 0
    dev = (tmp_path / "dev.jsonl").read_text()
    assert len(dev.splitlines()) == 4
    assert len((tmp_path / "test.jsonl").read_text().splitlines()) == 5
    tatian("mentions", "split", "all.jsonl", "dev.jsonl", "test.jsonl", "--seed", "1")
    assert (tmp_path / "dev.jsonl").read_text() != dev


def test_single_text_cannot_be_split_into_halves(tatian: Command) -> None:
    assert "no halves" in tatian("mentions", "split", "gold.jsonl", "a", "b").error


def test_sentences_are_sampled_from_articles_on_a_topic(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "articles.jsonl").write_text(
        '{"title":"Monarchy","text":"A monarchy is a form of government. It is headed by one '
        'person for life."}\n'
        '{"title":"Cheese","text":"Cheese is made from milk in many parts of the world."}\n'
    )
    (tmp_path / "topics.txt").write_text("We should abolish the monarchy\n")
    given = ("mentions", "sample", "articles.jsonl", "-n", "2", "--topics", "topics.txt")
    done = tatian(*given, "--seed", "3")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert {one["topic"] for one in found} == {"We should abolish the monarchy"}
    assert sorted(one["id"] for one in found) == ["Monarchy/1", "Monarchy/2"]
    assert tatian(*given, "--seed", "3").out == done.out


def test_too_few_sentences_are_a_warning(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("There is one sentence of seven words. Hm.")
    done = tatian("mentions", "sample", "a.txt", "-n", "5")
    assert done.status == 0
    assert "only 1 sentences to choose from, not 5" in done.err


def test_a_sample_needs_articles(tatian: Command) -> None:
    assert "Name files with articles" in tatian("mentions", "sample").error


@pytest.fixture
def base(tatian: Command, tmp_path: Path) -> str:
    """A knowledge base of one page."""
    france = {
        "id": "/m/0f8l9c",
        "label": "France",
        "alternatives": ["French Republic"],
        "description": "country in the west of Europe that has many regions",
        "wikidata_id": "Q142",
        "wikipedia": "https://en.wikipedia.org/wiki/France",
    }
    (tmp_path / "entities.jsonl").write_text(json.dumps(france) + "\n")
    built = tatian("kb", "build", "entities.jsonl", "-o", "small.kb", "--no-vectors", "-q")
    assert built.status == 0, built.err
    return "small.kb"


def test_a_knowledge_base_finds_the_pages_of_ids(
    base: str, tatian: Command, tmp_path: Path
) -> None:
    label = {"id": 0, "span": [0, 6], "entity_id": "Q142", "name": "France", "type": "Q43229"}
    article = {"id": 1, "text": "France won.", "evaluation_span": [0, 11], "labels": [label]}
    (tmp_path / "news.jsonl").write_text(json.dumps(article))
    done = tatian("mentions", "convert", "news.jsonl", "--to", "csv", "--kb", base, "-q")
    assert done.out.endswith("France#https://en.wikipedia.org/wiki/France\n")
    counts = tatian(
        "mentions", "stats", "-", "--kb", base, "--format", "json", stdin=done.out.encode()
    )
    assert json.loads(counts.out)["unsaid"] == 0


def test_sentences_are_sampled_from_a_knowledge_base(base: str, tatian: Command) -> None:
    done = tatian("mentions", "sample", "--kb", base, "-n", "1", "--topic", "We like France")
    (line,) = done.out.splitlines()
    assert json.loads(line)["id"] == "France/1"


def test_missing_knowledge_base_is_named(tatian: Command) -> None:
    for command in ("stats", "sample"):
        assert "nowhere.kb" in tatian("mentions", command, "gold.jsonl", "--kb", "nowhere.kb").error


MODEL = """
from tatian.text import LINKS, Link

class Cities:
    def detect(self, document):
        at = document.text.index("Oslo")
        return document.with_layer(LINKS, [Link(at, at + 4, ("Oslo",))], "cities")
"""
NIF = (
    "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n"
    '<http://a.org/1> a nif:Context ; nif:isString "In Oslo." .\n'
)


def test_server_answers_requests_of_gerbil(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "cities.py").write_text(MODEL)
    command = ("mentions", "serve", "--port", "0", "--model", "cities:Cities")
    process = tatian.start(*command, PYTHONPATH=str(tmp_path))
    try:
        assert process.stderr is not None
        (url,) = re.findall(r"http://\S+", process.stderr.readline().decode())
        with urllib.request.urlopen(url, NIF.encode(), timeout=60) as answer:
            assert b"<http://dbpedia.org/resource/Oslo>" in answer.read()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
    finally:
        process.kill()
        process.communicate()
