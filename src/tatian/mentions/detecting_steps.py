"""What is done with links after a model has made them, whichever model it was.

Rules of the mention benchmark that need the whole text and no model: names together with their
titles (technical guideline 2), every occurrence of a linked term (5). What needs the topic is in
`tatian.mentions.detecting`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from tatian.mentions.data.records import LinkedMention
from tatian.mentions.spotting import Spot
from tatian.mentions.spotting import with_titles as spots_with_titles

PERSON, PLACE, ORGANISATION = "PER", "LOC", "ORG"
SURE = 0.5
_WORD = re.compile(r"\w+")
_LONGEST_LETTERS = 4


def with_titles(text: str, mentions: Sequence[LinkedMention]) -> list[LinkedMention]:
    """Each person's mention with the title before the name: one mention of the person.

    "US Secretary of State Hillary Clinton": what is linked within it goes. `mentions` stand in the
    order of the text and do not overlap.
    """
    spotted = [Spot(one.start, one.end, index) for index, one in enumerate(mentions)]
    widened = spots_with_titles(
        text,
        spotted,
        lambda spot: mentions[spot.term].type == PERSON,
        lambda spot: _modifies(mentions[spot.term]),
    )
    return [
        replace(mentions[one.term], start=one.start, end=one.end, term=one.of(text))
        for one in widened
    ]


def _modifies(mention: LinkedMention) -> bool:
    """Whether a mention may begin a title: a place, an organisation, or letters such as "US"."""
    short = mention.term.isupper() and len(mention.term) <= _LONGEST_LETTERS
    return short or mention.type in (PLACE, ORGANISATION)


def with_repeats(
    text: str, mentions: Sequence[LinkedMention], least: float = SURE
) -> list[LinkedMention]:
    """`mentions`, and every other place of a linked term, linked to the same pages.

    Links less sure than `least` are not repeated: they would only be wrong more often. A term with
    several meanings in the text has the surest in places that the model left alone.
    """
    known: dict[str, LinkedMention] = {}
    for one in mentions:
        sure = one.titles and _score(one) >= least
        if sure and (one.term not in known or _score(one) > _score(known[one.term])):
            known[one.term] = one
    by_word: dict[str, list[str]] = {}
    for term in sorted(known, key=len, reverse=True):
        if first := _WORD.match(term):
            by_word.setdefault(first.group(), []).append(term)
    found = list(mentions)
    for start, term in _free(text, by_word, mentions):
        found.append(replace(known[term], start=start, end=start + len(term)))
    return sorted(found, key=lambda one: (one.start, one.end))


def _score(mention: LinkedMention) -> float:
    return 1.0 if mention.score is None else mention.score


def _free(
    text: str, terms: dict[str, list[str]], mentions: Sequence[LinkedMention]
) -> Iterator[tuple[int, str]]:
    """Where terms stand, by their first words, that are not part of a mention."""
    taken = iter(mentions)
    ahead = next(taken, None)
    end = 0
    for word in _WORD.finditer(text):
        start = word.start()
        while ahead and ahead.end <= start:
            ahead = next(taken, None)
        if start < end or (ahead and ahead.start <= start):
            continue
        limit = ahead.start if ahead else len(text)
        for term in terms.get(word.group(), ()):
            end_of_term = start + len(term)
            if end_of_term <= limit and text.startswith(term, start) and _whole(text, end_of_term):
                yield start, term
                end = end_of_term
                break


def _whole(text: str, end: int) -> bool:
    """Whether no word goes on at `end`, nor a compound."""
    after = text[end : end + 2]
    return not (after[:1].isalnum() or (after[:1] in "-_" and after[1:].isalnum()))
