"""Annotation task: mark phrases for the same thing and link them, by the MUC-6 definition.

Answers are stored as `Markup`: phrases with MIN, links to earlier phrases in the order that §7
recommends, and OPT.

While a person works, the page shows advice on the markup. It needs an analysis of the text, which
takes about a second per thousand words and is cached for the last few texts.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from tatian.analysis.installed import unavailable
from tatian.coreference.analysis import analyse
from tatian.coreference.checks import check_content
from tatian.coreference.checks.checker import check_mentions
from tatian.coreference.checks.form import FORM
from tatian.coreference.checks.rules import CheckRule
from tatian.coreference.definition import markables
from tatian.coreference.diff import KINDS, compare_document
from tatian.coreference.models import Resolver, resolvers
from tatian.errors import TatianError
from tatian.formats import find
from tatian.formats.muc import MARKABLES
from tatian.formats.muc.markables import Markable, Markup, chains_of, needs_minimum
from tatian.mentions.models import Detector, detectors
from tatian.text import CHAINS, Authorship, Document, Span
from tatian.workbench.settings import CampaignStage, describe
from tatian.workbench.tasks import (
    Advice,
    Exported,
    Json,
    NewItem,
    Note,
    Records,
    Task,
    by_model,
    current_records,
)
from tatian.workbench.tasks.agreement import (
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    convert_answers,
)
from tatian.workbench.tasks.coreference.agreement import f1, measure, settle
from tatian.workbench.tasks.coreference.content import (
    FIELDS,
    CoreferenceGold,
    CoreferenceItem,
    check_gold,
    check_markup,
    markup_of,
    read_documents,
    to_item,
)
from tatian.workbench.tasks.items import convert, converter, to_json

MAX_ANALYSED_CHARACTERS = 200_000
"""Maximum number of characters of a text that is analysed while a person waits."""
_CACHED_TEXTS = 8
"""Number of texts whose analysis is cached."""
_analysis_lock = threading.Lock()
_AUTHORSHIP = Authorship(by="markup", kind="person")


def analysed_text(content: CoreferenceItem) -> Document | None:
    """Return the text with words, trees and names; None if it cannot be analysed here."""
    if len(content.text) > MAX_ANALYSED_CHARACTERS or unavailable():
        return None
    with _analysis_lock:
        return _analyse(content)


def advise(
    content: CoreferenceItem, markup: Markup, *, rules: bool = True, phrases: bool = False
) -> Advice:
    """Return the remarks of the definition's rules on the markup, in the order of the text."""
    document = analysed_text(content) if rules or phrases else None
    starts = {markable.id: (markable.start, -markable.end) for markable in markup.markables}
    notes = _notes(content, markup, document) if rules else ()
    ordered = sorted(notes, key=lambda note: starts.get(note.markable, (0, 0)))
    analysed = document is not None
    places = (_phrases(content) if analysed else ()) if phrases else None
    return Advice(tuple(ordered), places, analysed)


@lru_cache(_CACHED_TEXTS)
def _analyse(content: CoreferenceItem) -> Document | None:
    try:
        return analyse(content.document("item"))
    except TatianError:
        return None


@lru_cache(_CACHED_TEXTS)
def _phrases(content: CoreferenceItem) -> tuple[tuple[int, int, int, int], ...]:
    """Return start and end of each phrase that can be marked, and of its MIN."""
    document = _analyse(content)
    phrases = markables(document) if document else ()
    heads = ((markable, markable.head or markable) for markable in phrases)
    return tuple((markable.start, markable.end, head.start, head.end) for markable, head in heads)


def _mark(document: Document, markup: Markup) -> Document:
    """Return the document with all marks, also those without a link."""
    full = document.with_layer(MARKABLES, markup.markables, _AUTHORSHIP)
    return full.with_layer(CHAINS, chains_of(markup.markables), _AUTHORSHIP)


def _notes(content: CoreferenceItem, markup: Markup, document: Document | None) -> Iterator[Note]:
    """Yield remarks on the form of the markup and, if the text is analysed, on its content."""
    for marked in markup.markables:
        if (part := content.excluded(marked)) is not None:
            message = f"it lies in <{part.name}>, which is not annotated"
            yield _note(marked.id, FORM["excluded-part"], message, "delete the mark")
    for rule, breach in check_mentions(_mark(content.document("item"), markup)):
        yield _note(breach.mark.id, rule, breach.message, breach.advice)
    for finding in () if document is None else check_content(_mark(document, markup)):
        yield _note(finding.markable, finding.rule, finding.message, finding.advice)


def _note(id: str, rule: CheckRule, message: str, advice: str) -> Note:
    return Note(id, rule.name, rule.section, rule.severity, message, advice)


EXPORTS = {"sgm": "muc", "conll": "conll", "jsonl": "jsonl"}
"""Format of each exported file by its ending; ``tatian coref score`` reads them all."""


class CoreferenceOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a coreference campaign."""

    checks: Annotated[
        bool, describe("Checks", "Whether the rules of the definition are asked while people work.")
    ] = True
    phrases: Annotated[
        bool, describe("Phrases", "Whether an analysis of the text suggests MIN and borders.")
    ] = True


class CoreferenceTask(Task):
    """Task of marking coreference by the MUC-6 definition."""

    name = "coreference"
    title = "Mark coreference"
    folder = Path(__file__).parent
    module = "coreference.js"
    columns = FIELDS
    convert_item = staticmethod(to_item)
    options = CoreferenceOptions
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.6),
        CampaignStage("documents"),
    )

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Read plain text (one document a file), JSONL or CSV with ``text``, or any corpus format.

        The chains of a corpus file are gold only if the mapping says {"gold": "chains"}.
        """
        return read_documents(name, data, mapping)

    def gold(self, content: Json, gold: Json) -> Json:
        """Return markup that fits the text."""
        return check_gold(to_item(content), gold)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the text, the offsets of its words, and the parts that are not annotated."""
        item, page_options = to_item(content), _options(options)
        return {
            "text": item.text,
            "title": item.title,
            "tokens": [place for token in item.words() for place in (token.start, token.end)],
            "closed": [[part.start, part.end] for part in item.parts if not part.annotated],
            "checks": page_options.checks,
            "phrases": page_options.phrases,
        }

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return markup that fits the text, with its links in the order that §7 recommends."""
        return to_json(check_markup(to_item(content), answer, "not an answer of this page"))

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return CoNLL F1, mentions matched by MIN; 1 if neither has a chain, 0 if one has none."""
        item = to_item(content)
        key, response = item.document("item", _gold(gold)), item.document("item", _markup(answer))
        return f1([(key, response)], match="min")

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return the right markup, and each difference from it in words.

        Phrases of which only MIN differs are listed under ``minima``; they do not lower the score.
        """
        item, gold_markup, markup = to_item(content), _gold(gold), _markup(answer)
        return {
            **super().feedback(content, gold, answer),
            "gold": to_json(Markup(gold_markup.markables)),
            "answer": answer,
            "differences": _compare(item, gold_markup, markup),
            "minima": _minima(item.text, gold_markup, markup),
        }

    def suggest(self, content: Json) -> Json | None:
        """Return the markup of Tatian's resolver; None if it cannot run."""
        markup = draft_markup(to_item(content))
        return None if markup is None else to_json(markup)

    def advise(self, content: Json, options: Json, answer: Any, *, phrases: bool) -> Advice:
        """Return the remarks of the definition's rules on an unfinished answer."""
        item, page_options = to_item(content), _options(options)
        markup = convert(answer, Markup, "not markup of this page")
        markup.check(item.text)
        return advise(
            item, markup, rules=page_options.checks, phrases=phrases and page_options.phrases
        )

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield the documents of each annotator as MUC SGML, CoNLL-2012 and Tatian documents."""
        contents = {item.key: to_item(item.content) for item in items}
        by_annotator: dict[str, dict[str, Document]] = {}
        for record in current_records(records, contents):
            document = contents[record.item].document(record.item, _markup(record.answer))
            by_annotator.setdefault(record.made.by, {})[record.item] = document
        for annotator, documents in by_annotator.items():
            ordered = [documents[key] for key in contents if key in documents]
            for ending, format in EXPORTS.items():
                written = "".join(find(format, "coreference").write(ordered))
                yield Exported(f"{annotator}.{ending}", written.encode())

    def document(self, key: str, content: Json, answer: Json | None) -> Document:
        """Return the text with the chains of an answer."""
        return to_item(content).document(key, None if answer is None else _markup(answer))

    def of_document(self, document: Document) -> Json:
        """Return the chains of a document as markup."""
        return to_json(markup_of(document) or Markup())

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return pairwise CoNLL F1, F1 of mentions, and alpha of links."""
        return measure(
            {key: to_item(content) for key, content in contents.items()},
            {key: convert_answers(by_person, _markup) for key, by_person in answers.items()},
        )

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return the phrases and links of enough annotators, and the chains that they differ in."""
        return settle(to_item(content), convert_answers(answers, _markup), rule)


def _compare(content: CoreferenceItem, gold: Markup, answer: Markup) -> list[Json]:
    """Return each difference of the chains in words."""
    gold_document, answer_document = content.document("gold", gold), content.document("own", answer)
    compared = compare_document(gold_document, answer_document, "min")
    key, response = compared.key.mentions, compared.response.mentions
    return [
        {
            "kind": error.kind,
            "name": KINDS[error.kind].name,
            "meaning": KINDS[error.kind].meaning,
            "gold": [key[index].of(content.text) for index in error.key],
            "own": [response[index].of(content.text) for index in error.response],
        }
        for error in compared.errors
    ]


def _minima(text: str, gold: Markup, answer: Markup) -> list[Json]:
    """Return the phrases of which only MIN differs."""
    marked = {(mark.start, mark.end): mark for mark in answer.markables}
    differences = []
    for gold_mark in gold.markables:
        mark = marked.get((gold_mark.start, gold_mark.end), gold_mark)
        right, marked_minimum = _minimum(text, gold_mark), _minimum(text, mark)
        if right != marked_minimum:
            minima = {"gold": right, "own": marked_minimum}
            quoted = {who: span and span.of(text) for who, span in minima.items()}
            differences.append({"phrase": gold_mark.of(text), **quoted})
    return differences


def _minimum(text: str, markable: Markable) -> Span | None:
    head = markable.head
    return Span(head.start, head.end) if head and needs_minimum(text, markable, head) else None


_markup = converter(Markup, "not markup")
_gold = converter(CoreferenceGold, "gold")
_options = converter(CoreferenceOptions, "options of the campaign")


@by_model
def draft_markup(content: CoreferenceItem) -> Markup | None:
    """Return the markup of Tatian's resolver; None if it cannot run or finds nothing."""
    analysed = analysed_text(content)
    if analysed is None:
        return None
    detector, resolver = _tools()
    markup = markup_of(resolver.resolve(detector.detect(analysed)))
    return markup if markup is not None and markup.markables else None


@cache
def _tools() -> tuple[Detector, Resolver]:
    return detectors.create(), resolvers.create(resolvers.default, scheme="muc")
