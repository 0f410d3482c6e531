"""Conflicts between sources: how the text notes them, and how a person settles them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tatian.consolidation.render import account_name
from tatian.consolidation.result import Account, Disagreement
from tatian.text import WovenToken
from tatian.text.documents import Claim
from tatian.text.layers import glue
from tatian.workbench.desk.manuscript import PART, Line, Words, words_of

if TYPE_CHECKING:
    from tatian.workbench.desk.decisions import Settle

_STOPS = (".", "!", "?", "…")
_CLOSING = ('"', "”", "’", "'", ")")
_EXACT = re.compile(r"[A-Z]|\d")
"""Matches words that are names or figures."""
_SHORTENED = re.compile(r"(?:\w\.)+\w")
"""Matches an abbreviation that needs its full stop: "p.m"."""


class Settlement(Struct, frozen=True):
    """Changes that settling a conflict made to a sentence, so that they can be undone."""

    line: str
    typed: bool
    """True if a person had typed the sentence before."""
    changes: tuple[tuple[Words, Words], ...]
    """Words that were there, and those that replaced them."""


def conflict_id(conflict: Disagreement) -> str:
    """Return the id of a conflict: the places of its claims."""
    places = (f"{claim.document}:{claim.start}-{claim.end}" for claim in conflict.claims)
    return "+".join(sorted(places))


def find_conflict(id: str, conflicts: Sequence[Disagreement]) -> Disagreement | None:
    """Return the conflict with that id, or else the one that shares most of its claims."""
    wanted = set(id.split("+"))
    shares = [
        (len(wanted & set(conflict_id(conflict).split("+"))), conflict) for conflict in conflicts
    ]
    shared, best = max(shares, key=lambda pair: pair[0], default=(0, None))
    return best if shared else None


def settle_conflict(
    lines: Sequence[Line],
    dispute: Disagreement,
    settling: Settle,
    accounts: Mapping[str, Account],
    written: Words,
) -> list[Line]:
    """Return the lines with a conflict settled; unaffected lines are the same objects."""
    if settling.how == "both":
        return list(lines)
    chosen = dispute.claims[settling.claim] if settling.how == "one" else None
    changed_lines: list[Line] = []
    first = True
    for line in lines:
        words = line.words
        if mentions_conflict(line, dispute):
            words = _without_note(words, dispute)
            if chosen is not None:
                words = _with_choice(words, dispute, chosen, accounts)
                if first and settling.attribute:
                    words = _with_attribution(words, dispute, accounts[chosen.document])
            elif first:
                instead = written or (*_all_claims(dispute, accounts), glue(",", space=False))
                words = _with(words, dispute, instead)
            first = False
        now_typed = line.typed or any(word.own for word in words)
        changed = words != line.words
        changed_lines.append(replace(line, words=words, typed=now_typed) if changed else line)
    return changed_lines


def add_note(
    lines: Sequence[Line], dispute: Disagreement, accounts: Mapping[str, Account]
) -> list[Line]:
    """Return the lines with the other claim noted after the first, unless they give both."""
    changed = list(lines)
    speaking = [number for number, line in enumerate(lines) if mentions_conflict(line, dispute)]
    stated = {
        claim.text.casefold()
        for number in speaking
        for *_, claim in _runs(lines[number].words, dispute)
    }
    others = [claim for claim in dispute.claims if claim.text.casefold() not in stated]
    if speaking and others:
        words_it = (number for number in speaking if _words_claim(lines[number], dispute))
        place = next(words_it, speaking[0])
        line = lines[place]
        end = list(_runs(line.words, dispute))[-1][1]
        claim_words = _with_space(_claim_words(dispute, others[0], accounts), space=False)
        source = accounts[others[0].document].source
        by = f"according to {source}" if source else "by another account"
        note = (glue("("), *claim_words, *map(glue, by.split()), glue(")", space=False))
        words = (*line.words[:end], *note, *line.words[end:])
        changed[place] = replace(line, words=words)
    return changed


def _words_claim(line: Line, dispute: Disagreement) -> bool:
    """Return True if a line words the very sentence of a claim."""
    for origin in line.origins:
        document, _, place = origin.partition(":")
        start, _, end = place.partition("-")
        if any(
            claim.document == document and int(start) <= claim.start < int(end)
            for claim in dispute.claims
        ):
            return True
    return False


def mentions_conflict(line: Line, dispute: Disagreement) -> bool:
    """Return True if a shown line gives one of the claims."""
    return not line.hidden and any(True for _ in _runs(line.words, dispute))


def lines_with_claims(lines: Sequence[Line], dispute: Disagreement) -> list[int]:
    """Return the indices of the lines with a word of a claim: a quick test before `speaks`."""
    claimed = {
        (claim.document, at) for claim in dispute.claims for at in range(claim.start, claim.end)
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


def settlement(before: Line, after: Line) -> Settlement:
    """Return the changes between two versions of a line."""
    old, new = before.words, after.words
    changes = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        anchor = bool(a and c == d)  # A deletion is found again by the word before it.
        if kind != "equal":
            changes.append((old[a - anchor : b], new[c - anchor : d]))
    return Settlement(before.id, before.typed, tuple(changes))


def undo_settlements(lines: Sequence[Line], done: Sequence[Settlement]) -> list[Line]:
    """Return the lines without the changes that settled a conflict."""
    restored = list(lines)
    for number, line in enumerate(lines):
        for earlier in done:
            if line.id == earlier.line or line.id.startswith(f"{earlier.line}{PART}"):
                words = line.words
                for was, instead in earlier.changes:
                    words = _with_again(words, instead, was)
                if words != line.words:
                    by_hand = any(word.own for _, instead in earlier.changes for word in instead)
                    now_by_hand = by_hand and any(word.own for word in words)
                    typed = earlier.typed or now_by_hand if by_hand else line.typed
                    restored[number] = replace(line, words=words, typed=typed)
    return restored


def _with_again(words: Words, instead: Words, was: Words) -> Words:
    """Return the words with `was` again in the place of `instead`."""

    def plain(words: Words) -> list[object]:
        return [(word.text.casefold(), word.sources) for word in words]

    for start in range(len(words) - len(instead) + 1):
        end = start + len(instead)
        if plain(words[start:end]) == plain(instead):
            return (*words[:start], *was, *words[end:])
    return words


def remove_notes(
    lines: Sequence[Line], disputes: Sequence[Disagreement], account: str, start: int, end: int
) -> list[Line]:
    """Return the lines without notes that only an excluded sentence supports."""
    changed = list(lines)
    for dispute in disputes:
        excluded = [
            claim
            for claim in dispute.claims
            if claim.document == account and start <= claim.start < end
        ]
        left = {claim.text.casefold() for claim in dispute.claims if claim not in excluded}
        if not excluded or len(left) > 1:
            continue
        for number, line in enumerate(changed):
            words = _without_note(line.words, dispute)
            if words != line.words:
                changed[number] = replace(line, words=words)
    return changed


def _repeated_claim(word: WovenToken, dispute: Disagreement) -> Claim | None:
    """Return the claim that a word repeats, directly or by an aligned source."""
    for source in word.sources:
        for claim in dispute.claims:
            if source.document == claim.document and claim.start <= source.start < claim.end:
                return claim
    return None


def _without_note(words: Words, dispute: Disagreement) -> Words:
    """Return the words without the bracket that gives the claims of other sources."""
    for start, word in enumerate(words):
        if word.glue and word.text == "(":
            after = range(start + 1, len(words))
            end = next((n for n in after if words[n].glue and words[n].text == ")"), -1)
            if end > 0 and any(_repeated_claim(inside, dispute) for inside in words[start:end]):
                return (*words[:start], *words[end + 1 :])
    return words


def _runs(words: Words, dispute: Disagreement) -> Iterator[tuple[int, int, Claim]]:
    """Yield the stretches that repeat a claim, the last one first."""
    end = len(words)
    while end > 0:
        claim = _repeated_claim(words[end - 1], dispute)
        start = end - 1
        while claim and start > 0 and _repeated_claim(words[start - 1], dispute) == claim:
            start -= 1
        if claim and _is_said(words[start:end], claim):
            yield start, end, claim
        end = start


def _is_said(words: Words, claim: Claim) -> bool:
    """Return True if words give a claim: its source's words, or others that say all of it."""
    from_source = any(word.sources[0].document == claim.document for word in words)
    return from_source or " ".join(word.text for word in words).casefold() == claim.text.casefold()


def _with_choice(
    words: Words, dispute: Disagreement, chosen: Claim, accounts: Mapping[str, Account]
) -> Words:
    """Return the words with the chosen claim in place of the others."""
    replacement = _claim_words(dispute, chosen, accounts)
    replacement = tuple(
        replace(word, sources=tuple(replace(source, kind="substituted") for source in word.sources))
        for word in replacement
    )
    for start, end, claim in _runs(words, dispute):
        if claim.text.casefold() != chosen.text.casefold():
            words = (*words[:start], *_with_space(replacement, words[start].space), *words[end:])
    return words


def _with_attribution(words: Words, dispute: Disagreement, account: Account) -> Words:
    """Return the words with the source of the claim named at the end of the sentence.

    If the sentence has a name or a figure that the source lacks, only the claim is attributed, in a
    bracket right after it.
    """
    by = tuple(map(glue, f"according to {account_name(account)}".split()))
    rest = [word.text for word in words[1:] if not _repeated_claim(word, dispute)]
    if any(_EXACT.search(text) and text not in account.text for text in rest):
        end = next(_runs(words, dispute))[1]
        bracket = (glue("("), *_with_space(by, space=False), glue(")", space=False))
        return (*words[:end], *bracket, *words[end:])
    end = len(words) - (words[-1].text in _STOPS)
    body, stop = words[:end], words[end:] or (glue(".", space=False),)
    if len(body) > 1 and body[-1].text in _CLOSING and body[-2].text == ".":
        body = (*body[:-2], body[-1])
    if _SHORTENED.fullmatch(body[-1].text):
        body = (*body, glue(".", space=False))
    return (*body, glue(",", space=False), *by, *stop)


def _with(words: Words, dispute: Disagreement, instead: Words) -> Words:
    """Return the words with others in place of the first claim."""
    for start, end, _ in list(_runs(words, dispute))[-1:]:
        behind = "".join(word.text for word in words[end : end + 1])
        if instead[-1].text == "," and not behind[:1].isalnum():
            instead = instead[:-1]
        return (*words[:start], *_with_space(instead, words[start].space), *words[end:])
    return words


def _all_claims(dispute: Disagreement, accounts: Mapping[str, Account]) -> Words:
    """Return every claim with its source: "12, according to the Wire, or 13, according to ..."."""
    groups: dict[str, list[Claim]] = {}
    for claim in dispute.claims:
        groups.setdefault(claim.text.casefold(), []).append(claim)
    words: list[WovenToken] = []
    for claims in groups.values():
        if words:
            words += [glue(",", space=False), glue("or")]
        names = dict.fromkeys(account_name(accounts[claim.document]) for claim in claims)
        first = claims[0]
        words += _claim_words(dispute, first, accounts)
        words += [glue(",", space=False), *map(glue, "according to".split())]
        words += map(glue, " and ".join(names).split())
    return tuple(words)


def _claim_words(dispute: Disagreement, claim: Claim, accounts: Mapping[str, Account]) -> Words:
    """Return a claim's words, without the capital that only opens its sentence."""
    account = accounts[claim.document]
    words = words_of(account, claim.start, claim.end)
    opens = any(sentence.start == claim.start for sentence in account.sentences)
    if dispute.kind == "name" or not opens:
        return words
    return (replace(words[0], text=words[0].text.lower()), *words[1:])


def _with_space(words: Words, space: bool) -> Words:
    return (replace(words[0], space=space), *words[1:]) if words else words
