"""The merger `local`: drafts of a language model, beside the wordings of the edit model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.analysis.loading import thread_count
from tatian.chat import Answer, Client, KeptAnswers, Message, Request, escape_data
from tatian.chat.local import Completions, chatml, missing_local, open_adapter
from tatian.errors import EmptyInput, InputError
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render
from tatian.union.annotation import SkipReason
from tatian.union.metrics.nli import Judge, check_definition
from tatian.union.models import Merged, MergeRecord, OnConflict, UnionCandidate
from tatian.union.models.construct.guards import find_draft_faults
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.edit.merger import FIRST, Edit, Preference, join_both
from tatian.union.models.multi import count_flaws, put_dates
from tatian.union.models.sentences import parsed
from tatian.union.models.tracing import trace_words
from tatian.union.relations.knowledge import Knowledge

FOLDER = Path(__file__).with_name("weights")
ADAPTER = "union"
NO = "no"
"""First token of a refusal."""
TEMPERATURE = 0.7
"""Sampling temperature of all drafts but the first, which is decoded greedily."""
DRAFTS = 2
"""Number of drafts."""
MIN_REFUSAL = 0.88
"""Minimum probability of a refusal that is accepted; below it, the model must write a union."""
_MAX_EXTRA_TOKENS = 32
"""Maximum number of tokens of an answer beyond three per two words of the sentences."""
_REFUSAL = re.compile(r"no\.?(?:\s*[(:]\s*(?P<why>.*?)\)?)?\s*\.?", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_REASONS: dict[str, SkipReason] = {
    "conflict": "disagreement",
    "nothing": "no-consolidation",
    "context": "missing-context",
    "unnatural": "unnatural",
}
"""Maps the reasons that the adapter was trained to give to skip reasons."""


class UnionPrompt(Struct, frozen=True):
    """Prompt that the adapter was trained with."""

    adapter: str
    """SHA-256 of the adapter that it belongs to."""
    rules: str
    """The system's message."""


@cache
def union_prompt() -> UnionPrompt:
    """Return the shipped prompt."""
    return msgspec.json.decode((FOLDER / "union.json").read_bytes(), type=UnionPrompt)


def union_messages(passages: Sequence[Passage]) -> list[Message]:
    """Return the question: the numbered sentences, below their date if all have the same one."""
    dates = {passage.document.metadata.date for passage in passages}
    day = dates.pop() if len(dates) == 1 else None
    listed = [
        f"{number}. {escape_data(passage.text)}" for number, passage in enumerate(passages, 1)
    ]
    date_line = [f"Date: {day[:10]}"] if day and _DATE.match(day) else []
    return [
        {"role": "system", "content": union_prompt().rules},
        {"role": "user", "content": "\n".join([*date_line, *listed])},
    ]


def refusal(text: str) -> str:
    """Return "reason: explanation" if an answer refuses the sentences; empty for a union."""
    if not (found := _REFUSAL.fullmatch(text.strip())):
        return ""
    kind, _, more = (found["why"] or "").partition(":")
    reason = _REASONS.get(kind.strip().lower(), "disagreement")
    return f"{reason}: {more.strip() or 'the local model finds no union'}"


class DraftWriter:
    """The local model with its adapter for unions; it is loaded when an answer is not known yet."""

    def __init__(
        self,
        count: int = DRAFTS,
        *,
        threads: int | None = None,
        model: Completions | None = None,
        transcript: str | Path | KeptAnswers | None = None,
    ) -> None:
        self.count = count
        self._threads = threads
        self._model = model
        name = f"union {union_prompt().adapter[:12]}"
        self.client = Client(self, name, transcript=transcript)

    def ask(self, request: Request) -> Answer:
        """Ask the model itself; a request for one token returns the chance of a refusal."""
        self._model = self._model or open_adapter(
            ADAPTER, union_prompt().adapter, thread_count(self._threads)
        )
        if request.max_tokens == 1:
            return Answer(repr(self._model.chance(chatml(request.messages), NO)))
        return self._model.ask(request)

    def write(self, passages: Sequence[Passage]) -> list[str]:
        """Return different answers, the likeliest first; only a refusal if that is likely."""
        asked = union_messages(passages)
        chance = self.client.ask(asked, 0.0, 1)
        if chance.refused:
            return []
        if float(chance.text) >= MIN_REFUSAL:
            reason = self.client.ask(asked, 0.0, _MAX_EXTRA_TOKENS).text.strip()
            if refusal(reason):
                return [reason]
        words = sum(len(passage.text.split()) for passage in passages)
        longest = _MAX_EXTRA_TOKENS + words * 3 // 2
        unions: list[str] = []
        for number in range(self.count):
            heat = TEMPERATURE if number else 0.0
            answer = self.client.ask(asked, heat, longest, seed=number, without=(NO,))
            text = " ".join(answer.text.split())
            if text and not answer.cut and text not in unions and not refusal(text):
                unions.append(text)
        return unions


NAME = "local"
SUPPORTED = 3.0
"""Difference in score, in log-odds of the grade, between a wording that the judge fully supports
and one that it fully rejects; not tuned."""


class LocalMerger:
    """Drafts of the language model of `tatian models install judge`, with our adapter for unions.

    Drafts compete with the wordings of the edit model by their grades. A `judge` of entailment
    chooses among the best: each sentence should follow from the union, and it from them together.
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
            merged = self._edit.merge(filled, drafts, prefer)
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
        written = [replace(draft, tokens=put_dates(draft.tokens, passages)) for draft in drafts()]
        sound = [d for d in written if not find_draft_faults(WordingReading(d.tokens, sentences))]
        lost = {draft: count_flaws([draft.tokens], passages) for draft in sound}
        best = sorted(sound, key=lambda draft: lost[draft])
        kept = [draft for draft in best if lost[draft] <= count_flaws(edited.sentences, passages)]
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
                (verdict,) = check_definition([(sources, text)], judge)
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
        chosen = join_both(passages).candidate
        return Merged(
            (chosen.tokens,), (), MergeRecord(chosen.origin, missing=(), turned_down=(why,))
        )


def candidates(answers: Sequence[str], passages: Sequence[Passage]) -> list[UnionCandidate]:
    """Return the answers that are unions, each word with its sources."""
    return [
        UnionCandidate(trace_words(text, passages).tokens, NAME, 0.0)
        for text in answers
        if not refusal(text)
    ]
