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
from tatian.union.models import Merged, MergeRecord, OnConflict, UnionCandidate
from tatian.union.models.construct.guards import draft_faults
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.edit.merger import FIRST, Edit, Preference, both
from tatian.union.models.local.drafts import ADAPTER, DRAFTS, DraftWriter, refusal
from tatian.union.models.multi import dated, flaws
from tatian.union.models.sentences import parsed
from tatian.union.models.tracing import trace_words
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
        filled = [passage for passage in passages if passage.text.strip()]
        if len(filled) < 2:
            return Merged((copy_tokens(filled[0] if filled else passages[0]),))
        answers: list[str] = []

        def drafts() -> list[UnionCandidate]:
            answers.extend(self._writer.write(filled))
            return candidates(answers, filled)

        prefer = self._preference(filled) if self._judge is not None else None
        if len(filled) == 2:
            merged = self._edit.choose(filled, drafts, prefer)
        else:
            merged = self._group(filled, drafts, prefer)
        why = refusal(answers[0]) if answers else ""
        return merged if not why or not merged.sentences else self._refused(filled, merged, why)

    def _group(
        self,
        passages: Sequence[Passage],
        drafts: Callable[[], list[UnionCandidate]],
        prefer: Preference | None,
    ) -> Merged:
        """Return the best of the sound drafts and the edit model's union of three or more."""
        edited = self._edit.merge(passages)
        sentences = [sentence for sentence in map(parsed, passages) if sentence is not None]
        if edited.contradictions or len(sentences) < len(passages):
            return edited
        written = [replace(draft, tokens=dated(draft.tokens, passages)) for draft in drafts()]
        sound = [
            draft for draft in written if not draft_faults(WordingReading(draft.tokens, sentences))
        ]
        lost = {draft: flaws([draft.tokens], passages) for draft in sound}
        best = sorted(sound, key=lambda draft: lost[draft])
        kept = [draft for draft in best if lost[draft] <= flaws(edited.sentences, passages)]
        if not kept:
            return edited
        texts = [(render(draft.tokens), -float(lost[draft])) for draft in kept]
        chosen = prefer(texts) if prefer and kept[1:] else 0
        return Merged((kept[chosen].tokens,), (), MergeRecord(NAME, 1 + len(sound)))

    def _preference(self, passages: Sequence[Passage]) -> Preference:
        """Return a function that chooses by score and support, up to a supported wording."""
        sources = [passage.text for passage in passages]
        assert self._judge is not None
        judge = self._judge

        def prefer(wordings: Sequence[tuple[str, float]]) -> int:
            values = []
            for text, score in wordings:
                (verdict,) = defined([(sources, text)], judge)
                values.append(score + SUPPORTED * min(verdict.entailed, *verdict.entails))
                if verdict.holds:
                    break
            return values.index(max(values))

        return prefer

    def _refused(self, passages: Sequence[Passage], merged: Merged, why: str) -> Merged:
        """Return the result for passages that the model does not merge, by `on_conflict`."""
        if self._on_conflict == "refuse":
            return Merged((), merged.contradictions, MergeRecord(NAME, refused=why))
        if merged.contradictions or len(passages) > 2:
            return merged
        if self._on_conflict == "first" and why.startswith("disagreement"):
            return Merged((copy_tokens(passages[0]),), (), MergeRecord(FIRST, turned_down=(why,)))
        chosen = both(passages).candidate
        return Merged(
            (chosen.tokens,), (), MergeRecord(chosen.origin, missing=(), turned_down=(why,))
        )


def candidates(answers: Sequence[str], passages: Sequence[Passage]) -> list[UnionCandidate]:
    """Return the answers that are unions, each word with its sources."""
    return [
        UnionCandidate(trace_words(text, passages).tokens, NAME, SAMPLED if number else DRAFTED)
        for number, text in enumerate(answers)
        if not refusal(text)
    ]
