"""GAP: whether an ambiguous pronoun refers to either of two names, and as well for both genders.

The figures of the task's own scorer (Webster et al. 2018): each name of each example is one
decision; an example that the system leaves out counts as two names missed; the bias is the F1 of
feminine pronouns over that of masculine ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from tatian.errors import EmptyInput, InputError
from tatian.scoring.metric import Rates, ratios

if TYPE_CHECKING:
    from tatian.statistics import Score

GENDERS = {
    "he": "masculine",
    "him": "masculine",
    "his": "masculine",
    "she": "feminine",
    "her": "feminine",
    "hers": "feminine",
}
OVERALL = "overall"
GROUPS = (OVERALL, "masculine", "feminine")
_GOLD = ("ID", "Pronoun", "A-coref", "B-coref")
_SYSTEM = ("ID", "A-coref", "B-coref")
_LABELS = {"true": True, "false": False}


class GapExample(Struct, frozen=True):
    """How one example was decided."""

    id: str
    gender: str
    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0
    true_negatives: int = 0


class GapScores(Struct, frozen=True):
    """The figures of a system on GAP."""

    examples: tuple[GapExample, ...]
    missing: int = 0
    """Examples that the system says nothing of."""

    def counts(self, group: str = OVERALL) -> tuple[int, int, int, int]:
        """True and false positives, false and true negatives."""
        of = [one for one in self.examples if group in (OVERALL, one.gender)]
        return (
            sum(one.true_positives for one in of),
            sum(one.false_positives for one in of),
            sum(one.false_negatives for one in of),
            sum(one.true_negatives for one in of),
        )

    def rates(self, group: str = OVERALL) -> Rates:
        """Recall, precision and F1 of the names that are the pronoun's."""
        right, wrong, missed, _ = self.counts(group)
        return ratios((right, right + missed, right, right + wrong))

    def accuracy(self, group: str = OVERALL) -> float:
        """The share of all names decided rightly."""
        right, wrong, missed, rejected = self.counts(group)
        total = right + wrong + missed + rejected
        return (right + rejected) / total if total else 0.0

    @property
    def bias(self) -> float | None:
        """Feminine over masculine F1; None where either is 0."""
        feminine, masculine = self.rates("feminine").f1, self.rates("masculine").f1
        return feminine / masculine if feminine and masculine else None

    def score(self) -> Score:
        """The overall F1 with its bootstrap error, for comparing systems."""
        from tatian.statistics import Score, fingerprint, micro_f1

        rows = [
            (
                one.true_positives,
                one.true_positives + one.false_positives,
                one.true_positives + one.false_negatives,
            )
            for one in self.examples
        ]
        ids = [one.id for one in self.examples]
        return Score.of("gap", rows, micro_f1, ids=ids, data=fingerprint(ids))

    def to_json(self) -> dict[str, Any]:
        """Plain data: the figures of each group, and the bias."""
        groups = {
            group: {
                **self.rates(group)._asdict(),
                "accuracy": self.accuracy(group),
                **dict(zip(("tp", "fp", "fn", "tn"), self.counts(group), strict=True)),
            }
            for group in GROUPS
        }
        return {**groups, "bias": self.bias, "examples": len(self.examples)}


def score_gap(
    gold: str, system: str, *, gold_path: str | None = None, system_path: str | None = None
) -> GapScores:
    """Score the text of a system's file against that of a gold file.

    The system's file has the columns of the gold file, or ID, A-coref and B-coref alone, with or
    without a header.
    """
    wanted = dict(_rows(gold, _GOLD, gold_path))
    given = dict(_rows(system, _SYSTEM, system_path))
    if not wanted:
        raise EmptyInput("no examples", path=gold_path)
    if not wanted.keys() & given.keys():
        raise InputError("no example of the gold file is in it", path=system_path)
    examples = []
    for id, row in wanted.items():
        gender = GENDERS[row["Pronoun"].lower()]
        examples.append(_decided(id, gender, row, given.get(id)))
    return GapScores(tuple(examples), len(wanted.keys() - given.keys()))


def _decided(
    id: str, gender: str, gold: Mapping[str, str], system: Mapping[str, str] | None
) -> GapExample:
    if system is None:
        return GapExample(id, gender, false_negatives=2)
    decisions = [
        (_LABELS[gold[name].lower()], _LABELS[system[name].lower()])
        for name in ("A-coref", "B-coref")
    ]
    return GapExample(
        id,
        gender,
        decisions.count((True, True)),
        decisions.count((False, True)),
        decisions.count((True, False)),
        decisions.count((False, False)),
    )


def _rows(
    text: str, columns: tuple[str, ...], path: str | None
) -> Iterator[tuple[str, dict[str, str]]]:
    names: list[str] | None = None
    seen: set[str] = set()
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        if not line.strip():
            continue
        fields = [field.strip() for field in line.split("\t")]
        if names is None:
            headed = fields[0] == "ID"
            names = fields if headed else list(_SYSTEM)
            lacking = [column for column in columns if column not in names]
            if lacking:
                raise InputError(f"no column '{lacking[0]}'", path=path, line=number)
            if headed:
                continue
        if len(fields) < len(names):
            what = f"{len(fields)} columns where {len(names)} are needed ({', '.join(names)})"
            raise InputError(what, path=path, line=number)
        row = dict(zip(names, fields, strict=False))
        _check(row, columns, seen, path, number)
        seen.add(row["ID"])
        yield row["ID"], row


def _check(
    row: Mapping[str, str],
    columns: tuple[str, ...],
    seen: set[str],
    path: str | None,
    line: int,
) -> None:
    if row["ID"] in seen:
        raise InputError(f"a second line for '{row['ID']}'", path=path, line=line)
    for name in ("A-coref", "B-coref"):
        if row[name].lower() not in _LABELS:
            raise InputError(f"{name} is '{row[name]}', not TRUE or FALSE", path=path, line=line)
    if "Pronoun" in columns and row["Pronoun"].lower() not in GENDERS:
        raise InputError(f"'{row['Pronoun']}' has no gender", path=path, line=line)
