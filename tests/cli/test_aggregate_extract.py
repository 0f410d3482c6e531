"""``tatian aggregate extract`` and ``tatian aggregate mine``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ..corpora.nitf_samples import nitf, tar
from .harness import Command


@pytest.fixture
def corpus(tmp_path: Path) -> str:
    """A corpus of one month."""
    articles = {f"05/14/{n}.xml": nitf(str(n)) for n in range(1, 4)}
    tar(tmp_path / "data/2006/05.tgz", {**articles, "05/14/9.xml": ""})
    return "data"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_extract_writes_instances_and_prints_what_every_rule_did(
    corpus: str, tmp_path: Path, tatian: Command
) -> None:
    done = tatian(
        *("aggregate", "extract", corpus, "--years", "2006", "--fast"),
        *("-o", "instances.jsonl", "--format", "json"),
    )
    assert done.status == 0
    assert "files left out: empty or damaged (1; " in done.err
    told = json.loads(done.out)
    found = lines(tmp_path / "instances.jsonl")
    assert told["figures"]["articles"] == {"all": 3}
    assert told["figures"]["instances"] == {"all": len(found), "person": len(found)}
    assert told["mean_size"] == 2.0
    assert found[0]["entities"] == ["Daniel R. Okoye", "Marta Keller"]
    assert found[0]["title"] == "Two Mayors Share a Bridge"
    assert found[0]["date"] == "2006-05-14"


def test_extract_prints_instances_where_no_file_is_named(corpus: str, tatian: Command) -> None:
    done = tatian("aggregate", "extract", corpus, "--fast", "--sample", "2", "--seed", "7")
    again = tatian("aggregate", "extract", corpus, "--fast", "--sample", "2", "--seed", "7")
    assert len(done.out.splitlines()) == 2
    assert again.out == done.out
    assert "instances in 3 articles" in done.err


def test_extract_takes_background_and_corrections(tmp_path: Path, tatian: Command) -> None:
    story = {"id": "s", "text": "Oslo and Berlin are far from Madrid.", "title": "Far"}
    (tmp_path / "story.jsonl").write_text(json.dumps(story) + "\n")
    (tmp_path / "right.tsv").write_text("Berlin\tnone\n")
    done = tatian(
        *("aggregate", "extract", "story.jsonl", "--kb", "starter", "--corrections", "right.tsv"),
        *("--background", "60", "-o", "found.jsonl"),
    )
    assert done.status == 0
    backgrounds = [one.get("background", {}) for one in lines(tmp_path / "found.jsonl")]
    assert backgrounds
    known = {
        name: text for one in backgrounds if isinstance(one, dict) for name, text in one.items()
    }
    assert "Oslo" in known
    assert "Berlin" not in known
    assert all(len(text) <= 60 for text in known.values())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--years", "06"], "neither a year nor two years"),
        (["--years", "1999"], "data: the corpus has nothing of these years"),
        (["--resume"], "--resume needs -o with a file"),
        (["--resume", "-o", "x.jsonl"], "x.jsonl.state: no such file: there is nothing to resume"),
        (["--corrections", "c.tsv"], "--corrections needs a knowledge base"),
        (["--kb", "none.kb"], "none.kb: no such file"),
        (["-o", "data/x.jsonl"], "lies in a directory that is read"),
    ],
)
def test_extract_fails_with_one_line(
    corpus: str, tatian: Command, args: list[str], message: str
) -> None:
    assert message in tatian("aggregate", "extract", corpus, *args).error


def test_extract_reads_archives_and_articles_from_standard_input(
    corpus: str, tmp_path: Path, tatian: Command
) -> None:
    named = tatian("aggregate", "extract", corpus, "--fast").out
    packed = (tmp_path / "data/2006/05.tgz").read_bytes()
    assert tatian("aggregate", "extract", "-", "--fast", stdin=packed).out == named
    single = tatian("aggregate", "extract", "-", "--fast", stdin=nitf("1").encode()).out
    assert single
    assert named.startswith(single)


def test_mine_writes_instances_with_gold_and_counts_wordings(
    tmp_path: Path, tatian: Command
) -> None:
    story = {"id": "s", "text": "It rained. Countries such as Peru and Chile are long."}
    (tmp_path / "story.jsonl").write_text(json.dumps(story) + "\n")
    done = tatian("aggregate", "mine", "story.jsonl", "-o", "mined.jsonl", "--format", "json")
    assert (done.status, done.err) == (0, "")
    told = json.loads(done.out)
    assert (told["texts"], told["instances"], told["hearst"]) == (1, 1, 1)
    (found,) = lines(tmp_path / "mined.jsonl")
    assert found == {
        "id": "s-1",
        "entities": ["Chile", "Peru"],
        "type": "location",
        "context": "It rained. Peru and Chile are long.",
        "aggregations": ["countries"],
        "source": "s",
    }


def test_mine_takes_plurals_only_with_a_knowledge_base(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text("France met Italy in May. The two countries signed.\n")
    plain = tatian("aggregate", "mine", "a.txt", "--pattern", "plural")
    assert "--pattern plural needs a knowledge base" in plain.error
    known = tatian("aggregate", "mine", "a.txt", "--pattern", "plural", "--kb", "starter")
    assert json.loads(known.out)["aggregations"] == ["countries"]


def test_mine_keeps_only_the_wordings_asked_for(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "a.txt").write_text("Countries such as Peru and Chile are long.\n")
    done = tatian("aggregate", "mine", "a.txt", "--pattern", "other")
    assert (done.status, done.out) == (0, "")
    assert "0 instances in 1 text\n" in done.err


def test_an_engine_extracts_and_mines_the_same(
    corpus: str, tmp_path: Path, tatian: Command
) -> None:
    engine = ("--engine", "local", "--processes", "1")
    months = (tmp_path / "data/2006/05.tgz").read_bytes()
    (tmp_path / "data/2006/06.tgz").write_bytes(months)
    for command in (
        ("aggregate", "extract", corpus, "--fast", "--format", "json"),
        ("aggregate", "mine", corpus, "--format", "json"),
    ):
        plain = tatian(*command, "-o", "plain.jsonl")
        done = tatian(*command, "-o", "engine.jsonl", *engine)
        assert (done.status, done.out, done.err) == (plain.status, plain.out, plain.err)
        assert lines(tmp_path / "engine.jsonl") == lines(tmp_path / "plain.jsonl")
    assert not list(tmp_path.glob("*.failed.jsonl"))
