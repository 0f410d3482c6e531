"""Naturally occurring aggregations: texts that list entities and name them together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from msgspec.structs import replace

from tatian.aggregation.data.records import Instance, fold_phrase
from tatian.aggregation.mining.antecedents import REACH, link_plurals
from tatian.aggregation.mining.patterns import NameList, PatternMatch, matches, name_lists
from tatian.aggregation.mining.phrases import MinedPhrase, phrase_text, type_of_set
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
_CONJUNCTION_CUE = re.compile(r"(?:,|\band|\bor|&|\bas well as|\balong with) (?:the )?[A-Z]")
_CAPITAL = re.compile(r"\b[A-Z]")
_MAX_SENTENCE_CHARACTERS = 1000
"""Length from which a sentence counts as a table or a list, in characters."""


def sift(document: Document, *, plurals: bool = False) -> Iterator[Document]:
    """Yield the parts of a text that may have an aggregation, with some sentences before it."""
    sentences = [" ".join(sentence.of(document.text).split()) for sentence in split(document.text)]
    selected: set[int] = set()
    for number, text in enumerate(sentences):
        if len(text) > _MAX_SENTENCE_CHARACTERS:
            continue
        if plurals and _COUNTED.search(text):
            selected.update(range(max(0, number - REACH), number + 1))
        elif _may_have_aggregation(text):
            selected.update((max(0, number - 1), number))
    kept: list[str] = []
    for number, text in enumerate(sentences):
        if number in selected and len(text) <= _MAX_SENTENCE_CHARACTERS:
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
    """Yield the aggregations of many texts; only parts that may have one are analysed."""
    plurals = base is not None
    parts = (part for document in documents for part in sift(document, plurals=plurals))
    source, number = "", 0
    for part in analyse(parts):
        for mined in mine(part, base):
            number = number + 1 if part.id == source else 1
            source = part.id
            yield replace(mined, instance=replace(mined.instance, id=f"{source}-{number}"))


def _may_have_aggregation(text: str) -> bool:
    return (
        _CONJUNCTION_CUE.search(text) is not None
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
    """Yield the aggregations of lists of names, and of plurals that a base can confirm."""
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
            mined = _match_first(document, tree, listed, sentence, previous)
            if mined is not None:
                yield mined
        previous = sentence.of(document.text)


def pool_phrases(instances: Iterable[Instance]) -> list[Instance]:
    """Give each instance the phrases of all instances with the same entities."""
    kept = list(instances)
    phrases: dict[tuple[str, frozenset[str]], dict[str, None]] = {}
    for instance in kept:
        phrases.setdefault(_key(instance), {}).update(dict.fromkeys(instance.aggregations))
    return [replace(instance, aggregations=tuple(phrases[_key(instance)])) for instance in kept]


def _key(instance: Instance) -> tuple[str, frozenset[str]]:
    return instance.type, frozenset(map(fold_phrase, instance.entities))


def _match_first(
    document: Document, tree: Tree, listed: NameList, sentence: Span, previous: str
) -> MinedPhrase | None:
    """Return the result of the first pattern whose phrase fits the names."""
    text = document.text
    entities = tuple(dict.fromkeys(_entity(name.of(text)) for name in listed.names))
    if len({fold_phrase(entity) for entity in entities}) < len(
        listed.names
    ) or not _has_whole_names(listed, entities):
        return None
    for match in matches(text, tree, listed):
        phrase = phrase_text(tree, match.first, match.last, match.head)
        type = type_of_set(tree.text(match.head), tuple(name.type for name in listed.names))
        if not phrase or type is None or any(entity.lower() in phrase for entity in entities):
            continue  # "boeing's rivals" does not name a set with Boeing
        context = f"{previous} {_remove_phrase(text, sentence, listed, match)}"
        return _make_phrase(document, entities, type, phrase, context, match.pattern, sentence)
    return None


def _entity(name: str) -> str:
    return " ".join(name.split()).removesuffix("'s").removesuffix("’s").strip()


def _has_whole_names(listed: NameList, entities: tuple[str, ...]) -> bool:
    """Return whether all names are complete, unlike "Sidney and Beatrice Webb"."""
    *earlier, last = entities
    people = listed.names[0].type == "PER"
    if people and len(last.split()) > 1 and all(len(name.split()) == 1 for name in earlier):
        return False
    return not any(entity.lower() in _SIDES for entity in entities)


def _remove_phrase(text: str, sentence: Span, listed: NameList, match: PatternMatch) -> str:
    """Return the sentence without the phrase that names the list."""
    alone = _format_list(text, listed)
    if match.cut.start == sentence.start:
        alone = alone[:1].upper() + alone[1:]
    after = text[match.cut.end : sentence.end]
    return text[sentence.start : match.cut.start] + alone + after


def _format_list(text: str, listed: NameList) -> str:
    """Return the list with a conjunction, even if that belongs to the removed phrase."""
    if listed.joined:
        return listed.span.of(text)
    *earlier, last = listed.members
    head = text[listed.start : earlier[-1].end]
    return f"{head} and {text[earlier[-1].end : last.end].lstrip(' ,')}"


PATTERN = "plural"
_CONTINUING_MARKS = ("'", "’", "-")
"""Characters after a phrase that cannot be removed: "the two countries' leaders"."""


def find_numbered(document: Document, base: KnowledgeBase) -> Iterator[MinedPhrase]:
    """Yield phrases with a number ("the two leaders", "both firms") that refer to earlier names.

    The base must confirm the noun for every name. The context begins with the sentence of the first
    name, and has the names in place of the phrase.
    """
    sentence_trees = list(trees(document))
    starts = [tree.tokens[0].start for tree in sentence_trees]
    for plural in link_plurals(document, base):
        if not plural.counted or not plural.supported:
            continue
        tree = sentence_trees[bisect_right(starts, plural.phrase.start) - 1]
        words = [index for index, token in enumerate(tree.tokens) if plural.phrase.contains(token)]
        phrase = phrase_text(tree, words[0], words[-1])
        end = plural.phrase.end
        if not phrase or document.text[end : end + 1] in _CONTINUING_MARKS:
            continue
        first = starts[bisect_right(starts, plural.antecedents[0].mention.start) - 1]
        names = [antecedent.name for antecedent in plural.antecedents]
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        before, after = document.text[first : plural.phrase.start], document.text[end:]
        context = f"{before}{listed}{after[: tree.tokens[-1].end - end]}"
        sentence = Span(tree.tokens[0].start, tree.tokens[-1].end)
        yield _make_phrase(document, names, plural.type, phrase, context, PATTERN, sentence)


def _make_phrase(
    document: Document,
    entities: Iterable[str],
    type: str,
    phrase: str,
    context: str,
    pattern: str,
    sentence: Span,
) -> MinedPhrase:
    metadata = document.metadata
    instance = Instance(
        id="",
        entities=tuple(sorted(entities)),
        type=type,
        title=metadata.title or "",
        context=" ".join(context.split()),
        aggregations=(phrase,),
        date=metadata.date or "",
        source=document.id,
    )
    return MinedPhrase(instance, pattern, " ".join(sentence.of(document.text).split()))
