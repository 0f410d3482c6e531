"""``tatian kb``: building, describing and asking knowledge bases."""

from __future__ import annotations

import gzip
import json
import os
import signal
from pathlib import Path

import pytest

from ..waiting import until
from .harness import Command

TABLE = (
    "title\taliases\tkind\tfacts\n"
    "Paris\tCity of Light\tlocation\ttype=city|country=France|mayor=Anne Hidalgo@2014..\n"
    "Paris, Texas\t\tlocation\ttype=city|country=United States\n"
    "Marie Curie\t\tperson\toccupation=physicist\n"
)
EXPORT = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">
<siteinfo><sitename>W</sitename></siteinfo>
<page><title>Seine</title><ns>0</ns><id>1</id><revision><id>1</id><model>wikitext</model>
<format>text/x-wiki</format><text>The '''Seine''' is a river that flows through [[Paris]], the
city of [[Marie Curie|Curie]]. Paris likes it.</text></revision></page>
</mediawiki>
"""


@pytest.fixture
def table(tmp_path: Path) -> str:
    (tmp_path / "places.tsv").write_text(TABLE)
    return "places.tsv"


@pytest.fixture
def base(table: str, tatian: Command) -> str:
    assert tatian("kb", "build", table, "-o", "a.kb", "--no-vectors").status == 0
    return "a.kb"


def test_build_merges_several_sources_into_one_base(
    table: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "wiki.xml.gz").write_bytes(gzip.compress(EXPORT.encode()))
    (tmp_path / "titles.txt").write_text("/wiki/London\nParis\n")
    built = tatian(
        *("kb", "build", table, "wiki.xml.gz", "titles.txt", "-o", "a.kb"),
        *("--no-vectors", "--format", "json"),
    )
    assert (built.status, built.err) == (0, "")
    info = json.loads(built.out)
    assert [one["pages"] for one in info["sources"]] == [3, 1, 2]
    assert info["counts"]["articles"] == 5
    assert info["counts"]["vectors"] == 0
    found = json.loads(tatian("kb", "lookup", "a.kb", "Curie", "--format", "json").out)
    assert [(one["title"], one["count"]) for one in found[0]["candidates"]] == [("Marie Curie", 1)]


def test_build_reads_standard_input_by_its_kind(tatian: Command) -> None:
    done = tatian("kb", "build", "titles:-", "-o", "a.kb", "--no-vectors", stdin=b"London\n")
    assert done.status == 0
    assert "London" in tatian("kb", "lookup", "a.kb", "london").out


def test_build_adds_to_another_base(base: str, tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "titles.txt").write_text("London\n")
    built = tatian(
        *("kb", "build", base, "titles.txt", "-o", "b.kb", "--no-vectors", "--format", "json")
    )
    assert json.loads(built.out)["counts"]["articles"] == 4


def test_build_computes_vectors_where_the_encoder_is(table: str, tatian: Command) -> None:
    built = tatian("kb", "build", table, "-o", "a.kb", "--format", "json")
    assert json.loads(built.out)["counts"]["vectors"] == 3


def test_build_without_the_encoder_warns_unless_vectors_are_asked_for(
    table: str, tmp_path: Path, tatian: Command
) -> None:
    missing = {"TATIAN_WEIGHTS": str(tmp_path / "none")}
    done = tatian("kb", "build", table, "-o", "a.kb", **missing)
    assert done.status == 0
    assert done.err.startswith("tatian: warning: no vectors: ")
    assert tatian("kb", "build", table, "-o", "b.kb", "--vectors", **missing).error
    assert not (tmp_path / "b.kb").exists()


def test_build_keeps_what_is_read_of_a_dump(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "wiki.xml").write_text(EXPORT)
    asked = ("kb", "build", "wiki.xml", "-o", "a.kb", "--no-vectors", "--work", "parts")
    assert tatian(*asked, "--processes", "1", "--format", "json").status == 0
    assert list((tmp_path / "parts").iterdir())
    again = tatian(*asked, "--format", "json")
    assert json.loads(again.out)["counts"]["articles"] == 1


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("-", "a knowledge base cannot be printed: name a file with -o"),
        ("folder", "folder: is a directory: name a file"),
        ("none/a.kb", "none/a.kb: cannot be written: unable to open database file"),
    ],
)
def test_unwritable_place_fails_with_one_line(
    output: str, message: str, table: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "folder").mkdir()
    assert tatian("kb", "build", table, "-o", output, "--no-vectors").error == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "odd.tsv: the file is empty"),
        ("<html>", "is not a known kind of source"),
        ("title\taliases\tkind\tfacts\nParis\t\ttown\t\n", "odd.tsv:2: expected one of person"),
    ],
)
def test_unreadable_source_fails_with_one_line_and_leaves_nothing(
    content: str, message: str, tmp_path: Path, tatian: Command
) -> None:
    (tmp_path / "odd.tsv").write_text(content)
    assert message in tatian("kb", "build", "odd.tsv", "-o", "a.kb", "--no-vectors").error
    assert [one.name for one in tmp_path.iterdir()] == ["odd.tsv"]


def test_an_interrupted_build_leaves_nothing(tmp_path: Path, tatian: Command) -> None:
    os.mkfifo(tmp_path / "pipe")
    process = tatian.start("kb", "build", "titles:pipe", "-o", "a.kb", "--no-vectors")
    with (tmp_path / "pipe").open("wb") as pipe:
        pipe.write(b"London\n")
        pipe.flush()
        until(lambda: len(list(tmp_path.iterdir())) >= 2, "the file that is being built")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert [one.name for one in tmp_path.iterdir()] == ["pipe"]


def test_info_lists_sources_and_counts(base: str, tatian: Command) -> None:
    done = tatian("kb", "info", base)
    assert done.status == 0
    for line in ("sources table places.tsv pages", "counts articles", "counts vectors"):
        assert line in done.out
    assert json.loads(tatian("kb", "info", base, "--format", "json").out)["path"] == "a.kb"


def test_lookup_shows_candidates_with_priors_descriptions_and_facts(
    base: str, tatian: Command
) -> None:
    header, first, second = tatian("kb", "lookup", base, "PARIS").out.splitlines()
    assert header.split() == ["term", "page", "kind", "prior", "links", "description", "facts"]
    assert first.startswith("paris  Paris ")
    assert "country: France" in first
    assert second.startswith("paris  Paris, Texas")


def test_lookup_is_available_as_json(base: str, tatian: Command) -> None:
    asked = ("kb", "lookup", base, "city of light", "Paris", "--limit", "1", "--format", "json")
    alias, city = json.loads(tatian(*asked).out)
    assert (alias["asked"], alias["term"]) == ("city of light", "city of light")
    assert [one["title"] for one in city["candidates"]] == ["Paris"]
    assert {"relation": "country", "value": "France"} in city["candidates"][0]["facts"]


def test_lookup_of_an_unknown_term_says_so(base: str, tatian: Command) -> None:
    done = tatian("kb", "lookup", base, "Zeppelin")
    assert (done.status, done.out) == (0, "")
    assert done.err == "tatian: note: a.kb has no entry for 'Zeppelin'\n"


def test_the_starter_base_is_known_by_name(tatian: Command) -> None:
    assert "France" in tatian("kb", "lookup", "starter", "France").out
    assert tatian("kb", "info", "starter").status == 0


def test_lookup_shows_when_facts_held(base: str, tatian: Command) -> None:
    assert "mayor: Anne Hidalgo (since 2014)" in tatian("kb", "lookup", base, "Paris").out


def test_base_without_terms_gives_a_warning(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "marks.txt").write_text("!!!\n")
    built = tatian("kb", "build", "marks.txt", "-o", "a.kb", "--no-vectors")
    assert built.status == 0
    assert "a.kb has no terms" in built.err


def test_prose_is_refused_as_a_source(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "story.txt").write_text("The mayor of Oslo sang. She slept.\n")
    assert "seems to be prose" in tatian("kb", "build", "story.txt", "-o", "a.kb").error
    assert not (tmp_path / "a.kb").exists()
