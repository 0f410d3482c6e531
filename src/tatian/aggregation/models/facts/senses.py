"""Disambiguation of a set's names: pages of the base that agree with each other."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from tatian.aggregation.models.facts import wording
from tatian.aggregation.models.facts.traits import Trait, TraitFrequencies, TraitKey, traits_of
from tatian.aggregation.models.facts.wording import adjective, adjectives, ancestors, nouns, root
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Kind, normal_form
from tatian.text.lexicon import word_set
from tatian.text.plurals import plural

_ADDRESSES = word_set(wording.LISTS["addresses"])
_POSSESSIVE = re.compile(r"^(?:\S+ ){0,2}\S+[’']s? (?=[A-Z])")
_OWNED = re.compile(r"[’']s?$")
_SEAT = re.compile(r" (?:of|from) (?:the )?[A-Z].*$")
_CORPORATE = re.compile(r"\b(?:Corp\.?|Corporation)$")
_LEGAL = re.compile(r",? (?:Inc|Corp|Co|Ltd|LLC|PLC|AG|SA|SE|Corporation|Company)\.?$")


def name_forms(name: str, type: str) -> Iterator[str]:
    """Yield the name and its forms without titles, places, suffixes and articles."""
    without_possessive = _OWNED.sub("", name)
    shortened = dict.fromkeys((name, without_possessive))
    if type == "person":
        without_place = _POSSESSIVE.sub("", _SEAT.sub("", without_possessive))
        shortened |= dict.fromkeys((without_place, _strip_title(without_place)))
    elif type == "organization":
        shortened |= dict.fromkeys((_LEGAL.sub("", without_possessive),))
    has_article = without_possessive.lower().startswith("the ")
    shortened |= dict.fromkeys((without_possessive[4 * has_article :],))
    yield from filter(None, shortened)


def _strip_title(name: str) -> str:
    """Return ``Angela Merkel`` for ``German Chancellor Angela Merkel``."""
    words = name.split()
    last = max((at for at, word in enumerate(words) if _is_title(word)), default=-1)
    return " ".join(words[last + 1 :])


def _is_title(word: str) -> bool:
    lowered = word.lower().strip(".")
    return lowered in _ADDRESSES or lowered in wording.TITLES or word in adjectives()


_DEFINITION = re.compile(r"\b(?:is|was|are|were)\s+(?:(?:an?|the|one\s+of\s+the)\s+)?(.+)", re.S)
_END = re.compile(
    r"[.;:(]|\s(?:who|which|that|whose|where|known|born|best|based|located)\s"
    r"|\s\w+(?:ed|ing|un)\s(?:as|at|by|for|in|on|to|with)\s"
)
_BY_PLACE = re.compile(r"\b(of|in|from)\s+(?:the\s+)?((?:[A-Z][\w.]*[\s,]*)+)")
_WORD = re.compile(r"[\w'.-]+")
_PREPOSITION = re.compile(r"\s(?:in|of|from|for|at|to|with|by|on|under|during)\s")
_CONJUNCTS = re.compile(r",\s*|\s+(?:and|or)\s+(?:an?\s+)?")
_MAX_WORDS = 3
_DESCRIPTION_CHARACTERS = 200
_STEM_LETTERS = 6
"""Number of first letters that related words share: presidential, President."""
_QUALITIES = frozenset({"quality", "role quality"})
"""Slots of premodifiers in descriptions and in roles."""
_NO_QUALITIES = word_set(wording.LISTS["no qualities"])
"""Adjectives of degree, which are uninformative."""


def traits_in(text: str, type: str = "") -> dict[TraitKey, Trait]:
    """Return the nouns, premodifiers and nationalities in a sentence that defines an entity.

    Nouns outside the noun hierarchy count only with the `type` of the entity.
    """
    defined = _DEFINITION.search(text[:_DESCRIPTION_CHARACTERS])
    definition = _END.split(defined[1] if defined else text[:_DESCRIPTION_CHARACTERS])[0]
    traits: dict[TraitKey, Trait] = {}
    before_preposition = _PREPOSITION.split(definition)[0]
    named = _compound_nouns(before_preposition, type) if defined and type else ()
    for trait in (
        *named,
        *_known_traits(before_preposition, type if defined else ""),
        *_place_traits(definition, type),
    ):
        traits.setdefault(trait.key, trait)
    return traits


def _compound_nouns(before_preposition: str, type: str) -> Iterator[Trait]:
    """Yield each noun with its premodifiers: ``fashion house`` of ``Italian fashion house``."""
    for conjunct in _CONJUNCTS.split(before_preposition):
        words = [word for word in _WORD.findall(conjunct) if word not in adjectives()]
        words = [word for word in words if not word.endswith("-born")]
        if not words or not all(word.islower() and word.isascii() for word in words):
            continue
        head, before = words[-1], [word for word in words[:-1] if word not in _NO_QUALITIES]
        if wording.SYNONYMS.get(head, head) in wording.UNCOUNTABLE or len(head) < _MAX_WORDS:
            continue
        compounds = [" ".join((*before[start:], head)) for start in range(len(before))]
        support = f"described as “{' '.join(words)}”"
        kind = root(wording.SYNONYMS.get(head, head))
        if not any(wording.SYNONYMS.get(compound, compound) in nouns() for compound in compounds):
            for depth, compound in enumerate(compounds[-2:]):
                yield Trait("noun", compound, support, depth=depth)
            if not kind:
                yield Trait("noun", head, support, depth=bool(before))
        elif not kind:
            continue
        if not kind or kind == ROOT_OF_TYPE[type]:
            for word in before:
                yield Trait("quality", word, support)


def _known_traits(before_preposition: str, type: str) -> Iterator[Trait]:
    """Yield known nouns and nationalities, such as those of ``French politician and lawyer``."""
    words = _WORD.findall(before_preposition)
    start = 0
    while start < len(words):
        for length in range(min(_MAX_WORDS, len(words) - start), 0, -1):
            words_at = " ".join(words[start : start + length])
            noun = wording.SYNONYMS.get(words_at.lower(), words_at.lower())
            noun = noun if noun in nouns() else words_at
            if noun in nouns():
                is_modified = start > 0 and words[start - 1].islower() and length == 1
                if type and is_modified and root(noun) != ROOT_OF_TYPE[type]:
                    break
                for above, depth in ancestors(noun).items():
                    yield Trait("noun", above, f"described as “{words_at}”", depth=depth)
                break
            if words_at in adjectives():
                yield Trait("nation", words_at, f"described as “{words_at}”")
                break
        else:
            length = 1
        start += length


def _place_traits(definition: str, type: str) -> Iterator[Trait]:
    for preposition, places in _BY_PLACE.findall(definition):
        for number, place in enumerate(filter(None, map(str.strip, places.split(",")))):
            name = place.removesuffix(" of America")
            if adjective(name):
                yield Trait("nation", adjective(name), f"described as of {name}")
            elif preposition == "in" and type in ("location", "organization"):
                yield Trait("in", name, f"described as in {name}", depth=number)


ROOT_OF_TYPE = {"person": "person", "location": "place", "organization": "organization"}
_ARTICLE = r"(?:[Tt]he|[Aa]n?|one of the)"
_APPOSITION = re.compile(rf"\s*,\s*{_ARTICLE}\s+(?P<role>[^,.;:()\"]{{3,70}})")
_BEFORE_NAME = re.compile(rf"\b{_ARTICLE}\s+(?P<role>[^,.;:()\"]{{3,50}}?)\s*,?\s*\Z")
_TITLE_CHARACTERS = 60


def roles_in(text: str, name: str, type: str) -> dict[TraitKey, Trait]:
    """Return the roles that a text gives an entity: ``the Socialist candidate, Anna Ruiz``."""
    unaccented, name_form = _strip_accents(text), _strip_accents(name)
    traits: dict[TraitKey, Trait] = {}
    for form in dict.fromkeys(
        (name_form, name_form.split()[-1] if type == "person" else name_form)
    ):
        for place in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", unaccented):
            start = max(0, place.start() - _TITLE_CHARACTERS)
            before = _BEFORE_NAME.search(text[start : place.start()])
            after = _APPOSITION.match(text, place.end())
            for match in filter(None, (before, after)):
                for trait in _role_traits(match["role"], type):
                    traits.setdefault(trait.key, trait)
    return traits


def _role_traits(definition: str, type: str) -> Iterator[Trait]:
    words = _WORD.findall(_END.split(_PREPOSITION.split(definition + " ")[0])[0])
    if not words:
        return
    head = words[-1]
    if not head.islower():
        return
    if plural(head) not in wording.ROLE_PLURALS[type] and root(head) != ROOT_OF_TYPE[type]:
        return
    quoted = f"called “{' '.join(words)}”"
    yield Trait("role", head, quoted)
    for word in words[:-1]:
        if word.islower() and word not in _NO_QUALITIES:
            yield Trait("role quality", word, quoted)


def _strip_accents(text: str) -> str:
    """Return the text without accents, with the same number of characters."""
    return "".join(unicodedata.normalize("NFD", character)[0] for character in text)


def _add_qualities(
    by_name: Mapping[str, Mapping[TraitKey, Trait]], texts: Mapping[str, str]
) -> dict[str, dict[TraitKey, Trait]]:
    """Add premodifiers of one entity to others whose own text has a related word."""
    extended = {name: dict(traits) for name, traits in by_name.items()}
    qualities = {key for traits in by_name.values() for key in traits if key[0] in _QUALITIES}
    for name, traits in extended.items():
        text = texts.get(name, "")[:_DESCRIPTION_CHARACTERS]
        words = {word.lower() for word in _WORD.findall(text)}
        for key in sorted(qualities - traits.keys()):
            related = sorted(word for word in words if _is_related(word, key[1]))
            if related:
                traits[key] = Trait(*key, f"described with “{related[0]}”", depth=1)
    return extended


def _is_related(word: str, other: str) -> bool:
    if word in (other, plural(other)):
        return True
    return (
        len(word) >= _STEM_LETTERS
        and len(other) >= _STEM_LETTERS
        and word[:_STEM_LETTERS] == other[:_STEM_LETTERS]
    )


KINDS: dict[str, Kind] = {
    "person": "person",
    "location": "location",
    "organization": "organisation",
}
"""Kinds of entities in a base, by TESA's types."""
_PERSON_LIKE_KINDS = frozenset({"fictional character"})
"""Kinds that can be in a set of people without being people."""
_MAX_PAGES = 6
_ROUNDS = 2
_SLOT_WEIGHTS = {"noun": 2.0, "whole": 2.0, "group": 2.0}
"""Weights of slots that give a phrase its noun; others have 1."""
_MIN_PRIOR = 1e-3


class Sense(Struct, frozen=True):
    """A possible meaning of a name, with its traits."""

    name: str
    """Name in the instance."""
    title: str = ""
    """Title of its page; empty if the base has none."""
    prior: float = 0.0
    traits: Mapping[TraitKey, Trait] = {}

    @property
    def known(self) -> bool:
        """True if any trait of it is known."""
        return bool(self.traits)

    def in_slot(self, slot: str) -> bool:
        """Return whether any trait of this slot is known."""
        return any(key[0] == slot for key in self.traits)


class SenseResolver:
    """Resolver of the names of a set to pages of a base."""

    def __init__(self, base: KnowledgeBase, frequencies: TraitFrequencies) -> None:
        self._base = base
        self._frequencies = frequencies
        self._page_traits = lru_cache(1 << 12)(self._find_traits)

    def resolve(
        self,
        names: Sequence[str],
        type: str,
        date: str = "",
        background: Mapping[str, str] = {},
        context: str = "",
    ) -> tuple[Sense, ...]:
        """Return for each name the sense that has most in common with those of the others."""
        described = {
            name: traits_in(background.get(name, ""), type) | roles_in(context, name, type)
            for name in names
            if background.get(name) or context
        }
        described = _add_qualities(
            {name: traits for name, traits in described.items() if traits}, background
        )
        options = [list(self._senses(name, type, date, described.get(name, {}))) for name in names]
        if not described and not any(sense.title for option in options for sense in option):
            concepts = [list(self._concept_senses(name, type, date)) for name in names]
            options = concepts if all(concepts) else options
        chosen = [max(option, key=lambda sense: sense.prior) for option in options]
        for _ in range(_ROUNDS):
            for index, senses in enumerate(options):
                others = [sense for other, sense in enumerate(chosen) if other != index]
                chosen[index] = max(senses, key=lambda sense: self._agreement(sense, others))
        return tuple(chosen)

    def other_kinds(self, name: str, type: str) -> frozenset[Kind]:
        """Return the kinds of the entities with a name; empty if one is of this type."""
        kinds = {candidate.kind for candidate in self._base.lookup(name).candidates} - {"concept"}
        return frozenset() if KINDS[type] in kinds else frozenset(kinds)

    def _senses(
        self, name: str, type: str, date: str, described: Mapping[TraitKey, Trait]
    ) -> Iterator[Sense]:
        seen: set[int] = set()
        for form in name_forms(name, type):
            for candidate in self._base.lookup(form).candidates:
                is_new = candidate.kind == KINDS[type] and candidate.id not in seen
                if is_new and len(seen) < _MAX_PAGES:
                    seen.add(candidate.id)
                    page_traits = self._page_traits(candidate.id, date)
                    of_name = _traits_of_name(type, name, candidate.title)
                    traits = {**described, **page_traits, **of_name}
                    yield Sense(name, candidate.title, candidate.prior, traits)
            if seen:
                return
        yield Sense(name, traits={**described, **_traits_of_name(type, name)})

    def _concept_senses(self, name: str, type: str, date: str) -> Iterator[Sense]:
        """Yield senses other than people, places and organisations: planets, wars, films."""
        for candidate in self._base.lookup(name).candidates[:_MAX_PAGES]:
            traits = self._page_traits(candidate.id, date) if candidate.kind == "concept" else {}
            nouns = {value for slot, value in traits if slot == "noun"}
            if nouns and (type != "person" or nouns <= _PERSON_LIKE_KINDS):
                traits = {**traits, **_group_traits(type, name, candidate.title)}
                yield Sense(name, candidate.title, candidate.prior, traits)

    def _find_traits(self, page: int, date: str) -> Mapping[TraitKey, Trait]:
        facts = self._base.facts(page, date or None)
        traits = traits_of(facts, self._base.entity, date)
        if not any(fact.relation in wording.CLASSES for fact in facts):
            entity = self._base.entity(page)
            described = traits_in(entity.description) if entity is not None else {}
            traits = {**described, **traits}
        return traits

    def _agreement(self, sense: Sense, others: Sequence[Sense]) -> float:
        shared = sum(
            _SLOT_WEIGHTS.get(key[0], 1.0)
            * min(self._frequencies.information(common) for common in (trait, other.traits[key]))
            for other in others
            for key, trait in sense.traits.items()
            if key in other.traits
        )
        return shared / max(1, len(others)) + math.log10(max(sense.prior, _MIN_PRIOR))


def _traits_of_name(type: str, *names: str) -> dict[TraitKey, Trait]:
    """Return the traits that a name shows: a named group that it belongs to, or a corporation."""
    traits = _group_traits(type, *names)
    if type == "organization" and _CORPORATE.search(names[0]):
        trait = Trait("noun", "corporation", f"named “{names[0]}”", depth=3)
        traits[trait.key] = trait
    return traits


def _group_traits(type: str, *names: str) -> dict[TraitKey, Trait]:
    name_keys = {normal_form(name) for name in names}
    traits = {}
    for group in wording.groups():
        if group.type == type and name_keys & _members(group.members):
            trait = Trait("group", group.phrase, f"one of the {group.phrase}")
            traits[trait.key] = trait
    return traits


@lru_cache(1 << 8)
def _members(titles: tuple[str, ...]) -> frozenset[str]:
    return frozenset(normal_form(title) for title in titles)
