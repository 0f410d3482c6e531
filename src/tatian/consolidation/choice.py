"""Selection of spans: everything is covered, with as little redundancy as possible."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from tatian.claims import StatedClaim, about_one, agree, compare_values
from tatian.consolidation.noise import AHEAD
from tatian.consolidation.telling import CoverageModel
from tatian.consolidation.units import Key, Unit
from tatian.text.content import concepts

_STRANGER = re.compile(
    r"An? (?:[\w-]+ ){0,4}(?:man|woman|boy|girl|mother|father|son|daughter|brother|sister|teenager"
    r"|driver|employee|officer|suspect|student|player|actor|actress|grandmother|grandfather|member"
    r"|gunman|motorist|cyclist|pedestrian|climber|teacher|soldier|worker|resident|couple)\b"
)
"""Openings by which sources introduce people whom others name."""
_QUESTION = re.compile(r"\?[\"”’]+$")
_TOLD = 0.77
"""Least covered share of a span that is dropped."""
_WITNESSES = 8
"""Most candidates, best first, among which a second covering span is sought."""
_HELPS = 0.02
"""Least additional share that a second span must cover."""
_STATED = 0.35
"""Least share of each statement that one other span must cover."""
_FEW = 3
"""Highest number in words that others may cover by naming each: "two others" by two names."""
_BEGINNING = 5
"""Number of spans at the beginning of a source that have its news."""
_SAME_NAME = frozenset({"equal", "variant", "entails", "entailed"})
"""Relations of two names that may belong to one person."""
_TIE = 1e-6
"""Tie-break in favour of keeping the backbone's span."""
_WEIGHT = 0.01
"""Penalty for dropping, per unit of word weight: of near-duplicates the fuller one stays."""
_OVERTAKEN = 0.2
"""Reduction of the threshold for forecasts in sources that are not the newest."""
_LEAD = 0.1
"""Reduction of the threshold for a source's opening span, and for one like "A man ..."."""
_ALWAYS = 9.0
_UNTOLD = 3.0
"""Largest uncovered weight of a dropped span, however long it is."""
_SURELY = 0.85, 0.95
"""Least covered share of a dropped span on which the next depends: by a noun, or for its whole
context."""
_AGAIN = 0.92
"""Least covered share of a backbone span that is dropped."""
_STILL = 0.05
"""Coverage that a dropped span may lack when one of its covering spans is dropped too."""
_LOOSE = 0.15
"""Margin below `_TOLD` within which covering spans are also read as one text."""
_MAIN = 0.4
"""Least share that the best span must cover."""


class Selection(Struct, frozen=True):
    """Kept spans, and the spans that cover each dropped one."""

    kept: frozenset[Key]
    gone: Mapping[Key, tuple[Key, ...]]
    left: frozenset[Key] = frozenset()
    """Spans left out to shorten the text."""


def choose(
    accounts: Sequence[Sequence[Unit]],
    telling: CoverageModel,
    backbone: int,
    old: frozenset[int] = frozenset(),
    own: frozenset[int] = frozenset(),
) -> Selection:
    """Drop redundant spans one after the other, the best covered first.

    Of two that say the same the fuller one stays, then the backbone's. A span stays with those that
    depend on it. `old` sources are not the newest. Sources with a voice of their `own` cover
    nothing of the others.
    """
    units = {unit.key: unit for account in accounts for unit in account}
    follower = {
        one.key: two.key for account in accounts for one, two in pairwise(account) if two.leans
    }
    answers = {
        two.key
        for account in accounts
        for one, two in pairwise(account)
        if _QUESTION.search(one.text) and two.leans
    }
    overtaken = forecasts(units.values(), old)
    worth = {
        key: -_LEAD * bool(_STRANGER.match(unit.text)) - _OVERTAKEN * (key in overtaken)
        for key, unit in units.items()
    }
    for number, account in enumerate(accounts):
        for unit in account[:1]:
            news = backbone in old and number not in old
            stays = number == backbone and unit.key not in telling.outdated
            worth[unit.key] += _ALWAYS if stays else -_LEAD * (not news)
    kept = set(units)
    heard = {key for key in units if key[0] in own}
    gone: dict[Key, tuple[Key, ...]] = {}
    opener = _opener(accounts, telling, backbone, old | own, overtaken)
    scores: dict[Key, tuple[float, tuple[Key, ...]]] = {}
    told_by: dict[Key, set[Key]] = {key: set() for key in units}
    ready: dict[Key, float] = {}

    def open_to(key: Key) -> set[Key]:
        """Return the kept spans that may cover this one."""
        current = kept if key in overtaken else kept - overtaken
        return current if key[0] in own else current - heard

    def least(key: Key) -> float:
        """Return the least covered share at which a span is dropped."""
        fresh = key not in overtaken and key not in telling.outdated
        return (_AGAIN if key[0] == backbone and fresh else _TOLD) + worth[key]

    def judge(key: Key) -> None:
        value, tellers = scores[key] = _judged(key, telling, open_to(key))
        for other in tellers:
            told_by[other].add(key)
        ready.pop(key, None)
        if tellers and value >= least(key):
            ready[key] = value - worth[key] - _WEIGHT * telling.weight(key)
            ready[key] -= _TIE * (key[0] == backbone)

    if opener is not None:
        first = accounts[backbone][0].key
        kept.remove(first)
        gone[first] = (opener,)
        told_by[opener].add(first)
        worth[opener] = _ALWAYS
    for key in kept:
        judge(key)
    while True:
        allowed = [
            (rank, key)
            for key, rank in ready.items()
            if key not in answers
            and (
                scores[key][0] >= _SURELY[units[follower.get(key, key)].leans == "before"]
                or _may_go(units[key], units.get(follower.get(key, key)), kept)
                or _speak_of(scores[key][1], units.get(follower.get(key, key)), telling)
            )
        ]
        if not allowed:
            return Selection(frozenset(kept), gone)
        _, key = max(allowed)
        ready.pop(key)
        kept.remove(key)
        orphans = {
            one: _judged(one, telling, open_to(one))
            for one in told_by[key]
            if one in gone and key in gone[one]
        }
        if any(value < least(one) - _STILL for one, (value, _) in orphans.items()):
            kept.add(key)
            continue
        for one, (_, tellers) in orphans.items():
            gone[one] = tellers
            for other in tellers:
                told_by[other].add(one)
        gone[key] = scores[key][1]
        for other in told_by[key]:
            if other in kept and key in scores[other][1]:
                judge(other)


def _opener(
    accounts: Sequence[Sequence[Unit]],
    telling: CoverageModel,
    backbone: int,
    others: Collection[int],
    overtaken: Collection[Key],
) -> Key | None:
    """Return a longer span near a source's beginning that alone covers the backbone's first span.

    None of the `others`, which are older or have a voice of their own, opens the text.
    """
    if not accounts[backbone]:
        return None
    first = accounts[backbone][0]
    fit = [
        unit
        for number, account in enumerate(accounts)
        for unit in account[:_BEGINNING]
        if (number == backbone or number not in others)
        and unit is not first
        and unit.key not in overtaken
        and unit.words > first.words
        and not unit.leans
        and not _STRANGER.match(unit.text)
    ]
    told = [(_judged(first.key, telling, {unit.key})[0], unit.key) for unit in fit]
    share, key = max(told, default=(0.0, first.key))
    return key if share >= _AGAIN else None


def forecasts(units: Iterable[Unit], old: Collection[int]) -> frozenset[Key]:
    """Return the spans of `old` sources that are forecasts."""
    return frozenset(unit.key for unit in units if unit.account in old and AHEAD.search(unit.text))


def _judged(key: Key, telling: CoverageModel, kept: set[Key]) -> tuple[float, tuple[Key, ...]]:
    """Return the covered share of a span, and the one or two spans that cover it."""
    near = sorted(
        (-telling.told(key, (other,)), other) for other in telling.tellers(key) if other in kept
    )
    if not near or -near[0][0] < _MAIN:
        return 0.0, ()
    first = near[0][1]
    pairs = [(first, other) for _, other in near[1:_WITNESSES]]
    ranked = [(unsaid(telling, key, one), -telling.told(key, one), one) for one in pairs]
    alone = (unsaid(telling, key, (first,)), near[0][0] - _HELPS, (first,))
    lacking, _, found = min([alone, *ranked])
    stated = telling.least_stated(key, found)
    if lacking or stated < _STATED or telling.untold(key, found) > _UNTOLD:
        return 0.0, ()
    value = telling.told(key, found)
    if value > _TOLD - _LOOSE:
        value = (value + telling.surely(key, found)) / 2
    return value, found


def unsaid(telling: CoverageModel, key: Key, others: Sequence[Key]) -> bool:
    """Check whether a span names a person or gives a figure that none of the others has."""
    disputed = frozenset().union(*(telling.disputed.get((key, other), ()) for other in others))
    said = disputed.union(*(telling.said.get(other, frozenset()) for other in others))
    for own in telling.claims.get(key, ()):
        if own.kind != "name" or own.unit != "PER" or not said.isdisjoint(concepts(own.name)):
            continue
        named = (one for other in others for one in telling.claims.get(other, ()))
        if not any(compare_values(own, one)[0] in _SAME_NAME for one in named):
            return True
    return any(not disputed.issuperset(own.concepts) for own, _ in otherwise(telling, key, others))


def otherwise(
    telling: CoverageModel, key: Key, others: Sequence[Key]
) -> list[tuple[StatedClaim, tuple[Key, StatedClaim] | None]]:
    """Return the figures and times of a span that no other gives, with what one gives instead."""
    theirs = [(other, one) for other in others for one in telling.claims.get(other, ())]
    said = frozenset().union(*(telling.said.get(other, frozenset()) for other in others))
    found = []
    for own in telling.claims.get(key, ()):
        if own.kind in ("name", "date", "order") or not _is_stated(own):
            continue
        if any(_gives(one, own) for _, one in theirs):
            continue
        near = (each for each in theirs if about_one(own, each[1]))
        instead = next((each for each in near if not agree(own, each[1])), None)
        if instead or not (own.concepts <= said or _is_small(own)):
            found.append((own, instead))
    return found


def _is_stated(claim: StatedClaim) -> bool:
    """Check whether a figure is given in numbers: "several" and "one" may be paraphrased."""
    interval = claim.interval
    if interval is None or interval.low == 1:
        return False
    return not interval.bounded or any(map(str.isdigit, claim.stated))


def _is_small(claim: StatedClaim) -> bool:
    """Check whether a number is a small one in words, which others may cover by naming each."""
    interval = claim.interval
    return interval is not None and interval.high <= _FEW and claim.stated.isalpha()


def _gives(other: StatedClaim, own: StatedClaim) -> bool:
    """Check whether another claim gives the same or a more exact value, maybe of the same thing.

    A fraction may have lost its stroke: "41/2" is printed as "412".
    """
    things = {other.scope.thing, own.scope.thing} - {""}
    same = compare_values(other, own)[0] in ("equal", "entails", "variant")
    stated = other.stated, own.stated
    fraction = any("/" in one for one in stated)
    garbled = fraction and len({re.sub(r"\D", "", one) for one in stated}) == 1
    return len(things) < 2 and (same or garbled or other.concepts == own.concepts)


def same_value(telling: CoverageModel, one: tuple[Key, int], other: tuple[Key, int]) -> bool:
    """Check whether two words (span, position) belong to the same value, or at most to names."""
    claims = [
        next((c for c in telling.claims.get(key, ()) if c.figure.start <= at < c.figure.end), None)
        for key, at in (one, other)
    ]
    first, second = claims
    if first is None or second is None:
        return all(claim is None or claim.kind == "name" for claim in claims)
    value = compare_values(first, second)[0]
    if "name" in (first.kind, second.kind):
        return value in _SAME_NAME
    return value == "equal" or first.concepts == second.concepts


def _may_go(unit: Unit, after: Unit | None, kept: set[Key]) -> bool:
    """Check whether the next span does not need this one, or has the same pronoun."""
    if after is None or after is unit or after.key not in kept or after.leans in ("", "name"):
        return True
    return bool(unit.leans and unit.pronoun and after.pronoun and unit.says == after.says)


def _speak_of(tellers: Iterable[Key], after: Unit | None, telling: CoverageModel) -> bool:
    """Check whether spans that cover a span mention what opens the next one: "the coroner"."""
    if after is None or after.leans != "noun":
        return False
    said = frozenset().union(*(telling.said.get(one, frozenset()) for one in tellers))
    return not said.isdisjoint(concepts(after.text.split()[1:2]))


def shortened(
    choice: Selection, accounts: Sequence[Sequence[Unit]], backbone: int, words: int
) -> Selection:
    """Shorten a selection to about `words` words: what most sources cover, and cover first.

    A span brings what it depends on. The first span of the backbone always stays.
    """
    before = {two.key: one for account in accounts for one, two in pairwise(account) if two.leans}
    units = {unit.key: unit for account in accounts for unit in account}
    tellings = {key: {key[0]} for key in choice.kept}
    for key, (teller, *_) in choice.gone.items():
        tellings.get(teller, set()).add(key[0])
    place = {unit.key: index for account in accounts for index, unit in enumerate(account)}
    ranked = sorted(
        choice.kept,
        key=lambda key: (
            -(len(tellings[key]) + 1 / (1 + place[key]) + (key[0] == backbone) / 2),
            key,
        ),
    )
    first = next((unit.key for unit in accounts[backbone] if unit.key in choice.kept), None)
    kept: set[Key] = set()
    room = words
    for key in dict.fromkeys([*([first] if first else []), *ranked]):
        wanted = [key]
        while (one := before.get(wanted[-1])) is not None and one.key in choice.kept:
            wanted.append(one.key)
        cost = sum(units[one].words for one in wanted if one not in kept)
        if not kept or cost <= room:
            kept.update(wanted)
            room -= cost
    return narrowed(choice, kept)


def narrowed(choice: Selection, kept: Collection[Key]) -> Selection:
    """Restrict a selection to some spans; what only the others cover is left out as well."""
    gone = {
        key: tuple(one for one in tellers if _stands(one, choice, kept))
        for key, tellers in choice.gone.items()
        if _stands(key, choice, kept)
    }
    everything = choice.kept | choice.left | set(choice.gone)
    return Selection(frozenset(kept), gone, everything.difference(kept, gone))


def _stands(key: Key, choice: Selection, kept: Collection[Key]) -> bool:
    """Check whether the main span that covers a dropped one is still in the text."""
    while key in choice.gone:
        key = choice.gone[key][0]
    return key in kept
