"""Chains across documents."""

from __future__ import annotations

import re

from tatian.analysis.pieces import RuleAnalyser
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.text import CHAINS, Chain, Document, Mention, Span
from tatian.text.documents import Metadata


def link(*texts: str) -> tuple[CrossChain, ...]:
    pipeline = Pipeline(analyser="rules", detector="names", resolver="match")
    return link_chains(
        [pipeline.process(Document(chr(97 + n), text)) for n, text in enumerate(texts)]
    )


def shared(*texts: str) -> dict[str, list[str]]:
    """The chains that several documents have, by name: the documents."""
    return {
        chain.name: [document for document, _ in chain.members]
        for chain in link(*texts)
        if len(chain.members) > 1
    }


def test_names_are_linked_across_documents() -> None:
    assert shared("It sank near Halverne.", "Fog lay near Halverne.") == {"Halverne": ["a", "b"]}


def test_a_chain_is_called_by_its_fullest_name() -> None:
    assert shared("They asked Captain Verrick.", "They asked Jonas Verrick.") == {
        "Jonas Verrick": ["a", "b"]
    }


def test_people_with_different_first_names_stay_apart() -> None:
    assert shared("They asked Jonas Verrick.", "They asked Anna Verrick.") == {}


def test_ambiguous_surname_joins_the_first_person() -> None:
    found = link("They asked Jonas Verrick and Anna Verrick.", "They asked Captain Verrick.")
    assert [(chain.name, len(chain.members)) for chain in found] == [
        ("Jonas Verrick", 2),
        ("Anna Verrick", 1),
    ]


def test_common_nouns_are_linked_by_their_noun() -> None:
    story = "A ferry ran aground. Tugs pulled the ferry free."
    assert list(shared(story, story).values()) == [["a", "b"]]


def test_pronouns_follow_their_chain() -> None:
    (chain,) = link("They asked Jonas Verrick. He left.", "They asked Jonas Verrick.")
    assert [(document, len(one.mentions)) for document, one in chain.members] == [
        ("a", 2),
        ("b", 1),
    ]
    assert [document for document, _ in chain.mentions()] == ["a", "a", "b"]


def test_chains_are_numbered_in_order_of_appearance() -> None:
    found = link("It left Halverne near Sennick.", "Fog lay near Cape Lorn.")
    assert [chain.id for chain in found] == ["e1", "e2", "e3"]


def test_every_chain_of_every_document_is_in_exactly_one() -> None:
    texts = ("They asked Jonas Verrick near Halverne.", "They asked Anna Verrick near Halverne.")
    members = [(document, one.id) for chain in link(*texts) for document, one in chain.members]
    assert len(members) == len(set(members)) == 4


def test_no_documents_have_no_chains() -> None:
    assert link_chains([]) == ()


def chained(id: str, text: str, *chains: str, type: str = "") -> Document:
    """A document with chains written as phrases, "the old ferry|it"; a star before the head."""
    document = RuleAnalyser().analyze(Document(id, text))
    made = []
    for number, phrases in enumerate(chains, 1):
        mentions = []
        for phrase in phrases.split("|"):
            start, plain = text.index(phrase.replace("*", "")), len(phrase.replace("*", ""))
            star = re.search(r"\*(\w+|\S)", phrase)
            head = Span(start + star.start(), start + star.end() - 1) if star else None
            mentions.append(Mention(start, start + plain, type, head=head))
        made.append(Chain(f"{id}#{number}", tuple(sorted(mentions)), type))
    return document.with_layer(CHAINS, made, "test")


def together(*documents: Document) -> bool:
    """Whether the first chains of two documents are one."""
    return any(len(chain.members) == len(documents) for chain in link_chains(documents, lone=True))


def test_chains_of_pronouns_are_never_linked() -> None:
    one, other = (chained(id, "He left, as he had said.", "He|he") for id in "ab")
    assert not together(one, other)


def test_any_mention_of_a_chain_can_link_it() -> None:
    one = chained("a", "The trawler sank. A tug reached the ferry.", "The *trawler|the *ferry")
    other = chained("b", "A tug reached the ferry at noon.", "the *ferry")
    assert together(one, other)


def test_nouns_with_different_modifiers_are_not_linked() -> None:
    one = chained("a", "They saw the northern harbour wall.", "the northern harbour *wall")
    other = chained("b", "Rain fell on a garden wall.", "a garden *wall")
    assert not together(one, other)


def test_different_types_do_not_keep_one_name_apart() -> None:
    one = chained("a", "They saw the Marla Grey.", "Marla Grey", type="MISC")
    other = chained("b", "Fog held the Marla Grey.", "Marla Grey", type="ORG")
    assert together(one, other)


def test_different_amounts_stay_apart() -> None:
    one = chained("a", "It cost $160 million then.", "*$160 million")
    other = chained("b", "It cost $184 million then.", "*$184 million")
    assert not together(one, other)


def test_a_noun_mentioned_once_in_all_documents_is_left_out_unless_asked_for() -> None:
    document = chained("a", "They saw the old harbour near Ostrey.", "the old *harbour", "Ostrey")
    assert [chain.name for chain in link_chains([document])] == ["Ostrey"]
    assert len(link_chains([document], lone=True)) == 2


def test_a_name_is_preferred_to_a_longer_phrase() -> None:
    text = "Anna Holm came. The mayor of the whole island spoke."
    document = chained("a", text, "Anna Holm|The *mayor of the whole island", type="PER")
    assert [chain.name for chain in link_chains([document])] == ["Anna Holm"]


def test_a_town_its_county_and_lengths_of_time_stay_apart() -> None:
    assert not shared("It sank near Port Calder.", "It sank near Calder County.")
    assert not shared("They fed the eight years.", "They lost the eight years.")


def test_weekday_of_another_week_is_another_day() -> None:
    first, second = (
        Document(day, "It sank on Friday.", metadata=Metadata(date=day))
        for day in ("2024-05-04", "2024-05-11")
    )
    spans = [Chain(f"{d.id}#1", (Mention(11, 17),)) for d in (first, second)]
    chained = [
        d.with_layer(CHAINS, [c], "test") for d, c in zip((first, second), spans, strict=True)
    ]
    pipeline = Pipeline(analyser="rules", detector="names", resolver="match")
    assert len(link_chains([pipeline.process(d) for d in chained], lone=True)) == 2
