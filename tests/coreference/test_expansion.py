"""Maximal phrases and MIN from markup of heads alone (section 4)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.coreference.expansion import Change, expand, settle
from tatian.formats import find
from tatian.formats.muc import MARKABLES, read
from tatian.text import CHAINS, LINKS, MENTIONS, Chain, Document, Link, Mention, Span

_HEAD = re.compile(r"\[([^\]]+)\]")


def heads(marked: str) -> Document:
    """A text whose words in brackets are marked, each as a chain of its own."""
    text = ""
    chains: list[Chain] = []
    at = 0
    for found in _HEAD.finditer(marked):
        text += marked[at : found.start()]
        chains.append(Chain(found[1], (Mention(len(text), len(text) + len(found[1])),)))
        text += found[1]
        at = found.end()
    text += marked[at:]
    return Document("d", text).with_layer(CHAINS, chains, "somebody")


def grow(marked: str, *, widest: bool = True) -> list[str]:
    """The phrases that the marked heads become."""
    found = expand(heads(marked), widest=widest).document
    return [chain.mentions[0].of(found.text) for chain in found.get(CHAINS)]


def minima(marked: str) -> list[str | None]:
    """The MIN of each."""
    found = expand(heads(marked)).document
    mentions = [chain.mentions[0] for chain in found.get(CHAINS)]
    return [one.head.of(found.text) if one.head else None for one in mentions]


@pytest.mark.parametrize(
    ("marked", "phrase"),
    [
        ("They praised the coreference [task].", "the coreference task"),
        ("We sold about 200,000 [tons] of sugar.", "about 200,000 tons of sugar"),
        ("Mr. [Holland] left.", "Mr. Holland"),
        ("The [rumor] that the war had ended spread.", "The rumor that the war had ended"),
        (
            "[Fred Frosty], the ice cream king of Tyson's Corner, left.",
            "Fred Frosty, the ice cream king of Tyson's Corner,",
        ),
        (
            "The [Penn Central Co.], which used to run a railroad, closed.",
            "The Penn Central Co., which used to run a railroad,",
        ),
        ("XYZ Inc. formed a joint [venture] with Sony.", "a joint venture with Sony"),
        (
            "[Julius Caesar], the well-known emperor, died.",
            "Julius Caesar, the well-known emperor,",
        ),
        ("Julius Caesar, the well-known [emperor], died.", "the well-known emperor,"),
        (
            "Bill Clinton is the [President] of the United States.",
            "the President of the United States",
        ),
    ],
)
def test_a_head_grows_to_the_maximal_phrase(marked: str, phrase: str) -> None:
    assert grow(marked) == [phrase]


def test_conjuncts_do_not_grow_across_the_conjunction() -> None:
    marked = "Ms. Fribble was [president] and [CEO] of Amalgamated Text Processing Inc. today."
    assert grow(marked) == ["president", "CEO of Amalgamated Text Processing Inc."]


def test_pronouns_and_whole_phrases_stay() -> None:
    assert grow("[She] saw [the old man] and [himself].") == ["She", "the old man", "himself"]


def test_an_ambiguous_prepositional_phrase_goes_to_the_noun_by_default() -> None:
    marked = "He paid [$1.2 million] in crisp bills."
    assert grow(marked) == ["$1.2 million in crisp bills"]
    assert grow(marked, widest=False) == ["$1.2 million"]


def test_a_time_is_not_attached_to_the_noun() -> None:
    assert grow("He bought a [house] in May.") == ["a house"]


@pytest.mark.parametrize(
    ("marked", "minimum"),
    [
        ("They praised the coreference [task].", "task"),
        ("The Honorable Frederick F. [Fernwhistle] Jr. spoke.", "Frederick F. Fernwhistle Jr."),
        ("[Julius Caesar], the well-known emperor, died.", "Julius Caesar"),
        ("He met the six [youngest].", "youngest"),
        ("[She] left.", None),
    ],
)
def test_the_head_becomes_min(marked: str, minimum: str | None) -> None:
    assert minima(marked) == [minimum]


def test_phrases_nest_and_never_cross() -> None:
    marked = "The [mayor] of the [city] that the [river] flooded left."
    found = expand(heads(marked)).document
    spans = [chain.mentions[0] for chain in found.get(CHAINS)]
    assert grow(marked)[0].startswith("The mayor of the city")
    for one in spans:
        for other in spans:
            assert one.contains(other) or other.contains(one) or not one.overlaps(other)


SOURCE = """<DOC>
<TXT>
Dr. <COREF ID="a">Ann Lee</COREF>, the
well-known <COREF ID="b" REF="a" TYPE="IDENT">captain</COREF>, left.
<COREF ID="c" REF="b" TYPE="IDENT">She</COREF> was the
<COREF ID="d" REF="c" TYPE="IDENT">owner</COREF>.
</TXT>
</DOC>
"""


def test_muc_markup_keeps_its_ids_and_links() -> None:
    (document,) = read(SOURCE)
    expansion = expand(document)
    written = "".join(find("muc").write([expansion.document]))
    (again,) = read(written)
    assert [(one.id, one.antecedent) for one in again.get(MARKABLES)] == [
        ("a", None),
        ("b", "a"),
        ("c", "b"),
        ("d", "c"),
    ]
    assert again.get(MARKABLES)[0].of(again.text) == "Dr. Ann Lee, the\nwell-known captain,"
    assert 'MIN="Ann Lee">Dr. Ann Lee, ' in written
    assert '<COREF ID="d" TYPE="IDENT" REF="c">the\nowner</COREF>' in written


def test_min_is_not_written_for_an_article_alone() -> None:
    (document,) = read(SOURCE)
    owner = expand(document).document.get(MARKABLES)[3]
    assert (owner.of(document.text), owner.head) == ("the\nowner", None)


def test_duplicate_marks_of_a_chain_are_merged() -> None:
    source = SOURCE.replace(
        "Dr. <COREF", 'Dr. <COREF ID="x" REF="a" TYPE="IDENT">Ann</COREF> <COREF'
    ).replace(">Ann Lee<", ">Lee<")
    (document,) = read(source)
    expansion = expand(document)
    assert expansion.counts()["merged"] == 1
    links = {one.id: one.antecedent for one in expansion.document.get(MARKABLES)}
    assert "Dr. Ann Lee" in expansion.document.get(CHAINS)[0].mentions[0].of(document.text)
    assert len(links) == 4
    assert sum(antecedent is None for antecedent in links.values()) == 1


def test_a_mention_does_not_grow_to_a_phrase_of_another_chain() -> None:
    document = Document("d", "The old mayor left.")
    chains = [Chain("1", (Mention(0, 13),)), Chain("2", (Mention(8, 13),))]
    expansion = expand(document.with_layer(CHAINS, chains, "somebody"))
    assert expansion.counts() == {"minimum": 1, "taken": 1}
    spans = [chain.mentions[0] for chain in expansion.document.get(CHAINS)]
    assert [(one.start, one.end) for one in spans] == [(0, 13), (8, 13)]


def test_the_outcome_of_each_mention_is_reported() -> None:
    expansion = expand(heads("They praised the coreference [task]."))
    assert expansion.mentions == 1
    assert expansion.changes == (Change("grown", "d", "task", "the coreference task", "task"),)


def test_links_and_mentions_get_the_new_extents() -> None:
    document = heads("They praised the old [mayor] today.")
    (place,) = document.get(CHAINS)[0].mentions
    document = document.with_layer(LINKS, [Link(place.start, place.end, titles=("Mayor",))], "x")
    document = document.with_layer(MENTIONS, [place, Mention(0, 4)], "x")
    found = expand(document).document
    assert [one.of(found.text) for one in found.get(LINKS)] == ["the old mayor"]
    assert [one.of(found.text) for one in found.get(MENTIONS)] == ["They", "the old mayor"]


def test_other_layers_are_kept() -> None:
    document = heads("They praised the [task].")
    assert set(expand(document).document.layers) == set(document.layers)


places = st.tuples(st.integers(0, 20), st.integers(1, 10)).map(lambda one: Span(one[0], sum(one)))


@given(st.lists(st.tuples(places, st.integers(0, 5), st.integers(0, 5)), max_size=8))
def test_expanded_mentions_never_have_equal_or_new_crossing_extents(
    drawn: list[tuple[Span, int, int]],
) -> None:
    wanted: dict[Mention, Span] = {}
    for span, left, right in drawn:
        mention = Mention(span.start + 5, span.end + 5)
        wanted[mention] = Span(mention.start - left, mention.end + right)
    chains = [Chain(str(number), (one,)) for number, one in enumerate(wanted)]
    settled = settle(chains, wanted)
    spans = list(settled.places.values())
    assert len({(one.start, one.end) for one in spans}) == len(spans) == len(wanted)
    for mention, outcome in settled.outcomes.items():
        if outcome == "grown":
            new = settled.places[mention]
            assert all(
                not new.overlaps(one) or new.contains(one) or one.contains(new) for one in spans
            )
