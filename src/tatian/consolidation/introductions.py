"""Who "he" is, and the full name first, when sentences stand in new company."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date

from msgspec.structs import replace

from tatian.consolidation.units import Unit
from tatian.consolidation.wording import (
    Calendar,
    in_the_past,
    with_dates,
    with_days,
    without_joints,
    words_of,
)
from tatian.pipeline import CrossChain
from tatian.pipeline.profiles import is_name
from tatian.text import Document, Mention, Source, Span, WovenToken
from tatian.text.dates import publication_days
from tatian.text.lexicon import ARTICLES, PRONOUNS, TITLES
from tatian.union.models import Passage, copy_tokens

Place = tuple[str, int]
"""A document and the start of a token in it."""
_NO_FIRST_NAMES = {word.split()[0] for word in TITLES} | {"lord", "saint", "king", "queen", "the"}
_FULL = {"'s": "is", "'ll": "will", "'ve": "have"}
"""What follows a pronoun as one word, as it follows a name."""
_BARE = (["man"], ["woman"], ["boy"], ["girl"], ["person"], ["teenager"], ["suspect"])
"""Nouns that say nothing which a name does not say."""
_FIRM = re.compile(r"\s+(?:and|&)\s+(?:Sons?|Daughters?|Brothers|Bros|Co|Company|Partners)\b")
"""What makes a name a firm's."""
_SINGLE = frozenset("he him his she her hers a an the".split())
_ARTICLE = 5
"""Characters before a name in which "the" stands if it belongs to it."""
_FULLEST = 4
"""Words that a name has at most."""


class Introductions:
    """Writes units, one after the other, so that everybody is named before being referred to.

    Accounts with voices of their `own` keep their "yesterday": they are told as what they say.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        chains: Sequence[CrossChain],
        own: Collection[int] = (),
    ) -> None:
        self._documents = documents
        self._own = own
        days = publication_days(documents)
        self._calendar = Calendar(
            {document.id: day for document, day in zip(documents, days, strict=True)}
        )
        self._words = {document.id: words_of(document) for document in documents}
        self._several = len({document.text for document in documents}) > 1
        self._by_id = {document.id: document for document in documents}
        self._at: dict[Place, tuple[CrossChain, Mention]] = {}
        self._heads: dict[Place, tuple[CrossChain, Mention]] = {}
        for chain in chains:
            for document, mention in chain.mentions():
                self._at.setdefault((document, mention.start), (chain, mention))
                head = mention.head or mention
                self._heads.setdefault((document, head.start), (chain, mention))
        self._named: set[str] = set()
        self._dated: dict[str, date] = {}

    def written(
        self, unit: Unit, cut: Collection[int] = (), *, follows: bool
    ) -> list[tuple[WovenToken, ...]]:
        """The sentences of a unit without what is `cut`, by places.

        `follows` says that its account has it in the same place.
        """
        document = self._documents[unit.account]
        words = self._words[document.id]
        sentences = [_without(copy_tokens(Passage(document, body)), cut) for body in unit.bodies]
        if self._several and unit.account not in self._own:
            told = document, words, self._calendar
            sentences = [with_days(in_the_past(one, *told), *told) for one in sentences]
            sentences = [with_dates(one, *told, self._dated) for one in sentences]
        if not follows:
            sentences[0] = without_joints(sentences[0], words)
        if unit.pronoun is not None and unit.leans == "name" and not follows:
            sentences[0] = self._with_name(sentences[0], document, unit.pronoun)
        if not follows:
            sentences[0] = self._known(sentences[0], document)
        return [self._with_full_names(one, document) for one in sentences]

    def _known(self, tokens: tuple[WovenToken, ...], document: Document) -> tuple[WovenToken, ...]:
        """The sentence that does not open with "A man" if the text has named him."""
        first = tokens[0] if tokens else None
        if first is None or first.text not in ("A", "An") or not first.sources:
            return tokens
        place = first.sources[0]
        chain, mention = self._at.get((place.document, place.start), (None, None))
        if chain is None or mention is None or chain.type != "PER" or chain.id not in self._named:
            return tokens
        if mention.of(document.text).split()[1:] in _BARE:
            return self._with_name(tokens, document, mention)
        known = replace(first, text="The", sources=(replace(place, kind="substituted"),))
        return (known, *tokens[1:])

    def _with_name(
        self, tokens: tuple[WovenToken, ...], document: Document, pronoun: Span
    ) -> tuple[WovenToken, ...]:
        """The sentence with a name in place of its pronoun."""
        chain, _ = self._at.get((document.id, pronoun.start), (None, None))
        place = next(
            (
                place
                for place, token in enumerate(tokens)
                if token.sources and token.sources[0].start == pronoun.start
            ),
            None,
        )
        if chain is None or place is None:
            return tokens
        single = pronoun.of(document.text).lower() in _SINGLE
        name = self._name(chain, document, single=single)
        if name is None:
            return tokens
        origin = Source(document.id, pronoun.start, pronoun.end, "substituted")
        length = len(document.tokens_in(pronoun))
        words = _instead(name, [origin], tokens[place])
        if self._possessive(document, pronoun):
            words.append(WovenToken("'s", (origin,), space=False))
        rest = tokens[place + length :]
        if rest and (full := _FULL.get(rest[0].text.lower().replace("’", "'"))):
            been = full == "is" and rest[1:] and rest[1].text.lower() in ("been", "had", "got")
            rest = (replace(rest[0], text="has" if been else full, space=True), *rest[1:])
        return (*tokens[:place], *words, *rest)

    def _name(
        self, chain: CrossChain, document: Document, *, single: bool
    ) -> tuple[Document, Span] | None:
        """How to call a chain: in full for the first time, then as its own account does.

        Chains go wrong: the name is one that most of its mentions have, and of one if `single`.
        """
        named = [
            (self._by_id[where], mention.head or mention)
            for where, mention in chain.mentions()
            if is_name(self._by_id[where], mention)
        ]
        named = [
            (holder, span)
            for holder, span in named
            if 0 < _words(holder, span) <= _FULLEST
            and not (single and self._is_no_person(holder, span))
        ]
        if not named:
            return None
        lasts = Counter(span.of(holder.text).split()[-1] for holder, span in named)
        usual = lasts.most_common(1)[0][0]
        named = [one for one in named if usual in one[1].of(one[0].text).split()]
        if chain.id not in self._named:
            return max(named, key=lambda found: (_words(*found), found[0] is document))
        own = [found for found in named if found[0] is document] or named
        return min(own, key=lambda found: (_words(*found), found[1].start))

    def _is_no_person(self, document: Document, name: Span) -> bool:
        """Whether a name is of several, as "Pharisees" is, or describes, as "the Son" does."""
        inside = document.tokens_in(name)
        last = self._words[document.id].get(inside[-1].start) if inside else None
        several = last is not None and last.fine in ("NNS", "NNPS")
        before = document.text[max(0, name.start - _ARTICLE) : name.start].lower().split()
        return several or not ARTICLES.isdisjoint(before[-1:])

    def _with_full_names(
        self, tokens: tuple[WovenToken, ...], document: Document
    ) -> tuple[WovenToken, ...]:
        """The sentence in which a person who was not named before has the full name."""
        written: list[WovenToken] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            source = token.sources[0] if token.sources else None
            found = self._heads.get((source.document, source.start)) if source else None
            if found is None or source is None or source.kind != "copied" or token.quoted:
                if found is not None and source is not None and source.kind == "substituted":
                    self._named.add(found[0].id)
                written.append(token)
                index += 1
                continue
            chain, mention = found
            head = mention.head or mention
            length = len(document.tokens_in(head))
            fuller = self._fuller(chain, document, mention)
            if fuller is not None:
                own = tokens[index : index + length]
                written += _instead(fuller, [one for word in own for one in word.sources], token)
                index += length
            else:
                written.append(token)
                index += 1
            if is_name(document, mention):
                self._named.add(chain.id)
        return tuple(written)

    def _fuller(
        self, chain: CrossChain, document: Document, mention: Mention
    ) -> tuple[Document, Span] | None:
        """The full name of a person of whom the text has none yet, if the mention has a part."""
        known = chain.type != "PER" or chain.id in self._named
        if known or not self._several or not is_name(document, mention):
            return None
        own = (mention.head or mention).of(document.text).split()
        best = self._name(chain, document, single=False)
        if best is None or len(own) != 1:
            return None
        if self._qualifies(document, mention.head or mention):
            return None
        full = best[1].of(best[0].text).split()
        plain = len(full) > 1 and f"{full[0].lower()}" not in _NO_FIRST_NAMES
        return best if plain and full[-1] == own[0] else None

    def _qualifies(self, document: Document, name: Span) -> bool:
        """Whether a name is part of another's: "the Sayre family", "Sayre and Sons"."""
        if _FIRM.match(document.text, name.end):
            return True
        word = self._words[document.id].get(name.start)
        return word is not None and word.relation.startswith("compound")

    def _possessive(self, document: Document, pronoun: Span) -> bool:
        word = pronoun.of(document.text).lower()
        if word != "her":
            return word == "his"
        found = self._words[document.id].get(pronoun.start)
        return found is not None and found.relation.startswith("nmod")


def _without(tokens: tuple[WovenToken, ...], cut: Collection[int]) -> tuple[WovenToken, ...]:
    return tuple(token for token in tokens if token.sources[0].start not in cut) if cut else tokens


def _instead(
    name: tuple[Document, Span], origin: Sequence[Source], first: WovenToken
) -> list[WovenToken]:
    """A name in place of other words, of which the first is given, with the sources of both."""
    words = list(copy_tokens(Passage(*name)))
    for number, word in enumerate(words):
        both = tuple(replace(one, kind="substituted") for one in (*word.sources, *origin))
        words[number] = replace(word, sources=both, space=(word if number else first).space)
    return words


def _words(document: Document, span: Span) -> int:
    words = span.of(document.text).split()
    return 0 if any(word.lower() in PRONOUNS for word in words) else len(words)
