"""An editor's small decisions on a finished layout: redundant sentences are merged.

Each new wording is written only if the judge supports it by the sentences it comes from, and if it
supports each of them; otherwise both stay. Every word keeps its sources.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis import Entailment
from tatian.consolidation.proof import unproved
from tatian.consolidation.proof.judges import SMALL, Judge, open_judge
from tatian.consolidation.result import Layout, Writing, WrittenSentence, WrittenToken
from tatian.consolidation.units import Key, Unit
from tatian.consolidation.writer import LaidSentence, lay, own_sentence, sentence_text
from tatian.errors import InputError
from tatian.pipeline import Pipeline
from tatian.progress import Progress, silent
from tatian.text import Document, Source, Span, WovenToken
from tatian.text.layers import render
from tatian.union.models import Merger, Passage

if TYPE_CHECKING:
    from tatian.consolidation.weave import Plan

Entails = Callable[[Iterable[tuple[str, str]]], Iterator[Entailment]]
"""Judges (premise, hypothesis) pairs in order."""
LOCAL = "local"


class MergeLimits(Struct, frozen=True):
    """Limits on the sentences that are merged, and on the merged sentence."""

    covered: float = 0.4
    """Least share of one sentence that the other covers."""
    distance: int = 6
    """Most sentences from one to the other."""
    length: float = 0.92
    """Most words of a merged sentence, as a share of both together."""
    words: int = 70
    """Most words of a merged sentence."""
    support: float = 0.5
    """Least probability that a merged sentence supports each of the two."""


class MergeCandidate(Struct, frozen=True):
    """Two sentences of a layout, by their numbers, the earlier first."""

    first: int
    second: int
    covered: float


class SentenceEditor:
    """Merges sentences of a layout with a union model, under proof."""

    def __init__(
        self,
        merger: Merger,
        entails: Entails,
        *,
        name: str = LOCAL,
        judge: str | Judge = SMALL,
        limits: MergeLimits | None = None,
    ) -> None:
        self._merger = merger
        self._entails = entails
        self._name = name
        self._judge = open_judge(judge)
        self._limits = limits or MergeLimits()
        self._prepare = Pipeline.for_sentences().process

    def edit(self, plan: Plan, layout: Layout, progress: Progress = silent) -> Layout:
        """Return the layout with merged sentences, where they are supported both ways."""
        found = merge_candidates(plan, layout, self._limits)
        merged: dict[int, tuple[int, LaidSentence]] = {}
        refused: list[tuple[str, frozenset[int], str]] = []
        taken: set[int] = set()
        for number, candidate in enumerate(found):
            progress("merging sentences", number, len(found))
            places = {candidate.first, candidate.second}
            if taken & places:
                continue
            tokens = self._merged(layout, candidate)
            why = self._objection(plan, layout, candidate, tokens)
            if not why:
                taken |= places
                sentence = _laid_sentence(tokens, frozenset(places))
                merged[candidate.first] = candidate.second, sentence
            elif tokens:
                refused.append((render(tokens), frozenset(places), why))
        progress("merging sentences", len(found), len(found))
        if not merged:
            return layout
        writing = Writing(self._name, judge=self._judge.name)
        return lay(layout, list(_rewritten(layout, merged)), writing, refused)

    def _merged(self, layout: Layout, candidate: MergeCandidate) -> tuple[WovenToken, ...]:
        """One sentence for two, each word with the sources it has in the layout; none: empty."""
        numbers = candidate.first, candidate.second
        passages = []
        for number in numbers:
            text = sentence_text(layout, number)
            passages.append(Passage(self._prepare(Document(str(number), text)), Span(0, len(text))))
        found = self._merger.merge(passages)
        if found.contradictions or len(found.sentences) != 1:
            return ()
        behind = {str(number): layout.sentences[number] for number in numbers}
        return tuple(_traced(token, behind) for token in found.sentences[0])

    def _objection(
        self,
        plan: Plan,
        layout: Layout,
        candidate: MergeCandidate,
        tokens: Sequence[WovenToken],
    ) -> str:
        """Why the two sentences stay as they are; empty if the merged one takes their place."""
        if not tokens:
            return "no union"
        texts = [sentence_text(layout, n) for n in (candidate.first, candidate.second)]
        merged = render(tokens)
        count = len(merged.split())
        both = sum(len(text.split()) for text in texts)
        if count > min(self._limits.words, self._limits.length * both):
            return "it saves too few words"
        keys = [
            key
            for key, places in layout.places.items()
            if {candidate.first, candidate.second} & set(places)
        ]
        documents = [account.document for account in plan.accounts]
        if reason := unproved([tokens], [keys], documents, plan.chains, self._judge)[0]:
            return reason
        supports = self._entails([(merged, text) for text in texts])
        if any(found.entailment < self._limits.support for found in supports):
            return "it does not say all that the sentences say"
        return ""


def open_editor(where: str, judge: str | Judge = SMALL) -> SentenceEditor:
    """Return the editor called ``local``: the local merger, and the local judge both ways."""
    if where != LOCAL:
        raise InputError(f"'{where}' is no editor: there is local")
    from tatian.consolidation.proof.judges.local import LocalEntailment
    from tatian.union.models.local.merger import LocalMerger

    return SentenceEditor(LocalMerger(on_conflict="refuse"), LocalEntailment(), judge=judge)


def merge_candidates(plan: Plan, layout: Layout, limits: MergeLimits) -> list[MergeCandidate]:
    """Return pairs of partly redundant sentences, those that share most first.

    Spans of several sentences stay, and so does the later of two if the text goes on from it.
    """
    section = _sections(plan)
    units = [unit for paragraph in plan.paragraphs for unit in paragraph.units]
    at = {unit.key: layout.places[unit.key][0] for unit in units if len(unit.indices) == 1}
    bound = {before.key for before, after in pairwise(units) if _continues(before, after)}
    found = []
    for unit in units:
        for other in plan.telling.tellers(unit.key) if plan.telling.knows(unit.key) else ():
            if unit.key not in at or other not in at or section[unit.key] != section[other]:
                continue
            first, second = sorted((unit.key, other), key=lambda key: at[key])
            if second in bound or at[second] - at[first] > limits.distance:
                continue
            share = plan.telling.told(unit.key, [other])
            if share >= limits.covered:
                found.append(MergeCandidate(at[first], at[second], share))
    best = {(one.first, one.second): one for one in sorted(found, key=lambda one: one.covered)}
    return sorted(best.values(), key=lambda one: (-one.covered, one.first, one.second))


def _continues(before: Unit, after: Unit) -> bool:
    """Check whether a span depends on the one before it."""
    return bool(after.leans) and before.account == after.account


def _sections(plan: Plan) -> dict[Key, int]:
    """Return the number of the section of each span."""
    found, number = {}, 0
    for paragraph in plan.paragraphs:
        number += bool(paragraph.heading)
        found.update({unit.key: number for unit in paragraph.units})
    return found


def _traced(token: WovenToken, behind: Mapping[str, WrittenSentence]) -> WovenToken:
    """Return the word with its places in the sources instead of those in the layout."""
    sources: list[Source] = []
    for source in token.sources:
        sentence = behind[source.document]
        start, end = source.start + sentence.start, source.end + sentence.start
        for written in sentence.tokens:
            if written.start < end and start < written.end:
                sources += [
                    one if source.kind == "copied" else replace(one, kind=source.kind)
                    for one in written.sources
                ]
    return replace(token, sources=tuple(dict.fromkeys(sources)))


def _laid_sentence(tokens: Sequence[WovenToken], was: frozenset[int]) -> LaidSentence:
    laid, position = [], 0
    for place, token in enumerate(tokens):
        position += bool(place and token.space)
        end = position + len(token.text)
        laid.append(WrittenToken(position, end, token.sources, glue=not token.sources))
        position = end
    return LaidSentence(render(tokens), tuple(laid), was, draft=render(tokens))


def _rewritten(
    layout: Layout, merged: Mapping[int, tuple[int, LaidSentence]]
) -> Iterator[LaidSentence]:
    """All sentences in their order, merged ones at the place of the earlier of the two."""
    dropped = {second for second, _ in merged.values()}
    opens = False
    for number in range(len(layout.sentences)):
        own = own_sentence(layout, number)
        opens = opens or own.opens
        if number in dropped:
            continue
        yield replace(merged[number][1] if number in merged else own, opens=opens)
        opens = False
