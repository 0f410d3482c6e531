"""The phrases and pages that the ranked linker considers, and what it is told of them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.knowledge.base import KnowledgeBase
from tatian.mentions.models.ranked import PASSAGE_CHARACTERS, options, passages
from tatian.mentions.models.ranked.coherence import relatedness
from tatian.mentions.models.ranked.features import FEATURES, Votes
from tatian.mentions.models.ranked.options import AnalysedText, Linkable, derivation_bases, phrases
from tatian.text import Document, Span

from .ranked_world import document, world


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    return world(tmp_path_factory.mktemp("ranked"))


def find_phrases(base: KnowledgeBase, text: str, *names: tuple[str, str]) -> dict[str, Linkable]:
    analysis = AnalysedText(document(text, *names))
    return {text[one.start : one.end]: one for one in phrases(analysis, base)}


def titles(phrase: Linkable) -> list[str]:
    return [page.title for page in phrase.pages]


@pytest.mark.parametrize(
    ("word", "base_word"),
    [
        ("toxic", "toxicity"),
        ("teeth", "tooth"),
        ("political", "politics"),
        ("clotting", "clot"),
        ("economists", "economy"),
    ],
)
def test_derivation_bases_of_words_are_found(word: str, base_word: str) -> None:
    assert base_word in derivation_bases(word)


@given(st.text(alphabet="abcdefgilnorstuy", max_size=12))
def test_a_word_never_comes_from_itself_nor_twice_from_another(word: str) -> None:
    assert word not in derivation_bases(word)
    assert len(set(derivation_bases(word))) == len(derivation_bases(word))


def test_derived_words_are_phrases(base: KnowledgeBase) -> None:
    phrase = find_phrases(base, "The toxic sea.")["toxic"]
    assert (phrase.form, titles(phrase)) == ("derived", ["Toxicity"])


def test_phrases_within_others_are_considered_too(base: KnowledgeBase) -> None:
    assert {"New York City", "York"} <= set(find_phrases(base, "In New York City."))


def test_a_general_term_may_mean_the_special_page_of_a_place_in_the_text(
    base: KnowledgeBase,
) -> None:
    assert titles(find_phrases(base, "The air force struck.")["air force"]) == ["Air force"]
    of_israel = find_phrases(base, "In Israel the air force struck.")["air force"]
    assert titles(of_israel) == ["Air force", "Israeli Air Force"]


def test_place_in_the_topic_adds_special_pages(base: KnowledgeBase) -> None:
    analysis = AnalysedText(document("The air force struck."))
    (phrase,) = phrases(analysis, base, topic="The defence of Israel")
    assert "Israeli Air Force" in titles(phrase)


def test_a_surname_means_the_person_named_before(base: KnowledgeBase) -> None:
    names = (("Pablo Neruda", "PER"), ("Neruda", "PER"))
    phrase = find_phrases(base, "Pablo Neruda wrote. Neruda sang.", *names)["Neruda"]
    assert (phrase.form, titles(phrase)) == ("surname", ["Pablo Neruda"])


def test_a_surname_alone_is_a_term_like_others(base: KnowledgeBase) -> None:
    assert find_phrases(base, "Neruda sang.", ("Neruda", "PER"))["Neruda"].form == "exact"


def test_a_given_place_is_a_phrase_even_where_none_was_spotted(base: KnowledgeBase) -> None:
    text = "The Lone islands."
    analysis = AnalysedText(document(text))
    places = [(one.start, one.end) for one in phrases(analysis, base, fixed=[Span(0, 16)])]
    assert (0, 16) in places


def test_every_row_has_every_feature(base: KnowledgeBase) -> None:
    pairs, matrix = options(document("Israel has an air force."), base)
    assert matrix.shape == (len(pairs), len(FEATURES))


def test_features_equal_those_of_training(base: KnowledgeBase) -> None:
    text = "In Israel the air force struck."
    pairs, matrix = options(document(text, ("Israel", "LOC")), base)
    rows = {
        (text[phrase.start : phrase.end], phrase.pages[page].title): dict(
            zip(FEATURES, row.tolist(), strict=True)
        )
        for (phrase, page), row in zip(pairs, matrix, strict=True)
    }
    israel, special = rows["Israel", "Israel"], rows["air force", "Israeli Air Force"]
    expected = {
        "words": 1, "characters": 6, "capital": 1, "upper_case": 0, "begins_sentence": 0,
        "is_name": 1, "in_name": 0, "name_loc": 1, "name_per": 0, "prior": 1, "rank": 0,
        "titled": 1, "qualified": 0, "is_loc": 1, "type_agrees": 1, "type_differs": 0,
        "special": 0, "pages": 1,
    }  # fmt: skip
    assert {name: israel[name] for name in expected} == expected
    assert israel["capitals_in_text"] == pytest.approx(2 / 25)
    assert israel["times"] == pytest.approx(math.log(2))
    assert (special["special"], special["prior"], special["rank"]) == (1, 0, 1)


def test_features_count_earlier_occurrences_and_phrases(base: KnowledgeBase) -> None:
    pairs, matrix = options(document("Israel struck. Israel paid. " * 60), base)
    before = matrix[:, FEATURES.index("before")].tolist()
    among = matrix[:, FEATURES.index("among")]
    assert before == pytest.approx([math.log1p(number) for number in range(120)])
    assert len(set(among.tolist())) > 1  # passages, while `before` goes on through the text
    assert among.max() < math.log1p(len(pairs))


def test_unknown_features_are_nan(base: KnowledgeBase) -> None:
    _, matrix = options(document("Israel."), base)
    row = dict(zip(FEATURES, matrix[0].tolist(), strict=True))
    for name in ("head_noun", "argument", "similar_sentence", "similar_topic", "topic_vote"):
        assert math.isnan(row[name])


def test_a_topic_adds_features(base: KnowledgeBase) -> None:
    _, matrix = options(document("Israel."), base, "The air force")
    assert not math.isnan(matrix[0, FEATURES.index("topic_vote")])


def test_relatedness_of_many_is_that_of_each_pair(base: KnowledgeBase) -> None:
    ids = list(range(1, 16))
    together = relatedness(base, ids, ids[3:])
    each = [[base.relatedness(one, other) for other in ids[3:]] for one in ids]
    assert together == pytest.approx(np.array(each))
    assert 0 < together.max() <= 1


@pytest.mark.parametrize(("ones", "others"), [([], [1]), ([1], []), ([], [])])
def test_relatedness_of_none_is_an_empty_table(
    base: KnowledgeBase, ones: list[int], others: list[int]
) -> None:
    assert relatedness(base, ones, others).shape == (len(ones), len(others))


def test_terms_do_not_vote_for_themselves(base: KnowledgeBase) -> None:
    only = find_phrases(base, "Israel.")["Israel"]
    votes = Votes([only], [], base)
    assert votes.of(only.pages, only.term).tolist() == [[0.0, 0.0]]


def test_terms_vote_for_pages_that_are_linked_together(base: KnowledgeBase) -> None:
    text = find_phrases(base, "A tooth in Israel.")
    votes = Votes(list(text.values()), [], base)
    mean, best = votes.of(text["tooth"].pages, "tooth")[0]
    assert mean == best == base.relatedness(*(text[one].pages[0].id for one in ("tooth", "Israel")))


def test_long_texts_are_read_by_passages_that_share_no_phrase(base: KnowledgeBase) -> None:
    text = "Israel has an air force in New York City. " * 200
    parts = [
        {(phrase.start, phrase.end) for phrase, _ in pairs}
        for pairs, _ in passages(document(text), base)
    ]
    assert len(parts) >= len(text) // (PASSAGE_CHARACTERS + 100)
    assert sum(map(len, parts)) == len(set().union(*parts))
    for one, other in pairwise(parts):
        assert max(end for _, end in one) <= min(start for start, _ in other)


@pytest.mark.parametrize("text", ["", " \n", "...", "of the and"])
def test_a_text_without_terms_has_no_options(base: KnowledgeBase, text: str) -> None:
    pairs, matrix = options(Document("d", text), base)
    assert pairs == []
    assert matrix.shape == (0, len(FEATURES))
