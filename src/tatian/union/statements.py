"""Who does what according to a sentence, and whether it is affirmed or denied."""

from __future__ import annotations

from msgspec import Struct

from tatian.text import WORDS, Document, Token, Word
from tatian.text.content import concept, saying
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Passage

_OPEN = frozenset("if whether unless would could may might should can".split())
"""Words that leave open whether something is so."""
_CLIMB = 4
"""How far a thing counted may stand below its verb."""


class Statement(Struct, frozen=True):
    """A verb with its subject and object."""

    subject: str
    verb: str
    object: str
    tense: str
    denied: bool
    first: Token
    last: Token
    """From the first auxiliary to the verb."""

    def same(self, other: Statement) -> bool:
        """Whether both speak of one act."""
        mine = (self.subject, self.verb, self.object, self.tense)
        return mine == (other.subject, other.verb, other.object, other.tense)


def statements(passage: Passage) -> list[Statement]:
    """What a parsed passage states outright; nothing without a parse."""
    found = []
    words = _words(passage)
    tokens = passage.document.tokens
    below = _children(words)
    for place, word in words.items():
        if word.tag != "VERB" or concept(tokens[place].text) in saying():
            continue
        parts = {relation: child for child, relation in below.get(place, ())}
        subject = parts.get("nsubj", parts.get("nsubj:pass"))
        if subject is None or words[subject].tag not in {"NOUN", "PROPN"}:
            continue
        near = [child for child, _ in below.get(place, ())]
        texts = {tokens[child].text.lower() for child in near}
        if texts & _OPEN:
            continue
        helpers = [c for c, relation in below[place] if relation.startswith("aux") and c < place]
        patient = parts.get("obj")
        finite = [words[p].features.get("Tense", "") for p in (*helpers[:1], place)]
        found.append(
            Statement(
                subject=concept(tokens[subject].text),
                verb=concept(tokens[place].text),
                object=concept(tokens[patient].text) if patient is not None else "",
                tense=finite[0],
                denied=bool(texts & NEGATIONS),
                first=tokens[min([place, *helpers])],
                last=tokens[place],
            )
        )
    return found


def governing_verbs(passage: Passage) -> dict[int, str]:
    """For each noun of a parsed passage, by its start, the concept of the verb it belongs to."""
    words = _words(passage)
    tokens = passage.document.tokens
    found = {}
    for place, word in words.items():
        if word.tag not in {"NOUN", "PROPN", "NUM"}:
            continue
        verb = _governor(words, place)
        if verb is not None:
            found[tokens[place].start] = concept(tokens[verb].text)
    return found


def _governor(words: dict[int, Word], place: int) -> int | None:
    for _ in range(_CLIMB):
        word = words[place]
        if word.head not in words:
            return None
        place = word.head
        if words[place].tag == "VERB" or word.relation.startswith("nsubj"):
            return place
    return None


def _words(passage: Passage) -> dict[int, Word]:
    document: Document = passage.document
    if not document.has(WORDS):
        return {}
    span, tokens = passage.span, document.tokens
    return {
        word.token: word
        for word in document.get(WORDS)
        if span.start <= tokens[word.token].start and tokens[word.token].end <= span.end
    }


def _children(words: dict[int, Word]) -> dict[int, list[tuple[int, str]]]:
    below: dict[int, list[tuple[int, str]]] = {}
    for place, word in words.items():
        below.setdefault(word.head, []).append((place, word.relation))
    return below
