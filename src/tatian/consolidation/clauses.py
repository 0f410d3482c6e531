"""The clauses of an account: what a number counts, who has a part in what, which verb is above."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from typing import Literal

from tatian.text import CHAINS, NAMES, WORDS, Document, Span, Word
from tatian.text.content import concept, is_content
from tatian.text.lexicon import MONTHS
from tatian.text.quotations import quoted_tokens

_RELATIVE = re.compile(r" (?:ago|later|earlier|old|before|from now)\b", re.IGNORECASE)
_COUNTED_ON = frozenset("past last next first coming recent previous final".split())
"""What makes a time one that is counted from another."""
_CLAUSES = frozenset("advcl ccomp conj parataxis acl csubj xcomp".split())
_HARMED = frozenset(map(concept, "kill die injure arrest rescue free hospitalize".split()))
"""Acts of which a number alone counts people."""
_PARTIES = frozenset("nsubj obj iobj obl csubj".split())
_WITHIN = frozenset("flat compound appos".split())
_SPANS = frozenset(map(concept, "other time man year day week month hour minute".split()))
"""Counts of these say how long, or nothing."""


Part = Literal["", "doer", "party"]


class Clauses:
    """One account as its parse, its names and its chains have it; words by their place."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tokens = document.tokens
        self.starts = [token.start for token in document.tokens]
        self.words = {w.token: w for w in document.get(WORDS)} if document.has(WORDS) else {}
        self.below: dict[int, list[int]] = {}
        for word in self.words.values():
            self.below.setdefault(word.head, []).append(word.token)
        self.quoted = quoted_tokens(document.text, document.tokens)
        self.names = list(document.get(NAMES)) if document.has(NAMES) else []
        self._named = self._who()

    def at(self, offset: int) -> int:
        """The word at a place of the text."""
        return bisect_right(self.starts, offset) - 1

    def path(self, place: int, inside: range) -> list[int]:
        """The words above one, up to the first verb."""
        path: list[int] = []
        word: Word | None = self.words.get(place)
        while word is not None and len(path) < 8:
            if word.token != place:
                path.append(word.token)
                if word.tag == "VERB" and self.starts[word.token] not in inside:
                    break
            word = self.words.get(word.head)
        return path

    def clause(self, top: int) -> list[int]:
        """A word and all below it that is no clause of its own."""
        found, queue = [], [top]
        while queue:
            one = queue.pop()
            found.append(one)
            for below in self.below.get(one, ()):
                word = self.words[below]
                if word.tag != "VERB" or word.relation.partition(":")[0] not in _CLAUSES:
                    queue.append(below)
        return found

    def acts(self, place: int) -> frozenset[str]:
        """What a word may mean: a lemma may be wrong ("struck" of "streak"), a form irregular."""
        return frozenset(map(concept, (self.words[place].lemma, self.tokens[place].text)))

    def names_of(self, tokens: Iterable[int]) -> frozenset[str]:
        """The words of the names among some words, and of those whom pronouns stand for."""
        names = (self._named.get(self.starts[one], frozenset()) for one in tokens)
        return frozenset().union(*names)

    def part(self, place: int) -> Part:
        """What part in an act a word names somebody in, alone or as "the captain, X"."""
        word = self.words.get(place)
        while word is not None and word.relation.partition(":")[0] in _WITHIN:
            word = self.words.get(word.head)
        if word is None:
            return ""
        agent = any(self.tokens[one].text.lower() == "by" for one in self.below.get(word.token, ()))
        if word.relation == "nsubj" or (word.relation.startswith("obl") and agent):
            return "doer"
        return "party" if word.relation.partition(":")[0] in _PARTIES else ""

    def counted(self, place: int) -> tuple[int, str] | None:
        """The noun that a number belongs to, or the number that counts people by itself."""
        word = self.words.get(place)
        while word is not None and word.relation in ("compound", "flat"):
            word = self.words.get(word.head)
        if word is None:
            return None
        above = self.words.get(word.head)
        if above is None:
            return None
        if word.relation != "nummod":
            party = word.relation.partition(":")[0] in ("nsubj", "obj")
            alone = party and not _HARMED.isdisjoint(self.acts(above.token))
            alone = alone and not self._of_some(place, above.token)
            return (place, concept("people")) if alone else None
        text = self.tokens[above.token].text
        before = self.tokens[place - 1].text.lower() if place else ""
        if (
            above.tag != "NOUN"
            or above.token < place
            or not is_content(text)
            or text.lower() in MONTHS
            or before in MONTHS
            or concept(text) in _SPANS
        ):
            return None
        return above.token, concept(text)

    def _of_some(self, place: int, act: int) -> bool:
        """Whether a number counts some of those that are named behind it, or those of one doer."""
        behind = [one.text.lower() for one in self.tokens[place + 1 : place + 3]]
        all_told = behind == ["of", "them"] and self.words[place].relation == "obj"
        named = behind[:1] == ["of"] and not all_told
        doers = (two for one in self.below.get(act, ()) for two in self.below.get(one, ()))
        done = any(self.tokens[one].text.lower() == "by" for one in doers)
        return named or done or self.tokens[place].text.lower() == "one"

    def scope(self, unit: int, behind: str) -> str | None:
        """Whether something is done within a time, for it or after it; None if "ago" or "later"."""
        below = self.below.get(unit, ())
        said = {one: self.tokens[one].text.lower() for one in below}
        if _COUNTED_ON.intersection(said.values()) or _RELATIVE.match(behind):
            return None
        case = " ".join(said[one] for one in below if self.words[one].relation == "case")
        return "within" if case == "in" else case

    def whose(self, first: int, last: int) -> str:
        """Whose age it is: the name that ends before it, or begins after it."""
        for name in self.names:
            ends = first > 1 and name.end == self.tokens[first - 2].end
            begins = last + 1 < len(self.tokens) and name.start == self.tokens[last + 1].start
            if name.type == "PER" and (ends or begins):
                named, _ = one_line(self.document.text, name)
                if " " in named:
                    return named
        return ""

    def _who(self) -> dict[int, frozenset[str]]:
        """The words of the name that a token stands for, by its start; pronouns by their chain."""
        document = self.document
        found: dict[int, frozenset[str]] = {}

        def add(span: Span, said: frozenset[str]) -> None:
            for token in document.tokens_in(span):
                found[token.start] = found.get(token.start, frozenset()) | said

        def words(span: Span) -> frozenset[str]:
            tokens = document.tokens_in(span)
            return frozenset(concept(one.text) for one in tokens if one.text[:1].isupper())

        people = [name for name in self.names if name.type == "PER"]
        starts = {name.start: name for name in people}
        for chain in document.get(CHAINS) if document.has(CHAINS) else ():
            heads = [mention.head or mention for mention in chain.mentions]
            said = frozenset().union(*(words(one) for one in heads if one.start in starts))
            for one in heads:
                add(one, said)
        for name in people:
            add(name, words(name))
        return found


def one_line(text: str, span: Span) -> tuple[str, list[int]]:
    """A stretch with one blank for each gap, and where its characters stand.

    So a figure is found wherever lines end.
    """
    places = [
        place
        for place in range(span.start, span.end)
        if not (text[place].isspace() and place > span.start and text[place - 1].isspace())
    ]
    return "".join(" " if text[n].isspace() else text[n] for n in places), places
