"""Referents of the pronouns and definite phrases of a document, and how certain they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from tatian.consolidation.sexes import SpokenOf, word_sex
from tatian.coreference.sorts import FEMALE_WORDS, MALE_WORDS
from tatian.knowledge.wording import CONCEPT, LOCATION, ORGANISATION, PERSON
from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Span, Token
from tatian.text.documents import MARKS, quoted_tokens
from tatian.text.lexicon import PRONOUNS, ROLE_HEADS, TITLES

_MIN_MENTIONS = 5
"""Number of mentions from which something counts as mentioned throughout a source."""
_NAME_REACH = 3
"""Number of preceding spans that are searched for the name of a pronoun's referent."""
_NEAR, _FAR = 2, 5
"""Number of preceding spans that are searched for an antecedent: at first, and if the near ones
mention nobody."""
_OBLIQUE = frozenset("his her him".split())
_OPENING = frozenset('"“')
_FIRST_PERSON = re.compile("I|[Ww]e|us|[Oo]ur|[Mm]y|me")
_VESSEL = re.compile(
    r"\b(?:ship|vessel|boat|lifeboat|ferry|tug|tanker|trawler|yacht|liner|steamer|schooner|barge"
    r"|freighter|submarine|frigate|aircraft|airship|plane)s?\b",
    re.IGNORECASE,
)
"""Things that are also called "she"."""
_SUBJECTS = frozenset(("he", "she"))
_NEW_PERSON = re.compile(
    r"(?:An?|One) |.*?\b(?:an?|one) (?:[\w-]+ ){0,2}(?:woman|man|girl|boy|mother|father|teenager)\b"
)
PERSONS = frozenset("he she his her him".split())
OBJECTS = frozenset("it them this that".split())
"""Pronouns that may be objects without an antecedent in their sentence."""
_OBJECT_RELATIONS = ("obj", "iobj", "obl")
_OTHER_PRONOUNS = frozenset("they it them this that these those we".split())
PERSON_NOUNS = (PERSON | ROLE_HEADS | MALE_WORDS | FEMALE_WORDS) - {"general", "major", "private"}
"""Nouns for one person."""
_NON_PERSONS = (CONCEPT | LOCATION | ORGANISATION) - PERSON_NOUNS


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


class Referents:
    """Referents of a document's pronouns.

    `inside` has for each sentence whether it begins inside a quotation. `sexes` has people's sex by
    surname, from all documents.
    """

    def __init__(
        self,
        document: Document,
        inside: Sequence[bool] = (),
        sexes: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self._document = document
        self._surnames = sexes
        self._quoted = _find_quoted(document, inside)
        self._index = {token.start: place for place, token in enumerate(document.tokens)}
        self._chain_at: dict[int, Chain] = {}
        self._mentions_at: dict[int, list[tuple[Chain, Span]]] = {}
        for chain in document.get(CHAINS):
            for mention in chain.mentions:
                self._chain_at.setdefault(mention.start, chain)
                for token in document.tokens_in(mention):
                    self._mentions_at.setdefault(token.start, []).append((chain, mention))
        words = document.get(WORDS) if document.has(WORDS) else ()
        self._words = {word.token: word for word in words}
        self._chain_sexes: dict[str, frozenset[str]] = {}

    def unresolved_pronoun(self, bodies: Sequence[Span]) -> Token | None:
        """Return a pronoun of a span's first sentence without an antecedent there, if any."""
        for body in bodies[:1]:
            tokens = self._document.tokens_in(body)
            for number, token in enumerate(tokens):
                word = token.text.lower()
                if self._quoted[self._index[token.start]]:
                    continue
                if word in PERSONS and not self._has_antecedent(token, body):
                    return token
                if word in _OTHER_PRONOUNS and self._is_subject(token, number):
                    return None if self._has_antecedent(token, body) else token
        return self.unclear_object(bodies[0])

    def unclear_object(self, body: Span) -> Token | None:
        """Return an "it" or "them" that is an object, and for which the sentence has no noun."""
        tokens = self._document.tokens_in(body)
        for number, token in enumerate(tokens):
            quoted = self._quoted[self._index[token.start]]
            if not quoted and self._is_unclear_object(token, tokens[:number]):
                return token
        return None

    def needs_context(self, body: Span, before: Sequence[PrecedingSpan]) -> bool:
        """Check whether a sentence opens with a phrase that depends on the context: "the driver".

        Things that the source mentions throughout need no context. In the source's first sentence,
        only persons who are mentioned again need one.
        """
        chain = self._chain_at.get(body.start)
        opening = Span(body.start, self._first_verb(body))
        if any(
            opening.contains(name) or (chain is not None and self._overlaps(name, chain))
            for name in self._document.inside(NAMES, body)
        ):
            return False
        if not before:
            return chain is not None and chain.type == "PER" and len(chain.mentions) > 1
        return chain is None or chain.type == "PER" or len(chain.mentions) < _MIN_MENTIONS

    def named(self, pronoun: Token, body: Span, before: Sequence[PrecedingSpan]) -> bool:
        """Check whether a pronoun certainly refers to a named person.

        The last span that mentions anybody by name or noun must name this person and nobody else.
        It must be the span before, or in the same paragraph: a new paragraph may be about others.
        Two pronouns, as in "he said to him", are never certain.
        """
        chain = self._chain_at.get(pronoun.start)
        word = pronoun.text.lower()
        if word not in PERSONS or chain is None or len(self._sexes(chain)) > 1:
            return False
        for token in self._document.tokens_in(body):
            index = self._index[token.start]
            if token.text.lower() in PERSONS and token != pronoun and not self._quoted[index]:
                parsed = self._words.get(index)
                is_possessor = parsed is not None and parsed.relation.startswith("nmod")
                is_other = token.text.lower() in _OBLIQUE and not is_possessor
                if is_other or self._chain_at.get(token.start) is not chain:
                    return False
        if self._has_others(Span(body.start, pronoun.start), chain):
            return False
        for distance, span in enumerate(reversed(before[-_NAME_REACH:])):
            if any(self._has_others(sentence, chain) for sentence in span.bodies):
                return False
            names = [
                name
                for sentence in span.bodies
                for name in self._document.inside(NAMES, sentence)
                if name.type == "PER"
            ]
            if names:
                in_new_paragraph = "\n" in self._document.text[span.bodies[-1].end : body.start]
                is_alone = all(self._overlaps(name, chain) for name in names)
                return is_alone and not (distance and in_new_paragraph)
            if any(self._has_noun(sentence) for sentence in span.bodies):
                return False
        return False

    def introduced(self, pronoun: Token, body: Span) -> bool:
        """Check whether "his" or "her" follows a person whom the sentence names or introduces."""
        if pronoun.text.lower() not in _OBLIQUE:
            return False
        opening = Span(body.start, pronoun.start)
        named = any(name.type == "PER" for name in self._document.inside(NAMES, opening))
        return named or bool(_NEW_PERSON.match(self._document.text, body.start, pronoun.start))

    def unknown(self, bodies: Sequence[Span], index: int, before: Sequence[PrecedingSpan]) -> str:
        """Return the "he" or "she" of a span that has no possible antecedent, "" if there is none.

        `index` is that of its first sentence. Antecedents are sought in two spans before it, and
        further back if those mention nobody. The opening of a source is not checked.
        """
        if not before or not self._words:
            return ""
        pronoun = next(
            (
                token
                for body in bodies
                for token in self._document.tokens_in(body)
                if token.text.lower() in _SUBJECTS and not self._quoted[self._index[token.start]]
            ),
            None,
        )
        if pronoun is None:
            return ""
        word = pronoun.text.lower()
        if any(
            _FIRST_PERSON.fullmatch(token.text) and not self._quoted[self._index[token.start]]
            for body in bodies
            for token in self._document.tokens_in(body)
        ):
            return ""
        opening = Span(bodies[0].start, pronoun.start)
        persons = [person for person in self.people(opening) if person.may_be(word)]
        for distance in range(1, _FAR + 1):
            first = before[-distance].indices[0] if distance <= len(before) else 0
            last = before[1 - distance].indices[0] if 1 < distance <= len(before) else index
            if persons and distance > _NEAR:
                break
            for sentence in self._document.sentences[first:last]:
                persons += self.people(sentence, quoted=True)
                if word == "she" and _VESSEL.search(sentence.of(self._document.text)):
                    return ""
        has_antecedent = any(person.may_be(word) for person in persons)
        return "" if has_antecedent or not (persons or len(before) >= _FAR) else word

    def one_person(self, bodies: Sequence[Span], pronoun: str) -> bool:
        """Check whether sentences mention exactly one person to whom a pronoun can refer."""
        persons = [
            person for body in bodies for person in self.people(body) if person.may_be(pronoun)
        ]
        return (
            len({person.chain.id if person.chain else str(person.start) for person in persons}) == 1
        )

    def people(self, body: Span, *, quoted: bool = False) -> Iterator[SpokenOf]:
        """Yield the names, nouns and pronouns of a sentence that may each refer to one person."""
        names = {
            token.start: name
            for name in self._document.inside(NAMES, body)
            for token in self._document.tokens_in(name)
        }
        for token in self._document.tokens_in(body):
            index = self._index[token.start]
            if self._quoted[index] and not quoted:
                continue
            text, word = token.text.lower(), self._words.get(index)
            name = names.get(token.start)
            chain, mention = self._innermost(token.start)
            kind = chain.type if chain is not None else ""
            if name is not None:
                is_person = name.start == token.start and (name.type == "PER" or kind == "PER")
            elif text in PERSONS:
                is_person = True
            else:
                is_noun = word is not None and word.tag in ("NOUN", "PROPN")
                is_plural = word is not None and word.fine in ("NNS", "NNPS")
                is_compound = word is not None and word.relation.startswith("compound")
                is_person = is_noun and not is_plural and not is_compound and text in PERSON_NOUNS
            if is_person:
                yield SpokenOf(token.start, chain, self._phrase_sex(token, name, chain, mention))

    def _has_others(self, body: Span, chain: Chain) -> bool:
        """Check whether a stretch mentions a person of another chain, outside quotations.

        Any subject counts as a person unless its noun names places, groups or ideas.
        """
        subjects = (
            token.start
            for token in self._document.tokens_in(body)
            if self._is_noun_subject(token) and token.text.lower() not in _NON_PERSONS
        )
        return any(
            not any(owner is chain for owner, _ in self._mentions_at.get(start, ()))
            for start in (*(person.start for person in self.people(body)), *subjects)
        )

    def _is_noun_subject(self, token: Token) -> bool:
        """Check whether a word is a singular noun and a subject, outside quotations."""
        index = self._index[token.start]
        word = self._words.get(index)
        is_singular = word is not None and word.tag == "NOUN" and word.fine != "NNS"
        is_subject = word is not None and word.relation.startswith("nsubj")
        return is_singular and is_subject and not self._quoted[index]

    def _has_noun(self, body: Span) -> bool:
        """Check whether a sentence mentions a person by a noun, outside quotations."""
        starts = {token.start: token.text.lower() for token in self._document.tokens_in(body)}
        return any(starts[person.start] not in PERSONS for person in self.people(body))

    def _innermost(self, start: int) -> tuple[Chain | None, Span | None]:
        mentions = self._mentions_at.get(start, ())
        return min(mentions, key=lambda held: len(held[1])) if mentions else (None, None)

    def _phrase_sex(
        self, token: Token, name: Span | None, chain: Chain | None, mention: Span | None
    ) -> str:
        """Return the sex that a phrase indicates, or else its surname or its chain."""
        phrase = mention if mention is not None and name is not None else name or token
        words = [word.text.lower() for word in self._document.tokens_in(phrase)]
        indicated = next(filter(None, map(word_sex, words)), "")
        bare = self._without_titles(name) if name is not None else []
        elsewhere = self._surnames.get(bare[0], "") if len(bare) == 1 else ""
        return indicated or elsewhere or self._named_sex(chain)

    def _named_sex(self, chain: Chain | None) -> str:
        """Return the sex of a chain's names and nouns; its pronouns may belong to another chain."""
        if chain is None:
            return ""
        phrases = [mention.of(self._document.text).lower().split() for mention in chain.mentions]
        sexes = {word_sex(word) for words in phrases for word in words if word not in PRONOUNS}
        names = [
            self._without_titles(name)
            for mention in chain.mentions
            for name in self._document.inside(NAMES, mention)
            if name.type == "PER"
        ]
        if all(len(name) == 1 for name in names):
            sexes.update(self._surnames.get(name[0], "") for name in names)
        sexes.discard("")
        return next(iter(sexes)) if len(sexes) == 1 else ""

    def _without_titles(self, name: Span) -> list[str]:
        """Return the words of a name in lower case, without titles and offices."""
        words = name.of(self._document.text).lower().split()
        return [word for word in words if word not in TITLES and word not in ROLE_HEADS]

    def _sexes(self, chain: Chain) -> frozenset[str]:
        """Return the sexes of a chain's pronouns, titles and given names."""
        if chain.id not in self._chain_sexes:
            words = (
                token.text.lower()
                for mention in chain.mentions
                for token in self._document.tokens_in(mention.head or mention)
            )
            self._chain_sexes[chain.id] = frozenset(filter(None, map(word_sex, words)))
        return self._chain_sexes[chain.id]

    def _overlaps(self, name: Span, chain: Chain) -> bool:
        return any(mention.overlaps(name) for mention in chain.mentions)

    def _has_antecedent(self, pronoun: Token, body: Span) -> bool:
        """Check whether the same sentence names the referent earlier."""
        chain = self._chain_at.get(pronoun.start)
        if chain is None:
            return False
        return any(
            body.start <= mention.start < pronoun.start
            and mention.of(self._document.text).lower() not in PRONOUNS
            for mention in chain.mentions
        )

    def _first_verb(self, body: Span) -> int:
        """Return the position of a sentence's first verb; the sentence's start if unknown."""
        for token in self._document.tokens_in(body):
            word = self._words.get(self._index[token.start])
            if word is not None and word.tag in ("VERB", "AUX"):
                return token.start
        return body.start

    def _is_unclear_object(self, pronoun: Token, before: Sequence[Token]) -> bool:
        """Check whether a pronoun is an object, and no noun before it can be its antecedent."""
        word = self._words.get(self._index[pronoun.start])
        if pronoun.text.lower() not in OBJECTS or word is None or word.tag != "PRON":
            return False
        if not word.relation.startswith(_OBJECT_RELATIONS):
            return False
        several = pronoun.text.lower() == "them"
        for token in before:
            noun = self._words.get(self._index[token.start])
            if noun is None or noun.tag not in ("NOUN", "PROPN"):
                continue
            is_plural = noun.fine in ("NNS", "NNPS")
            is_person = token.text.lower() in PERSON_NOUNS or noun.tag == "PROPN"
            if is_plural if several else not (is_plural or is_person):
                return False
        return True

    def _is_subject(self, token: Token, number: int) -> bool:
        """Check whether a word is the subject of its sentence's main clause."""
        word = self._words.get(self._index[token.start])
        if number == 0 and token.text.lower() in ("they", "them"):
            return True
        if word is None or not word.relation:
            return number == 0
        head = self._words.get(word.head)
        return word.relation.startswith("nsubj") and (head is None or head.head < 0)


def _find_quoted(document: Document, inside: Sequence[bool]) -> list[bool]:
    """Return for each token whether it is quoted, in a quotation of any number of paragraphs."""
    flags = quoted_tokens(document.text, document.tokens)
    index = {token.start: number for number, token in enumerate(document.tokens)}
    for sentence, begins_quoted in zip(document.sentences, inside, strict=False):
        tokens = document.tokens_in(sentence)
        if not begins_quoted or not tokens or tokens[0].text in _OPENING:
            continue
        for token in tokens:
            if token.text in MARKS:
                break
            flags[index[token.start]] = True
    return flags
