"""The corpus of invented events: whole, clean, and read as the documentation says."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from tatian.cli import main
from tatian.corpora.bundles import Bundle, read_bundles
from tatian.formats import read
from tatian.formats.links import links_of
from tatian.text import Document

CORPUS = Path(__file__).parents[2] / "corpus"
SIZES = {"train": 128, "dev": 20, "test": 20}
LINKED = {
    "all": (767, 1691),
    "sparse": (64, 600),
    "wire": (54, 371),
    "reports": (58, 502),
    "people": (50, 201),
}
"""Texts and links of each style."""


@pytest.fixture(scope="module")
def parts() -> dict[str, list[Bundle]]:
    return {name: read_bundles(str(CORPUS / f"{name}.jsonl")) for name in SIZES}


def test_its_parts_have_the_sizes_of_the_card_and_no_bundle_in_common(
    parts: dict[str, list[Bundle]],
) -> None:
    assert {name: len(bundles) for name, bundles in parts.items()} == SIZES
    assert len({one.id for bundles in parts.values() for one in bundles}) == sum(SIZES.values())


def test_every_bundle_has_three_to_five_accounts_and_many_facts(
    parts: dict[str, list[Bundle]],
) -> None:
    for bundle in (one for bundles in parts.values() for one in bundles):
        assert 3 <= len(bundle.accounts) <= 5, bundle.id
        assert 35 <= len(bundle.facts) <= 80, bundle.id


@pytest.mark.long
def test_bundles_pass_the_check() -> None:
    result = CliRunner().invoke(main, ["facts", "check", str(CORPUS), "--quiet"])
    assert (result.exit_code, result.output) == (0, "")


def test_every_line_has_the_same_fields_so_that_tables_can_be_made_of_it() -> None:
    fields = set()
    for name in SIZES:
        for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            fields.add((tuple(sorted(record)), tuple(sorted(record["accounts"][0]))))
    assert len(fields) == 1


@pytest.fixture(scope="module")
def links() -> dict[str, list[Document]]:
    return {name: read(str(CORPUS / "links" / f"{name}.jsonl"), about="mention") for name in LINKED}


def test_its_links_have_the_numbers_of_the_card_and_stand_at_words(
    links: dict[str, list[Document]],
) -> None:
    for name, texts in links.items():
        marked = [(text.text, link) for text in texts for link in links_of(text)]
        assert (len(texts), len(marked)) == LINKED[name]
        for text, link in marked:
            around = text[max(0, link.start - 1) : link.start], text[link.end : link.end + 1]
            assert link.titles
            assert not any(map(str.isalnum, around)), (text, link)


def test_linked_texts_have_the_words_of_the_accounts(
    parts: dict[str, list[Bundle]], links: dict[str, list[Document]]
) -> None:
    accounts = {
        f"{bundle.id}/{account.id}": account.sentences
        for bundle in parts["train"]
        for account in bundle.accounts
    }
    for text in links["sparse"]:
        assert _letters(text.text) == _letters("".join(accounts[text.id]))
    for text in links["all"]:
        account, _, number = text.id.rpartition("/")
        assert _letters(text.text) == _letters(accounts[account][int(number)])


@pytest.mark.long
def test_every_linked_page_is_one_of_the_four_sources(links: dict[str, list[Document]]) -> None:
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("TATIAN_DATA", beside)) / "knowledge"
    if not folder.exists():
        pytest.skip("no shared data")
    known: set[str] = set()
    for opened, name in (
        (bz2.open, "schoolswiki-pages-articles.xml.bz2"),
        (gzip.open, "entities.jsonl.gz"),
        (gzip.open, "concepts.json.gz"),
        (gzip.open, "vital-article-titles.txt.gz"),
    ):
        with opened(folder / name, "rt", encoding="utf-8") as file:
            named = re.findall(r'<title>([^<]+)<|/wiki/([^\s"]+)', file.read())
        known |= {unquote(one or other).replace("_", " ") for one, other in named}
    for text in (text for texts in links.values() for text in texts):
        assert {title for link in links_of(text) for title in link.titles} <= known, text.id


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def test_editors_deleted_and_moved_and_added_nothing(parts: dict[str, list[Bundle]]) -> None:
    lines = (CORPUS / "edits" / "train.jsonl").read_text("utf-8").splitlines()
    edits = [json.loads(line) for line in lines]
    assert {one["bundle"] for one in edits} == {bundle.id for bundle in parts["train"]}
    for one in edits:
        told = [line for paragraph in one["edited"] for line in paragraph]
        assert len({line["sentence"] for line in told}) == len(told) <= len(one["woven"])
        for line in told:
            whole = one["woven"][line["sentence"]]["text"]
            words = iter(re.findall(r"\w+", whole.lower()))
            left = re.findall(r"\w+", line.get("text", whole).lower())
            assert all(word in words for word in left), (one["bundle"], left)


WRITTEN = (
    "train",
    "dev",
    "test",
    "pairs-train",
    "pairs-dev",
    "twins-train",
    "wire-train",
    "wire-judge",
)
"""Files of sentences about stories."""


def _lines(name: str) -> list[dict[str, object]]:
    text = (CORPUS / "proof" / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_every_written_sentence_is_about_a_story_and_every_twin_has_its_other(
    parts: dict[str, list[Bundle]],
) -> None:
    stories = {one.id for bundles in parts.values() for one in bundles}
    stories |= {str(one["id"]) for one in _lines("stories")}
    for name in WRITTEN:
        pairs: dict[tuple[object, object], list[object]] = {}
        for one in _lines(name):
            assert one["bundle"] in stories, (name, one)
            assert (one["kind"] == "free") == one["supported"], (name, one)
            if one.get("pair"):
                pairs.setdefault((one["bundle"], one["pair"]), []).append(one["supported"])
        assert all(sorted(map(str, two)) == ["False", "True"] for two in pairs.values()), name


def test_stories_for_judging_are_in_no_other_part() -> None:
    part = {one["id"]: one["part"] for one in _lines("stories")}
    assert {part[one["bundle"]] for one in _lines("wire-judge")} == {"judge"}
    assert {part[one["bundle"]] for one in _lines("wire-train")} == {"train"}
    assert sum(one == "judge" for one in part.values()) >= 25


def test_later_twins_are_about_training_bundles(parts: dict[str, list[Bundle]]) -> None:
    assert {one["bundle"] for one in _lines("twins-train")} == {one.id for one in parts["train"]}


def test_a_second_reader_gave_the_sentences_for_judging_the_same_labels() -> None:
    readings = CORPUS.parent / "docs/readings/sentences/verdicts.jsonl"
    read_ones = [json.loads(line) for line in readings.read_text("utf-8").splitlines()]
    theirs = {one["line"]: one for one in read_ones if one["file"] == "wire-judge.jsonl"}
    labels = [one["supported"] for one in _lines("wire-judge")]
    assert [theirs[n]["supported"] for n in range(1, len(labels) + 1)] == labels
