"""Conflicts that a person marks where consolidation found none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from tatian.consolidation.result import Disagreement, sort_conflicts
from tatian.text.content import is_telling
from tatian.text.documents import Claim
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.decisions import ConflictPlace, MarkConflict
from tatian.workbench.desk.manuscript import Manuscript, places_of_conflicts

MARKED = "marked by hand"
"""Reason of a conflict that a person marked."""
KNOWN = "the sources are known to disagree here"


def add_marked(manuscript: Manuscript, marks: Iterable[MarkConflict]) -> Manuscript:
    """Return the manuscript with the marked conflicts that its sources still have."""
    ids = {conflict_id(conflict) for conflict in manuscript.consolidation.contradictions}
    added: dict[str, Disagreement] = {}
    for mark in marks:
        marked = marked_conflict(manuscript, mark)
        if isinstance(marked, Disagreement) and conflict_id(marked) not in ids:
            added.setdefault(conflict_id(marked), marked)
    if not added:
        return manuscript
    key = tuple(added)
    if key not in manuscript.variants:
        woven = manuscript.consolidation
        every = sort_conflicts((*woven.contradictions, *added.values()))
        woven = replace(woven, contradictions=every)
        manuscript.variants.clear()  # Only the last variant is used again.
        manuscript.variants[key] = replace(
            manuscript,
            consolidation=woven,
            conflicts_at=places_of_conflicts(woven),
            memo={},
            variants={},
        )
    return manuscript.variants[key]


def marked_conflict(manuscript: Manuscript, mark: MarkConflict) -> Disagreement | str:
    """Return the conflict that was marked, or why it is no longer there."""
    claims = []
    for place in mark.places:
        claim = _find_again(manuscript, place)
        if claim is None:
            removed = place.account not in manuscript.indices
            return f"the source {'was removed' if removed else 'no longer has these words'}"
        claims.append(claim)
    return Disagreement(_kind(claims), tuple(claims), MARKED, ())


def _find_again(manuscript: Manuscript, place: ConflictPlace) -> Claim | None:
    """Return the words at the place where the source has them now, nearest to the old one."""
    if place.account not in manuscript.indices:
        return None
    text = manuscript.consolidation.documents[manuscript.indices[place.account]].text
    starts = []
    at = text.find(place.words)
    while place.words and at >= 0:
        starts.append(at)
        at = text.find(place.words, at + 1)
    if not starts:
        return None
    start = min(starts, key=lambda at: abs(at - place.start))
    return Claim(place.account, start, start + len(place.words), place.words)


def _kind(claims: Sequence[Claim]) -> Literal["number", "name", "polarity"]:
    words = [claim.text.split() for claim in claims]
    if all(any(is_telling(word.lower()) for word in claim_words) for claim_words in words):
        return "number"
    return "name" if all(claim_words[0][:1].isupper() for claim_words in words) else "polarity"
