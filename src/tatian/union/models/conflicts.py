"""Insert conflicting claims in brackets: "(23, according to the navy)"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tatian.text import SourcedToken, Span
from tatian.text.content import is_content
from tatian.text.documents import Claim, Passage, copy_tokens
from tatian.text.layers import glue
from tatian.text.lexicon import NUMBER_WORDS
from tatian.union.models import Contradiction

_OPENERS = frozenset(("At", "More"))
"""Capitalised openings of a sentence that also begin a claim: "At least 5"."""


def _find_rival_claims(
    passage: Passage, contradictions: Sequence[Contradiction], draft: Sequence[SourcedToken]
) -> Iterator[tuple[Claim, int]]:
    """Yield the passage's claims that differ from the draft, with their positions in the draft."""
    for contradiction in contradictions:
        claims = [c for c in contradiction.claims if c.document == passage.document.id]
        rivals = [c for c in contradiction.claims if c.document != passage.document.id]
        for claim in claims:
            if passage.span.start <= claim.start < passage.span.end:
                position = _find_position(draft, rivals, counted=contradiction.kind == "number")
                if position is not None:
                    yield claim, position


def insert_conflict(
    draft: Sequence[SourcedToken],
    passage: Passage,
    contradictions: Sequence[Contradiction],
    speaker: Sequence[SourcedToken] = (),
) -> list[SourcedToken]:
    """Insert this passage's conflicting claim in brackets after the claim it contradicts.

    The bracket attributes it to the `speaker` whom the passage names, or to its source.
    """
    result = list(draft)
    source = passage.document.metadata.source or "another account"
    named = [_lower_article(word) for word in speaker] or [glue(word) for word in source.split()]
    rival = dict.fromkeys(_find_rival_claims(passage, contradictions, draft))
    for claim, position in sorted(rival, key=lambda rival_place: -rival_place[1]):
        first, *others = copy_tokens(Passage(passage.document, Span(claim.start, claim.end)))
        if first.text.lower() in NUMBER_WORDS or first.text in _OPENERS:
            first = replace(first, text=first.text.lower())
        bracket = [glue("("), replace(first, space=False), *others, glue(",", space=False)]
        if not _contains(result, bracket):
            bracket += [glue("according"), glue("to"), *named]
            result[position:position] = [*bracket, glue(")", space=False)]
    return result


def _lower_article(word: SourcedToken) -> SourcedToken:
    """Return the token in lower case if it is an article that began its sentence."""
    return replace(word, text=word.text.lower()) if word.text in _LEADS else word


_LEADS = frozenset(("The", "A", "An"))


def _contains(draft: Sequence[SourcedToken], words: Sequence[SourcedToken]) -> bool:
    """Return True if the draft has these words in a row, from any source."""
    wanted = [word.text for word in words]
    texts = [token.text for token in draft]
    return any(texts[i : i + len(wanted)] == wanted for i in range(len(texts)))


def _find_position(
    draft: Sequence[SourcedToken], claims: Sequence[Claim], counted: bool
) -> int | None:
    """Return the position after one of `claims` and the noun that it counts.

    None if it is in a quotation or in added brackets, where it is already contested.
    """
    bracketed = _flag_bracketed(draft)
    for index in range(len(draft) - 1, -1, -1):
        if bracketed[index] or draft[index].quoted:
            continue
        for source in draft[index].sources[:1]:
            if any(
                c.document == source.document and c.start <= source.start < c.end for c in claims
            ):
                after = draft[index + 1].text if index + 1 < len(draft) else ""
                noun = after.islower() and is_content(after)
                return index + (2 if counted and noun else 1)
    return None


def _flag_bracketed(draft: Sequence[SourcedToken]) -> list[bool]:
    """Flag each token inside brackets added by Tatian."""
    flags = []
    inside = False
    for token in draft:
        inside = inside or (token.text == "(" and token.glue)
        flags.append(inside)
        inside = inside and token.text != ")"
    return flags
