"""The standoff layers a document can carry, and who made each.

A step reads the layers below it and adds its own; it never changes the text. Other packages can
define layers of their own with a `LayerKey`; unknown layers survive a JSON round trip untouched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tatian.text.spans import Sentence, Span, Token

T = TypeVar("T")


class Authorship(Struct, frozen=True, omit_defaults=True):
    """Who made an annotation, with which version, and (people only) when.

    Models leave `at` empty, so that the same input always gives the same output.
    """

    by: str
    version: str = ""
    kind: Literal["model", "person"] = "model"
    at: str | None = None
    """ISO 8601, UTC."""


class Layer(Struct, Generic[T], frozen=True):
    """All annotations of one kind on one document."""

    made: Authorship
    items: tuple[T, ...]


class LayerKey(Generic[T]):
    """A layer's name and the type of what is in it, so that reading one is typed."""

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
    """What the analysis says of one token: tag, lemma, features, place in the tree."""

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
    """A name in the text: PER, LOC, ORG or MISC."""

    type: str


class Mention(Span, frozen=True, order=True, omit_defaults=True):
    """A phrase that talks about something; the unit of detection and of coreference."""

    type: str = ""
    """PER, LOC, ORG, MISC, DATE, ..., or empty for other things."""
    head: Span | None = None
    """The minimal string (MUC-6 §1.4); None when it is the whole mention."""
    optional: bool = False
    """MUC-6 §1.5: an uncertain mention that is not scored unless found."""
    parts: tuple[Span, ...] = ()
    """The pieces of a discontinuous mention, in the order of the text; empty when it is whole."""
    attributes: tuple[tuple[str, str], ...] = ()
    """What else a corpus says of it, such as ("infstat", "giv:act")."""


class Link(Span, frozen=True, order=True, omit_defaults=True):
    """The Wikipedia pages that the phrase at this span stands for."""

    titles: tuple[str, ...] = ()
    """Every page that is right (gold), or the pages chosen, best first (a system's)."""
    score: float | None = None
    """How sure a system is, from 0 to 1."""
    named: bool | None = None
    """Whether it names a person, place, organisation or the like; None where nobody said."""
    type: str = ""
    """PER, LOC, ORG, MISC or what the corpus says."""
    tags: tuple[str, ...] = ()
    """What else a corpus says of it: its form (``form:pronoun``), its overlap (``overlap:max``),
    that it need not be found (``optional``)."""
    ids: tuple[str, ...] = ()
    """The same pages in the corpus's own terms (``Q142``, a DBpedia URI), where it has others."""
    names: tuple[str, ...] = ()
    """What the corpus calls each of `ids`, where it says so (Wikidata labels)."""


class DocumentPart(Span, frozen=True, order=True):
    """A part of a document, and whether annotators were to look at it."""

    name: str
    """An element's name; ``@`` for a line of a table; empty for what is in no element."""
    annotated: bool
    """False for what annotators passed over, such as a headline."""


class Chain(Struct, frozen=True, omit_defaults=True):
    """All mentions of one thing in one document; an id shared by documents is the same thing."""

    id: str
    mentions: tuple[Mention, ...]
    type: str = ""


class EntitySet(Struct, frozen=True, omit_defaults=True):
    """Several things of one type that a text speaks of together, and names for the set."""

    chains: tuple[str, ...]
    """Chain ids."""
    names: tuple[str, ...]
    """The things, as the text calls them."""
    type: str
    phrases: tuple[str, ...] = ()
    """What names them all at once, best first."""
    scores: tuple[float, ...] = ()
    """From 0 to 1: how far each of the phrases is to be trusted."""
    support: tuple[tuple[str, ...], ...] = ()
    """For each of the phrases what it rests on, a line for each fact."""
    worth: float | None = None
    """From 0 to 1: how far the set is worth a name."""
    reasons: tuple[str, ...] = ()
    """What in the text says so."""


SourceKind = Literal["copied", "inflected", "substituted", "aggregated"]


class Source(Struct, frozen=True, order=True):
    """The place in an account that an output word stands for."""

    document: str
    start: int
    end: int
    kind: SourceKind = "copied"


class WordSources(Span, frozen=True, order=True):
    """A word of a text that was made of others, and the places there that it stands for."""

    sources: tuple[Source, ...]
    """Empty for a word that none of them has."""


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
"""The parts of a document, in the order of the text; they never overlap."""


class Record(Struct, Generic[T], frozen=True, omit_defaults=True):
    """One answer of one annotator to one item; a correction is a new record."""

    id: str
    task: str
    """Which question was asked, e.g. ``union`` or ``mentions.confirm``."""
    item: str
    """The id of what was annotated."""
    made: Authorship
    answer: T
    replaces: str | None = None
    """The id of an earlier record that this one corrects."""
    preannotated: bool = False
    """Whether the annotator saw a model's suggestion first."""


_ADDRESS_MARKS = frozenset("./:@")


class WovenToken(Struct, frozen=True):
    """One word of the output; without sources it is glue, written by Tatian itself."""

    text: str
    sources: tuple[Source, ...] = ()
    space: bool = True
    """Whether a blank stands before it."""
    quoted: bool = False
    """Whether it stands inside quotation marks, where it must not be changed."""
    own: bool = False
    """Whether a person typed it."""

    @property
    def glue(self) -> bool:
        """Whether no account has this word."""
        return not self.sources


def render(tokens: Iterable[WovenToken]) -> str:
    """The text of `tokens`, without a leading blank."""
    text = "".join((" " if token.space else "") + token.text for token in tokens)
    return text.removeprefix(" ")


def glue(text: str, *, space: bool = True) -> WovenToken:
    """A word of our own."""
    return WovenToken(text, (), space)


def capitalized(tokens: Sequence[WovenToken]) -> tuple[WovenToken, ...]:
    """The same sentence with a capital at its start, as English writes it.

    Quoted words, addresses and names such as "iPhone" stay as they are.
    """
    for index, token in enumerate(tokens):
        if not any(character.isalnum() for character in token.text):
            continue
        if not token.quoted and token.text[0].isalpha() and _is_plain(token.text):
            first = replace(token, text=token.text[0].upper() + token.text[1:])
            return (*tokens[:index], first, *tokens[index + 1 :])
        break
    return tuple(tokens)


def _is_plain(word: str) -> bool:
    return word.islower() and _ADDRESS_MARKS.isdisjoint(word)
