"""Consolidation in stages: read, spans, coverage, selection, order, introductions, verification."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from functools import partial
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis import vectors as encode
from tatian.analysis.installed import unavailable
from tatian.analysis.telling import told as judged
from tatian.consolidation.accounts import (
    APART,
    backbone_of,
    sections,
    unlike_backbone,
    with_day,
    without_other_stories,
    without_overtaken,
    without_withheld_names,
)
from tatian.consolidation.choice import Selection, choose, forecasts, narrowed, shortened
from tatian.consolidation.cuts import cuts
from tatian.consolidation.disputes import disputes
from tatian.consolidation.layout import laid_out
from tatian.consolidation.noise import FURNITURE, STEPS, NewsSentence
from tatian.consolidation.order import Ordered, Placement, days_of, order
from tatian.consolidation.passages import NO_PASSAGES, Passages, align
from tatian.consolidation.references import surname_sexes
from tatian.consolidation.report import write
from tatian.consolidation.result import Consolidation, Dispute, with_places
from tatian.consolidation.telling import CoverageModel, telling
from tatian.consolidation.units import AccountUnits, Key, Unit, account, missing_context
from tatian.corpora import read_sources
from tatian.errors import InputError
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import Document
from tatian.text.dates import publication_days
from tatian.text.language import require_english

if TYPE_CHECKING:
    from tatian.consolidation.editor import TextEditor
    from tatian.consolidation.proof.verdict import Judge
    from tatian.consolidation.writer import Writer


class Paragraph(Struct, frozen=True):
    """Spans in one paragraph, perhaps under a heading of ours."""

    units: tuple[Unit, ...]
    heading: str = ""


class Plan(Struct, frozen=True):
    """Selected spans, their order, and the decisions behind them."""

    accounts: tuple[AccountUnits, ...]
    chains: tuple[CrossChain, ...]
    telling: CoverageModel
    backbone: int
    choice: Selection
    paragraphs: tuple[Paragraph, ...]
    placings: Mapping[Key, Placement]
    """Placement of each span of the text."""
    cuts: Mapping[Key, frozenset[int]] = MappingProxyType({})
    """Positions, in the source, of the words that are cut from a span."""
    passages: Passages = NO_PASSAGES
    """Alignment of long sources."""
    disputes: tuple[Dispute, ...] = ()
    """Conflicts between sources over the figures or names for one thing."""
    proves: bool = False
    """True if changes to a sentence are used only when verified."""


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline | None = None,
    fast: bool = False,
    length: int | None = None,
    writer: Writer | str | None = None,
    editor: TextEditor | str | None = None,
    judge: str | Judge = "small",
    progress: Progress = silent,
    warn: Callable[[str], None] | None = None,
) -> Consolidation:
    """Consolidate several sources on one story into one text that knows where each word came from.

    `accounts` are paths (files, directories, HTML pages, JSONL; see `tatian.read`) or documents.
    Layers that a document brings along are kept. `fast` does without the encoder: shared words
    alone decide coverage. `length` asks for the best text of about so many words. `writer` is a
    language model that words it, or where to find one (see `open_writer`). `editor` is one that
    merges partly redundant sentences (see `open_editor`); take one of the two. `judge` decides
    whether the sources support changes (see `tatian.trace`). `warn` is called with each flaw to be
    checked, such as an unpaired quotation mark. Raises `InputError` for what cannot be used.
    """
    if writer and editor:
        raise InputError("a writer words the whole text: do without an editor")
    if judge != "small":
        from tatian.consolidation.proof.judges import open_judge

        if fast:
            raise InputError("a judge needs the encoder: do without fast")
        judge = open_judge(judge)
    if isinstance(writer, str):
        from tatian.consolidation.writer import open_writer

        writer = open_writer(writer, judge=judge)
    if isinstance(editor, str):
        from tatian.consolidation.editor import open_editor

        editor = open_editor(editor, judge=judge)
    pipeline = pipeline or (Pipeline.fast() if fast else Pipeline())
    given = read_sources(accounts)
    documents = [_without_furniture(one) for one in given]
    processed = []
    for number, document in enumerate(documents):
        progress("reading sources", number, len(documents))
        require_english(document)
        processed.append(pipeline.process(document))
    progress("reading sources", len(documents), len(documents))
    made = plan(processed, fast=fast, length=length, progress=progress)
    layout = laid_out(made, judge)
    if editor:
        layout = editor.edit(made, layout, progress)
    elif writer:
        layout = writer.word(made, layout, progress)
    woven = write(made, layout)
    if warn is not None:
        from tatian.consolidation.check import text_flaws

        for flaw in text_flaws(woven, made):
            warn(str(flaw))
    altered = [one for one, read in zip(given, documents, strict=True) if one is not read]
    return with_places(woven, altered, FURNITURE) if altered else woven


def _without_furniture(document: Document) -> Document:
    """Remove page furniture from a document, unless it already has layers."""
    text = FURNITURE.sub("", document.text)
    changed = text != document.text and text.strip() and not document.layers
    return replace(document, text=text) if changed else document


def copied(accounts: Sequence[AccountUnits]) -> dict[Key, tuple[Key, ...]]:
    """Map each span to the same text in a longer source, or earlier in its own source."""
    longest = sorted(
        range(len(accounts)),
        key=lambda n: (-sum(unit.words for unit in accounts[n].units), accounts[n].document.text),
    )
    first: dict[str, Key] = {}
    found: dict[Key, tuple[Key, ...]] = {}
    for number in longest:
        for unit in accounts[number].units:
            if unit.text in first:
                found[unit.key] = (first[unit.text],)
            first.setdefault(unit.text, unit.key)
    return found


def overtaken(days: Sequence[date | None]) -> frozenset[int]:
    """Return the sources that are older than the newest."""
    newest = max((day for day in days if day), default=None)
    return frozenset(n for n, day in enumerate(days) if day and newest and day < newest)


def personal(accounts: Sequence[AccountUnits]) -> frozenset[int]:
    """Return the sources that have a voice of their own."""
    return frozenset(number for number, one in enumerate(accounts) if one.own)


_OPENING = 4
"""Most spans with which news from another source than the backbone opens the text."""


def _news(
    accounts: Sequence[AccountUnits], days: Sequence[date | None], backbone: int
) -> int | None:
    """Return the newest source, if it opens with a step that the older backbone does not know.

    Sources of other sections have their own news.
    """
    known, newest = days[backbone], max((day for day in days if day), default=None)
    if known is None or newest is None or not known < newest <= known + APART:
        return None

    def steps(number: int, count: int) -> set[str]:
        one = accounts[number]
        bodies = [unit.bodies[0] for unit in one.units[:count]]
        return set(STEPS).intersection(
            act for body in bodies for act in NewsSentence(one.document, body).acts
        )

    for number, day in enumerate(days):
        if day == newest and not accounts[number].own and steps(number, 1) - steps(backbone, 2):
            return number
    return None


def _opened(
    ordered: Ordered, units: Sequence[Unit], kept: Collection[Key], most: int = _OPENING
) -> Ordered:
    """Move up to `most` kept spans of `units` to the front, if the first of `units` is kept.

    Spans that depend on them move along.
    """
    if not units or units[0].key not in kept:
        return ordered
    told = [unit for unit in units if unit.key in kept]
    count = min(most, len(told))
    while count < len(told) and told[count].leans:
        count += 1
    opening = {unit.key: unit for unit in told[:count]}
    rest = (
        tuple(unit for unit in units if unit.key not in opening) for units in ordered.paragraphs
    )
    placings = ordered.placings | dict.fromkeys(opening, Placement("order"))
    first, *others = filter(None, (tuple(opening.values()), *rest))
    if most == 1 and others and len(others[0]) < _OPENING:
        first, *others = (*first, *others[0]), *others[1:]
    return Ordered([first, *others], placings)


def _instead(bodies: Sequence[Sequence[Unit]], choice: Selection, backbone: int) -> list[Unit]:
    """The unit that opens the text in place of the backbone's first, with what follows it."""
    first = [unit.key for unit in bodies[backbone][:1]]
    for teller in (one for key in first for one in choice.gone.get(key, ())[:1]):
        units = [unit for unit in bodies[teller[0]] if unit.key >= teller]
        if units[0].key == teller and not units[0].leans:
            return units
    return []


def plan(
    documents: Sequence[Document],
    *,
    fast: bool = False,
    length: int | None = None,
    progress: Progress = silent,
) -> Plan:
    """Decide which spans are kept, in which order and in which paragraphs."""
    sexes = surname_sexes(documents)
    accounts = tuple(with_day(account(n, one, sexes)) for n, one in enumerate(documents))
    accounts = without_withheld_names(accounts)
    vectors, judge = None, None
    if not fast and not unavailable():
        everything = [unit for one in accounts for unit in one.units]
        encoded = encode([unit.text for unit in everything])
        vectors = {unit.key: row for unit, row in zip(everything, encoded, strict=True)}
        accounts = without_other_stories(accounts, vectors)
        judge = judged
    dated = [one.document for one in accounts]
    copies = copied(accounts)
    units = [unit for one in accounts for unit in one.units if unit.key not in copies]
    passages = align(accounts, vectors, encode)
    told = telling(units, dated, vectors, passages=passages, judge=judge, progress=progress)
    published = publication_days(dated)
    old = overtaken(published)
    disputed, settled = disputes(units, dated, told, judge) if judge else ((), told)
    accounts = without_overtaken(accounts, told, copies)
    units = [unit for one in accounts for unit in one.units if unit.key not in copies]
    backbone = backbone_of(accounts, told, copies, published)
    bodies = [[unit for unit in one.units if unit.key not in copies] for one in accounts]
    choice = Selection(frozenset(unit.key for unit in units), {})
    if sum(map(bool, bodies)) > 1:
        choice = choose(bodies, settled, backbone, old, personal(accounts))
    expected = forecasts(units, old)
    days = days_of(units, dated)
    choice = Selection(choice.kept, {**choice.gone, **copies})
    bodies = [list(one.units) for one in accounts]
    if length is not None:
        choice = shortened(choice, bodies, backbone, length)
    long = bool(passages.accounts)
    news = None if long else _news(accounts, published, backbone)
    unlike = unlike_backbone(accounts, told, backbone) if judge and not long else frozenset()

    def missing(text: Sequence[Paragraph], chosen: Selection, *, nouns: bool) -> dict[Key, Key]:
        return {} if long and not nouns else _missing(text, accounts, chosen, told, nouns=nouns)

    def arranged(chosen: Selection) -> tuple[list[Paragraph], dict[Key, Placement]]:
        """Order the selection, section by section, with the placement of each span."""
        text: list[Paragraph] = []
        placings: dict[Key, Placement] = {}
        for section in sections(accounts, chosen.kept, backbone, unlike):
            first, *others = (published[number] for number in section.accounts)
            later = [n for n, day in enumerate(others, start=1) if first and day and day > first]
            some = [bodies[number] for number in section.accounts]
            ordered = order(some, chosen, told, days, later, expected)
            if news is not None and {backbone, news} <= set(section.accounts):
                ordered = _opened(ordered, bodies[news], chosen.kept)
            elif backbone in section.accounts:
                opening = _instead(bodies, chosen, backbone)
                if {unit.account for unit in opening} <= set(section.accounts):
                    ordered = _opened(ordered, opening, chosen.kept, 1)
            text += [
                Paragraph(units_told, "" if number else section.heading)
                for number, units_told in enumerate(ordered.paragraphs)
            ]
            placings |= {
                key: replace(placing, section=section.why)
                for key, placing in ordered.placings.items()
            }
        return _rejoined(text, chosen, partial(missing, chosen=chosen, nouns=False)), placings

    text, placings = arranged(choice)
    short = length is not None
    while unclear := missing(text, choice, nouns=short):
        kept = choice.kept.difference(unclear)
        choice = narrowed(choice, kept) if short else _with(choice, unclear)
        text, placings = arranged(choice)
    return Plan(
        accounts=accounts,
        chains=link_chains(dated),
        telling=told,
        backbone=backbone,
        choice=choice,
        paragraphs=tuple(text),
        placings=placings,
        cuts=cuts((unit for one in text for unit in one.units), dated, told) if judge else {},
        passages=passages,
        disputes=disputed,
        proves=judge is not None,
    )


def _rejoined(
    text: list[Paragraph],
    choice: Selection,
    missing: Callable[[Sequence[Paragraph]], Mapping[Key, Key]],
) -> list[Paragraph]:
    """Move spans behind the span that covers what they refer to, if the text is clearer then.

    Spans with a pronoun stay: it would not be clear whom "they" means.
    """
    unclear = missing(text)
    named = {unit.key for one in text for unit in one.units if unit.pronoun is None}
    for key, needed in unclear.items():
        for teller in choice.gone.get(needed, ())[:1] if key in named else ():
            moved = _moved(text, key, teller)
            if len(still := missing(moved)) < len(unclear):
                text, unclear = moved, still
    return text


def _moved(text: Sequence[Paragraph], key: Key, behind: Key) -> list[Paragraph]:
    """Return the text with a span, and those that depend on it, behind another span."""
    paragraphs = [list(one.units) for one in text]
    home = next(units for units in paragraphs if any(unit.key == key for unit in units))
    first = [unit.key for unit in home].index(key)
    last = first + 1
    while last < len(home) and home[last].leans and home[last].account == key[0]:
        last += 1
    block = home[first:last]
    del home[first:last]
    for units in paragraphs if home else ():
        keys = [unit.key for unit in units]
        if behind in keys:
            place = keys.index(behind) + 1
            units[place:place] = block
            return [
                replace(one, units=tuple(units))
                for one, units in zip(text, paragraphs, strict=True)
            ]
    return list(text)


def _missing(
    text: Sequence[Paragraph],
    accounts: Sequence[AccountUnits],
    choice: Selection,
    told: CoverageModel,
    *,
    nouns: bool,
) -> dict[Key, Key]:
    """Return the spans that refer to something not said before them, with the spans they need.

    The first span of the text stays, whatever it refers to. A word-for-word copy of another
    source's sentence is not brought back.
    """
    order = [unit for paragraph in text for unit in paragraph.units]
    missing = missing_context(order, accounts, choice.gone, nouns=nouns)
    first = [unit.key for unit in order[:1]]
    return {
        key: needed
        for key, needed in missing.items()
        if key not in first and needed not in choice.kept and (nouns or told.knows(needed))
    }


def _with(choice: Selection, missing: Mapping[Key, Key]) -> Selection:
    """Add to the selection what some of its spans refer to."""
    back = frozenset(missing.values())
    gone = {key: tellers for key, tellers in choice.gone.items() if key not in back}
    return Selection(choice.kept | back, gone, choice.left - back)
