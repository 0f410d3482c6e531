"""The most detailed sentence, with what the others add grafted on where it can grow."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from tatian.text import Source, WovenToken
from tatian.text.content import concept, concepts_of, is_content, is_telling, saying
from tatian.text.lexicon import NEGATIONS, RELATIVE_DATES, WEEKDAYS
from tatian.text.provenance import SourceKind, glue
from tatian.union.disagreement import find_contradictions, quantities
from tatian.union.models import Claim, Contradiction, Merged, Outcome, Passage
from tatian.union.models.chunks import quoted
from tatian.union.models.copying import copy_tokens
from tatian.union.models.grafting import expand_names, graft, trimmed

_RELATIVE_DAYS = frozenset(
    word for word, meant in RELATIVE_DATES.items() if meant.unit == "day" and " " not in word
)


class _Draft(Struct):
    """One sentence of the result while it grows."""

    tokens: list[WovenToken]
    said: set[str]
    """Concepts it expresses."""


class Graft:
    """The most detailed sentence, with what the others add grafted on; else a sentence more.

    No language model: whole phrases are moved, never words invented. What cannot be attached
    safely stays a sentence of its own, so nothing is lost.
    """

    def __init__(self, paraphrase: float = 0.25) -> None:
        self.paraphrase = paraphrase
        """Share of a sentence's content words that may be other words for what is said already.

        Names and numbers never count as such.
        """

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing."""
        contradictions = find_contradictions(passages)
        concepts = [concepts_of(passage.document, passage.span) for passage in passages]
        order = sorted(
            range(len(passages)), key=lambda i: -len({c for c in concepts[i] if c is not None})
        )
        exact = _exact(passages)
        drafts: list[_Draft] = []
        outcomes: dict[int, Outcome] = {}
        for number in order:
            tokens = list(copy_tokens(passages[number]))
            outcomes[number] = self._add(
                drafts, passages[number], tokens, concepts[number], contradictions, exact
            )
        return Merged(
            sentences=tuple(tuple(draft.tokens) for draft in drafts),
            outcomes=tuple(outcomes[number] for number in range(len(passages))),
            contradictions=contradictions,
        )

    def _add(
        self,
        drafts: list[_Draft],
        passage: Passage,
        tokens: list[WovenToken],
        concepts: list[str | None],
        contradictions: Sequence[Contradiction],
        exact: dict[str, set[float]],
    ) -> Outcome:
        own = {c for c in concepts if c is not None}
        if not drafts:
            drafts.append(_Draft(tokens, own))
            return Outcome("kept", "the most detailed sentence of its group", (0,))
        said = set().union(*(draft.said for draft in drafts))
        answered = _implied(passage, exact) | _disputed(passage, contradictions)
        answered |= _other_days(tokens, [t for draft in drafts for t in draft.tokens])
        novel = {
            index
            for index, found in enumerate(concepts)
            if found is not None
            and found not in said
            and found not in saying()
            and tokens[index].sources[0].start not in answered
        }
        place = max(range(len(drafts)), key=lambda i: (len(drafts[i].said & own), -i))
        draft = drafts[place]
        if not novel:
            draft.tokens = _supported(draft.tokens, tokens, concepts)
            draft.tokens = expand_names(draft.tokens, passage, tokens)
            draft.tokens = _show_dispute(draft.tokens, passage, contradictions)
            return Outcome("redundant", "says nothing that the text does not say", (place,))
        grown, left = graft(draft.tokens, tokens, concepts, novel)
        spoken = quoted(tokens)
        hard = any(
            spoken[index] or is_telling(tokens[index].text) or _denied(tokens, index)
            for index in left
        )
        if not hard and len(left) <= max(self.paraphrase * len(own), len(own) > 2):
            grown = _supported(grown, tokens, concepts)
            grown = expand_names(grown, passage, tokens)
            draft.tokens = _show_dispute(grown, passage, contradictions)
            draft.said |= own
            added = " ".join(tokens[index].text for index in sorted(novel - left))
            reworded = " ".join(tokens[index].text for index in sorted(left))
            why = [f"adds: {added}"] if added else []
            why += [f"says otherwise: {reworded}"] if reworded else []
            return Outcome("merged" if added else "redundant", "; ".join(why), (place,))
        drafts.append(_Draft(trimmed(tokens, concepts, said), own))
        words = " ".join(tokens[index].text for index in sorted(novel))
        return Outcome("kept", f"says more than could be joined on: {words}", (len(drafts) - 1,))


def _denied(tokens: Sequence[WovenToken], index: int) -> bool:
    """Whether a word stands under a negation, which makes it news."""
    return any(token.text.lower() in NEGATIONS for token in tokens[max(0, index - 3) : index])


def _exact(passages: Sequence[Passage]) -> dict[str, set[float]]:
    """The numbers that some passage gives exactly, by what they count."""
    found: dict[str, set[float]] = {}
    for passage in passages:
        for quantity in quantities(passage):
            if quantity.exact:
                found.setdefault(quantity.of, set()).add(quantity.value)
    return found


def _implied(passage: Passage, exact: dict[str, set[float]]) -> set[int]:
    """Starts of vague numbers ("more than 200") that another passage gives exactly ("212")."""
    return {
        vague.token.start
        for vague in quantities(passage)
        if not vague.exact
        and vague.value
        and any(0.8 <= value / vague.value <= 1.25 for value in exact.get(vague.of, ()))
    }


def _other_days(tokens: Sequence[WovenToken], told: Sequence[WovenToken]) -> set[int]:
    """Starts of weekdays where the draft says "yesterday", or the reverse.

    Union paper, appendix B: with the day of publication known, there is no difference.
    """
    said = {token.text.lower() for token in told}
    relative = not said.isdisjoint(_RELATIVE_DAYS)
    weekday = not said.isdisjoint(WEEKDAYS)
    return {
        token.sources[0].start
        for token in tokens
        if (token.text.lower() in WEEKDAYS and relative and not weekday)
        or (token.text.lower() in _RELATIVE_DAYS and weekday and not relative)
    }


def _disputed(passage: Passage, contradictions: Sequence[Contradiction]) -> set[int]:
    """Starts of words that this passage puts otherwise than another; they are shown as disputed."""
    tokens = passage.document.tokens_in(passage.span)
    own = [
        claim
        for contradiction in contradictions
        for claim in contradiction.claims
        if claim.document == passage.document.id
    ]
    return {t.start for t in tokens for claim in own if claim.start <= t.start < claim.end}


def _supported(
    draft: Sequence[WovenToken], other: Sequence[WovenToken], concepts: Sequence[str | None]
) -> list[WovenToken]:
    """The draft, each word also naming the word of `other` that says the same."""
    free: dict[str, list[int]] = {}
    for index, found in enumerate(concepts):
        if found is not None:
            free.setdefault(found, []).append(index)
    result = []
    for token in draft:
        places = free.get(concept(token.text)) if is_content(token.text) else None
        if token.glue or not places:
            result.append(token)
            continue
        twin = other[places.pop(0)]
        kind: SourceKind = "copied" if twin.text.lower() == token.text.lower() else "substituted"
        if kind == "substituted" and twin.text.lower()[:3] == token.text.lower()[:3]:
            kind = "inflected"
        source = replace(twin.sources[0], kind=kind)
        if source not in token.sources:
            token = replace(token, sources=(*token.sources, source))
        result.append(token)
    return result


def _show_dispute(
    draft: Sequence[WovenToken],
    passage: Passage,
    contradictions: Sequence[Contradiction],
) -> list[WovenToken]:
    """The draft with this passage's rival claim in brackets after the one it contests."""
    result = list(draft)
    for contradiction in contradictions:
        mine = [c for c in contradiction.claims if c.document == passage.document.id]
        rivals = [c for c in contradiction.claims if c.document != passage.document.id]
        for claim in mine:
            spot = _where(result, rivals)
            if spot is None or not passage.span.start <= claim.start < passage.span.end:
                continue
            if any(a.text == "(" and b.text == claim.text for a, b in pairwise(result)):
                continue
            who = passage.document.metadata.source or passage.document.id
            source = Source(claim.document, claim.start, claim.end)
            words = [
                glue("("),
                WovenToken(claim.text, (source,), space=False),
                glue(",", space=False),
            ]
            words += [glue(word) for word in f"according to {who}".split()]
            result[spot:spot] = [*words, glue(")", space=False)]
    return result


def _where(draft: Sequence[WovenToken], claims: Sequence[Claim]) -> int | None:
    """After the words of the draft that one of `claims` stands behind, and the noun they count."""
    for index in range(len(draft) - 1, -1, -1):
        if index and draft[index - 1].text == "(":
            continue
        for source in draft[index].sources:
            if any(
                c.document == source.document and c.start <= source.start < c.end for c in claims
            ):
                noun = index + 1 < len(draft) and is_content(draft[index + 1].text)
                return index + (2 if noun and draft[index].text[0].isdigit() else 1)
    return None
