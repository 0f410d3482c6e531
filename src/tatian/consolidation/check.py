"""Flaws that an editor should check in a finished text: torn, dangling, contradictory sentences."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Literal, get_args

from msgspec import Struct

from tatian.claims import StatedClaim, about_one, compare
from tatian.consolidation.plan import Plan
from tatian.consolidation.references import PERSON_NOUNS
from tatian.consolidation.result import Consolidation, WrittenSentence
from tatian.consolidation.spans import Key
from tatian.text import WORDS
from tatian.text.lexicon import PRONOUNS
from tatian.views.wording import squeeze

Flaw = Literal["quotation", "fragment", "pronoun", "figures"]
FLAWS: tuple[Flaw, ...] = get_args(Flaw)
_PARAGRAPH = re.compile(r"(?:(?!\n\n).)+", re.DOTALL)
_WHOLE = re.compile(r"[.!?…][\"”’')\]]*$")
_HALF = re.compile(r"[;,:]$")
_SUBJECTS = frozenset(("he", "she"))
_NEAR = 2
"""Sentences before a pronoun in which a reader looks for its antecedent."""
_SHORT = 4
"""Most words that a sentence without a verb may have."""
_FIGURES = frozenset({"count", "money", "share", "measure", "duration", "clock"})
"""Kinds of claims that are compared."""


class TextFlaw(Struct, frozen=True):
    """Passage of a text that an editor should check."""

    kind: Flaw
    sentence: int
    """Index of the sentence in the text."""
    start: int
    end: int
    """Offset in the text at which it ends."""
    why: str

    def __str__(self) -> str:
        return f"sentence {self.sentence + 1}: {self.why}"


def text_flaws(woven: Consolidation, plan: Plan) -> tuple[TextFlaw, ...]:
    """Find unpaired quotation marks, fragments, pronouns for nobody, and conflicting figures.

    Flaws are in text order. Conflicts that the plan already lists are not flaws.
    """
    flaws = [
        *_quotations(woven),
        *_fragments(woven, plan),
        *_pronouns(woven),
        *_figures(woven, plan),
    ]
    return tuple(sorted(flaws, key=lambda flaw: (flaw.start, flaw.kind)))


def _quotations(woven: Consolidation) -> Iterator[TextFlaw]:
    """Yield paragraphs with an unpaired quotation mark, at the last such mark."""
    for paragraph in _PARAGRAPH.finditer(woven.text):
        text = paragraph[0]
        opened, straight = -1, -1
        torn = -1
        for mark in re.finditer('["“”]', text):
            if mark[0] == '"':
                straight = -1 if straight >= 0 else mark.start()
            elif mark[0] == "“":
                torn, opened = (opened if opened >= 0 else torn), mark.start()
            else:
                torn, opened = (torn if opened >= 0 else mark.start()), -1
        place = max(torn, opened, straight)
        if place >= 0:
            start = paragraph.start() + place
            number = _sentence_at(woven.sentences, start)
            yield TextFlaw("quotation", number, start, start + 1, "a quotation mark has no partner")


def _fragments(woven: Consolidation, plan: Plan) -> Iterator[TextFlaw]:
    """Yield sentences that begin or break off in the middle, or have no verb."""
    verbs = {
        (account.document.id, account.document.tokens[word.token].start)
        for account in plan.story.sources
        if account.document.has(WORDS)
        for word in account.document.get(WORDS)
        if word.tag in ("VERB", "AUX")
    }
    before = ""
    for number, sentence in enumerate(woven.sentences):
        text = woven.text[sentence.start : sentence.end]
        last = woven.text[sentence.end : sentence.end + 2] in ("", "\n\n")
        why = ""
        if text[:1].islower() and text.split()[0].islower() and not _HALF.search(before):
            why = "it begins in the middle"
        elif not _WHOLE.search(text) and (last or not _HALF.search(text)):
            why = "it breaks off"
        elif verbs and not _has_verb(sentence, verbs) and len(text.split()) > _SHORT:
            why = "it has no verb"
        if why:
            yield TextFlaw("fragment", number, sentence.start, sentence.end, why)
        before = text


def _has_verb(sentence: WrittenSentence, verbs: set[tuple[str, int]]) -> bool:
    return any(
        (source.document, source.start) in verbs
        for token in sentence.tokens
        for source in token.sources
    )


def _pronouns(woven: Consolidation) -> Iterator[TextFlaw]:
    """Yield each "he" or "she" outside quotations without a possible antecedent before it."""
    person = {chain.id for chain in woven.chains if chain.type == "PER"}
    spoken: dict[str, int] = {}
    people: list[int] = []
    at: dict[int, str] = {}
    for mention in sorted(woven.mentions, key=lambda mention: mention.start):
        at[mention.start] = mention.chain
        if woven.text[mention.start : mention.end].lower() not in PRONOUNS:
            spoken.setdefault(mention.chain, mention.start)
            if mention.chain in person:
                people.append(mention.start)
    people += [
        word.start() for word in re.finditer(r"\w+", woven.text) if word[0].lower() in PERSON_NOUNS
    ]
    people.sort()
    quoted, end = False, 0
    for number, sentence in enumerate(woven.sentences):
        quoted = quoted and "\n\n" not in woven.text[end : sentence.start]
        end = sentence.end
        near = woven.sentences[max(0, number - _NEAR)].start
        for token in sentence.tokens:
            text = woven.text[token.start : token.end]
            quoted = (not quoted if text == '"' else text == "“") if text in '"“”' else quoted
            if quoted or text.lower() not in _SUBJECTS:
                continue
            first = spoken.get(at.get(token.start, ""), len(woven.text))
            somebody = people[: bisect_right(people, token.start)][-1:]
            if first > token.start and not any(place >= near for place in somebody):
                why = f"nobody before it can be “{text}”"
                yield TextFlaw("pronoun", number, token.start, token.end, why)


def _figures(woven: Consolidation, plan: Plan) -> Iterator[TextFlaw]:
    """Yield figures of two sources for one thing that exclude each other and are in no conflict.

    Words alone decide whether two are about the same thing; their nouns must be the same.
    """
    named = [
        {(claim.key, claim.claim.figure.start) for claim in conflict.claims}
        for conflict in plan.conflicts
    ]
    held: dict[tuple[str, str], list[tuple[Key, StatedClaim]]] = {}
    for span in plan.spans:
        for claim in plan.coverage.content(span.key).claims:
            if claim.kind in _FIGURES:
                held.setdefault((claim.kind, claim.scope.thing), []).append((span.key, claim))
    pairs = chain.from_iterable(combinations(group, 2) for group in held.values())
    for (key, claim), (other, rival) in pairs:
        if key[0] == other[0]:
            continue
        if compare(claim, rival).relation not in ("exclude", "superseded"):
            continue
        if not about_one(claim, rival):
            continue
        both = {(key, claim.figure.start), (other, rival.figure.start)}
        if any(both <= claims for claims in named):
            continue
        first, second = _written(woven, plan, key, claim), _written(woven, plan, other, rival)
        if first is not None and second is not None:
            said = [squeeze(woven.text[start:end]) for _, start, end in (first, second)]
            why = f"“{said[1]}”, but “{said[0]}” in sentence {first[0] + 1}"
            yield TextFlaw("figures", *second, why)


def _written(
    woven: Consolidation, plan: Plan, key: Key, claim: StatedClaim
) -> tuple[int, int, int] | None:
    """Return the sentence in which the text has a source's figure, and its position."""
    document = plan.story.sources[key[0]].document.id
    for number, sentence in enumerate(woven.sentences):
        own_words = [
            token
            for token in sentence.tokens
            for source in token.sources[:1]
            if source.document == document and claim.figure.start <= source.start < claim.figure.end
        ]
        if own_words:
            return number, own_words[0].start, own_words[-1].end
    return None


def _sentence_at(sentences: Sequence[WrittenSentence], place: int) -> int:
    return max(0, bisect_right(sentences, place, key=lambda sentence: sentence.start) - 1)
