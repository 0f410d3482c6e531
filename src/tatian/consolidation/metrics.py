"""Metrics of how well a text covers the facts of a bundle, and a page that shows them.

A sentence covers a fact if one alternative of each group of its keys occurs in it at the start of a
word. Case and the kind of quotation marks do not matter. If no sentence does, two neighbours
together may. A semicolon ends a sentence here. Keys are words of the sources, so the figures are
fair to texts that keep them, less so to free paraphrase. A plain rule splits the sentences,
not Tatian's own sentence splitter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tatian import scoring
from tatian.corpora.bundles import Bundle, BundleFact, find_problems
from tatian.errors import InputError
from tatian.scoring import Metric, Scores
from tatian.scoring.scores import count_items
from tatian.views.page import render_page, style_sheet

if TYPE_CHECKING:
    from tatian.statistics import Comparison, Table


FEW = 8
"""Length in characters of lines that are too short to count as noise."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_TITLES = "Mr Mrs Ms Dr St Sgt Lt Col Gen Rev Sen Rep Gov Dist Atty [A-Z]".split()
"""Abbreviations whose full stop ends no sentence; the last pattern stands for initials."""
_ABBREVIATED = "".join(rf"(?<!\b{title}\.)" for title in _TITLES)
_STOP = rf"(?<=[.!?]){_ABBREVIATED}[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])"
_SENTENCE_END = re.compile(_STOP)
_CLAUSE_END = re.compile(rf"{_STOP}|;")
_QUOTES = str.maketrans("“”„‘’‛`´", "\"\"\"'''''")
_WORD = re.compile(r"\w+")


class Measures(Struct, frozen=True):
    """Measures of one text against its bundle."""

    told: float
    """Share of the facts that are covered."""
    main: float
    """Covered share of the facts that a reader would miss."""
    again: float
    """Redundancy: further sentences that repeat a covered fact, per covered fact."""
    order: float
    """Kendall's tau between the facts' order and the order of their first occurrences."""
    noise: int
    """Lines of noise that occur in it, word for word."""
    length: float
    """Words per word of the reference."""
    torn: int
    """Paragraphs with an odd number of double quotation marks."""
    sentence_words: float
    """Mean words per sentence."""
    paragraph_words: float
    """Mean words per paragraph."""


def _metric(name: str) -> Metric[Measures]:
    return Metric(
        name, "facts", "see `Measures`", lambda measures: (float(getattr(measures, name)),)
    )


MEASURES = Measures.__struct_fields__
CORE = MEASURES[:7]
"""Measures of how good a text is; the others only describe it."""
METRICS = tuple(_metric(name) for name in MEASURES)
_DIGITS = {"noise": 1, "torn": 1, "sentence_words": 1, "paragraph_words": 1}


class FactCoverage(Struct, frozen=True):
    """Sentences of a text that cover a fact."""

    fact: BundleFact
    places: tuple[int, ...]
    """Indices in `sentences` of those that cover it; empty if none does."""
    joined: bool = False
    """True if the sentence after it is needed as well."""


def measure(bundle: Bundle, text: str) -> Measures:
    """Compute all measures of one text."""
    coverages = find_coverage(bundle, text)
    covered = [coverage for coverage in coverages if coverage.places]
    main = [coverage for coverage in coverages if coverage.fact.main]
    words = len(text.split())
    paragraphs = split_paragraphs(text)
    whole = [sentence for paragraph in paragraphs for sentence in _cut(paragraph, _SENTENCE_END)]
    return Measures(
        told=len(covered) / len(coverages),
        main=sum(bool(coverage.places) for coverage in main) / len(main) if main else 1.0,
        again=sum(len(coverage.places) - 1 for coverage in covered) / len(covered)
        if covered
        else 0.0,
        order=_tau([coverage.places[0] for coverage in covered]),
        noise=len(noise_in(bundle, text)),
        length=words / len(bundle.reference_text().split()),
        torn=sum(map(is_torn, paragraphs)),
        sentence_words=words / len(whole) if whole else 0.0,
        paragraph_words=words / len(paragraphs) if paragraphs else 0.0,
    )


def score(bundles: Sequence[Bundle], texts: Mapping[str, str]) -> Scores:
    """Compute every measure over all bundles, from texts by the bundles' ids."""
    from tatian.statistics import fingerprint

    for bundle in bundles:
        if bundle.id not in texts:
            raise InputError(f"no text for the bundle '{bundle.id}'")
    measured = [measure(bundle, texts[bundle.id]) for bundle in bundles]
    return Scores(
        "facts",
        tuple(bundle.id for bundle in bundles),
        METRICS,
        count_items(measured, METRICS),
        {},
        fingerprint(msgspec.json.encode(bundle).decode() for bundle in bundles),
    )


def compare(first: Scores, second: Scores) -> list[Comparison]:
    """Compare two systems on the same bundles, measure by measure, with the paired bootstrap."""
    return [scoring.compare(first, second, name, test="bootstrap") for name in CORE]


def score_table(rows: Mapping[str, Scores]) -> Table:
    """Tabulate systems side by side."""
    from tatian.statistics import Column, Table

    columns = [Column(name.replace("_words", ""), _DIGITS.get(name, 2)) for name in MEASURES]
    count = len(next(iter(rows.values())).ids)
    title = f"bundles: {count}; ± is the standard error, sentence and paragraph are in words"
    return Table.of(
        ["text", *columns], [(name, *row.values()) for name, row in rows.items()], title
    )


def difference_table(name: str, first: Scores, other: str, second: Scores) -> Table:
    """Tabulate the results of `compare`."""
    from tatian.statistics import Column, Table

    rows = [
        (
            comparison.metric,
            comparison.difference,
            comparison.interval.low,
            comparison.interval.high,
            comparison.p_value,
        )
        for comparison in compare(first, second)
        if comparison.interval
    ]
    signed = [Column(column, signed=True) for column in ("difference", "low", "high")]
    title = f"{name} against {other}: 95% interval and p by the paired bootstrap"
    return Table.of(["measure", *signed, Column("p", 4)], rows, title)


def find_coverage(bundle: Bundle, text: str) -> list[FactCoverage]:
    """Return the sentences that cover each fact, in the order of the facts."""
    plain = [_plain(sentence) for sentence in sentences(text)]
    coverages = []
    for fact in bundle.facts:
        alone = _covering_sentences(fact, plain)
        joined = (
            [] if alone else _covering_sentences(fact, (" ".join(pair) for pair in pairwise(plain)))
        )
        coverages.append(FactCoverage(fact, tuple(alone or joined[:1]), joined=bool(joined)))
    return coverages


def faults(bundle: Bundle) -> Iterator[str]:
    """Yield the faults of a bundle that make it unfit for measuring, each with its place.

    Keys must occur in every source of their fact and, noise aside, in no other sentence. The
    reference must cover what a reader would miss, and the facts in their order.
    """
    if broken := list(find_problems(bundle)):
        yield from broken
        return
    plain_sentences = {place: _plain(sentence) for place, sentence in bundle.sentences().items()}
    before = 0
    for coverage in find_coverage(bundle, bundle.reference_text()):
        fact = coverage.fact
        start = f"bundle {bundle.id}, fact {fact.id}"
        covering = {
            place for place, plain in plain_sentences.items() if _covering_sentences(fact, [plain])
        }
        for place in fact.sources:
            if place not in covering:
                yield f"{start}, sentence {place}: no key of every group occurs in it"
        for place in sorted(covering.difference(fact.sources, bundle.noise)):
            yield f"{start}, sentence {place}: has its keys, but is none of its sources"
        if fact.main and not coverage.places:
            yield f"{start}, reference: does not state it, though it is no detail"
        at = next(
            (n for n, sentence in enumerate(bundle.reference) if fact.id in sentence.facts), before
        )
        if at < before:
            yield f"{start}, reference sentence {at}: states it before facts that precede it"
        before = max(before, at)


def sentences(text: str) -> list[str]:
    """Split a text into sentences as the measures see them."""
    return [
        sentence for paragraph in split_paragraphs(text) for sentence in split_sentences(paragraph)
    ]


def split_sentences(paragraph: str) -> list[str]:
    """Split a paragraph into sentences; a semicolon ends one as well."""
    return _cut(paragraph, _CLAUSE_END)


def split_paragraphs(text: str) -> list[str]:
    """Split a text at blank lines."""
    return [paragraph.strip() for paragraph in _PARAGRAPH.split(text) if paragraph.strip()]


def is_torn(paragraph: str) -> bool:
    """Check whether a paragraph has an unpaired double quotation mark."""
    return _plain(paragraph).count('"') % 2 == 1


def noise_in(bundle: Bundle, text: str) -> list[str]:
    """Return the lines of noise that occur in the text, word for word."""
    bundle_sentences = bundle.sentences()
    words = _words(text)
    lines = (bundle_sentences[place] for place in bundle.noise)
    return [line for line in lines if len(line) > FEW and _words(line) in words]


def _cut(paragraph: str, end: re.Pattern[str]) -> list[str]:
    cuts = [0, *(match.end() for match in end.finditer(paragraph)), len(paragraph)]
    pieces = (paragraph[start:stop].strip() for start, stop in pairwise(cuts))
    return [piece for piece in pieces if piece]


def _plain(text: str) -> str:
    """Normalize case, white space and quotation marks."""
    return " ".join(text.translate(_QUOTES).lower().split())


def _covering_sentences(fact: BundleFact, plain: Iterable[str]) -> list[int]:
    """Return the indices of the sentences that have a key of every group."""
    patterns = [_pattern(group) for group in fact.keys]
    return [
        index
        for index, sentence in enumerate(plain)
        if all(pattern.search(sentence) for pattern in patterns)
    ]


@lru_cache(maxsize=50_000)
def _pattern(group: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(_plain(key)) for key in group)})")


def _tau(places: Sequence[int]) -> float:
    """Return tau-a: pairs in order less pairs in reverse, over all pairs; ties are neither.

    Tau-b would favour a text that says everything in one sentence.
    """
    pairs = [(later > earlier) - (later < earlier) for earlier, later in combinations(places, 2)]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _words(text: str) -> str:
    """Return the words alone, in lower case and without punctuation, each between blanks."""
    return f" {' '.join(_WORD.findall(text.lower()))} "


def facts_page(bundle: Bundle, text: str) -> str:
    """Render an HTML document without a script; numbers link sentences to facts and back."""
    coverages = find_coverage(bundle, text)
    facts = "".join(_fact(number, coverage) for number, coverage in enumerate(coverages, 1))
    title = f"Facts of {bundle.id}"
    body = (
        f"<h1>{escape(title)}</h1>\n{_figures(bundle, text)}"
        f"<main>\n<section class='text'><h2>The text</h2>\n"
        f"{_text(bundle, text, coverages)}</section>\n"
        f"<section><h2>The facts, in the order of a good text</h2>\n"
        f"<ol>\n{facts}</ol></section>\n</main>\n"
    )
    return render_page(title, body, style_sheet("tatian.consolidation.render", "assets/facts.css"))


def _figures(bundle: Bundle, text: str) -> str:
    rows = {"this text": text, "reference": bundle.reference_text(), "stacked": bundle.stacked()}
    lines = []
    for name, row in rows.items():
        measured = measure(bundle, row)
        cells = (f"<td class='number'>{getattr(measured, field):.2f}</td>" for field in CORE)
        lines.append(f"<tr><th scope='row'>{name}</th>{''.join(cells)}</tr>\n")
    names = "".join(f"<th scope='col' class='number'>{field}</th>" for field in CORE)
    return (
        f"<div class='wide'><table>\n<tr><td></td>{names}</tr>\n{''.join(lines)}</table></div>\n"
        "<p class='note'>A number after a sentence is a fact that it states first, in brackets "
        "one that it repeats. Wavy lines are not part of the story; a bar marks a broken "
        "quotation.</p>\n"
    )


def _text(bundle: Bundle, text: str, coverages: list[FactCoverage]) -> str:
    """Render the paragraphs, each sentence with the facts it covers."""
    marks: dict[int, list[str]] = {}
    for number, coverage in enumerate(coverages, 1):
        for place in coverage.places:
            first = place == coverage.places[0]
            shown, kind = (str(number), "told") if first else (f"({number})", "again")
            link = f"<a class='{kind}' href='#fact-{number}'>{shown}</a>"
            marks.setdefault(place, []).append(link)
    lines, place = [], 0
    for paragraph in split_paragraphs(text):
        spans = []
        for sentence in split_sentences(paragraph):
            kind = " class='noise'" if noise_in(bundle, sentence) else ""
            links = " ".join(marks.get(place, ()))
            spans.append(f"<span id='sentence-{place + 1}'{kind}>{escape(sentence)}</span> {links}")
            place += 1
        torn = " class='torn'" if is_torn(paragraph) else ""
        lines.append(f"<p{torn}>{' '.join(spans)}</p>\n")
    return "".join(lines)


def _fact(number: int, coverage: FactCoverage) -> str:
    fact = coverage.fact
    kind = "told" if fact.main else "told detail"
    if coverage.places:
        links = [f"<a href='#sentence-{place + 1}'>{place + 1}</a>" for place in coverage.places]
        after = " and the next" if coverage.joined else ""
        again = f", again in {', '.join(links[1:])}" if links[1:] else ""
        status = f"stated in sentence {links[0]}{after}{again}"
    else:
        kind, status = "missing", "missing"
    keys = " + ".join(" / ".join(group) for group in fact.keys)
    return (
        f"<li id='fact-{number}' class='{kind}'>{number}. {escape(fact.text)} "
        f"<b>{'●' * fact.importance}</b> {status}"
        f"<small>{escape(fact.id)}: {escape(keys)} ({escape(', '.join(fact.sources))})</small>"
        "</li>\n"
    )
