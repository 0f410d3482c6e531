"""The main job, stage by stage: read, units, telling, choice, order, introductions, proof."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis import vectors as encode
from tatian.analysis.installed import unavailable
from tatian.analysis.telling import told as judged
from tatian.consolidation.accounts import (
    backbone_of,
    copied,
    overtaken,
    personal,
    sections,
    unlike_backbone,
    with_day,
    without_other_stories,
    without_withheld_names,
)
from tatian.consolidation.choice import Choice, choose, forecasts, shortened
from tatian.consolidation.cuts import cuts
from tatian.consolidation.disputes import disputes
from tatian.consolidation.layout import laid_out
from tatian.consolidation.order import Placing, days_of, order
from tatian.consolidation.passages import NO_PASSAGES, Passages, align
from tatian.consolidation.report import write
from tatian.consolidation.result import Consolidation, Dispute, Reference, SourceSentence
from tatian.consolidation.telling import Telling, telling
from tatian.consolidation.units import AccountUnits, Key, Unit, account
from tatian.corpora import gathered
from tatian.errors import InputError
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import Document, Source
from tatian.text.dates import publication_days
from tatian.text.language import require_english
from tatian.union.models import Claim

if TYPE_CHECKING:
    from tatian.consolidation.proof.verdict import Judge
    from tatian.consolidation.writer import Writer


Placed = TypeVar("Placed", Source, SourceSentence, Claim, Reference)


class Paragraph(Struct, frozen=True):
    """Units that are told together, perhaps under words of our own."""

    units: tuple[Unit, ...]
    heading: str = ""


class Plan(Struct, frozen=True):
    """What is told, in which order, and what was decided on the way."""

    accounts: tuple[AccountUnits, ...]
    chains: tuple[CrossChain, ...]
    telling: Telling
    backbone: int
    choice: Choice
    paragraphs: tuple[Paragraph, ...]
    placings: Mapping[Key, Placing]
    """Why each unit of the text stands where it stands."""
    cuts: Mapping[Key, frozenset[int]] = MappingProxyType({})
    """Where the words stand, in their account, that a unit is told without."""
    passages: Passages = NO_PASSAGES
    """What long accounts tell alike."""
    disputes: tuple[Dispute, ...] = ()
    """Where accounts give different figures or names for one thing."""
    proves: bool = False
    """Whether what the text changes is written only with proof."""


def consolidate(
    accounts: Sequence[str | PathLike[str] | Document],
    *,
    pipeline: Pipeline | None = None,
    fast: bool = False,
    length: int | None = None,
    writer: Writer | str | None = None,
    judge: str | Judge = "small",
    progress: Progress = silent,
) -> Consolidation:
    """Weave several accounts of one story into one text that knows where each word came from.

    `accounts` are paths (files, directories, HTML pages, JSONL; see `tatian.read`) or documents;
    layers that a document brings along are kept. `fast` does without the encoder: shared words
    alone decide what tells what. `length` asks for the best text of about so many words. `writer`
    is a language model that words it, or where to find one (see `open_writer`). `judge` decides
    whether the accounts support what the text changes (see `tatian.trace`).
    Raises `InputError` for what cannot be used.
    """
    if judge != "small":
        from tatian.consolidation.proof.judges import open_judge

        if fast:
            raise InputError("a judge needs the encoder: do without fast")
        judge = open_judge(judge)
    if isinstance(writer, str):
        from tatian.consolidation.writer import open_writer

        writer = open_writer(writer, judge=judge)
    pipeline = pipeline or (Pipeline.fast() if fast else Pipeline())
    given = gathered(accounts)
    documents = [_without_hyphens(one) for one in given]
    processed = []
    for number, document in enumerate(documents):
        progress("reading accounts", number, len(documents))
        require_english(document)
        processed.append(pipeline.process(document))
    progress("reading accounts", len(documents), len(documents))
    made = plan(processed, fast=fast, length=length, progress=progress)
    layout = laid_out(made, judge)
    woven = write(made, writer.word(made, layout, progress) if writer else layout)
    hyphened = [one for one, read in zip(given, documents, strict=True) if one is not read]
    return _with_hyphens(woven, hyphened) if hyphened else woven


_SOFT_HYPHEN = re.compile(r"\u00ad(?:\n[ \t]*)?")
"""Where a word may be parted, and where it was: with the end of its line."""


def _without_hyphens(document: Document) -> Document:
    """A document as it is seen, unless it brings along what others found in it."""
    text = _SOFT_HYPHEN.sub("", document.text)
    changed = text != document.text and text.strip() and not document.layers
    return replace(document, text=text) if changed else document


def _with_hyphens(woven: Consolidation, documents: Sequence[Document]) -> Consolidation:
    """The places of a weave in some accounts as they were given."""
    given = {one.id: one for one in documents}
    at: dict[str, list[int]] = {}
    for one in documents:
        hidden = {n for each in _SOFT_HYPHEN.finditer(one.text) for n in range(*each.span())}
        at[one.id] = [n for n in range(len(one.text)) if n not in hidden]

    def placed(one: Placed, document: str) -> Placed:
        if document not in at:
            return one
        return replace(one, start=at[document][one.start], end=at[document][one.end - 1] + 1)

    return replace(
        woven,
        sentences=tuple(
            replace(
                one,
                tokens=tuple(
                    replace(token, sources=tuple(placed(s, s.document) for s in token.sources))
                    for token in one.tokens
                ),
            )
            for one in woven.sentences
        ),
        documents=tuple(
            replace(
                one,
                text=given[one.id].text if one.id in given else one.text,
                sentences=tuple(placed(each, one.id) for each in one.sentences),
            )
            for one in woven.documents
        ),
        contradictions=tuple(
            replace(one, claims=tuple(placed(claim, claim.document) for claim in one.claims))
            for one in woven.contradictions
        ),
        chains=tuple(
            replace(one, references=tuple(placed(each, each.document) for each in one.references))
            for one in woven.chains
        ),
    )


def plan(
    documents: Sequence[Document],
    *,
    fast: bool = False,
    length: int | None = None,
    progress: Progress = silent,
) -> Plan:
    """Decide what is told, in which order and in which paragraphs."""
    accounts = tuple(with_day(account(number, one)) for number, one in enumerate(documents))
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
    backbone = backbone_of(accounts, told, copies)
    bodies = [[unit for unit in one.units if unit.key not in copies] for one in accounts]
    choice = Choice(frozenset(unit.key for unit in units), {})
    if sum(map(bool, bodies)) > 1:
        choice = choose(bodies, settled, backbone, old, personal(accounts))
    expected = forecasts(units, old)
    days = days_of(units, dated)
    choice = Choice(choice.kept, {**choice.gone, **copies})
    bodies = [list(one.units) for one in accounts]
    if length is not None:
        choice = shortened(choice, bodies, backbone, length)
    text: list[Paragraph] = []
    placings: dict[Key, Placing] = {}
    long = bool(passages.accounts)
    unlike = unlike_backbone(accounts, told, backbone) if judge and not long else frozenset()
    for section in sections(accounts, choice.kept, backbone, unlike):
        first, *others = (published[number] for number in section.accounts)
        later = [n for n, day in enumerate(others, start=1) if first and day and day > first]
        some = [bodies[number] for number in section.accounts]
        ordered = order(some, choice, told, days, later, expected)
        text += [
            Paragraph(units_told, "" if number else section.heading)
            for number, units_told in enumerate(ordered.paragraphs)
        ]
        placings |= {
            key: replace(placing, section=section.why) for key, placing in ordered.placings.items()
        }
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
