"""Names that both sentences have, and what one of them gives in full."""

from __future__ import annotations

from msgspec import Struct

from tatian.text.lexicon import STOP_WORDS, TITLES
from tatian.union.models.aligning.sentences import Name, Parsed


class NamePair(Struct, frozen=True):
    """One thing as the two sentences name it."""

    other: Name
    base: Name


def pair_names(other: Parsed, base: Parsed) -> list[NamePair]:
    """Names of which one holds the other: "Harvey" and "Francis Harvey"."""
    found = []
    for name in other.names:
        mates = [mate for mate in base.names if _same(other, name, base, mate)]
        if mates:
            best = max(mates, key=lambda mate: len(_words(other, name) & _words(base, mate)))
            found.append(NamePair(name, best))
    return found


def head_of(sentence: Parsed, name: Name) -> int:
    """The word of the name on which its other words hang."""
    places = range(name[0], name[1])
    return next((p for p in places if sentence.heads[p] not in places), name[0])


def _words(sentence: Parsed, name: Name) -> set[str]:
    words = {sentence.lower[place] for place in range(name[0], name[1])}
    return {word for word in words if word[:1].isalnum() and word not in STOP_WORDS}


def _same(other: Parsed, name: Name, base: Parsed, mate: Name) -> bool:
    ours, theirs = _words(other, name), _words(base, mate)
    if not ours or not theirs:
        return False
    if ours == theirs:
        return True
    if name[2] != mate[2]:
        return False
    if name[2] == "PER":
        last, mate_last = other.lower[name[1] - 1], base.lower[mate[1] - 1]
        return (ours < theirs or theirs < ours) and (
            last == mate_last or min(len(ours), len(theirs)) == 1
        )
    return ours < theirs or theirs < ours


def missing(other: Parsed, base: Parsed, pair: NamePair) -> tuple[list[int], int] | None:
    """Words of the longer name to be put into the base, and where; None if there are none."""
    (start, end, kind), (first, last, _) = pair.other, pair.base
    written = [base.lower[place] for place in range(first, last)]
    said = [other.lower[place] for place in range(start, end)]
    if len(said) <= len(written) or kind not in {"PER", "ORG"} or "-" in said:
        return None
    if base.tokens[first].quoted or any(word in TITLES for word in said):
        return None
    if said[-len(written) :] == written:
        before = base.lower[first - 1] if first else ""
        titled = before in TITLES or (start > 0 and other.lower[start - 1] == before)
        clash = (
            first > 0
            and kind == "PER"
            and base.tag(first - 1) == "PROPN"
            and base.heads[first - 1] in range(first, last)
        )
        if clash and not titled:
            return None
        return list(range(start, end - len(written))), first
    if kind == "PER" and said[: len(written)] == written:
        following = base.tag(last) if last < len(base) else "PUNCT"
        return None if following == "PROPN" else (list(range(start + len(written), end)), last)
    return None
