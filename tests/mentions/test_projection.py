"""Gold of a transcript on what a recogniser made of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats import read
from tatian.formats.links import build_document, evaluated_parts, links_of, replace_links
from tatian.mentions.projection import Projection, project_all
from tatian.mentions.speech import RecognitionRates, simulate
from tatian.text import Document, Link, Span

TRANS = "Jewish refugees were turned away from the UK"
ASR = "jewish refute. these were turned away from the u_k"
"""The mention benchmark's Text 4."""


def gold(text: str, *terms: str) -> Document:
    found = []
    for term in terms:
        start = text.index(term)
        found.append(Link(start, start + len(term), (term,)))
    return build_document("t", text, tuple(found))


def project_terms(trans: Document, asr: str) -> list[str]:
    """The terms in the recognised text, each checked to stand there."""
    found = Projection.of(trans, asr).text
    assert found.text == asr
    return [one.of(asr) for one in links_of(found)]


def test_example_of_the_paper_is_projected() -> None:
    assert project_terms(gold(TRANS, "Jewish refugees", "UK"), ASR) == [
        "jewish refute. these",
        "u_k",
    ]


def test_pages_and_attributes_are_kept() -> None:
    trans = gold(TRANS, "UK")
    marked = replace_links(trans, [replace(links_of(trans)[0], tags=("form:short",))])
    (found,) = links_of(Projection.of(marked, ASR).text)
    assert (found.titles, found.tags) == (("UK",), ("form:short",))


words = st.lists(st.text("abcd", min_size=1, max_size=6), min_size=3, max_size=8)


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[list[str], int]:
    """Words, the middle ones of which are a mention."""
    chosen = draw(words)
    return chosen, draw(st.integers(1, len(chosen) - 2))


def of_words(chosen: list[str], index: int) -> Document:
    start = len(" ".join(chosen[:index])) + 1
    mention = Link(start, start + len(chosen[index]), ("P",))
    return build_document("t", " ".join(chosen), (mention,))


@given(marked_texts())
def test_identical_text_keeps_all_mentions(sample: tuple[list[str], int]) -> None:
    text = of_words(*sample)
    found = Projection.of(text, text.text)
    assert (found.text, found.vanished, found.distance) == (text, (), 0)


@given(marked_texts())
def test_lost_case_keeps_offsets(sample: tuple[list[str], int]) -> None:
    text = of_words(*sample)
    (found,) = links_of(Projection.of(text, text.text.upper()).text)
    assert (found.start, found.end) == (links_of(text)[0].start, links_of(text)[0].end)


@given(marked_texts(), st.text("xyz", min_size=1, max_size=5), st.data())
def test_pure_insertion_of_words_leaves_the_term_whole(
    sample: tuple[list[str], int], more: str, data: st.DataObject
) -> None:
    chosen, index = sample
    place = data.draw(st.integers(0, len(chosen)))
    asr = " ".join([*chosen[:place], more, *chosen[place:]])
    assert project_terms(of_words(chosen, index), asr) == [chosen[index]]


@given(marked_texts(), st.text("xyz", min_size=1, max_size=5), st.data())
def test_pure_insertion_inside_a_term_is_part_of_it(
    sample: tuple[list[str], int], more: str, data: st.DataObject
) -> None:
    chosen, index = sample
    word = chosen[index]
    place = data.draw(st.integers(0, len(word)))
    longer = word[:place] + more + word[place:]
    asr = " ".join([*chosen[:index], longer, *chosen[index + 1 :]])
    assert project_terms(of_words(chosen, index), asr) == [longer]


@given(words)
def test_pure_deletion_of_the_words_around_a_term_leaves_it(chosen: list[str]) -> None:
    term = "refugees"
    text = of_words([*chosen[:1], term, *chosen[1:]], 1)
    assert project_terms(text, term) == [term]


@given(words)
def test_pure_deletion_of_a_term_is_reported(chosen: list[str]) -> None:
    text = of_words([chosen[0], "xyz", *chosen[1:]], 1)
    found = Projection.of(text, " ".join(chosen))
    assert links_of(found.text) == ()
    assert found.vanished == links_of(text)


@given(marked_texts(), st.data())
def test_substitution_of_letters_keeps_the_place(
    sample: tuple[list[str], int], data: st.DataObject
) -> None:
    text = of_words(*sample)
    places = [n for n, letter in enumerate(text.text) if letter != " "]
    place = data.draw(st.sampled_from(places))
    asr = text.text[:place] + "x" + text.text[place + 1 :]
    (found,) = links_of(Projection.of(text, asr).text)
    assert (found.start, found.end) == (links_of(text)[0].start, links_of(text)[0].end)


@given(st.text("ab c", max_size=12), st.text("ab c", max_size=12))
def test_the_distance_is_that_of_the_full_table(trans: str, asr: str) -> None:
    rows = [list(range(len(asr) + 1))]
    for i, letter in enumerate(trans, 1):
        row = [i]
        for j, other in enumerate(asr, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other)))
        rows.append(row)
    found = Projection.of(build_document("t", trans), asr, exact_case=True)
    assert found.distance == rows[-1][-1]


@given(st.text(max_size=30), st.text(max_size=30), st.data())
def test_any_two_texts_give_spans_inside_the_second(
    trans: str, asr: str, data: st.DataObject
) -> None:
    end = data.draw(st.integers(0, len(trans)))
    start = data.draw(st.integers(0, end))
    text = build_document("t", trans, (Link(start, end),))
    found = Projection.of(text, asr)
    assert len(links_of(found.text)) + len(found.vanished) == 1
    for one in links_of(found.text):
        assert one.of(asr) == one.of(asr).strip() != ""


def test_a_stray_stop_behind_a_term_is_not_part_of_it() -> None:
    assert project_terms(gold("we left the UK early", "UK"), "we left the uk. early") == ["uk"]


def test_a_mark_that_the_term_has_is_kept() -> None:
    assert project_terms(gold("we use Yahoo! daily", "Yahoo!"), "we use yahoo! daily") == ["yahoo!"]


def test_with_exact_case_capitals_are_other_letters() -> None:
    found = Projection.of(gold("UK", "UK"), "uk", exact_case=True)
    assert found.distance == 2
    assert Projection.of(gold("UK", "UK"), "uk").distance == 0


def test_evaluated_parts_are_carried_over() -> None:
    trans = build_document("t", TRANS, links_of(gold(TRANS, "UK")), evaluated=[Span(0, 15)])
    (part,) = evaluated_parts(Projection.of(trans, ASR).text)
    assert part.of(ASR) == "jewish refute. these"


def test_long_texts_are_carried_over_in_bounded_time_and_memory() -> None:
    text = gold(
        " ".join(f"word{number} more" for number in range(5000)) + " Jerusalem", "Jerusalem"
    )
    asr = text.text.lower().replace("more", "moor").replace("jerusalem", "jerusa lem")
    assert project_terms(text, asr) == ["jerusa lem"]


def test_texts_are_paired_by_id() -> None:
    one, other = replace(gold("the UK", "UK"), id="a"), replace(gold("a cat", "cat"), id="b")
    asr = [build_document("b", "a kat"), build_document("a", "the u_k")]
    found = [links_of(one.text)[0].of(one.text.text) for one in project_all([one, other], asr)]
    assert found == ["u_k", "kat"]


def test_texts_without_a_common_id_are_paired_by_order() -> None:
    asr = [build_document("1", "the u_k")]
    assert [one.text.id for one in project_all([gold("the UK", "UK")], asr)] == ["t"]


def test_transcript_without_recognised_text_is_named() -> None:
    texts = [build_document("a", "x"), build_document("b", "y")]
    with pytest.raises(InputError, match="nothing was recognised for the transcript 'b'"):
        list(project_all(texts, [build_document("a", "x"), build_document("c", "z")]))


def test_unequal_numbers_of_texts_cannot_be_paired_by_order() -> None:
    texts = [build_document("a", "x"), build_document("b", "y")]
    with pytest.raises(InputError, match="2 transcripts but 1 recognised texts"):
        list(project_all(texts, [build_document("1", "x")]))


def test_projection_is_accurate_on_real_conversations(data: Path) -> None:
    right = total = 0
    for text in read(str(data / "mentions" / "conversations-dev.jsonl")):
        trans = simulate(text, RecognitionRates.transcript()).text
        asr = simulate(text)
        true = {(one.start, one.end) for one in links_of(asr.text)}
        moved = links_of(Projection.of(trans, asr.text.text).text)
        carried = {(one.start, one.end) for one in moved}
        right += len(true & carried)
        total += len(true)
    assert total > 500
    assert right / total > 0.97


def test_parts_of_unrelated_words_are_not_carried_over() -> None:
    trans = gold("The Earthquake struck Lisbon in 1755", "Earthquake", "Lisbon")
    found = Projection.of(trans, "we should then bring some other cats home")
    assert (links_of(found.text), found.vanished) == ((), links_of(trans))


def test_a_mention_with_too_few_recognised_letters_vanishes() -> None:
    trans = gold("an Earthquake struck", "Earthquake")
    assert Projection.of(trans, "an he struck").vanished == links_of(trans)


def test_a_mention_run_together_with_other_words_is_cut_out() -> None:
    assert project_terms(gold("they were from the UK then", "UK"), "they werefromtheukthen") == [
        "uk"
    ]


def test_with_keep_all_a_vanished_mention_moves_to_the_words_in_its_place() -> None:
    trans = gold("the senate met in Oslo today", "Oslo")
    asr = "the senate met in basel today"
    assert links_of(Projection.of(trans, asr, keep_all=True).text)[0].of(asr) == "basel"


def test_with_keep_all_a_mention_without_a_trace_moves_to_the_nearest_word() -> None:
    trans = gold("they met in Oslo", "Oslo")
    found = Projection.of(trans, "they met", keep_all=True)
    assert (links_of(found.text)[0].of("they met"), found.vanished) == ("met", ())


def test_with_keep_all_nothing_is_kept_where_nothing_was_recognised() -> None:
    assert len(Projection.of(gold("in Oslo", "Oslo"), "...", keep_all=True).vanished) == 1
