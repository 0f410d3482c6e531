"""How a sentence shows that another account says otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tatian.text import Span, WovenToken
from tatian.text.content import is_content
from tatian.text.lexicon import NUMBER_WORDS
from tatian.text.provenance import glue
from tatian.union.models import Claim, Contradiction, Passage
from tatian.union.models.copying import copy_tokens

_OPENERS = frozenset(("At", "More"))
"""What a sentence may open with that a claim begins with: "At least 5"."""


def _rival_claims(
    passage: Passage, contradictions: Sequence[Contradiction], draft: Sequence[WovenToken]
) -> Iterator[tuple[Claim, int]]:
    """What this passage puts otherwise than the draft does, and where in the draft to say so."""
    for contradiction in contradictions:
        own = [c for c in contradiction.claims if c.document == passage.document.id]
        rivals = [c for c in contradiction.claims if c.document != passage.document.id]
        for claim in own:
            if passage.span.start <= claim.start < passage.span.end:
                spot = _where(draft, rivals, counted=contradiction.kind == "number")
                if spot is not None:
                    yield claim, spot


def show_dispute(
    draft: Sequence[WovenToken],
    passage: Passage,
    contradictions: Sequence[Contradiction],
) -> list[WovenToken]:
    """The draft with this passage's rival claim in brackets after the one it contests."""
    result = list(draft)
    who = passage.document.metadata.source or "another account"
    rival = dict.fromkeys(_rival_claims(passage, contradictions, draft))
    for claim, spot in sorted(rival, key=lambda found: -found[1]):
        first, *others = copy_tokens(Passage(passage.document, Span(claim.start, claim.end)))
        if first.text.lower() in NUMBER_WORDS or first.text in _OPENERS:
            first = replace(first, text=first.text.lower())
        bracket = [glue("("), replace(first, space=False), *others, glue(",", space=False)]
        if not _holds(result, bracket):
            bracket += [glue(word) for word in f"according to {who}".split()]
            result[spot:spot] = [*bracket, glue(")", space=False)]
    return result


def _holds(draft: Sequence[WovenToken], words: Sequence[WovenToken]) -> bool:
    """Whether the draft has these words one after the other, from whatever account."""
    wanted = [word.text for word in words]
    texts = [token.text for token in draft]
    return any(texts[i : i + len(wanted)] == wanted for i in range(len(texts)))


def _where(draft: Sequence[WovenToken], claims: Sequence[Claim], counted: bool) -> int | None:
    """After the words of the draft that one of `claims` stands behind, and the noun they count.

    None where they stand in brackets, as a claim contested already, or in a quotation.
    """
    bracketed = _bracketed(draft)
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


def _bracketed(draft: Sequence[WovenToken]) -> list[bool]:
    """For each token, whether it stands in brackets that Tatian put there."""
    flags = []
    inside = False
    for token in draft:
        inside = inside or (token.text == "(" and token.glue)
        flags.append(inside)
        inside = inside and token.text != ")"
    return flags
