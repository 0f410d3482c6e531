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
    likenesses,
    may_supersede,
    same_thing_chance,
)
from tatian.consolidation.coverage import CoverageModel, Judge
from tatian.consolidation.plan import ConflictingClaim, SourceConflict, StorySources
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
_ONE_EACH = frozenset({"name", "age", "family"})
"""Kinds of claims that have only one value per person, whatever the act."""


ClaimPair = tuple[ConflictingClaim, ConflictingClaim]


def find_conflicts(
    story: StorySources, coverage: CoverageModel, judge: Judge
) -> tuple[tuple[SourceConflict, ...], CoverageModel]:
    """Return the conflicts between sources, and the coverage model as if they were settled.

    To settle a conflict, coverage is read with one figure in the other's place. A span with a
    superseded figure is covered by the span with the later one, never the other way round.
    """
    spans = {span.key: span for span in story.spans}
    pairs = _find_pairs(story, coverage)
    asked = []
    for (first, second), _ in pairs:
        span, rival = spans[first.key], spans[second.key]
        asked.append((span.text, _with(rival, second.claim, first, story.documents)))
        asked.append((rival.text, _with(span, first.claim, second, story.documents)))
    judged = iter(judge(asked) if asked else ())
    groups: list[set[ConflictingClaim]] = []
    rows: dict[tuple[Key, Key], Coverage] = {}
    figures: dict[Key, frozenset[str]] = {}
    outdated: set[Key] = set()
    for ((first, second), certain), forth, back in zip(pairs, judged, judged, strict=True):
        framed = min(
            coverage.share_at(first.key, forth, first.claim.scope.frame),
            coverage.share_at(second.key, back, second.claim.scope.frame),
        )
        whole = min(forth.share, back.share) >= _WHOLE
        least = _NAMED if _one_person(first.claim, second.claim) else _FRAMED
        if framed < (least if certain else _CLOSELY) or not (certain or whole):
            continue
        both = {(first.key, second.key): forth, (second.key, first.key): back}
        counted_again = may_supersede(first.claim, second.claim, rough=True)
        later = _later((first, second), story.days) if counted_again else None
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
    conflicts.sort(key=lambda conflict: min(map(_place, conflict.claims)))
    return tuple(conflicts), coverage.settle(rows, figures, outdated) if rows else coverage


def _find_pairs(story: StorySources, coverage: CoverageModel) -> list[tuple[ClaimPair, bool]]:
    """Return pairs of claims that may exclude each other; True if surely about one thing."""
    by_source: dict[int, list[StatedClaim]] = {}
    for key, content in coverage.contents.items():
        by_source.setdefault(key[0], []).extend(content.claims)
    texts = [document.text for document in story.documents]
    pairs: list[tuple[ClaimPair, bool]] = []
    doubtful: list[tuple[ClaimPair, bool]] = []
    doubtful_claims: list[tuple[PlacedClaim, PlacedClaim]] = []
    for (key, mine), (other, theirs) in _candidates(coverage, by_source):
        claims = mine.claim, theirs.claim
        pair = ConflictingClaim(key, claims[0]), ConflictingClaim(other, claims[1])
        if any(_is_member(side.claim, texts[side.key[0]]) for side in pair):
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
        certain = single and compare(*claims, odds).relation in ("exclude", "superseded")
        if certain or same_thing_chance(*claims, "exclude", odds) >= _LIKELY:
            pairs.append((pair, certain))
    return pairs


def _place(claim: ConflictingClaim) -> tuple[Key, int]:
    return claim.key, claim.claim.figure.start


def _later(pair: Sequence[ConflictingClaim], days: Sequence[date | None]) -> Key | None:
    """Return the span of the two whose source is of a later day, if both days are known."""
    one, two = (days[claim.key[0]] for claim in pair)
    if one is None or two is None or one == two:
        return None
    return pair[0].key if one > two else pair[1].key


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
    ordered = sorted(claims, key=_place)
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
    by_day.sort(key=lambda dated: (dated[0], _place(dated[1])))
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


def _otherwise_said(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether two claims give one value in other words: feet and metres, two spellings."""
    if one.concepts == two.concepts or one.kind not in ("measure", "duration", "money", "name"):
        return False
    value, _ = compare_values(one, two)
    return value in ("equal", "variant") and not find_barrier(one, two, "equal")


def _may_exclude(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether two claims may be about one thing and cannot both be right."""
    if one.kind != two.kind or one.kind not in _COMPARED or _sounds_alike(one, two):
        return False
    value, reason = compare_values(one, two)
    if value != "exclude" or (one.kind == "name" and "surname" not in reason):
        return False
    if one.kind == "count" and not _counts_one_thing(one, two):
        return False
    if one.kind == "date" and not (_is_calendar_day(one) and _is_calendar_day(two)):
        return False
    from_to = (
        "from" in (one.scope.marker, two.scope.marker) and one.scope.marker != two.scope.marker
    )
    if one.kind in _SIZES and (from_to or _far(one, two)):
        return False
    return not find_barrier(one, two, value)


def _counts_one_thing(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether two counts may be of one thing; small ones need the same noun."""
    ranges = one.interval, two.interval
    small = any(interval is not None and interval.low <= _FEW for interval in ranges)
    return not small or one.scope.thing == two.scope.thing


def _is_calendar_day(claim: StatedClaim) -> bool:
    """Check whether a day is given by its month; "Tuesday" may be the day of a later hearing."""
    return claim.unit == "day" and claim.relative in ("", "year")


def _is_member(claim: StatedClaim, text: str) -> bool:
    """Check whether a claim is the "one" of "one of", which counts nothing."""
    single = claim.kind == "count" and claim.stated.lower() == "one"
    return single and text[claim.figure.end :].lstrip().startswith("of ")


def _sounds_alike(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether claims differ only in a bound or unit, a part of the day, or a short name."""
    if one.kind == "name":
        short, long = sorted((one.name[0], two.name[0]), key=len)
        nickname = len(short) < _GIVEN < len(long) and short[0] == long[0]
        return short != long and (nickname or short[:_GIVEN] == long[:_GIVEN])
    ranges = one.interval, two.interval
    if one.kind == "clock" and any(
        interval and interval.high - interval.low > _PART for interval in ranges
    ):
        return True
    numbers = [re.match(r"[\d,.]*\d", claim.stated) for claim in (one, two)]
    same = numbers[0] and numbers[1] and numbers[0][0] == numbers[1][0]
    return one.concepts == two.concepts or bool(same and one.kind in ("measure", "money"))


def _far(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether one figure is many times the other."""
    ranges = one.interval, two.interval
    if ranges[0] is None or ranges[1] is None:
        return False
    low, high = sorted((ranges[0].low, ranges[1].low))
    return high > _TIMES * low


def _one_person(one: StatedClaim, two: StatedClaim) -> bool:
    """Check whether two names have the same surname and the same first initial."""
    if one.kind != "name" or not one.name or not two.name:
        return False
    return one.name[-1] == two.name[-1] and one.name[0][:1] == two.name[0][:1]


def _says(claims: Sequence[StatedClaim], one: StatedClaim) -> bool:
    """Check whether a source also has a claim's value, for the same thing or an unknown one."""
    return any(
        claim.kind == one.kind
        and compare_values(claim, one)[0] in ("equal", "variant")
        and (claim.scope.thing == one.scope.thing or not claim.scope.thing or not one.scope.thing)
        and not (
            claim.scope.people
            and one.scope.people
            and claim.scope.people.isdisjoint(one.scope.people)
        )
        for claim in claims
    )


def _is_one_of_several(claims: Sequence[StatedClaim], one: StatedClaim) -> bool:
    """Check whether a source gives two values, on any days, for what looks like one thing."""
    scope = one.scope
    return one.kind not in _ONE_EACH and any(
        (claim.kind, claim.unit, claim.scope.thing) == (one.kind, one.unit, scope.thing)
        and (claim.scope.partial, claim.scope.whole) == (scope.partial, scope.whole)
        and (not (claim.scope.heads or scope.heads) or bool(claim.scope.heads & scope.heads))
        and compare_values(claim, one)[0] == "exclude"
        and not _far(claim, one)
        for claim in claims
    )


def _seconded(
    group: Collection[ConflictingClaim], held: Mapping[Key, Sequence[StatedClaim]]
) -> Iterator[ConflictingClaim]:
    """Yield claims of further sources that agree with one in a conflict: an age, a name."""
    heard = {one.key[0] for one in group}
    for key, claims in held.items():
        for claim in claims if key[0] not in heard else ():
            if claim.kind in _ONE_EACH and any(
                claim.kind == one.claim.kind
                and compare_values(claim, one.claim)[0] == "equal"
                and not claim.scope.people.isdisjoint(one.claim.scope.people)
                for one in group
            ):
                yield ConflictingClaim(key, claim)


def _has_both(
    group: Collection[ConflictingClaim], held: Mapping[Key, Sequence[StatedClaim]]
) -> bool:
    """Check whether one source has two of the values: "Kathryn, known as Katie", or two quakes."""
    names = {one.claim.name for one in group if one.claim.kind == "name"}
    used: dict[int, set[tuple[str, ...]]] = {}
    for key, claims in held.items():
        used.setdefault(key[0], set()).update(
            claim.name for claim in claims if claim.kind == "name"
        )
    return any(len(names & own) > 1 for own in used.values()) or any(
        one.key[0] == two.key[0] and not agree(one.claim, two.claim)
        for one, two in combinations(group, 2)
    )


def _with(
    span: SourceSpan, own: StatedClaim, other: ConflictingClaim, documents: Sequence[Document]
) -> str:
    """Return a span's text with its figure replaced by another span's."""
    text = documents[span.source].text
    said = squeeze(own.figure.of(text))
    instead = squeeze(other.claim.figure.of(documents[other.key[0]].text))
    before = " ".join(text[body.start : min(body.end, own.figure.start)] for body in span.bodies)
    parts = span.text.split(said)
    place = 1 + min(squeeze(before).count(said), len(parts) - 2)
    return said.join(parts[:place]) + instead + said.join(parts[place:]) if place else span.text
