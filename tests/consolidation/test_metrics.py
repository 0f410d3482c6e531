"""What each measure of a consolidation means, on texts small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tatian.consolidation.metrics import (
    Alignment,
    alignment,
    compression,
    content_stems,
    coverage,
    everything_together,
    glue,
    gold_pairs,
    measure,
    predicted_pairs,
    repetition,
    weighted_coverage,
    words,
)
from tatian.consolidation.result import (
    Account,
    Consolidation,
    SourceSentence,
    WrittenSentence,
    WrittenToken,
)
from tatian.text import CHAINS, MENTIONS, SENTENCES, Chain, Document, Mention, Sentence, Source

ALICE = "Police arrested Smith. Rain fell."
BOB = "Smith was arrested by officers. He sang."


def annotated(name: str, text: str, **chains: str) -> Document:
    """A document with one chain for each keyword: its id, and the word it is mentioned by."""
    spans, start = [], 0
    for part in text.split(". "):
        end = min(len(text), start + len(part) + 1)
        spans.append(Sentence(start, end))
        start = end + 1
    found = [
        Chain(key, (Mention(text.index(word), text.index(word) + len(word)),), type="ACT")
        for key, word in chains.items()
    ]
    mentions = [mention for chain in found for mention in chain.mentions]
    document = Document(name, text).with_layer(SENTENCES, spans, "gold")
    return document.with_layer(MENTIONS, mentions, "gold").with_layer(CHAINS, found, "gold")


def woven(documents: list[Document], text: str, *into: list[tuple[int, ...]]) -> Consolidation:
    """A consolidation that says where each sentence of each document went."""
    accounts = tuple(
        Account(
            document.id,
            None,
            None,
            None,
            None,
            document.text,
            tuple(
                SourceSentence(span.start, span.end, "merged", where, "")
                for span, where in zip(document.sentences, places, strict=True)
            ),
        )
        for document, places in zip(documents, into, strict=True)
    )
    token = WrittenToken(0, len(text), (Source(documents[0].id, 0, 1),))
    return Consolidation(1, text, (WrittenSentence(0, len(text), (token,)),), accounts)


@pytest.fixture
def accounts() -> list[Document]:
    return [
        annotated("a", ALICE, ARREST="arrested", RAIN="fell"),
        annotated("b", BOB, ARREST="arrested", SONG="sang"),
    ]


def test_sentences_of_different_documents_that_share_an_event_belong_together(
    accounts: list[Document],
) -> None:
    assert gold_pairs(accounts) == {(("a", 0), ("b", 0))}


def test_sentences_of_one_document_are_never_a_pair() -> None:
    document = annotated("a", "He ran. He won.", RACE="ran")
    (chain,) = document.get(CHAINS)
    again = Mention(document.text.index("won"), document.text.index("won") + 3)
    both = Chain("RACE", (*chain.mentions, again), type="ACT")
    assert gold_pairs([document.with_layer(CHAINS, [both], "gold")]) == set()


def test_shared_people_do_not_make_a_pair() -> None:
    documents = [annotated("a", "Smith slept."), annotated("b", "Smith sang.")]
    people = [
        document.with_layer(CHAINS, [Chain("HUM1", (Mention(0, 5),), type="HUM")], "gold")
        for document in documents
    ]
    assert gold_pairs(people) == set()


def test_chains_of_one_document_alone_do_not_make_a_pair() -> None:
    documents = [annotated("a", "He sang."), annotated("b", "He sang.")]
    local = [
        document.with_layer(CHAINS, [Chain(f"{document.id}#m1", (Mention(3, 7),), "ACT")], "gold")
        for document in documents
    ]
    assert gold_pairs(local) == set()


def test_close_pairs_have_most_of_their_events_in_common() -> None:
    documents = [
        annotated("a", "He came, saw, won and left.", CAME="came", SAW="saw", WON="won"),
        annotated("b", "He came and saw.", CAME="came", SAW="saw"),
        annotated("c", "He came back and wept.", CAME="came", WEPT="wept"),
    ]
    assert len(gold_pairs(documents)) == 3
    assert gold_pairs(documents, common=0.5) == {(("a", 0), ("b", 0))}


def test_sentences_that_went_into_one_output_sentence_were_brought_together(
    accounts: list[Document],
) -> None:
    result = woven(accounts, "x", [(0,), (1,)], [(0,), (2,)])
    assert predicted_pairs(result, accounts) == {(("a", 0), ("b", 0))}


def test_unused_sentences_are_brought_together_with_nothing(accounts: list[Document]) -> None:
    assert predicted_pairs(woven(accounts, "x", [(), ()], [(), ()]), accounts) == set()


def test_a_sentence_split_otherwise_is_found_by_where_it_stands(accounts: list[Document]) -> None:
    result = woven(accounts, "x", [(0,), (1,)], [(0,), (2,)])
    first, second = result.documents
    halves = (
        SourceSentence(0, 15, "merged", (0,), ""),
        SourceSentence(16, 22, "kept", (5,), ""),
    )
    whole = Account("a", None, None, None, None, first.text, (*halves, first.sentences[1]))
    split = Consolidation(1, "x", result.sentences, (whole, second))
    assert predicted_pairs(split, accounts) == {(("a", 0), ("b", 0))}


def test_alignment_counts_pairs(accounts: list[Document]) -> None:
    result = woven(accounts, "x", [(0,), (1,)], [(0,), (1,)])
    found = alignment(result, accounts)
    assert found == Alignment(correct=1, predicted=2, gold=1)
    assert (found.precision, found.recall, found.f1) == (0.5, 1.0, pytest.approx(2 / 3))


def test_sentences_without_annotation_do_not_count(accounts: list[Document]) -> None:
    bare = [accounts[0], accounts[1].with_layer(MENTIONS, [Mention(10, 18)], "gold")]
    result = woven(bare, "x", [(0,), (1,)], [(0,), (1,)])
    assert alignment(result, bare).predicted == 1


def test_an_alignment_of_nothing_is_zero_not_an_error() -> None:
    nothing = Alignment(0, 0, 0)
    assert (nothing.precision, nothing.recall, nothing.f1) == (0.0, 0.0, 0.0)


def test_everything_together_finds_all_pairs(accounts: list[Document]) -> None:
    assert everything_together(accounts) == Alignment(correct=1, predicted=4, gold=1)


def test_words_leave_out_punctuation_and_the_possessive() -> None:
    assert words("Smith's dog - 1,200 pounds! - isn’t O’Neil’s.") == [
        "Smith",
        "dog",
        "1,200",
        "pounds",
        "isn’t",
        "O’Neil",
    ]


def test_content_stems_leave_out_stop_words() -> None:
    assert content_stems("He was arrested by the officers.") == ["arrest", "offic"]


def test_coverage_is_the_share_of_the_sources_stems() -> None:
    assert coverage("Police arrested a man.", ["Police arrest men.", "Rain."]) == pytest.approx(
        2 / 4
    )


def test_weighted_coverage_counts_what_several_sources_say_more() -> None:
    sources = ["Police, rain.", "Police."]
    assert coverage("Police.", sources) == pytest.approx(1 / 2)
    assert weighted_coverage("Police.", sources) == pytest.approx(2 / 3)


def test_a_pair_of_content_words_said_again_is_repeated() -> None:
    assert repetition(["Police arrested him.", "He was arrested by police."]) == pytest.approx(
        2 / 4
    )


def test_words_alone_may_come_again() -> None:
    assert repetition(["Police arrested him.", "Police left."]) == 0


def test_a_sentence_can_repeat_itself() -> None:
    twice = ["The police arrested him and later the police arrested him."]
    assert repetition(twice) == pytest.approx(2 / 5)


def test_three_words_in_a_row_do_not_repeat_themselves() -> None:
    assert repetition(["Rain brought rain."]) == 0


def test_names_may_come_again() -> None:
    assert repetition(["Ann Smith slept.", "Ann Smith sang."]) == 0


def test_glue_is_the_share_of_words_without_a_source() -> None:
    tokens = (
        WrittenToken(0, 4, (Source("a", 0, 4),)),
        WrittenToken(5, 8, (), glue=True),
        WrittenToken(8, 9, (), glue=True),
    )
    result = Consolidation(1, "Rain and.", (WrittenSentence(0, 9, tokens),), ())
    assert glue(result) == pytest.approx(1 / 2)


def test_compression_compares_lengths_in_words() -> None:
    assert compression("Rain fell.", ["Rain fell.", "It rained."]) == pytest.approx(2 / 4)


def test_an_empty_output_can_be_measured(accounts: list[Document]) -> None:
    result = Consolidation(1, "", (), woven(accounts, "", [(), ()], [(), ()]).documents)
    found = measure(result, accounts)
    assert (found.coverage, found.repetition, found.glue, found.words) == (0.0, 0.0, 0.0, 0)


WORDS = st.sampled_from(["rain", "fell", "hard", "on", "every", "roof", "Police", "sang"])
SAID = st.lists(st.lists(WORDS, min_size=1).map(" ".join), min_size=1, max_size=5)


@given(SAID)
def test_the_accounts_themselves_cover_everything(sentences: list[str]) -> None:
    assert coverage(" ".join(sentences), sentences) == 1
    assert weighted_coverage(" ".join(sentences), sentences) == 1
    assert compression(" ".join(sentences), sentences) == 1


@given(SAID, SAID)
def test_saying_more_never_covers_less(said: list[str], more: list[str]) -> None:
    sources = ["rain fell hard on every roof", "Police sang"]
    assert coverage(" ".join(said), sources) <= coverage(" ".join(said + more), sources)


@given(SAID)
def test_repetition_is_a_share(sentences: list[str]) -> None:
    assert 0 <= repetition(sentences) <= repetition([*sentences, *sentences]) <= 1
