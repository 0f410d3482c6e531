"""What the topic of a text says about its links, whichever model made them.

The mention benchmark's guidelines 4, no general terms that have nothing to do with the topic, and
6, the specific page rather than the general one ("air force" in a text on Israel).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Candidate
from tatian.knowledge.forms import normal_form
from tatian.mentions.data.records import LinkedMention
from tatian.mentions.detecting_steps import ORGANISATION, PERSON, PLACE
from tatian.mentions.spotting import spots

_BEGINS = re.compile(r"(?:^|[.!?:\n])[\s\"'“‘(]*\Z")
"""Before a word that has a capital for its place alone."""
_BEFORE = 20
_LIKELY = 0.5
_MOST_PLACES = 3
_MOST_NAMES = 8
_SHORTEST_NAME = 4


def with_specific(
    text: str, mentions: Sequence[LinkedMention], topic: str, base: KnowledgeBase
) -> list[LinkedMention]:
    """General terms with the page that a place of the topic makes of them, where there is one.

    With the topic "Brazil", "empire" is Empire of Brazil. A place or a person is nobody's own:
    "country of Brazil" is Brazil itself.
    """
    names = _place_names(topic, base)
    forms = {
        one: _specific_forms(one, names)
        for one in mentions
        if names and one.titles and not is_name(text, one)
    }
    numbers = base.dictionary.numbers({form for some in forms.values() for form in some})
    found = []
    for one in mentions:
        pages = (_meant(numbers[form], base) for form in forms.get(one, ()) if form in numbers)
        own = (page for page in pages if page and page.kind in ("concept", "organisation"))
        page = next((page for page in own if page.title not in one.titles), None)
        found.append(replace(one, titles=(page.title, *one.titles[1:])) if page else one)
    return found


def _place_names(topic: str, base: KnowledgeBase) -> list[str]:
    """What the places that the topic speaks of are called, adjectives included."""
    pages = [_meant(spot.term, base) for spot in spots(topic, base.dictionary)]
    places = dict.fromkeys(page.id for page in pages if page and page.kind == "location")
    return [
        name
        for place in list(places)[:_MOST_PLACES]
        for name in base.aliases(place)[:_MOST_NAMES]
        if " " not in name and len(name) >= _SHORTEST_NAME
    ]


def _specific_forms(mention: LinkedMention, names: Iterable[str]) -> list[str]:
    """What a general term would be called if it were a place's own."""
    general = dict.fromkeys((normal_form(mention.titles[0]), normal_form(mention.term)))
    return [
        form
        for term in general
        for name in names
        for form in (f"{name} {term}", f"{term} of {name}")
    ]


def _meant(term: int, base: KnowledgeBase) -> Candidate | None:
    """The page that a term nearly always means."""
    pages = base.senses(term)
    return pages[0] if pages and pages[0].prior > _LIKELY else None


def related_only(
    text: str,
    mentions: Iterable[LinkedMention],
    topic: str,
    base: KnowledgeBase,
    least: float,
) -> list[LinkedMention]:
    """Without general terms that are less related than `least` to every page of the topic.

    Names stay, and so does what the base knows no links of: nothing tells its relatedness.
    """
    pages = [
        page
        for spot in spots(topic, base.dictionary)
        for sense in base.senses(spot.term)[:1]
        if base.standing(page := sense.id)[0]
    ]
    if not pages:
        return list(mentions)

    def is_related(mention: LinkedMention) -> bool:
        number = base.id_of(mention.titles[0]) if mention.titles else None
        if number is None or not base.standing(number)[0]:
            return True
        return any(base.relatedness(number, page) >= least for page in pages)

    return [one for one in mentions if is_name(text, one) or is_related(one)]


def is_name(text: str, mention: LinkedMention) -> bool:
    """Whether a mention is a name: of a known type, or written or titled as one."""
    if mention.type in (PERSON, PLACE, ORGANISATION):
        return True
    if any(word[:1].isupper() for title in mention.titles for word in title.split()[1:]):
        return True
    begins = _BEGINS.search(text, max(0, mention.start - _BEFORE), mention.start)
    return mention.term[:1].isupper() and not begins
