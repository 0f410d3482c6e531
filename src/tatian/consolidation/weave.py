"""The main job, stage by stage: read, units, telling, choice, order, introductions, proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from os import PathLike
from statistics import fmean as mean
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis import vectors as encode
from tatian.analysis.installed import unavailable
from tatian.analysis.telling import told as judged
from tatian.consolidation.choice import Choice, choose, shortened
from tatian.consolidation.cutting import cuts
from tatian.consolidation.disputes import Dispute, disputes
from tatian.consolidation.order import days_of, order
from tatian.consolidation.passages import NO_PASSAGES, Passages, align
from tatian.consolidation.result import Consolidation
from tatian.consolidation.stories import without_other_stories, without_withheld_names
from tatian.consolidation.telling import Telling, telling
from tatian.consolidation.units import AccountUnits, Key, Unit, account
from tatian.consolidation.writing import laid_out, write
from tatian.corpora import gathered
from tatian.pipeline import CrossChain, Pipeline, link_chains
from tatian.progress import Progress, silent
from tatian.text import Document
from tatian.text.dates import YEAR_UNKNOWN, publication_days, published, written_day
from tatian.text.language import require_english

if TYPE_CHECKING:
    from tatian.consolidation.writer import Writer

_HEADLESS = 0.6
"""What an account counts for that does not say at its start whom it speaks of."""
_OWN = 0.5
"""What an account counts for that has a voice of its own."""
_UNLIKE, _UNTOLD, _FEW = 0.31, 0.5, 5
"""How alike to the backbone, and how much told by others, the units of an account are on average
that is of another kind, and how many it has at least."""
_APART = timedelta(days=2)
"""Accounts whose days differ by more tell of different days."""


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
    progress: Progress = silent,
) -> Consolidation:
    """Weave several accounts of one story into one text that knows where each word came from.

    `accounts` are paths (files, directories, HTML pages, JSONL; see `tatian.read`) or documents;
    layers that a document brings along are kept. `fast` does without the encoder: shared words
    alone decide what tells what. `length` asks for the best text of about so many words. `writer`
    is a language model that words it, or where to find one (see `open_writer`).
    Raises `InputError` for what cannot be used.
    """
    if isinstance(writer, str):
        from tatian.consolidation.writer import open_writer

        writer = open_writer(writer)
    pipeline = pipeline or (Pipeline.fast() if fast else Pipeline())
    documents = gathered(accounts)
    processed = []
    for number, document in enumerate(documents):
        progress("reading accounts", number, len(documents))
        require_english(document)
        processed.append(pipeline.process(document))
    progress("reading accounts", len(documents), len(documents))
    made = plan(processed, fast=fast, length=length, progress=progress)
    layout = laid_out(made)
    return write(made, writer.word(layout, progress) if writer else layout)


def plan(
    documents: Sequence[Document],
    *,
    fast: bool = False,
    length: int | None = None,
    progress: Progress = silent,
) -> Plan:
    """Decide what is told, in which order and in which paragraphs."""
    accounts = tuple(_dated(account(number, one)) for number, one in enumerate(documents))
    accounts = without_withheld_names(accounts)
    vectors, judge = None, None
    if not fast and not unavailable():
        everything = [unit for one in accounts for unit in one.units]
        encoded = encode([unit.text for unit in everything])
        vectors = {unit.key: row for unit, row in zip(everything, encoded, strict=True)}
        accounts = without_other_stories(accounts, vectors)
        judge = judged
    dated = [one.document for one in accounts]
    copies = _copies(accounts)
    units = [unit for one in accounts for unit in one.units if unit.key not in copies]
    passages = align(accounts, vectors, encode)
    told = telling(units, dated, vectors, passages=passages, judge=judge, progress=progress)
    disputed, settled = (
        disputes(units, dated, told, publication_days(dated), judge) if judge else ((), told)
    )
    backbone = _backbone(accounts, told, copies)
    bodies = [[unit for unit in one.units if unit.key not in copies] for one in accounts]
    choice = Choice(frozenset(unit.key for unit in units), {})
    if sum(map(bool, bodies)) > 1:
        choice = choose(bodies, settled, backbone, _old(accounts), _own(accounts))
    days = days_of(units, dated)
    choice = Choice(choice.kept, {**choice.gone, **copies})
    bodies = [list(one.units) for one in accounts]
    if length is not None:
        choice = shortened(choice, bodies, backbone, length)
    text: list[Paragraph] = []
    long = bool(passages.accounts)
    unlike = _unlike(accounts, told, backbone) if judge and not long else frozenset()
    for heading, numbers in _sections(accounts, choice.kept, backbone, unlike):
        later = [
            place for place, number in enumerate(numbers) if _later(accounts, numbers[0], number)
        ]
        some = [bodies[number] for number in numbers]
        for units_told in order(some, choice, told, days, later):
            text.append(Paragraph(units_told, heading))
            heading = ""
    return Plan(
        accounts=accounts,
        chains=link_chains(dated),
        telling=told,
        backbone=backbone,
        choice=choice,
        paragraphs=tuple(text),
        cuts=cuts((unit for one in text for unit in one.units), dated, told) if judge else {},
        passages=passages,
        disputes=disputed,
        proves=judge is not None,
    )


def _dated(one: AccountUnits) -> AccountUnits:
    """The account with its day, where only its dateline or a line that was set aside gives it."""
    day = published(one.document)
    if day is None:
        lines = [one.document.sentences[index].of(one.document.text) for index in sorted(one.aside)]
        day = next(filter(None, map(written_day, lines)), None)
    if day is None or one.document.metadata.date or day.year == YEAR_UNKNOWN:
        return one
    about = replace(one.document.metadata, date=day.isoformat())
    return replace(one, document=replace(one.document, metadata=about))


def _copies(accounts: Sequence[AccountUnits]) -> dict[Key, tuple[Key, ...]]:
    """Units that a longer account, or the same one before, has word for word, with that one."""
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


def _old(accounts: Sequence[AccountUnits]) -> frozenset[int]:
    """The accounts after whose day another was written."""
    days = publication_days([one.document for one in accounts])
    newest = max((day for day in days if day), default=None)
    return frozenset(n for n, day in enumerate(days) if day and newest and day < newest)


def _own(accounts: Sequence[AccountUnits]) -> frozenset[int]:
    """The accounts that have a voice of their own."""
    return frozenset(number for number, one in enumerate(accounts) if one.own)


def _later(accounts: Sequence[AccountUnits], one: int, other: int) -> bool:
    """Whether an account is of a later day than another."""
    days = publication_days([account.document for account in accounts])
    first, second = days[one], days[other]
    return first is not None and second is not None and second > first


def _backbone(
    accounts: Sequence[AccountUnits], told: Telling, copies: Mapping[Key, tuple[Key, ...]]
) -> int:
    """The account that tells most, its own and what others tell too."""

    def tells(number: int) -> float:
        total = 0.0
        for one in accounts:
            for unit in one.units:
                if unit.key in copies:
                    key = copies[unit.key][0]
                    total += told.weight(key) * (number in (unit.account, key[0]))
                else:
                    mine = [key for key in told.tellers(unit.key) if key[0] == number]
                    share = 1.0 if unit.account == number else told.told(unit.key, mine)
                    total += told.weight(unit.key) * share
        headless = any(unit.leans for unit in accounts[number].units[:1])
        total *= _OWN if accounts[number].own else 1.0
        return total * (_HEADLESS if headless else 1.0)

    return max(range(len(accounts)), key=lambda number: (tells(number), -number))


def _unlike(accounts: Sequence[AccountUnits], told: Telling, backbone: int) -> frozenset[int]:
    """The accounts of which nothing fits between what the rest tells."""
    found = set()
    for number, one in enumerate(accounts):
        keys = [unit.key for unit in one.units if told.knows(unit.key)]
        if number == backbone or len(keys) < _FEW:
            continue
        alike, shares = [], []
        for key in keys:
            near = [other for other in told.neighbours(key) if other[0] == backbone]
            alike.append(max((told.likeness(key, other) for other in near), default=0.0))
            shares.append(told.told(key, [one for one in told.tellers(key) if one[0] != number]))
        if mean(alike) < _UNLIKE and mean(shares) < _UNTOLD:
            found.add(number)
    return frozenset(found)


def _sections(
    accounts: Sequence[AccountUnits],
    kept: frozenset[Key],
    backbone: int,
    unlike: frozenset[int] = frozenset(),
) -> list[tuple[str, list[int]]]:
    """The accounts of the backbone's days, those of others by time, then each in its own voice.

    Each section has its heading and its accounts, those that tell most first. Whoever says "I" or
    "we" is heard alone, and so is an account that is neither like the rest nor of a known day.
    """
    days = publication_days([one.document for one in accounts])
    main = days[backbone]
    words = [sum(unit.words for unit in one.units if unit.key in kept) for one in accounts]
    numbers = sorted(range(len(accounts)), key=lambda n: (n != backbone, -words[n]))
    own = [number for number in numbers if accounts[number].own and len(accounts) > 1]
    alone: list[int] = []
    sections: dict[date | None, list[int]] = {None: []}
    for number in numbers:
        if number in own:
            continue
        day = days[number]
        if main is None or day is None:
            (alone if number in unlike else sections[None]).append(number)
        elif abs(day - main) <= _APART:
            sections[None].append(number)
        else:
            near = next((one for one in sections if one and abs(one - day) <= _APART), day)
            sections.setdefault(near, []).append(number)
    first = ("", sections.pop(None))
    later = [
        (sorted(filter(None, (days[number] for number in numbers))), numbers)
        for day, numbers in sections.items()
        if day
    ]
    return [
        *([first] if first[1] else []),
        *((_heading(told[0], told[-1]), numbers) for told, numbers in sorted(later)),
        *((_introduced(accounts[number]), [number]) for number in (*alone, *own)),
    ]


def _introduced(one: AccountUnits) -> str:
    """What says that somebody else tells from here on."""
    about = one.document.metadata
    titled = about.title and written_day(about.title) is None
    who = about.source or (f"“{about.title}”" if titled else "")
    return (
        f"In the words of {who or 'one account'}:"
        if one.own
        else f"From {who or 'another account'}:"
    )


def _heading(first: date, last: date) -> str:
    """What says when a section was reported."""
    if first == last:
        return f"Reported on {_written(first)}:"
    return f"Reported from {_written(first)} to {_written(last)}:"


def _written(day: date) -> str:
    return f"{day:%B} {day.day}" + (f", {day.year}" if day.year != YEAR_UNKNOWN else "")
