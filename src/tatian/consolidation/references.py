"""Referents of the pronouns and definite phrases of a document, and how certain they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct

from tatian.coreference.sorts import FEMALE_WORDS, MALE_WORDS
from tatian.knowledge.wording import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Span, Token
from tatian.text.documents import MARKS, quoted_tokens
from tatian.text.lexicon import FEMALE_NAMES, MALE_NAMES, PRONOUNS, ROLE_HEADS, TITLES

_ALL_THE_TIME = 5
"""Least mentions of something that a source mentions throughout."""
_NEAR = 3
"""Preceding spans in which the name must stand."""
_CLOSE, _FAR = 2, 5
"""Preceding spans in which a reader looks for a "he": first, and where those mention nobody."""
_OBLIQUE = frozenset("his her him".split())
_OPENING = frozenset('"“')
_WE = re.compile("I|[Ww]e|us|[Oo]ur|[Mm]y|me")
_SHIP = re.compile(
    r"\b(?:ship|vessel|boat|lifeboat|ferry|tug|tanker|trawler|yacht|liner|steamer|schooner|barge"
    r"|freighter|submarine|frigate|aircraft|airship|plane)s?\b",
    re.IGNORECASE,
)
"""Things that are also called "she"."""
_SUBJECTS = frozenset(("he", "she"))
_SOMEBODY = re.compile(
    r"(?:An?|One) |.*?\b(?:an?|one) (?:[\w-]+ ){0,2}(?:woman|man|girl|boy|mother|father|teenager)\b"
)
PERSONS = frozenset("he she his her him".split())
_OTHERS = frozenset("they it them this that these those we".split())
PERSON_NOUNS = (PERSON | ROLE_HEADS | MALE_WORDS | FEMALE_WORDS) - {"general", "major", "private"}
"""Nouns for one person."""
_NOBODY = (CONCEPT | LOCATION | ORGANISATION) - PERSON_NOUNS


class PrecedingSpan(Protocol):
    """Span that stands before another one in its source."""

    @property
    def indices(self) -> tuple[int, ...]:
        """Indices of its sentences."""
        ...

    @property
    def bodies(self) -> tuple[Span, ...]:
        """Its sentences."""
        ...


class SpokenOf(Struct, frozen=True):
    """Phrase that may stand for one person."""

    start: int
    chain: Chain | None
    sex: str = ""
    """Either "male", "female", or nothing where that is not known."""

    def may_be(self, pronoun: str) -> bool:
        """Check whether the pronoun can stand for this person."""
        gender = PRONOUNS[pronoun].gender
        return not self.sex or gender is None or gender == self.sex


class Referents:
    """Referents of a document's pronouns.

    `inside` has for each sentence whether it begins inside a quotation. `sexes` has people's sex by
    surname, where another document gives it.
    """

    def __init__(
        self,
        document: Document,
        inside: Sequence[bool] = (),
        sexes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._document = document
        self._surnames = sexes
        self._quoted = _quoted(document, inside)
        self._place = {token.start: place for place, token in enumerate(document.tokens)}
        self._chain: dict[int, Chain] = {}
        self._covered: dict[int, list[tuple[Chain, Span]]] = {}
        for chain in document.get(CHAINS):
            for mention in chain.mentions:
                self._chain.setdefault(mention.start, chain)
                for token in document.tokens_in(mention):
                    self._covered.setdefault(token.start, []).append((chain, mention))
        words = document.get(WORDS) if document.has(WORDS) else ()
        self._words = {word.token: word for word in words}
        self._known: dict[str, frozenset[str]] = {}

    def stranger(self, bodies: Sequence[Span]) -> Token | None:
        """Return a pronoun of a span that the span itself does not explain, if there is one."""
        for body in bodies[:1]:
            tokens = self._document.tokens_in(body)
            for number, token in enumerate(tokens):
                word = token.text.lower()
                if self._quoted[self._place[token.start]]:
                    continue
                if word in PERSONS and not self._explained(token, body):
                    return token
                if word in _OTHERS and self._subject(token, number):
                    return None if self._explained(token, body) else token
        return None

    def takes_up(self, body: Span, before: Sequence[PrecedingSpan]) -> bool:
        """Check whether a sentence opens with a phrase such as "the driver", known from before.

        Things that the source mentions throughout need no context. In the first sentence of all,
        only a person who is mentioned again does.
        """
        chain = self._chain.get(body.start)
        opening = Span(body.start, self._verb(body))
        if any(
            opening.contains(name) or (chain is not None and self._within(name, chain))
            for name in self._document.inside(NAMES, body)
        ):
            return False
        if not before:
            return chain is not None and chain.type == "PER" and len(chain.mentions) > 1
        return chain is None or chain.type == "PER" or len(chain.mentions) < _ALL_THE_TIME

    def named(self, pronoun: Token, body: Span, before: Sequence[PrecedingSpan]) -> bool:
        """Check whether a pronoun surely stands for a named person, by chain and by sentences.

        The last span that mentions anybody by name or noun must name this person and nobody else.
        It is the span before, or in the same paragraph: a new paragraph may take up somebody else.
        With two pronouns, as in "he said to him", nothing is sure.
        """
        chain = self._chain.get(pronoun.start)
        said = pronoun.text.lower()
        if said not in PERSONS or chain is None or len(self._sexes(chain)) > 1:
            return False
        for token in self._document.tokens_in(body):
            place = self._place[token.start]
            if token.text.lower() in PERSONS and token != pronoun and not self._quoted[place]:
                word = self._words.get(place)
                owner = word is not None and word.relation.startswith("nmod")
                met = token.text.lower() in _OBLIQUE and not owner
                if met or self._chain.get(token.start) is not chain:
                    return False
        if self._others(Span(body.start, pronoun.start), chain):
            return False
        for distance, span in enumerate(reversed(before[-_NEAR:])):
            if any(self._others(sentence, chain) for sentence in span.bodies):
                return False
            names = [
                name
                for sentence in span.bodies
                for name in self._document.inside(NAMES, sentence)
                if name.type == "PER"
            ]
            if names:
                apart = "\n" in self._document.text[span.bodies[-1].end : body.start]
                alone = all(self._within(name, chain) for name in names)
                return alone and not (distance and apart)
            if any(self._nouns(sentence) for sentence in span.bodies):
                return False
        return False

    def introduced(self, pronoun: Token, body: Span) -> bool:
        """Check whether "his" or "her" follows a person whom the sentence names or introduces."""
        if pronoun.text.lower() not in _OBLIQUE:
            return False
        opening = Span(body.start, pronoun.start)
        named = any(name.type == "PER" for name in self._document.inside(NAMES, opening))
        return named or bool(_SOMEBODY.match(self._document.text, body.start, pronoun.start))

    def unknown(self, bodies: Sequence[Span], index: int, before: Sequence[PrecedingSpan]) -> str:
        """Return the "he" or "she" of a span, if nothing before it mentions a possible antecedent.

        `index` is that of its first sentence. A reader looks back two spans, and further where
        those mention nobody. The opening of a source is never checked.
        """
        if not before or not self._words:
            return ""
        pronoun = next(
            (
                token
                for body in bodies
                for token in self._document.tokens_in(body)
                if token.text.lower() in _SUBJECTS and not self._quoted[self._place[token.start]]
            ),
            None,
        )
        if pronoun is None:
            return ""
        said = pronoun.text.lower()
        if any(
            _WE.fullmatch(token.text) and not self._quoted[self._place[token.start]]
            for body in bodies
            for token in self._document.tokens_in(body)
        ):
            return ""
        opening = Span(bodies[0].start, pronoun.start)
        persons = [person for person in self.people(opening) if person.may_be(said)]
        for steps in range(1, _FAR + 1):
            first = before[-steps].indices[0] if steps <= len(before) else 0
            last = before[1 - steps].indices[0] if 1 < steps <= len(before) else index
            if persons and steps > _CLOSE:
                break
            for sentence in self._document.sentences[first:last]:
                persons += self.people(sentence, quoted=True)
                if said == "she" and _SHIP.search(sentence.of(self._document.text)):
                    return ""
        known = any(person.may_be(said) for person in persons)
        return "" if known or not (persons or len(before) >= _FAR) else said

    def one_person(self, bodies: Sequence[Span], pronoun: str) -> bool:
        """Check whether sentences mention exactly one person who can be this "he" or "she"."""
        persons = [
            person for body in bodies for person in self.people(body) if person.may_be(pronoun)
        ]
        return (
            len({person.chain.id if person.chain else str(person.start) for person in persons}) == 1
        )

    def people(self, body: Span, *, quoted: bool = False) -> Iterator[SpokenOf]:
        """Yield the names, nouns and pronouns of a sentence that may each stand for one person."""
        names = {
            token.start: name
            for name in self._document.inside(NAMES, body)
            for token in self._document.tokens_in(name)
        }
        for token in self._document.tokens_in(body):
            place = self._place[token.start]
            if self._quoted[place] and not quoted:
                continue
            said, word = token.text.lower(), self._words.get(place)
            name = names.get(token.start)
            chain, mention = self._innermost(token.start)
            kind = chain.type if chain is not None else ""
            if name is not None:
                person = name.start == token.start and (name.type == "PER" or kind == "PER")
            elif said in PERSONS:
                person = True
            else:
                noun = word is not None and word.tag in ("NOUN", "PROPN")
                plural = word is not None and word.fine in ("NNS", "NNPS")
                compound = word is not None and word.relation.startswith("compound")
                person = noun and not plural and not compound and said in PERSON_NOUNS
            if person:
                yield SpokenOf(token.start, chain, self._sex_of(token, name, chain, mention))

    def _others(self, body: Span, chain: Chain) -> bool:
        """Check whether a stretch mentions somebody, outside quotations, who is not of this chain.

        Any subject may be somebody, unless its noun is one for places, groups or ideas.
        """
        doing = (
            token.start
            for token in self._document.tokens_in(body)
            if self._does(token) and token.text.lower() not in _NOBODY
        )
        return any(
            not any(holder is chain for holder, _ in self._covered.get(start, ()))
            for start in (*(person.start for person in self.people(body)), *doing)
        )

    def _does(self, token: Token) -> bool:
        """Check whether a word is a singular noun and a subject, outside quotations."""
        place = self._place[token.start]
        word = self._words.get(place)
        singular = word is not None and word.tag == "NOUN" and word.fine != "NNS"
        subject = word is not None and word.relation.startswith("nsubj")
        return singular and subject and not self._quoted[place]

    def _nouns(self, body: Span) -> bool:
        """Check whether a sentence mentions somebody by a noun, outside quotations."""
        starts = {token.start: token.text.lower() for token in self._document.tokens_in(body)}
        return any(starts[person.start] not in PERSONS for person in self.people(body))

    def _innermost(self, start: int) -> tuple[Chain | None, Span | None]:
        held = self._covered.get(start, ())
        return min(held, key=lambda held_mention: len(held_mention[1])) if held else (None, None)

    def _sex_of(
        self, token: Token, name: Span | None, chain: Chain | None, mention: Span | None
    ) -> str:
        """Return the sex that a phrase indicates, or else that of its surname or chain."""
        phrase = mention if mention is not None and name is not None else name or token
        words = [word.text.lower() for word in self._document.tokens_in(phrase)]
        indicated = next(filter(None, map(_sex, words)), "")
        bare = self._bare(name) if name is not None else []
        elsewhere = self._surnames.get(bare[0], "") if len(bare) == 1 else ""
        return indicated or elsewhere or self._named_sex(chain)

    def _named_sex(self, chain: Chain | None) -> str:
        """Return the sex of a chain's names and nouns; its pronouns may belong to another chain."""
        if chain is None:
            return ""
        phrases = [mention.of(self._document.text).lower().split() for mention in chain.mentions]
        sexes = {_sex(word) for words in phrases for word in words if word not in PRONOUNS}
        names = [
            self._bare(name)
            for mention in chain.mentions
            for name in self._document.inside(NAMES, mention)
            if name.type == "PER"
        ]
        if all(len(name) == 1 for name in names):
            sexes.update(self._surnames.get(name[0], "") for name in names)
        sexes.discard("")
        return next(iter(sexes)) if len(sexes) == 1 else ""

    def _bare(self, name: Span) -> list[str]:
        """Return the words of a name in lower case, without titles and offices."""
        words = name.of(self._document.text).lower().split()
        return [word for word in words if word not in TITLES and word not in ROLE_HEADS]

    def _sexes(self, chain: Chain) -> frozenset[str]:
        """Return the sexes of a chain's pronouns, titles and given names."""
        if chain.id not in self._known:
            words = (
                token.text.lower()
                for mention in chain.mentions
                for token in self._document.tokens_in(mention.head or mention)
            )
            self._known[chain.id] = frozenset(filter(None, map(_sex, words)))
        return self._known[chain.id]

    def _within(self, name: Span, chain: Chain) -> bool:
        return any(mention.overlaps(name) for mention in chain.mentions)

    def _explained(self, pronoun: Token, body: Span) -> bool:
        """Check whether the same sentence names the referent earlier."""
        chain = self._chain.get(pronoun.start)
        if chain is None:
            return False
        return any(
            body.start <= mention.start < pronoun.start
            and mention.of(self._document.text).lower() not in PRONOUNS
            for mention in chain.mentions
        )

    def _verb(self, body: Span) -> int:
        """Return the position of a sentence's first verb; the sentence's start if unknown."""
        for token in self._document.tokens_in(body):
            word = self._words.get(self._place[token.start])
            if word is not None and word.tag in ("VERB", "AUX"):
                return token.start
        return body.start

    def _subject(self, token: Token, number: int) -> bool:
        """Check whether a word is the subject of its sentence's main clause."""
        word = self._words.get(self._place[token.start])
        if number == 0 and token.text.lower() in ("they", "them"):
            return True
        if word is None or not word.relation:
            return number == 0
        head = self._words.get(word.head)
        return word.relation.startswith("nsubj") and (head is None or head.head < 0)


def _sex(word: str) -> str:
    """Return the sex that a pronoun, a title, a noun or a given name indicates, if any."""
    gender = PRONOUNS[word].gender if word in PRONOUNS else None
    if word in MALE_WORDS or word in MALE_NAMES or gender == "male":
        return "male"
    return "female" if word in FEMALE_WORDS or word in FEMALE_NAMES or gender == "female" else ""


def surname_sexes(documents: Iterable[Document]) -> dict[str, str]:
    """Return people's sex by lower-case surname, where a full name or a title gives it.

    A surname that a man and a woman share has none.
    """
    sexes_of: dict[str, set[str]] = {}
    for document in documents:
        for name in document.get(NAMES) if document.has(NAMES) else ():
            words = name.of(document.text).lower().split()
            if name.type == "PER" and len(words) > 1:
                sexes_of.setdefault(words[-1], set()).update(filter(None, map(_sex, words[:-1])))
    return {surname: next(iter(sexes)) for surname, sexes in sexes_of.items() if len(sexes) == 1}


def _quoted(document: Document, inside: Sequence[bool]) -> list[bool]:
    """Return for each token whether it is quoted, also in later paragraphs of a quotation."""
    flags = quoted_tokens(document.text, document.tokens)
    place = {token.start: number for number, token in enumerate(document.tokens)}
    for sentence, begins in zip(document.sentences, inside, strict=False):
        tokens = document.tokens_in(sentence)
        if not begins or not tokens or tokens[0].text in _OPENING:
            continue
        for token in tokens:
            if token.text in MARKS:
                break
            flags[place[token.start]] = True
    return flags
