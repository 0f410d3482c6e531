"""Scoring documents: optional mentions, texts that differ, several documents, types of mentions."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from tatian.coreference.metrics import score
from tatian.coreference.metrics.kinds import FormClassifier
from tatian.errors import EmptyInput, InputError
from tatian.scoring import compare_all
from tatian.text import CHAINS, NAMES, TOKENS, WORDS, Chain, Mention, Name, Span, Token, Word

from .score_samples import document, phrase

BOARD = "Our Board is broke. Livingston Street has lost control. It must act."
OPTIONAL = phrase(BOARD, "Livingston Street", optional=True)


def test_an_optional_mention_that_the_response_leaves_out_is_not_scored():
    key = document(BOARD, ["Our Board", OPTIONAL, "It"])
    response = document(BOARD, ["Our Board", "It"])
    assert {one.f1 for one in score([key], [response]).all_rates().values()} == {1}


def test_an_optional_mention_that_the_response_marks_is_scored():
    key = document(BOARD, ["Our Board", OPTIONAL, "It"])
    wrong = document(BOARD, ["Our Board", "It"], ["Livingston Street"])
    assert score([key], [wrong]).rates("muc").recall == 0.5
    right = document(BOARD, ["Our Board", "Livingston Street", "It"])
    assert score([key], [right]).rates("muc") == (1, 1, 1)


def test_a_chain_that_only_an_optional_mention_connects_stays_one_chain():
    """Board - (Livingston Street) - It: the classes are made first, then the mention goes."""
    key = document(BOARD, ["Our Board", OPTIONAL, "It"])
    split = document(BOARD, ["Our Board"], ["It"])
    assert score([key], [split]).rates("muc").recall == 0


def test_a_mention_linked_only_to_an_optional_one_is_not_expected():
    key = document(BOARD, ["Our Board", OPTIONAL])
    found = score([key], [document(BOARD, ["It"])])
    assert found.rates("mentions") == (0, 0, 0)
    assert found.counts["mentions"][0] == (0, 0, 0, 1)


def test_marking_a_mention_linked_only_to_an_optional_one_is_no_error():
    key = document(BOARD, ["Our Board", OPTIONAL])
    found = score([key], [document(BOARD, ["Our Board"])])
    assert found.rates("mentions") == (1, 1, 1)


def test_responses_that_treat_optional_mentions_differently_can_be_compared():
    key = document(BOARD, ["Our Board", OPTIONAL, "It"])
    first = score([key], [document(BOARD, ["Our Board", "Livingston Street", "It"])])
    second = score([key], [document(BOARD + "\n", ["Our Board", "It"])])
    assert first.data == second.data
    assert {one.difference for one in compare_all(first, second)} == {0}


def test_recall_does_not_depend_on_how_links_encode_a_chain():
    """Section 7 warns that recall can depend on it; classes do not know their links."""
    from tatian.formats.muc.markables import Markable, Markup

    text = "A B C D"
    response = document(text, ["A", "B"], ["C", "D"])
    recalls = set()
    for antecedents in (("a", "b", "c"), ("a", "a", "a"), ("a", "a", "b")):
        marked = [Markable(0, 1, "a")] + [
            Markable(2 * place, 2 * place + 1, "abcd"[place], antecedent=before)
            for place, before in enumerate(antecedents, 1)
        ]
        key = document(text).with_layer(CHAINS, Markup(tuple(marked)).chains(), "test")
        recalls.add(score([key], [response]).rates("muc").recall)
    assert recalls == {2 / 3}


def test_single_mentions_can_be_dropped_on_both_sides():
    key = document(BOARD, ["Our Board", "It"], ["control"])
    response = document(BOARD, ["Our Board", "It"], ["Livingston Street"])
    assert score([key], [response]).rates("b3").f1 < 1
    assert score([key], [response], singletons=False).rates("b3").f1 == 1


def test_white_space_between_words_may_differ():
    key = document("He said , he left .", ["He", "he left"])
    response = document("He said, he left.\n", ["He", "he left"])
    assert score([key], [response]).rates("conll").f1 == 1


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("He said he stayed.", "at word 4: 'left.' in the key is 'stayed.' in the response"),
        ("He said", "at word 3: the key continues with 'he' where the other ends"),
        ("He said he left. Again", "at word 5: the response continues with 'Again'"),
    ],
)
def test_texts_that_differ_are_refused_with_the_place(text, what):
    with pytest.raises(InputError, match=f"document 'd': the texts differ {what}"):
        score([document("He said he left.")], [document(text)])


def tabled(*words: str):
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:place]) for place in range(len(words))]
    tokens = [
        Token(start, start + len(word), word) for start, word in zip(starts, words, strict=True)
    ]
    return document(text, [words[0]], format="conll").with_layer(TOKENS, tokens, "test")


def test_rows_of_tables_are_compared_by_number_whatever_their_words():
    assert score([tabled("a", "x")], [tabled("aa", "yyy")]).rates("mentions").f1 == 1
    with pytest.raises(InputError, match="the texts differ"):
        score([tabled("a", "x")], [tabled("aa", "yyy", "z")])


def test_discontinuous_mentions_match_by_all_their_parts():
    text = "neither old nor new rules"
    whole = Mention(8, 25)
    split = Mention(8, 25, parts=(Span(8, 11), Span(20, 25)))
    key = document(text, [split])
    assert score([key], [document(text, [split])]).rates("mentions").f1 == 1
    assert score([key], [document(text, [whole])]).rates("mentions").f1 == 0


def test_totals_add_counts_and_macro_averages_documents():
    def pair(id, chains):
        return document("a b c d", *chains, id=id)

    key = [pair("one", [["a", "b", "c", "d"]]), pair("two", [["a", "b"]])]
    response = [pair("one", [["a", "b", "c", "d"]]), pair("two", [["a"], ["b"]])]
    found = score(key, response)
    assert found.rates("muc").recall == 3 / 4
    assert found.rates("muc", "macro").recall == 1 / 2
    assert [one.recall for one in found.each("muc")] == [1, 0]


def test_a_document_with_nothing_on_either_side_is_right_in_the_macro_average():
    key = [document("a b", ["a", "b"], id="one"), document("a b", id="two")]
    response = [document("a b", ["a"], ["b"], id="one"), document("a b", id="two")]
    assert score(key, response).rates("muc", "macro").f1 == 0.5


def test_chains_of_several_documents_are_joined_by_their_ids():
    key = [document("a b", ["a"], ["b"], id=id) for id in ("one", "two")]
    swapped = [document("a b", ["a"], ["b"], id="one"), document("a b", ["b"], ["a"], id="two")]
    assert score(key, swapped).rates("b3").f1 == 1
    joined = score(key, swapped, cross_document=True)
    assert joined.rates("muc") == (0, 0, 0)
    assert len(joined.ids) == 1
    assert score(key, key, cross_document=True).rates("muc") == (1, 1, 1)


def test_there_must_be_documents():
    with pytest.raises(EmptyInput, match="no documents"):
        score([], [])


PEOPLE = "Ms. Ima Head praised the clever engineer; she called the Bank of England slow."


def typed(chains, **layers):
    made = document(PEOPLE, *chains)
    for key, items in layers.items():
        made = made.with_layer({"names": NAMES, "words": WORDS, "tokens": TOKENS}[key], items, "t")
    return made


def kinds(text_document) -> dict[str, int]:
    told = FormClassifier(text_document)
    mentions = (one for chain in text_document.get(CHAINS) for one in chain.mentions)
    return dict(Counter(map(told.of, mentions)))


def test_spelling_decides_the_kind_without_names_and_tags():
    marked = typed([["Ms. Ima Head", "the clever engineer", "she"], ["the Bank of England"]])
    assert kinds(marked) == {"name": 2, "nominal": 1, "pronoun": 1}


def test_names_of_the_document_decide_where_it_has_them():
    marked = typed([["Ms. Ima Head"], ["the Bank of England"]], names=[Name(4, 12, "PER")])
    assert kinds(marked) == {"name": 1, "nominal": 1}


def test_the_tag_of_the_head_decides_where_there_are_words():
    tokens = [Token(21, 24, "the"), Token(25, 31, "clever"), Token(32, 40, "engineer")]
    words = [
        Word(0, "DET", "the", head=2),
        Word(1, "PROPN", "clever", head=2),
        Word(2, "NOUN", "engineer", head=-1),
    ]
    marked = typed([["the clever engineer"]], tokens=tokens, words=words)
    assert kinds(marked) == {"nominal": 1}
    named = [msgspec.structs.replace(word, tag="PROPN") for word in words]
    assert kinds(typed([["the clever engineer"]], tokens=tokens, words=named)) == {"name": 1}


def test_chains_without_ids_of_their_own_are_kept_apart():
    text = "a b c d"
    twice = document(text).with_layer(
        CHAINS,
        [Chain("x", (Mention(0, 1), Mention(2, 3))), Chain("x", (Mention(4, 5), Mention(6, 7)))],
        "test",
    )
    assert score([twice], [document(text, ["a", "b"], ["c", "d"])]).rates("b3").f1 == 1
