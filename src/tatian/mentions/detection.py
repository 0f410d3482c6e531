"""Mentions found in any number of texts: what ``tatian mentions detect`` calls.

>>> from tatian.mentions.models.prior import Prior
>>> (found,) = detect_all([Document("1", "Students in Oslo protest.")], Prior("starter"))
>>> [(one.of(found.text), one.titles) for one in links_of(found) if one.type]
[('Oslo', ('Oslo',))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from tatian.analysis import analysers
from tatian.analysis.installed import unavailable
from tatian.errors import LayerMissing
from tatian.formats.links import links_of, moved, relinked, topic_of
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import normal_form
from tatian.mentions.models import Detector
from tatian.mentions.models.choices import (
    TYPES,
    encoded,
    meant,
    page_vector,
    place_names,
    special_forms,
)
from tatian.mentions.spots import Spot, spots
from tatian.mentions.spots import with_titles as spots_with_titles
from tatian.text import LINKS, MENTIONS, Document, Link, Metadata
from tatian.text.layers import PARTS

_BEGINS = re.compile(r"(?:^|[.!?:\n])[\s\"'“‘(]*\Z")
"""Before a word that has a capital for its place alone."""
_BEFORE = 20
_FOUND = {MENTIONS.name, LINKS.name}
_PLAIN = {LINKS.name, PARTS.name}
"""Layers of a text that nobody has analysed: it may be cut into pieces."""
_MOST_NAMES = 8


def with_specific(
    text: str, mentions: Sequence[Link], topic: str, base: KnowledgeBase
) -> list[Link]:
    """General terms with the page that a place of the topic makes of them, where there is one.

    With the topic "Brazil", "empire" is Empire of Brazil. A place or a person is nobody's own:
    "country of Brazil" is Brazil itself.
    """
    spoken = (meant(base.senses(spot.term)) for spot in spots(topic, base.dictionary))
    names = place_names(spoken, base, _MOST_NAMES)
    forms = {
        one: [
            form
            for term in dict.fromkeys((normal_form(one.titles[0]), normal_form(one.of(text))))
            for form in special_forms(term, names)
        ]
        for one in mentions
        if names and one.titles and not is_name(text, one)
    }
    numbers = base.dictionary.numbers({form for some in forms.values() for form in some})
    found = []
    for one in mentions:
        pages = (
            meant(base.senses(numbers[form])) for form in forms.get(one, ()) if form in numbers
        )
        own = (page for page in pages if page and page.kind in ("concept", "organisation"))
        page = next((page for page in own if page.title not in one.titles), None)
        found.append(replace(one, titles=(page.title, *one.titles[1:])) if page else one)
    return found


RELATED = 0.13
"""How related to a topic a general term is at least, unless somebody says otherwise."""
LONGEST_TOPIC = 15
"""Words of what is a topic by itself; more are a text that guides, such as a dialogue so far."""


def related_only(
    text: str,
    mentions: Iterable[Link],
    topic: str,
    base: KnowledgeBase,
    least: float,
) -> list[Link]:
    """Without general terms that are less related than `least` to the topic.

    Related is what links of the base relate to a page of the topic, or else what its description
    is similar to the topic by. Names stay, and so does what the base neither describes nor links.
    """
    pages = [
        page
        for spot in spots(topic, base.dictionary)
        for sense in base.senses(spot.term)[:1]
        if base.standing(page := sense.id)[0]
    ]
    similarity = _Similarity(topic, base)

    def is_related(mention: Link) -> bool:
        number = base.id_of(mention.titles[0]) if mention.titles else None
        if number is None or number in pages:
            return True
        linked = bool(pages) and base.standing(number)[0] > 0
        if linked and any(base.relatedness(number, page) >= least for page in pages):
            return True
        similar = similarity.of(number)
        return not linked if similar is None else similar >= least

    return [one for one in mentions if is_name(text, one) or is_related(one)]


class _Similarity:
    """How similar the pages of a base are to one topic, by the vectors of their descriptions."""

    def __init__(self, topic: str, base: KnowledgeBase) -> None:
        self._topic = topic
        self._base = base

    def of(self, page: int) -> float | None:
        """From -1 to 1; None where the encoder or a description is missing."""
        if unavailable():
            return None
        vector = page_vector(self._base, page)
        if vector is None:
            return None
        topic = encoded(self._topic)
        return None if topic is None else float(topic @ vector)


def is_name(text: str, mention: Link) -> bool:
    """Whether a mention is a name: of a known type, or written or titled as one."""
    if mention.type in (PERSON, PLACE, ORGANISATION):
        return True
    if any(word[:1].isupper() for title in mention.titles for word in title.split()[1:]):
        return True
    begins = _BEGINS.search(text, max(0, mention.start - _BEFORE), mention.start)
    return mention.of(text)[:1].isupper() and not begins


PIECE = 100_000
"""Characters that are given to a model at once; longer texts go piece by piece."""
_BREAKS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", r"[.!?]\s", r"\s"))
"""Where a long text is cut, the best first: paragraphs, lines, sentences, words."""


def detect_all(
    texts: Iterable[Document],
    detector: Detector,
    *,
    topic: str = "",
    titled: bool = False,
    repeats: bool = True,
    specific: bool = True,
    related: float | None = None,
) -> Iterator[Document]:
    """Each text with what `detector` finds in it, one after another.

    Mentions that a text comes with are replaced. `topic` is for texts that have none of their own.
    `titled`: names with the titles before them are one mention. `repeats`: every occurrence of a
    term that is surely linked is linked. By the topic, for a detector with a knowledge base:
    `specific`: general terms have the page of the topic's place, where it has one of its own.
    `related`: general terms less related than this are dropped, names never; by default `RELATED`
    where the topic has at most `LONGEST_TOPIC` words, and nothing otherwise.
    """
    base: KnowledgeBase | None = getattr(detector, "base", None)
    for given in texts:
        blank = _blank(given, topic)
        about = topic_of(blank)
        found = _found(given, blank, detector, base)
        least = _default_relatedness(about) if related is None else related
        if base and about and least:
            found = related_only(blank.text, found, about, base, least)
        if base and about and specific:
            found = with_specific(blank.text, found, about, base)
        if titled:
            found = with_titles(blank.text, found)
        if repeats:
            found = with_repeats(blank.text, found)
        yield relinked(blank, found)


def _default_relatedness(topic: str) -> float:
    return RELATED if len(topic.split()) <= LONGEST_TOPIC else 0.0


def _blank(given: Document, topic: str) -> Document:
    """The document without mentions and links, and with a topic."""
    layers = {key: one for key, one in given.layers.items() if key not in _FOUND}
    about = replace(given.metadata, topic=topic_of(given) or topic or None)
    return replace(given, metadata=about, layers=layers)


def _found(
    given: Document, blank: Document, detector: Detector, base: KnowledgeBase | None
) -> list[Link]:
    if given.layers.keys() - _PLAIN:
        return _mentions(_detected(replace(given, metadata=blank.metadata), detector), base)
    about = Metadata(title=blank.metadata.title, topic=blank.metadata.topic)
    found: list[Link] = []
    for start, end in pieces(blank.text):
        document = _detected(Document(blank.id, blank.text[start:end], about), detector)
        found += [moved(one, start) for one in _mentions(document, base)]
    return found


def _detected(document: Document, detector: Detector) -> Document:
    """What a model finds; one that asks for the analysis gets it."""
    try:
        return detector.detect(document)
    except LayerMissing:
        return detector.detect(analysers.create().analyze(document))


def pieces(text: str, most: int = PIECE) -> Iterator[tuple[int, int]]:
    """`text` cut into pieces of at most `most` characters, where it hurts least."""
    start = 0
    while len(text) - start > most:
        end = _cut(text, start + most // 2, start + most)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _cut(text: str, first: int, last: int) -> int:
    for pattern in _BREAKS:
        if match := pattern.search(text, first, last):
            return match.end()
    return last


def _mentions(document: Document, base: KnowledgeBase | None) -> list[Link]:
    """The links of a document, with what the base says their best pages are.

    Of a model that has no base and links nothing, the phrases it found.
    """
    links = typed_links(document)
    if base is None and not links:
        found = document.get(MENTIONS) if document.has(MENTIONS) else ()
        links = [Link(one.start, one.end, type=one.type) for one in found]
    typed = []
    for one in links:
        entity = base.entity(one.titles[0]) if base and one.titles else None
        kind = TYPES[entity.kind] if entity else one.type
        typed.append(replace(one, type=kind, named=True if kind else None))
    return typed


def typed_links(document: Document) -> list[Link]:
    """The links of a document with the types of its mentions, in the order of the text."""
    mentions = document.get(MENTIONS) if document.has(MENTIONS) else ()
    types = {(one.start, one.end): one.type for one in mentions}
    return [replace(one, type=types.get((one.start, one.end), "")) for one in links_of(document)]


# What is done with links after a model has made them, whichever model it was.
#
# Rules of the mention benchmark that need the whole text and no model: names together with their
# titles (technical guideline 2), every occurrence of a linked term (5). What needs the topic is in
# `tatian.mentions.detection`.

PERSON, PLACE, ORGANISATION = "PER", "LOC", "ORG"
SURE = 0.5
_WORD = re.compile(r"\w+")
_LONGEST_LETTERS = 4


def with_titles(text: str, mentions: Sequence[Link]) -> list[Link]:
    """Each person's mention with the title before the name: one mention of the person.

    "US Secretary of State Hillary Clinton": what is linked within it goes. `mentions` stand in the
    order of the text and do not overlap.
    """
    spotted = [Spot(one.start, one.end, index) for index, one in enumerate(mentions)]
    widened = spots_with_titles(
        text,
        spotted,
        lambda spot: mentions[spot.term].type == PERSON,
        lambda spot: _modifies(text, mentions[spot.term]),
    )
    return [replace(mentions[one.term], start=one.start, end=one.end) for one in widened]


def _modifies(text: str, mention: Link) -> bool:
    """Whether a mention may begin a title: a place, an organisation, or letters such as "US"."""
    short = mention.of(text).isupper() and len(mention) <= _LONGEST_LETTERS
    return short or mention.type in (PLACE, ORGANISATION)


def with_repeats(text: str, mentions: Sequence[Link], least: float = SURE) -> list[Link]:
    """`mentions`, and every other place of a linked term, linked to the same pages.

    Links less sure than `least` are not repeated: they would only be wrong more often. A term with
    several meanings in the text has the surest in places that the model left alone.
    """
    known: dict[str, Link] = {}
    for one in mentions:
        term = one.of(text)
        sure = one.titles and _score(one) >= least
        if sure and (term not in known or _score(one) > _score(known[term])):
            known[term] = one
    by_word: dict[str, list[str]] = {}
    for term in sorted(known, key=len, reverse=True):
        if first := _WORD.match(term):
            by_word.setdefault(first.group(), []).append(term)
    found = list(mentions)
    taken = bytearray(len(text))
    for one in mentions:
        taken[one.start : one.end] = b"\1" * len(one)
    for word in _WORD.finditer(text):
        start = word.start()
        for term in by_word.get(word.group(), ()):
            end = start + len(term)
            free = text.startswith(term, start) and 1 not in taken[start:end]
            if free and _whole(text, end):
                found.append(replace(known[term], start=start, end=end))
                taken[start:end] = b"\1" * len(term)
                break
    return sorted(found, key=lambda one: (one.start, one.end))


def _score(mention: Link) -> float:
    return 1.0 if mention.score is None else mention.score


def _whole(text: str, end: int) -> bool:
    """Whether no word goes on at `end`, nor a compound."""
    after = text[end : end + 2]
    return not (after[:1].isalnum() or (after[:1] in "-_" and after[1:].isalnum()))
