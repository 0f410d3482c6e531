"""Annotators mark phrases for the same thing and link them, by the MUC-6 definition.

The answers are `tatian.coreference.annotation.Markup`: phrases with MIN, links back to antecedents
in the order that §7 recommends, and OPT.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatian.coreference.annotation import Markable, Markup
from tatian.coreference.comparing import KINDS, compare_document
from tatian.coreference.data.formats import find
from tatian.coreference.data.muc.minimal import needs_minimum
from tatian.text import Document
from tatian.text.records import Record
from tatian.workbench.settings import Stage
from tatian.workbench.tasks import Exported, NewItem, Plain, coreference_agreement
from tatian.workbench.tasks.advising import Advice
from tatian.workbench.tasks.comparing import Answers, Measure, Rule, Settled
from tatian.workbench.tasks.coreference_checks import advise
from tatian.workbench.tasks.coreference_content import (
    Content,
    Gold,
    Options,
    checked,
    stored,
)
from tatian.workbench.tasks.coreference_reading import KEYS, checked_gold, read
from tatian.workbench.tasks.coreference_settling import settle
from tatian.workbench.tasks.reading import converted, plain, shipped

EXPORTS = {"sgm": "muc", "conll": "conll", "jsonl": "jsonl"}
"""The ending of each exported file and its format; ``tatian coref score`` reads them all."""


class CoreferenceTask:
    """Coreference by the MUC-6 definition."""

    name = "coreference"
    title = "Mark coreference"
    module = "coref.js"
    columns = KEYS
    demo_stages = (
        Stage("training", feedback=True),
        Stage("subtle cases", feedback=True, pass_mark=0.6),
        Stage("documents"),
    )

    def guidelines(self) -> str:
        """The instructions that come with the task."""
        return shipped("guidelines", "coreference.md").decode()

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Plain text (one document a file), JSONL or CSV with ``text``, or any corpus format.

        The chains of a corpus file are gold only where the mapping says {"gold": "chains"}.
        """
        return read(name, data, mapping)

    def content(self, plain_content: Plain) -> Plain:
        """The text, its words and parts where the file says them, and the file's own form."""
        return plain(stored(plain_content))

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """Markup that fits the text."""
        return checked_gold(stored(content), gold)

    def check_options(self, options: Plain) -> None:
        """Refuse what `Options` does not have."""
        _options(options)

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

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The same: nothing is shuffled."""
        return plain(_markup(answer))

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """CoNLL F1, mentions matched by MIN; 1 where neither has a chain, 0 where one has none."""
        item = stored(content)
        right, given = item.document("item", _gold(gold)), item.document("item", _markup(answer))
        return coreference_agreement.f1([(right, given)], match="min")

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The right markup, and each difference from it in words.

        A phrase whose MIN alone differs is named under ``minima``: it costs nothing.
        """
        right = _gold(gold)
        return {
            "gold": plain(Markup(right.markables)),
            "answer": answer,
            "differences": _differences(stored(content), right, _markup(answer)),
            "minima": _minima(stored(content).text, right, _markup(answer)),
            "score": self.score(content, gold, answer),
            "note": right.note,
        }

    def suggest(self, content: Plain) -> Plain | None:
        """What our resolver marks; None where it cannot run."""
        from tatian.workbench.tasks.coreference_drafts import draft

        found = draft(stored(content))
        return None if found is None else plain(found)

    def advise(self, content: Plain, options: Plain, answer: Any, *, phrases: bool) -> Advice:
        """What the rules of the definition say of an answer in the making."""
        item, wanted = stored(content), _options(options)
        markup = converted(answer, Markup, "not markup of this page")
        markup.check(item.text)
        return advise(item, markup, rules=wanted.checks, phrases=phrases and wanted.phrases)

    def export(
        self, items: Sequence[NewItem], records: Sequence[Record[Plain]]
    ) -> Iterable[Exported]:
        """For each annotator the documents as MUC SGML, as CoNLL-2012 and as Tatian documents."""
        contents = {item.key: stored(item.content) for item in items}
        replaced = {record.replaces for record in records}
        made: dict[str, dict[str, Document]] = {}
        for record in records:
            if record.id not in replaced and record.item in contents:
                document = contents[record.item].document(record.item, _markup(record.answer))
                made.setdefault(record.made.by, {})[record.item] = document
        for annotator, documents in made.items():
            ordered = [documents[key] for key in contents if key in documents]
            for ending, format in EXPORTS.items():
                written = "".join(find(format).write(ordered))
                yield Exported(f"{annotator}.{ending}", written.encode())

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """Pairwise CoNLL F1, F1 of mentions, and alpha on links; see `coreference_agreement`."""
        return coreference_agreement.agreement(
            {key: stored(content) for key, content in contents.items()},
            {key: _by_annotator(given) for key, given in answers.items()},
        )

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """The phrases and links that enough annotators have, and the chains they differ in."""
        return settle(stored(content), _by_annotator(answers), rule)

    def demo(self) -> Sequence[NewItem]:
        """Two training stages with the right markup, and documents to annotate."""
        return list(self.read("coreference.jsonl", shipped("demos", "coreference.jsonl"), {}))


def _differences(content: Content, gold: Markup, answer: Markup) -> list[Plain]:
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


def _markup(answer: Any) -> Markup:
    return converted(answer, Markup, "not markup")


def _gold(gold: Any) -> Gold:
    return converted(gold, Gold, "gold")


def _options(options: Plain) -> Options:
    return converted(options, Options, "options of the campaign")
