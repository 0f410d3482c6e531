"""The most detailed sentence, with what the others add grafted on where it can grow."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput
from tatian.text import Source, Span, WovenToken
from tatian.text.content import concept, concepts_of, is_content, is_telling, saying
from tatian.text.lexicon import NEGATIONS, RELATIVE_DATES, REPORTING_VERBS, WEEKDAYS
from tatian.text.provenance import SourceKind, render
from tatian.union.disagreement import find_contradictions
from tatian.union.disagreement_denials import opposed
from tatian.union.judging import follows
from tatian.union.models import Contradiction, Merged, Outcome, Passage
from tatian.union.models.aligning.disputes import disputed, show_dispute
from tatian.union.models.chunks import cut, quoted
from tatian.union.models.copying import copy_tokens
from tatian.union.models.grafting import expand_names, graft, trimmed
from tatian.union.quantities import quantities

_RELATIVE_DAYS = frozenset(
    word for word, meant in RELATIVE_DATES.items() if meant.unit == "day" and " " not in word
)


_FUTURE = frozenset({"will", "would", "'ll", "’ll"})
_MOST_REWORDED = 0.25
"""Share of a sentence's content words that may be paraphrases, if a model of meaning agrees."""
_ENOUGH = 5
"""Content words a sentence needs for one of them to pass, unjudged, as a paraphrase."""


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

    def __init__(self, paraphrase: float = 0.25, *, judge: bool = True) -> None:
        self.judge = judge
        """Whether a model of meaning, where installed, says what is a paraphrase."""
        self.paraphrase = paraphrase
        """Share of an announcement's content words that the report of the event may put otherwise.

        Names and numbers never count as such.
        """

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing."""
        if not passages:
            raise EmptyInput("no passages to merge")
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
        place = max(range(len(drafts)), key=lambda i: (len(drafts[i].said & own), -i))
        draft = drafts[place]
        named = expand_names(draft.tokens, passage, tokens)
        given = _sources(named) - _sources(draft.tokens)
        answered = _implied(passage, exact) | {source.start for source in given}
        answered |= disputed(passage, contradictions, draft.tokens)
        answered |= _other_days(tokens, [t for draft in drafts for t in draft.tokens])
        answered |= _overtaken(tokens, draft.tokens)
        novel = {
            index
            for index, found in enumerate(concepts)
            if found is not None
            and found not in said
            and found not in saying()
            and tokens[index].sources[0].start not in answered
        }
        contested = disputed(passage, contradictions, draft.tokens)
        agreed = [t.text for t in tokens if t.sources[0].start not in contested]
        denies = opposed(agreed, [t.text for t in draft.tokens])
        if not novel and not given and not denies:
            draft.tokens = _supported(draft.tokens, tokens, concepts)
            draft.tokens = show_dispute(draft.tokens, passage, contradictions)
            return Outcome("redundant", "says nothing that the text does not say", (place,))
        grown, left = graft(named, tokens, concepts, novel)
        spoken = quoted(tokens)
        pinned = bool(contested) and bool((own - said) & saying())
        hard = (
            pinned
            or opposed(agreed, [t.text for t in grown])
            or any(
                spoken[index] or is_telling(tokens[index].text) or _denied(tokens, index)
                for index in left
            )
        )
        overtaken = bool(_overtaken(tokens, draft.tokens))
        if not hard and (not left or self._says(drafts, grown, passage, left, own, overtaken)):
            grown = _supported(grown, tokens, concepts)
            draft.tokens = show_dispute(grown, passage, contradictions)
            draft.said |= own
            names = {i for i, token in enumerate(tokens) if not given.isdisjoint(_renamed(token))}
            added = " ".join(tokens[index].text for index in sorted(names | novel - left))
            reworded = " ".join(tokens[index].text for index in sorted(left))
            why = [f"adds: {added}"] if added else []
            why += [f"in other words: {reworded}"] if reworded else []
            return Outcome("merged" if added else "redundant", "; ".join(why), (place,))
        draft.tokens = show_dispute(draft.tokens, passage, contradictions)
        drafts.append(_Draft(trimmed(tokens, concepts, said), own))
        words = " ".join(tokens[index].text for index in sorted(novel))
        return Outcome("kept", f"says more than could be joined on: {words}", (len(drafts) - 1,))

    def _says(
        self,
        drafts: Sequence[_Draft],
        grown: Sequence[WovenToken],
        passage: Passage,
        left: set[int],
        own: set[str],
        overtaken: bool,
    ) -> bool:
        """Whether what is left of the passage is only other words for what is written."""
        if overtaken:
            return len(left) <= self.paraphrase * len(own)
        if len(left) > _MOST_REWORDED * len(own):
            return False
        written = " ".join([render(grown), *(render(draft.tokens) for draft in drafts[:2])])
        judged = follows(written, passage.text) if self.judge else None
        return judged if judged is not None else len(left) <= 1 and len(own) >= _ENOUGH


def _sources(tokens: Sequence[WovenToken]) -> set[Source]:
    return {source for token in tokens for source in token.sources}


def _renamed(token: WovenToken) -> list[Source]:
    return [replace(source, kind="substituted") for source in token.sources]


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
        token.start
        for vague in quantities(passage)
        if not vague.exact
        and vague.value
        and any(0.8 <= value / vague.value <= 1.25 for value in exact.get(vague.of, ()))
        for token in passage.document.tokens_in(Span(vague.token.start, vague.last.end))
    }


def _overtaken(tokens: Sequence[WovenToken], told: Sequence[WovenToken]) -> set[int]:
    """Starts of the words that say who announced what the draft tells as having happened.

    Union paper, appendix B: written after the event, the past tense is right.
    """
    future = {token.text.lower() for token in tokens} & _FUTURE
    if not future or {token.text.lower() for token in told} & _FUTURE:
        return set()
    return {
        token.sources[0].start
        for chunk in cut(tokens)
        if chunk.kind == "aside" and tokens[chunk.end - 1].text.lower() in REPORTING_VERBS
        for token in tokens[chunk.start : chunk.end]
        if token.sources
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
