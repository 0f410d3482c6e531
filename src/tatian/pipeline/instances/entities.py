"""The entities of an article and where its text speaks of them: by the index, or by the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from unicodedata import normalize

from msgspec import Struct

from tatian.pipeline.profiles import is_name
from tatian.text import CHAINS, LINKS, NAMES, Chain, Document, Mention, Span
from tatian.text.lexicon import PRONOUNS, TITLES
from tatian.text.spans import inside

TYPE_OF = {"PER": "person", "LOC": "location", "ORG": "organization"}
_WORD = re.compile(r"\w")


class NamedEntity(Struct, frozen=True):
    """One thing by its name, and its mentions in one text."""

    name: str
    type: str
    mentions: tuple[Span, ...] = ()
    """In the order of the text; names and noun phrases, no pronouns."""
    page: str = ""
    """The page of the knowledge base that the text's own links give it."""


def indexed(names: Mapping[str, Iterable[str]]) -> list[NamedEntity]:
    """The entities of an article's index, by normalised name, each once."""
    found: dict[tuple[str, str], NamedEntity] = {}
    for type, written in names.items():
        for one in written:
            if name := normal_name(one, type):
                found.setdefault((type, name.casefold()), NamedEntity(name, type))
    return list(found.values())


def likely(entities: Iterable[NamedEntity], text: str) -> list[NamedEntity]:
    """Those with any form of their name in the text: a cheap look before it is analysed."""
    folded = plain(text)
    return [
        entity for entity in entities if any(form in folded for form in _forms(entity, last=True))
    ]


def located(entities: Sequence[NamedEntity], document: Document) -> list[NamedEntity]:
    """The entities with their mentions in an analysed document.

    A mention is a form of the name, and whatever the coreference chain of such a form has beside
    pronouns. A last name counts where only one person of the index has it; a form within a longer
    name ("Paris" in "Paris Hilton") does not.
    """
    text = plain(document.text)
    names = document.get(NAMES) if document.has(NAMES) else ()
    shared = Counter(last_name(one.name) for one in entities if one.type == "person")
    chains = _Chains(document)
    found = []
    for entity in entities:
        forms = _forms(entity, last=shared[last_name(entity.name)] == 1)
        places = list(_places(text, forms, names))
        found.append(NamedEntity(entity.name, entity.type, chains.widened(places), entity.page))
    return found


def from_chains(document: Document, least: int = 1) -> list[NamedEntity]:
    """The people, places and organisations that a text calls by name, at least `least` times.

    Chains with the same name, or linked to the same page, are one entity.
    """
    groups: dict[tuple[str, str], list[tuple[str, str, tuple[Span, ...]]]] = {}
    for chain in document.get(CHAINS):
        type = TYPE_OF.get(chain.type)
        name = _called(document, chain)
        if type is None or not name:
            continue
        page = _page(document, chain)
        key = (type, page or plain(name).casefold())
        groups.setdefault(key, []).append((name, page, _spoken(document, chain.mentions)))
    found: list[NamedEntity] = []
    for (type, _), members in groups.items():
        mentions = tuple(sorted({span for *_, spans in members for span in spans}))
        name, page, _ = max(members, key=lambda one: len(one[0]))
        found.append(NamedEntity(name, type, mentions, page))
    return [entity for entity in _united(found) if len(entity.mentions) >= least]


def _united(entities: Sequence[NamedEntity]) -> list[NamedEntity]:
    """With a shorter name counted to the one entity that it may be short for."""
    longer: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        short = plain(entity.name)
        longer[number] = [
            other
            for other, one in enumerate(entities)
            if one.type == entity.type
            and len(one.name) > len(entity.name)
            and short in _forms(one, last=True)
        ]
    kept = {number: entity for number, entity in enumerate(entities) if len(longer[number]) != 1}
    for number, others in longer.items():
        if number not in kept and others[0] in kept:
            whole, part = kept[others[0]], entities[number]
            mentions = tuple(sorted({*whole.mentions, *part.mentions}))
            kept[others[0]] = NamedEntity(whole.name, whole.type, mentions, whole.page or part.page)
    return list(kept.values())


def _forms(entity: NamedEntity, *, last: bool) -> tuple[str, ...]:
    forms = variants(entity.name, entity.type)
    alone = last_name(entity.name) if entity.type == "person" and last else ""
    return (*forms, alone) if alone else forms


def _places(text: str, forms: Iterable[str], names: Sequence[Span]) -> Iterator[Span]:
    """Where any form stands as whole words and is not a part of another name."""
    taken: list[Span] = []
    for form in forms:
        begin = text.find(form)
        while begin >= 0:
            span = Span(begin, begin + len(form))
            begin = text.find(form, begin + 1)
            if any(span.overlaps(one) for one in taken) or not _stands_alone(text, span):
                continue
            if _is_part_of_name(text, span, names):
                continue
            taken.append(span)
            yield span


def _stands_alone(text: str, span: Span) -> bool:
    before, after = text[span.start - 1 : span.start], text[span.end : span.end + 1]
    return not (_WORD.match(before) or _WORD.match(after))


def _is_part_of_name(text: str, span: Span, names: Sequence[Span]) -> bool:
    """Whether a longer name holds it, and holds more beside it than a title."""
    last = bisect_right(names, span.start, key=lambda name: name.start)
    for name in names[max(0, last - 3) : last]:
        if name.contains(span) and len(name) > len(span):
            before = text[name.start : span.start].strip(" .").lower()
            rest = text[span.end : name.end].strip(" .,'s")
            if rest or (before and before not in TITLES and f"{before}." not in TITLES):
                return True
    return False


class _Chains:
    """What else of a text speaks of the thing that a name stands for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        chains = document.get(CHAINS) if document.has(CHAINS) else ()
        held = [(mention, chain) for chain in chains for mention in chain.mentions]
        self._held = sorted(held, key=lambda one: (one[0].start, one[0].end))
        self._starts = [mention.start for mention, _ in self._held]

    def widened(self, places: Iterable[Span]) -> tuple[Span, ...]:
        """The mentions of all chains that call their thing by a name at one of these places."""
        found: set[Span] = set()
        for place in places:
            chain = self._chain(place)
            if chain is None:
                found.add(place)
            else:
                found.update(_spoken(self._document, chain.mentions))
        return tuple(sorted(found))

    def _chain(self, place: Span) -> Chain | None:
        """The chain of the mention whose head is, or is in, this place."""
        last = bisect_right(self._starts, place.end)
        best: tuple[int, Chain] | None = None
        for mention, chain in self._held[max(0, last - 12) : last]:
            head = mention.head or mention
            if head.overlaps(place) and (best is None or len(mention) < best[0]):
                best = len(mention), chain
        return best[1] if best else None


def _spoken(document: Document, mentions: Iterable[Mention]) -> tuple[Span, ...]:
    """Mentions as plain stretches of text, without the pronouns."""
    return tuple(
        Span(mention.start, mention.end)
        for mention in mentions
        if mention.of(document.text).lower() not in PRONOUNS
    )


def _called(document: Document, chain: Chain) -> str:
    """The longest name in a chain; empty if there is none."""
    names = [
        " ".join((mention.head or mention).of(document.text).split())
        for mention in chain.mentions
        if mention.type == chain.type and is_name(document, mention)
    ]
    return max(names, key=len, default="")


def _page(document: Document, chain: Chain) -> str:
    """The page that most of the chain's names are linked to."""
    if not document.has(LINKS):
        return ""
    links = document.get(LINKS)
    pages = Counter(
        link.titles[0]
        for mention in chain.mentions
        for link in inside(links, mention)
        if link.titles and (mention.head or mention).overlaps(link)
    )
    return min(pages, key=lambda page: (-pages[page], page)) if pages else ""


_SUFFIXES = {"jr": "Jr.", "sr": "Sr.", "ii": "II", "iii": "III", "iv": "IV"}
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "sir", "rev", "gen", "col", "sgt", "lt", "capt"))
_SMALL_WORDS = frozenset(
    ("of", "the", "and", "for", "in", "on", "de", "la", "von", "van", "der", "al")
)
_NAME_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile("[aeiouy]")
_INITIAL = re.compile(r"\b([A-Z])(?=\s|$)(?!\.)")


def normal_name(written: str, type: str) -> str:
    """The name without what stands from "(" on; a person's in the order it is spoken.

    "Sarkozy, Nicolas (Pres)" is Nicolas Sarkozy, "Bush, George W" George W. Bush, "Baghdad (Iraq)"
    Baghdad. Names in capitals, as the older years of an archive have them, get small letters. May
    be empty.
    """
    plain = " ".join(written.partition("(")[0].split()).strip(" ,;")
    if plain.isupper():
        plain = _NAME_WORD.sub(lambda word: _cased(word[0], type, plain), plain)
    return _person(plain) if type == "person" else plain


def _cased(word: str, type: str, name: str) -> str:
    """A word of a name in capitals as it is usually written."""
    small = word.lower()
    if small in _SMALL_WORDS and not name.startswith(word):
        return small
    if type != "person" and (not _VOWEL.search(small) or (word == name and len(word) < 5)):
        return word
    if small.startswith("mc") and len(small) > 4:
        return "Mc" + small[2:].capitalize()
    return small.capitalize()


def _person(name: str) -> str:
    last, comma, rest = name.partition(",")
    first = rest.replace(",", " ").split() if comma else []
    suffix = ""
    if first and (told := _SUFFIXES.get(first[-1].rstrip(".").lower())):
        suffix = told
        first.pop()
    while len(first) > 1 and first[-1].rstrip(".").lower() in _TITLES:
        first.pop()
    return _INITIAL.sub(r"\1.", " ".join([*first, last.strip(), suffix]).strip())


_LEGAL = frozenset(
    "corp corporation inc incorporated co company cos ltd limited llc plc ag sa nv group".split()
)
"""What an organisation's name ends with on paper, and rarely in a text."""
_SMALL = frozenset(("of", "the", "and", "for", "in", "on", "&", "de", "la"))
_SUFFIX = re.compile(r"\s+(?:Jr|Sr|II|III|IV)\.?$")
_SHORTEST_LAST = 2


def plain(text: str) -> str:
    """The text without accents, character for character, so that places stay the same."""
    return text if text.isascii() else "".join(map(_base, text))


@lru_cache(maxsize=4096)
def _base(character: str) -> str:
    decomposed = normalize("NFD", character)[:1]
    return "'" if character in "’‘" else decomposed or character


def variants(name: str, type: str) -> tuple[str, ...]:
    """What a text may write for it, the fullest first, without accents."""
    whole = plain(name)
    if type == "person":
        found = [whole, *_shorter_person(whole)]
    else:
        found = [whole, *_shorter_organisation(whole)] if type == "organization" else [whole]
        found += _initials(whole)
    return tuple(dict.fromkeys(found))


def last_name(name: str) -> str:
    """What a person is called after the first mention; empty for a single name."""
    words = _SUFFIX.sub("", plain(name)).split()
    return words[-1] if len(words) > 1 and len(words[-1]) > _SHORTEST_LAST else ""


def _shorter_person(name: str) -> list[str]:
    bare = _SUFFIX.sub("", name)
    words = bare.split()
    dotted = [word for word in words[1:-1] if not re.fullmatch(r"(?:[A-Z]\.?)+", word)]
    return [bare, bare.replace(".", ""), " ".join([words[0], *dotted, words[-1]])]


def _shorter_organisation(name: str) -> list[str]:
    words = name.split()
    found = []
    while len(words) > 1 and words[-1].strip(".,").lower() in _LEGAL:
        words.pop()
        found.append(" ".join(words).rstrip(","))
    return [*found, name.rstrip(".")]


def _initials(name: str) -> list[str]:
    """U.N. and UN for the United Nations, as newspapers write them."""
    words = [word for word in re.split(r"[\s-]+", name) if word.lower() not in _SMALL]
    if len(words) < 2 or not all(word[:1].isupper() for word in words):
        return []
    letters = [word[0] for word in words]
    return ["".join(f"{letter}." for letter in letters), "".join(letters)]
