"""The merger `local`: drafts of a language model, and the edit model where none is sound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.chat import KeptAnswers
from tatian.chat.local import Completions, missing_local
from tatian.errors import EmptyInput, InputError
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render
from tatian.union.metrics.nli import Judge, defined
from tatian.union.models import How, Merged, OnConflict, UnionCandidate
from tatian.union.models.construct.guards import draft_faults
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.edit.merger import FIRST, Edit, Preference, both
from tatian.union.models.local.drafts import ADAPTER, DRAFTS, DraftWriter, refusal
from tatian.union.models.multi import dated, flaws
from tatian.union.models.sentences import parsed
from tatian.union.models.tracing import trace
from tatian.union.relations.knowledge import Knowledge

NAME = "local"
DRAFTED = 20.0
"""Score of the likeliest draft before its faults: readers prefer a sound one to other wordings."""
SAMPLED = 19.8
"""Score of a sampled draft before its faults."""
SUPPORTED = 3.0
"""Difference in score between a wording that the judge fully supports and one it fully rejects."""


class LocalMerger:
    """Drafts of the language model of `tatian models install judge`, with our adapter for unions.

    A sound draft comes before the wordings of the edit model. A `judge` of entailment chooses among
    the best: each sentence should follow from the union, and it from them together.
    """

    licence = "any use: see LICENSE.md of the weights"

    def __init__(
        self,
        *,
        drafts: int = DRAFTS,
        judge: Judge | None = None,
        on_conflict: OnConflict = "both",
        knowledge: Knowledge | None = None,
        threads: int | None = None,
        model: Completions | None = None,
        transcript: str | Path | KeptAnswers | None = None,
        edit: Edit | None = None,
    ) -> None:
        if drafts < 1:
            raise InputError(f"{drafts} drafts: at least one is needed")
        self._writer = DraftWriter(drafts, threads=threads, model=model, transcript=transcript)
        self._judge = judge
        self._on_conflict = on_conflict
        self._edit = edit or Edit(on_conflict=on_conflict, knowledge=knowledge)

    @staticmethod
    def missing() -> str:
        """Return what is missing and how to install it; empty if it can run."""
        return missing_local(ADAPTER) or unavailable()

    def summary(self) -> str:
        """Return the model's usage in a line."""
        return f"local model: {self._writer.client.spending}"

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing."""
        if not passages:
            raise EmptyInput("no passages to merge")
        told = [passage for passage in passages if passage.text.strip()]
        if len(told) < 2:
            return Merged((copy_tokens(told[0] if told else passages[0]),))
        answers: list[str] = []

        def drafts() -> list[UnionCandidate]:
            answers.extend(self._writer.write(told))
            return candidates(answers, told)

        prefer = self._preference(told) if self._judge is not None else None
        if len(told) == 2:
            found = self._edit.choose(told, drafts, prefer)
        else:
            found = self._group(told, drafts, prefer)
        why = refusal(answers[0]) if answers else ""
        return found if not why or not found.sentences else self._refused(told, found, why)

    def _group(
        self,
        told: Sequence[Passage],
        drafts: Callable[[], list[UnionCandidate]],
        prefer: Preference | None,
    ) -> Merged:
        """The best of the sound drafts and of what the edit model makes of three or more."""
        found = self._edit.merge(told)
        sentences = [one for one in map(parsed, told) if one is not None]
        if found.contradictions or len(sentences) < len(told):
            return found
        written = [replace(one, tokens=dated(one.tokens, told)) for one in drafts()]
        sound = [one for one in written if not draft_faults(WordingReading(one.tokens, sentences))]
        lost = {one: flaws([one.tokens], told) for one in sound}
        best = sorted(sound, key=lambda one: lost[one])
        kept = [one for one in best if lost[one] <= flaws(found.sentences, told)]
        if not kept:
            return found
        texts = [(render(one.tokens), -float(lost[one])) for one in kept]
        chosen = prefer(texts) if prefer and kept[1:] else 0
        return Merged((kept[chosen].tokens,), (), How(NAME, 1 + len(sound)))

    def _preference(self, told: Sequence[Passage]) -> Preference:
        """Choose by score and support; behind a supported wording nothing is judged any more."""
        sources = [passage.text for passage in told]
        assert self._judge is not None
        judge = self._judge

        def prefer(wordings: Sequence[tuple[str, float]]) -> int:
            values = []
            for text, score in wordings:
                (found,) = defined([(sources, text)], judge)
                values.append(score + SUPPORTED * min(found.entailed, *found.entails))
                if found.holds:
                    break
            return values.index(max(values))

        return prefer

    def _refused(self, told: Sequence[Passage], found: Merged, why: str) -> Merged:
        """Return the result for passages that the model does not merge, by `on_conflict`."""
        if self._on_conflict == "refuse":
            return Merged((), found.contradictions, How(NAME, refused=why))
        if found.contradictions or len(told) > 2:
            return found
        if self._on_conflict == "first" and why.startswith("disagreement"):
            return Merged((copy_tokens(told[0]),), (), How(FIRST, turned_down=(why,)))
        chosen = both(told).candidate
        return Merged((chosen.tokens,), (), How(chosen.origin, missing=(), turned_down=(why,)))


def candidates(answers: Sequence[str], told: Sequence[Passage]) -> list[UnionCandidate]:
    """The answers that are unions as wordings, each word with its sources."""
    return [
        UnionCandidate(trace(text, told).tokens, NAME, SAMPLED if number else DRAFTED)
        for number, text in enumerate(answers)
        if not refusal(text)
    ]
