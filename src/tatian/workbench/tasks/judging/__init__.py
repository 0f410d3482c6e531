"""Annotation task: rate several systems' unions side by side, blind, one criterion at a time.

Hirsch et al. 2023, §7.1, Table 3 and App. H. The page shows each different union once, under a
letter, in an order from the assignment's seed; names of systems stay on the server. Ratings are
ordinal, so alpha is ordinal too, and the median counts if no rating is given often enough.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from statistics import median_low
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from tatian.errors import InputError
from tatian.text.layers import Record
from tatian.union.annotation import UnionJudgement
from tatian.union.ratings import CRITERIA, Criterion, SideBySide, ToJudge
from tatian.views.wording import short
from tatian.workbench.settings import CampaignStage, describe
from tatian.workbench.tasks import Exported, Json, NewItem, Records, Task, current_records
from tatian.workbench.tasks.agreement import (
    AnswerDifference,
    Answers,
    AnswersByItem,
    Contents,
    Measure,
    Settled,
    VotingRule,
    accepted_label,
    alpha,
    convert_answers,
    find_difference,
    share_of_equal,
    shared_items,
)
from tatian.workbench.tasks.items import convert, converter, item_sentences, to_json

SYSTEM = "system:"
"""Prefix of columns that hold a system's unions."""
ADJACENT_CREDIT = 0.5
"""Score of a rating that is one away from the right one."""
_CREDIT = {0: 1.0, 1: ADJACENT_CREDIT}
"""Score of a rating by its distance from the right one; 0 for larger distances."""
_QUOTED_CHARACTERS = 80
"""Maximum number of characters of a union that are quoted to name it."""


class Scale(Struct, frozen=True):
    """One page of the judging task."""

    name: Criterion
    title: str
    question: str
    labels: tuple[str, ...]
    """Meanings of 1, 2, 3 ..."""
    base: Literal["reference", "output"] | None = None
    """Text that the other is compared with; None if the reference is not shown."""


_SCALES = Path(__file__).with_name("scales.toml").read_bytes()
SCALES: dict[Criterion, Scale] = {
    scale.name: scale
    for scale in msgspec.toml.decode(_SCALES, type=dict[str, list[Scale]])["scales"]
}


class JudgingOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a judging campaign."""

    criteria: Annotated[
        tuple[Criterion, ...], describe("Criteria", "Which are rated, in the order of their pages.")
    ] = CRITERIA
    sources: Annotated[
        bool, describe("Source sentences", "Whether judges can look at the source sentences.")
    ] = False

    def __post_init__(self) -> None:
        if not self.criteria or len(set(self.criteria)) != len(self.criteria):
            raise ValueError("name each criterion once, and at least one")


class JudgingItem(Struct, frozen=True):
    """An item as it is stored."""

    sentences: tuple[str, ...]
    reference: str
    systems: dict[str, str]

    def __post_init__(self) -> None:
        self.outputs()

    def outputs(self) -> dict[str, list[str]]:
        """Return the systems of each different union."""
        return ToJudge("", self.sentences, self.reference, self.systems).outputs()

    def shuffled(self, seed: int) -> list[str]:
        """Return the different unions in the order of one judge's page.

        The order is by hashes, which are the same in all versions of libraries.
        """

        def key(text: str) -> bytes:
            return sha256(f"{seed}\n{text}".encode("utf-8", "surrogatepass")).digest()

        return sorted(self.outputs(), key=key)


class JudgingGold(Struct, frozen=True, omit_defaults=True):
    """The right ratings."""

    systems: dict[str, UnionJudgement]
    note: str = ""
    """Reason."""


class PageRatings(Struct, frozen=True):
    """Answer from the page: ratings of the unions by criterion, in the order shown."""

    ratings: dict[Criterion, tuple[int, ...]]


_content = converter(JudgingItem, "not an item to judge")


class JudgingTask(Task):
    """Task of judging sentence unions side by side.

    It has no suggestions of a model, since they would bias the judgements.
    """

    name = "union.judge"
    title = "Judge sentence unions"
    folder = Path(__file__).parent
    module = "judging.js"
    columns = ("id", "sentences", "reference", "systems")
    convert_item = staticmethod(_content)
    options = JudgingOptions
    demo_stages = (
        CampaignStage("training", feedback=True),
        CampaignStage("subtle cases", feedback=True, pass_mark=0.8),
        CampaignStage("judging"),
    )

    def row(self, row: Json) -> Json:
        """Read JSONL of ``tatian union side-by-side``, or CSV with ``system:NAME`` columns."""
        if "sentences" in row:
            return self.content({"reference": row.get("merged"), **row})
        columns = [column for column in row if column.startswith(SYSTEM)]
        systems = {column.removeprefix(SYSTEM): row[column] for column in columns}
        if not systems:
            raise InputError(
                f"no column '{SYSTEM}NAME': put the systems' unions into such columns, or join "
                "files with 'tatian union side-by-side'"
            )
        reference = row.get("reference", row.get("mergedText", ""))
        return self.content(
            {"sentences": item_sentences(row), "reference": reference, "systems": systems}
        )

    def gold(self, content: Json, gold: Json) -> Json:
        """Return ratings of every system."""
        ratings, systems = convert(gold, JudgingGold, "gold"), content["systems"]
        if extra := ratings.systems.keys() - systems.keys():
            raise InputError(f"gold rates a system '{min(extra)}', which the item does not have")
        if missing := systems.keys() - ratings.systems.keys():
            raise InputError(f"gold does not rate the system '{min(missing)}'")
        return to_json(ratings)

    def to_page(self, content: Json, seed: int, options: Json) -> Json:
        """Return the different unions under letters, without names of systems."""
        item, page_options = _content(content), _options(options)
        return {
            "outputs": [
                {"label": union_letter(index), "text": text}
                for index, text in enumerate(item.shuffled(seed))
            ],
            "reference": item.reference,
            "sentences": list(item.sentences) if page_options.sources else [],
            "criteria": [to_json(SCALES[criterion]) for criterion in page_options.criteria],
        }

    def from_page(self, content: Json, seed: int, options: Json, answer: Any) -> Json:
        """Return ratings by system; systems with the same union share its ratings."""
        item, page_options = _content(content), _options(options)
        ratings = convert(answer, PageRatings, "not an answer of this page").ratings
        shuffled = item.shuffled(seed)
        _check_complete(ratings, page_options, len(shuffled))
        by_system, outputs = {}, item.outputs()
        for place, text in enumerate(shuffled):
            rated = {criterion: ratings[criterion][place] for criterion in page_options.criteria}
            try:
                judged = UnionJudgement(**rated)
            except ValueError as error:
                raise InputError(str(error)) from error
            by_system.update(dict.fromkeys(outputs[text], judged))
        return to_json(SideBySide({name: by_system[name] for name in item.systems}))

    def answer_to_page(self, content: Json, seed: int, options: Json, answer: Json) -> Json:
        """Return the ratings in the order in which this judge saw the unions."""
        item, page_options = _content(content), _options(options)
        by_system, outputs = _answer(answer), item.outputs()
        judged = [by_system.get(outputs[text][0]) for text in item.shuffled(seed)]
        return {
            "ratings": {
                criterion: [getattr(judgement, criterion, None) for judgement in judged]
                for criterion in page_options.criteria
            }
        }

    def score(self, content: Json, gold: Json, answer: Json) -> float:
        """Return the mean over unions and criteria: 1 for the right rating, half for the next."""
        pairs = ((rating, right) for _, _, rating, right in _rating_pairs(content, gold, answer))
        credits = [_CREDIT.get(abs(rating - right), 0.0) for rating, right in pairs]
        return sum(credits) / len(credits) if credits else 1.0

    def feedback(self, content: Json, gold: Json, answer: Json) -> Json:
        """Return both ratings of each different union, sorted by text to hide the systems."""
        outputs: dict[str, Json] = {}
        for text, criterion, rating, right in _rating_pairs(content, gold, answer):
            outputs.setdefault(text, {})[criterion] = {"own": rating, "gold": right}
        return {
            "outputs": [{"text": text, "ratings": outputs[text]} for text in sorted(outputs)],
            "note": gold.get("note", ""),
            "score": self.score(content, gold, answer),
        }

    def export(self, items: Iterable[NewItem], records: Records) -> Iterable[Exported]:
        """Yield the ratings as a table and as records; ``tatian union ratings`` reads both."""
        yield Exported("ratings.csv", _ratings_table(records))
        names = Record.__struct_fields__  # Without the fields of the workbench.
        records = (Record(*(getattr(record, name) for name in names)) for record in records)
        yield Exported.lines("ratings.jsonl", records)

    def agreement(self, contents: Contents, answers: AnswersByItem) -> Sequence[Measure]:
        """Return ordinal alpha of each rated criterion, and how often ratings are equal."""
        units: dict[str, list[dict[str, int]]] = {criterion: [] for criterion in CRITERIA}
        for content, by_person in shared_items(contents, answers):
            by_judge = convert_answers(by_person, _answer)
            for systems in _content(content).outputs().values():
                for criterion in CRITERIA:
                    units[criterion].append(_find_ratings(by_judge, systems[0], criterion))
        alphas = [
            alpha(f"alpha of {name}", [[*r.values()] for r in rated], "ordinal, unions", "ordinal")
            for name, rated in units.items()
            if any(rated)
        ]
        all_units = chain.from_iterable(units.values())
        return [*alphas, share_of_equal("equal ratings", all_units, "pairs of ratings")]

    def settle(self, content: Json, answers: Answers, rule: VotingRule) -> Settled:
        """Return for each union and criterion the rating of enough judges, or else the median."""
        by_judge = convert_answers(answers, _answer)
        judged: dict[str, UnionJudgement] = {}
        differences: list[AnswerDifference] = []
        for text, systems in _content(content).outputs().items():
            chosen: dict[str, int] = {}
            for criterion in CRITERIA:
                ratings = _find_ratings(by_judge, systems[0], criterion)
                if not ratings:
                    continue
                accepted = accepted_label(ratings.values(), rule)
                chosen[criterion] = median_low(ratings.values()) if accepted is None else accepted
                where = f"{SCALES[criterion].title} of “{short(text, _QUOTED_CHARACTERS)}”"
                differences += find_difference(where, ratings)
            if chosen:
                judged.update(dict.fromkeys(systems, UnionJudgement(**chosen)))
        answer = {name: judged[name] for name in content["systems"] if name in judged}
        return Settled(to_json(SideBySide(answer)) if answer else None, tuple(differences))


_options = converter(JudgingOptions, "options of the campaign")


def _answer(answer: Any) -> dict[str, UnionJudgement]:
    return convert(answer, SideBySide, "not ratings of systems").systems


def _find_ratings(
    by_judge: Mapping[str, Mapping[str, UnionJudgement]], system: str, criterion: Criterion
) -> dict[str, int]:
    """Return the rating of one union by each judge who gave one."""
    rated = {
        judge: getattr(by_system.get(system), criterion, None)
        for judge, by_system in by_judge.items()
    }
    return {judge: rating for judge, rating in rated.items() if rating is not None}


def _check_complete(
    ratings: Mapping[Criterion, Sequence[int]], options: JudgingOptions, outputs: int
) -> None:
    """Raise InputError unless all `outputs` are rated by the criteria of the campaign."""
    for criterion in options.criteria:
        count = len(ratings.get(criterion, ()))
        if count != outputs:
            raise InputError(f"{criterion}: {count} ratings of {outputs} unions")
    if extra := ratings.keys() - set(options.criteria):
        raise InputError(f"{min(extra)} is not asked for in this campaign")


def _rating_pairs(
    content: Json, gold: Json, answer: Json
) -> Iterator[tuple[str, Criterion, int, int]]:
    """Yield union, criterion, the judge's rating and the right one, if there are both."""
    right, judged = convert(gold, JudgingGold, "gold").systems, _answer(answer)
    for text, names in _content(content).outputs().items():
        if names[0] not in right or names[0] not in judged:
            continue
        for criterion in CRITERIA:
            rating = getattr(judged[names[0]], criterion)
            right_rating = getattr(right[names[0]], criterion)
            if rating is not None and right_rating is not None:
                yield text, criterion, rating, right_rating


def _ratings_table(records: Records) -> Iterator[bytes]:
    stream = io.StringIO(newline="")
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(["item", "system", "judge", *CRITERIA])
    for record in current_records(records):
        for name, judged in _answer(record.answer).items():
            rows.writerow([record.item, name, record.made.by, *msgspec.structs.astuple(judged)])
        yield stream.getvalue().encode()
        stream.seek(0)
        stream.truncate()
    yield stream.getvalue().encode()


def union_letter(index: int) -> str:
    """Return the letter of an index: A, B ... Z, AA, AB ..."""
    prefix, last = divmod(index, 26)
    return (union_letter(prefix - 1) if prefix else "") + chr(ord("A") + last)
