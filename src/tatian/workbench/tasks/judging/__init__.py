"""Judges rate several systems' unions side by side, blind, one criterion at a time.

Hirsch et al. 2023, §7.1, Table 3 and App. H. The browser gets each different union once, under a
letter, in an order that the assignment's seed decides; which system wrote it stays here.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.text.records import Record
from tatian.union.annotation import MOST, Judgement
from tatian.union.ratings import CRITERIA, Criterion, SideBySide, ToJudge
from tatian.workbench.settings import Stage
from tatian.workbench.tasks import Exported, NewItem, Plain
from tatian.workbench.tasks.judging.agreement import SCALES, JudgingComparing
from tatian.workbench.tasks.reading import converted, items, plain, sentences, shipped

SYSTEM = "system:"
"""Begins the name of a column that holds a system's unions."""
NEAR = 0.5
"""What a rating one step off the right one is worth; further off it is worth nothing."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a judging campaign can be told."""

    criteria: tuple[Criterion, ...] = CRITERIA
    """Which are rated, in the order of their pages."""
    sources: bool = False
    """Whether the source sentences are shown, too; the paper's judges did not see them."""

    def __post_init__(self) -> None:
        if not self.criteria or len(set(self.criteria)) != len(self.criteria):
            raise ValueError("name each criterion once, and at least one")


class Content(Struct, frozen=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    reference: str
    systems: dict[str, str]

    def __post_init__(self) -> None:
        self.outputs()

    def outputs(self) -> dict[str, list[str]]:
        """The systems of each different union."""
        return ToJudge("", self.sentences, self.reference, self.systems).outputs()

    def shuffled(self, seed: int) -> list[str]:
        """The different unions in the order in which one judge sees them."""
        return sorted(self.outputs(), key=lambda text: _drawn(seed, text))


class Gold(Struct, frozen=True, omit_defaults=True):
    """The right ratings, and why."""

    systems: dict[str, Judgement]
    note: str = ""


class Rated(Struct, frozen=True):
    """What the page sends: for each criterion the ratings of the unions, as they were shown."""

    ratings: dict[Criterion, tuple[int, ...]]


class JudgingTask(JudgingComparing):
    """Side-by-side judging of sentence unions."""

    name = "union.judge"
    title = "Judge sentence unions"
    folder = Path(__file__).parent
    module = "judging.js"
    columns = ("id", "sentences", "reference", "systems")
    demo_stages = (
        Stage("training", feedback=True),
        Stage("subtle cases", feedback=True, pass_mark=0.8),
        Stage("judging"),
    )

    def guidelines(self) -> str:
        """The instructions that come with the task."""
        return shipped("judging", "guidelines.md").decode()

    def read(self, name: str, data: bytes, mapping: Mapping[str, str]) -> Iterable[NewItem]:
        """JSONL as ``tatian union side-by-side`` writes it, or CSV with ``system:NAME`` columns."""
        return items(name, data, mapping, self._from_row, self.gold)

    def content(self, content: Plain) -> Plain:
        """Sentences, reference and at least one system's union."""
        return plain(_content(content))

    def gold(self, content: Plain, gold: Plain) -> Plain:
        """Ratings of every system."""
        return _checked_gold(content, gold)

    def check_options(self, options: Plain) -> None:
        """Refuse what `Options` does not have."""
        _options(options)

    def shown(self, content: Plain, seed: int, options: Plain) -> Plain:
        """The different unions under letters; no system's name is among it."""
        item, wanted = _content(content), _options(options)
        return {
            "outputs": [
                {"label": _letter(index), "text": text}
                for index, text in enumerate(item.shuffled(seed))
            ],
            "reference": item.reference,
            "sentences": list(item.sentences) if wanted.sources else [],
            "criteria": [plain(SCALES[criterion]) for criterion in wanted.criteria],
        }

    def received(self, content: Plain, seed: int, options: Plain, answer: Any) -> Plain:
        """Ratings by system: those who wrote the same union share its ratings."""
        item, wanted = _content(content), _options(options)
        ratings = converted(answer, Rated, "not an answer of this page").ratings
        shuffled = item.shuffled(seed)
        _refuse_partial(ratings, wanted, len(shuffled))
        by_system = {}
        outputs = item.outputs()
        for place, text in enumerate(shuffled):
            given = {criterion: ratings[criterion][place] for criterion in wanted.criteria}
            try:
                judged = Judgement(**given)
            except ValueError as error:
                raise InputError(str(error)) from error
            by_system.update(dict.fromkeys(outputs[text], judged))
        return plain(SideBySide({name: by_system[name] for name in item.systems}))

    def restored(self, content: Plain, seed: int, options: Plain, answer: Plain) -> Plain:
        """The ratings in the order in which this judge saw the unions."""
        item, wanted = _content(content), _options(options)
        given, outputs = _answer(answer), item.outputs()
        judged = [given.get(outputs[text][0]) for text in item.shuffled(seed)]
        ratings = {
            criterion: [getattr(one, criterion, None) for one in judged]
            for criterion in wanted.criteria
        }
        return {"ratings": ratings}

    def score(self, content: Plain, gold: Plain, answer: Plain) -> float:
        """Mean over unions and criteria: 1 for the right rating, `NEAR` for its neighbours."""
        found = [
            1.0 if own == right else NEAR if abs(own - right) == 1 else 0.0
            for _, _, own, right in _compared(content, gold, answer)
        ]
        return sum(found) / len(found) if found else 1.0

    def feedback(self, content: Plain, gold: Plain, answer: Plain) -> Plain:
        """Own and right ratings of each different union, by its text and in no telling order."""
        outputs: dict[str, Plain] = {}
        for text, criterion, own, right in _compared(content, gold, answer):
            outputs.setdefault(text, {})[criterion] = {"own": own, "gold": right}
        return {
            "outputs": [{"text": text, "ratings": outputs[text]} for text in sorted(outputs)],
            "note": converted(gold, Gold, "gold").note,
            "score": self.score(content, gold, answer),
        }

    def suggest(self, content: Plain) -> Plain | None:
        """Nothing: a model's rating in view would bend the very judgement that is measured."""
        return None

    def export(
        self, items: Sequence[NewItem], records: Sequence[Record[Plain]]
    ) -> Iterable[Exported]:
        """The ratings as a table and as records; ``tatian union ratings`` reads either."""
        yield Exported("ratings.csv", _table(records))
        lines = (msgspec.json.encode(_as_record(record)) + b"\n" for record in records)
        yield Exported("ratings.jsonl", b"".join(lines))

    def demo(self) -> Sequence[NewItem]:
        """Two training stages with right ratings, and a few items to judge."""
        return list(self.read("judging.jsonl", shipped("judging", "demo.jsonl"), {}))

    def _from_row(self, row: Plain) -> Plain:
        if "sentences" in row:
            return self.content({"reference": row.get("merged"), **row})
        systems = {
            column.removeprefix(SYSTEM): text
            for column, text in row.items()
            if column.startswith(SYSTEM)
        }
        if not systems:
            raise InputError(
                f"no column '{SYSTEM}NAME': put the systems' unions into such columns, or join "
                "files with 'tatian union side-by-side'"
            )
        reference = row.get("reference", row.get("mergedText", ""))
        pair = list(sentences(row))
        return self.content({"sentences": pair, "reference": reference, "systems": systems})


def _content(given: Plain) -> Content:
    return converted(given, Content, "not an item to judge")


def _options(given: Plain) -> Options:
    return converted(given, Options, "options of the campaign")


def _answer(given: Plain) -> dict[str, Judgement]:
    return converted(given, SideBySide, "not ratings of systems").systems


def _checked_gold(content: Plain, gold: Plain) -> Plain:
    given = converted(gold, Gold, "gold")
    systems = content["systems"]
    for name in given.systems:
        if name not in systems:
            raise InputError(f"gold rates a system '{name}', which the item does not have")
    for name in systems:
        if name not in given.systems:
            raise InputError(f"gold does not rate the system '{name}'")
    return plain(given)


def _refuse_partial(
    ratings: Mapping[Criterion, Sequence[int]], options: Options, outputs: int
) -> None:
    for criterion in options.criteria:
        given = len(ratings.get(criterion, ()))
        if given != outputs:
            raise InputError(f"{criterion}: {given} ratings of {outputs} unions")
    if extra := ratings.keys() - set(options.criteria):
        raise InputError(f"{min(extra)} is not asked for in this campaign")


def _compared(
    content: Plain, gold: Plain, answer: Plain
) -> Iterator[tuple[str, Criterion, int, int]]:
    """Union, criterion, given and right rating, wherever there are both."""
    right, given = converted(gold, Gold, "gold").systems, _answer(answer)
    for text, names in _content(content).outputs().items():
        if names[0] not in right or names[0] not in given:
            continue
        for criterion in MOST:
            ours = getattr(given[names[0]], criterion)
            theirs = getattr(right[names[0]], criterion)
            if ours is not None and theirs is not None:
                yield text, _criterion(criterion), ours, theirs


def _criterion(name: str) -> Criterion:
    return next(one for one in CRITERIA if one == name)


def _table(records: Sequence[Record[Plain]]) -> bytes:
    replaced = {record.replaces for record in records}
    stream = io.StringIO(newline="")
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["item", "system", "judge", *CRITERIA])
    for record in records:
        if record.id in replaced:
            continue
        for name, judged in _answer(record.answer).items():
            rows.writerow([record.item, name, record.made.by, *msgspec.structs.astuple(judged)])
    return stream.getvalue().encode()


def _as_record(record: Record[Plain]) -> Record[Plain]:
    """What every record has, without what the workbench adds."""
    return Record(
        record.id, record.task, record.item, record.made, record.answer, record.replaces,
        record.preannotated,
    )  # fmt: skip


def _drawn(seed: int, text: str) -> bytes:
    """A lot for each union that no version of any library changes."""
    return sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()


def _letter(index: int) -> str:
    """A, B ... Z, AA, AB ..."""
    more, last = divmod(index, 26)
    return (_letter(more - 1) if more else "") + chr(ord("A") + last)
