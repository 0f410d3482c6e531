"""The points where accounts differ, as the text notes them, and how a person settles them."""

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
from tatian.text.layers import glue
from tatian.union.models import Claim
from tatian.workbench.desk.manuscript import PART, Line, Words, words_of

if TYPE_CHECKING:
    from tatian.workbench.desk.decisions import Settle

_STOPS = (".", "!", "?", "…")
_CLOSING = ('"', "”", "’", "'", ")")
_EXACT = re.compile(r"[A-Z]|\d")
"""In words that are names or figures."""
_SHORTENED = re.compile(r"(?:\w\.)+\w")
"""What a full stop belongs to: "p.m"."""


class Settlement(Struct, frozen=True):
    """What settling a dispute has done to a sentence, so that it can be taken back."""

    line: str
    typed: bool
    """Whether it was in a person's words before."""
    changes: tuple[tuple[Words, Words], ...]
    """Words that were there, and those in their place."""


def dispute_id(found: Disagreement) -> str:
    """What a dispute is referred to by: the places of its claims."""
    return "+".join(sorted(f"{one.document}:{one.start}-{one.end}" for one in found.claims))


def same_dispute(id: str, found: Sequence[Disagreement]) -> Disagreement | None:
    """The dispute of that id, or else the one that has most of its claims."""
    wanted = set(id.split("+"))
    known = [(len(wanted & set(dispute_id(one).split("+"))), one) for one in found]
    shared, best = max(known, key=lambda one: one[0], default=(0, None))
    return best if shared else None


def settled(
    lines: Sequence[Line],
    dispute: Disagreement,
    how: Settle,
    accounts: Mapping[str, Account],
    written: Words,
) -> list[Line]:
    """The lines with a dispute settled; those that do not speak of it are the same objects."""
    if how.how == "both":
        return list(lines)
    chosen = dispute.claims[how.claim] if how.how == "one" else None
    found: list[Line] = []
    first = True
    for line in lines:
        words = line.words
        if speaks(line, dispute):
            words = _without_note(words, dispute)
            if chosen is not None:
                words = _with_choice(words, dispute, chosen, accounts)
                if first and how.attribute:
                    words = _attributed(words, dispute, accounts[chosen.document])
            elif first:
                instead = written or (*_written_out(dispute, accounts), glue(",", space=False))
                words = _with(words, dispute, instead)
            first = False
        now_typed = line.typed or any(word.own for word in words)
        changed = words != line.words
        found.append(replace(line, words=words, typed=now_typed) if changed else line)
    return found


def noted(
    lines: Sequence[Line], dispute: Disagreement, accounts: Mapping[str, Account]
) -> list[Line]:
    """The lines with what another account says behind the first claim, unless they say both."""
    found = list(lines)
    speaking = [number for number, line in enumerate(lines) if speaks(line, dispute)]
    told = {
        claim.text.casefold()
        for number in speaking
        for *_, claim in _runs(lines[number].words, dispute)
    }
    others = [claim for claim in dispute.claims if claim.text.casefold() not in told]
    if speaking and others:
        words_it = (number for number in speaking if _words_claim(lines[number], dispute))
        place = next(words_it, speaking[0])
        line = lines[place]
        end = list(_runs(line.words, dispute))[-1][1]
        said = _spaced(_said(dispute, others[0], accounts), space=False)
        source = accounts[others[0].document].source
        by = f"according to {source}" if source else "by another account"
        note = (glue("("), *said, *map(glue, by.split()), glue(")", space=False))
        words = (*line.words[:end], *note, *line.words[end:])
        found[place] = replace(line, words=words)
    return found


def _words_claim(line: Line, dispute: Disagreement) -> bool:
    """Whether a line words the very sentence of a claim."""
    for origin in line.origins:
        document, _, place = origin.partition(":")
        start, _, end = place.partition("-")
        if any(
            claim.document == document and int(start) <= claim.start < int(end)
            for claim in dispute.claims
        ):
            return True
    return False


def speaks(line: Line, dispute: Disagreement) -> bool:
    """Whether a line of the text gives one of the claims."""
    return not line.hidden and any(True for _ in _runs(line.words, dispute))


def drawing(lines: Sequence[Line], dispute: Disagreement) -> list[int]:
    """The places of the lines with a word from a claim, which alone may speak of it: quick."""
    claimed = {(one.document, at) for one in dispute.claims for at in range(one.start, one.end)}
    return [
        number
        for number, line in enumerate(lines)
        if any((one.document, one.start) in claimed for word in line.words for one in word.sources)
    ]


def settlement(before: Line, after: Line) -> Settlement:
    """What was done to a line."""
    old, new = before.words, after.words
    changes = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        beside = bool(a and c == d)  # What only went is found again by the word before it.
        if kind != "equal":
            changes.append((old[a - beside : b], new[c - beside : d]))
    return Settlement(before.id, before.typed, tuple(changes))


def unsettled(lines: Sequence[Line], done: Sequence[Settlement]) -> list[Line]:
    """The lines without what settling a dispute has done to them."""
    found = list(lines)
    for number, line in enumerate(lines):
        for one in done:
            if line.id == one.line or line.id.startswith(f"{one.line}{PART}"):
                words = line.words
                for was, instead in one.changes:
                    words = _with_again(words, instead, was)
                if words != line.words:
                    own = any(word.own for _, instead in one.changes for word in instead)
                    typed = one.typed or any(word.own for word in words) if own else line.typed
                    found[number] = replace(line, words=words, typed=typed)
    return found


def _with_again(words: Words, instead: Words, was: Words) -> Words:
    """The sentence with words that were there before those in their place."""

    def plain(some: Words) -> list[object]:
        return [(word.text.casefold(), word.sources) for word in some]

    for start in range(len(words) - len(instead) + 1):
        end = start + len(instead)
        if plain(words[start:end]) == plain(instead):
            return (*words[:start], *was, *words[end:])
    return words


def withdrawn(
    lines: Sequence[Line], disputes: Sequence[Disagreement], account: str, start: int, end: int
) -> list[Line]:
    """The lines without notes of what only a sentence says that is no part of the story."""
    found = list(lines)
    for dispute in disputes:
        gone = [
            claim
            for claim in dispute.claims
            if claim.document == account and start <= claim.start < end
        ]
        left = {claim.text.casefold() for claim in dispute.claims if claim not in gone}
        if not gone or len(left) > 1:
            continue
        for number, line in enumerate(found):
            words = _without_note(line.words, dispute)
            if words != line.words:
                found[number] = replace(line, words=words)
    return found


def _claimed(word: WovenToken, dispute: Disagreement) -> Claim | None:
    """The claim that a word repeats, in its own account's words or in another's."""
    for source in word.sources:
        for claim in dispute.claims:
            if source.document == claim.document and claim.start <= source.start < claim.end:
                return claim
    return None


def _without_note(words: Words, dispute: Disagreement) -> Words:
    """The sentence without the brackets that say what other accounts say instead."""
    for start, word in enumerate(words):
        if word.glue and word.text == "(":
            after = range(start + 1, len(words))
            end = next((n for n in after if words[n].glue and words[n].text == ")"), -1)
            if end > 0 and any(_claimed(one, dispute) for one in words[start:end]):
                return (*words[:start], *words[end + 1 :])
    return words


def _runs(words: Words, dispute: Disagreement) -> Iterator[tuple[int, int, Claim]]:
    """Where the sentence repeats a claim, the last one first."""
    end = len(words)
    while end > 0:
        claim = _claimed(words[end - 1], dispute)
        start = end - 1
        while claim and start > 0 and _claimed(words[start - 1], dispute) == claim:
            start -= 1
        if claim and _is_said(words[start:end], claim):
            yield start, end, claim
        end = start


def _is_said(words: Words, claim: Claim) -> bool:
    """Whether words are a claim: its account's own, or another's that say all of it."""
    own = any(word.sources[0].document == claim.document for word in words)
    return own or " ".join(word.text for word in words).casefold() == claim.text.casefold()


def _with_choice(
    words: Words, dispute: Disagreement, chosen: Claim, accounts: Mapping[str, Account]
) -> Words:
    """The sentence with one account's word for it."""
    said = _said(dispute, chosen, accounts)
    said = tuple(
        replace(word, sources=tuple(replace(one, kind="substituted") for one in word.sources))
        for word in said
    )
    for start, end, claim in _runs(words, dispute):
        if claim.text.casefold() != chosen.text.casefold():
            words = (*words[:start], *_spaced(said, words[start].space), *words[end:])
    return words


def _attributed(words: Words, dispute: Disagreement, account: Account) -> Words:
    """The sentence with the source of the claim named: at its end, behind a closing quotation.

    Where the sentence has a name or a figure that the source has not, only the claim is the
    source's, and the source is named behind it.
    """
    by = tuple(map(glue, f"according to {account_name(account)}".split()))
    rest = [word.text for word in words[1:] if not _claimed(word, dispute)]
    if any(_EXACT.search(text) and text not in account.text for text in rest):
        end = next(_runs(words, dispute))[1]
        bracket = (glue("("), *_spaced(by, space=False), glue(")", space=False))
        return (*words[:end], *bracket, *words[end:])
    end = len(words) - (words[-1].text in _STOPS)
    said, stop = words[:end], words[end:] or (glue(".", space=False),)
    if len(said) > 1 and said[-1].text in _CLOSING and said[-2].text == ".":
        said = (*said[:-2], said[-1])
    if _SHORTENED.fullmatch(said[-1].text):
        said = (*said, glue(".", space=False))
    return (*said, glue(",", space=False), *by, *stop)


def _with(words: Words, dispute: Disagreement, instead: Words) -> Words:
    """The sentence with other words in place of the first claim."""
    for start, end, _ in list(_runs(words, dispute))[-1:]:
        behind = "".join(word.text for word in words[end : end + 1])
        if instead[-1].text == "," and not behind[:1].isalnum():
            instead = instead[:-1]
        return (*words[:start], *_spaced(instead, words[start].space), *words[end:])
    return words


def _written_out(dispute: Disagreement, accounts: Mapping[str, Account]) -> Words:
    """Every claim with its source: "12, according to the Wire, or 13, according to the Courier"."""
    groups: dict[str, list[Claim]] = {}
    for claim in dispute.claims:
        groups.setdefault(claim.text.casefold(), []).append(claim)
    found: list[WovenToken] = []
    for claims in groups.values():
        if found:
            found += [glue(",", space=False), glue("or")]
        names = dict.fromkeys(account_name(accounts[claim.document]) for claim in claims)
        first = claims[0]
        found += _said(dispute, first, accounts)
        found += [glue(",", space=False), *map(glue, "according to".split())]
        found += map(glue, " and ".join(names).split())
    return tuple(found)


def _said(dispute: Disagreement, claim: Claim, accounts: Mapping[str, Account]) -> Words:
    """A claim's words, small where only the start of its sentence gave them a capital."""
    account = accounts[claim.document]
    said = words_of(account, claim.start, claim.end)
    if dispute.kind == "name" or all(one.start != claim.start for one in account.sentences):
        return said
    return (replace(said[0], text=said[0].text.lower()), *said[1:])


def _spaced(words: Words, space: bool) -> Words:
    return (replace(words[0], space=space), *words[1:]) if words else words
