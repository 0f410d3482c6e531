"""Judgement of drafts: which stretches are supported, and which source sentences they cover.

A draft cites source sentences in brackets after each of its own. A citation counts if the trace or
the coverage model confirms it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.coverage import read_coverage
from tatian.chat import paragraphs
from tatian.consolidation.redundancy import QUOTED, find_covering, plain_words, refers_back
from tatian.consolidation.spans import Key
from tatian.consolidation.verification import trace
from tatian.consolidation.verification.grammar import moods_of
from tatian.consolidation.verification.result import TracedSentence
from tatian.consolidation.verification.verdict import Judge
from tatian.errors import NotEnglish
from tatian.pipeline import Pipeline
from tatian.text import Document
from tatian.text.content import is_content
from tatian.text.datelines import publication_days
from tatian.text.dates import day_names, named_days
from tatian.text.lexicon import MONTHS, NEGATIONS, RELATIVE_DATES, REPORTING_VERBS, WEEKDAYS
from tatian.text.splitter import split
from tatian.text.tokenizer import tokenize

_CITED = re.compile(r"\s*\[((?:[A-Z]+\d+)(?:[,;\s]+[A-Z]+\d+)*)\]([.!?]?[\"”’)]*)")
_OPENING_MARKS = frozenset('.!?:;"“”‘’(—')
"""Marks after which a word may be capitalized without being a name."""
_CLOSING_MARKS = (".", "!", "?", '"', "”", "’", "'", ")")
_DATE_WORDS = frozenset((*MONTHS, *WEEKDAYS, *RELATIVE_DATES))
_ATTRIBUTION = REPORTING_VERBS | {"according", "account", "accounts", "report", "reports"}
"""Words with which an editor attributes a statement."""
_MAX_UNCOVERED_SHARE = 0.5
"""Maximum share of a sentence that its citing stretches may leave uncovered."""
_MAX_REFUSED_SHARE = 1 / 3
"""If a larger share of its words is refused, the whole draft is rejected."""
_MAX_MISSING_SHARE = 1 / 3
"""A draft is not used if more than this share of the sentences is uncovered: too many would have
to be added back."""
_LENGTH_FACTOR, _EXTRA_WORDS = 1.1, 15
"""Repetitions are removed from drafts longer than the consolidated text's words times the factor,
plus the extra words."""
_MAX_OMITTED_SHARE = 0.2
"""Maximum share of a sentence's words that a copy of it may leave out."""
_MIN_UNSOURCED_SHARE = 0.5
"""A sentence is refused if at least this share of its words has no source."""
_DOUBT_LOSS = 100
"""Loss for a doubtful sentence, in characters of refused text."""


class DraftTask(Struct, frozen=True):
    """Paragraphs of the consolidated text that are rewritten together."""

    sentences: range
    """Indices of the consolidated text's sentences."""
    covered: Mapping[Key, int]
    """Source sentences that these paragraphs cover, in source order, each with the index of a
    consolidated sentence that covers it."""
    texts: Mapping[Key, str]
    """Texts of the source sentences."""
    kept: frozenset[Key]
    """Source sentences in the consolidated text, which must be covered."""


class CitedStretch(Struct, frozen=True):
    """Part of a draft up to one of its brackets."""

    text: str
    cited: tuple[Key, ...]
    opens: bool
    """True if it begins a paragraph."""
    why: str = ""
    """Reason why it is refused; empty if it is accepted."""
    start: int = 0
    """Offset in the joined text of all stretches that were traced."""
    sentences: tuple[TracedSentence, ...] = ()
    """Traced sentences that overlap this stretch, with offsets in the same text; the first and the
    last may reach beyond the stretch."""


class JudgedDraft(Struct, frozen=True):
    """Outcome of a draft."""

    answer: str
    """The draft as the model wrote it."""
    stretches: tuple[CitedStretch, ...] = ()
    covered_by: Mapping[int, frozenset[int]] = {}
    """Indices of the stretches that cover each sentence of the consolidated text, by its index."""
    doubtful: tuple[Key, ...] = ()
    """Source sentences that the accepted stretches do not surely cover."""
    why: str = ""
    """Reason why nothing of it is used."""

    @property
    def loss(self) -> int:
        """Characters of refused stretches, plus a fixed amount for each doubtful sentence."""
        refused = sum(len(stretch.text) for stretch in self.stretches if stretch.why)
        return refused + _DOUBT_LOSS * len(self.doubtful)


def judge_draft(
    task: DraftTask,
    answer: str,
    labels: Mapping[str, Key],
    documents: Sequence[Document],
    pipeline: Pipeline,
    judge: Judge,
) -> JudgedDraft:
    """Judge a draft; repeat without the refused stretches until all others are supported."""
    stretches = list(_split_at_citations(answer, labels))
    covered_by_trace: Mapping[Key, Sequence[int]] = {}

    def refuse_unsupported() -> Mapping[Key, Sequence[int]]:
        covered_by_trace: dict[Key, list[int]] = {}
        accepted = [n for n, stretch in enumerate(stretches) if not stretch.why]
        while accepted:
            remaining = [stretches[n] for n in accepted]
            traced, covering_stretches = _trace_stretches(
                remaining, task, documents, pipeline, judge
            )
            for number, stretch in zip(accepted, traced, strict=True):
                stretches[number] = stretch
            covered_by_trace = {
                key: [accepted[n] for n in ns] for key, ns in covering_stretches.items()
            }
            supported = [n for n in accepted if not stretches[n].why]
            if supported == accepted:
                break
            accepted = supported
        return covered_by_trace

    try:
        covered_by_trace = refuse_unsupported()
    except NotEnglish:
        return JudgedDraft(answer, why="it is not English")
    words = [len(stretch.text.split()) for stretch in stretches]
    refused = [count for count, stretch in zip(words, stretches, strict=True) if stretch.why]
    if not words:
        return JudgedDraft(answer, why="it has no sentences")
    if sum(refused) > _MAX_REFUSED_SHARE * sum(words):
        reason = next(stretch.why for stretch in stretches if stretch.why)
        why = f"too little of it is supported: {reason}"
        return JudgedDraft(answer, tuple(stretches), why=why)
    length = sum(len(task.texts[key].split()) for key in task.kept)
    if sum(words) - sum(refused) > _LENGTH_FACTOR * length + _EXTRA_WORDS:
        parts = _without_repetitions(stretches)
        if parts != stretches:
            stretches[:] = parts
            covered_by_trace = refuse_unsupported()
    covered_by, doubtful = _find_covering_stretches(task, stretches, covered_by_trace)
    missing = sum(task.covered[key] not in covered_by for key in task.kept)
    is_incomplete = missing > _MAX_MISSING_SHARE * len(task.kept)
    why = "too much is left out or not supported" if is_incomplete else ""
    return JudgedDraft(answer, tuple(stretches), covered_by, doubtful, why)


def _without_repetitions(stretches: Sequence[CitedStretch]) -> list[CitedStretch]:
    """Split the stretches into sentences and refuse those that others cover, last first.

    A sentence stays if the next one may refer to it by a pronoun. The sentences that cover a
    refused one take over its citations.
    """
    parts = [part for stretch in stretches for part in _split_sentences(stretch)]
    accepted = [number for number, part in enumerate(parts) if not part.why]
    covering: dict[int, list[int]] = {}
    for number in reversed(accepted):
        others = [n for n in accepted if n != number and n not in covering]
        follower = min((n for n in others if n > number), default=None)
        if follower is not None and refers_back(parts[follower].text):
            continue
        texts = [parts[n].text for n in others]
        affected = [number, *(n for n, numbers in covering.items() if number in numbers)]
        covering_parts = {
            n: [others[k] for k in find_covering(parts[n].text, texts)] for n in affected
        }
        if all(covering_parts.values()):
            covering |= covering_parts
    for number, numbers in covering.items():
        for n in numbers:
            cited = dict.fromkeys((*parts[n].cited, *parts[number].cited))
            parts[n] = replace(parts[n], cited=tuple(cited))
        parts[number] = replace(parts[number], why="it repeats other sentences")
    return parts if covering else list(stretches)


def _split_sentences(stretch: CitedStretch) -> Iterator[CitedStretch]:
    """Yield the sentences of a stretch with its citations; yield a refused stretch whole."""
    if stretch.why:
        yield stretch
        return
    for number, sentence in enumerate(split(stretch.text)):
        text = stretch.text[sentence.start : sentence.end]
        yield replace(stretch, text=text, opens=stretch.opens and not number)


def _split_at_citations(answer: str, labels: Mapping[str, Key]) -> Iterator[CitedStretch]:
    """Split a draft at its brackets, leaving out lines that are not sentences, such as headings."""
    for paragraph in paragraphs(answer):
        position, opens = 0, True
        for mark in (*_CITED.finditer(paragraph), None):
            end, next_position, closing = (
                (mark.start(), mark.end(), mark[2]) if mark else (None, 0, "")
            )
            text = " ".join((paragraph[position:end] + closing).split())
            position = next_position
            if not any(map(str.isalnum, text)) or not (mark or text.endswith(_CLOSING_MARKS)):
                continue
            cited = re.findall(r"\w+", mark[1]) if mark else ()
            keys = dict.fromkeys(labels[label] for label in cited if label in labels)
            yield CitedStretch(text, tuple(keys), opens)
            opens = False


def _trace_stretches(
    stretches: Sequence[CitedStretch],
    task: DraftTask,
    documents: Sequence[Document],
    pipeline: Pipeline,
    judge: Judge,
) -> tuple[list[CitedStretch], dict[Key, list[int]]]:
    """Return the stretches with their verdicts, and which of them cover which sentences."""
    text = ""
    starts = []
    for stretch in stretches:
        text += ("\n\n" if stretch.opens else " ") * bool(text)
        starts.append(len(text))
        text += stretch.text
    days = publication_days(documents)
    traced = trace(text, documents, pipeline=pipeline, judge=judge)
    known = _known_words(documents)
    judged = []
    number_at: dict[int, int] = {}
    for number, (start, stretch) in enumerate(zip(starts, stretches, strict=True)):
        end = start + len(stretch.text)
        sentences = tuple(s for s in traced.sentences if s.start < end and start < s.end)
        number_at |= {s.start: number for s in sentences if start <= s.start}
        unsupported = (s.why for s in sentences if s.verdict != "supported")
        why = _find_fault(stretch.text, known)
        copies = (is_copy(stretch.text, task.texts[k], days[k[0]]) for k in stretch.cited)
        if not why and not any(copies):
            why = _find_unsourced(text, sentences, known) or next(unsupported, "")
        judged.append(replace(stretch, why=why, sentences=sentences, start=start))
    covering_stretches = {
        (number, index): sorted({number_at[traced.sentences[n].start] for n in sentence.into})
        for number, source in enumerate(traced.documents)
        for index, sentence in enumerate(source.sentences)
        if sentence.into
    }
    return judged, covering_stretches


def _known_words(documents: Sequence[Document]) -> set[str]:
    """Return the words of some documents, with their titles, sources and dates."""
    known: set[str] = set()
    for document in documents:
        about = document.metadata
        known.update((about.date or "")[:10].split("-"))
        for text in (document.text, about.title or "", about.source or ""):
            for word in (text, *(token.text for token in tokenize(text))):
                known.update(re.findall(r"\w+", word.casefold()))
    return known


def _find_fault(text: str, known: set[str]) -> str:
    """Return a fault found without a model: a broken end, or a figure or name that no source has.

    Days are left to verification, as a draft may name them differently.
    """
    if not text.endswith(_CLOSING_MARKS):
        return "it breaks off"
    words = [token.text for token in tokenize(text)]
    for place, word in enumerate(words):
        nearby = {other.lower() for other in words[max(0, place - 2) : place + 2]}
        opens_sentence = not place or words[place - 1] in _OPENING_MARKS
        is_exact = _is_figure(word) or (word[0].isupper() and not opens_sentence)
        is_day = word.lower() in _DATE_WORDS or (word.isdigit() and not nearby.isdisjoint(MONTHS))
        if is_exact and not is_day and not known.issuperset(re.findall(r"\w+", word.casefold())):
            return f"no account says {word}"
    return ""


def is_copy(text: str, original: str, published: date | None = None) -> bool:
    """Check whether a text has the words of a sentence in the same order, with a few left out.

    The same day may be named differently, relative to the `published` day. Negations, hedges and
    plans must be the same.
    """
    words = [token.text.lower() for token in tokenize(text)]
    original_words = [token.text.lower() for token in tokenize(original)]
    if _negations_and_moods(words) != _negations_and_moods(original_words):
        return False
    named = named_days(tokenize(original), published).values()
    days = {part for day in named for part in day_names(day)}
    original_content = _undated(original_words)
    content = [w for w in _undated(words) if w in original_content or w not in days]
    is_complete = len(content) >= (1 - _MAX_OMITTED_SHARE) * len(original_content)
    remaining = iter(original_content)
    return bool(content) and is_complete and all(word in remaining for word in content)


def _negations_and_moods(words: Sequence[str]) -> list[str]:
    return [word for word in words if word in NEGATIONS or moods_of(word)]


def _undated(words: Sequence[str]) -> list[str]:
    return [word for word in words if is_content(word) and word not in RELATIVE_DATES]


def _is_informative(word: str) -> bool:
    return is_content(word) and word.lower() not in _ATTRIBUTION


def _find_unsourced(text: str, sentences: Sequence[TracedSentence], known: set[str]) -> str:
    """Return a reason if many words of a stretch have no source, as in the reply "I cannot help".

    Names that a source has elsewhere count as known: the draft may name whom a source calls "he".
    """
    has_content = False
    for sentence in sentences:
        words = [word for word in sentence.tokens if _is_informative(text[word.start : word.end])]
        glue = [text[word.start : word.end] for word in words if word.glue]
        unsourced = [word for word in glue if word.islower() or word.casefold() not in known]
        if words and len(unsourced) >= _MIN_UNSOURCED_SHARE * len(words):
            return f"no account says {', '.join(unsourced)}"
        has_content = has_content or bool(words)
    return "" if has_content else "no account says any of it"


def _find_covering_stretches(
    task: DraftTask,
    stretches: Sequence[CitedStretch],
    covered_by_trace: Mapping[Key, Sequence[int]],
) -> tuple[dict[int, frozenset[int]], tuple[Key, ...]]:
    """Return the stretches that cover each consolidated sentence, and doubtful source sentences.

    A sentence is covered according to the trace, or if the stretches that cite it cover most of it.
    A sentence that passes neither test is doubtful. If it is cited, and the text lacks none of its
    figures, names and quotations, it still counts as covered. A sentence that only a refused
    stretch cites is not covered.
    """
    cited: dict[Key, list[int]] = {}
    for number, stretch in enumerate(stretches):
        for key in () if stretch.why else stretch.cited:
            if key in task.kept:
                cited.setdefault(key, []).append(number)
    dropped = {key for stretch in stretches if stretch.why for key in stretch.cited} - cited.keys()
    pairs = [
        (task.texts[k], " ".join(stretches[n].text for n in numbers))
        for k, numbers in cited.items()
    ]
    shares = zip(cited, read_coverage(pairs), strict=True)
    uncovered_shares = {key: coverage.uncovered_share for key, coverage in shares}
    text = " ".join(stretch.text for stretch in stretches if not stretch.why)
    covered_by: dict[int, frozenset[int]] = {}
    doubtful = []
    for key in sorted(task.kept):
        traced = (number for number in covered_by_trace.get(key, ()) if not stretches[number].why)
        covering = set(() if key in dropped else traced)
        missing = _find_missing(task.texts[key], text)
        if uncovered_shares.get(key, 1) <= _MAX_UNCOVERED_SHARE and not any(
            map(_is_figure, missing)
        ):
            covering.update(cited[key])
        if not covering:
            doubtful.append(key)
            covering.update(() if missing else cited.get(key, ()))
        if covering:
            covered_by[task.covered[key]] = frozenset(covering)
    return covered_by, tuple(doubtful)


def _find_missing(sentence: str, text: str) -> list[str]:
    """Return the names, figures and quotations of a sentence that a text lacks."""
    present = {token.text.casefold() for token in tokenize(text)}
    exact = (
        token.text
        for place, token in enumerate(tokenize(sentence))
        if _is_figure(token.text) or (place and token.text[0].isupper())
    )
    quotations = (q for q in QUOTED.findall(sentence) if plain_words(q) not in plain_words(text))
    return [*(word for word in exact if word.casefold() not in present), *quotations]


def _is_figure(word: str) -> bool:
    return any(map(str.isdigit, word))
