"""Verification of any text against its sources: a verdict per sentence, sources per word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from os import PathLike
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from tatian.analysis import analyze_all, vectors
from tatian.analysis.coverage import read_coverage
from tatian.analysis.installed import unavailable
from tatian.consolidation.result import SCHEMA, Account, SourceSentence, WrittenToken
from tatian.consolidation.sources import add_day
from tatian.consolidation.spans import Key, read_spans
from tatian.consolidation.verification.checks import Finding
from tatian.consolidation.verification.evidence import EvidenceSentence, gather, passages
from tatian.consolidation.verification.grammar import Grammar
from tatian.consolidation.verification.index import Index
from tatian.consolidation.verification.result import (
    Repetition,
    Stretch,
    Trace,
    TracedSentence,
    Untold,
)
from tatian.consolidation.verification.verdict import (
    SMALL,
    Judge,
    Judgement,
    JudgeQuery,
    SmallJudge,
)
from tatian.corpora import read_sources
from tatian.errors import AssetError, EmptyInput
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import Document, Source, SourcedToken
from tatian.text.documents import Claim
from tatian.text.language import require_english
from tatian.text.layers import SourceKind, render

__all__ = ["Trace", "check_support", "trace", "trace_sentences"]

Vectors = npt.NDArray[np.float32]
"""Unit vectors, one a row."""

_TEXT = "(text)"
"""Id of the text among its sources."""
_MIN_USED_SHARE = 0.3
"""Minimum share of a sentence that a passage must cover to count among its sources."""
_MIN_RUN_WORDS = 2
"""Minimum length, in words, of a run in which function words count as copied."""
_MIN_CERTAINTY = 0.5
"""Minimum similarity of a covering sentence, and probability that all of a sentence is covered."""
_MAX_UNCOVERED, _MAX_REPEATED_UNCOVERED = 0.35, 0.12
"""Maximum uncovered share of a source sentence that the text covers, and of a repetition."""
_MIN_REPORT_COSINE, _MIN_REPEATED_COSINE = 0.6, 0.7
"""Minimum cosine similarity of source sentences that report the same, and of a repetition."""
_MAX_COMPARED = 3
"""Number of sentences of the text with which another sentence is compared."""


class _Analysis(NamedTuple):
    """Analysed text and sources."""

    documents: Sequence[Document]
    """Documents: the text, then its sources."""
    sentences: Sequence[EvidenceSentence]
    passages: Sequence[EvidenceSentence]
    """Sentences of the sources."""
    sentence_vectors: Vectors
    passage_vectors: Vectors


def trace(
    text: str | Document,
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline | None = None,
    judge: str | Judge = SMALL,
    progress: Progress = silent,
) -> Trace:
    """Judge whether the sources support every sentence of a text, and find what it leaves out.

    `text` is the text itself or a document; `accounts` are paths (see `tatian.read`) or documents.
    `judge` is ``small``, ``local``, an OpenAI-compatible address, or a `Judge` of one's own. Raises
    `InputError` for what cannot be used, `AssetError` without the encoder.
    """
    judge = _open(judge)
    read = _read(text, accounts, pipeline, progress)
    traced = _trace_from(read, 0, judge, progress)
    outcomes, untold = _find_omissions(read)
    return Trace(
        schema=SCHEMA,
        text=read.documents[0].text,
        sentences=traced,
        documents=tuple(
            _source_outcomes(document, number, outcomes)
            for number, document in enumerate(read.documents[1:], start=1)
        ),
        untold=untold,
        repeated=_find_repetitions(read.sentences, read.sentence_vectors),
        judge=judge.name,
    )


def trace_sentences(
    text: str,
    accounts: Sequence[Document],
    *,
    start: int = 0,
    judge: str | Judge = SMALL,
    progress: Progress = silent,
) -> tuple[TracedSentence, ...]:
    """Return the sentences of a `trace` that begin at `start` or later; the others are context.

    Omissions are not sought, since that takes longer the longer the sources are.
    """
    read = _read(text, accounts, None, progress)
    first = sum(sentence.sentence.start < start for sentence in read.sentences)
    return _trace_from(read, first, _open(judge), progress)


def _open(judge: str | Judge) -> Judge:
    """Return a judge; modules for language models are not imported for the small one."""
    if judge == SMALL:
        return SmallJudge()
    from tatian.consolidation.verification.judges import open_judge

    return open_judge(judge)


def _read(
    text: str | Document,
    accounts: Sequence[str | PathLike[str] | Document],
    pipeline: Pipeline | None,
    progress: Progress,
) -> _Analysis:
    if problem := unavailable():
        raise AssetError(f"tracing needs the encoder: {problem}")
    pipeline = pipeline or Pipeline(detector="names", aggregator="heads")
    written = text if isinstance(text, Document) else Document(_TEXT, text)
    if not written.text.strip():
        raise EmptyInput("the text is empty: there is nothing to trace")
    require_english(written)
    documents = [replace(written, id=_TEXT), *read_sources(accounts)]
    analysed = []
    for number, document in enumerate(documents):
        progress("reading", number, len(documents))
        require_english(document)
        analysed.append(pipeline.process(document))
    progress("reading", len(documents), len(documents))
    analysed = [add_day(read_spans(n, document)).document for n, document in enumerate(analysed)]
    (sentences, *source_sentences), _ = passages(analysed, link_chains(analysed))
    known = [passage for source_passages in source_sentences for passage in source_passages]
    if not sentences or not known:
        raise EmptyInput("there are no words in the text or in the sources")
    rows = vectors([sentence.text for sentence in (*sentences, *known)])
    return _Analysis(analysed, sentences, known, rows[: len(sentences)], rows[len(sentences) :])


def _trace_from(
    read: _Analysis, first: int, judge: Judge, progress: Progress
) -> tuple[TracedSentence, ...]:
    """Trace the sentences of the text from number `first` on."""
    ids = [document.id for document in read.documents]
    sentences = read.sentences[first:]
    similarities = read.sentence_vectors[first:] @ read.passage_vectors.T
    gathered = gather(sentences, read.passages, similarities.astype(float), progress)
    index = Index(read.passages)
    queries = [
        JudgeQuery(
            sentence.original,
            read.sentences[number - 1].original if number else "",
            Finding(evidence, index),
            read.passages,
        )
        for number, (sentence, evidence) in enumerate(zip(sentences, gathered, strict=True), first)
    ]
    judged = judge.decide(read.documents[1:], queries, progress)
    return tuple(
        _traced_sentence(question.finding, verdict, sentence, ids)
        for question, verdict, sentence in zip(queries, judged, sentences, strict=True)
    )


def check_support(
    written: Sequence[Sequence[SourcedToken]],
    sources: Sequence[Sequence[Key]],
    documents: Sequence[Document],
    chains: Sequence[CrossChain],
    judge: str | Judge = SMALL,
) -> list[str]:
    """Return the reason why each sentence does not follow from its sources, "" if it does."""
    by_source, entities = passages(documents, chains, with_claims=False)
    all_passages = [passage for source_passages in by_source for passage in source_passages]
    by_start = {(passage.document, passage.sentence.start): passage for passage in all_passages}
    number_of = {document.id: number for number, document in enumerate(documents)}
    texts = [render(tokens) for tokens in written]
    analysed = analyze_all([text] for text in texts)
    queries = []
    for tokens, text, document, keys in zip(written, texts, analysed, sources, strict=True):
        mentions: dict[int, frozenset[str]] = {}
        end = 0
        for token in tokens:
            start = text.index(token.text, end)
            end = start + len(token.text)
            chains_of = (
                entities[number_of[source.document]].get(source.start, ())
                for source in token.sources
            )
            mentions[start] = frozenset().union(*chains_of)
        span = document.sentences[0]
        sentence = EvidenceSentence(0, span, Grammar(document, span, mentions), text, text)
        starts = ((account, documents[account].sentences[n].start) for account, n in keys)
        known = [by_start[start] for start in starts if start in by_start]
        rows = vectors([passage.text for passage in (sentence, *known)])
        similarities = (rows[:1] @ rows[1:].T).astype(float)
        (evidence,) = gather([sentence], known, similarities, as_one=False)
        finding = Finding(evidence, Index(known))
        queries.append(JudgeQuery(text, "", finding, all_passages, first_document=0))
    judged = _open(judge).decide(documents, queries, silent)
    return ["" if judgement.verdict == "supported" else judgement.why for judgement in judged]


def _traced_sentence(
    finding: Finding, verdict: Judgement, sentence: EvidenceSentence, ids: Sequence[str]
) -> TracedSentence:
    sources = _sources(finding, ids)
    tokens = tuple(
        WrittenToken(item.start, item.end, word_sources, glue=not word_sources)
        for item, word_sources in zip(sentence.grammar.items, sources, strict=True)
    )
    return TracedSentence(
        start=sentence.sentence.start,
        end=sentence.sentence.end,
        verdict=verdict.verdict,
        support=verdict.support,
        why=verdict.why,
        tokens=tokens,
        unsupported=tuple(_stretches(sentence, verdict.words)),
        against=tuple(_claim(passage, ids) for passage in verdict.against),
        evidence=tuple(_claim(passage, ids) for passage in verdict.evidence),
    )


def _claim(passage: EvidenceSentence, ids: Sequence[str]) -> Claim:
    sentence = passage.sentence
    quoted = " ".join(passage.grammar.span.of(passage.document_text).split())
    return Claim(ids[passage.document], sentence.start, sentence.end, quoted)


def _stretches(sentence: EvidenceSentence, words: Sequence[int]) -> list[Stretch]:
    """Join neighbouring words into stretches."""
    stretches: list[Stretch] = []
    last = -2
    for place in sorted(set(words)):
        item = sentence.grammar.items[place]
        if place == last + 1:
            stretches[-1] = Stretch(stretches[-1].start, item.end)
        else:
            stretches.append(Stretch(item.start, item.end))
        last = place
    return stretches


def _sources(finding: Finding, ids: Sequence[str]) -> list[tuple[Source, ...]]:
    """Return the source places of each word."""
    items = finding.grammar.items
    sources_of: list[set[Source]] = [set() for _ in items]
    words = [item.text.lower() for item in items]
    evidence = finding.evidence
    for n, number in enumerate(evidence.numbers):
        if n not in evidence.chosen and evidence.shares[n] < _MIN_USED_SHARE:
            continue
        passage = finding.passages[number]
        passage_items = passage.grammar.items
        passage_words = [item.text.lower() for item in passage_items]
        pairs: dict[int, int] = {}
        matcher = SequenceMatcher(None, words, passage_words, autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size >= _MIN_RUN_WORDS:
                pairs.update((block.a + k, block.b + k) for k in range(block.size))
        for place, item in enumerate(items):
            matches = sorted(at for holder, at in finding.positions[place] if holder == number)
            exact = [at for at in matches if passage_items[at].concepts & item.concepts]
            if matches and place not in pairs:
                pairs[place] = (exact or matches)[0]
        for place, at in pairs.items():
            match = passage_items[at]
            kind = _kind(items[place].text, match.text)
            sources_of[place].add(Source(ids[passage.document], match.start, match.end, kind))
    return [tuple(sorted(sources)) for sources in sources_of]


def _kind(word: str, other: str) -> SourceKind:
    if word.lower() == other.lower():
        return "copied"
    return "inflected" if word[:3].lower() == other[:3].lower() else "substituted"


Outcomes = Mapping[tuple[int, int], tuple[float, tuple[int, ...], str]]
"""Uncovered share, covering sentences and reason for exclusion, by source and sentence start."""


def _find_omissions(read: _Analysis) -> tuple[Outcomes, tuple[Untold, ...]]:
    """Return what the text covers of the sources, and what it leaves out, most important first."""
    documents, sentences, passages = read.documents, read.sentences, read.passages
    similarities_to_text = read.passage_vectors @ read.sentence_vectors.T
    similarities = read.passage_vectors @ read.passage_vectors.T
    excluded: dict[tuple[int, int], str] = {}
    for number, document in enumerate(documents[1:], start=1):
        for index, why in read_spans(number, document).excluded.items():
            excluded[number, document.sentences[index].start] = why
    nearest = [
        np.argsort(-row, kind="stable")[:_MAX_COMPARED].tolist() for row in similarities_to_text
    ]
    judged = read_coverage(
        [
            (passage.text, " ".join(sentences[n].text for n in sorted(nearest[place])))
            for place, passage in enumerate(passages)
        ]
    )
    count = len(documents) - 1
    outcomes: dict[tuple[int, int], tuple[float, tuple[int, ...], str]] = {}
    omissions: list[Untold] = []
    for place, (passage, coverage) in enumerate(zip(passages, judged, strict=True)):
        key = passage.document, passage.sentence.start
        to_text, uncovered = similarities_to_text[place], coverage.uncovered_share
        similar = [n for n in sorted(nearest[place]) if to_text[n] >= _MIN_CERTAINTY]
        why = excluded.get(key, "")
        covering = tuple(similar or ([] if why else nearest[place][:1]))
        outcomes[key] = uncovered, covering if uncovered <= _MAX_UNCOVERED else (), why
        if uncovered > _MAX_UNCOVERED and not why:
            reporting = {
                passages[n].document
                for n in range(len(passages))
                if passages[n].document != passage.document
                and similarities[place][n] >= _MIN_REPORT_COSINE
            }
            shared = (1 + len(reporting)) / count
            importance = uncovered * (0.4 + 0.6 * shared)
            name = documents[passage.document].id
            omissions.append(
                Untold(name, passage.sentence.start, passage.sentence.end, round(importance, 4))
            )
    return outcomes, tuple(sorted(omissions, key=lambda omission: -omission.importance))


def _source_outcomes(document: Document, number: int, outcomes: Outcomes) -> Account:
    sentences = []
    for sentence in document.sentences:
        lacking, into, why = outcomes.get((number, sentence.start), (1.0, (), "no words in it"))
        if into:
            sentences.append(
                SourceSentence(sentence.start, sentence.end, "kept", into, "the text covers it")
            )
        else:
            reason = why or f"the text lacks {lacking:.0%} of it"
            sentences.append(SourceSentence(sentence.start, sentence.end, "unused", (), reason))
    return Account.of(document, sentences)


def _find_repetitions(
    sentences: Sequence[EvidenceSentence], rows: Vectors
) -> tuple[Repetition, ...]:
    """Return sentences that an earlier one covers entirely."""
    near = rows @ rows.T
    pairs = [
        (later, earlier)
        for later, row in enumerate(near)
        for earlier in np.argsort(-row[:later], kind="stable")[:_MAX_COMPARED].tolist()
        if row[earlier] >= _MIN_REPEATED_COSINE
    ]
    judged = read_coverage(
        [(sentences[later].text, sentences[earlier].text) for later, earlier in pairs]
    )
    repetitions: dict[int, Repetition] = {}
    for (later, earlier), coverage in zip(pairs, judged, strict=True):
        if (
            coverage.uncovered_share <= _MAX_REPEATED_UNCOVERED
            and coverage.everything > _MIN_CERTAINTY
        ):
            repetitions.setdefault(later, Repetition(later, earlier))
    return tuple(repetitions.values())
