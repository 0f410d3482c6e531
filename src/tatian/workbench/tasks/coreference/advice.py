"""What the coreference page is told while somebody works: advice on the markup, phrases with MIN.

The analysis of a text takes a second for each thousand words or so. It is made once for each text
and kept while the text is among the last that were asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property, lru_cache

from tatian.analysis.installed import unavailable
from tatian.coreference.annotation import Markup, chains_of
from tatian.coreference.checks import CheckFinding, check_content
from tatian.coreference.checks.form import FORM
from tatian.coreference.checks.mentions import check_mentions
from tatian.errors import TatianError
from tatian.formats.muc import MARKABLES
from tatian.text import CHAINS, Authorship, Document
from tatian.workbench.tasks import Advice, Note
from tatian.workbench.tasks.coreference.content import CoreferenceItem

LONGEST = 200_000
"""Characters of a text that is analysed while somebody waits."""
_KEPT = 8
_turn = threading.Lock()
_BY = Authorship(by="markup", kind="person")


class Analysed:
    """A text with its words, trees and names, and the phrases that can be marked in it."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def phrases(self) -> tuple[tuple[int, int, int, int], ...]:
        """Where each begins and ends, and its MIN."""
        from tatian.coreference.definition import markables

        found = ((one, one.head or one) for one in markables(self.document))
        return tuple((one.start, one.end, head.start, head.end) for one, head in found)


def analysed_text(content: CoreferenceItem) -> Analysed | None:
    """The analysed text; None where it cannot be analysed here."""
    if len(content.text) > LONGEST or unavailable():
        return None
    with _turn:
        return _analysed(content)


def advise(
    content: CoreferenceItem, markup: Markup, *, rules: bool = True, phrases: bool = False
) -> Advice:
    """What the rules of the definition say of the markup, in the order of the text."""
    analysed = analysed_text(content) if rules or phrases else None
    notes: list[Note] = []
    if rules:
        notes = [*_excluded(content, markup), *_of_mentions(content, markup)]
        if analysed is not None:
            notes += map(_note, check_content(_marked(analysed.document, markup)))
        places = {one.id: (one.start, -one.end) for one in markup.markables}
        notes.sort(key=lambda note: places.get(note.markable, (0, 0)))
    found = None
    if phrases:
        found = () if analysed is None else analysed.phrases
    return Advice(tuple(notes), found, analysed is not None)


@lru_cache(_KEPT)
def _analysed(content: CoreferenceItem) -> Analysed | None:
    from tatian.coreference.analysis import analysed

    try:
        return Analysed(analysed(content.document("item")))
    except TatianError:
        return None


def _marked(document: Document, markup: Markup) -> Document:
    """The document with all that is marked, what has no link yet too."""
    full = document.with_layer(MARKABLES, markup.markables, _BY)
    return full.with_layer(CHAINS, chains_of(markup.markables), _BY)


def _excluded(content: CoreferenceItem, markup: Markup) -> Iterator[Note]:
    rule = FORM["excluded-part"]
    for one in markup.markables:
        part = content.excluded(one)
        if part is not None:
            message = f"it lies in <{part.name}>, which is not annotated"
            yield Note(one.id, rule.name, rule.section, rule.severity, message, "delete the mark")


def _of_mentions(content: CoreferenceItem, markup: Markup) -> Iterator[Note]:
    for rule, found in check_mentions(_marked(content.document("item"), markup)):
        id = found.mark.id
        yield Note(id, rule.name, rule.section, rule.severity, found.message, found.advice)


def _note(finding: CheckFinding) -> Note:
    rule, id = finding.rule, finding.markable
    return Note(id, rule.name, rule.section, rule.severity, finding.message, finding.advice)
