"""Conflicts between sources: notes in the text, conflicts that users mark, and their resolution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.render import account_name
from tatian.consolidation.result import Account, Disagreement, sort_conflicts
from tatian.grouping import grouped
from tatian.text import SourcedToken
from tatian.text.content import is_exact
from tatian.text.documents import Claim
from tatian.text.layers import glue
from tatian.workbench.desk.manuscript import (
    PART,
    Line,
    Manuscript,
    Words,
    places_of_conflicts,
    words_of,
)

if TYPE_CHECKING:
    from tatian.workbench.desk.decisions import ConflictPlace, MarkConflict, Settle

MARKED_BY_HAND = "marked by hand"
"""Reason of a conflict that a person marked."""
ALREADY_KNOWN = "the sources are known to disagree here"
"""Reason why a conflict cannot be marked."""
_STOPS = (".", "!", "?", "…")
_CLOSING = ('"', "”", "’", "'", ")")
_EXACT = re.compile(r"[A-Z]|\d")
"""Matches words that are names or figures."""
_ABBREVIATION = re.compile(r"(?:\w\.)+\w")
"""Matches an abbreviation that lacks its full stop: "p.m"."""


class Settlement(Struct, frozen=True):
    """Changes to a line by the resolution of a conflict, so that they can be undone."""

    line: str
    """Id of the line."""
    typed: bool
    """Value of `Line.typed` before the changes."""
    changes: tuple[tuple[Words, Words], ...]
    """Replaced words, and their replacement."""


def conflict_id(conflict: Disagreement) -> str:
    """Return the id of a conflict, built from the positions of its claims."""
    places = (f"{claim.document}:{claim.start}-{claim.end}" for claim in conflict.claims)
    return "+".join(sorted(places))


def find_conflict(id: str, conflicts: Sequence[Disagreement]) -> Disagreement | None:
    """Return the conflict with an id, or else the one that shares most claims with it."""
    wanted = set(id.split("+"))

    def shared(conflict: Disagreement) -> int:
        return len(wanted.intersection(conflict_id(conflict).split("+")))

    return max(filter(shared, conflicts), key=shared, default=None)


def settle_conflict(
    lines: Sequence[Line],
    conflict: Disagreement,
    settling: Settle,
    accounts: Mapping[str, Account],
    written: Words,
) -> list[Line]:
    """Return the lines with a conflict resolved; unaffected lines are the same objects.

    `written` is the person's text; if it is empty, all claims are written out.
    """
    if settling.how == "both":
        return list(lines)
    chosen = conflict.claims[settling.claim] if settling.how == "one" else None
    changed_lines: list[Line] = []
    is_first = True  # Whether no line has given a claim yet.
    for line in lines:
        words = line.words
        if mentions_conflict(line, conflict):
            words = _remove_note(words, conflict)
            if chosen is not None:
                words = _replace_other_claims(words, conflict, chosen, accounts)
                if is_first and settling.attribute:
                    words = _add_attribution(words, conflict, accounts[chosen.document])
            elif is_first:
                replacement = written or (*_all_claims(conflict, accounts), glue(",", space=False))
                words = _replace_first_claim(words, conflict, replacement)
            is_first = False
        is_typed = line.typed or any(word.own for word in words)
        changed = words != line.words
        changed_lines.append(replace(line, words=words, typed=is_typed) if changed else line)
    return changed_lines


def add_note(
    lines: Sequence[Line], conflict: Disagreement, accounts: Mapping[str, Account]
) -> list[Line]:
    """Insert a note with another claim after the first one, unless the lines give all claims."""
    changed = list(lines)
    mentioning = [number for number, line in enumerate(lines) if mentions_conflict(line, conflict)]
    stated_texts = {
        claim.text.casefold()
        for number in mentioning
        for *_, claim in _find_claim_runs(lines[number].words, conflict)
    }
    other_claims = [claim for claim in conflict.claims if claim.text.casefold() not in stated_texts]
    if mentioning and other_claims:
        of_claims = (n for n in mentioning if _is_sentence_of_claim(lines[n], conflict))
        place = next(of_claims, mentioning[0])
        line = lines[place]
        end = list(_find_claim_runs(line.words, conflict))[-1][1]
        claim_words = _set_space(_claim_words(conflict, other_claims[0], accounts), space=False)
        source = accounts[other_claims[0].document].source
        attribution = f"according to {source}" if source else "by another account"
        note = (glue("("), *claim_words, *map(glue, attribution.split()), glue(")", space=False))
        words = (*line.words[:end], *note, *line.words[end:])
        changed[place] = replace(line, words=words)
    return changed


def _is_sentence_of_claim(line: Line, conflict: Disagreement) -> bool:
    """Return True if the words of a line come from the source sentence of a claim."""
    for origin in line.origins:
        document, _, place = origin.partition(":")
        start, end = map(int, place.split("-"))
        if any(c.document == document and start <= c.start < end for c in conflict.claims):
            return True
    return False


def mentions_conflict(line: Line, conflict: Disagreement) -> bool:
    """Return True if a visible line gives one of the claims."""
    return not line.hidden and any(True for _ in _find_claim_runs(line.words, conflict))


def lines_with_claims(lines: Sequence[Line], conflict: Disagreement) -> list[int]:
    """Return the indices of the lines with a word of a claim; faster than `mentions_conflict`."""
    claimed = {
        (claim.document, at) for claim in conflict.claims for at in range(claim.start, claim.end)
    }
    return [
        number
        for number, line in enumerate(lines)
        if any(
            (source.document, source.start) in claimed
            for word in line.words
            for source in word.sources
        )
    ]


def find_changes(before: Line, after: Line) -> Settlement:
    """Return the changes between two versions of a line."""
    old, new = before.words, after.words
    changes = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        include_before = bool(i1 and j1 == j2)  # The word before locates a deletion.
        if kind != "equal":
            changes.append((old[i1 - include_before : i2], new[j1 - include_before : j2]))
    return Settlement(before.id, before.typed, tuple(changes))


def undo_settlements(lines: Sequence[Line], settlements: Sequence[Settlement]) -> list[Line]:
    """Return the lines with the changes that settled a conflict reverted."""
    restored = list(lines)
    for number, line in enumerate(lines):
        for settlement in settlements:
            if line.id == settlement.line or line.id.startswith(f"{settlement.line}{PART}"):
                words, typed = line.words, line.typed
                for old_words, replacement in settlement.changes:
                    words = _restore_words(words, replacement, old_words)
                if any(word.own for _, replacement in settlement.changes for word in replacement):
                    typed = settlement.typed or any(word.own for word in words)
                if words != line.words:
                    restored[number] = replace(line, words=words, typed=typed)
    return restored


def _restore_words(words: Words, replacement: Words, old_words: Words) -> Words:
    """Return the words with `replacement` replaced by `old_words`."""

    def comparable(words: Words) -> list[object]:
        return [(word.text.casefold(), word.sources) for word in words]

    for start in range(len(words) - len(replacement) + 1):
        end = start + len(replacement)
        if comparable(words[start:end]) == comparable(replacement):
            return (*words[:start], *old_words, *words[end:])
    return words


def remove_notes(
    lines: Sequence[Line], conflicts: Sequence[Disagreement], account: str, start: int, end: int
) -> list[Line]:
    """Remove the notes on conflicts that end when a source sentence is excluded."""
    changed = list(lines)
    for conflict in conflicts:
        remaining = [
            claim
            for claim in conflict.claims
            if claim.document != account or not start <= claim.start < end
        ]
        if remaining == [*conflict.claims] or len({c.text.casefold() for c in remaining}) > 1:
            continue
        for number, line in enumerate(changed):
            words = _remove_note(line.words, conflict)
            if words != line.words:
                changed[number] = replace(line, words=words)
    return changed


def _find_claim(word: SourcedToken, conflict: Disagreement) -> Claim | None:
    """Return the claim that one of a word's sources lies in, if any."""
    for source in word.sources:
        for claim in conflict.claims:
            if source.document == claim.document and claim.start <= source.start < claim.end:
                return claim
    return None


def _remove_note(words: Words, conflict: Disagreement) -> Words:
    """Remove the note in brackets that gives another claim."""
    for start, word in enumerate(words):
        if word.glue and word.text == "(":
            after = range(start + 1, len(words))
            end = next((n for n in after if words[n].glue and words[n].text == ")"), -1)
            if end > 0 and any(_find_claim(inside, conflict) for inside in words[start:end]):
                return (*words[:start], *words[end + 1 :])
    return words


def _find_claim_runs(words: Words, conflict: Disagreement) -> Iterator[tuple[int, int, Claim]]:
    """Yield start, end and claim of each run of words that gives a claim, the last one first."""
    end = len(words)
    while end > 0:
        claim = _find_claim(words[end - 1], conflict)
        start = end - 1
        while claim and start > 0 and _find_claim(words[start - 1], conflict) == claim:
            start -= 1
        if claim:
            run = words[start:end]
            is_from_source = any(word.sources[0].document == claim.document for word in run)
            text = " ".join(word.text for word in run)
            if is_from_source or text.casefold() == claim.text.casefold():
                yield start, end, claim
        end = start


def _replace_other_claims(
    words: Words, conflict: Disagreement, chosen: Claim, accounts: Mapping[str, Account]
) -> Words:
    """Replace all other claims by the chosen one."""
    replacement = _claim_words(conflict, chosen, accounts)
    replacement = tuple(
        replace(word, sources=tuple(replace(source, kind="substituted") for source in word.sources))
        for word in replacement
    )
    for start, end, claim in _find_claim_runs(words, conflict):
        if claim.text.casefold() != chosen.text.casefold():
            words = (*words[:start], *_set_space(replacement, words[start].space), *words[end:])
    return words


def _add_attribution(words: Words, conflict: Disagreement, account: Account) -> Words:
    """Name the source of the claim at the end of the sentence.

    If the sentence has a name or a figure that the source lacks, the attribution follows the claim
    in brackets instead.
    """
    attribution = tuple(map(glue, f"according to {account_name(account)}".split()))
    other_words = [word.text for word in words[1:] if not _find_claim(word, conflict)]
    if any(_EXACT.search(text) and text not in account.text for text in other_words):
        end = next(_find_claim_runs(words, conflict))[1]
        bracket = (glue("("), *_set_space(attribution, space=False), glue(")", space=False))
        return (*words[:end], *bracket, *words[end:])
    end = len(words) - (words[-1].text in _STOPS)
    body, stop = words[:end], words[end:] or (glue(".", space=False),)
    if len(body) > 1 and body[-1].text in _CLOSING and body[-2].text == ".":
        body = (*body[:-2], body[-1])
    if _ABBREVIATION.fullmatch(body[-1].text):
        body = (*body, glue(".", space=False))
    return (*body, glue(",", space=False), *attribution, *stop)


def _replace_first_claim(words: Words, conflict: Disagreement, replacement: Words) -> Words:
    """Replace the first claim by other words."""
    for start, end, _ in list(_find_claim_runs(words, conflict))[-1:]:
        next_text = "".join(word.text for word in words[end : end + 1])
        if replacement[-1].text == "," and not next_text[:1].isalnum():
            replacement = replacement[:-1]
        return (*words[:start], *_set_space(replacement, words[start].space), *words[end:])
    return words


def _all_claims(conflict: Disagreement, accounts: Mapping[str, Account]) -> Words:
    """Return all claims with their sources: "12, according to Wire, or 13, according to Post"."""
    groups = grouped((claim.text.casefold(), claim) for claim in conflict.claims)
    words: list[SourcedToken] = []
    for claims in groups.values():
        if words:
            words += [glue(",", space=False), glue("or")]
        names = dict.fromkeys(account_name(accounts[claim.document]) for claim in claims)
        attribution = f"according to {' and '.join(names)}"
        words += [*_claim_words(conflict, claims[0], accounts), glue(",", space=False)]
        words += map(glue, attribution.split())
    return tuple(words)


def _claim_words(conflict: Disagreement, claim: Claim, accounts: Mapping[str, Account]) -> Words:
    """Return a claim's words; the first loses a capital that it has as the start of a sentence."""
    account = accounts[claim.document]
    words = words_of(account, claim.start, claim.end)
    opens = any(sentence.start == claim.start for sentence in account.sentences)
    if conflict.kind == "name" or not opens:
        return words
    return (replace(words[0], text=words[0].text.lower()), *words[1:])


def _set_space(words: Words, space: bool) -> Words:
    return (replace(words[0], space=space), *words[1:]) if words else words


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
        claim = _find_marked(manuscript, place)
        if claim is None:
            removed = place.account not in manuscript.indices
            return f"the source {'was removed' if removed else 'no longer has these words'}"
        claims.append(claim)
    kind: Literal["number", "name", "polarity"] = "polarity"
    if all(any(is_exact(word.lower()) for word in claim.text.split()) for claim in claims):
        kind = "number"
    elif all(claim.text[:1].isupper() for claim in claims):
        kind = "name"
    return Disagreement(kind, tuple(claims), MARKED_BY_HAND, ())


def _find_marked(manuscript: Manuscript, place: ConflictPlace) -> Claim | None:
    """Return the occurrence of the marked words that is nearest to their former position."""
    if place.account not in manuscript.indices or not place.words:
        return None
    text = manuscript.consolidation.documents[manuscript.indices[place.account]].text
    starts = (match.start() for match in re.finditer(f"(?={re.escape(place.words)})", text))
    start = min(starts, key=lambda index: abs(index - place.start), default=None)
    if start is None:
        return None
    return Claim(place.account, start, start + len(place.words), place.words)
