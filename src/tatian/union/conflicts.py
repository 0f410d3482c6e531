"""Numbers that cannot both be right, found by what the trees say is counted.

`tatian.union.disagreement` compares texts of which only the words are known, and whole bundles of
them. Where two sentences have trees, "26 Somali pirates" and "33 pirates" can be compared although
other words stand next to the figures, if both are what the same verb or noun governs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tatian.union.models import Claim, Contradiction
from tatian.union.relations.aligning import Aligner
from tatian.union.relations.amounts import Amount, find_amount
from tatian.union.relations.rules import compare_amounts
from tatian.union.relations.units import Reading, Unit


def find_conflicts(aligner: Aligner) -> tuple[Contradiction, ...]:
    """Conflicting numbers of two sentences whose pieces have been matched."""
    first, second = aligner.first, aligner.second
    ours, theirs = list(_counted(first)), list(_counted(second))
    found = []
    for one, amount in ours:
        rivals = [
            (other, rival) for other, rival in theirs if _thing(first, one) == _thing(second, other)
        ]
        if any(compare_amounts(amount, rival) for _, rival in rivals):
            continue
        for other, rival in rivals:
            known = [value for unit, value in ours if _thing(first, unit) == _thing(first, one)]
            if any(compare_amounts(rival, value) for value in known):
                continue
            if aligner.support(one, other):
                claims = (_claim(first, one), _claim(second, other))
                why = f"{claims[0].text} against {claims[1].text} {_noun(second, other)}".rstrip()
                found.append(Contradiction("number", claims, why))
                break
    return tuple(found)


def _counted(reading: Reading) -> Iterator[tuple[Unit, Amount]]:
    """Phrases and ages with one exact number."""
    for unit in reading.units:
        amount = reading.amount(unit) if unit.kind in ("phrase", "role") else None
        if amount is not None and amount.is_exact:
            yield unit, amount


def _thing(reading: Reading, unit: Unit) -> str:
    """What is counted: the head's concept; money by its sign."""
    return reading.concepts[unit.head] or reading.tokens[unit.head].text


def _noun(reading: Reading, unit: Unit) -> str:
    return reading.tokens[unit.head].text if reading.concepts[unit.head] else ""


def _claim(reading: Reading, unit: Unit) -> Claim:
    """The figure alone."""
    places = _figure(reading, unit)
    span = reading.span(places[0], places[-1] + 1)
    document = reading.passage.document
    return Claim(document.id, span.start, span.end, span.of(document.text))


def _figure(reading: Reading, unit: Unit) -> Sequence[int]:
    words = [token.text for token in reading.tokens]
    places = [place for place in unit.places if find_amount(words[place : place + 1])]
    first = places[0]
    end = first + 1
    while end in places or (words[end : end + 1] == ["-"] and end + 1 in places):
        end += 1
    return range(first, end)
