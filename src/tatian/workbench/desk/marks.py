"""Conflicts marked by users that consolidation did not find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec.structs import replace

from tatian.consolidation.result import Disagreement, sort_conflicts
from tatian.text.content import is_exact
from tatian.text.documents import Claim
from tatian.workbench.desk.conflicts import conflict_id
from tatian.workbench.desk.decisions import ConflictPlace, MarkConflict
from tatian.workbench.desk.manuscript import Manuscript, places_of_conflicts

MARKED = "marked by hand"
"""Reason of a conflict that a person marked."""
KNOWN = "the sources are known to disagree here"


def add_marked(manuscript: Manuscript, marks: Iterable[MarkConflict]) -> Manuscript:
    """Return the manuscript with the marked conflicts whose words the sources still have."""
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
        consolidation = manuscript.consolidation
        conflicts = sort_conflicts((*consolidation.contradictions, *added.values()))
        consolidation = replace(consolidation, contradictions=conflicts)
        manuscript.variants.clear()  # Only the last variant is used again.
        manuscript.variants[key] = replace(
            manuscript,
            consolidation=consolidation,
            conflicts_at=places_of_conflicts(consolidation),
            memo={},
            variants={},
        )
    return manuscript.variants[key]


def marked_conflict(manuscript: Manuscript, mark: MarkConflict) -> Disagreement | str:
    """Return the marked conflict, or the reason why it no longer exists."""
    claims = []
    for place in mark.places:
        claim = _find_again(manuscript, place)
        if claim is None:
            removed = place.account not in manuscript.indices
            return f"the source {'was removed' if removed else 'no longer has these words'}"
        claims.append(claim)
    return Disagreement(_kind(claims), tuple(claims), MARKED, ())


def _find_again(manuscript: Manuscript, target: ConflictPlace) -> Claim | None:
    """Return the occurrence of the marked words that is nearest to their former position."""
    if target.account not in manuscript.indices:
        return None
    text = manuscript.consolidation.documents[manuscript.indices[target.account]].text
    starts = []
    index = text.find(target.words)
    while target.words and index >= 0:
        starts.append(index)
        index = text.find(target.words, index + 1)
    if not starts:
        return None
    start = min(starts, key=lambda index: abs(index - target.start))
    return Claim(target.account, start, start + len(target.words), target.words)


def _kind(claims: Sequence[Claim]) -> Literal["number", "name", "polarity"]:
    words = [claim.text.split() for claim in claims]
    if all(any(is_exact(word.lower()) for word in claim_words) for claim_words in words):
        return "number"
    return "name" if all(claim_words[0][:1].isupper() for claim_words in words) else "polarity"
