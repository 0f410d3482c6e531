"""Local judge: a language model that reads the documents once, then each sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import exp
from pathlib import Path

import msgspec
from msgspec import Struct

from tatian.analysis import Entailment
from tatian.analysis.loading import thread_count
from tatian.chat import Answer, Client, KeptAnswers, Request, TooLong
from tatian.chat.local import Completions, open_adapter
from tatian.consolidation.verification.judges.prompts import (
    NO,
    YES,
    describe_source,
    sentence_prompt,
    sources_prompt,
)
from tatian.consolidation.verification.verdict import (
    LOCAL,
    Bounds,
    Judgement,
    JudgeQuery,
    judge,
    nearest_passages,
    texts_of,
)
from tatian.progress import Progress
from tatian.text import Document

FOLDER = Path(__file__).with_name("weights")
ADAPTER = "judge"
WORDS_READ = 4000
"""Words of all documents that fit into the model's window; from longer ones it gets passages."""
WORDS_NEAR = 900
"""Words of the passages nearest to a sentence that it gets in that case."""


class Calibration(Struct, frozen=True):
    """Calibration of the model's log-odds to probabilities, and the bounds of verdicts."""

    adapter: str
    """SHA-256 of the adapter that it belongs to."""
    above: float
    """Slope of the log-odds where they are positive."""
    below: float
    """Slope where they are negative."""
    bounds: Bounds

    def probability(self, odds: float) -> float:
        """Return the share of held-out sentences with these log-odds that were supported."""
        return 1 / (1 + exp(-odds * (self.above if odds > 0 else self.below)))


@cache
def calibration() -> Calibration:
    """Return the shipped calibration, fitted by ``benchmarks/judge.py calibrate``."""
    return msgspec.json.decode((FOLDER / "judge.json").read_bytes(), type=Calibration)


def open_model(threads: int | None = None) -> Completions:
    """Load the model with the shipped adapter, to which the calibration must belong."""
    return open_adapter(ADAPTER, calibration().adapter, thread_count(threads))


class LocalEntailment:
    """The local judge as an entailment model: does one text support every part of another?

    It only knows support and its absence, so it calls nothing a contradiction. Its answers are kept
    in `transcript`, by default in the file for all answers; the model is loaded when it is needed.
    """

    name = LOCAL

    def __init__(
        self,
        threads: int | None = None,
        model: Completions | None = None,
        transcript: str | Path | KeptAnswers | None = None,
    ) -> None:
        self._threads = threads
        self._model = model
        name = f"judge {calibration().adapter[:12]}"
        self._client = Client(self, name, transcript=transcript)

    def __call__(self, pairs: Iterable[tuple[str, str]]) -> Iterator[Entailment]:
        """Judge (premise, hypothesis) pairs in order."""
        for premise, hypothesis in pairs:
            prompt = sources_prompt([describe_source(premise)]) + sentence_prompt(hypothesis)
            answer = self._client.ask([{"role": "prompt", "content": prompt}], 0.0, 1)
            if answer.refused:
                raise TooLong(answer.refused)
            chance = calibration().probability(float(answer.text))
            yield Entailment(chance, 1 - chance, 0.0)

    def ask(self, request: Request) -> Answer:
        """The log-odds of yes after a prompt, as an answer that can be kept."""
        self._model = self._model or open_model(self._threads)
        return Answer(repr(self._model.log_odds(request.messages[0]["content"], YES, NO)))


class LocalJudge:
    """Local judge: the 1.5-billion-parameter model of `tatian models install judge`, adapted."""

    name = LOCAL

    def __init__(self, threads: int | None = None) -> None:
        self._model = open_model(threads)

    def decide(
        self, documents: Sequence[Document], queries: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence; the documents are read with the first one."""
        return [
            judge(question.finding, calibration().probability(odds), calibration().bounds)
            for question, odds in zip(queries, self.odds(documents, queries, progress), strict=True)
        ]

    def odds(
        self, documents: Sequence[Document], queries: Sequence[JudgeQuery], progress: Progress
    ) -> list[float]:
        """Return the log-odds that the documents support each sentence."""
        whole = sum(len(document.text.split()) for document in documents) <= WORDS_READ
        start = (
            sources_prompt([_described(document, document.text) for document in documents])
            if whole
            else ""
        )
        log_odds = []
        for number, question in enumerate(queries):
            progress("asking the local judge", number, len(queries))
            asked = sentence_prompt(question.sentence, question.context)
            try:
                prompt = start or sources_prompt(_nearest(documents, question))
                log_odds.append(self._model.log_odds(prompt + asked, YES, NO))
            except TooLong:
                if not start:
                    raise
                prompt = sources_prompt(_nearest(documents, question))
                log_odds.append(self._model.log_odds(prompt + asked, YES, NO))
        progress("asking the local judge", len(queries), len(queries))
        return log_odds


def _described(document: Document, text: str) -> str:
    about = document.metadata
    return describe_source(text, about.source or "", about.date or "")


def _nearest(documents: Sequence[Document], query: JudgeQuery) -> list[str]:
    """Return the passages of the documents that are nearest to a sentence."""
    texts = texts_of(query, nearest_passages(query, WORDS_NEAR))
    return [_described(documents[place], text) for place, text in texts.items()]
