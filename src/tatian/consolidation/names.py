"""Names of people in the sources (full ones, surnames, offices before them), and of publishers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

from tatian.consolidation.wording import words_of
from tatian.pipeline import CrossChain
from tatian.pipeline.profiles import is_name
from tatian.text import NAMES, Document, Span, Token
from tatian.text.lexicon import ARTICLES, PRONOUNS

_FIRM = re.compile(r"\s+(?:and|&)\s+(?:Sons?|Daughters?|Brothers|Bros|Co|Company|Partners)\b")
"""Endings that make a name a firm's."""
_REMARK = re.compile(r" \([^()]*\)$")
_NEAR = 40
"""Characters before a name that are searched for the other half of a pair: "Dirk and Wim Claes"."""
_ARTICLE = 5
"""Characters before a name that are searched for its article."""
_MAX_NAME_WORDS = 4
"""Maximum number of words of a name."""
_MAX_OFFICE_WORDS = 6
"""Maximum number of words of an office before a name."""
_MODIFIERS = ("compound", "amod", "flat", "nmod")
_NOMINAL = frozenset(("NOUN", "PROPN", "ADJ"))


class PersonNames:
    """Names by which the sources call people."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._by_id = {document.id: document for document in documents}
        self._words = {document.id: words_of(document) for document in documents}

    def best(
        self, chain: CrossChain, document: Document, *, single: bool, known: bool
    ) -> tuple[Document, Span] | None:
        """Return a chain's name: in full at first mention, then as its own source has it.

        As chains contain errors, the name must have the chain's most frequent last name. If
        `single`, plural names and descriptions do not count.
        """
        named = [
            (self._by_id[where], mention.head or mention)
            for where, mention in chain.mentions()
            if is_name(self._by_id[where], mention)
        ]
        named = [
            (holder, span)
            for holder, span in named
            if 0 < count_words(holder, span) <= _MAX_NAME_WORDS
            and not (single and self._is_no_person(holder, span))
        ]
        if not named:
            return None
        lasts = Counter(span.of(holder.text).split()[-1] for holder, span in named)
        usual = lasts.most_common(1)[0][0]
        named = [(holder, span) for holder, span in named if usual in span.of(holder.text).split()]
        if not known:
            return max(named, key=lambda name: (count_words(*name), name[0] is document))
        in_document = [name for name in named if name[0] is document] or named
        return min(in_document, key=lambda name: (count_words(*name), name[1].start))

    def _is_no_person(self, document: Document, name: Span) -> bool:
        """Check whether a name is plural, as "Pharisees", or a description, as "the Son"."""
        inside = document.tokens_in(name)
        last = self._words[document.id].get(inside[-1].start) if inside else None
        several = last is not None and last.fine in ("NNS", "NNPS")
        before = document.text[max(0, name.start - _ARTICLE) : name.start].lower().split()
        return several or not ARTICLES.isdisjoint(before[-1:])

    def surnames(self, chain: CrossChain) -> set[str]:
        """Return the single words by which sources call somebody."""
        called = (
            (mention.head or mention).of(self._by_id[where].text)
            for where, mention in chain.mentions()
            if is_name(self._by_id[where], mention)
        )
        return {name for name in called if len(name.split()) == 1}

    def offices(self, document: Document, name: Span) -> list[Token]:
        """Return the words before a name that give an office: "harbour master" of Ingrid Tolle."""
        words, tokens = self._words[document.id], document.tokens
        last = bisect_left(tokens, name.start, key=lambda token: token.start)
        group = set(range(last, last + len(document.tokens_in(name))))
        offices: list[Token] = []
        for number in range(last - 1, max(-1, last - 1 - _MAX_OFFICE_WORDS), -1):
            word = words.get(tokens[number].start)
            heads = {words[tokens[n].start].head for n in group if tokens[n].start in words}
            modifies = word is not None and word.relation.startswith(_MODIFIERS)
            if word is None or not ((modifies and word.head in group) or number in heads):
                break
            if not tokens[number].text[0].isalnum() or word.tag not in _NOMINAL:
                break
            group.add(number)
            offices.insert(0, tokens[number])
        return offices

    def qualifies(self, document: Document, name: Span) -> bool:
        """Check whether a name is part of another: "the Sayre family", "Sayre & Sons"."""
        before = document.text[max(0, name.start - _NEAR) : name.start].split()[-3:]
        pair = before[-1:] == ["&"] or shares_surname(before)
        if pair or _FIRM.match(document.text, name.end):
            return True
        word = self._words[document.id].get(name.start)
        return word is not None and word.relation.startswith("compound")


def organisation_words(documents: Sequence[Document]) -> frozenset[str]:
    """Return the words of organisations' names, which may be surnames too: "Vandermeer Cycles"."""
    return frozenset(
        word
        for document in documents
        if document.has(NAMES)
        for name in document.get(NAMES)
        if name.type == "ORG"
        for word in name.of(document.text).split()
    )


def count_words(document: Document, span: Span) -> int:
    """Return the number of words of a name; 0 if one of them is a pronoun."""
    words = span.of(document.text).split()
    return 0 if any(word.lower() in PRONOUNS for word in words) else len(words)


def shares_surname(before: Sequence[str]) -> bool:
    """Check whether a given name and "and" precede a full name: "the brothers Dirk and Wim Claes".

    `before` has the last three words before the full name.
    """
    if len(before) < 2 or before[-1] not in ("and", "&") or not before[-2][:1].isupper():
        return False
    return len(before) < 3 or not before[-3][:1].isupper() or before[-3].endswith((".", ",", ":"))


def publisher(document: Document, documents: Iterable[Document]) -> str:
    """Return the name of a document's publisher, or nothing.

    A remark in brackets is left out, unless another of the documents has the name without it too.
    """
    names = [other.metadata.source or "" for other in documents if other is not document]
    name = document.metadata.source or ""
    short = _REMARK.sub("", name)
    return name if short in (_REMARK.sub("", other) for other in names if other != name) else short
