"""Annotators' raw answers in JSONL, and their clean-up by rules, with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from tatian.aggregation.data.jsonl import LinePlace, lines, parse
from tatian.aggregation.data.records import MAX_ANSWERS, Instance, check
from tatian.aggregation.data.rules import (
    INSTANCE_ANSWERS,
    WORKER_ASSIGNMENTS,
    Rule,
    choose_rules,
    says_not_applicable,
)
from tatian.errors import InputError
from tatian.text.layers import Record

if TYPE_CHECKING:
    from tatian.statistics import Table


class Annotation(Struct, frozen=True):
    """One annotator's answer to one instance after the clean-up; no phrase means N/A."""

    item: str
    worker: str
    phrases: tuple[str, ...]


class AppliedRule(Struct, frozen=True):
    """A rule with the number of units that it changed or discarded."""

    rule: Rule
    count: int
    example: str = ""
    """The first unit that it changed or discarded."""


class Sizes(Struct, frozen=True):
    """Sizes as in the first lines of each half of the paper's Table 2."""

    instances: int
    workers: int
    annotations: int


class CleanedAnswers(Struct, frozen=True):
    """Answers after the clean-up, and the effects of the rules."""

    collected: Sizes
    judged: tuple[Annotation, ...]
    """All answers of the kept workers; those without a phrase are N/A."""
    annotations: tuple[Annotation, ...]
    """Answers with a phrase, to the kept instances."""
    applied: tuple[AppliedRule, ...]

    @property
    def kept(self) -> Sizes:
        """Sizes after the clean-up."""
        items, workers = {a.item for a in self.annotations}, {a.worker for a in self.annotations}
        return Sizes(len(items), len(workers), len(self.annotations))

    @property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """Distinct phrases of each instance, in the order of their first occurrence."""
        by_item: dict[str, dict[str, None]] = {}
        for annotation in self.annotations:
            by_item.setdefault(annotation.item, {}).update(dict.fromkeys(annotation.phrases))
        return {item: tuple(phrases) for item, phrases in by_item.items()}

    def to_json(self) -> dict[str, Any]:
        """Return the sizes before and after, and the effect of every rule."""
        return {
            "collected": to_builtins(self.collected),
            "kept": to_builtins(self.kept),
            "rules": [
                {
                    "rule": applied.rule.name,
                    "unit": applied.rule.unit,
                    "effect": applied.rule.effect,
                    "count": applied.count,
                    "example": applied.example,
                    "does": applied.rule.does,
                    "source": applied.rule.source,
                }
                for applied in self.applied
            ],
        }

    def rules_table(self) -> Table:
        """Return a table with the number of units that each rule changed or discarded."""
        from tatian.statistics import Table

        done = {"changes": "changed", "discards": "discarded"}
        rules = [(applied.rule, applied.count) for applied in self.applied]
        return Table.of(
            ["rule", "count", "of", "what", "source"],
            [
                (rule.name, count, f"{rule.unit}s {done[rule.effect]}", rule.does, rule.source)
                for rule, count in rules
            ],
        )

    def sizes_table(self) -> Table:
        """Return a table of the sizes before and after."""
        from tatian.statistics import Table

        before, after = self.collected, self.kept
        names = before.__struct_fields__
        return Table.of(
            ["", "collected", "kept"],
            [(name, getattr(before, name), getattr(after, name)) for name in names],
        )


class _Tally:
    """Counter of the rules' effects."""

    def __init__(
        self, rules: Sequence[Rule], descriptions: Mapping[str, str] | None = None
    ) -> None:
        self._rules = rules
        self._descriptions = descriptions or {}
        """Descriptions of rules with a threshold, with the threshold that was used."""
        self._counts: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def note(self, name: str, example: str) -> None:
        self._counts[name] += 1
        self._first.setdefault(name, example)

    def applied(self) -> tuple[AppliedRule, ...]:
        return tuple(
            AppliedRule(
                replace(rule, does=self._descriptions.get(rule.name, rule.does)),
                self._counts[rule.name],
                self._first.get(rule.name, ""),
            )
            for rule in self._rules
        )


def clean(
    records: Iterable[Record[WrittenAnswer]],
    rules: Sequence[Rule] | None = None,
    *,
    assignments: int = WORKER_ASSIGNMENTS,
    answers: int = INSTANCE_ANSWERS,
) -> CleanedAnswers:
    """Apply the rules (by default the usual ones) to all answers of an annotation campaign.

    Workers with fewer than `assignments` answers are discarded, then instances with fewer than
    `answers` answers that have a phrase, as in the original code.
    """
    used = choose_rules() if rules is None else rules
    descriptions = {
        "few-assignments": f"all answers of workers with fewer than {assignments}",
        "few-answers": f"instances that fewer than {answers} annotators named",
    }
    tally = _Tally(used, descriptions)
    kept = _latest_of(list(records), tally)
    items = tuple(dict.fromkeys(record.item for record in kept))
    collected = Sizes(len(items), len({record.made.by for record in kept}), len(kept))
    judged = [
        Annotation(record.item, record.made.by, _phrases(record.answer, used, tally))
        for record in _keep_active(kept, assignments, tally)
    ]
    named = _keep_named(judged, items, answers, tally)
    return CleanedAnswers(collected, tuple(judged), tuple(named), tally.applied())


def clean_phrase(phrase: str, rules: Sequence[Rule] | None = None) -> str | None:
    """Return a phrase after the rules; None if one of them discards it."""
    used = choose_rules() if rules is None else rules
    return _phrase(phrase, used, _Tally(used))


def _latest_of(records: list[Record[WrittenAnswer]], tally: _Tally) -> list[Record[WrittenAnswer]]:
    """Drop answers that were corrected, or given again by the same annotator."""
    replaced = {record.replaces for record in records if record.replaces is not None}
    current = [(at, record) for at, record in enumerate(records) if record.id not in replaced]
    last = {(record.item, record.made.by): at for at, record in current}
    kept = []
    for at, record in enumerate(records):
        if last.get((record.item, record.made.by)) == at:
            kept.append(record)
        else:
            tally.note("corrected", record.id)
    return kept


def _keep_active(
    records: list[Record[WrittenAnswer]], fewest: int, tally: _Tally
) -> list[Record[WrittenAnswer]]:
    done = Counter(record.made.by for record in records)
    for worker, count in done.items():
        if count < fewest:
            tally.note("few-assignments", worker)
    return [record for record in records if done[record.made.by] >= fewest]


def _phrases(answer: WrittenAnswer, rules: Sequence[Rule], tally: _Tally) -> tuple[str, ...]:
    """Return the cleaned phrases of an answer, without repeats."""
    phrases = [phrase for phrase in answer.phrases if not says_not_applicable(phrase)]
    declined = answer.not_applicable or len(phrases) < len(answer.phrases)
    if declined:
        for phrase in phrases:
            tally.note("beside-n/a", phrase)
        return ()
    kept: list[str] = []
    for phrase in phrases:
        cleaned = _phrase(phrase, rules, tally)
        if cleaned is None:
            continue
        if cleaned in kept:
            tally.note("repeat", phrase)
        else:
            kept.append(cleaned)
    return tuple(kept)


def _phrase(phrase: str, rules: Sequence[Rule], tally: _Tally) -> str | None:
    cleaned = phrase
    for rule in rules:
        if rule.change is not None:
            before, cleaned = cleaned, rule.change(cleaned)
            if cleaned != before:
                tally.note(rule.name, phrase)
        elif rule.refuses is not None and rule.refuses(cleaned):
            tally.note(rule.name, phrase)
            return None
    return cleaned


def _keep_named(
    annotations: list[Annotation], items: Iterable[str], fewest: int, tally: _Tally
) -> list[Annotation]:
    named = Counter(annotation.item for annotation in annotations if annotation.phrases)
    for item in items:
        if named[item] < fewest:
            tally.note("few-answers", item)
    kept = [annotation for annotation in annotations if named[annotation.item] >= fewest]
    for annotation in kept:
        if not annotation.phrases:
            tally.note("n/a", f"{annotation.worker} on {annotation.item}")
    return [annotation for annotation in kept if annotation.phrases]


def dataset(clean: CleanedAnswers, instances: Mapping[str, Instance]) -> list[Instance]:
    """Return the kept instances with their phrases; refuse answers to unknown ones."""
    phrases = clean.phrases
    for item in dict.fromkeys(annotation.item for annotation in clean.judged):
        if item not in instances:
            raise InputError(f"an answer refers to '{item}', but no instance has this id")
    return [
        replace(instance, aggregations=phrases[id], candidates=())
        for id, instance in instances.items()
        if id in phrases
    ]


def by_id(
    answers: Iterable[AnswerRecord], instances: Iterable[Instance] = ()
) -> dict[str, Instance]:
    """Return the instances passed in and those of answers by id; ids must be unique."""
    instances_by_id: dict[str, Instance] = {}
    enclosed = (answer.instance for answer in answers if answer.instance is not None)
    for instance in (*instances, *enclosed):
        if instances_by_id.setdefault(instance.id, instance) != instance:
            raise InputError(f"two different instances have the id '{instance.id}'")
    return instances_by_id


TASK = "aggregation"


class WrittenAnswer(Struct, frozen=True, omit_defaults=True):
    """Raw answer, which may have "N/A", repeated or empty phrases."""

    phrases: tuple[str, ...] = ()
    not_applicable: bool = False
    """True if the box "I can't find a relevant phrase" was ticked."""


class AnswerRecord(Record[WrittenAnswer], frozen=True, omit_defaults=True):
    """A record, with its instance if the file has it."""

    instance: Instance | None = None


_DECODER = msgspec.json.Decoder(AnswerRecord)


def read_located_answers(path: str) -> Iterator[tuple[LinePlace, AnswerRecord]]:
    """Yield the answers of a file of JSONL records, each with its place in the file."""
    for place, line in lines(path, "the file contains no answer"):
        try:
            yield place, _decode(line)
        except ValueError as error:
            raise InputError(str(error), path=place.path, line=place.line) from error


def _decode(line: bytes) -> AnswerRecord:
    record = parse(line, _DECODER)
    if record.instance is not None:
        check(record.instance)
    if (count := len(record.answer.phrases)) > MAX_ANSWERS:
        raise ValueError(f"answer.phrases: {count} phrases: at most {MAX_ANSWERS} are asked for")
    if record.task != TASK:
        raise ValueError(f"task: '{record.task}', not '{TASK}'")
    return record
