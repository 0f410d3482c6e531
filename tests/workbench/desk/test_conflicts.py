"""Settling of conflicts, and attribution of claims."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tatian.text import Source
from tatian.workbench.desk.conflicts import mentions_conflict, settle_conflict
from tatian.workbench.desk.decisions import Retype, Settle

from .texts import DISPUTE, TWELVE, WOVEN, edited


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Twelve people fell in the a.m.",
            "Thirteen people fell in the a.m., according to a2.txt.",
        ),
        (
            "Twelve people fell at 9:40 p.m.",
            "Thirteen (according to a2.txt) people fell at 9:40 p.m.",
        ),
    ],
)
def test_a_source_is_named_after_its_claim_in_a_mixed_sentence(said: str, expected: str) -> None:
    named = Settle(DISPUTE, "one", 1, attribute=True)
    assert f"\n\n{expected} The" in edited(Retype(TWELVE, said), named).consolidation.text


def test_the_claim_of_the_text_can_be_chosen() -> None:
    same = Retype(TWELVE, "Twelve people were hurt.")
    assert set(edited(same, Settle(DISPUTE, "one", 0)).settled) == {DISPUTE}


def test_a_claim_in_words_of_another_source_is_settled() -> None:
    """The line has its figure from one source, and another source has the same claim."""
    (dispute,) = WOVEN.contradictions
    other = replace(dispute.claims[0], document="a9", start=5, end=11)
    known = replace(dispute, claims=(other, *dispute.claims[1:]))
    (line,) = [one for one in edited().lines if one.id == TWELVE]
    word = next(one for one in line.words if one.text == "Twelve")
    twin = replace(word, sources=(*word.sources, Source("a9", 5, 11, "copied")))
    said = replace(line, words=tuple(twin if one is word else one for one in line.words))
    assert mentions_conflict(said, known)
    chosen = Settle(DISPUTE, "one", 1)
    (now,) = settle_conflict([said], known, chosen, {one.id: one for one in WOVEN.documents}, ())
    assert now.words[0].text.lower() == "thirteen"
    hurt = replace(word, text="hurt", sources=(*word.sources[:1], Source("a9", 5, 11, "copied")))
    elsewhere = replace(hurt, sources=(Source("a1", 0, 1, "copied"), *hurt.sources[1:]))
    assert not mentions_conflict(replace(line, words=(elsewhere,)), known)
