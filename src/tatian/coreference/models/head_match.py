"""The plain baseline that resolvers must beat: equal names, equal head nouns, near pronouns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from tatian.errors import InputError
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Mention, Name, Span, Word
from tatian.text.lexicon import FEMALE_TITLES, MALE_TITLES, PRONOUNS, ROLE_HEADS, word_set
from tatian.text.spans import within

Gender = Literal["male", "female", "neuter", "person"]

SCHEMES = ("muc", "ontonotes", "gum", "litbank")
_WITH_SINGLETONS = frozenset(("gum", "litbank"))
_REACH = 3
"""How many sentences back a pronoun looks."""
_INDEFINITE = word_set("a an another any some no every each")
_MALE = MALE_TITLES | word_set("man boy son husband uncle nephew grandfather gentleman")
_FEMALE = FEMALE_TITLES | word_set("woman girl daughter wife aunt niece grandmother")
_PEOPLE = ROLE_HEADS | word_set("person child friend")


class _Phrase(Struct, frozen=True):
    """A noun phrase with what a match asks of it."""

    mention: Mention
    word: str
    """In lower case, the head as it is written."""
    key: tuple[str, str] | None
    """What phrases that match have in common; None for pronouns."""
    sentence: int
    plural: bool
    gender: Gender | None = None
    opens: bool = False
    """Whether it is indefinite and so the first of its kind."""


class _Group(Struct):
    """A chain while it grows."""

    phrases: list[_Phrase]
    gender: Gender | None
    plural: bool

    def agrees(self, gender: Gender | None, plural: bool | None) -> bool:
        """Whether a pronoun of this gender and number can stand for it."""
        if plural is not None and plural != self.plural:
            return False
        if gender == "neuter":
            return self.gender in (None, "neuter")
        return gender is None or self.gender in (gender, "person")


class HeadMatch:
    """Baseline: equal names and head nouns corefer, pronouns go with the nearest that agrees."""

    schemes = SCHEMES

    def __init__(self, scheme: str = "muc") -> None:
        if scheme not in SCHEMES:
            raise InputError(f"no scheme '{scheme}': choose from {', '.join(SCHEMES)}")
        self._scheme = scheme

    def resolve(self, document: Document) -> Document:
        """Add the `chains` layer to an analysed document."""
        from tatian.coreference.definition import apply

        groups = _groups(list(_phrases(document)))
        found = [one for one in groups if len(one.phrases) > 1 or self._scheme in _WITH_SINGLETONS]
        chains = [
            Chain(f"{document.id}#{number}", _mentions(group), _type(group))
            for number, group in enumerate(found, 1)
        ]
        full = document.with_layer(CHAINS, chains, "tatian/head-match")
        return apply(full) if self._scheme == "muc" else full


def _mentions(group: _Group) -> tuple[Mention, ...]:
    return tuple(sorted(phrase.mention for phrase in group.phrases))


def _type(group: _Group) -> str:
    return next((phrase.mention.type for phrase in group.phrases if phrase.mention.type), "")


def _groups(phrases: Sequence[_Phrase]) -> list[_Group]:
    """The phrases in the order of their heads, each given to the group that it matches, if any."""
    groups: list[_Group] = []
    latest: dict[tuple[str, str], _Group] = {}
    near: list[tuple[_Phrase, _Group]] = []
    for phrase in phrases:
        if phrase.key is None:
            group = _antecedent(phrase, near)
        else:
            group = None if phrase.opens else latest.get(phrase.key)
        if group is None:
            group = _Group([], phrase.gender, phrase.plural)
            groups.append(group)
        group.phrases.append(phrase)
        if phrase.gender is not None and group.gender in (None, "person"):
            group.gender = phrase.gender
        if phrase.key is not None:
            latest[phrase.key] = group
        near.append((phrase, group))
    return groups


def _antecedent(pronoun: _Phrase, near: Sequence[tuple[_Phrase, _Group]]) -> _Group | None:
    """The nearest phrase before a pronoun that agrees with it and does not contain it.

    First and second persons go with the same pronoun, wherever it was last.
    """
    known = PRONOUNS.get(pronoun.word)
    if known is None:
        return None
    if known.person < 3:
        return next((group for phrase, group in reversed(near) if _same(phrase, pronoun)), None)
    plural = None if known.number is None else known.number == "plural"
    for phrase, group in reversed(near):
        if phrase.sentence < pronoun.sentence - _REACH:
            return None
        other = PRONOUNS.get(phrase.word)
        if phrase.mention.contains(pronoun.mention) or (other is not None and other.person < 3):
            continue
        if group.agrees(known.gender, plural):
            return group
    return None


def _same(phrase: _Phrase, pronoun: _Phrase) -> bool:
    """Whether both are forms of one pronoun of the first or second person."""
    one, other = PRONOUNS.get(phrase.word), PRONOUNS.get(pronoun.word)
    if one is None or other is None or one.person != other.person:
        return False
    return one.person == 2 or one.number == other.number


def _phrases(document: Document) -> Iterator[_Phrase]:
    """The noun phrases of an analysed document, in the order of their heads."""
    from tatian.analysis.phrases import noun_phrases

    names = document.get(NAMES)
    by_token = {word.token: word for word in document.get(WORDS)}
    articles = {
        word.head: document.tokens[word.token].text.lower()
        for word in by_token.values()
        if word.relation == "det"
    }
    number = 0
    sentences = document.sentences
    for phrase in sorted(noun_phrases(document), key=lambda one: one.head):
        token, word = document.tokens[phrase.head], by_token[phrase.head]
        while token.start >= sentences[number].end:
            number += 1
        name = next(iter(within(names, phrase.minimum)), None)
        text = token.text.lower()
        pronoun = word.tag == "PRON"
        yield _Phrase(
            _mention(document, phrase, phrase.minimum, name),
            text,
            None if pronoun else _key(document, phrase.minimum, name, word),
            number,
            _is_plural(word, text),
            _gender(document, phrase.start, name, word, text),
            opens=name is None and articles.get(phrase.head) in _INDEFINITE,
        )


def _mention(document: Document, phrase: Span, minimum: Span, name: Name | None) -> Mention:
    """The phrase without the comma that closes it."""
    end = phrase.end
    while end > minimum.end and document.text[end - 1] in ",;–—- ":
        end -= 1
    head = None if (phrase.start, end) == (minimum.start, minimum.end) else minimum
    return Mention(phrase.start, end, name.type if name else "", head=head)


def _key(document: Document, minimum: Span, name: Name | None, word: Word) -> tuple[str, str]:
    """A person's last name, another name whole, a noun's lemma."""
    if name is None:
        return "noun", word.lemma.lower()
    words = [token.text.lower() for token in document.tokens_in(minimum)]
    return "name", words[-1] if name.type == "PER" and words else " ".join(words)


def _is_plural(word: Word, text: str) -> bool:
    pronoun = PRONOUNS.get(text)
    if pronoun is not None:
        return pronoun.number == "plural"
    return word.features.get("Number") in ("Plur", "Ptan")


def _gender(
    document: Document, start: int, name: Name | None, word: Word, text: str
) -> Gender | None:
    """What the words say: a pronoun's gender, a title's, a person or a thing by its name."""
    pronoun = PRONOUNS.get(text)
    if pronoun is not None:
        return pronoun.gender
    first = document.text[start : start + 12].lower().split()[:1]
    said = {word.lemma.lower(), *first}
    if said & _MALE:
        return "male"
    if said & _FEMALE:
        return "female"
    if name is not None:
        return "person" if name.type == "PER" else "neuter"
    return "person" if word.lemma.lower() in _PEOPLE else None
