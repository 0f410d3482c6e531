"""For each word of the other sentence, the word of the base that plays its part."""

from __future__ import annotations

from tatian.text.content import stem
from tatian.union.models.aligning.names import head_of
from tatian.union.models.aligning.sentences import FUNCTION, Parsed
from tatian.union.models.aligning.words import Alignment

_VERBAL = frozenset(("VERB", "AUX"))
_NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM", "SYM"))
_VOTES = {
    "nsubj": 1.0,
    "obj": 1.0,
    "ccomp": 0.8,
    "xcomp": 0.8,
    "nmod": 0.7,
    "amod": 0.6,
    "compound": 0.6,
    "obl": 0.5,
}
_INNER = frozenset(("flat", "compound", "appos"))
_LITTLE = 0.3
_ENOUGH = 0.5
_FAR = 0.75
"""The share of news from which one word in common does not make two verbs one."""
_AGENTS = ("er", "or", "ist", "ee")
_ROLES = frozenset(("nsubj", "obj", "obl", "nmod", "advcl", "ccomp", "xcomp"))


class Images:
    """Where each word of `other` finds itself in `base`: by what it says, else by its company."""

    def __init__(self, alignment: Alignment) -> None:
        self.alignment = alignment
        self.other = alignment.other
        self.base = alignment.base
        content = [place for place in range(len(self.other)) if self.other.content[place]]
        self.close = sum(map(alignment.new, content)) <= _FAR * len(content)
        """Whether the base says a good part of the other sentence."""
        self.of: dict[int, int] = {}
        self.sure: dict[int, float] = {}
        """1 for what says the same, less for what only plays the same part."""
        order = [self.other.root]
        for node in order:
            order.extend(self.other.children[node])
        for node in reversed(order):
            self._fill(node)
        self.mates = {node: mate for node in order if (mate := self._mate(node)) is not None}
        """Words with nothing of their own in the base, and what stands there in their role."""

    def _fill(self, node: int) -> None:
        lexical = self.alignment.to_base.get(node)
        pair = self.alignment.named.get(node)
        if lexical is None and pair is not None:
            lexical = head_of(self.base, pair.base)
        if lexical is not None:
            self.of[node] = lexical
            self.sure[node] = 1.0 if _one_kind(self.other, node, self.base, lexical) else _ENOUGH
        elif self.other.relations[node] not in FUNCTION:
            self._by_company(node)

    def _by_company(self, node: int) -> None:
        """The word that governs in the base what the node governs here."""
        votes: dict[int, float] = {}
        voters = 0
        for child in self.other.children[node]:
            image = self.of.get(child)
            if image is None:
                continue
            relation = self.other.relations[child]
            image = _phrase_head(self.base, image)
            head = image if relation == "conj" else self.base.heads[image]
            if head < 0 and relation in {"ccomp", "xcomp"}:
                head = image
            if head >= 0 and _alike(self.other, node, self.base, head):
                weight = _VOTES.get(relation, _LITTLE) * self.sure[child]
                votes[head] = votes.get(head, 0.0) + weight
                voters += 1
        if not votes or (voters < 2 and not self.close and self.other.tag(node) in _VERBAL):
            return
        best = max(votes, key=lambda place: (votes[place], -place))
        if votes[best] >= _ENOUGH:
            self.of[node] = best
            self.sure[node] = min(0.9, votes[best] / 2)

    def _mate(self, node: int) -> int | None:
        """What stands in the base under the same word, in the same role, and answers to nothing."""
        head, relation = self.other.heads[node], self.other.relations[node]
        if (
            node in self.of
            or head < 0
            or relation not in _ROLES
            or self.sure.get(head, 0.0) < _ENOUGH
        ):
            return None
        governor = self.of[head]
        role = _role(self.other, node)
        found = [
            child
            for child in self.base.children[governor]
            if _role(self.base, child) == role
            and child not in self.alignment.to_other
            and self.base.temporal(child) == self.other.temporal(node)
            and not (self._is_place(self.base, child) and self._is_place(self.other, node))
        ]
        return found[0] if len(found) == 1 else None

    @staticmethod
    def _is_place(sentence: Parsed, place: int) -> bool:
        name = sentence.name_at(place)
        return name is not None and name[2] == "LOC"


def _one_kind(other: Parsed, node: int, base: Parsed, place: int) -> bool:
    """Whether two words that say the same are both verbs, or both not, or one names the other.

    "killed" and "killing" take the same circumstances; "stolen" and "thieves", "commanded" and
    "commander" do not.
    """
    if (other.tag(node) in _VERBAL) == (base.tag(place) in _VERBAL):
        return True
    words = other.lower[node], base.lower[place]
    agent = any(word.removesuffix("s").endswith(_AGENTS) for word in words)
    return not agent and stem(words[0])[:4] == stem(words[1])[:4]


def _phrase_head(sentence: Parsed, place: int) -> int:
    """The noun that a part of a name, or a name after a title, belongs to."""
    while sentence.relations[place] in _INNER and not sentence.marker(place):
        place = sentence.heads[place]
    return place


def _role(sentence: Parsed, place: int) -> tuple[str, str]:
    """What the word is to its verb, whether that is active or passive, and how it is marked."""
    relation, marker = sentence.words[place].relation, sentence.marker(place)
    if relation in {"nsubj:pass", "obj"}:
        return "patient", ""
    if relation == "nsubj" or (relation.startswith("obl") and marker == "by"):
        return "agent", ""
    return sentence.relations[place], marker


def _alike(other: Parsed, node: int, base: Parsed, place: int) -> bool:
    one, two = other.tag(node), base.tag(place)
    if one in _VERBAL:
        return two in _VERBAL or two in {"NOUN", "ADJ"}
    if one in _NOMINAL:
        predicate = bool(other.under(node, "cop", "nsubj"))
        return two in _NOMINAL or (two in _VERBAL and predicate)
    return one == two or two in _VERBAL
