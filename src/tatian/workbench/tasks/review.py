"""Reviewers accept, edit or reject the sentences of a woven text, its sources in view.

The items are what ``tatian consolidate --to json`` wrote; the answers are
`tatian.consolidation.annotation.Review`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from tatian.consolidation import Consolidation
from tatian.consolidation.annotation import Reason, Review, SentenceReview, Verdict
from tatian.consolidation.result import Place
from tatian.corpora.decoding import decode_utf8
from tatian.errors import InputError
from tatian.text.records import Record
from tatian.workbench.settings import Stage
from tatian.workbench.tasks import Exported, NewItem, Plain, reading
from tatian.workbench.tasks.comparing import Answers, Measure, Rule, Settled
from tatian.workbench.tasks.reading import converted, plain, plainly, rows, shipped
from tatian.workbench.tasks.review_content import Content
from tatian.workbench.tasks.review_making import of_consolidation

EACH = "each"
"""In a mapping: what one item is."""
Each = Literal["text", "sentence"]
"""A whole text, or each of its sentences."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a campaign of reviews can be told: nothing."""


class GoldSentence(Struct, frozen=True, omit_defaults=True):
    """The right verdict on one sentence, and why."""

    verdict: Verdict
    text: str = ""
    """One way to mend it."""
    reason: Reason | None = None
    also: tuple[Verdict, ...] = ()
    """Verdicts that are as good: what can be mended may often be rejected, too."""
    why: str = ""

    def accepts(self, given: SentenceReview) -> bool:
        """Whether a reviewer's verdict is right."""
        return given.verdict == self.verdict or given.verdict in self.also


class Gold(Struct, frozen=True, omit_defaults=True):
    """The right review of a text."""

    sentences: tuple[GoldSentence, ...]
    missing: tuple[Place, ...] = ()
    note: str = ""

    def only(self, index: int, places: Collection[Place]) -> Gold:
        """What is right of one sentence with these sources."""
        missing = tuple(place for place in self.missing if place in places)
        return Gold((self.sentences[index],), missing, self.note)


class ReviewTask:
    """Review of woven texts."""

    name = "consolidation.review"
    title = "Review woven texts"
    module = "review.js"
    columns: tuple[str, ...] = ("id", EACH)
    demo_stages: tuple[Stage, ...] = (
        Stage("training", feedback=True, pass_mark=0.75),
        Stage("reviewing"),
    )

    def guidelines(self) -> str:
        """The instructions that come with the task."""
        return shipped("guidelines", "review.md").decode()

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """Consolidations as JSON: one, an array, or one on each line.

        Each may also have ``id``, ``gold``, ``stage``, ``test``, ``priority`` and ``deadline``. The
        mapping {"each": "sentence"} makes an item of every sentence.
        """
        each, renamed = _each(mapping)
        for count, (line, row) in enumerate(_objects(name, data, renamed), 1):
            try:
                id = row.get("id")
                key = str(id) if id not in (None, "") else PurePath(name).stem
                if count > 1 and id in (None, ""):
                    key = f"{key}-{count}"
                yield from self._items(key, row, each)
            except (InputError, msgspec.ValidationError) as error:
                raise InputError(plainly(error), path=name, line=line) from error

    def content(self, content: Plain) -> Plain:
        """Sentences with the places their words come from; a consolidation is made into that."""
        if "documents" in content:
            woven = converted(content, Consolidation, "not a consolidation")
            return plain(of_consolidation(woven))
        return plain(_content(content))

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """A verdict on every sentence, and what is missing."""
        return plain(_checked_gold(_content(content), gold))

    def check_options(self, options: Plain) -> None:
        """Refuse any."""
        converted(options, Options, "options of the campaign")

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """Everything: the text is known to be a model's, and there is nothing to blind."""
        return plain(_content(content))

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """A verdict on every sentence, and source sentences that are there to be missed."""
        item, given = _content(content), _review(answer)
        given.check(item.proposals, item.places)
        order = {place: number for number, place in enumerate(item.places)}
        return plain(
            Review(
                tuple(map(_squeezed, given.sentences)),
                tuple(sorted(given.missing, key=order.__getitem__)),
            )
        )

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The answer as the page sent it."""
        return answer

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """The share of right verdicts, on sentences and on what is missing.

        Each sentence counts once, right where the verdict is that of the gold or one that is as
        good. So does each source sentence that the gold or the answer calls missing, right where
        both do. How a sentence was edited, and for which reason it was rejected, does not count.
        """
        right, given = _gold(gold), _review(answer)
        same = sum(map(GoldSentence.accepts, right.sentences, given.sentences))
        wanted, found = set(right.missing), set(given.missing)
        total = max(len(right.sentences), len(given.sentences)) + len(wanted | found)
        return (same + len(wanted & found)) / total

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """The right verdicts with their reasons, to lay beside one's own."""
        right, given = _gold(gold), _review(answer)
        judged = map(GoldSentence.accepts, right.sentences, given.sentences)
        return {
            "gold": plain(right),
            "answer": answer,
            "right": list(judged),
            "score": self.score(content, gold, answer),
        }

    def suggest(self, content: Plain) -> Plain | None:
        """Nothing: the items are a model's output already."""
        return None

    def export(
        self, items: Sequence[NewItem], records: Sequence[Record[Plain]]
    ) -> Iterable[Exported]:
        """The reviewed text, every verdict, and a summary."""
        from tatian.workbench.tasks.review_export import exported

        contents = {item.key: _content(item.content) for item in items}
        replaced = {record.replaces for record in records}
        given: dict[str, dict[str, Review]] = {key: {} for key in contents}
        for record in records:
            if record.id not in replaced and record.item in contents:
                given[record.item][record.made.by] = _review(record.answer)
        return exported(contents, given)

    def demo(self) -> Sequence[NewItem]:
        """Two texts with right verdicts to learn on, and some to review."""
        return list(self.read("review.jsonl", shipped("demos", "review.jsonl"), {}))

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """Kappa and alpha on verdicts, and how far the same sentences are missed."""
        from tatian.workbench.tasks.review_agreement import agreement

        return agreement({key: _reviews(given) for key, given in answers.items()})

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """The verdicts that enough reviewers gave, and the sentences on which they differ."""
        from tatian.workbench.tasks.review_agreement import settled

        return settled(_content(content), _reviews(answers), rule)

    def _items(self, key: str, row: Plain, each: Each) -> Iterator[NewItem]:
        content = _content(self.content(row))
        said, right = reading.around(row), reading.gold(row)
        gold = None if right is None else _checked_gold(content, right)
        for name, part, right in _parts(key, content, gold, each):
            yield NewItem(
                name, plain(part), None if right is None else plain(right),
                said.stage, said.test, said.priority, said.deadline,
            )  # fmt: skip


def _parts(
    key: str, content: Content, gold: Gold | None, each: Each
) -> Iterator[tuple[str, Content, Gold | None]]:
    """The items of one text: their names, what they show, and what is right of them."""
    if each == "text":
        yield key, content, gold
        return
    for index in range(len(content.sentences)):
        part = content.only(index)
        yield f"{key}-{index + 1}", part, None if gold is None else gold.only(index, part.places)


def _each(mapping: Mapping[str, str]) -> tuple[Each, dict[str, str]]:
    named = mapping.get(EACH, "text")
    for each in get_args(Each):
        if named == each:
            return each, {ours: theirs for ours, theirs in mapping.items() if ours != EACH}
    known = ", ".join(f"{EACH}={each}" for each in get_args(Each))
    raise InputError(f"'{EACH}={named}' makes no items: there are {known}")


def _objects(name: str, data: bytes, mapping: Mapping[str, str]) -> Iterator[tuple[int, Plain]]:
    """The objects of a file, each with the line it begins on."""
    text = decode_utf8(data, name, None).removeprefix("\ufeff")
    try:
        whole = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        if not text.lstrip().startswith("{"):
            raise InputError(_EXPECTED, path=name) from error
        yield from rows(name, data, mapping)
        return
    for one in whole if isinstance(whole, list) else [whole]:
        if not isinstance(one, dict):
            raise InputError(_EXPECTED, path=name)
        if mapping:
            yield from rows(name, msgspec.json.encode(one), mapping)
        else:
            yield 1, one


_EXPECTED = "expected what 'tatian consolidate --to json' writes: one object, or one on each line"


def _content(given: Plain) -> Content:
    return converted(given, Content, "not a text to review")


def _review(answer: Any) -> Review:
    return converted(answer, Review, "not a review")


def _reviews(answers: Answers) -> dict[str, Review]:
    return {person: _review(answer) for person, answer in answers.items()}


def _gold(gold: Plain) -> Gold:
    return converted(gold, Gold, "gold")


def _checked_gold(content: Content, given: Plain) -> Gold:
    gold = _gold(given)
    try:
        review = tuple(
            SentenceReview(one.verdict, one.text, one.reason, one.why) for one in gold.sentences
        )
        Review(review, gold.missing).check(content.proposals, content.places)
    except (ValueError, InputError) as error:
        raise InputError(f"gold: {error}") from error
    return gold


def _squeezed(one: SentenceReview) -> SentenceReview:
    return SentenceReview(one.verdict, " ".join(one.text.split()), one.reason, one.note.strip())
