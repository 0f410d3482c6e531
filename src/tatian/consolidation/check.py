"""Flaws of a finished text: unpaired quotation marks, fragments, pronouns, conflicting figures."""

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
_SENTENCE_END = re.compile(r"[.!?…][\"”’')\]]*$")
_CLAUSE_END = re.compile(r"[;,:]$")
_SUBJECTS = frozenset(("he", "she"))
_NEAR = 2
"""Sentences before a pronoun in which its antecedent is sought."""
_MAX_VERBLESS_WORDS = 4
"""Maximum number of words of a sentence that needs no verb."""
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


def text_flaws(result: Consolidation, plan: Plan) -> tuple[TextFlaw, ...]:
    """Find unpaired quotation marks, fragments, dangling pronouns, and conflicting figures.

    Flaws are in text order. Conflicts that the plan already lists are not flaws.
    """
    flaws = [
        *_unpaired_marks(result),
        *_fragments(result, plan),
        *_dangling_pronouns(result),
        *_conflicting_figures(result, plan),
    ]
    return tuple(sorted(flaws, key=lambda flaw: (flaw.start, flaw.kind)))


def _unpaired_marks(result: Consolidation) -> Iterator[TextFlaw]:
    """Yield paragraphs with an unpaired quotation mark, at the last such mark."""
    for paragraph in _PARAGRAPH.finditer(result.text):
        text = paragraph[0]
        opened, straight = -1, -1
        unpaired = -1
        for mark in re.finditer('["“”]', text):
            if mark[0] == '"':
                straight = -1 if straight >= 0 else mark.start()
            elif mark[0] == "“":
                unpaired, opened = (opened if opened >= 0 else unpaired), mark.start()
            else:
                unpaired, opened = (unpaired if opened >= 0 else mark.start()), -1
        position = max(unpaired, opened, straight)
        if position >= 0:
            start = paragraph.start() + position
            number = _sentence_at(result.sentences, start)
            yield TextFlaw("quotation", number, start, start + 1, "a quotation mark has no partner")


def _fragments(result: Consolidation, plan: Plan) -> Iterator[TextFlaw]:
    """Yield sentences that begin or break off in the middle, or have no verb."""
    verbs = {
        (account.document.id, account.document.tokens[word.token].start)
        for account in plan.story.sources
        if account.document.has(WORDS)
        for word in account.document.get(WORDS)
        if word.tag in ("VERB", "AUX")
    }
    previous = ""
    for number, sentence in enumerate(result.sentences):
        text = result.text[sentence.start : sentence.end]
        ends_paragraph = result.text[sentence.end : sentence.end + 2] in ("", "\n\n")
        why = ""
        if text[:1].islower() and text.split()[0].islower() and not _CLAUSE_END.search(previous):
            why = "it begins in the middle"
        elif not _SENTENCE_END.search(text) and (ends_paragraph or not _CLAUSE_END.search(text)):
            why = "it breaks off"
        elif verbs and not _has_verb(sentence, verbs) and len(text.split()) > _MAX_VERBLESS_WORDS:
            why = "it has no verb"
        if why:
            yield TextFlaw("fragment", number, sentence.start, sentence.end, why)
        previous = text


def _has_verb(sentence: WrittenSentence, verbs: set[tuple[str, int]]) -> bool:
    return any(
        (source.document, source.start) in verbs
        for token in sentence.tokens
        for source in token.sources
    )


def _dangling_pronouns(result: Consolidation) -> Iterator[TextFlaw]:
    """Yield each "he" or "she" outside quotations without a possible antecedent before it."""
    persons = {chain.id for chain in result.chains if chain.type == "PER"}
    first_named: dict[str, int] = {}
    people: list[int] = []
    chain_at: dict[int, str] = {}
    for mention in sorted(result.mentions, key=lambda mention: mention.start):
        chain_at[mention.start] = mention.chain
        if result.text[mention.start : mention.end].lower() not in PRONOUNS:
            first_named.setdefault(mention.chain, mention.start)
            if mention.chain in persons:
                people.append(mention.start)
    people += [
        word.start() for word in re.finditer(r"\w+", result.text) if word[0].lower() in PERSON_NOUNS
    ]
    people.sort()
    quoted, end = False, 0
    for number, sentence in enumerate(result.sentences):
        quoted = quoted and "\n\n" not in result.text[end : sentence.start]
        end = sentence.end
        earliest = result.sentences[max(0, number - _NEAR)].start
        for token in sentence.tokens:
            text = result.text[token.start : token.end]
            quoted = (not quoted if text == '"' else text == "“") if text in '"“”' else quoted
            if quoted or text.lower() not in _SUBJECTS:
                continue
            introduced = first_named.get(chain_at.get(token.start, ""), len(result.text))
            last_person = people[: bisect_right(people, token.start)][-1:]
            if introduced > token.start and not any(start >= earliest for start in last_person):
                why = f"nobody before it can be “{text}”"
                yield TextFlaw("pronoun", number, token.start, token.end, why)


def _conflicting_figures(result: Consolidation, plan: Plan) -> Iterator[TextFlaw]:
    """Yield figures of two sources for the same thing that exclude each other, without a conflict.

    Their nouns must be the same. Whether they concern the same thing is decided by words alone.
    """
    listed = [
        {(claim.key, claim.claim.figure.start) for claim in conflict.claims}
        for conflict in plan.conflicts
    ]
    claims_of: dict[tuple[str, str], list[tuple[Key, StatedClaim]]] = {}
    for span in plan.spans:
        for claim in plan.coverage.content(span.key).claims:
            if claim.kind in _FIGURES:
                claims_of.setdefault((claim.kind, claim.scope.thing), []).append((span.key, claim))
    pairs = chain.from_iterable(combinations(group, 2) for group in claims_of.values())
    for (key, claim), (other, rival) in pairs:
        if key[0] == other[0]:
            continue
        if compare(claim, rival).relation not in ("exclude", "superseded"):
            continue
        if not about_one(claim, rival):
            continue
        pair = {(key, claim.figure.start), (other, rival.figure.start)}
        if any(pair <= claims for claims in listed):
            continue
        first = _find_figure(result, plan, key, claim)
        second = _find_figure(result, plan, other, rival)
        if first is not None and second is not None:
            texts = [squeeze(result.text[start:end]) for _, start, end in (first, second)]
            why = f"“{texts[1]}”, but “{texts[0]}” in sentence {first[0] + 1}"
            yield TextFlaw("figures", *second, why)


def _find_figure(
    result: Consolidation, plan: Plan, key: Key, claim: StatedClaim
) -> tuple[int, int, int] | None:
    """Return the sentence with a source's figure, and the figure's start and end in the text."""
    document = plan.story.sources[key[0]].document.id
    for number, sentence in enumerate(result.sentences):
        words = [
            token
            for token in sentence.tokens
            for source in token.sources[:1]
            if source.document == document and claim.figure.start <= source.start < claim.figure.end
        ]
        if words:
            return number, words[0].start, words[-1].end
    return None


def _sentence_at(sentences: Sequence[WrittenSentence], position: int) -> int:
    return max(0, bisect_right(sentences, position, key=lambda sentence: sentence.start) - 1)
