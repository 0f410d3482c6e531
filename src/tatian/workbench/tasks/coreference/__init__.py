"""Annotators mark phrases for the same thing and link them, by the MUC-6 definition.

The answers are `tatian.coreference.annotation.Markup`: phrases with MIN, links back to antecedents
in the order that §7 recommends, and OPT.
"""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tatian.coreference.annotation import Markable, Markup
from tatian.coreference.comparing import KINDS, compare_document
from tatian.coreference.metrics.chains import score_pairs
from tatian.coreference.metrics.documents import pair
from tatian.coreference.metrics.matching import Match
from tatian.errors import TatianError
from tatian.formats import find
from tatian.formats.muc.minimal import needs_minimum
from tatian.text import CHAINS, Document
from tatian.text.records import Record
from tatian.workbench.settings import Stage
from tatian.workbench.tasks import Exported, NewItem, Plain
from tatian.workbench.tasks.advising import Advice
from tatian.workbench.tasks.agreement import Answers, Measure, Rule, Settled
from tatian.workbench.tasks.coreference.advice import advise, analyses
from tatian.workbench.tasks.coreference.agreement import Phrases, links, settle
from tatian.workbench.tasks.coreference.content import (
    Content,
    Gold,
    Options,
    checked,
    markup_of,
    stored,
)
from tatian.workbench.tasks.coreference.reading import KEYS, checked_gold, read
from tatian.workbench.tasks.reading import converted, plain, shipped

if TYPE_CHECKING:
    from tatian.coreference.models import Resolver
    from tatian.mentions.models import Detector


EXPORTS = {"sgm": "muc", "conll": "conll", "jsonl": "jsonl"}
"""The ending of each exported file and its format; ``tatian coref score`` reads them all."""


class CoreferenceTask:
    """Coreference by the MUC-6 definition."""

    name = "coreference"
    title = "Mark coreference"
    folder = Path(__file__).parent
    module = "coreference.js"
    columns = KEYS
    demo_stages = (
        Stage("training", feedback=True),
        Stage("subtle cases", feedback=True, pass_mark=0.6),
        Stage("documents"),
    )

    def guidelines(self) -> str:
        """The instructions that come with the task."""
        return shipped("coreference", "guidelines.md").decode()

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
        return f1([(right, given)], match="min")

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
                written = "".join(find(format, "coreference").write(ordered))
                yield Exported(f"{annotator}.{ending}", written.encode())

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """Pairwise CoNLL F1, F1 of mentions, and alpha on links."""
        return agreement(
            {key: stored(content) for key, content in contents.items()},
            {key: _by_annotator(given) for key, given in answers.items()},
        )

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """The phrases and links that enough annotators have, and the chains they differ in."""
        return settle(stored(content), _by_annotator(answers), rule)

    def demo(self) -> Sequence[NewItem]:
        """Two training stages with the right markup, and documents to annotate."""
        return list(self.read("coreference.jsonl", shipped("coreference", "demo.jsonl"), {}))


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


Markups = Mapping[str, Markup]
"""One document's answers by annotator."""


def agreement(contents: Mapping[str, Content], answers: Mapping[str, Markups]) -> list[Measure]:
    """The figures over all documents that two or more annotated."""
    shared = {key: given for key, given in answers.items() if len(given) > 1 and key in contents}
    names = sorted({name for given in shared.values() for name in given})
    chains: dict[str, float] = {}
    mentions: dict[str, float] = {}
    compared: Counter[str] = Counter()
    for one, other in combinations(names, 2):
        both = {key: given for key, given in shared.items() if one in given and other in given}
        if not both:
            continue
        sides = [
            (contents[key].document(key, given[one]), contents[key].document(key, given[other]))
            for key, given in both.items()
        ]
        turned = [(second, first) for first, second in sides]
        named = f"{one} {other}"
        compared[named] = len(both)
        chains[named] = (f1(sides) + f1(turned)) / 2
        mentions[named] = (f1(sides, "mentions") + f1(turned, "mentions")) / 2
    alpha, units = links_alpha([Phrases.of(given) for given in shared.values()])
    detail = "by pairs of annotators, documents both annotated"
    return [
        Measure("CoNLL F1 of chains", _mean(chains, compared), len(shared), detail, chains),
        Measure("F1 of mentions", _mean(mentions, compared), len(shared), detail, mentions),
        Measure("alpha on links", alpha, units, "nominal, over pairs of marked phrases"),
    ]


def f1(
    sides: Sequence[tuple[Document, Document]], metric: str = "conll", match: Match = "head"
) -> float:
    """F1 of chains or mentions, of all documents together; 1 where neither side has any."""
    if not any(side.get(CHAINS) for both in sides for side in both):
        return 1.0
    pairs = [pair(key, response, match) for key, response in sides]
    return score_pairs(pairs, metrics=[metric]).rates(metric).f1


def links_alpha(documents: Iterable[Phrases]) -> tuple[float | None, int]:
    """Krippendorff's alpha on whether two phrases are linked, and how many pairs there are.

    Only pairs that somebody links are looked at one by one; of the others only the number matters.
    """
    linked = unlinked = differing = 0.0
    units = 0
    for phrases in documents:
        coders = len(phrases.chains)
        size = len(phrases.order)
        everything = size * (size - 1) // 2
        units += everything
        votes = links(phrases)
        linked += sum(votes.values())
        unlinked += everything * coders - sum(votes.values())
        differing += sum(2 * n * (coders - n) / (coders - 1) for n in votes.values())
    if not linked or not unlinked:
        return None, units
    total = linked + unlinked
    value = 1 - (total - 1) * differing / (2 * linked * unlinked)
    return (None if math.isnan(value) else value), units


def _mean(values: Mapping[str, float], weights: Mapping[str, int]) -> float | None:
    """The mean of the pairs, each weighted by its documents."""
    total = sum(weights.values())
    return sum(values[name] * weights[name] for name in values) / total if total else None


_turn = threading.Lock()


def draft(content: Content) -> Markup | None:
    """What our resolver would mark and link; None where it cannot run or finds nothing."""
    analysed = analyses.of(content)
    if analysed is None:
        return None
    try:
        with _turn:
            detector, resolver = _tools()
            found = markup_of(resolver.resolve(detector.detect(analysed.document)))
    except TatianError:
        return None
    return found if found is not None and found.markables else None


@cache
def _tools() -> tuple[Detector, Resolver]:
    from tatian.coreference.models import resolvers
    from tatian.mentions.models import detectors

    return detectors.create(), resolvers.create(resolvers.default, scheme="muc")
