"""An edited text after a source was added."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.consolidation.result import Consolidation
from tatian.workbench.desk.additions import ADDED, extend_text
from tatian.workbench.desk.decisions import Drop, Move, Settle
from tatian.workbench.desk.editor import apply_decisions
from tatian.workbench.desk.manuscript import to_manuscript

from .texts import (
    AGROUND,
    ASLEEP,
    CHEERED,
    CLOSED,
    DISPUTE,
    HIT,
    SAILS,
    TWELVE,
    WOVEN,
    edited,
    stored_decisions,
)


def first(count: int = 2) -> Consolidation:
    """Return the text of the first sources."""
    kept = [n for n, one in enumerate(WOVEN.sentences) if n < 4]
    end = WOVEN.sentences[kept[-1]].end
    return replace(
        WOVEN,
        text=WOVEN.text[:end],
        sentences=WOVEN.sentences[: len(kept)],
        documents=WOVEN.documents[:count],
        chains=(),
    )


def move_sentences(*moves: Move) -> Consolidation:
    """Return a consolidation with sentences in another order."""
    return apply_decisions(WOVEN, None, stored_decisions(*moves)).consolidation


def texts(found: Consolidation | None) -> list[str]:
    assert found is not None
    return [found.text[one.start : one.end] for one in found.sentences]


def test_old_sentences_keep_their_place() -> None:
    now = move_sentences(Move(CLOSED, ""), Move(ASLEEP, TWELVE))
    found = texts(extend_text(first(), now))
    assert [text for text in found if text in texts(first())] == texts(first())


def test_new_sentences_follow_their_predecessors_in_the_new_text() -> None:
    found = texts(extend_text(first(), move_sentences(Move(CHEERED, AGROUND))))
    assert found[:2] == ["A ferry ran aground on Tuesday.", "Islanders cheered."]
    assert found[-1].endswith("The ferry sails again.")
    assert len(found) == 6


def test_only_sentences_of_the_last_source_are_new() -> None:
    found = extend_text(first(), WOVEN)
    assert found is not None
    new = [one.why.startswith(ADDED) for one in found.sentences]
    assert new == [False] * 4 + [True] * 2
    later = replace(WOVEN.documents[2], id="a4")
    again = extend_text(found, replace(WOVEN, documents=(*WOVEN.documents, later)))
    assert again is not None
    assert not any(one.why.startswith(ADDED) for one in again.sentences)
    assert texts(again) == texts(found)


def test_every_source_sentence_keeps_an_outcome() -> None:
    found = extend_text(first(), move_sentences(Move(CHEERED, AGROUND)))
    assert found is not None
    for account in found.documents:
        for one in account.sentences:
            assert bool(one.into) == (one.fate != "unused")
            for number in one.into:
                told = found.text[found.sentences[number].start : found.sentences[number].end]
                if one.fate == "kept":
                    assert account.text[one.start : one.end].rpartition(" - ")[2][:6] in told
    assert [len(one.sentences) for one in found.documents] == [
        len(one.sentences) for one in WOVEN.documents
    ]


def test_decisions_apply_as_before() -> None:
    found = extend_text(first(), move_sentences(Move(CLOSED, "")))
    assert found is not None
    after = edited(Drop(ASLEEP), Settle(DISPUTE, "one", claim=1), Move(CLOSED, AGROUND), text=found)
    assert [one.why for one in after.effects] == ["", "", ""]
    assert texts(after.consolidation)[:3] == [
        "A ferry ran aground on Tuesday.",
        "The harbour was closed.",
        "Thirteen people were hurt.",
    ]
    assert texts(after.consolidation)[-1] == "Islanders cheered."


def test_a_redundant_new_sentence_is_left_out_with_the_covering_one() -> None:
    aground = to_manuscript(WOVEN).sources[AGROUND].sentence
    text = "A ferry ran aground."
    account = replace(
        WOVEN.documents[2],
        text=text,
        sentences=(replace(WOVEN.documents[2].sentences[0], start=0, end=len(text), into=(0,)),),
    )
    token = replace(WOVEN.sentences[4].tokens[-1], start=0, end=len(text), sources=())
    now = replace(
        WOVEN,
        text=text,
        sentences=(replace(WOVEN.sentences[4], start=0, end=len(text), tokens=(token,)),),
        documents=(
            replace(
                WOVEN.documents[0],
                sentences=tuple(
                    replace(one, fate="redundant", into=(0,)) if one == aground else one
                    for one in WOVEN.documents[0].sentences
                ),
            ),
            WOVEN.documents[1],
            account,
        ),
        contradictions=(),
        chains=(),
        groups=(),
    )
    found = extend_text(first(), now)
    assert texts(found) == texts(first())
    assert found is not None
    (one,) = found.documents[2].sentences
    assert (one.fate, one.into) == ("redundant", (0,))


@pytest.mark.parametrize("change", ["taken out", "edited", "nothing"])
def test_changed_or_removed_sources_give_the_new_text(change: str) -> None:
    before = {
        "taken out": replace(
            first(), documents=(*first().documents, replace(WOVEN.documents[2], id="a9"))
        ),
        "edited": replace(
            first(), documents=(replace(first().documents[0], text="x"), first().documents[1])
        ),
        "nothing": WOVEN,
    }[change]
    assert extend_text(before, WOVEN) is None


def test_conflicts_of_both_texts_are_kept() -> None:
    found = extend_text(first(), replace(WOVEN, contradictions=()))
    assert found is not None
    assert len(found.contradictions) == 1
    assert found.contradictions[0].sentences == (2,)


def test_ids_of_sentences_stay() -> None:
    found = extend_text(first(), move_sentences(Move(SAILS, "")))
    assert found is not None
    ids = [line.id for line in to_manuscript(found).lines]
    assert [id for id in ids if not id.startswith("a3")] == [AGROUND, ASLEEP, TWELVE, CLOSED]
    assert HIT not in ids
