"""Content of news sentences: acts, people, temporary statuses, and what is to come."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from msgspec import Struct

from tatian.text import CHAINS, NAMES, WORDS, Chain, Document, Mention, Span
from tatian.text.content import concept

_SPEECH = re.compile(r"\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)")
_MAX_NAME_LENGTH = 60
"""Length limit, in characters, of a mention that is little more than a name."""


class Overtaking(Struct, frozen=True):
    """Temporary status of a person, and the outcome that ends it."""

    status: re.Pattern[str]
    outcome: re.Pattern[str]
    reason: str


_NOT_YET = r"(?<!if )(?<!when )(?<!could be )(?<!would be )(?<!may be )(?<!not )(?<!being )"
OVERTAKING = (
    Overtaking(
        re.compile(
            r"\b(?:is|are|stands?|standing|remains?|has been|have been) (?:\w+ )?(?:accused"
            r"|suspected|charged)\b|\bfaces? (?:[\w-]+ ){0,4}(?:charges?|counts?|trial)\b"
            r"|\b(?:is|are|goes|go|going) on trial\b|\b(?:is|are) (?:still )?deliberating\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:(?:was|were|been|being|jury|jurors|panel) (?:\w+ )?convicted"
            r"|to convict|[Cc]onvicted (?:of|for|on|in|by|[A-Z][\w.'’-]*)|acquitted"
            r"|found (?:(?:[A-Z][\w.'’-]+ ){1,3}|not )?guilty|cleared of|guilty verdict"
            r"|(?:pleaded|pled) guilty|sentenced to)\b",
        ),
        "a later account gives the verdict",
    ),
    Overtaking(
        re.compile(
            r"\b(?:critical|serious|stable|grave|fair|guarded|extremely ill)(?: but [\w ]{3,12})?"
            r" condition\b|\bcondition (?:is|was|as) (?:\w+ )?(?:critical|serious|stable|grave"
            r"|fair)|\bfighting for (?:his|her|their) li(?:fe|ves)\b|\bclung to life\b"
            r"|\b(?:is|are) (?:expected|likely) to (?:recover|survive|live)\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:died|dead|succumbed|did not survive)\b|['’]s death\b|\bdeath of\b"
            r"|\b(?:was|were) (?:\w+ )?(?:killed|shot dead|shot to death)\b",
        ),
        "a later account reports the death",
    ),
    Overtaking(
        re.compile(
            r"\bat large\b|\bon the run\b|\b(?:is|are|was|were) (?:still )?(?:being sought|sought"
            r"|wanted)\b|\b(?:searching|hunting|looking) for\b|\bmanhunt\b|\bremains? missing\b"
            r"|\b(?:is|are) (?:still )?missing\b"
        ),
        re.compile(
            rf"{_NOT_YET}\b(?:arrested|captured|caught|surrendered|found (?:alive|dead)"
            r"|turned (?:him|her|them)sel(?:f|ves) in|gave (?:him|her)self up|taken into custody)\b"
        ),
        "a later account reports the end of the search",
    ),
)
AHEAD = re.compile(
    r"\b(?:will|(?:may|might|could)(?! (?:not|see|hear|be (?:seen|heard))\b)"
    r"|(?:is|are|was|were) (?:expected|scheduled|due|set|likely|slated)"
    r"|(?:is|are) to|(?:plans?|hopes?) to|ha(?:s|ve) (?:yet to|scheduled|called)"
    r"|would be released)\b"
)
"""Phrases for something that is to come."""
_LIGHT = frozenset(map(concept, "be have come take make go do get give hold place".split()))
_PAST = frozenset({"VBD", "VBN"})
_CLAUSES = frozenset({"ccomp", "parataxis"})


class NewsSentence:
    """Content of a sentence outside quotations: people, past acts, and what is to come."""

    def __init__(self, document: Document, body: Span) -> None:
        self._document, self._body = document, body
        self.text = _SPEECH.sub(lambda match: " " * len(match[0]), self._body.of(document.text))
        words = document.get(WORDS) if document.has(WORDS) else ()
        first = bisect_left(document.tokens, self._body.start, key=lambda token: token.start)
        last = bisect_left(document.tokens, self._body.end, key=lambda token: token.start)
        inside = (bisect_left(words, place, key=lambda word: word.token) for place in (first, last))
        self._words = [
            (document.tokens[word.token].start - self._body.start, word)
            for word in words[slice(*inside)]
        ]
        self._named: list[tuple[Mention, set[str]]] | None = None
        self.reported = [word for at, word in self._words if self.text[at : at + 1].strip()]

    def people(self, said: re.Match[str]) -> set[str]:
        """Return the last names of the subject of some words, or of the person mentioned before."""
        document, at = self._document, self._body.start + said.start()
        if self._named is None:
            self._named = [
                (mention, names)
                for chain in document.get(CHAINS)
                if chain.type == "PER"
                for mention in chain.mentions
                if self._body.contains(mention) and (names := _people_of(document, chain))
            ]
        named = self._named
        for subject in self._subjects(said):
            if met := [names for mention, names in named if mention.start <= subject < mention.end]:
                return met[0]
        before = [pair for pair in named if pair[0].start < at]
        if before:
            return max(before, key=lambda pair: pair[0].start)[1]
        return min(named, key=lambda pair: pair[0].start)[1] if named else set()

    def _subjects(self, said: re.Match[str]) -> list[int]:
        """Return the positions of the subjects of the verbs among some words."""
        verbs = {word.token for at, word in self._words if said.start() <= at < said.end()}
        return [
            self._body.start + at
            for at, word in self._words
            if word.relation.startswith("nsubj") and word.head in verbs
        ]

    def statuses(self) -> list[tuple[Overtaking, set[str]]]:
        """Return the temporary statuses that it gives, and whose they are."""
        matches = [(rule, rule.status.search(self.text)) for rule in OVERTAKING]
        return [(rule, self.people(match)) for rule, match in matches if match]

    def ends(self, statuses: Sequence[tuple[Overtaking, set[str]]]) -> str:
        """Return the reason if it reports the end of one of some statuses, or nothing."""
        for rule, people in statuses:
            outcome = rule.outcome.search(self.text)
            if outcome and people & self.people(outcome):
                return rule.reason
        return ""

    @property
    def acts(self) -> set[str]:
        """Acts that it reports as past; none if it says what is to come."""
        ahead = AHEAD.search(self.text)
        return {
            concept(word.lemma) for word in self.reported if word.fine in _PAST and not ahead
        } - _LIGHT

    @property
    def events(self) -> set[str]:
        """Its acts, and the things that it mentions with them."""
        acts = self.acts
        things = {concept(word.lemma) for word in self.reported if word.tag == "NOUN" and acts}
        return (acts | things) - _LIGHT

    @property
    def looks_back(self) -> bool:
        """True if its main clause is in the past perfect: "had been reported twice"."""
        main = {w.token for _, w in self._words if w.head < 0}
        main |= {w.token for _, w in self._words if w.head in main and w.relation in _CLAUSES}
        had = [w for _, w in self._words if w.lemma == "have" and w.fine == "VBD"]
        return any(word.relation.startswith("aux") and word.head in main for word in had)

    def expected(self) -> set[str]:
        """Return the acts that it says are to come."""
        marker = AHEAD.search(self.text)
        if marker is None:
            return set()
        after = [word for at, word in self._words if at >= marker.end()]
        act = next((word for word in after if word.tag == "VERB"), None)
        if act is not None and concept(act.lemma) not in _LIGHT:
            return {concept(act.lemma)}
        before = [word for at, word in self._words if at < marker.start() and word.tag == "NOUN"]
        things = [word for word in after if word.tag == "NOUN"]
        return {concept(word.lemma) for word in (*before[-1:], *things[:2])}


def _people_of(document: Document, chain: Chain) -> set[str]:
    """Return the last names of a chain's people; an owner inside a mention is somebody else."""
    return {
        name.of(document.text).split()[-1]
        for mention in chain.mentions
        for name in document.inside(NAMES, mention)
        if name.type == "PER"
        and len(mention) < _MAX_NAME_LENGTH
        and document.text[name.end : min(name.end + 2, mention.end)] not in ("'s", "’s")
    }
