"""Invariants of texts under any decisions."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.consolidation.render import EXPORTS
from tatian.consolidation.result import Consolidation
from tatian.workbench.desk.decisions import (
    AddSentence,
    Decision,
    Drop,
    Exclude,
    Move,
    Retype,
    SetLength,
    SetTitle,
    Settle,
    Split,
    WriteSentence,
)
from tatian.workbench.desk.editor import apply_decisions

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

IN_TEXT = (AGROUND, ASLEEP, TWELVE, CLOSED, SAILS, CHEERED)
IN_ACCOUNTS = (*IN_TEXT, HIT, THIRTEEN, LIFEBOATS, PAGE)
sentence = st.sampled_from([*IN_TEXT, f"{AGROUND}~1", f"{AGROUND}~2", "own:1", "own:3", "a9:0-1"])
source = st.sampled_from([*IN_ACCOUNTS, "a9:0-1"])
after = st.one_of(st.just(""), sentence)
text = st.text(st.sampled_from("The ferry. 12 ()\n\u05d0\U0001f600"), min_size=1, max_size=30)
any_decision: st.SearchStrategy[Decision] = st.one_of(
    st.builds(Drop, sentence),
    st.builds(AddSentence, source, st.none() | after),
    st.builds(Exclude, source),
    st.builds(Move, sentence, after, st.booleans()),
    st.builds(Split, sentence, st.integers(0, 60)),
    st.builds(Retype, sentence, text),
    st.builds(WriteSentence, after, text, st.booleans()),
    st.builds(
        Settle,
        st.just(DISPUTE),
        st.sampled_from(["both", "one", "write"]),
        st.integers(0, 2),
        st.booleans(),
        st.just("") | text,
    ),
    st.builds(SetLength, st.none() | st.integers(1, 500)),
    st.builds(SetTitle, text),
)
lists = st.lists(any_decision, max_size=12)


def check(found: Consolidation) -> None:
    """Check the invariants of a consolidation with decisions."""
    position = 0
    for number, one in enumerate(found.sentences):
        between = found.text[position : one.start]
        assert between in ("", " ", "\n\n")
        assert bool(between) == bool(number)
        for token in one.tokens:
            assert one.start <= token.start < token.end <= one.end
            assert bool(token.sources) or token.glue or token.own
        position = one.end
    assert position == len(found.text)
    was = {one.id: one for one in WOVEN.documents}
    for account in found.documents:
        assert account.text == was[account.id].text
        spans = [(one.start, one.end) for one in account.sentences]
        assert spans == [(one.start, one.end) for one in was[account.id].sentences]
        for told in account.sentences:
            assert told.why
            assert bool(told.into) == (told.fate != "unused")
            assert all(0 <= index < len(found.sentences) for index in told.into)
    for mention in found.mentions:
        assert found.text[mention.start : mention.end].strip()


@given(lists)
def test_no_source_sentence_is_ever_lost(decisions: Sequence[Decision]) -> None:
    found = edited(*decisions)
    check(found.consolidation)
    assert len(found.effects) == len(decisions)
    assert len(found.lines) == len(found.consolidation.sentences)
    assert len({line.id for line in found.lines}) == len(found.lines)


@given(lists)
@settings(max_examples=settings.default.max_examples // 5)
def test_edited_text_can_always_be_exported(decisions: Sequence[Decision]) -> None:
    found = edited(*decisions).consolidation
    for form in EXPORTS.values():
        assert form.write(found)


@given(lists, any_decision)
def test_undoing_restores_the_text(decisions: Sequence[Decision], last: Decision) -> None:
    before = edited(*decisions)
    edited(*decisions, last)
    assert edited(*decisions) == before


@given(lists)
def test_inapplicable_decisions_change_nothing(
    decisions: Sequence[Decision],
) -> None:
    whole = stored_decisions(*decisions)
    found = apply_decisions(WOVEN, None, whole)
    applied = [one for one, effect in zip(whole, found.effects, strict=True) if effect.applies]
    assert apply_decisions(WOVEN, None, applied).consolidation == found.consolidation
