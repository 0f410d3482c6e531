"""When it happened: past before future, the day before the month.

Union paper, appendix B: a union is written after the event, in the past tense; with the day of
publication known, "yesterday" says more than "earlier this month".
"""

from __future__ import annotations

from tatian.text.lexicon import MONTHS, RELATIVE_DATES, WEEKDAYS
from tatian.union.models.aligning.edits import Edit
from tatian.union.models.aligning.sentences import Parsed
from tatian.union.models.aligning.site import Site
from tatian.union.models.aligning.units import Unit

_FUTURE = frozenset(("will", "shall", "'ll", "’ll"))
_CLOCK = frozenset(
    "a.m. a.m p.m. p.m am pm morning afternoon evening night noon midnight dawn o'clock".split()
)
_VAGUE = frozenset(
    "recently lately soon week weeks month months year years earlier later weekend".split()
)


def told_in_past(site: Site) -> list[Edit]:
    """The other sentence's verb, where it tells as done what the base announces."""
    found = []
    for place, there in site.alignment.to_base.items():
        ours, theirs = _group(site.other, place), _group(site.base, there)
        if ours is None or theirs is None or not _same_verb(site, place, there):
            continue
        announced = any(site.base.lower[p] in _FUTURE for p in range(*theirs))
        done = any(site.other.feature(p, "Tense") == "Past" for p in range(*ours)) and not any(
            site.other.lower[p] in _FUTURE for p in range(*ours)
        )
        quoted = any(site.base.tokens[p].quoted for p in range(*theirs))
        quoted = quoted or any(site.other.tokens[p].quoted for p in range(*ours))
        if announced and done and not quoted:
            unit = Unit(place, tuple(range(*ours)), "tense", place, there)
            found.append(site.edit(unit, theirs[0], drop=theirs[1] - theirs[0]))
    return found


def _group(sentence: Parsed, verb: int) -> tuple[int, int] | None:
    """From the first auxiliary to the verb, if nothing else stands between."""
    if sentence.tag(verb) != "VERB":
        return None
    auxiliaries = [place for place in sentence.under(verb, "aux") if place < verb]
    start = min(auxiliaries, default=verb)
    return (start, verb + 1) if len(auxiliaries) == verb - start else None


def _same_verb(site: Site, place: int, there: int) -> bool:
    other, base = site.other, site.base
    subjects = other.under(place, "nsubj"), base.under(there, "nsubj")
    if other.words[place].lemma != base.words[there].lemma or not all(subjects):
        return False
    one, two = subjects[0][0], subjects[1][0]
    agree = other.feature(one, "Number") == base.feature(two, "Number")
    passive = [s.words[p].relation == "nsubj:pass" for s, p in ((other, one), (base, two))]
    return agree and passive[0] == passive[1]


def is_day(sentence: Parsed, place: int) -> bool:
    """Whether a phrase names a day: "Tuesday", "on March 4", "yesterday"."""
    below = sentence.subtree(place)
    return any(
        sentence.lower[p] in WEEKDAYS or sentence.lower[p] in RELATIVE_DATES for p in below
    ) or any(
        sentence.lower[p] in MONTHS and any(sentence.lower[q].isdigit() for q in below)
        for p in below
    )


def is_clock(sentence: Parsed, place: int) -> bool:
    """Whether a phrase names a time of day, which goes with any date."""
    return any(sentence.lower[p] in _CLOCK for p in sentence.subtree(place))


def is_vague(sentence: Parsed, place: int) -> bool:
    """Whether a phrase says when without naming a day: "earlier this month", "last year"."""
    below = sentence.subtree(place)
    inexact = any(sentence.lower[p] in _VAGUE for p in below)
    return (
        inexact and not is_day(sentence, place) and not any(sentence.tag(p) == "NUM" for p in below)
    )
