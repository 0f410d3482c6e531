"""What sort of thing a plural noun stands for: people, places, organisations."""

from __future__ import annotations

import re
from functools import lru_cache

from tatian.aggregation.models.generating.lattice import root
from tatian.knowledge.building.kinds_words import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.knowledge.forms import singulars
from tatian.text.lexicon import word_set

TYPE_OF = {"PER": "person", "LOC": "location", "ORG": "organization"}
"""The aggregation type of a name's type."""
OTHER = "other"
"""The type of nouns that name no people, places or organisations."""
_ROOTS = {"person": "person", "place": "location", "organization": "organization"}
_MORE_PEOPLE = word_set(
    "ally candidate challenger colleague competitor contender critic expert favorite favourite "
    "fan friend governor great guest hopeful icon insider lawmaker legend luminary newcomer "
    "nominee opponent outsider predecessor rival spokesman star successor suspect veteran winner "
    "youngster teammate contemporary heavyweight aide adviser staffer donor hawk liberal "
    "conservative moderate"
)
_MORE_PLACES = word_set(
    "destination market neighbor neighbour hotspot spot stronghold hub center centre haven "
    "battleground economy power democracy nation stop location suburb civilization "
    "civilisation exporter importer producer"
)
_MORE_ORGANISATIONS = word_set(
    "ally automaker brand broadcaster carrier chain chipmaker competitor customer drugmaker "
    "giant group insurer investor lender maker outlet partner player publication publisher "
    "rival sponsor startup start-up supplier website site paper magazine program "
    "union lab body agency stalwart powerhouse"
)
_NEVER = word_set(
    "act album answer area aspect battle bill book car case character concern day deal detail "
    "device drug entity event example factor feature field film game headquarters hour individual "
    "interest issue item kind language law layer letter line lot matter member model month movie "
    "name number offer orbit organisation organization other part people person phone piece place "
    "policy problem product reason role sense series show side song sort source story subject term "
    "theme thing time title topic treaty type war way week word work year"
)
"""Nouns that name no set of entities, or name any."""


_PEOPLE = re.compile(r"(?:..er|..or|ist|ian|ant|eer)s$|(?:men|women)$")
"""Endings of nouns for those who do something."""


def singular(noun: str) -> str:
    """The likeliest singular of a plural noun."""
    return next(iter(singulars(noun.lower())), noun.lower())


@lru_cache(maxsize=4096)
def noun_types(plural: str) -> frozenset[str]:
    """Which types a plural noun may name; empty where neither lists nor its ending tell."""
    found = set()
    last = plural.lower().rpartition("-")[2]
    for noun in (*singulars(plural.lower()), *singulars(last)) or (plural.lower(),):
        if noun in _NEVER:
            return frozenset((OTHER,))
        if type := _ROOTS.get(root(noun)):
            found.add(type)
        for type, listed in _LISTS:
            if noun in listed:
                found.add(type)
    if not found and _PEOPLE.search(plural.lower()):
        return frozenset(("person", "organization"))
    return frozenset(found)


_LISTS = (
    ("person", PERSON),
    ("person", _MORE_PEOPLE),
    ("location", LOCATION),
    ("location", _MORE_PLACES),
    ("organization", ORGANISATION),
    ("organization", _MORE_ORGANISATIONS),
    (OTHER, CONCEPT),
)


def type_of_set(noun: str, names: tuple[str, ...]) -> str | None:
    """The type of a set called by `noun` whose names are of these types; None if they disagree.

    Names of a place and of its government are easily taken for each other, so where the noun
    tells, one name of its type is enough and the others may be places or organisations.
    """
    types = {TYPE_OF.get(name, OTHER) for name in names}
    fitting = noun_types(noun)
    if len(types) == 1:
        (type,) = types
        return type if type in fitting and type != OTHER else None
    if types <= {"location", "organization"}:
        return next((type for type in sorted(fitting & types)), None)
    return None
