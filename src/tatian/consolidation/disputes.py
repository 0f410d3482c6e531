"""Where accounts that tell the same give another figure, or another name, for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher
from unicodedata import normalize

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.telling import Coverage
from tatian.consolidation.figures import Figure
from tatian.consolidation.telling import Judge, Telling
from tatian.consolidation.units import Key, Unit
from tatian.text import Document, WovenToken
from tatian.text.content import concept
from tatian.text.layers import glue
from tatian.text.lexicon import FEMALE_NAMES, MALE_NAMES, MONTHS, NUMBER_WORDS
from tatian.union.models import Passage, copy_tokens
from tatian.views.wording import squeeze

_SAME = 0.38
"""How much of the words around two figures must be told, were the figures the same."""
_LOOSELY = ((0.75, 0.33), (0.6, 0.55))
"""The same where the figures are of different acts, and how alike the units must then be."""
_WHOLE = 0.7
"""How much of each unit the other must then tell."""
_SETTLED = 0.75
"""How much of a unit the other must tell, were the figures the same, to stand for it."""
_ALIKE = 0.12
"""How alike two units must be."""
_CLOSELY = frozenset({"duration", "date"})
"""Kinds that are compared for one act alone: one thing has many days, and takes many times."""
_ALWAYS = frozenset({"name", "mark", "age", "parent"})
"""Kinds of which one has only one, whatever the act."""
_TIMES = 3.5
"""Figures of which one is more than so many times the other are of different things."""
_NEAR_DAYS = 31
"""Days between accounts within which nobody is taken to have a birthday."""
_SPELT = 0.78
"""How alike two spellings of one name are."""
_INITIAL = 0.5
"""The same for first names that begin alike."""
_GROWING = frozenset(
    map(concept, "kill die dead injure wound hurt arrest detain miss destroy rescue find".split())
)
"""Acts whose count grows from day to day."""


_FAMILIES = tuple(
    tuple(frozenset(map(concept, acts.split())) for acts in family.split("; "))
    for family in (
        "kill die dead; injure wound hurt; arrest detain; miss; rescue survive",
        "win; lose concede; draw",
        "offer; demand want ask",
        "rise grow gain increase; fall drop lose decrease",
        "buy spend pay cost; sell earn",
        "open begin start; close end finish; last",
        "arrive come; leave go",
        "hire employ; fire dismiss",
    )
)
"""Acts of which one is not another."""


class DisputedFigure(Struct, frozen=True):
    """What one unit says at a point where accounts differ."""

    key: Key
    figure: Figure


class Dispute(Struct, frozen=True):
    """What accounts say at one point, each value by those who say it."""

    claims: tuple[DisputedFigure, ...]

    def others(self, claim: DisputedFigure) -> list[list[DisputedFigure]]:
        """The claims that exclude one, those of one value together, one for each account."""
        found: list[list[DisputedFigure]] = []
        for other in self.claims:
            if other.figure.same(claim.figure) or other.key[0] == claim.key[0]:
                continue
            group = next((one for one in found if one[0].figure.same(other.figure)), None)
            if group is None:
                found.append([other])
            elif all(one.key[0] != other.key[0] for one in group):
                group.append(other)
        return found


def disputes(
    units: Sequence[Unit],
    documents: Sequence[Document],
    telling: Telling,
    days: Sequence[date | None],
    judge: Judge,
) -> tuple[tuple[Dispute, ...], Telling]:
    """The disputes of accounts, and what tells what were they settled.

    Two units dispute a figure if each tells what is said around the other's, were the figures the
    same: that is read from their sentences with the one figure in the other's place.
    """
    by_key = {unit.key: unit for unit in units}
    pairs = list(_pairs(telling.figures, telling, days))
    asked = []
    for one, other in pairs:
        mine, theirs = by_key[one.key], by_key[other.key]
        asked.append((mine.text, _with(theirs, other.figure, one, documents)))
        asked.append((theirs.text, _with(mine, one.figure, other, documents)))
    judged = iter(judge(asked) if asked else ())
    found: list[set[DisputedFigure]] = []
    rows: dict[tuple[Key, Key], Coverage] = {}
    said: dict[Key, frozenset[str]] = {}
    for (one, other), forth, back in zip(pairs, judged, judged, strict=True):
        framed = min(
            telling.read(one.key, forth, one.figure.frame),
            telling.read(other.key, back, other.figure.frame),
        )
        if framed < _SAME:
            continue
        loose = one.figure.kind not in _ALWAYS and not one.figure.of_one(other.figure)
        if loose:
            alike = telling.likeness(one.key, other.key)
            near = any(framed >= least and alike >= like for least, like in _LOOSELY)
            whole = min(forth.share, back.share) >= _WHOLE
            if not near or not whole or one.figure.kind in _CLOSELY:
                continue
        both = {(one.key, other.key): forth, (other.key, one.key): back}
        rows |= {pair: told for pair, told in both.items() if told.share >= _SETTLED}
        for claim in (one, other):
            said[claim.key] = said.get(claim.key, frozenset()) | claim.figure.concepts
        joined = {one, other}.union(*(group for group in found if {one, other} & group))
        found = [group for group in found if group.isdisjoint(joined)] + [joined]
    named = (
        Dispute(
            tuple(
                sorted(
                    group.union(_seconded(group, telling.figures)),
                    key=lambda one: (one.key, one.figure.said.start),
                )
            )
        )
        for group in found
        if not _called_both(group, telling.figures)
    )
    return tuple(named), telling.settled(rows, said) if rows else telling


def _pairs(
    held: Mapping[Key, Sequence[Figure]], telling: Telling, days: Sequence[date | None]
) -> Iterator[tuple[DisputedFigure, DisputedFigure]]:
    """Figures of different accounts that may exclude each other."""
    account: dict[int, list[Figure]] = {}
    for key, figures in held.items():
        account.setdefault(key[0], []).extend(figures)
    for key, figures in held.items():
        for other in telling.neighbours(key) if figures else ():
            if other[0] == key[0] or telling.likeness(key, other) < _ALIKE:
                continue
            if other > key or key not in telling.neighbours(other):
                for one in figures:
                    for two in held.get(other, ()):
                        if (
                            _excluding(one, two)
                            and _near(one, two, days[key[0]], days[other[0]])
                            and not _says(account[other[0]], one)
                            and not _says(account[key[0]], two)
                            and not any(one.same(own) for own in held[other])
                            and not any(two.same(own) for own in figures)
                        ):
                            yield DisputedFigure(key, one), DisputedFigure(other, two)


def _excluding(one: Figure, two: Figure) -> bool:
    """Whether two figures are of one thing and cannot both be right."""
    if one.kind != two.kind or one.same(two) or (one.days and two.days and one.days != two.days):
        return False
    if one.kind == "name":
        return _variant(str(one.value), str(two.value))
    if one.of != two.of or not one.may_exclude(two):
        return False
    low, high = sorted((float(one.value), float(two.value)))
    if one.kind == "date":
        return not one.acts.isdisjoint(two.acts)
    if one.kind == "mark":
        return (high - low) % 60 != 0
    if one.kind in _ALWAYS:
        return True
    return high <= _TIMES * low and not _opposed(one.acts, two.acts)


def _opposed(one: Collection[str], two: Collection[str]) -> bool:
    """Whether two acts are not of the same: the injured are no dead, an offer is no demand."""

    def group(family: Sequence[frozenset[str]], acts: Collection[str]) -> int | None:
        return next((n for n, known in enumerate(family) if not known.isdisjoint(acts)), None)

    groups = ((group(family, one), group(family, two)) for family in _FAMILIES)
    return any(mine != theirs and None not in (mine, theirs) for mine, theirs in groups)


def _says(figures: Iterable[Figure], one: Figure) -> bool:
    """Whether an account has a figure too, of the same or of nobody."""
    return any(
        own.of == one.of
        and own.same(one)
        and not (own.people and one.people and own.people.isdisjoint(one.people))
        for own in figures
    )


def _seconded(
    group: Collection[DisputedFigure], held: Mapping[Key, Sequence[Figure]]
) -> Iterator[DisputedFigure]:
    """Where accounts that have no part in a dispute say the same as one that has: an age, a name.

    Only what one has only one of, and of the same people.
    """
    heard = {one.key[0] for one in group}
    for key, figures in held.items():
        for own in figures if key[0] not in heard else ():
            if own.kind in _ALWAYS and any(
                own.of == one.figure.of
                and own.same(one.figure)
                and not own.people.isdisjoint(one.figure.people)
                for one in group
            ):
                yield DisputedFigure(key, own)


def _called_both(group: Collection[DisputedFigure], held: Mapping[Key, Sequence[Figure]]) -> bool:
    """Whether one account has two of the names, as "Kathryn, known as Katie" does."""
    names = {one.figure.value for one in group if one.figure.kind == "name"}
    used: dict[int, set[float | str]] = {}
    for key, figures in held.items():
        used.setdefault(key[0], set()).update(one.value for one in figures if one.kind == "name")
    return any(len(names & own) > 1 for own in used.values())


def _variant(one: str, two: str) -> bool:
    """Whether two names may be one person's: the same but for the last, or spelt almost alike."""
    mine, theirs = _plain(one), _plain(two)
    if len(mine) != len(theirs):
        return False
    differing = [(a, b) for a, b in zip(mine, theirs, strict=True) if a != b]
    if len(differing) != 1:
        return False
    ((a, b),) = differing
    like = SequenceMatcher(None, a, b).ratio()
    if {a, b} & MALE_NAMES and {a, b} & FEMALE_NAMES:
        return False
    return a != mine[0] or like >= _SPELT or (a[:1] == b[:1] and like >= _INITIAL)


def _plain(name: str) -> list[str]:
    """The words of a name by their bare letters: "A.J." and "AJ", "José" and "Jose" are one."""
    letters = normalize("NFKD", name.casefold())
    return ["".join(filter(str.isalnum, word)) for word in letters.split()]


def _near(one: Figure, two: Figure, day: date | None, other: date | None) -> bool:
    """Whether time may not have changed a figure between two accounts."""
    if one.kind == "date" and (_yet_to_come(one, other) or _yet_to_come(two, day)):
        return False
    apart = abs((day - other).days) if day and other else None
    if one.kind == "age":
        years = abs(float(one.value) - float(two.value))
        return years > 1 + (apart or 0) / 365 or (apart is not None and apart <= _NEAR_DAYS)
    growing = not _GROWING.isdisjoint(one.acts)
    if one.kind in ("count", "money", "share", "duration") and apart:
        return apart <= 2 and not growing
    return not (growing and (one.bound or two.bound))


def _yet_to_come(one: Figure, day: date | None) -> bool:
    """Whether an account of some day cannot speak of what one dates: it was yet to come."""
    return day is not None and (MONTHS[one.of], float(one.value)) > (day.month, day.day)


def _with(unit: Unit, own: Figure, other: DisputedFigure, documents: Sequence[Document]) -> str:
    """A unit's text with another's figure in the place of its own."""
    text = documents[unit.account].text
    said = squeeze(own.said.of(text))
    instead = squeeze(other.figure.said.of(documents[other.key[0]].text))
    before = " ".join(text[one.start : min(one.end, own.said.start)] for one in unit.bodies)
    parts = unit.text.split(said)
    place = 1 + min(squeeze(before).count(said), len(parts) - 2)
    return said.join(parts[:place]) + instead + said.join(parts[place:]) if place else unit.text


class Notes:
    """Names each dispute once, behind the figure of the first sentence that gives one."""

    def __init__(self, found: Sequence[Dispute], documents: Sequence[Document]) -> None:
        self._open = list(found)
        self._documents = documents

    def added(
        self, unit: Unit, sentences: Sequence[tuple[WovenToken, ...]]
    ) -> list[tuple[WovenToken, ...]]:
        """The sentences of a unit with what other accounts say instead."""
        written = list(sentences)
        for dispute in tuple(self._open):
            for claim in dispute.claims:
                if claim.key == unit.key and not claim.figure.quoted:
                    noted = [self._noted(one, claim, dispute) for one in written]
                    if noted != written:
                        written = noted
                        self._open.remove(dispute)
                        break
        return written

    def _noted(
        self, tokens: tuple[WovenToken, ...], claim: DisputedFigure, dispute: Dispute
    ) -> tuple[WovenToken, ...]:
        document = self._documents[claim.key[0]].id
        inside = range(claim.figure.said.start, claim.figure.behind)
        places = [
            index
            for index, token in enumerate(tokens)
            for source in token.sources[:1]
            if source.document == document and source.start in inside
        ]
        if not places or tokens[places[0]].sources[0].start > inside.start:
            return tokens
        after = places[-1] + 1
        if after < len(tokens) and tokens[after].text in ("'s", "’s", "'", "’"):
            after += 1
        if [token.text for token in tokens[after : after + 1]] == ["("]:
            closing = [i for i, token in enumerate(tokens) if i > after and token.text == ")"]
            after = closing[0] + 1 if closing else after
        note: list[WovenToken] = []
        for group in dispute.others(claim):
            account = self._documents[group[0].key[0]]
            said = copy_tokens(Passage(account, group[0].figure.said))
            if said:
                mark = [glue(";", space=False)] if note else []
                if said[0].text.lower() in NUMBER_WORDS:
                    said = (replace(said[0], text=said[0].text.lower()), *said[1:])
                note += [*mark, *said, *map(glue, self._by(group).split())]
        if not note:
            return tokens
        opened = [glue("("), replace(note[0], space=False), *note[1:], glue(")", space=False)]
        if after == len(tokens):
            opened.append(glue(".", space=False))
        return (*tokens[:after], *opened, *tokens[after:])

    def _by(self, group: Sequence[DisputedFigure]) -> str:
        """Who says so: "according to" sources that are known, else "by another account".

        A headline in the middle of a sentence is noise.
        """
        named = [self._documents[claim.key[0]].metadata.source or "" for claim in group]
        if all(named):
            return "according to " + " and ".join(dict.fromkeys(named))
        return "by another account" if len(group) == 1 else "by other accounts"
