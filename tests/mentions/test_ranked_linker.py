"""The linker ``tatian``: what it chooses of what it considers."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate
from tatian.mentions.models import detectors
from tatian.mentions.models.ranked import WEIGHTS, RankedLinker, by_place, choose
from tatian.mentions.models.ranked.options import Linkable
from tatian.text import LINKS, MENTIONS, WORDS, Document, Metadata, Span

from .ranked_world import document, world

TEXT = "Barack Obama met students of Harvard University in Paris."


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("linker"))


@pytest.fixture(scope="module")
def starter() -> RankedLinker:
    """The shipped base, without the encoder: quick, and the same on every machine."""
    return RankedLinker(encoder=False)


def pages(found: Document) -> dict[str, str]:
    return {one.of(found.text): one.titles[0] for one in found.get(LINKS)}


def phrase(start: int, end: int, *titles: str) -> Linkable:
    candidates = tuple(Candidate(n, title, "concept", 0.5, 1) for n, title in enumerate(titles))
    return Linkable(start, end, "term", 1, "exact", 0.5, candidates)


def test_names_and_places_of_the_shipped_base_are_linked(starter: RankedLinker) -> None:
    found = pages(starter.detect(Document("d", TEXT)))
    assert found["Barack Obama"] == "Barack Obama"
    assert found["Paris"] == "Paris"


def test_ranked_linker_is_registered() -> None:
    assert isinstance(detectors.create("tatian", kb="starter"), RankedLinker)


def test_text_in_upper_case_is_linked(starter: RankedLinker) -> None:
    assert pages(starter.detect(Document("d", "PARIS IS IN FRANCE.")))["FRANCE"] == "France"


def test_text_in_lower_case_is_linked(starter: RankedLinker) -> None:
    assert pages(starter.detect(Document("d", "i went to paris in france.")))["france"] == "France"


@pytest.mark.parametrize("text", ["", " ", "\n\n", "...", "\ud800", "the of and"])
def test_a_text_without_mentions_gets_empty_layers(starter: RankedLinker, text: str) -> None:
    found = starter.detect(Document("d", text))
    assert (found.get(LINKS), found.get(MENTIONS)) == ((), ())


def test_without_the_encoder_no_analysis_is_asked_for(starter: RankedLinker) -> None:
    assert not starter.detect(Document("d", TEXT)).has(WORDS)


def test_linking_is_deterministic(starter: RankedLinker) -> None:
    once, again = (
        model.detect(Document("d", TEXT)) for model in (starter, RankedLinker(encoder=False))
    )
    assert once.get(LINKS) == again.get(LINKS)


def test_unlikely_candidates_are_not_linked() -> None:
    assert RankedLinker(encoder=False, threshold=1.01).detect(Document("d", TEXT)).get(LINKS) == ()


def test_confidence_is_a_probability(starter: RankedLinker) -> None:
    scores = [one.score for one in starter.detect(Document("d", TEXT)).get(LINKS)]
    assert scores
    assert all(score is not None and starter.threshold <= score <= 1 for score in scores)


def test_topic_of_the_document_is_used(base: KnowledgeBase) -> None:
    model = RankedLinker(base, encoder=False, threshold=0.0)
    plain = document("The air force struck.")
    about = Document("d", plain.text, Metadata(topic="Israel"), plain.layers)
    bare, topical = (model.link(one, [Span(4, 13)])[0] for one in (plain, about))
    assert bare is not None
    assert topical is not None
    assert bare.score != topical.score


def test_likeliest_of_overlapping_phrases_is_linked() -> None:
    pairs = [(phrase(0, 4, "Short"), 0), (phrase(0, 9, "Long"), 0), (phrase(5, 9, "Other"), 0)]
    found = choose(by_place(pairs, [0.8, 0.6, 0.9]), threshold=0.2)
    assert [one.candidates[0].title for one in found] == ["Short", "Other"]


def test_longer_phrase_is_linked_if_nearly_as_likely() -> None:
    pairs = [(phrase(0, 4, "Short"), 0), (phrase(0, 9, "Long"), 0)]
    (found,) = choose(by_place(pairs, [0.6, 0.5]), threshold=0.2)
    assert found.candidates[0].title == "Long"


def test_several_pages_are_given_only_where_they_are_nearly_as_likely() -> None:
    three = phrase(0, 4, "A", "B", "C")
    places = by_place([(three, 0), (three, 1), (three, 2)], [0.3, 0.5, 0.2])
    (found,) = choose(places, 0.2, titles=3)
    assert [page.title for page in found.candidates] == ["B", "A"]
    assert found.score == 0.5


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(1, 8), st.floats(0, 1, width=32)), max_size=20
    )
)
def test_links_never_overlap(given_: list[tuple[int, int, float]]) -> None:
    pairs = [(phrase(start, start + length, "A"), 0) for start, length, _ in given_]
    found = choose(by_place(pairs, [score for *_, score in given_]), threshold=0.2)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(one.score >= 0.2 for one in found)


@settings(max_examples=settings.default.max_examples // 4, deadline=None)
@given(st.text(max_size=60))
def test_detector_accepts_any_text(starter: RankedLinker, text: str) -> None:
    found = starter.detect(Document("d", text)).get(LINKS)
    assert all(0 <= one.start < one.end <= len(text) for one in found)


def test_given_phrases_are_linked_in_place(starter: RankedLinker) -> None:
    spans = [Span(0, 12), Span(17, 25), Span(51, 56), Span(13, 16)]
    found = starter.link(Document("d", TEXT), spans)
    assert [one and (one.start, one.end, one.titles) for one in found] == [
        (0, 12, ("Barack Obama",)),
        (17, 25, ("Student",)),
        (51, 56, ("Paris",)),
        None,
    ]


def test_unlikely_given_phrases_are_linked(base: KnowledgeBase) -> None:
    text = "The Lone islands."
    model = RankedLinker(base, encoder=False, threshold=1.0)
    assert model.detect(document(text)).get(LINKS) == ()
    (found,) = model.link(document(text), [Span(4, 16)])
    assert found is not None
    assert found.titles == ("Lone island",)


def test_linking_no_spans_returns_nothing(starter: RankedLinker) -> None:
    assert starter.link(Document("d", TEXT), []) == []


def test_time_is_linear_in_the_text(starter: RankedLinker) -> None:
    def seconds(times: int) -> float:
        made = document(f"{TEXT} " * times)
        start = time.process_time()
        starter.choose(made)
        return time.process_time() - start

    seconds(5)
    short = min(seconds(40) for _ in range(3))
    assert seconds(400) < 25 * short


def test_weights_name_their_licence() -> None:
    assert "LICENSE.md" in RankedLinker.licence
    assert WEIGHTS.name in WEIGHTS.with_name("LICENSE.md").read_text(encoding="utf-8")


def test_lower_case_word_is_no_place_in_cased_text() -> None:
    sure = RankedLinker(encoder=False, threshold=0.01)
    found = pages(sure.detect(Document("d", "Ann says that Paris is nice, and Nice is too.")))
    assert "nice" not in found
    assert found["Nice"] == "Nice"


def test_a_sentence_that_begins_with_a_capital_has_capitals() -> None:
    found = pages(
        RankedLinker(encoder=False).detect(Document("d", "We ate the turkey with gravy."))
    )
    assert found.get("turkey") != "Turkey"
