"""Entities of an article and their mentions, by its index or by its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec import Struct

from tatian.aggregation.data.records import TYPE_OF_NAME
from tatian.grouping import most_frequent
from tatian.pipeline.profiles import is_name
from tatian.text import CHAINS, LINKS, NAMES, Chain, Document, Mention, Span
from tatian.text.lexicon import PRONOUNS, TITLES
from tatian.text.spans import inside

_WORD = re.compile(r"\w")


class NamedEntity(Struct, frozen=True):
    """An entity by its name, with its mentions in one text."""

    name: str
    type: str
    mentions: tuple[Span, ...] = ()
    """Names and noun phrases in the order of the text, without pronouns."""
    page: str = ""
    """Page of the knowledge base that the text links it to."""


def index_entities(names: Mapping[str, Iterable[str]]) -> list[NamedEntity]:
    """Return the distinct entities of an article's index, with normalised names."""
    entities: dict[tuple[str, str], NamedEntity] = {}
    for type, written in names.items():
        for listed in written:
            if name := normal_name(listed, type):
                entities.setdefault((type, name.casefold()), NamedEntity(name, type))
    return list(entities.values())


def likely_entities(entities: Iterable[NamedEntity], text: str) -> list[NamedEntity]:
    """Return the entities with any form of their name in the text, before any analysis."""
    folded = plain(text)
    forms_of = ((entity, _forms(entity, last=True)) for entity in entities)
    return [entity for entity, forms in forms_of if any(form in folded for form in forms)]


def locate_entities(entities: Sequence[NamedEntity], document: Document) -> list[NamedEntity]:
    """Return the entities with their mentions in an analysed document.

    Mentions are forms of the name, and the other mentions of their chains without pronouns. A last
    name counts if only one person of the index has it. A form within a longer name ("Paris" in
    "Paris Hilton") does not count.
    """
    text = plain(document.text)
    names = document.get(NAMES) if document.has(NAMES) else ()
    shared = Counter(last_name(person.name) for person in entities if person.type == "person")
    chains = _ChainIndex(document)
    result = []
    for entity in entities:
        forms = _forms(entity, last=shared[last_name(entity.name)] == 1)
        places = list(_places(text, forms, names))
        mentions = chains.with_chains(places)
        result.append(NamedEntity(entity.name, entity.type, mentions, entity.page))
    return result


def from_chains(document: Document) -> list[NamedEntity]:
    """Return what a text names; chains with one name or page are one entity."""
    groups: dict[tuple[str, str], list[tuple[str, str, tuple[Span, ...]]]] = {}
    for chain in document.get(CHAINS):
        type = TYPE_OF_NAME.get(chain.type)
        name = _longest_name(document, chain)
        if type is None or not name:
            continue
        page = _page(document, chain)
        key = (type, page or plain(name).casefold())
        groups.setdefault(key, []).append((name, page, _without_pronouns(document, chain.mentions)))
    entities: list[NamedEntity] = []
    for (type, _), members in groups.items():
        mentions = tuple(sorted({span for *_, spans in members for span in spans}))
        name, page, _ = max(members, key=lambda member: len(member[0]))
        entities.append(NamedEntity(name, type, mentions, page))
    return [entity for entity in _merge_short_names(entities) if entity.mentions]


def _merge_short_names(entities: Sequence[NamedEntity]) -> list[NamedEntity]:
    """Merge entities with a shorter name into the only one with a matching longer name."""
    longer: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        short = plain(entity.name)
        longer[number] = [
            other
            for other, candidate in enumerate(entities)
            if candidate.type == entity.type
            and len(candidate.name) > len(entity.name)
            and short in _forms(candidate, last=True)
        ]
    entities_by_number = {
        number: entity for number, entity in enumerate(entities) if len(longer[number]) != 1
    }
    for number, others in longer.items():
        if number not in entities_by_number and others[0] in entities_by_number:
            whole, part = entities_by_number[others[0]], entities[number]
            mentions = tuple(sorted({*whole.mentions, *part.mentions}))
            entities_by_number[others[0]] = NamedEntity(
                whole.name, whole.type, mentions, whole.page or part.page
            )
    return list(entities_by_number.values())


def _forms(entity: NamedEntity, *, last: bool) -> tuple[str, ...]:
    forms = variants(entity.name, entity.type)
    alone = last_name(entity.name) if entity.type == "person" and last else ""
    return (*forms, alone) if alone else forms


def _places(text: str, forms: Iterable[str], names: Sequence[Span]) -> Iterator[Span]:
    """Yield the occurrences of any form as whole words that are not part of another name."""
    taken: list[Span] = []
    for form in forms:
        begin = text.find(form)
        while begin >= 0:
            span = Span(begin, begin + len(form))
            begin = text.find(form, begin + 1)
            edges = text[span.start - 1 : span.start] + text[span.end : span.end + 1]
            if any(span.overlaps(earlier) for earlier in taken) or _WORD.search(edges):
                continue
            if _is_part_of_name(text, span, names):
                continue
            taken.append(span)
            yield span


def _is_part_of_name(text: str, span: Span, names: Sequence[Span]) -> bool:
    """Return True if a longer name contains a span and more than a title before it."""
    last = bisect_right(names, span.start, key=lambda name: name.start)
    for name in names[max(0, last - 3) : last]:
        if name.contains(span) and len(name) > len(span):
            before = text[name.start : span.start].strip(" .").lower()
            remainder = text[span.end : name.end].strip(" .,'s")
            if remainder or (before and before not in TITLES and f"{before}." not in TITLES):
                return True
    return False


class _ChainIndex:
    """Coreference chains of a text, indexed by their mentions."""

    def __init__(self, document: Document) -> None:
        self._document = document
        chains = document.get(CHAINS) if document.has(CHAINS) else ()
        pairs = [(mention, chain) for chain in chains for mention in chain.mentions]
        self._mentions = sorted(pairs, key=lambda pair: (pair[0].start, pair[0].end))
        self._starts = [mention.start for mention, _ in self._mentions]

    def with_chains(self, places: Iterable[Span]) -> tuple[Span, ...]:
        """Return the places, and all mentions of chains with a head at one of them."""
        mentions: set[Span] = set()
        for place in places:
            chain = self._chain(place)
            if chain is None:
                mentions.add(place)
            else:
                mentions.update(_without_pronouns(self._document, chain.mentions))
        return tuple(sorted(mentions))

    def _chain(self, place: Span) -> Chain | None:
        """Return the chain of the shortest mention whose head overlaps a place."""
        last = bisect_right(self._starts, place.end)
        best: tuple[int, Chain] | None = None
        for mention, chain in self._mentions[max(0, last - 12) : last]:
            head = mention.head or mention
            if head.overlaps(place) and (best is None or len(mention) < best[0]):
                best = len(mention), chain
        return best[1] if best else None


def _without_pronouns(document: Document, mentions: Iterable[Mention]) -> tuple[Span, ...]:
    """Return the spans of mentions other than pronouns."""
    return tuple(
        Span(mention.start, mention.end)
        for mention in mentions
        if mention.of(document.text).lower() not in PRONOUNS
    )


def _longest_name(document: Document, chain: Chain) -> str:
    """Return the longest name in a chain; empty if there is none."""
    names = [
        " ".join((mention.head or mention).of(document.text).split())
        for mention in chain.mentions
        if mention.type == chain.type and is_name(document, mention)
    ]
    return max(names, key=len, default="")


def _page(document: Document, chain: Chain) -> str:
    """Return the page that most of the chain's names are linked to."""
    if not document.has(LINKS):
        return ""
    links = document.get(LINKS)
    return most_frequent(
        link.titles[0]
        for mention in chain.mentions
        for link in inside(links, mention)
        if link.titles and (mention.head or mention).overlaps(link)
    )


_SUFFIXES = {"jr": "Jr.", "sr": "Sr.", "ii": "II", "iii": "III", "iv": "IV"}
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "sir", "rev", "gen", "col", "sgt", "lt", "capt"))
_SMALL_WORDS = frozenset(
    ("of", "the", "and", "for", "in", "on", "de", "la", "von", "van", "der", "al")
)
_NAME_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouy]")
_INITIAL = re.compile(r"\b([A-Z])(?=\s|$)(?!\.)")


def normal_name(written: str, type: str) -> str:
    """Return a name of an index without qualifiers, with a person's first name first.

    "Sarkozy, Nicolas (Pres)" becomes "Nicolas Sarkozy", "Bush, George W" "George W. Bush", "Baghdad
    (Iraq)" "Baghdad". Names in capitals get lower-case letters. The result may be empty.
    """
    plain = " ".join(written.partition("(")[0].split()).strip(" ,;")
    if plain.isupper():
        plain = _NAME_WORD.sub(lambda word: _cased(word[0], type, plain), plain)
    return _person(plain) if type == "person" else plain


def _cased(word: str, type: str, name: str) -> str:
    """Return a word of a name in capitals as it is usually written."""
    small = word.lower()
    if small in _SMALL_WORDS and not name.startswith(word):
        return small
    if type != "person" and (not _VOWEL.search(small) or (word == name and len(word) < 5)):
        return word
    if small.startswith("mc") and len(small) > 4:
        return "Mc" + small[2:].capitalize()
    return small.capitalize()


def _person(name: str) -> str:
    last, comma, remainder = name.partition(",")
    first = remainder.replace(",", " ").split() if comma else []
    suffix = ""
    if first and (normal := _SUFFIXES.get(first[-1].rstrip(".").lower())):
        suffix = normal
        first.pop()
    while len(first) > 1 and first[-1].rstrip(".").lower() in _TITLES:
        first.pop()
    return _INITIAL.sub(r"\1.", " ".join([*first, last.strip(), suffix]).strip())


_LEGAL_SUFFIXES = frozenset(
    "corp corporation inc incorporated co company cos ltd limited llc plc ag sa nv group".split()
)
"""Legal suffixes of organisations' names, which texts often leave out."""
_INITIALS_SKIPPED = frozenset(("of", "the", "and", "for", "in", "on", "&", "de", "la"))
_SUFFIX = re.compile(r"\s+(?:Jr|Sr|II|III|IV)\.?$")
_MIN_LAST_NAME = 3
"""Minimum number of letters of a last name that stands for the person."""


def plain(text: str) -> str:
    """Return the text without accents; offsets stay the same."""
    return text if text.isascii() else "".join(map(_base, text))


@lru_cache(maxsize=4096)
def _base(character: str) -> str:
    decomposed = normalize("NFD", character)[:1]
    return "'" if character in "’‘" else decomposed or character


def variants(name: str, type: str) -> tuple[str, ...]:
    """Return the forms of a name that a text may use, the longest first, without accents."""
    whole = plain(name)
    if type == "person":
        forms = [whole, *_shorter_person(whole)]
    else:
        forms = [whole, *_shorter_organisation(whole)] if type == "organization" else [whole]
        forms += _initials(whole)
    return tuple(dict.fromkeys(forms))


def last_name(name: str) -> str:
    """Return a person's last name; empty for a single name."""
    words = _SUFFIX.sub("", plain(name)).split()
    return words[-1] if len(words) > 1 and len(words[-1]) >= _MIN_LAST_NAME else ""


def _shorter_person(name: str) -> list[str]:
    without_suffix = _SUFFIX.sub("", name)
    words = without_suffix.split()
    middle_names = [word for word in words[1:-1] if not re.fullmatch(r"(?:[A-Z]\.?)+", word)]
    short_form = " ".join([words[0], *middle_names, words[-1]])
    return [without_suffix, without_suffix.replace(".", ""), short_form]


def _shorter_organisation(name: str) -> list[str]:
    words = name.split()
    shorter = []
    while len(words) > 1 and words[-1].strip(".,").lower() in _LEGAL_SUFFIXES:
        words.pop()
        shorter.append(" ".join(words).rstrip(","))
    return [*shorter, name.rstrip(".")]


def _initials(name: str) -> list[str]:
    """Return U.N. and UN for the United Nations, as newspapers write them."""
    words = [word for word in re.split(r"[\s-]+", name) if word.lower() not in _INITIALS_SKIPPED]
    if len(words) < 2 or not all(word[:1].isupper() for word in words):
        return []
    letters = [word[0] for word in words]
    return ["".join(f"{letter}." for letter in letters), "".join(letters)]
