"""Naturally occurring aggregations: texts that list entities and name them together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance, fold_phrase
from tatian.aggregation.mining.antecedents import REACH, link_plurals
from tatian.aggregation.mining.patterns import NameList, PatternMatch, matches, name_lists
from tatian.aggregation.mining.phrases import MinedPhrase, answer, type_of_set
from tatian.analysis.trees import Tree, trees
from tatian.knowledge import KnowledgeBase
from tatian.text import NAMES, Document, Span
from tatian.text.lexicon import word_set
from tatian.text.splitter import split

_CUE = re.compile(
    r"\b(?:such as|[Ii]ncluding|[Ll]ike|[Ee]specially|[Nn]otably|[Pp]articularly|in particular|"
    r"among them|for example|for instance|namely)(?:,? the)?,? [A-Z]|\b[Ss]uch [\w ]+ as [A-Z]|"
    r"\b(?:and|or|&) (?:\w+ )?(?:other|similar) |"
    r"[A-Z][\w.]+, (?:the|two|three|four|five|six|both|all|fellow|former) [^,;.]{3,60}[,;.)]|"
    r"[a-z]s(?: of)? [A-Z]|\b(?:[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix) [^,]{3,60}[,:] [A-Z]"
)
_COUNTED = re.compile(
    r"\b(?:[Tt]h(?:e|ese) (?:two|three|four|five|six)|[Bb]oth) (?:[a-zA-Z-]+ ){0,3}[a-z]+s\b"
)
_JOINT = re.compile(r"(?:,|\band|\bor|&|\bas well as|\balong with) (?:the )?[A-Z]")
_CAPITAL = re.compile(r"\b[A-Z]")
_LONGEST = 1000
"""Characters above which a sentence is taken for a table or a list."""


def sift(document: Document, *, plurals: bool = False) -> Iterator[Document]:
    """Yield the parts of a text that may hold an aggregation, each with the text before it.

    A part includes the sentence before it; with `plurals`, "the two leaders" includes three.
    """
    sentences = [" ".join(sentence.of(document.text).split()) for sentence in split(document.text)]
    wanted: set[int] = set()
    for number, text in enumerate(sentences):
        if len(text) > _LONGEST:
            continue
        if plurals and _COUNTED.search(text):
            wanted.update(range(max(0, number - REACH), number + 1))
        elif _may_hold(text):
            wanted.update((max(0, number - 1), number))
    kept: list[str] = []
    for number, text in enumerate(sentences):
        if number in wanted and len(text) <= _LONGEST:
            kept.append(text)
        elif kept:
            yield _part(document, kept)
            kept = []
    if kept:
        yield _part(document, kept)


def mine_all(
    documents: Iterable[Document],
    analyse: Callable[[Iterable[Document]], Iterator[Document]],
    base: KnowledgeBase | None = None,
) -> Iterator[MinedPhrase]:
    """Yield the aggregations of many texts; `analyse` sees only parts that may hold one."""
    plurals = base is not None
    parts = (part for document in documents for part in sift(document, plurals=plurals))
    source, number = "", 0
    for part in analyse(parts):
        for mined in mine(part, base):
            number = number + 1 if part.id == source else 1
            source = part.id
            yield replace(mined, instance=replace(mined.instance, id=f"{source}-{number}"))


def _may_hold(text: str) -> bool:
    return (
        _JOINT.search(text) is not None
        and _CUE.search(text) is not None
        and len(_CAPITAL.findall(text)) > 1
    )


def _part(document: Document, sentences: list[str]) -> Document:
    return Document(document.id, "\n\n".join(sentences), document.metadata)


_SIDES = word_set(
    "north south east west northern southern eastern western central northeast northwest "
    "southeast southwest upper lower"
)


def mine(document: Document, base: KnowledgeBase | None = None) -> Iterator[MinedPhrase]:
    """Yield the aggregations of an analysed document: of each list of names, then of each plural.

    Plurals that refer to names before them are mined only where a base can confirm them.
    """
    mined = (*_in_sentences(document), *(find_numbered(document, base) if base is not None else ()))
    for number, phrase in enumerate(mined, start=1):
        yield replace(phrase, instance=replace(phrase.instance, id=f"{document.id}-{number}"))


def _in_sentences(document: Document) -> Iterator[MinedPhrase]:
    """Yield at most one aggregation for each list of names."""
    names = document.get(NAMES)
    previous = ""
    for tree in trees(document):
        sentence = Span(tree.tokens[0].start, tree.tokens[-1].end)
        for listed in name_lists(document.text, names, sentence):
            mined = _first(document, tree, listed, sentence, previous)
            if mined is not None:
                yield mined
        previous = sentence.of(document.text)


def pool_phrases(instances: Iterable[Instance]) -> list[Instance]:
    """Return the instances, each with all phrases that any of them has for the same entities."""
    kept = list(instances)
    phrases: dict[tuple[str, frozenset[str]], dict[str, None]] = {}
    for instance in kept:
        phrases.setdefault(_key(instance), {}).update(dict.fromkeys(instance.aggregations))
    return [replace(instance, aggregations=tuple(phrases[_key(instance)])) for instance in kept]


def _key(instance: Instance) -> tuple[str, frozenset[str]]:
    return instance.type, frozenset(map(fold_phrase, instance.entities))


def _first(
    document: Document, tree: Tree, listed: NameList, sentence: Span, previous: str
) -> MinedPhrase | None:
    """Return the result of the first pattern whose phrase and names go together."""
    text = document.text
    entities = tuple(dict.fromkeys(_entity(name.of(text)) for name in listed.names))
    if len({fold_phrase(entity) for entity in entities}) < len(listed.names) or not _whole(
        listed, entities
    ):
        return None
    for match in matches(text, tree, listed):
        phrase = answer(tree, match.first, match.last, match.head)
        type = type_of_set(tree.text(match.head), tuple(name.type for name in listed.names))
        if not phrase or type is None or any(_names(phrase, entity) for entity in entities):
            continue
        context = f"{previous} {_without(text, sentence, listed, match)}"
        return _mined(document, entities, type, phrase, context, match.pattern, sentence)
    return None


def _entity(name: str) -> str:
    return " ".join(name.split()).removesuffix("'s").removesuffix("’s").strip()


def _whole(listed: NameList, entities: tuple[str, ...]) -> bool:
    """Return whether every name is complete.

    It is not in "Sidney and Beatrice Webb" or "North and South Korea".
    """
    *rest, last = entities
    people = listed.names[0].type == "PER"
    if people and len(last.split()) > 1 and all(len(name.split()) == 1 for name in rest):
        return False
    return not any(entity.lower() in _SIDES for entity in entities)


def _names(phrase: str, entity: str) -> bool:
    """Return whether a phrase contains an entity's name: "boeing's rivals" for Boeing."""
    return entity.lower() in phrase


def _without(text: str, sentence: Span, listed: NameList, match: PatternMatch) -> str:
    """Return the sentence with the list in place of phrase and list."""
    alone = _alone(text, listed)
    if match.cut.start == sentence.start:
        alone = alone[:1].upper() + alone[1:]
    after = text[match.cut.end : sentence.end]
    return text[sentence.start : match.cut.start] + alone + after


def _alone(text: str, listed: NameList) -> str:
    """Return the list as it is, or with the conjunction that the phrase took away."""
    if listed.joined:
        return listed.span.of(text)
    *rest, last = listed.members
    head = text[listed.start : rest[-1].end]
    return f"{head} and {text[rest[-1].end : last.end].lstrip(' ,')}"


PATTERN = "plural"
_OPEN = ("'", "’", "-")
"""Characters after which a phrase cannot be taken out: "the two countries' leaders"."""


def find_numbered(document: Document, base: KnowledgeBase) -> Iterator[MinedPhrase]:
    """Yield phrases with a number ("the two leaders", "both firms") that refer to earlier names.

    The base must confirm their noun of every name. The context begins with the first sentence that
    has one of the names, and has the names in place of the phrase.
    """
    places = list(trees(document))
    starts = [tree.tokens[0].start for tree in places]
    for plural in link_plurals(document, base):
        if not plural.counted or not plural.supported:
            continue
        tree = places[bisect_right(starts, plural.phrase.start) - 1]
        words = [place for place, token in enumerate(tree.tokens) if plural.phrase.contains(token)]
        phrase = answer(tree, words[0], words[-1])
        end = plural.phrase.end
        if not phrase or document.text[end : end + 1] in _OPEN:
            continue
        first = starts[bisect_right(starts, plural.antecedents[0].mention.start) - 1]
        context = (
            document.text[first : plural.phrase.start]
            + _listed([antecedent.name for antecedent in plural.antecedents])
            + document.text[end : tree.tokens[-1].end]
        )
        names = [antecedent.name for antecedent in plural.antecedents]
        sentence = Span(tree.tokens[0].start, tree.tokens[-1].end)
        yield _mined(document, names, plural.type, phrase, context, PATTERN, sentence)


def _mined(
    document: Document,
    entities: Iterable[str],
    type: str,
    phrase: str,
    context: str,
    pattern: str,
    sentence: Span,
) -> MinedPhrase:
    about = document.metadata
    instance = Instance(
        id="",
        entities=tuple(sorted(entities)),
        type=type,
        title=about.title or "",
        context=" ".join(context.split()),
        aggregations=(phrase,),
        date=about.date or "",
        source=document.id,
    )
    return MinedPhrase(instance, pattern, " ".join(sentence.of(document.text).split()))


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"
