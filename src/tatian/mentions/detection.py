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
from tatian.formats.links import links_of, move_link, replace_links, topic_of
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import normal_form
from tatian.mentions.models import Detector
from tatian.mentions.models.choices import (
    TYPES,
    encode,
    page_vector,
    place_names,
    special_forms,
    usual_page,
)
from tatian.mentions.spots import Spot, spots
from tatian.mentions.spots import with_titles as spots_with_titles
from tatian.text import LINKS, MENTIONS, Document, Link, Metadata
from tatian.text.layers import PARTS

_BEGINS = re.compile(r"(?:^|[.!?:\n])[\s\"'“‘(]*\Z")
"""Context of a word that has a capital only for its position."""
_BEFORE = 20
_FOUND = {MENTIONS.name, LINKS.name}
_PLAIN = {LINKS.name, PARTS.name}
"""Layers of a text without analysis, which may be cut into pieces."""
_MOST_NAMES = 8


def with_specific(
    text: str, mentions: Sequence[Link], topic: str, base: KnowledgeBase
) -> list[Link]:
    """Replace the pages of general terms by special ones of the topic's place, where they exist.

    With the topic "Brazil", "empire" is Empire of Brazil. A place or a person is no special page:
    "country of Brazil" is Brazil itself.
    """
    spoken = (usual_page(base.senses(spot.term)) for spot in spots(topic, base.dictionary))
    names = place_names(spoken, base, _MOST_NAMES)
    forms = {
        mention: [
            form
            for term in dict.fromkeys(
                (normal_form(mention.titles[0]), normal_form(mention.of(text)))
            )
            for form in special_forms(term, names)
        ]
        for mention in mentions
        if names and mention.titles and not is_name(text, mention)
    }
    numbers = base.dictionary.numbers(set().union(*forms.values()))
    specific = []
    for mention in mentions:
        pages = (
            usual_page(base.senses(numbers[form]))
            for form in forms.get(mention, ())
            if form in numbers
        )
        special_pages = (
            page for page in pages if page and page.kind in ("concept", "organisation")
        )
        page = next((page for page in special_pages if page.title not in mention.titles), None)
        specific.append(
            replace(mention, titles=(page.title, *mention.titles[1:])) if page else mention
        )
    return specific


RELATED = 0.13
"""Least relatedness of a general term to the topic, by default."""
LONGEST_TOPIC = 15
"""Most words of a topic; more are a text for guidance, such as a dialogue so far."""


def drop_unrelated(
    text: str,
    mentions: Iterable[Link],
    topic: str,
    base: KnowledgeBase,
    least: float,
) -> list[Link]:
    """Drop general terms that are less related than `least` to the topic.

    A term is related by links of the base to a page of the topic, or else by the similarity of its
    description to the topic. Names stay, and so do pages that the base neither describes nor links.
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

    return [mention for mention in mentions if is_name(text, mention) or is_related(mention)]


class _Similarity:
    """Similarity of a base's pages to one topic, by the vectors of their descriptions."""

    def __init__(self, topic: str, base: KnowledgeBase) -> None:
        self._topic = topic
        self._base = base

    def of(self, page: int) -> float | None:
        """Return the similarity from -1 to 1; None if the encoder or a description is missing."""
        if unavailable():
            return None
        vector = page_vector(self._base, page)
        if vector is None:
            return None
        topic = encode(self._topic)
        return None if topic is None else float(topic @ vector)


def is_name(text: str, mention: Link) -> bool:
    """Return whether a mention is a name: of a known type, or written or titled as one."""
    if mention.type in (PERSON, PLACE, ORGANISATION):
        return True
    if any(word[:1].isupper() for title in mention.titles for word in title.split()[1:]):
        return True
    begins = _BEGINS.search(text, max(0, mention.start - _BEFORE), mention.start)
    return mention.of(text)[:1].isupper() and not begins


PIECE = 100_000
"""Characters that a model reads at once; longer texts go piece by piece."""
_BREAKS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", r"[.!?]\s", r"\s"))
"""Places to cut a long text, the best first: paragraphs, lines, sentences, words."""


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
    """Yield each text with the mentions that `detector` finds in it.

    Existing mentions are replaced. `topic` is for texts that have none of their own. `titled`: a
    name with the title before it is one mention. `repeats`: every occurrence of a surely linked
    term is linked. With a topic, and a detector with a knowledge base: `specific`: general terms
    get the page of the topic's place, if it has one. `related`: general terms less related than
    this are dropped, names never. The default is `RELATED` for a topic of at most `LONGEST_TOPIC`
    words, and none otherwise.
    """
    base: KnowledgeBase | None = getattr(detector, "base", None)
    for text in texts:
        blank = _blank(text, topic)
        about = topic_of(blank)
        mentions = _all_mentions(text, blank, detector, base)
        usual = RELATED if len(about.split()) <= LONGEST_TOPIC else 0.0
        least = usual if related is None else related
        if base and about and least:
            mentions = drop_unrelated(blank.text, mentions, about, base, least)
        if base and about and specific:
            mentions = with_specific(blank.text, mentions, about, base)
        if titled:
            mentions = with_titles(blank.text, mentions)
        if repeats:
            mentions = with_repeats(blank.text, mentions)
        yield replace_links(blank, mentions)


def _blank(document: Document, topic: str) -> Document:
    """Return the document without mentions and links, and with a topic."""
    layers = {key: layer for key, layer in document.layers.items() if key not in _FOUND}
    about = replace(document.metadata, topic=topic_of(document) or topic or None)
    return replace(document, metadata=about, layers=layers)


def _all_mentions(
    text: Document, blank: Document, detector: Detector, base: KnowledgeBase | None
) -> list[Link]:
    if text.layers.keys() - _PLAIN:
        return _mentions(_detected(replace(text, metadata=blank.metadata), detector), base)
    about = Metadata(title=blank.metadata.title, topic=blank.metadata.topic)
    mentions: list[Link] = []
    for start, end in pieces(blank.text):
        document = _detected(Document(blank.id, blank.text[start:end], about), detector)
        mentions += [move_link(mention, start) for mention in _mentions(document, base)]
    return mentions


def _detected(document: Document, detector: Detector) -> Document:
    """Return the document with a model's mentions; analyse it first if the model needs that."""
    try:
        return detector.detect(document)
    except LayerMissing:
        return detector.detect(analysers.create().analyze(document))


def pieces(text: str, most: int = PIECE) -> Iterator[tuple[int, int]]:
    """Cut `text` into pieces of at most `most` characters, at the best places."""
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
    """Return the links of a document, with the base's types of their best pages.

    A model without a base that links nothing has its phrases returned.
    """
    links = typed_links(document)
    if base is None and not links:
        phrases = document.get(MENTIONS) if document.has(MENTIONS) else ()
        links = [Link(mention.start, mention.end, type=mention.type) for mention in phrases]
    typed = []
    for link in links:
        entity = base.entity(link.titles[0]) if base and link.titles else None
        kind = TYPES[entity.kind] if entity else link.type
        typed.append(replace(link, type=kind, named=True if kind else None))
    return typed


def typed_links(document: Document) -> list[Link]:
    """Return the links of a document with the types of its mentions, in the order of the text."""
    mentions = document.get(MENTIONS) if document.has(MENTIONS) else ()
    types = {(mention.start, mention.end): mention.type for mention in mentions}
    return [
        replace(link, type=types.get((link.start, link.end), "")) for link in links_of(document)
    ]


# Steps after any model has made its links.
#
# Rules of the mention benchmark that need the whole text and no model: names together with their
# titles (technical guideline 2), every occurrence of a linked term (5).

PERSON, PLACE, ORGANISATION = "PER", "LOC", "ORG"
SURE = 0.5
_WORD = re.compile(r"\w+")
_LONGEST_LETTERS = 4


def with_titles(text: str, mentions: Sequence[Link]) -> list[Link]:
    """Widen each person's mention to the title before the name: one mention of the person.

    "US Secretary of State Hillary Clinton": links within it are dropped. `mentions` are in the
    order of the text and do not overlap.
    """
    spotted = [Spot(mention.start, mention.end, index) for index, mention in enumerate(mentions)]
    widened = spots_with_titles(
        text,
        spotted,
        lambda spot: mentions[spot.term].type == PERSON,
        lambda spot: _modifies(text, mentions[spot.term]),
    )
    return [replace(mentions[spot.term], start=spot.start, end=spot.end) for spot in widened]


def _modifies(text: str, mention: Link) -> bool:
    """Return whether a mention may begin a title: a place, an organisation, or "US"."""
    short = mention.of(text).isupper() and len(mention) <= _LONGEST_LETTERS
    return short or mention.type in (PLACE, ORGANISATION)


def with_repeats(text: str, mentions: Sequence[Link], least: float = SURE) -> list[Link]:
    """Return `mentions`, and every other place of a linked term, linked to the same pages.

    Links less sure than `least` are not repeated: they would only be wrong more often. A term with
    several meanings in the text gets the surest one in places without a link.
    """
    by_term: dict[str, Link] = {}
    for mention in mentions:
        term = mention.of(text)
        sure = mention.titles and _score(mention) >= least
        if sure and (term not in by_term or _score(mention) > _score(by_term[term])):
            by_term[term] = mention
    by_word: dict[str, list[str]] = {}
    for term in sorted(by_term, key=len, reverse=True):
        if first := _WORD.match(term):
            by_word.setdefault(first.group(), []).append(term)
    repeated = list(mentions)
    taken = bytearray(len(text))
    for mention in mentions:
        taken[mention.start : mention.end] = b"\1" * len(mention)
    for word in _WORD.finditer(text):
        start = word.start()
        for term in by_word.get(word.group(), ()):
            end = start + len(term)
            free = text.startswith(term, start) and 1 not in taken[start:end]
            if free and _whole(text, end):
                repeated.append(replace(by_term[term], start=start, end=end))
                taken[start:end] = b"\1" * len(term)
                break
    return sorted(repeated, key=lambda mention: (mention.start, mention.end))


def _score(mention: Link) -> float:
    return 1.0 if mention.score is None else mention.score


def _whole(text: str, end: int) -> bool:
    """Return whether no word goes on at `end`, nor a compound."""
    after = text[end : end + 2]
    return not (after[:1].isalnum() or (after[:1] in "-_" and after[1:].isalnum()))
