"""Conflicts: different figures, times or names for the same thing in several sources."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations, product
from math import ceil, floor

from tatian.analysis.coverage import Coverage
from tatian.claims import (
    PlacedClaim,
    StatedClaim,
    about_one,
    agree,
    compare,
    compare_values,
    likenesses,
    may_supersede,
    same_thing_chance,
)
from tatian.consolidation.conflict_model import find_likely_pairs
from tatian.consolidation.coverage import CoverageModel
from tatian.consolidation.plan import ConflictingClaim, SourceConflict, StorySources
from tatian.consolidation.rivals import (
    ONE_PER_PERSON,
    count_transposed,
    find_sole_pairs,
    has_value,
    is_member,
    is_one_of_several,
    is_same_value,
    may_be_one_person,
    may_exclude,
    without_lists,
)
from tatian.consolidation.shortlist import CoverageReader
from tatian.consolidation.spans import Key, SourceSpan
from tatian.text import Document
from tatian.views.wording import squeeze

_LEAST_FRAME = 0.38
"""Least coverage of the words that govern a figure, once the other span has the same figure."""
_NAME_FRAME = 0.3
"""Least such coverage for two given names with one surname."""
_LIKELY_FRAME = 0.6
"""Least such coverage if the claims are only likely to be about the same thing."""
_LEAST_SPAN = 0.7
"""Least coverage of each whole span in that case."""
_LEAST_SAME = 0.65
"""Least probability at which claims other than durations are about one thing."""
_LEAST_LIKELY = 0.5
"""Least probability at which two claims are likely to be about the same thing."""
_LEAST_SETTLED = 0.75
"""Least coverage, with one figure in place of the other, at which one span can replace another."""
_LEAST_SIMILAR = 0.12
"""Least similarity of two spans whose claims are compared."""
_LEAST_COVERED = 0.02
"""Least coverage of either span by the other for a model to compare their claims."""
_TRANSPOSED_SLIP = 2
"""Least number of transposed digits, the first not counted, of a slip."""
_DAYS_A_YEAR = 365.25
_LEAST_LATER = 0.75
"""Least ratio of a later count to an earlier one of the same thing."""

ConflictingPair = tuple[ConflictingClaim, ConflictingClaim]


def find_conflicts(
    story: StorySources, coverage: CoverageModel, judge: CoverageReader
) -> tuple[tuple[SourceConflict, ...], CoverageModel]:
    """Return the conflicts between sources, and the coverage model with conflicts settled.

    To settle a conflict, coverage is read with one figure in the other's place. A span with a
    superseded figure is covered by the span with the later one, never the other way round.
    """
    pairs = _find_pairs(story, coverage)
    groups: list[set[ConflictingClaim]] = []
    rows: dict[tuple[Key, Key], Coverage] = {}
    figures: dict[Key, frozenset[str]] = {}
    outdated: set[Key] = set()
    for (first, second), forth, back in _in_like_frames(pairs, story, coverage, judge):
        directions = {(first.key, second.key): forth, (second.key, first.key): back}
        may_change = may_supersede(first.claim, second.claim, rough=True)
        later = _later((first, second), story.days) if may_change else None
        if later is not None:
            outdated |= {first.key, second.key} - {later}
        rows |= {
            keys: settled
            for keys, settled in directions.items()
            if settled.share >= _LEAST_SETTLED and later in (None, keys[1])
        }
        for claim in (first, second):
            figures[claim.key] = figures.get(claim.key, frozenset()) | claim.claim.concepts
        if is_same_value(first.claim, second.claim):
            continue
        groups = _with_pair(groups, {first, second})
    for (key, placed), (other, rival) in find_sole_pairs(coverage.contents):
        sole = {ConflictingClaim(key, placed.claim), ConflictingClaim(other, rival.claim)}
        if not any(is_member(c.claim, story.documents[c.key[0]].text) for c in sole):
            groups = _with_pair(groups, sole)
    claims = {key: content.claims for key, content in coverage.contents.items()}
    for (key, placed), (other, rival) in find_likely_pairs(coverage, story.days):
        first, second = ConflictingClaim(key, placed.claim), ConflictingClaim(other, rival.claim)
        if _is_recount_or_stable(first, second, story.days) and not any(
            is_member(c.claim, story.documents[c.key[0]].text) for c in (first, second)
        ):
            joined = _with_pair(groups, {first, second})
            groups = groups if _one_source_has_both(joined[-1], claims) else joined
    conflicts = [
        _build_conflict(group.union(_agreeing_claims(group, claims)), story.days)
        for group in groups
        if not _one_source_has_both(group, claims)
    ]
    conflicts.sort(key=lambda conflict: min(conflicting.place for conflicting in conflict.claims))
    return tuple(conflicts), coverage.settle(rows, figures, outdated)


def _with_pair(
    groups: Sequence[set[ConflictingClaim]], pair: set[ConflictingClaim]
) -> list[set[ConflictingClaim]]:
    """Add a pair to the groups; those that share a claim with it become one group."""
    merged = pair.union(*(group for group in groups if pair & group))
    return [*(group for group in groups if group.isdisjoint(merged)), merged]


def _in_like_frames(
    pairs: Sequence[tuple[ConflictingPair, bool]],
    story: StorySources,
    coverage: CoverageModel,
    judge: CoverageReader,
) -> Iterator[tuple[ConflictingPair, Coverage, Coverage]]:
    """Yield the pairs of claims in similar contexts, with the coverage of each span by the other.

    Each span is read with the figure of the other in place of its own. The second direction is read
    only if the first passes.
    """
    spans = {span.key: span for span in story.spans}

    def read(questions: Sequence[ConflictingPair]) -> Sequence[Coverage]:
        texts = [
            (spans[c.key].text, _replace_figure(spans[rival.key], rival.claim, c, story.documents))
            for c, rival in questions
        ]
        return judge(texts) if texts else ()

    def passes(
        claim: ConflictingClaim, other: ConflictingClaim, judged: Coverage, *, certain: bool
    ) -> bool:
        least = _NAME_FRAME if may_be_one_person(claim.claim, other.claim) else _LEAST_FRAME
        framed = coverage.share_at(claim.key, judged, claim.claim.scope.frame)
        if certain:
            return framed >= least
        return framed >= _LIKELY_FRAME and judged.share >= _LEAST_SPAN

    forward = read([pair for pair, _ in pairs])
    passing = [
        (pair, certain, judged)
        for (pair, certain), judged in zip(pairs, forward, strict=True)
        if passes(*pair, judged, certain=certain)
    ]
    backward = read([(second, first) for (first, second), _, _ in passing])
    for ((first, second), certain, there), back in zip(passing, backward, strict=True):
        if passes(second, first, back, certain=certain):
            yield (first, second), there, back


def _find_pairs(story: StorySources, coverage: CoverageModel) -> list[tuple[ConflictingPair, bool]]:
    """Return pairs of claims that may exclude each other, with True if surely about one thing."""
    by_source: dict[int, list[StatedClaim]] = {}
    for key, content in coverage.contents.items():
        by_source.setdefault(key[0], []).extend(content.claims)
    pairs: list[tuple[ConflictingPair, bool]] = []
    doubtful: list[tuple[ConflictingPair, bool]] = []
    doubtful_claims: list[tuple[PlacedClaim, PlacedClaim]] = []
    for (key, placed), (other, rival) in _candidate_pairs(coverage, by_source):
        claims = placed.claim, rival.claim
        pair = ConflictingClaim(key, claims[0]), ConflictingClaim(other, claims[1])
        if any(is_member(c.claim, story.documents[c.key[0]].text) for c in pair):
            continue
        is_same = is_same_value(*claims)
        if not is_same and not _is_recount_or_stable(*pair, story.days):
            continue
        single = not any(is_one_of_several(by_source[c.key[0]], c.claim) for c in pair)
        if is_same or (single and (about_one(*claims) or may_be_one_person(*claims))):
            pairs.append((pair, True))
            continue
        shares = coverage.covered_share(key, [other]), coverage.covered_share(other, [key])
        if max(shares) >= _LEAST_COVERED * single:
            doubtful.append((pair, single))
            doubtful_claims.append((placed, rival))
    for (pair, single), odds in zip(doubtful, likenesses(doubtful_claims), strict=True):
        claims = pair[0].claim, pair[1].claim
        threshold = None if claims[0].kind == "duration" else _LEAST_SAME
        relation = compare(*claims, odds, threshold).relation
        certain = single and relation in ("exclude", "superseded")
        if certain or same_thing_chance(*claims, "exclude", odds) >= _LEAST_LIKELY:
            pairs.append((pair, certain))
    return pairs


def _later(pair: Sequence[ConflictingClaim], days: Sequence[date | None]) -> Key | None:
    """Return the span whose source is of the later day; None if the days are equal or unknown."""
    first, second = (days[claim.key[0]] for claim in pair)
    if first is None or second is None or first == second:
        return None
    return pair[0].key if first > second else pair[1].key


def _is_recount_or_stable(
    first: ConflictingClaim, second: ConflictingClaim, days: Sequence[date | None]
) -> bool:
    """Check whether two figures for one thing conflict, or the later one updates the earlier.

    Ages that the years between the sources explain do not. Figures that may change need different
    days, unless one is a slip: the same digits in another order. A later price, or a toll well
    below an earlier one, is about something else.
    """
    claims = first.claim, second.claim
    if _has_aged(first, second, days):
        return False
    if not may_supersede(*claims, rough=True):
        return True
    later = _later((first, second), days)
    if later is None:
        return count_transposed(*claims) >= _TRANSPOSED_SLIP
    if first.claim.kind == "money":
        return False
    old, new = sorted((first, second), key=lambda claim: claim.key == later)
    earlier, latest = old.claim.interval, new.claim.interval
    return earlier is None or latest is None or latest.high >= _LEAST_LATER * earlier.low


def _has_aged(
    first: ConflictingClaim, second: ConflictingClaim, days: Sequence[date | None]
) -> bool:
    """Check whether the years between two sources explain the difference of two ages."""
    later = _later((first, second), days)
    old, new = sorted((first, second), key=lambda claim: claim.key == later)
    before, after = days[old.key[0]], days[new.key[0]]
    young, aged = old.claim.interval, new.claim.interval
    if later is None or before is None or after is None or young is None or aged is None:
        return False
    years = (after - before).days / _DAYS_A_YEAR
    is_age = old.claim.kind == new.claim.kind == "age"
    slack = 1 if years >= 1 else 0  # sources of different years may count differently
    return is_age and floor(years) <= aged.low - young.low <= ceil(years) + slack


def _build_conflict(
    claims: Collection[ConflictingClaim], days: Sequence[date | None]
) -> SourceConflict:
    """Build a conflict, or a superseded figure if the newest sources agree on a later count."""
    ordered = sorted(claims, key=lambda claim: claim.place)
    ordinals = [(day.toordinal() if (day := days[claim.key[0]]) else 0) for claim in ordered]
    by_day = list(zip(ordinals, ordered, strict=True))
    newest_claims = [claim for day, claim in by_day if day == max(ordinals)]
    is_superseded = all(
        agree(claim.claim, newest.claim)
        or (claim not in newest_claims and may_supersede(claim.claim, newest.claim, rough=True))
        for claim in ordered
        for newest in newest_claims
    )
    if not is_superseded or min(ordinals) == max(ordinals) or ordered[0].claim.kind == "date":
        return SourceConflict(tuple(ordered))
    by_day.sort(key=lambda dated: (dated[0], dated[1].place))
    return SourceConflict(tuple(claim for _, claim in by_day), "superseded")


def _candidate_pairs(
    coverage: CoverageModel, by_source: Mapping[int, Sequence[StatedClaim]]
) -> Iterator[tuple[tuple[Key, PlacedClaim], tuple[Key, PlacedClaim]]]:
    """Yield pairs of claims of different sources that have one value or may exclude each other."""
    for key, content in coverage.contents.items():
        for other in coverage.neighbours(key) if content.placed else ():
            if other[0] == key[0] or coverage.similarity(key, other) < _LEAST_SIMILAR:
                continue
            if other < key and key in coverage.neighbours(other):
                continue
            sides = map(without_lists, (content.placed, coverage.content(other).placed))
            for claim, rival in product(*sides):
                if is_same_value(claim.claim, rival.claim) or (
                    may_exclude(claim.claim, rival.claim)
                    and not has_value(by_source[other[0]], claim.claim)
                    and not has_value(by_source[key[0]], rival.claim)
                ):
                    yield (key, claim), (other, rival)


def _agreeing_claims(
    group: Collection[ConflictingClaim], claims_of: Mapping[Key, Sequence[StatedClaim]]
) -> Iterator[ConflictingClaim]:
    """Yield claims of further sources about a person that agree with one in a conflict."""
    sources = {member.key[0] for member in group}
    for key, claims in claims_of.items():
        for claim in claims if key[0] not in sources else ():
            if claim.kind in ONE_PER_PERSON and any(
                claim.kind == member.claim.kind
                and compare_values(claim, member.claim)[0] == "equal"
                and not claim.scope.people.isdisjoint(member.claim.scope.people)
                for member in group
            ):
                yield ConflictingClaim(key, claim)


def _one_source_has_both(
    group: Collection[ConflictingClaim], claims_of: Mapping[Key, Sequence[StatedClaim]]
) -> bool:
    """Check whether one source has two of the values: "Kathryn, known as Katie", or two quakes."""
    names = {member.claim.name for member in group if member.claim.kind == "name"}
    names_of: dict[int, set[tuple[str, ...]]] = {}
    for key, claims in claims_of.items():
        used = {claim.name for claim in claims if claim.kind == "name"}
        names_of.setdefault(key[0], set()).update(used)
    return any(len(names & names_used) > 1 for names_used in names_of.values()) or any(
        first.key[0] == second.key[0] and not agree(first.claim, second.claim)
        for first, second in combinations(group, 2)
    )


def _replace_figure(
    span: SourceSpan, claim: StatedClaim, other: ConflictingClaim, documents: Sequence[Document]
) -> str:
    """Return a span's text with its figure replaced by another span's."""
    text = documents[span.source].text
    figure = squeeze(claim.figure.of(text))
    replacement = squeeze(other.claim.figure.of(documents[other.key[0]].text))
    before = " ".join(text[body.start : min(body.end, claim.figure.start)] for body in span.bodies)
    parts = span.text.split(figure)
    number = 1 + min(squeeze(before).count(figure), len(parts) - 2)
    if not number:
        return span.text
    return figure.join(parts[:number]) + replacement + figure.join(parts[number:])
