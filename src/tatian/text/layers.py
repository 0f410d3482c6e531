"""Standoff layers of a document, each with its author.

A step reads the layers below it and adds its own; it never changes the text. Other packages can
define layers of their own with a `LayerKey`; unknown layers survive a JSON round trip untouched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.text.spans import Sentence, Span, Token

T = TypeVar("T")


class Authorship(Struct, frozen=True, omit_defaults=True):
    """Author of an annotation, with version and (people only) time.

    Models leave `at` empty, so that the same input always gives the same output.
    """

    by: str
    version: str = ""
    kind: Literal["model", "person"] = "model"
    at: str | None = None
    """Time of annotation: ISO 8601, UTC."""


class Layer(Struct, Generic[T], frozen=True):
    """All annotations of one kind on one document."""

    made: Authorship
    items: tuple[T, ...]


class LayerKey(Generic[T]):
    """Name of a layer and the type of its items."""

    known: ClassVar[dict[str, LayerKey[Any]]] = {}

    def __init__(self, name: str, item: type[T]) -> None:
        if name in self.known:
            raise ValueError(f"layer '{name}' is defined twice")
        self.name = name
        self.item = item
        self.known[name] = self

    def __repr__(self) -> str:
        return f"LayerKey({self.name!r})"


class Word(Struct, frozen=True, omit_defaults=True):
    """Analysis of one token: tag, lemma, features, position in the tree."""

    token: int
    """Index into the tokens layer."""
    tag: str
    """Universal part of speech."""
    lemma: str
    head: int = -1
    """Index into the tokens layer, -1 for the root of its sentence."""
    relation: str = ""
    fine: str = ""
    """Treebank part of speech."""
    features: dict[str, str] = {}


class Name(Span, frozen=True, order=True):
    """Name in the text: PER, LOC, ORG or MISC."""

    type: str


class Mention(Span, frozen=True, order=True, omit_defaults=True):
    """Phrase that refers to something; what detection finds and coreference links."""

    type: str = ""
    """Type: PER, LOC, ORG, MISC, DATE, ..., or empty for other things."""
    head: Span | None = None
    """Minimal string (MUC-6 §1.4); None when it is the whole mention."""
    optional: bool = False
    """True for an uncertain mention, which is only scored if the response has it (MUC-6 §1.5)."""
    parts: tuple[Span, ...] = ()
    """Pieces of a discontinuous mention, in the order of the text; empty when it is whole."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Further annotations of a corpus, such as ("infstat", "giv:act")."""


class Link(Span, frozen=True, order=True, omit_defaults=True):
    """Wikipedia pages that the phrase at this span stands for."""

    titles: tuple[str, ...] = ()
    """All correct pages (gold), or the pages chosen by a system, best first."""
    score: float | None = None
    """Confidence of a system, from 0 to 1."""
    named: bool | None = None
    """True if it names a person, place, organisation or the like; None if not annotated."""
    type: str = ""
    """Type: PER, LOC, ORG, MISC or a type of the corpus."""
    tags: tuple[str, ...] = ()
    """Further annotations of a corpus: form (``form:pronoun``), overlap (``overlap:max``), and
    whether the mention need not be found (``optional``)."""
    ids: tuple[str, ...] = ()
    """Other ids of the pages in the corpus, such as ``Q142`` or a DBpedia URI."""
    names: tuple[str, ...] = ()
    """Names of `ids` in the corpus, if it has them (Wikidata labels)."""


class DocumentPart(Span, frozen=True, order=True):
    """Part of a document, annotated or not."""

    name: str
    """Name of the SGML element; ``@`` for a line of a table; empty outside of elements."""
    annotated: bool
    """False for a part that annotators skipped, such as a headline."""


class Chain(Struct, frozen=True, omit_defaults=True):
    """All mentions of an entity in a document; chains of different documents may share an id."""

    id: str
    mentions: tuple[Mention, ...]
    type: str = ""


class EntitySet(Struct, frozen=True, omit_defaults=True):
    """Several things of one type that a text mentions together, and names for the set."""

    chains: tuple[str, ...]
    """Ids of the chains."""
    names: tuple[str, ...]
    """Names of the things in the text."""
    type: str
    phrases: tuple[str, ...] = ()
    """Phrases that name them all at once, best first."""
    scores: tuple[float, ...] = ()
    """Confidence in each of the phrases, from 0 to 1."""
    support: tuple[tuple[str, ...], ...] = ()
    """Facts that support each of the phrases, one per line."""
    worth: float | None = None
    """Usefulness of a name for the set, from 0 to 1."""
    reasons: tuple[str, ...] = ()
    """Reasons for `worth` in the text."""


SourceKind = Literal["copied", "inflected", "substituted", "aggregated"]


class Source(Struct, frozen=True, order=True):
    """Place in a source document that an output word stands for."""

    document: str
    start: int
    end: int
    kind: SourceKind = "copied"


class WordSources(Span, frozen=True, order=True):
    """Word of a text that was made from other texts, with its sources."""

    sources: tuple[Source, ...]
    """Places in the other texts; empty if none of them has the word."""


TOKENS = LayerKey("tokens", Token)
SENTENCES = LayerKey("sentences", Sentence)
WORDS = LayerKey("words", Word)
NAMES = LayerKey("names", Name)
MENTIONS = LayerKey("mentions", Mention)
LINKS = LayerKey("links", Link)
CHAINS = LayerKey("chains", Chain)
ENTITY_SETS = LayerKey("entity_sets", EntitySet)
SOURCES = LayerKey("sources", WordSources)
PARTS = LayerKey("coreference.parts", DocumentPart)
"""Parts of a document, in the order of the text; they never overlap."""


class Record(Struct, Generic[T], frozen=True, omit_defaults=True):
    """Answer of one annotator to one item; a correction is a new record."""

    id: str
    task: str
    """Question that was asked, e.g. ``union`` or ``mentions.confirm``."""
    item: str
    """Id of the annotated item."""
    made: Authorship
    answer: T
    replaces: str | None = None
    """Id of an earlier record that this one corrects."""
    preannotated: bool = False
    """True if the annotator saw a model's suggestion first."""


_ADDRESS_MARKS = frozenset("./:@")
_MAX_ACRONYM_LETTERS = 3
"""Maximum length of a word in capitals that may be an acronym."""


class SourcedToken(Struct, frozen=True):
    """Word of the output; without sources it was added by Tatian (glue) or typed by a person."""

    text: str
    sources: tuple[Source, ...] = ()
    space: bool = True
    """True if a blank stands before it."""
    quoted: bool = False
    """True if it is inside quotation marks, so that it must not be changed."""
    own: bool = False
    """True if a person typed it."""

    @property
    def glue(self) -> bool:
        """True if no source has this word."""
        return not self.sources


def render(tokens: Iterable[SourcedToken]) -> str:
    """Return the text of `tokens`, without a leading blank."""
    text = "".join((" " if token.space else "") + token.text for token in tokens)
    return text.removeprefix(" ")


def glue(text: str, *, space: bool = True) -> SourcedToken:
    """Build a word that no source has."""
    return SourcedToken(text, (), space)


def capitalized(tokens: Sequence[SourcedToken]) -> tuple[SourcedToken, ...]:
    """Capitalize the start of a sentence, except quoted words, addresses and "iPhone"."""
    for index, token in enumerate(tokens):
        if not any(character.isalnum() for character in token.text):
            continue
        if not token.quoted and token.text[0].isalpha() and _is_plain(token.text):
            first = replace(token, text=token.text[0].upper() + token.text[1:])
            return (*tokens[:index], first, *tokens[index + 1 :])
        break
    return tuple(tokens)


def lower_opening_capitals(tokens: Sequence[SourcedToken], text: str) -> tuple[SourcedToken, ...]:
    """Lower-case the all-capital words at the start of an article, as in "A FIRE broke out".

    A word keeps its initial capital if it is capitalized elsewhere in `text`, that of all articles.
    """
    run = list(takewhile(lambda token: token.text.isupper() and token.text.isalpha(), tokens))
    lowered = len(run) > 1 and not any(token.quoted for token in run)
    lowered = lowered and any(len(token.text) > _MAX_ACRONYM_LETTERS for token in run)
    acronym = any(re.search(rf"[a-z,] {token.text}\b", text) for token in run if token.text != "A")
    if not lowered or acronym or len(run) == len(tokens):
        return tuple(tokens)
    small = []
    for token in run:
        word = token.text.capitalize()
        named = re.search(rf"[\w,] {word}\b", text) or word == "I"
        small.append(replace(token, text=word if named else word.lower()))
    return (*capitalized(small), *tokens[len(run) :])


def _is_plain(word: str) -> bool:
    return word.islower() and _ADDRESS_MARKS.isdisjoint(word)
