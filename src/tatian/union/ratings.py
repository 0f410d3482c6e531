"""Human ratings of systems' unions: parsing, means, and correlation with automatic metrics.

Hirsch et al. 2023, §7.1: judges see the outputs of all systems for an item together and rate each
for coverage, faithfulness and redundancy (1 to 4) and for fluency (1 to 5). Ratings come as records
(JSONL, ``Record[SideBySide]``, or ``Record[UnionJudgement]`` whose item is ``PAIR@SYSTEM``) or as a
table (CSV: item, system, judge and the four criteria). Cells may be empty, because each criterion
is asked separately (App. H). Consolidation is the mean of coverage, faithfulness and redundancy
(§7.1); the lowest of the three shows which unions are without error (Figure 5).
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec
from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.formats.mentions_jsonl import parse_lines
from tatian.statistics import (
    Column,
    Correlation,
    Marked,
    Score,
    Table,
    fingerprint,
    kendall_tau,
    krippendorff_alpha,
)
from tatian.text.layers import Record
from tatian.union.annotation import MOST, UnionJudgement

if TYPE_CHECKING:
    from tatian.scoring import Scores
    from tatian.union.data import UnionInstance


Criterion = Literal["coverage", "faithfulness", "redundancy", "fluency"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)
CONTENT: tuple[Criterion, ...] = ("coverage", "faithfulness", "redundancy")
"""Criteria whose mean is the score "consolidation" and whose minimum is the lowest score."""
HUMAN = (*CONTENT, "consolidation", "fluency")
"""Columns of human scores, in the order of Table 4."""
KEYS = ("item", "system", "judge")
LEVEL = 0.05
"""Significance level of correlations."""


class SideBySide(Struct, frozen=True):
    """Ratings of several systems' unions of one item by one judge, who saw them together."""

    systems: dict[str, UnionJudgement]


class Rating(Struct, frozen=True, omit_defaults=True):
    """One judge's rating of one system's union of one item; None for criteria not rated."""

    item: str
    system: str
    judge: str = ""
    coverage: int | None = None
    faithfulness: int | None = None
    redundancy: int | None = None
    fluency: int | None = None

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is not None and not 1 <= value <= most:
                raise ValueError(f"{name} is rated from 1 to {most}, not {value}")

    @property
    def consolidation(self) -> float | None:
        """Mean of coverage, faithfulness and redundancy (§7.1); None unless all three are rated."""
        values = self.content
        return sum(values) / len(values) if values else None

    @property
    def lowest(self) -> int | None:
        """Minimum of the three (Figure 5): 4 means that the content has no error."""
        values = self.content
        return min(values) if values else None

    @property
    def content(self) -> list[int]:
        """Coverage, faithfulness and redundancy; empty unless all three are rated."""
        values = [value for name in CONTENT if (value := getattr(self, name)) is not None]
        return values if len(values) == len(CONTENT) else []


def parse(text: str, *, path: str | None = None) -> list[Rating]:
    """Parse ratings from the text of a JSONL or CSV file; error messages call it `path`.

    Records that were replaced by later ones are omitted.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        ratings = list(_parse_records(text, path))
    else:
        ratings = list(_parse_table(text, path))
    if not ratings:
        raise EmptyInput("the file contains no ratings", path=path)
    return ratings


def merge_ratings(ratings: Iterable[Rating]) -> list[Rating]:
    """Merge the ratings of each judge, item and system, as criteria may be rated separately."""
    by_key: dict[tuple[str, str, str], Rating] = {}
    for rating in ratings:
        key = (rating.item, rating.system, rating.judge)
        earlier = by_key.get(key)
        if earlier is None:
            by_key[key] = rating
            continue
        scores = {name: value for name in CRITERIA if (value := getattr(rating, name)) is not None}
        if any(getattr(earlier, name) not in (None, value) for name, value in scores.items()):
            raise InputError(
                f"judge '{rating.judge}' gave item '{rating.item}' of system '{rating.system}' "
                "two different ratings"
            )
        by_key[key] = msgspec.structs.replace(earlier, **scores)
    return list(by_key.values())


def _parse_records(text: str, path: str | None) -> Iterator[Rating]:
    records: dict[str, Record[SideBySide]] = {}
    for number, record in parse_lines(text, path, _record, "ratings"):
        if record.id in records:
            raise InputError(f"duplicate record id '{record.id}'", path=path, line=number)
        records[record.id] = record
    replaced = {record.replaces for record in records.values()}
    for id, record in records.items():
        if id in replaced:
            continue
        for system, judged in record.answer.systems.items():
            values = {name: getattr(judged, name) for name in CRITERIA}
            yield Rating(record.item, system, record.made.by, **values)


def _record(line: str) -> Record[SideBySide]:
    """Parse a record of several systems, or of one system, named in the item: ``PAIR@SYSTEM``."""
    record = msgspec.json.decode(line, type=Record[msgspec.Raw])
    if b'"systems"' in bytes(record.answer):
        return msgspec.json.decode(line, type=Record[SideBySide])
    judged = msgspec.json.decode(record.answer, type=UnionJudgement)
    item, at, system = record.item.rpartition("@")
    if not (item and at and system):
        raise ValueError(f"item '{record.item}' has no system: expected PAIR@SYSTEM")
    return Record(
        record.id, record.task, item, record.made, SideBySide({system: judged}), record.replaces
    )


def _parse_table(text: str, path: str | None) -> Iterator[Rating]:
    rows = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    header = rows.fieldnames or ()
    absent = [name for name in KEYS[:2] if name not in header]
    if absent or not set(CRITERIA) & set(header):
        wanted = f"{', '.join(KEYS)}, {', '.join(CRITERIA)}"
        raise InputError(f"expected the columns {wanted}", path=path, line=1)
    try:
        for row in rows:
            yield _from_row(row, path, rows.line_num)
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", path=path, line=rows.line_num) from error


def _from_row(row: Mapping[str, Any], path: str | None, line: int) -> Rating:
    try:
        values = {name: int(row[name]) for name in CRITERIA if row.get(name) not in (None, "")}
        return Rating(row["item"], row["system"], row.get("judge") or "", **values)
    except (TypeError, ValueError) as error:
        raise InputError(str(error), path=path, line=line) from error


class HumanScores(Struct, frozen=True):
    """Human scores of one system."""

    system: str
    scores: dict[str, Score]
    """Mean over items of the mean over judges, for each name of `HUMAN` that was rated."""
    lowest: dict[int, int]
    """Number of ratings with each lowest score, 1 to 4."""

    @property
    def shares(self) -> dict[int, float]:
        """Share of ratings with each lowest score: 4 means no error, 3 minor errors."""
        total = sum(self.lowest.values())
        return {score: count / total if total else 0.0 for score, count in self.lowest.items()}


def human_scores(ratings: Iterable[Rating]) -> dict[str, HumanScores]:
    """Return the human scores of each system, in the order of their first ratings."""
    return {
        system: _score_system(system, group) for system, group in _group_by_system(ratings).items()
    }


def agreement(ratings: Iterable[Rating]) -> dict[Criterion, float]:
    """Return Krippendorff's alpha (ordinal) of each criterion that several judges rated."""
    by_union: dict[tuple[str, str], list[Rating]] = defaultdict(list)
    for rating in merge_ratings(ratings):
        by_union[rating.item, rating.system].append(rating)
    alphas: dict[Criterion, float] = {}
    for name in CRITERIA:
        labels = [[getattr(rating, name) for rating in group] for group in by_union.values()]
        if any(sum(label is not None for label in group) > 1 for group in labels):
            alphas[name] = krippendorff_alpha(labels, "ordinal")
    return alphas


def correlations(
    ratings: Iterable[Rating], scores: Mapping[str, Scores]
) -> dict[str, dict[str, Correlation]]:
    """Compute Kendall's tau between automatic metrics and human scores, over all rated unions.

    `scores` are by system. Use the absolute difference in compression: negative values are as bad
    as positive ones.
    """
    human = means(ratings)
    shared = [system for system in scores if system in human]
    if not shared:
        raise InputError(
            f"no system was both scored ({', '.join(scores)}) and rated ({', '.join(human)})"
        )
    taus: dict[str, dict[str, Correlation]] = {}
    for metric in scores[shared[0]]:
        for name in HUMAN:
            pairs = [
                (value, human[system][item][name])
                for system in shared
                for item, value in _item_values(scores[system][metric])
                if name in human[system].get(item, {})
            ]
            if len(pairs) > 1:
                automatic, judged = zip(*pairs, strict=True)
                taus.setdefault(metric, {})[name] = kendall_tau(automatic, judged)
    if not taus:
        raise InputError("rated and scored items have no ids in common")
    return taus


def human_score_table(human: Mapping[str, HumanScores]) -> Table:
    """Build a table of the human scores of Table 4 and the shares of Figure 5."""
    names = [name for name in HUMAN if any(name in row.scores for row in human.values())]
    columns = [Column(name, precision=2, best="max") for name in names]
    shares = [Column(f"lowest {score}", precision=1, scale=100) for score in range(4, 0, -1)]
    rows = [
        (
            system,
            *(row.scores.get(name) for name in names),
            *(row.shares[score] if any(row.lowest.values()) else None for score in range(4, 0, -1)),
        )
        for system, row in human.items()
    ]
    return Table.of(["system", *columns, *shares], rows)


def correlation_table(taus: Mapping[str, Mapping[str, Correlation]], title: str = "") -> Table:
    """Build a table of Kendall's tau between metrics and human scores; † marks p below 0.05."""
    names = [name for name in HUMAN if any(name in row for row in taus.values())]
    columns = [Column(name, precision=2, signed=True) for name in names]
    rows = [
        (metric, *(_mark_significant(row[name]) if name in row else None for name in names))
        for metric, row in taus.items()
    ]
    return Table.of(["metric", *columns], rows, title)


def _mark_significant(correlation: Correlation) -> Marked:
    return Marked(correlation.tau, "†" if correlation.p_value < LEVEL else "")


def _score_system(system: str, ratings: Sequence[Rating]) -> HumanScores:
    items = _average_by_item(ratings)
    scores = {}
    for name in HUMAN:
        rated = {item: values[name] for item, values in items.items() if name in values}
        if rated:
            data = fingerprint(rated)
            scores[name] = Score.of(name, list(rated.values()), ids=list(rated), data=data)
    counted = Counter(rating.lowest for rating in ratings if rating.lowest is not None)
    return HumanScores(system, scores, {score: counted[score] for score in range(1, 5)})


def means(ratings: Iterable[Rating]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the mean over judges by system and item, by the names of `HUMAN`."""
    return {system: _average_by_item(group) for system, group in _group_by_system(ratings).items()}


def _average_by_item(ratings: Iterable[Rating]) -> dict[str, dict[str, float]]:
    """Return the mean over judges of each item, by the names of `HUMAN`."""
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for rating in ratings:
        for name in HUMAN:
            value = getattr(rating, name)
            if value is not None:
                scores[rating.item][name].append(value)
    return {
        item: {name: sum(values) / len(values) for name, values in named.items()}
        for item, named in scores.items()
    }


def _group_by_system(ratings: Iterable[Rating]) -> dict[str, list[Rating]]:
    grouped: dict[str, list[Rating]] = defaultdict(list)
    for rating in merge_ratings(ratings):
        grouped[rating.system].append(rating)
    return grouped


def _item_values(score: Score) -> Iterator[tuple[str, float]]:
    return zip(score.ids, score.values, strict=True)


class ToJudge(Struct, frozen=True):
    """An item of a judging campaign, a line of JSONL."""

    id: str
    sentences: tuple[str, ...]
    reference: str
    systems: dict[str, str]
    """Union of each system by its name; empty if the system returned none."""

    def __post_init__(self) -> None:
        if not any(sentence.strip() for sentence in self.sentences):
            raise ValueError("no source sentences")
        if not self.reference.strip():
            raise ValueError("the reference is empty: coverage is judged against it")
        if not self.systems:
            raise ValueError("no system to judge")
        if not all(name.strip() for name in self.systems):
            raise ValueError("a system has an empty name")

    def outputs(self) -> dict[str, list[str]]:
        """Map each distinct union to its systems; white space makes no difference."""
        systems: dict[str, list[str]] = {}
        for name, text in self.systems.items():
            systems.setdefault(" ".join(text.split()), []).append(name)
        return systems


def side_by_side(
    gold: Sequence[UnionInstance], systems: Mapping[str, Sequence[UnionInstance]]
) -> Iterator[ToJudge]:
    """Yield items to judge from gold unions and each system's unions of the same sentences."""
    from tatian.union.metrics.score import match_predictions

    if not systems:
        raise InputError("no systems to judge")
    by_system = {name: match_predictions(gold, unions, name) for name, unions in systems.items()}
    for index, instance in enumerate(gold):
        unions = {name: items[index].predicted for name, items in by_system.items()}
        yield ToJudge(instance.id, instance.sentences, instance.merged or "", unions)
