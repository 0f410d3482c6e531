"""Gold of a transcript on what a recogniser made of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tatian.errors import InputError
from tatian.formats import read
from tatian.formats.records import LinkedMention, LinkedText
from tatian.mentions.projection import Projection, project, project_all
from tatian.mentions.simulation import Rates, simulate
from tatian.text import Span

TRANS = "Jewish refugees were turned away from the UK"
ASR = "jewish refute. these were turned away from the u_k"
"""The mention benchmark's Text 4."""


def gold(text: str, *terms: str) -> LinkedText:
    found = []
    for term in terms:
        start = text.index(term)
        found.append(LinkedMention(start, start + len(term), term=term, titles=(term,)))
    return LinkedText("t", text, mentions=tuple(found))


def heard(trans: LinkedText, asr: str) -> list[str]:
    """The terms in the recognised text, each checked to stand there."""
    found = project(trans, asr)
    assert found.text == asr
    assert all(one.of(asr) == one.term for one in found.mentions)
    return [one.term for one in found.mentions]


def test_text_4_of_the_paper() -> None:
    assert heard(gold(TRANS, "Jewish refugees", "UK"), ASR) == ["jewish refute. these", "u_k"]


def test_pages_and_all_else_go_along() -> None:
    trans = gold(TRANS, "UK")
    marked = replace(trans, mentions=(replace(trans.mentions[0], tags=("form:short",)),))
    (found,) = project(marked, ASR).mentions
    assert (found.titles, found.tags) == (("UK",), ("form:short",))


words = st.lists(st.text("abcd", min_size=1, max_size=6), min_size=3, max_size=8)


@st.composite
def marked_texts(draw: st.DrawFn) -> tuple[list[str], int]:
    """Words, the middle ones of which are a mention."""
    chosen = draw(words)
    return chosen, draw(st.integers(1, len(chosen) - 2))


def of_words(chosen: list[str], index: int) -> LinkedText:
    start = len(" ".join(chosen[:index])) + 1
    mention = LinkedMention(start, start + len(chosen[index]), term=chosen[index], titles=("P",))
    return LinkedText("t", " ".join(chosen), mentions=(mention,))


@given(marked_texts())
def test_identity_changes_nothing(sample: tuple[list[str], int]) -> None:
    text = of_words(*sample)
    found = Projection.of(text, text.text)
    assert (found.text, found.vanished, found.distance) == (text, (), 0)


@given(marked_texts())
def test_lost_case_moves_nothing(sample: tuple[list[str], int]) -> None:
    text = of_words(*sample)
    (found,) = project(text, text.text.upper()).mentions
    assert (found.start, found.end) == (text.mentions[0].start, text.mentions[0].end)


@given(marked_texts(), st.text("xyz", min_size=1, max_size=5), st.data())
def test_pure_insertion_of_words_leaves_the_term_whole(
    sample: tuple[list[str], int], more: str, data: st.DataObject
) -> None:
    chosen, index = sample
    place = data.draw(st.integers(0, len(chosen)))
    asr = " ".join([*chosen[:place], more, *chosen[place:]])
    assert heard(of_words(chosen, index), asr) == [chosen[index]]


@given(marked_texts(), st.text("xyz", min_size=1, max_size=5), st.data())
def test_pure_insertion_inside_a_term_is_part_of_it(
    sample: tuple[list[str], int], more: str, data: st.DataObject
) -> None:
    chosen, index = sample
    word = chosen[index]
    place = data.draw(st.integers(0, len(word)))
    longer = word[:place] + more + word[place:]
    asr = " ".join([*chosen[:index], longer, *chosen[index + 1 :]])
    assert heard(of_words(chosen, index), asr) == [longer]


@given(words)
def test_pure_deletion_of_the_words_around_a_term_leaves_it(chosen: list[str]) -> None:
    term = "refugees"
    text = of_words([*chosen[:1], term, *chosen[1:]], 1)
    assert heard(text, term) == [term]


@given(words)
def test_pure_deletion_of_a_term_is_reported(chosen: list[str]) -> None:
    text = of_words([chosen[0], "xyz", *chosen[1:]], 1)
    found = Projection.of(text, " ".join(chosen))
    assert found.text.mentions == ()
    assert found.vanished == text.mentions


@given(marked_texts(), st.data())
def test_substitution_of_letters_keeps_the_place(
    sample: tuple[list[str], int], data: st.DataObject
) -> None:
    text = of_words(*sample)
    places = [n for n, letter in enumerate(text.text) if letter != " "]
    place = data.draw(st.sampled_from(places))
    asr = text.text[:place] + "x" + text.text[place + 1 :]
    (found,) = project(text, asr).mentions
    assert (found.start, found.end) == (text.mentions[0].start, text.mentions[0].end)


@given(st.text("ab c", max_size=12), st.text("ab c", max_size=12))
def test_the_distance_is_that_of_the_full_table(trans: str, asr: str) -> None:
    rows = [list(range(len(asr) + 1))]
    for i, letter in enumerate(trans, 1):
        row = [i]
        for j, other in enumerate(asr, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other)))
        rows.append(row)
    found = Projection.of(LinkedText("t", trans), asr, exact_case=True)
    assert found.distance == rows[-1][-1]


@given(st.text(max_size=30), st.text(max_size=30), st.data())
def test_any_two_texts_give_spans_inside_the_second(
    trans: str, asr: str, data: st.DataObject
) -> None:
    end = data.draw(st.integers(0, len(trans)))
    start = data.draw(st.integers(0, end))
    text = LinkedText("t", trans, mentions=(LinkedMention(start, end, term=trans[start:end]),))
    found = Projection.of(text, asr)
    assert len(found.text.mentions) + len(found.vanished) == 1
    for one in found.text.mentions:
        assert one.of(asr) == one.term.strip() != ""


def test_a_stray_stop_behind_a_term_is_not_part_of_it() -> None:
    assert heard(gold("we left the UK early", "UK"), "we left the uk. early") == ["uk"]


def test_a_mark_that_the_term_has_is_kept() -> None:
    assert heard(gold("we use Yahoo! daily", "Yahoo!"), "we use yahoo! daily") == ["yahoo!"]


def test_with_exact_case_capitals_are_other_letters() -> None:
    found = Projection.of(gold("UK", "UK"), "uk", exact_case=True)
    assert found.distance == 2
    assert Projection.of(gold("UK", "UK"), "uk").distance == 0


def test_evaluated_parts_are_carried_over() -> None:
    trans = replace(gold(TRANS, "UK"), evaluated=(Span(0, 15),))
    (part,) = project(trans, ASR).evaluated
    assert part.of(ASR) == "jewish refute. these"


def test_a_mention_outside_its_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"text .t.: a mention at 0\.\.99 lies outside"):
        project(LinkedText("t", "short", mentions=(LinkedMention(0, 99),)), "short")


def test_long_texts_are_carried_over_in_bounded_time_and_memory() -> None:
    text = gold(
        " ".join(f"word{number} more" for number in range(5000)) + " Jerusalem", "Jerusalem"
    )
    asr = text.text.lower().replace("more", "moor").replace("jerusalem", "jerusa lem")
    assert heard(text, asr) == ["jerusa lem"]


def test_texts_are_paired_by_id() -> None:
    one, other = replace(gold("the UK", "UK"), id="a"), replace(gold("a cat", "cat"), id="b")
    asr = [LinkedText("b", "a kat"), LinkedText("a", "the u_k")]
    found = [one.text.mentions[0].term for one in project_all([one, other], asr)]
    assert found == ["u_k", "kat"]


def test_texts_without_a_common_id_are_paired_by_order() -> None:
    asr = [LinkedText("1", "the u_k")]
    assert [one.text.id for one in project_all([gold("the UK", "UK")], asr)] == ["t"]


def test_a_transcript_that_nothing_was_recognised_for_is_named() -> None:
    texts = [LinkedText("a", "x"), LinkedText("b", "y")]
    with pytest.raises(InputError, match="nothing was recognised for the transcript 'b'"):
        list(project_all(texts, [LinkedText("a", "x"), LinkedText("c", "z")]))


def test_unequal_numbers_of_texts_cannot_be_paired_by_order() -> None:
    texts = [LinkedText("a", "x"), LinkedText("b", "y")]
    with pytest.raises(InputError, match="2 transcripts but 1 recognised texts"):
        list(project_all(texts, [LinkedText("1", "x")]))


def test_on_real_conversations_nearly_every_projected_span_is_the_true_one(data: Path) -> None:
    right = total = 0
    for text in read(str(data / "mentions" / "conversations-dev.jsonl")):
        trans = simulate(text, Rates.transcript()).text
        asr = simulate(text)
        true = {(one.start, one.end) for one in asr.text.mentions}
        carried = {(one.start, one.end) for one in project(trans, asr.text.text).mentions}
        right += len(true & carried)
        total += len(true)
    assert total > 500
    assert right / total > 0.97


def test_parts_of_unrelated_words_are_not_carried_over() -> None:
    trans = gold("The Earthquake struck Lisbon in 1755", "Earthquake", "Lisbon")
    found = Projection.of(trans, "we should then bring some other cats home")
    assert (found.text.mentions, found.vanished) == ((), trans.mentions)


def test_a_mention_of_which_too_little_is_heard_has_vanished() -> None:
    trans = gold("an Earthquake struck", "Earthquake")
    assert Projection.of(trans, "an he struck").vanished == trans.mentions


def test_a_mention_run_together_with_other_words_is_cut_out() -> None:
    assert heard(gold("they were from the UK then", "UK"), "they werefromtheukthen") == ["uk"]
