"""Conflicts: different figures, times or names for the same thing in several sources."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations, product

from tatian.analysis.coverage import Coverage
from tatian.claims import (
    PlacedClaim,
    StatedClaim,
    about_one,
    agree,
    compare,
    compare_values,
    find_barrier,
    is_unknown_day,
    likenesses,
    may_supersede,
    same_thing_chance,
)
from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.plan import ConflictingClaim, SourceConflict, StorySources
from tatian.consolidation.shortlist import CoverageReader
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import Document
from tatian.views.wording import squeeze

_FRAMED = 0.38
"""Least coverage of the words around two figures if one is put in the other's place."""
_NAMED = 0.3
"""Least such coverage for two given names with one surname."""
_CLOSELY = 0.6
"""Least such coverage if the claims are only likely to be about the same thing."""
_WHOLE = 0.7
"""Least coverage of each whole span in that case."""
_ONE_STORY = 0.65
"""Least probability at which two claims of one story, save durations, are about one thing."""
_LIKELY = 0.5
"""Least probability at which two claims are likely to be about the same thing."""
_SETTLED = 0.75
"""Coverage, with one figure in the other's place, from which one span can replace another."""
_ALIKE = 0.12
"""Least similarity of two spans whose claims are compared."""
_NEAR = 0.02
"""Least coverage of either span by the other for a model to compare their claims."""
_COMPARED = frozenset(
    "clock duration count money share measure age family frequency score date name".split()
)
"""Kinds of claims that are reported as conflicts."""
_SIZES = frozenset({"count", "money", "share", "measure", "duration"})
_TIMES = 3.5
"""Ratio above which two figures are of different things."""
_SHRUNK = 0.75
"""Share of an earlier figure below which a later one counts something else."""
_FEW = 3
"""Counts up to this need the same noun to conflict."""
_GIVEN = 4
"""Letters that two forms of a given name share; a shorter name may be a nickname."""
_PART = 150
"""Length in minutes above which a time of day is a part of the day, such as "morning"."""
_MONTH, _YEAR = 31, 366
"""Most days of a named month, and between two months that may be given for one act."""
_ONE_EACH = frozenset({"name", "age", "family"})
"""Kinds of claims that have only one value per person, whatever the act."""

ConflictingPair = tuple[ConflictingClaim, ConflictingClaim]


def find_conflicts(
    story: StorySources, coverage: CoverageModel, judge: CoverageReader
) -> tuple[tuple[SourceConflict, ...], CoverageModel]:
    """Return the conflicts between sources, and the coverage model as if they were settled.

    To settle a conflict, coverage is read with one figure in the other's place. A span with a
    superseded figure is covered by the span with the later one, never the other way round.
    """
    pairs = _find_pairs(story, coverage)
    groups: list[set[ConflictingClaim]] = []
    rows: dict[tuple[Key, Key], Coverage] = {}
    figures: dict[Key, frozenset[str]] = {}
    outdated: set[Key] = set()
    for (first, second), forth, back in _framed_alike(pairs, story, coverage, judge):
        both = {(first.key, second.key): forth, (second.key, first.key): back}
        changeable = may_supersede(first.claim, second.claim, rough=True)
        later = _later((first, second), story.days) if changeable else None
        if later is not None:
            outdated |= {first.key, second.key} - {later}
        rows |= {
            keys: settled
            for keys, settled in both.items()
            if settled.share >= _SETTLED and later in (None, keys[1])
        }
        for claim in (first, second):
            figures[claim.key] = figures.get(claim.key, frozenset()) | claim.claim.concepts
        if _otherwise_said(first.claim, second.claim):
            continue
        joined = {first, second}.union(*(group for group in groups if {first, second} & group))
        groups = [*(group for group in groups if group.isdisjoint(joined)), joined]
    claims = {key: content.claims for key, content in coverage.contents.items()}
    conflicts = [
        _build_conflict(group.union(_seconded(group, claims)), story.days)
        for group in groups
        if not _has_both(group, claims)
    ]
    conflicts.sort(key=lambda conflict: min(said.place for said in conflict.claims))
    return tuple(conflicts), coverage.settle(rows, figures, outdated)


def _framed_alike(
    pairs: Sequence[tuple[ConflictingPair, bool]],
    story: StorySources,
    coverage: CoverageModel,
    judge: CoverageReader,
) -> Iterator[tuple[ConflictingPair, Coverage, Coverage]]:
    """Yield the pairs of claims in similar words, with the coverage of either span by the other.

    Each span is read with the other's figure in place of its own. The second is only read where
    the first passes.
    """
    spans = {span.key: span for span in story.spans}

    def read(asked: Sequence[ConflictingPair]) -> Sequence[Coverage]:
        texts = [
            (spans[claim.key].text, _with(spans[rival.key], rival.claim, claim, story.documents))
            for claim, rival in asked
        ]
        return judge(texts) if texts else ()

    def passes(
        claim: ConflictingClaim, other: ConflictingClaim, judged: Coverage, *, certain: bool
    ) -> bool:
        least = _NAMED if _one_person(claim.claim, other.claim) else _FRAMED
        framed = coverage.share_at(claim.key, judged, claim.claim.scope.frame)
        return framed >= (least if certain else _CLOSELY) and (certain or judged.share >= _WHOLE)

    forth = read([pair for pair, _ in pairs])
    left = [
        (pair, certain, judged)
        for (pair, certain), judged in zip(pairs, forth, strict=True)
        if passes(*pair, judged, certain=certain)
    ]
    back = read([(second, first) for (first, second), _, _ in left])
    for ((first, second), certain, read_forth), read_back in zip(left, back, strict=True):
        if passes(second, first, read_back, certain=certain):
            yield (first, second), read_forth, read_back


def _find_pairs(story: StorySources, coverage: CoverageModel) -> list[tuple[ConflictingPair, bool]]:
    """Return pairs of claims that may exclude each other; True if surely about one thing."""
    by_source: dict[int, list[StatedClaim]] = {}
    for key, content in coverage.contents.items():
        by_source.setdefault(key[0], []).extend(content.claims)
    pairs: list[tuple[ConflictingPair, bool]] = []
    doubtful: list[tuple[ConflictingPair, bool]] = []
    doubtful_claims: list[tuple[PlacedClaim, PlacedClaim]] = []
    for (key, mine), (other, theirs) in _candidates(coverage, by_source):
        claims = mine.claim, theirs.claim
        pair = ConflictingClaim(key, claims[0]), ConflictingClaim(other, claims[1])
        if any(_is_member(side.claim, story.documents[side.key[0]].text) for side in pair):
            continue
        same = _otherwise_said(*claims)
        if not same and may_supersede(*claims, rough=True) and not _counted_again(pair, story.days):
            continue
        single = not any(_is_one_of_several(by_source[side.key[0]], side.claim) for side in pair)
        if same or (single and (about_one(*claims) or _one_person(*claims))):
            pairs.append((pair, True))
            continue
        forth, back = coverage.covered_share(key, [other]), coverage.covered_share(other, [key])
        if max(forth, back) >= _NEAR * single:
            doubtful.append((pair, single))
            doubtful_claims.append((mine, theirs))
    for (pair, single), odds in zip(doubtful, likenesses(doubtful_claims), strict=True):
        claims = pair[0].claim, pair[1].claim
        bound = None if claims[0].kind == "duration" else _ONE_STORY
        relation = compare(*claims, odds, bound).relation
        certain = single and relation in ("exclude", "superseded")
        if certain or same_thing_chance(*claims, "exclude", odds) >= _LIKELY:
            pairs.append((pair, certain))
    return pairs


def _later(pair: Sequence[ConflictingClaim], days: Sequence[date | None]) -> Key | None:
    """Return the span of the two whose source is of a later day, if both days are known."""
    first, second = (days[claim.key[0]] for claim in pair)
    if first is None or second is None or first == second:
        return None
    return pair[0].key if first > second else pair[1].key


def _counted_again(
    pair: tuple[ConflictingClaim, ConflictingClaim], days: Sequence[date | None]
) -> bool:
    """Check whether the later source gives a newer figure for the same thing.

    A raised price, or a toll well below an earlier one, is a different thing.
    """
    later = _later(pair, days)
    if later is None or pair[0].claim.kind == "money":
        return False
    old, new = sorted(pair, key=lambda claim: claim.key == later)
    before, after = old.claim.interval, new.claim.interval
    return before is None or after is None or after.high >= _SHRUNK * before.low


def _build_conflict(
    claims: Collection[ConflictingClaim], days: Sequence[date | None]
) -> SourceConflict:
    """Build a conflict, or a superseded figure if the newest sources agree on a later count."""
    ordered = sorted(claims, key=lambda claim: claim.place)
    ordinals = [(day.toordinal() if (day := days[claim.key[0]]) else 0) for claim in ordered]
    by_day = list(zip(ordinals, ordered, strict=True))
    last = [claim for day, claim in by_day if day == max(ordinals)]
    grown = all(
        agree(claim.claim, newest.claim)
        or (claim not in last and may_supersede(claim.claim, newest.claim, rough=True))
        for claim in ordered
        for newest in last
    )
    if not grown or min(ordinals) == max(ordinals) or ordered[0].claim.kind == "date":
        return SourceConflict(tuple(ordered))
    by_day.sort(key=lambda dated: (dated[0], dated[1].place))
    return SourceConflict(tuple(claim for _, claim in by_day), "superseded")


def _candidates(
    coverage: CoverageModel, by_source: Mapping[int, Sequence[StatedClaim]]
) -> Iterator[tuple[tuple[Key, PlacedClaim], tuple[Key, PlacedClaim]]]:
    """Yield claims of different sources that may exclude each other."""
    for key, content in coverage.contents.items():
        for other in coverage.neighbours(key) if content.placed else ():
            if other[0] == key[0] or coverage.similarity(key, other) < _ALIKE:
                continue
            if other < key and key in coverage.neighbours(other):
                continue
            for mine, theirs in product(content.placed, coverage.content(other).placed):
                if _otherwise_said(mine.claim, theirs.claim) or (
                    _may_exclude(mine.claim, theirs.claim)
                    and not _says(by_source[other[0]], mine.claim)
                    and not _says(by_source[key[0]], theirs.claim)
                ):
                    yield (key, mine), (other, theirs)


def _otherwise_said(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims give one value in other words: feet and metres, two spellings."""
    written_otherwise = first.kind in ("measure", "duration", "money", "name")
    if first.concepts == second.concepts or not written_otherwise:
        return False
    value, _ = compare_values(first, second)
    return value in ("equal", "variant") and not find_barrier(first, second, "equal")


def _may_exclude(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two claims may be about one thing and cannot both be right."""
    if first.kind != second.kind or first.kind not in _COMPARED or _sounds_alike(first, second):
        return False
    value, reason = compare_values(first, second)
    if value != "exclude" or (first.kind == "name" and "surname" not in reason):
        return False
    if first.kind == "count" and not _counts_one_thing(first, second):
        return False
    if first.kind == "date" and (
        not _are_calendar_days(first, second) or is_unknown_day(first, second)
    ):
        return False
    markers = {first.scope.marker, second.scope.marker}
    if first.kind in _SIZES and ({"from"} < markers or _far(first, second)):
        return False
    return not find_barrier(first, second, value)


def _counts_one_thing(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two counts may be of one thing; small ones need the same noun."""
    ranges = first.interval, second.interval
    small = any(interval is not None and interval.low <= _FEW for interval in ranges)
    return not small or first.scope.thing == second.scope.thing


def _are_calendar_days(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two days or near months are named; "Tuesday" may be of a later hearing."""
    days = first.interval, second.interval
    if any(claim.relative not in ("", "year") for claim in (first, second)) or None in days:
        return False
    lengths = [ends.high - ends.low for ends in days if ends]
    lows = [ends.low for ends in days if ends]
    return max(lengths) < 1 or (max(lengths) <= _MONTH and abs(lows[0] - lows[1]) <= _YEAR)


def _is_member(claim: StatedClaim, text: str) -> bool:
    """Check whether a claim is the "one" of "one of", which counts nothing."""
    single = claim.kind == "count" and claim.stated.lower() == "one"
    return single and text[claim.figure.end :].lstrip().startswith("of ")


def _sounds_alike(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether claims differ only in a bound or unit, a part of the day, or a short name."""
    if first.kind == "name":
        short, long = sorted((first.name[0], second.name[0]), key=len)
        nickname = len(short) < _GIVEN < len(long) and short[0] == long[0]
        return short != long and (nickname or short[:_GIVEN] == long[:_GIVEN])
    ranges = first.interval, second.interval
    if first.kind == "clock" and any(
        interval and interval.high - interval.low > _PART for interval in ranges
    ):
        return True
    numbers = [re.match(r"[\d,.]*\d", claim.stated) for claim in (first, second)]
    same = numbers[0] and numbers[1] and numbers[0][0] == numbers[1][0]
    return first.concepts == second.concepts or bool(same and first.kind in ("measure", "money"))


def _far(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether one figure is many times the other, or only one is below zero."""
    ranges = first.interval, second.interval
    if ranges[0] is None or ranges[1] is None:
        return False
    low, high = sorted((abs(ranges[0].low), abs(ranges[1].low)))
    return high > _TIMES * low or (ranges[0].low < 0) != (ranges[1].low < 0)


def _one_person(first: StatedClaim, second: StatedClaim) -> bool:
    """Check whether two names have the same surname and the same first initial."""
    if first.kind != "name" or not first.name or not second.name:
        return False
    return first.name[-1] == second.name[-1] and first.name[0][:1] == second.name[0][:1]


def _says(claims: Sequence[StatedClaim], stated: StatedClaim) -> bool:
    """Check whether a source also has a claim's value, for the same thing or an unknown one."""
    return any(
        claim.kind == stated.kind
        and compare_values(claim, stated)[0] in ("equal", "variant")
        and len({claim.scope.thing, stated.scope.thing} - {""}) < 2
        and not (
            claim.scope.people
            and stated.scope.people
            and claim.scope.people.isdisjoint(stated.scope.people)
        )
        for claim in claims
    )


def _is_one_of_several(claims: Sequence[StatedClaim], stated: StatedClaim) -> bool:
    """Check whether a source gives two values, on any days, for what looks like one thing."""
    scope = stated.scope
    return stated.kind not in _ONE_EACH and any(
        (claim.kind, claim.unit, claim.scope.thing) == (stated.kind, stated.unit, scope.thing)
        and (claim.scope.partial, claim.scope.whole) == (scope.partial, scope.whole)
        and (not (claim.scope.heads or scope.heads) or bool(claim.scope.heads & scope.heads))
        and compare_values(claim, stated)[0] == "exclude"
        and not _far(claim, stated)
        for claim in claims
    )


def _seconded(
    group: Collection[ConflictingClaim], held: Mapping[Key, Sequence[StatedClaim]]
) -> Iterator[ConflictingClaim]:
    """Yield claims of further sources that agree with one in a conflict: an age, a name."""
    heard = {member.key[0] for member in group}
    for key, claims in held.items():
        for claim in claims if key[0] not in heard else ():
            if claim.kind in _ONE_EACH and any(
                claim.kind == member.claim.kind
                and compare_values(claim, member.claim)[0] == "equal"
                and not claim.scope.people.isdisjoint(member.claim.scope.people)
                for member in group
            ):
                yield ConflictingClaim(key, claim)


def _has_both(
    group: Collection[ConflictingClaim], held: Mapping[Key, Sequence[StatedClaim]]
) -> bool:
    """Check whether one source has two of the values: "Kathryn, known as Katie", or two quakes."""
    names = {member.claim.name for member in group if member.claim.kind == "name"}
    used: dict[int, set[tuple[str, ...]]] = {}
    for key, claims in held.items():
        used.setdefault(key[0], set()).update(
            claim.name for claim in claims if claim.kind == "name"
        )
    return any(len(names & names_used) > 1 for names_used in used.values()) or any(
        first.key[0] == second.key[0] and not agree(first.claim, second.claim)
        for first, second in combinations(group, 2)
    )


def _with(
    span: SourceSpan, claim: StatedClaim, other: ConflictingClaim, documents: Sequence[Document]
) -> str:
    """Return a span's text with its figure replaced by another span's."""
    text = documents[span.source].text
    said = squeeze(claim.figure.of(text))
    instead = squeeze(other.claim.figure.of(documents[other.key[0]].text))
    before = " ".join(text[body.start : min(body.end, claim.figure.start)] for body in span.bodies)
    parts = span.text.split(said)
    place = 1 + min(squeeze(before).count(said), len(parts) - 2)
    return said.join(parts[:place]) + instead + said.join(parts[place:]) if place else span.text
