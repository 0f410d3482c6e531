"""Detection of mentions in any number of texts, with the steps that follow a detector.

>>> from tatian.mentions.models.prior import Prior
>>> (found,) = detect_all([Document("1", "Students in Oslo protest.")], Prior("starter"))
>>> [(link.of(found.text), link.titles) for link in links_of(found) if link.type]
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
from tatian.grouping import grouped
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
from tatian.mentions.spots import extend_by_titles as spots_with_titles
from tatian.text import LINKS, MENTIONS, Document, Link, Metadata
from tatian.text.layers import PARTS

_SENTENCE_START = re.compile(r"(?:^|[.!?:\n])[\s\"'“‘(]*\Z")
"""Context of a word that is capitalised only because it begins a sentence or quotation."""
_CONTEXT_CHARACTERS = 20
_CUTTABLE_LAYERS = {LINKS.name, PARTS.name}
"""Layers with which a text may still be cut into pieces, since it is not analysed."""
_MAX_NAMES = 8


def with_specific(
    text: str, mentions: Sequence[Link], topic: str, base: KnowledgeBase
) -> list[Link]:
    """Replace the pages of general terms by pages specific to the topic's place, if these exist.

    With the topic "Brazil", "empire" is Empire of Brazil. Pages of places and people are not used:
    "country of Brazil" is Brazil itself.
    """
    topic_pages = (usual_page(base.senses(spot.term)) for spot in spots(topic, base.dictionary))
    names = place_names(topic_pages, base, _MAX_NAMES)
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
        terms = (numbers[form] for form in forms.get(mention, ()) if form in numbers)
        for page in filter(None, map(usual_page, map(base.senses, terms))):
            if page.kind in ("concept", "organisation") and page.title not in mention.titles:
                mention = replace(mention, titles=(page.title, *mention.titles[1:]))
                break
        specific.append(mention)
    return specific


MIN_RELATEDNESS = 0.13
"""Default minimum relatedness of a general term to the topic, from 0 to 1."""
MAX_TOPIC_WORDS = 15
"""Maximum number of words of a topic; a longer one is context, such as a dialogue so far."""


def drop_unrelated(
    text: str, mentions: Iterable[Link], topic: str, base: KnowledgeBase, least: float
) -> list[Link]:
    """Drop general terms whose relatedness to the topic is below `least`.

    Relatedness is by links of the base to a page of the topic, or else by the similarity of the
    description to the topic. Names are kept, and pages that the base neither describes nor links.
    """
    pages = [
        page
        for spot in spots(topic, base.dictionary)
        for sense in base.senses(spot.term)[:1]
        if base.standing(page := sense.id)[0]
    ]

    def is_related(mention: Link) -> bool:
        number = base.id_of(mention.titles[0]) if mention.titles else None
        if number is None or number in pages:
            return True
        linked = bool(pages) and base.standing(number)[0] > 0
        if linked and any(base.relatedness(number, page) >= least for page in pages):
            return True
        similar = _similarity(number, topic, base)
        return not linked if similar is None else similar >= least

    return [mention for mention in mentions if is_name(text, mention) or is_related(mention)]


def _similarity(page: int, topic: str, base: KnowledgeBase) -> float | None:
    """Return the similarity of a page's description to the topic, -1 to 1; None if unknown."""
    if unavailable() or (page_direction := page_vector(base, page)) is None:
        return None
    direction = encode(topic)
    return None if direction is None else float(direction @ page_direction)


def is_name(text: str, mention: Link) -> bool:
    """Return whether a mention is a name, by its type, its title or its spelling."""
    if mention.type in (PERSON, PLACE, ORGANISATION):
        return True
    if any(word[:1].isupper() for title in mention.titles for word in title.split()[1:]):
        return True
    start = max(0, mention.start - _CONTEXT_CHARACTERS)
    begins = _SENTENCE_START.search(text, start, mention.start)
    return mention.of(text)[:1].isupper() and not begins


PIECE_CHARACTERS = 100_000
"""Maximum number of characters that a model reads at once; longer texts are cut into pieces."""
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

    Existing mentions are replaced. `topic` is for texts that have none. With `titled`, a title and
    the name after it are one mention. With `repeats`, every occurrence of a confidently linked term
    is linked. Two options need a topic and a detector with a knowledge base. With `specific`,
    general terms get the page of the topic's place, if it has one. `related` is the minimum
    relatedness of general terms to the topic; the default is `MIN_RELATEDNESS` for topics of at
    most `MAX_TOPIC_WORDS` words, else 0.
    """
    base: KnowledgeBase | None = getattr(detector, "base", None)
    for text in texts:
        cleared = _clear_mentions(text, topic)
        text_topic = topic_of(cleared)
        mentions = _all_mentions(text, cleared, detector, base)
        default = MIN_RELATEDNESS if len(text_topic.split()) <= MAX_TOPIC_WORDS else 0.0
        least = default if related is None else related
        if base and text_topic and least:
            mentions = drop_unrelated(cleared.text, mentions, text_topic, base, least)
        if base and text_topic and specific:
            mentions = with_specific(cleared.text, mentions, text_topic, base)
        if titled:
            mentions = with_titles(cleared.text, mentions)
        if repeats:
            mentions = with_repeats(cleared.text, mentions)
        yield replace_links(cleared, mentions)


def _clear_mentions(document: Document, topic: str) -> Document:
    """Return the document without mentions and links, and with its topic or the default one."""
    metadata = replace(document.metadata, topic=topic_of(document) or topic or None)
    return replace(document.without(MENTIONS, LINKS), metadata=metadata)


def _all_mentions(
    text: Document, cleared: Document, detector: Detector, base: KnowledgeBase | None
) -> list[Link]:
    if text.layers.keys() - _CUTTABLE_LAYERS:
        analysed = replace(text, metadata=cleared.metadata)
        return _mentions(_detect_with_analysis(analysed, detector), base)
    metadata = Metadata(title=cleared.metadata.title, topic=cleared.metadata.topic)
    mentions: list[Link] = []
    for start, end in pieces(cleared.text):
        piece = Document(cleared.id, cleared.text[start:end], metadata)
        detected = _mentions(_detect_with_analysis(piece, detector), base)
        mentions += [move_link(mention, start) for mention in detected]
    return mentions


def _detect_with_analysis(document: Document, detector: Detector) -> Document:
    """Run the detector on a document, which is analysed first if the detector needs that."""
    try:
        return detector.detect(document)
    except LayerMissing:
        return detector.detect(analysers.create().analyze(document))


def pieces(text: str, most: int = PIECE_CHARACTERS) -> Iterator[tuple[int, int]]:
    """Cut `text` into pieces of at most `most` characters, at the best places."""
    start = 0
    while len(text) - start > most:
        searches = (pattern.search(text, start + most // 2, start + most) for pattern in _BREAKS)
        cut = next(filter(None, searches), None)
        end = cut.end() if cut else start + most
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _mentions(document: Document, base: KnowledgeBase | None) -> list[Link]:
    """Return the typed links of a document, or its mentions without pages."""
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


# Rules of the mention benchmark that are applied to the links of any model: names together with
# their titles (technical guideline 2), every occurrence of a linked term (5).

PERSON, PLACE, ORGANISATION = "PER", "LOC", "ORG"
REPEAT_THRESHOLD = 0.5
_WORD = re.compile(r"\w+")
_MAX_ACRONYM_LENGTH = 4


def with_titles(text: str, mentions: Sequence[Link]) -> list[Link]:
    """Extend each person's mention by the title before the name.

    Example: "US Secretary of State Hillary Clinton". Links within the title are dropped. `mentions`
    are in the order of the text and do not overlap.
    """
    spotted = [Spot(mention.start, mention.end, index) for index, mention in enumerate(mentions)]

    def can_begin_title(spot: Spot) -> bool:
        mention = mentions[spot.term]
        is_acronym = mention.of(text).isupper() and len(mention) <= _MAX_ACRONYM_LENGTH
        return is_acronym or mention.type in (PLACE, ORGANISATION)

    extended = spots_with_titles(
        text, spotted, lambda spot: mentions[spot.term].type == PERSON, can_begin_title
    )
    return [replace(mentions[spot.term], start=spot.start, end=spot.end) for spot in extended]


def with_repeats(
    text: str, mentions: Sequence[Link], least: float = REPEAT_THRESHOLD
) -> list[Link]:
    """Link every further occurrence of a linked term to the same pages.

    Links with a confidence below `least` are not repeated. If a term has several meanings in the
    text, further occurrences get the most confident one.
    """
    by_term: dict[str, Link] = {}
    for mention in mentions:
        term = mention.of(text)
        is_confident = mention.titles and _score(mention) >= least
        if is_confident and (term not in by_term or _score(mention) > _score(by_term[term])):
            by_term[term] = mention
    longest_first = sorted(by_term, key=len, reverse=True)
    by_word = grouped(
        (first.group(), term) for term in longest_first if (first := _WORD.match(term))
    )
    repeated = list(mentions)
    taken = bytearray(len(text))
    for mention in mentions:
        taken[mention.start : mention.end] = b"\1" * len(mention)
    for word in _WORD.finditer(text):
        start = word.start()
        for term in by_word.get(word.group(), ()):
            end = start + len(term)
            is_free = text.startswith(term, start) and 1 not in taken[start:end]
            if is_free and _ends_word(text, end):
                repeated.append(replace(by_term[term], start=start, end=end))
                taken[start:end] = b"\1" * len(term)
                break
    return sorted(repeated, key=lambda mention: (mention.start, mention.end))


def _score(mention: Link) -> float:
    return 1.0 if mention.score is None else mention.score


def _ends_word(text: str, end: int) -> bool:
    """Return whether a word or compound ends at `end`."""
    after = text[end : end + 2]
    return not (after[:1].isalnum() or (after[:1] in "-_" and after[1:].isalnum()))
