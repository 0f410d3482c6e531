"""Sex of people, as far as words and names indicate it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from tatian.coreference.sorts import FEMALE_WORDS, MALE_WORDS
from tatian.text import NAMES, Chain, Document
from tatian.text.lexicon import FEMALE_NAMES, MALE_NAMES, PRONOUNS


class SpokenOf(Struct, frozen=True):
    """Phrase that may refer to one person."""

    start: int
    chain: Chain | None
    sex: str = ""
    """Either "male", "female", or "" if unknown."""

    def may_be(self, pronoun: str) -> bool:
        """Check whether a pronoun can refer to this person."""
        gender = PRONOUNS[pronoun].gender
        return not self.sex or gender is None or gender == self.sex


def word_sex(word: str) -> str:
    """Return the sex that a pronoun, a title, a noun or a given name indicates, if any."""
    gender = PRONOUNS[word].gender if word in PRONOUNS else None
    if word in MALE_WORDS or word in MALE_NAMES or gender == "male":
        return "male"
    return "female" if word in FEMALE_WORDS or word in FEMALE_NAMES or gender == "female" else ""


def surname_sexes(documents: Iterable[Document]) -> dict[str, str]:
    """Return people's sex by lower-case surname, as far as full names or titles indicate it.

    A surname that a man and a woman share has none.
    """
    sexes_of: dict[str, set[str]] = {}
    for document in documents:
        for name in document.get(NAMES) if document.has(NAMES) else ():
            words = name.of(document.text).lower().split()
            if name.type == "PER" and len(words) > 1:
                sexes = set(filter(None, map(word_sex, words[:-1])))
                sexes_of.setdefault(words[-1], set()).update(sexes)
    return {surname: next(iter(sexes)) for surname, sexes in sexes_of.items() if len(sexes) == 1}
