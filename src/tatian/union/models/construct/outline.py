"""A parsed sentence as statements: predicates, arguments, attribution, and plans."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct

from tatian.text.content import reporting_concepts
from tatian.text.lexicon import ROLE_HEADS, TITLES
from tatian.text.plurals import guessed_singulars
from tatian.union.models.sentences import RELATIVES, Parsed

_SUBJECTS = ("nsubj", "obl:agent")
_OBJECTS = ("obj", "nsubj:pass")
_PLANS = frozenset("will shall expected due plan plans planned scheduled going would".split())
"""Words that mark an event as planned."""
_CORE = frozenset(("det", "amod", "nummod", "compound", "flat", "fixed", "goeswith"))
VAGUE = frozenset("a an some another one".split())
"""Determiners of indefinite nouns."""
ANYBODY = frozenset("people persons others men women".split())
"""Nouns for people without further meaning."""
PERSONS = frozenset(
    """
    man woman men women boy girl child children people person baby teenager worker driver
    thief thieves officer spokesman spokeswoman lawyer farmer teacher student nurse doctor
    surgeon conductor singer actor actress author writer novelist artist player striker
    goalkeeper boxer coach captain pilot passenger soldier fighter rebel gunman gunmen suspect
    defendant victim witness widow husband wife son daughter brother sister father mother
    parent relative resident villager voter protester activist journalist reporter scientist
    researcher engineer minister official employee founder owner chef banker trader architect
    priest monk nun sailor climber skier cyclist runner swimmer tenant landlord neighbour
    neighbor prisoner hostage refugee migrant tourist customer patient candidate lawmaker
    leader spokesperson inspector detective firefighter paramedic guard robber burglar
    attacker smuggler vandal commander
    """.split()
)
"""Common nouns for people, which take "who" instead of "which"."""


class ClauseStatement(Struct, frozen=True):
    """A clause that a sentence asserts: its predicate and its own or shared subject."""

    predicate: int
    subject: int | None
    places: frozenset[int]
    """Indices of its words, without those of coordinated clauses."""


class AttributionPhrase(Struct, frozen=True):
    """Words of an attribution: "police said" or "according to police"."""

    places: tuple[int, ...]
    speaker: int
    verb: int


class StatementOutline:
    """A sentence divided into statements and an attribution.

    If the other sentence is about the speaker (`speaks`), a reporting verb is a predicate like any
    other. Then only "according to" makes an attribution.
    """

    def __init__(self, sentence: Parsed, speaks: bool) -> None:
        self.sentence = sentence
        self._speaks = speaks

    @cached_property
    def attribution(self) -> AttributionPhrase | None:
        """Attribution of the whole sentence; None for a quotation, which is a statement."""
        tree = self.sentence
        if self.content != tree.root:
            places = tree.subtree(tree.root) - tree.subtree(self.content)
            kept = tuple(place for place in sorted(places) if tree.tag(place) != "PUNCT")
            return AttributionPhrase(kept, tree.under(tree.root, "nsubj")[0], tree.root)
        for place in range(len(tree)):
            if tree.lower[place] == "according":
                head = tree.heads[place]
                if head > place and tree.heads[head] == self.content:
                    return AttributionPhrase(tuple(sorted(tree.subtree(head))), head, place)
            elif (
                tree.relations[place] == "parataxis"
                and tree.concepts[place] in reporting_concepts()
            ):
                subjects = tree.under(place, "nsubj")
                if subjects and not tree.under(place, "ccomp") and not self._speaks:
                    kept = tuple(p for p in sorted(tree.subtree(place)) if tree.tag(p) != "PUNCT")
                    return AttributionPhrase(kept, subjects[0], place)
        return None

    @cached_property
    def content(self) -> int:
        """Index of the main predicate below any attribution."""
        tree = self.sentence
        inner = tree.under(tree.root, "ccomp")
        speaks = tree.concepts[tree.root] in reporting_concepts()
        quoted = bool(inner) and tree.tokens[inner[0]].quoted
        if speaks and inner and tree.under(tree.root, "nsubj") and not quoted and not self._speaks:
            return inner[0]
        return tree.root

    @cached_property
    def quoting(self) -> bool:
        """True if the sentence is a quotation with its speaker."""
        tree = self.sentence
        inner = tree.under(tree.root, "ccomp", "parataxis")
        has_quotation = any(tree.tokens[place].quoted for place in inner)
        return has_quotation and tree.concepts[tree.root] in reporting_concepts()

    @cached_property
    def headline(self) -> bool:
        """True if the sentence looks like a headline: no article, no past tense, and a bare noun.

        It must also lack a full stop, or its main verb must be a simple present.
        """
        tree = self.sentence
        has_article = any(tree.lower[place] in ("a", "an", "the") for place in range(len(tree)))
        is_past = tree.feature(tree.root, "Tense") == "Past" and tree.finite(tree.root)
        bare_nouns = sum(
            tree.tag(place) == "NOUN"
            and tree.feature(place, "Number") == "Sing"
            and tree.relations[place] in ("nsubj", "obj", "obl", "nmod")
            and not tree.under(place, "det", "nummod")
            and not tree.owners(place)
            for place in range(len(tree))
        )
        if has_article or is_past or not bare_nouns:
            return False
        is_present = tree.words[tree.root].fine in ("VBZ", "VBP")
        return tree.end == len(tree) or (is_present and not tree.under(tree.root, "aux"))

    @cached_property
    def statements(self) -> list[ClauseStatement]:
        """The main clause and those coordinated with it, in order."""
        tree = self.sentence
        heads = [self.content]
        for place in range(len(tree)):
            joined = tree.relations[place] in ("conj", "parataxis") and tree.heads[place] in heads
            away = self.attribution is not None and place in self.attribution.places
            if joined and tree.predicate(place) and not away and not tree.tokens[place].quoted:
                heads.append(place)
        away_places = set(self.attribution.places) if self.attribution is not None else set()
        clauses = []
        shared: int | None = None
        for head in heads:
            below = tree.subtree(head)
            inner = {p for h in heads if h != head and h in below for p in tree.subtree(h)}
            subjects = tree.under(head, "nsubj", "csubj")
            shared = subjects[0] if subjects else shared
            places = frozenset(below - inner - away_places)
            clauses.append(ClauseStatement(head, shared, places))
        return clauses


def find_entity(sentence: Parsed, place: int) -> int:
    """Return the head of a name or noun, above appositions and name parts."""
    while sentence.heads[place] >= 0 and (
        sentence.relations[place] in ("appos", "flat")
        or sentence.words[place].relation == "nmod:desc"
    ):
        place = sentence.heads[place]
    return place


def find_roles(sentence: Parsed, predicate: int) -> dict[str, int]:
    """Return the heads of subject and object, as if the verb were active."""
    heads: dict[str, int] = {}
    for child in sentence.children[predicate]:
        relation = sentence.words[child].relation
        if relation in _SUBJECTS:
            heads.setdefault("subject", _resolve_relative(sentence, predicate, child))
        elif relation in _OBJECTS:
            heads.setdefault("object", _resolve_relative(sentence, predicate, child))
    joined = sentence.relations[predicate] == "conj"
    if joined and "subject" not in heads and not sentence.under(predicate, "nsubj"):
        above = sentence.heads[predicate]
        subjects = [c for c in sentence.children[above] if sentence.words[c].relation == "nsubj"]
        if subjects:
            heads["subject"] = subjects[0]
    return heads


def _resolve_relative(sentence: Parsed, predicate: int, child: int) -> int:
    """Return the antecedent of a relative pronoun, or any other child itself."""
    relative = sentence.lower[child] in RELATIVES and sentence.tag(child) == "PRON"
    clause = sentence.relations[predicate] == "acl"
    return sentence.heads[predicate] if relative and clause else child


def is_past(sentence: Parsed, predicate: int) -> bool:
    """Return True if an event is past: "left", "has left", "was published"."""
    if is_planned(sentence, predicate):
        return False
    words = [predicate, *sentence.under(predicate, "aux", "cop")]
    perfect = any(sentence.lower[place] in ("has", "have", "had") for place in words[1:])
    return perfect or any(sentence.feature(place, "Tense") == "Past" for place in words)


def is_planned(sentence: Parsed, predicate: int) -> bool:
    """Return True if an event is planned: "will", "is to", "is expected to"."""
    helpers = [sentence.lower[place] for place in sentence.under(predicate, "aux")]
    if any(helper in _PLANS for helper in helpers):
        return True
    marked = any(sentence.lower[place] == "to" for place in sentence.under(predicate, "mark"))
    if marked and any(helper in ("is", "are", "was", "were") for helper in helpers):
        return True
    if sentence.relations[predicate] == "xcomp":
        return sentence.lower[sentence.heads[predicate]] in _PLANS
    if sentence.lower[predicate] in _PLANS and sentence.under(predicate, "xcomp"):
        return True
    return marked and sentence.relations[predicate] == "root"


def find_core(sentence: Parsed, head: int) -> list[int]:
    """Return the indices of a noun, its determiner, adjectives, figures and name parts."""
    core = {head}
    for child in sentence.children[head]:
        relation = sentence.words[child].relation
        if sentence.relations[child] in _CORE or relation in ("nmod:desc", "nmod:poss"):
            core |= sentence.subtree(child)
    if (name := sentence.name_at(head)) is not None:
        core |= set(range(name[0], name[1]))
    first = last = head
    while first - 1 in core:
        first -= 1
    while last + 1 in core:
        last += 1
    return list(range(first, last + 1))


def is_person(sentence: Parsed, place: int) -> bool:
    """Return True if a noun refers to a person: "who", not "which"."""
    name = sentence.name_at(place)
    if name is not None:
        return name[2] == "PER"
    word = sentence.lower[place]
    return bool({word, *guessed_singulars(word)} & (PERSONS | ROLE_HEADS | TITLES))
