"""Annotators mark phrases for the same thing and link them, by the MUC-6 definition.

The answers are `tatian.coreference.annotation.Markup`: phrases with MIN, links back to antecedents
in the order that §7 recommends, and OPT.

While somebody works the page is given advice on the markup. The analysis that it needs takes a
second for each thousand words or so: it is made once for each text and kept while the text is among
the last that were asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.coreference.analysis import analysed
from tatian.coreference.annotation import Markable, Markup, chains_of
from tatian.coreference.checks import check_content
from tatian.coreference.checks.form import FORM
from tatian.coreference.checks.mentions import check_mentions
from tatian.coreference.checks.rules import CheckRule
from tatian.coreference.definition import markables
from tatian.coreference.diff import KINDS, compare_document
from tatian.coreference.models import Resolver, resolvers
from tatian.errors import TatianError
from tatian.formats import find
from tatian.formats.muc import MARKABLES
from tatian.formats.muc.markables import needs_minimum
from tatian.mentions.models import Detector, detectors
from tatian.text import CHAINS, Authorship, Document
from tatian.workbench.settings import CampaignStage, said
from tatian.workbench.tasks import (
    Advice,
    Exported,
    NewItem,
    Note,
    Plain,
    Records,
    Task,
    by_model,
    standing,
)
from tatian.workbench.tasks.agreement import Answers, ByItem, Contents, Measure, Settled, VotingRule
from tatian.workbench.tasks.coreference.agreement import f1, measured, settle
from tatian.workbench.tasks.coreference.content import (
    KEYS,
    CoreferenceGold,
    CoreferenceItem,
    checked,
    checked_gold,
    markup_of,
    read,
    stored,
)
from tatian.workbench.tasks.items import converted, form, plain

LONGEST = 200_000
"""Characters of a text that is analysed while somebody waits."""
_KEPT = 8
_turn = threading.Lock()
_BY = Authorship(by="markup", kind="person")


def analysed_text(content: CoreferenceItem) -> Document | None:
    """The text with its words, trees and names; None where it cannot be analysed here."""
    if len(content.text) > LONGEST or unavailable():
        return None
    with _turn:
        return _analysed(content)


def advise(
    content: CoreferenceItem, markup: Markup, *, rules: bool = True, phrases: bool = False
) -> Advice:
    """What the rules of the definition say of the markup, in the order of the text."""
    document = analysed_text(content) if rules or phrases else None
    notes: list[Note] = []
    if rules:
        notes = list(_notes(content, markup, document))
        places = {one.id: (one.start, -one.end) for one in markup.markables}
        notes.sort(key=lambda note: places.get(note.markable, (0, 0)))
    found = None
    if phrases:
        found = () if document is None else _phrases(content)
    return Advice(tuple(notes), found, document is not None)


@lru_cache(_KEPT)
def _analysed(content: CoreferenceItem) -> Document | None:
    try:
        return analysed(content.document("item"))
    except TatianError:
        return None


@lru_cache(_KEPT)
def _phrases(content: CoreferenceItem) -> tuple[tuple[int, int, int, int], ...]:
    """Where each phrase that can be marked begins and ends, and its MIN."""
    document = _analysed(content)
    found = ((one, one.head or one) for one in (markables(document) if document else ()))
    return tuple((one.start, one.end, head.start, head.end) for one, head in found)


def _marked(document: Document, markup: Markup) -> Document:
    """The document with all that is marked, what has no link yet too."""
    full = document.with_layer(MARKABLES, markup.markables, _BY)
    return full.with_layer(CHAINS, chains_of(markup.markables), _BY)


def _notes(content: CoreferenceItem, markup: Markup, document: Document | None) -> Iterator[Note]:
    """What is said of parts, of single marks, and where the text is analysed of what it says."""
    for marked in markup.markables:
        if (part := content.excluded(marked)) is not None:
            message = f"it lies in <{part.name}>, which is not annotated"
            yield _note(marked.id, FORM["excluded-part"], message, "delete the mark")
    for rule, one in check_mentions(_marked(content.document("item"), markup)):
        yield _note(one.mark.id, rule, one.message, one.advice)
    for found in () if document is None else check_content(_marked(document, markup)):
        yield _note(found.markable, found.rule, found.message, found.advice)


def _note(id: str, rule: CheckRule, message: str, advice: str) -> Note:
    return Note(id, rule.name, rule.section, rule.severity, message, advice)


EXPORTS = {"sgm": "muc", "conll": "conll", "jsonl": "jsonl"}
"""The ending of each exported file and its format; ``tatian coref score`` reads them all."""


class CoreferenceOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign of coreference can be told."""

    checks: Annotated[
        bool, said("Checks", "Whether the rules of the definition are asked while people work.")
    ] = True
    phrases: Annotated[
        bool, said("Phrases", "Whether an analysis of the text suggests MIN and borders.")
    ] = True


class CoreferenceTask(Task):
    """Coreference by the MUC-6 definition."""

    name = "coreference"
    title = "Mark coreference"
    folder = Path(__file__).parent
    module = "coreference.js"
    columns = KEYS
    holds = staticmethod(stored)
    options = CoreferenceOptions
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.6),
        CampaignStage("documents"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Plain text (one document a file), JSONL or CSV with ``text``, or any corpus format.

        The chains of a corpus file are gold only where the mapping says {"gold": "chains"}.
        """
        return read(name, data, mapping)

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """Markup that fits the text."""
        return checked_gold(stored(content), gold)

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The text, where its words are, and which stretches of it are not annotated."""
        item, wanted = stored(content), _options(options)
        closed = [[part.start, part.end] for part in item.parts if not part.annotated]
        return {
            "text": item.text,
            "title": item.title,
            "tokens": [place for token in item.words() for place in (token.start, token.end)],
            "closed": closed,
            "checks": wanted.checks,
            "phrases": wanted.phrases,
        }

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Markup that fits the text, with its links in the order that §7 recommends."""
        return plain(checked(stored(content), answer, "not an answer of this page"))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """CoNLL F1, mentions matched by MIN; 1 where neither has a chain, 0 where one has none."""
        item = stored(content)
        right, given = item.document("item", _gold(gold)), item.document("item", _markup(answer))
        return f1([(right, given)], match="min")

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The right markup, and each difference from it in words.

        A phrase whose MIN alone differs is named under ``minima``: it costs nothing.
        """
        item, right, own = stored(content), _gold(gold), _markup(answer)
        return {
            **super().feedback(content, gold, answer),
            "gold": plain(Markup(right.markables)),
            "answer": answer,
            "differences": _differences(item, right, own),
            "minima": _minima(item.text, right, own),
        }

    def suggest(self, content: Plain) -> Plain | None:
        """What our resolver marks; None where it cannot run."""
        found = draft(stored(content))
        return None if found is None else plain(found)

    def advise(self, content: Plain, options: Plain, answer: Any, *, phrases: bool) -> Advice:
        """What the rules of the definition say of an answer in the making."""
        item, wanted = stored(content), _options(options)
        markup = converted(answer, Markup, "not markup of this page")
        markup.check(item.text)
        return advise(item, markup, rules=wanted.checks, phrases=phrases and wanted.phrases)

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """For each annotator the documents as MUC SGML, as CoNLL-2012 and as Tatian documents."""
        contents = {item.key: stored(item.content) for item in items}
        made: dict[str, dict[str, Document]] = {}
        for record in standing(records, contents):
            document = contents[record.item].document(record.item, _markup(record.answer))
            made.setdefault(record.made.by, {})[record.item] = document
        for annotator, documents in made.items():
            ordered = [documents[key] for key in contents if key in documents]
            for ending, format in EXPORTS.items():
                written = "".join(find(format, "coreference").write(ordered))
                yield Exported(f"{annotator}.{ending}", written.encode())

    def document(self, key: str, content: Plain, answer: Plain | None) -> Document:
        """The text with the chains of an answer."""
        return stored(content).document(key, None if answer is None else _markup(answer))

    def of_document(self, document: Document) -> Plain:
        """The chains of a document as markup."""
        return plain(markup_of(document) or Markup())

    def agreement(self, contents: Contents, answers: ByItem) -> Sequence[Measure]:
        """Pairwise CoNLL F1, F1 of mentions, and alpha on links."""
        return measured(
            {key: stored(content) for key, content in contents.items()},
            {key: _by_annotator(given) for key, given in answers.items()},
        )

    def settled(self, content: Plain, answers: Answers, rule: VotingRule) -> Settled:
        """The phrases and links that enough annotators have, and the chains they differ in."""
        return settle(stored(content), _by_annotator(answers), rule)


def _differences(content: CoreferenceItem, gold: Markup, answer: Markup) -> list[Plain]:
    right, given = content.document("gold", gold), content.document("own", answer)
    compared = compare_document(right, given, "min")
    found = []
    for error in compared.errors:
        ours = [compared.key.mentions[place].of(content.text) for place in error.key]
        theirs = [compared.response.mentions[place].of(content.text) for place in error.response]
        kind = KINDS[error.kind]
        found.append({"kind": error.kind, "name": kind.name, "meaning": kind.meaning,
                      "gold": ours, "own": theirs})  # fmt: skip
    return found


def _minima(text: str, gold: Markup, answer: Markup) -> list[Plain]:
    own = {(one.start, one.end): one for one in answer.markables}
    found = []
    for right in gold.markables:
        given = own.get((right.start, right.end))
        if given is None:
            continue
        ours, theirs = _minimum(text, right), _minimum(text, given)
        if ours != theirs:
            found.append({"phrase": right.of(text), "gold": _quoted(text, ours),
                          "own": _quoted(text, theirs)})  # fmt: skip
    return found


def _minimum(text: str, markable: Markable) -> tuple[int, int] | None:
    head = markable.head
    if head is None or not needs_minimum(text, markable, head):
        return None
    return head.start, head.end


def _quoted(text: str, minimum: tuple[int, int] | None) -> str | None:
    return None if minimum is None else text[slice(*minimum)]


def _by_annotator(answers: Answers) -> dict[str, Markup]:
    return {annotator: _markup(answer) for annotator, answer in answers.items()}


_markup = form(Markup, "not markup")
_gold = form(CoreferenceGold, "gold")
_options = form(CoreferenceOptions, "options of the campaign")


@by_model
def draft(content: CoreferenceItem) -> Markup | None:
    """What our resolver would mark and link; None where it cannot run or finds nothing."""
    analysed = analysed_text(content)
    if analysed is None:
        return None
    detector, resolver = _tools()
    found = markup_of(resolver.resolve(detector.detect(analysed)))
    return found if found is not None and found.markables else None


@cache
def _tools() -> tuple[Detector, Resolver]:
    return detectors.create(), resolvers.create(resolvers.default, scheme="muc")
