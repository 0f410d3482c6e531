"""The effect of each decision on a text."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.consolidation.result import Consolidation
from tatian.text import Source, SourcedToken
from tatian.workbench.desk.decisions import (
    AddSentence,
    Decision,
    Drop,
    EditedText,
    Exclude,
    Move,
    Retype,
    Reword,
    SetLength,
    SetTitle,
    Settle,
    Split,
    WriteSentence,
)
from tatian.workbench.desk.editor import apply_decisions
from tatian.workbench.desk.manuscript import to_manuscript

from .texts import (
    AGROUND,
    ASLEEP,
    CHEERED,
    CLOSED,
    DISPUTE,
    HIT,
    LIFEBOATS,
    PAGE,
    SAILS,
    THIRTEEN,
    TWELVE,
    WOVEN,
    edited,
    stored_decisions,
)


def apply(*decisions: Decision) -> str:
    found = edited(*decisions)
    assert [one.why for one in found.effects] == [""] * len(decisions)
    return found.consolidation.text


def refusal(*decisions: Decision) -> str:
    return edited(*decisions).effects[-1].why


def fate(found: EditedText, id: str) -> tuple[str, tuple[int, ...], str]:
    for account in found.consolidation.documents:
        for one in account.sentences:
            if f"{account.id}:{one.start}-{one.end}" == id:
                return one.fate, one.into, one.why
    raise AssertionError(id)


FIRST = "A ferry ran aground on Tuesday. The captain was asleep."
SECOND = "Twelve (thirteen by another account) people were hurt. The harbour was closed."
THIRD = "Reported on March 18: The ferry sails again. Islanders cheered."


def paragraphs(*texts: str) -> str:
    return "\n\n".join(texts)


def test_without_decisions_the_text_is_unchanged() -> None:
    found = edited().consolidation
    assert replace(found, mentions=()) == WOVEN
    assert apply() == paragraphs(FIRST, SECOND, THIRD)


def test_a_dropped_sentence_and_what_it_alone_covered_are_unused() -> None:
    found = edited(Drop(TWELVE))
    assert found.consolidation.text == paragraphs(FIRST, "The harbour was closed.", THIRD)
    assert fate(found, TWELVE) == ("unused", (), "dropped, as decided")
    assert fate(found, THIRTEEN)[0] == "unused"
    assert "dropped" in fate(found, THIRTEEN)[2]


def test_the_next_sentence_takes_over_paragraph_and_heading() -> None:
    text = paragraphs(FIRST, SECOND, "Reported on March 18: Islanders cheered.")
    assert apply(Drop(SAILS)) == text
    assert apply(Move(SAILS, ASLEEP)) == paragraphs(
        f"{FIRST} The ferry sails again.", SECOND, "Reported on March 18: Islanders cheered."
    )


def test_a_dropped_sentence_is_restored_where_it_was_and_as_it_was() -> None:
    assert apply(Drop(TWELVE), AddSentence(TWELVE)) == WOVEN.text
    assert fate(edited(Drop(TWELVE), AddSentence(TWELVE)), THIRTEEN)[0] == "redundant"


def test_an_added_sentence_is_next_to_its_neighbours() -> None:
    found = edited(AddSentence(LIFEBOATS))
    second = SECOND.replace("hurt. ", "hurt. Lifeboats took everyone off. ")
    assert found.consolidation.text == paragraphs(FIRST, second, THIRD)
    assert fate(found, LIFEBOATS) == ("kept", (3,), "added, as decided")


def test_an_added_sentence_is_where_the_person_puts_it() -> None:
    assert apply(AddSentence(PAGE, "")).startswith("Read more on page 7. A ferry ran")
    assert apply(AddSentence(PAGE, CHEERED)).endswith("Islanders cheered. Read more on page 7.")


def test_a_dateline_is_not_added() -> None:
    bare = replace(WOVEN, documents=WOVEN.documents)
    words = to_manuscript(bare).words_of_source(AGROUND)
    assert [word.text for word in words][:3] == ["A", "ferry", "ran"]


def test_an_excluded_sentence_leaves_text_and_sources() -> None:
    found = edited(Exclude(ASLEEP), Exclude(HIT))
    assert "asleep" not in found.consolidation.text
    assert fate(found, ASLEEP) == ("unused", (), "not part of the story, as decided")
    assert fate(found, HIT)[0] == "unused"
    first = found.consolidation.sentences[0]
    assert {one.document for token in first.tokens for one in token.sources} == {"a1"}
    assert found.last_decisions == {ASLEEP: 1, HIT: 2}


def test_claims_of_excluded_sentences_get_no_note() -> None:
    assert "\n\nTwelve people were hurt. The harbour" in apply(Exclude(THIRTEEN))


def test_an_added_sentence_is_no_longer_excluded() -> None:
    found = edited(Exclude(ASLEEP), AddSentence(ASLEEP))
    assert found.consolidation.text == WOVEN.text
    assert found.last_decisions == {ASLEEP: 2}
    note = edited(Exclude(THIRTEEN), AddSentence(THIRTEEN), Drop(THIRTEEN))
    assert note.consolidation.text == WOVEN.text


def test_a_sentence_moves_into_another_paragraph_or_begins_one() -> None:
    assert apply(Move(CLOSED, AGROUND)) == paragraphs(
        "A ferry ran aground on Tuesday. The harbour was closed. The captain was asleep.",
        "Twelve (thirteen by another account) people were hurt.",
        THIRD,
    )
    assert "asleep.\n\nThe harbour was closed.\n\nTwelve" in apply(Move(CLOSED, ASLEEP, True))
    assert apply(Move(CHEERED, "")).startswith("Islanders cheered. A ferry ran aground")


def test_a_moved_sentence_says_so() -> None:
    text = replace(
        WOVEN, sentences=tuple(replace(one, why="order of Wire") for one in WOVEN.sentences)
    )
    found = edited(Move(CHEERED, ""), Move(CLOSED, TWELVE, True), AddSentence(LIFEBOATS), text=text)
    reasons = {
        found.consolidation.text[one.start : one.end]: one.why
        for one in found.consolidation.sentences
    }
    assert reasons["Islanders cheered."] == "moved by hand"
    assert reasons["The harbour was closed."] == "order of Wire"
    assert reasons["Lifeboats took everyone off."] == "added by hand"
    assert found.consolidation.to_json()["sentences"][0]["why"] == "moved by hand"
    assert 'title="moved by hand">1<' in found.consolidation.to_html()
    notes = found.consolidation.to_markdown().partition("[^1]: ")[2].splitlines()
    assert notes[0].endswith("“Islanders cheered.”; moved by hand")
    assert "by hand" not in notes[1]


def test_a_paragraph_is_begun_in_place() -> None:
    assert "Tuesday.\n\nThe captain" in apply(Move(ASLEEP, AGROUND, True))
    joined = apply(Move(ASLEEP, AGROUND, True), Move(ASLEEP, AGROUND))
    assert joined == WOVEN.text


def test_a_rewording_from_another_source_covers_the_first() -> None:
    words = to_manuscript(WOVEN).words_of_source(HIT)
    found = edited(Reword(AGROUND, "source", words, (HIT,)))
    assert found.consolidation.text.startswith("A ferry hit a sandbank. The captain")
    assert fate(found, HIT)[:2] == ("kept", (0,))
    assert fate(found, AGROUND)[:2] == ("redundant", (0,))


def test_a_sentence_is_split_before_a_word() -> None:
    found = edited(Split(AGROUND, len("A ferry ran aground")))
    assert found.consolidation.text.startswith("A ferry ran aground. On Tuesday. The captain")
    assert [line.id for line in found.lines[:2]] == [f"{AGROUND}~1", f"{AGROUND}~2"]
    assert fate(found, AGROUND)[1] == (0, 1)
    assert apply(Split(AGROUND, 19), Drop(f"{AGROUND}~2")).startswith("A ferry ran aground. The")


@pytest.mark.parametrize("place", [0, 1000])
def test_both_parts_of_a_split_have_words(place: int) -> None:
    whole = refusal(Split(AGROUND, place))
    assert "words" in whole or place == 0


def test_typed_words_are_own_and_others_keep_their_sources() -> None:
    found = edited(Retype(ASLEEP, "The old captain was wide awake."))
    sentence = found.consolidation.sentences[1]
    text = found.consolidation.text
    own = {text[t.start : t.end]: t.own for t in sentence.tokens}
    assert own == {
        "The": False,
        "old": True,
        "captain": False,
        "was": False,
        "wide": True,
        "awake": True,
        ".": False,
    }
    assert all(token.sources or token.own for token in sentence.tokens)
    assert not any(token.glue for token in sentence.tokens)


def test_a_shortened_sentence_is_verified_too() -> None:
    (_, shortened, *_) = edited(Retype(ASLEEP, "The captain was.")).lines
    assert shortened.typed
    assert not any(word.own for word in shortened.words)


def test_a_person_adds_a_sentence() -> None:
    found = edited(WriteSentence(ASLEEP, "We asked the owner."))
    assert found.consolidation.text.startswith(f"{FIRST} We asked the owner.\n\nTwelve")
    assert found.lines[2].id == "own:1"
    assert apply(WriteSentence("", "Note.", True)).startswith("Note.\n\nA ferry")


def test_keeping_both_leaves_the_note() -> None:
    found = edited(Settle(DISPUTE, "both"))
    assert (found.consolidation.text, set(found.settled)) == (WOVEN.text, {DISPUTE})


@pytest.mark.parametrize(
    ("how", "expected"),
    [
        (Settle(DISPUTE, "one", 0), "Twelve people were hurt."),
        (Settle(DISPUTE, "one", 1), "Thirteen people were hurt."),
        (
            Settle(DISPUTE, "one", 1, attribute=True),
            "Thirteen people were hurt, according to a2.txt. The harbour",
        ),
        (Settle(DISPUTE, "write", text="A dozen or so"), "A dozen or so people were hurt."),
        (
            Settle(DISPUTE, "write"),
            "Twelve, according to a1.txt, or thirteen, according to a2.txt, people were hurt.",
        ),
    ],
)
def test_a_conflict_is_settled(how: Settle, expected: str) -> None:
    assert f"\n\n{expected}" in apply(how)


def test_settling_otherwise_names_the_other_source_alone() -> None:
    named = [Settle(DISPUTE, "one", claim, attribute=True) for claim in (0, 1)]
    assert "\n\nThirteen people were hurt, according to a2.txt. The" in apply(*named)
    assert "\n\nTwelve people were hurt. The" in apply(named[1], Settle(DISPUTE, "one", 0))


@pytest.mark.parametrize(
    "before",
    [
        [Settle(DISPUTE, "one", 0)],
        [Settle(DISPUTE, "one", 1, attribute=True)],
        [Settle(DISPUTE, "write", text="A dozen or so")],
        [Settle(DISPUTE, "write"), Settle(DISPUTE, "one", 1), Settle(DISPUTE, "one", 0)],
        [Settle(DISPUTE, "one", 1), Drop(TWELVE), AddSentence(TWELVE)],
    ],
)
def test_keeping_both_brings_the_note_back(before: list[Decision]) -> None:
    assert apply(*before, Settle(DISPUTE, "both")) == WOVEN.text
    (*_, twelve, _, _, _) = edited(*before, Settle(DISPUTE, "both")).lines
    assert not twelve.typed


def test_keeping_both_keeps_what_was_changed_beside_the_note() -> None:
    edit = Retype(TWELVE, "Thirteen people were badly hurt.")
    text = apply(Settle(DISPUTE, "one", 1), edit, Settle(DISPUTE, "both"))
    assert "\n\nTwelve (thirteen by another account) people were badly hurt. The" in text
    parts = apply(Settle(DISPUTE, "one", 1), Split(TWELVE, 9), Settle(DISPUTE, "both"))
    assert "\n\nTwelve (thirteen by another account). People were hurt. The" in parts


def test_a_source_is_named_behind_the_quotation_that_ends_the_sentence() -> None:
    for said in ("He said: “Twelve people were hurt.”", "He said: “Twelve people were hurt”."):
        text = apply(Retype(TWELVE, said), Settle(DISPUTE, "one", 0, attribute=True))
        assert "He said: “Twelve people were hurt”, according to a1.txt. The" in text


def test_the_export_has_no_settled_conflicts() -> None:
    assert not edited(Settle(DISPUTE, "one", 0)).consolidation.contradictions
    assert "disagree" not in edited(Settle(DISPUTE, "one", 0)).consolidation.to_markdown()
    assert edited(Settle(DISPUTE, "both")).consolidation.contradictions


def test_a_claim_from_the_start_of_a_sentence_loses_its_capital() -> None:
    (claim, other) = WOVEN.contradictions[0].claims
    start = WOVEN.documents[0].text.index("Tuesday")
    moved = replace(claim, start=start, end=start + 7, text="Tuesday")
    dispute = replace(WOVEN.contradictions[0], claims=(moved, other))
    text = replace(WOVEN, contradictions=(dispute,))
    id = f"a1:{start}-{start + 7}+a2:24-32"
    found = edited(Settle(id, "one", 1), text=text)
    assert found.consolidation.text.startswith("A ferry ran aground on thirteen.")


def test_the_chosen_claim_has_its_source() -> None:
    sentence = edited(Settle(DISPUTE, "one", 1)).consolidation.sentences[2]
    assert sentence.tokens[0].sources == (Source("a2", 24, 32, "substituted"),)


def test_a_conflict_with_a_new_claim_is_still_settled() -> None:
    (old,) = WOVEN.contradictions
    more = replace(old, claims=(*old.claims, replace(old.claims[0], document="a3", start=0)))
    found = edited(Settle(DISPUTE, "one"), text=replace(WOVEN, contradictions=(more,)))
    assert found.effects[0].applies


def test_length_and_title_are_noted() -> None:
    found = edited(SetLength(150), SetTitle("  Aground \n again"))
    assert found.length == 150
    assert found.consolidation.title == "Aground again"
    assert edited(SetLength(150), SetLength(None)).length is None
    assert edited(SetTitle("")).consolidation.title is None


@pytest.mark.parametrize(
    "decision",
    [
        Drop("a9:0-5"),
        Move("a9:0-5", ""),
        Move(AGROUND, "a9:0-5"),
        Move(AGROUND, AGROUND),
        AddSentence("a9:0-5"),
        AddSentence(AGROUND),
        AddSentence(PAGE, "a9:0-5"),
        Exclude("a9:0-5"),
        Reword("a9:0-5", "union", (SourcedToken("x"),), ()),
        Reword(AGROUND, "union", (SourcedToken("x"),), ("a9:0-5",)),
        Split("a9:0-5", 3),
        Retype("a9:0-5", "x"),
        WriteSentence("a9:0-5", "x"),
        Settle("a9:0-5", "one"),
        Settle(DISPUTE, "one", 7),
    ],
)
def test_an_inapplicable_decision_has_a_reason_and_changes_nothing(decision: Decision) -> None:
    found = edited(decision)
    assert not found.effects[0].applies
    assert found.consolidation.text == WOVEN.text


def test_a_sentence_is_found_in_its_edited_source() -> None:
    told = {ASLEEP: "The captain was asleep."}
    moved = _with_prefix(WOVEN, "a1", "Update: ")
    found = apply_decisions(moved, None, stored_decisions(Drop(ASLEEP), said=told))
    assert found.effects[0].applies
    assert "asleep" not in found.consolidation.text


def test_a_sentence_missing_from_its_source_is_reported() -> None:
    told = {ASLEEP: "The captain slept."}
    found = apply_decisions(WOVEN, None, stored_decisions(Drop(ASLEEP), said=told))
    assert found.effects[0].why == "the source no longer has this sentence"
    gone = apply_decisions(WOVEN, None, stored_decisions(Drop("a9:0-3"), said={"a9:0-3": "Yes"}))
    assert gone.effects[0].why == "the source was removed"


def _with_prefix(text: Consolidation, id: str, prefix: str) -> Consolidation:
    """Return the text for a source with more words at its start."""
    size = len(prefix)

    def shifted(source: Source) -> Source:
        if source.document != id:
            return source
        return replace(source, start=source.start + size, end=source.end + size)

    sentences = tuple(
        replace(
            one,
            tokens=tuple(
                replace(token, sources=tuple(map(shifted, token.sources))) for token in one.tokens
            ),
        )
        for one in text.sentences
    )
    documents = tuple(
        replace(
            one,
            text=prefix + one.text,
            sentences=tuple(
                replace(s, start=s.start + size, end=s.end + size) for s in one.sentences
            ),
        )
        if one.id == id
        else one
        for one in text.documents
    )
    return replace(text, sentences=sentences, documents=documents, contradictions=(), chains=())
