"""Chains laid on the mentions of a document."""

from __future__ import annotations

from tatian.pipeline.pipeline import HeadIndex, place_chains
from tatian.text import CHAINS, MENTIONS, TOKENS, WORDS, Chain, Document, Mention, Span, Word
from tatian.text.tokenizer import tokenize

TEXT = "Captain Jonas Verrick, who steered, met Anna Holm. He left."


def at(phrase: str, type: str = "", head: str = "") -> Mention:
    start = TEXT.index(phrase)
    least = TEXT.index(head or phrase)
    least_end = least + len(head or phrase)
    span = None if not head else Span(least, least_end)
    return Mention(start, start + len(phrase), type, head=span)


VERRICK = at("Captain Jonas Verrick", "PER", "Jonas Verrick")
HOLM = at("Anna Holm", "PER")
LONG = at("Jonas Verrick, who steered", "PER", "Jonas Verrick")
HE = at("He")


def placed(*chains: Chain) -> list[list[str]]:
    document = Document("a", TEXT).with_layer(TOKENS, tokenize(TEXT), "test")
    document = document.with_layer(MENTIONS, [VERRICK, HOLM], "test")
    found = place_chains(document.with_layer(CHAINS, chains, "somebody"))
    assert found.layers[CHAINS.name].made.by == "somebody"
    ids = [chain.id for chain in found.get(CHAINS)]
    assert len(set(ids)) == len(ids)
    return [[one.of(TEXT) for one in chain.mentions] for chain in found.get(CHAINS)]


def test_a_name_gets_the_extent_that_the_detector_gave_it() -> None:
    assert placed(Chain("a#1", (LONG, HE))) == [["Captain Jonas Verrick", "He"], ["Anna Holm"]]


def test_a_name_that_no_chain_has_is_a_chain_of_its_own() -> None:
    assert placed() == [["Captain Jonas Verrick"], ["Anna Holm"]]


def test_mentions_other_than_names_keep_their_extent() -> None:
    assert ["who"] in placed(Chain("a#1", (at("who"),)))


def test_a_name_belongs_to_one_chain_that_of_the_closer_mention() -> None:
    wide = Mention(0, 49, head=Span(8, 21))
    chains = placed(Chain("a#2", (wide, HE)), Chain("a#3", (LONG,)))
    assert chains == [
        ["Captain Jonas Verrick"],
        [wide.of(TEXT), "He"],
        ["Anna Holm"],
    ]


def test_a_part_of_a_name_does_not_take_it_from_the_chain_that_has_it_whole() -> None:
    chains = placed(Chain("a#1", (at("Anna"), HE)), Chain("a#2", (HOLM,)))
    assert chains == [["Captain Jonas Verrick"], ["Anna", "He"], ["Anna Holm"]]


def test_a_part_of_a_name_is_not_a_chain() -> None:
    chains = placed(Chain("a#1", (at("Anna"),)), Chain("a#2", (HOLM, HE)))
    assert chains == [["Captain Jonas Verrick"], ["Anna Holm", "He"]]


def test_a_mention_without_a_head_has_that_of_its_tree() -> None:
    text = "the mayor of Oslo"
    words = [
        Word(0, "DET", "the", 1, "det"),
        Word(1, "NOUN", "mayor", -1, "root"),
        Word(2, "ADP", "of", 3, "case"),
        Word(3, "PROPN", "Oslo", 1, "nmod"),
    ]
    document = Document("a", text).with_layer(TOKENS, tokenize(text), "t")
    document = document.with_layer(WORDS, words, "t")
    oslo, mayor = Mention(13, 17, "LOC"), Mention(4, 9)
    whole = Mention(0, len(text))
    assert HeadIndex(document, [oslo, mayor]).at(whole) == mayor
    assert HeadIndex(document, [oslo]).at(whole) is None
