"""What is told about a union: where its words come from, what it leaves out, who says more."""

from hypothesis import given
from hypothesis import strategies as st

from tatian.text import Document, Source, SourcedToken, Span
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import glue
from tatian.union.generate import build_report, one_sentence, pieces
from tatian.union.models import Merged
from tatian.union.models.whole import Concatenation

words = st.lists(st.sampled_from("fog ferry Sennick 12 ran".split()), min_size=1, max_size=4)


def test_offsets_of_pieces_are_into_the_union_and_of_sources_into_the_sentence(passage_of):
    passages = [passage_of("A ferry sank.", "a"), passage_of("It was foggy.", "b")]
    merged = Concatenation().merge(passages)
    text = one_sentence(merged)
    for piece in pieces(merged, passages):
        assert text[piece.start : piece.end] == piece.text
        for behind in piece.sources:
            assert passages[behind.sentence].text[behind.start : behind.end] == behind.text


def test_glue_has_no_sources(passage_of):
    passage = passage_of("A ferry sank.")
    token = SourcedToken("ferry", (Source("d", 2, 7),))
    merged = Merged(((token, glue("and")),), ())
    found = list(pieces(merged, [passage]))
    assert [(piece.text, len(piece.sources)) for piece in found] == [("ferry", 1), ("and", 0)]


def test_words_that_the_union_lacks_are_named_once(passage_of):
    passages = [passage_of("A ferry sank.", "a"), passage_of("The ferry sank in fog, fog.", "b")]
    merged = Concatenation().merge(passages[:1])
    assert build_report("1", merged, passages, "concatenation").missing == ("fog",)


def test_a_passage_in_the_middle_of_its_document_counts_from_its_own_start(passage_of):
    whole = passage_of("It rained. A ferry sank.").document
    passage = Passage(whole, Span(11, 24))
    (piece,) = pieces(Concatenation().merge([passage]), [passage])
    assert [(behind.start, behind.end) for behind in piece.sources] == [(0, 13)]


@given(st.lists(words, min_size=1, max_size=3))
def test_pieces_never_overlap_and_leave_out_blanks_only(sentences):
    tokens = tuple(
        tuple(SourcedToken(word, (Source(f"d{i % 2}", 0, 1),)) for i, word in enumerate(sentence))
        for sentence in sentences
    )
    merged = Merged(tokens, ())
    passages = [Passage(Document(f"d{i}", "x"), Span(0, 1)) for i in range(2)]
    text = one_sentence(merged)
    rest = list(text)
    for piece in pieces(merged, passages):
        assert text[piece.start : piece.end] == piece.text
        rest[piece.start : piece.end] = [" "] * len(piece.text)
    assert set(rest) <= {" ", ";"}


def test_object_of_reveal_is_no_speaker(passage_of):
    passages = [
        passage_of("A video of the ferry was revealed on Thursday.", "a"),
        passage_of("The video shows a ferry in fog.", "b"),
    ]
    merged = Merged(((*copy_tokens(passages[0])[:-1], *copy_tokens(passages[1])[2:]),), ())
    assert build_report("1", merged, passages, "mine").attributions == ()
