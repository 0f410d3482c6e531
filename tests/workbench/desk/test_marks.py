"""Conflicts that a person marks."""

from __future__ import annotations

from msgspec.structs import replace

from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.decisions import (
    AddSentence,
    ConflictPlace,
    Decision,
    Drop,
    EditedText,
    MarkConflict,
    Move,
    Settle,
)
from tatian.workbench.desk.editor import apply_decisions

from .texts import AGROUND, ASLEEP, HIT, TEXTS, WOVEN, edited, stored_decisions


def place(account: str, words: str) -> ConflictPlace:
    start = TEXTS[account].index(words)
    return ConflictPlace(account, start, start + len(words), words)


AGAIN = MarkConflict((place("a1", "asleep"), place("a3", "cheered")))
DAYS = MarkConflict((place("a1", "Tuesday"), place("a2", "sandbank")))
ID = "+".join(f"{one.account}:{one.start}-{one.end}" for one in DAYS.places)


def apply(*decisions: Decision) -> str:
    found = edited(*decisions)
    assert [effect.why for effect in found.effects] == [""] * len(decisions)
    return found.consolidation.text


def whys(found: EditedText) -> list[str]:
    return [effect.why for effect in found.effects]


def test_a_note_gives_the_other_claim() -> None:
    assert "ran aground on Tuesday (sandbank by another account)." in apply(DAYS)


def test_the_note_names_the_newspaper_if_known() -> None:
    named = [replace(one, source="The Courier") for one in WOVEN.documents]
    found = apply_decisions(WOVEN, named, stored_decisions(DAYS)).consolidation.text
    assert "ran aground on Tuesday (sandbank according to The Courier)." in found


def test_no_note_is_added_if_the_text_has_both_claims() -> None:
    assert apply(AGAIN) == apply()


def test_a_marked_conflict_is_like_any_other() -> None:
    found = edited(DAYS).consolidation.contradictions[-1]
    assert (conflict_id(found), found.why, found.sentences) == (ID, "marked by hand", (0,))
    assert len(edited(DAYS).consolidation.contradictions) == 2


def test_a_marked_conflict_is_settled_by_a_claim() -> None:
    chosen = apply(DAYS, Settle(ID, "one", claim=1))
    assert "ran aground on sandbank." in chosen
    assert "Tuesday" in apply(DAYS, Settle(ID, "one", claim=0))
    assert "by another account" not in apply(DAYS, Settle(ID, "one")).partition("\n\n")[0]


def test_marked_conflicts_have_a_kind() -> None:
    def kind(*places: ConflictPlace) -> str:
        first, second = places
        return edited(MarkConflict((first, second))).consolidation.contradictions[-1].kind

    assert kind(place("a1", "March 14"), place("a2", "Thirteen people")) == "number"
    assert kind(place("a1", "Tuesday"), place("a2", "Read")) == "name"
    assert kind(place("a1", "asleep"), place("a2", "closed")) == "polarity"


def test_marked_words_are_found_in_an_edited_source() -> None:
    longer = "It happened. " + TEXTS["a3"]
    account = replace(WOVEN.documents[2], text=longer, sentences=())
    text = replace(
        WOVEN,
        documents=(*WOVEN.documents[:2], account),
        sentences=WOVEN.sentences[:4],
        chains=(),
    )
    found = apply_decisions(text, None, stored_decisions(AGAIN))
    assert whys(found) == [""]
    claim = found.consolidation.contradictions[-1].claims[1]
    assert longer[claim.start : claim.end] == "cheered"


def test_a_marked_conflict_lapses_with_its_words() -> None:
    gone = MarkConflict((place("a1", "asleep"), ConflictPlace("a2", 0, 4, "Mars")))
    assert whys(edited(gone)) == ["the source no longer has these words"]
    taken = MarkConflict((place("a1", "asleep"), ConflictPlace("a9", 0, 4, "Mars")))
    assert whys(edited(taken)) == ["the source was removed"]


def test_a_known_conflict_is_not_marked_again() -> None:
    known = MarkConflict((place("a1", "Twelve"), place("a2", "Thirteen")))
    assert whys(edited(known)) == ["the sources are known to disagree here"]
    assert whys(edited(DAYS, DAYS)) == ["", "the sources are known to disagree here"]


def test_other_decisions_apply_despite_a_marked_conflict() -> None:
    found = edited(Drop(AGROUND), DAYS)
    assert whys(found) == ["", ""]
    assert found.consolidation.contradictions[-1].sentences == ()


def test_the_note_is_in_the_marked_sentence() -> None:
    again = AddSentence(HIT, after="")
    marked = MarkConflict((place("a1", "Tuesday"), place("a2", "sandbank")))
    first, *rest = edited(Move(AGROUND, ASLEEP), marked).lines
    assert "by another account" not in first.text
    assert sum("by another account" in line.text for line in rest) == 2
    assert apply(again, marked) == apply(again)
