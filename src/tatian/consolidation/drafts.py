"""Judgement of drafts: what the sources support, and which source sentences are covered.

After each of its sentences, a draft cites source sentences in brackets. Citations are accepted as
far as the trace and the coverage model confirm them.
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
_BEGINNINGS = frozenset('.!?:;"“”‘’(—')
"""Marks after which a word may be capitalized without being a name."""
_CLOSED = (".", "!", "?", '"', "”", "’", "'", ")")
_DATES = frozenset((*MONTHS, *WEEKDAYS, *RELATIVE_DATES))
_ATTRIBUTION = REPORTING_VERBS | {"according", "account", "accounts", "report", "reports"}
"""Words with which an editor attributes a statement."""
_LACKING = 0.5
"""Largest share of a sentence that the stretches citing it may leave uncovered."""
_REFUSED = 1 / 3
"""Share of refused words above which the whole draft is rejected."""
_MISSING = 1 / 3
"""Share of uncovered sentences above which a draft is not used: too many would be added."""
_LONGER, _MORE_WORDS = 1.1, 15
"""Length relative to the consolidated text from which a draft loses what it repeats: factor, and
additional words."""
_LEFT_OUT = 0.2
"""Largest share of a sentence's words that a copy of it may leave out."""
_FOREIGN = 0.5
"""Share of words without a source from which a sentence is refused."""
_LOST = 100
"""Loss for a sentence in doubt, as so many characters of refused text."""


class DraftTask(Struct, frozen=True):
    """Paragraphs of the consolidated text that are rewritten together."""

    sentences: range
    """Indices of the consolidated text's sentences."""
    covered: Mapping[Key, int]
    """Source sentences that they cover, in source order, each with the index of one of them."""
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
    sentences: tuple[TracedSentence, ...] = ()
    """Traced sentences, with offsets in the text of `start`; the outer ones may reach beyond it."""


class JudgedDraft(Struct, frozen=True):
    """Outcome of a draft."""

    answer: str
    stretches: tuple[CitedStretch, ...] = ()
    covered_by: Mapping[int, frozenset[int]] = {}
    """Indices of the stretches that cover each sentence of the consolidated text, by its index."""
    doubtful: tuple[Key, ...] = ()
    """Source sentences that the accepted stretches do not cover, or perhaps not."""
    why: str = ""
    """Reason why nothing of it is used."""

    @property
    def loss(self) -> int:
        """Characters of refused stretches, plus a fixed amount for each sentence in doubt."""
        refused = sum(len(stretch.text) for stretch in self.stretches if stretch.why)
        return refused + _LOST * len(self.doubtful)


def judge_draft(
    task: DraftTask,
    answer: str,
    labels: Mapping[str, Key],
    documents: Sequence[Document],
    pipeline: Pipeline,
    judge: Judge,
) -> JudgedDraft:
    """Judge an answer; repeat without the refused stretches until all others are supported."""
    stretches = list(_stretches(answer, labels))
    covered_by_trace: Mapping[Key, Sequence[int]] = {}

    def refuse_unsupported() -> Mapping[Key, Sequence[int]]:
        covered_by_trace: dict[Key, list[int]] = {}
        stand = [n for n, stretch in enumerate(stretches) if not stretch.why]
        while stand:
            some = [stretches[n] for n in stand]
            traced, covers = _trace_stretches(some, task, documents, pipeline, judge)
            for number, stretch in zip(stand, traced, strict=True):
                stretches[number] = stretch
            covered_by_trace = {key: [stand[n] for n in numbers] for key, numbers in covers.items()}
            left = [n for n in stand if not stretches[n].why]
            if left == stand:
                break
            stand = left
        return covered_by_trace

    try:
        covered_by_trace = refuse_unsupported()
    except NotEnglish:
        return JudgedDraft(answer, why="it is not English")
    words = [len(stretch.text.split()) for stretch in stretches]
    refused = [count for count, stretch in zip(words, stretches, strict=True) if stretch.why]
    if not words:
        return JudgedDraft(answer, why="it has no sentences")
    if sum(refused) > _REFUSED * sum(words):
        reason = next(stretch.why for stretch in stretches if stretch.why)
        why = f"too little of it is supported: {reason}"
        return JudgedDraft(answer, tuple(stretches), why=why)
    shown = sum(len(task.texts[key].split()) for key in task.kept)
    if sum(words) - sum(refused) > _LONGER * shown + _MORE_WORDS:
        parts = _without_repetitions(stretches)
        if parts != stretches:
            stretches[:] = parts
            covered_by_trace = refuse_unsupported()
    covered_by, doubtful = _find_covering_stretches(task, stretches, covered_by_trace)
    missing = sum(task.covered[key] not in covered_by for key in task.kept)
    why = "too much is left out or not supported" if missing > _MISSING * len(task.kept) else ""
    return JudgedDraft(answer, tuple(stretches), covered_by, doubtful, why)


def _without_repetitions(stretches: Sequence[CitedStretch]) -> list[CitedStretch]:
    """Return the stretches, split into sentences; refuse those that others cover, last first.

    A sentence stays if the next one may refer to it by a pronoun. The sentences that cover a
    refused one take over its citations.
    """
    parts = [part for stretch in stretches for part in _sentences(stretch)]
    stand = [number for number, part in enumerate(parts) if not part.why]
    covering: dict[int, list[int]] = {}
    for number in reversed(stand):
        rest = [n for n in stand if n != number and n not in covering]
        after = min((n for n in rest if n > number), default=None)
        if after is not None and refers_back(parts[after].text):
            continue
        texts = [parts[n].text for n in rest]
        lost = [number, *(n for n, some in covering.items() if number in some)]
        cover = {n: [rest[place] for place in find_covering(parts[n].text, texts)] for n in lost}
        if all(cover.values()):
            covering |= cover
    for number, some in covering.items():
        for n in some:
            cited = dict.fromkeys((*parts[n].cited, *parts[number].cited))
            parts[n] = replace(parts[n], cited=tuple(cited))
        parts[number] = replace(parts[number], why="it repeats other sentences")
    return parts if covering else list(stretches)


def _sentences(stretch: CitedStretch) -> Iterator[CitedStretch]:
    """Yield the sentences of a stretch, each with all its citations; a refused one as it is."""
    if stretch.why:
        yield stretch
        return
    for number, sentence in enumerate(split(stretch.text)):
        text = stretch.text[sentence.start : sentence.end]
        yield replace(stretch, text=text, opens=stretch.opens and not number)


def _stretches(answer: str, labels: Mapping[str, Key]) -> Iterator[CitedStretch]:
    """Split an answer at its brackets, without lines that end no sentence, such as headings."""
    for paragraph in paragraphs(answer):
        last, opens = 0, True
        for mark in (*_CITED.finditer(paragraph), None):
            end, after, tail = (mark.start(), mark.end(), mark[2]) if mark else (None, 0, "")
            text = " ".join((paragraph[last:end] + tail).split())
            last = after
            if not any(map(str.isalnum, text)) or not (mark or text.endswith(_CLOSED)):
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
    about = [
        (document.metadata.title or "", document.metadata.source or "") for document in documents
    ]
    texts = [
        *(document.text for document in documents),
        *(part for parts in about for part in parts),
    ]
    said = (
        word
        for source_text in texts
        for word in (source_text, *(token.text for token in tokenize(source_text)))
    )
    known = {part for word in said for part in re.findall(r"\w+", word.casefold())}
    known |= {
        part for document in documents for part in (document.metadata.date or "")[:10].split("-")
    }
    judged = []
    holder: dict[int, int] = {}
    for number, (start, stretch) in enumerate(zip(starts, stretches, strict=True)):
        end = start + len(stretch.text)
        sentences = tuple(s for s in traced.sentences if s.start < end and start < s.end)
        holder |= {s.start: number for s in sentences if start <= s.start}
        unsupported = (s.why for s in sentences if s.verdict != "supported")
        why = _unfit(stretch.text, known)
        if not why and not any(
            is_copy(stretch.text, task.texts[k], days[k[0]]) for k in stretch.cited
        ):
            why = _foreign(text, sentences, known) or next(unsupported, "")
        judged.append(replace(stretch, why=why, sentences=sentences, start=start))
    covers = {
        (number, index): sorted({holder[traced.sentences[n].start] for n in sentence.into})
        for number, source in enumerate(traced.documents)
        for index, sentence in enumerate(source.sentences)
        if sentence.into
    }
    return judged, covers


def _unfit(text: str, known: set[str]) -> str:
    """Return a fault that needs no model: a torn end, a figure or name that no source has.

    Days are left to verification, as a draft may name them differently.
    """
    if not text.endswith(_CLOSED):
        return "it breaks off"
    words = [token.text for token in tokenize(text)]
    for place, word in enumerate(words):
        near = {other.lower() for other in words[max(0, place - 2) : place + 2]}
        first = not place or words[place - 1] in _BEGINNINGS
        exact = _is_figure(word) or (word[0].isupper() and not first)
        day = word.lower() in _DATES or (word.isdigit() and not near.isdisjoint(MONTHS))
        if exact and not day and not known.issuperset(re.findall(r"\w+", word.casefold())):
            return f"no account says {word}"
    return ""


def is_copy(text: str, said: str, published: date | None = None) -> bool:
    """Check whether a text has the words of a sentence in order, with a few left out.

    A day may be named differently, if it is the same by the `published` day. Negations, hedges and
    plans must be the same.
    """
    words, theirs = ([token.text.lower() for token in tokenize(either)] for either in (text, said))
    hinges = [[w for w in some if w in NEGATIONS or moods_of(w)] for some in (words, theirs)]
    named = named_days(tokenize(said), published).values()
    days = {part for day in named for part in day_names(day)}
    mine, held = (
        [w for w in some if is_content(w) and w not in RELATIVE_DATES] for some in (words, theirs)
    )
    mine = [w for w in mine if w in held or w not in days]
    left = iter(held)
    whole = len(mine) >= (1 - _LEFT_OUT) * len(held)
    return bool(mine) and whole and hinges[0] == hinges[1] and all(word in left for word in mine)


def _is_informative(word: str) -> bool:
    return is_content(word) and word.lower() not in _ATTRIBUTION


def _foreign(text: str, sentences: Sequence[TracedSentence], names: set[str]) -> str:
    """Return why a stretch is foreign, if many words have no source: "I cannot help".

    Names that a source has elsewhere do not count: the draft may name its "he".
    """
    known = False
    for sentence in sentences:
        words = [word for word in sentence.tokens if _is_informative(text[word.start : word.end])]
        glue = [text[word.start : word.end] for word in words if word.glue]
        foreign = [word for word in glue if word.islower() or word.casefold() not in names]
        if words and len(foreign) >= _FOREIGN * len(words):
            return f"no account says {', '.join(foreign)}"
        known = known or bool(words)
    return "" if known else "no account says any of it"


def _find_covering_stretches(
    task: DraftTask,
    stretches: Sequence[CitedStretch],
    covered_by_trace: Mapping[Key, Sequence[int]],
) -> tuple[dict[int, frozenset[int]], tuple[Key, ...]]:
    """Return the stretches that cover each consolidated sentence, and what is in doubt.

    The trace says so, or the stretches that cite a sentence cover most of it. A cited sentence is
    in doubt, but counts as covered, if the text has all its figures, names and quotations. A
    sentence that only a refused stretch cites is not covered.
    """
    cited: dict[Key, list[int]] = {}
    for number, stretch in enumerate(stretches):
        for key in () if stretch.why else stretch.cited:
            if key in task.kept:
                cited.setdefault(key, []).append(number)
    dropped = {key for stretch in stretches if stretch.why for key in stretch.cited} - cited.keys()
    pairs = [
        (task.texts[k], " ".join(stretches[n].text for n in some)) for k, some in cited.items()
    ]
    shares = zip(cited, read_coverage(pairs), strict=True)
    uncovered = {key: coverage.uncovered_share for key, coverage in shares}
    text = " ".join(stretch.text for stretch in stretches if not stretch.why)
    covered_by: dict[int, frozenset[int]] = {}
    doubtful = []
    for key in sorted(task.kept):
        standing = (number for number in covered_by_trace.get(key, ()) if not stretches[number].why)
        covering = set(() if key in dropped else standing)
        lacking = _lacking(task.texts[key], text)
        if uncovered.get(key, 1) <= _LACKING and not any(map(_is_figure, lacking)):
            covering.update(cited[key])
        if not covering:
            doubtful.append(key)
            covering.update(() if lacking else cited.get(key, ()))
        if covering:
            covered_by[task.covered[key]] = frozenset(covering)
    return covered_by, tuple(doubtful)


def _lacking(said: str, text: str) -> list[str]:
    """Return the names, figures and quotations of a sentence that a text lacks."""
    held = {token.text.casefold() for token in tokenize(text)}
    exact = (
        token.text
        for place, token in enumerate(tokenize(said))
        if _is_figure(token.text) or (place and token.text[0].isupper())
    )
    quotations = (
        quotation
        for quotation in QUOTED.findall(said)
        if plain_words(quotation) not in plain_words(text)
    )
    return [*(word for word in exact if word.casefold() not in held), *quotations]


def _is_figure(word: str) -> bool:
    return any(map(str.isdigit, word))
