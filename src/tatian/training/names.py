"""More sentences with names: from GUM's typed phrases, and by exchanging names of one kind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct, structs

from tatian.formats.entities import brackets
from tatian.text.spans import name_spans
from tatian.text.tokenizer import tokenize
from tatian.training.data import IGNORED, LabelledSentence, TreebankWord, lines_of

_KIND_OF = {"person": "PER", "place": "LOC", "organization": "ORG"}
_PAGE = 6
"""Index of GUM's page among the fields after the id."""
_BRIDGES = frozenset(("of", "the", "for", "and", "-", "&", "de", "'s"))


_TITLES = frozenset(
    "mr mrs ms miss dr prof professor president senator sen sir lady lord judge justice general "
    "gen minister prime king queen prince princess captain director chairman chair secretary "
    "governor gov rep representative mayor chief officer executive colonel sergeant".split()
)


class Phrase(Struct, frozen=True):
    """A typed phrase: words from `start` up to `end`."""

    start: int
    end: int
    kind: str
    page: str
    """The Wikipedia page it names, with underscores; empty for none."""


def with_entity_names(sentence: LabelledSentence) -> LabelledSentence:
    """The sentence with BIO labels for its persons, places and organisations."""
    labels = ["O"] * len(sentence.words)
    phrases = sorted(phrases_of(sentence.words), key=lambda p: (p.start - p.end, p.start))
    for phrase in phrases:
        kind = _KIND_OF.get(phrase.kind)
        if kind is None:
            continue
        start, end = _name_in(sentence.words, phrase)
        if start < end and all(label == "O" for label in labels[start:end]):
            labels[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - start - 1)
    return structs.replace(sentence, names=tuple(labels), all_kinds=False)


def phrases_of(words: tuple[TreebankWord, ...]) -> list[Phrase]:
    """The phrases that the ``Entity`` marks of a sentence open and close."""
    phrases: list[Phrase] = []
    opened: dict[tuple[str, int, int], list[tuple[int, tuple[str, ...]]]] = {}
    for index, word in enumerate(words):
        for bracket in brackets(word.entity):
            key = bracket[:3]
            if bracket.opens:
                opened.setdefault(key, []).append((index, bracket.fields))
            if bracket.closes and opened.get(key):
                start, fields = opened[key].pop()
                kind, page = "".join(fields[:1]), "-".join(fields[_PAGE:])
                phrases.append(Phrase(start, index + 1, kind, page))
    return phrases


def _name_in(words: tuple[TreebankWord, ...], phrase: Phrase) -> tuple[int, int]:
    """Return the proper nouns around the phrase's head, with words of its page title between."""
    inside = range(phrase.start, phrase.end)
    heads = [i for i in inside if words[i].head - 1 not in inside]
    if len(heads) != 1 or not _is_name(words[heads[0]]):
        return 0, 0
    title = set(phrase.page.lower().replace("(", "").replace(")", "").split("_"))
    title |= {"of", "-"} if phrase.kind == "organization" else {"-"}
    start = end = heads[0]
    end += 1
    while end < phrase.end and _continues(words, end, end + 1, phrase.end, title):
        end += 1
    while start > phrase.start and _continues(words, start - 1, start - 2, phrase.start, title):
        start -= 1
    while not _is_name(words[end - 1]):
        end -= 1
    while start < end and (not _is_name(words[start]) or _is_title(words[start])):
        start += 1
    return start, end


def _continues(
    words: tuple[TreebankWord, ...], at: int, beyond: int, limit: int, title: set[str]
) -> bool:
    if _is_name(words[at]):
        return True
    form = words[at].form.lower()
    if form in title and words[at].form[:1].isupper():
        return True
    return form in _BRIDGES and form in title and beyond != limit


def _is_title(word: TreebankWord) -> bool:
    """Return whether the word is a title, which name corpora leave out of names."""
    return word.form.lower().rstrip(".") in _TITLES


def _is_name(word: TreebankWord) -> bool:
    return word.upos == "PROPN" or word.xpos in ("NNP", "NNPS")


def with_other_names(
    sentences: Sequence[LabelledSentence],
    share: float,
    generator: np.random.Generator,
    gazetteer: Names | None = None,
) -> list[LabelledSentence]:
    """Copies, without trees, of a share of the sentences with names, each name exchanged.

    The other name is one of the sentences' own or, as often, one of the gazetteer.
    """
    chosen: Names = {}
    for sentence in sentences:
        for start, end, kind in name_spans(sentence.names):
            chosen.setdefault(kind, []).append(sentence.forms[start:end])
    copies: list[LabelledSentence] = []
    for sentence in sentences:
        spans = name_spans(sentence.names)
        if not spans or IGNORED in sentence.names or generator.random() >= share:
            continue
        forms, labels = list(sentence.forms), list(sentence.names)
        for start, end, kind in reversed(spans):
            listed = (gazetteer or {}).get(kind, [])
            pool = listed if listed and generator.random() < 0.5 else chosen[kind]
            other = pool[int(generator.integers(len(pool)))]
            forms[start:end] = other
            labels[start:end] = [f"B-{kind}"] + [f"I-{kind}"] * (len(other) - 1)
        copies.append(structs.replace(sentence, forms=tuple(forms), names=tuple(labels), words=()))
    return copies


_TYPES = {
    "PER": "/people/person /people/deceased_person /film/actor",
    "LOC": "/location/location /location/country /location/hud_county_place "
    "/location/statistical_region",
    "ORG": "/education/educational_institution /education/university /soccer/football_team "
    "/sports/sports_team /sports/professional_sports_team /music/record_label "
    "/film/film_distributor /organization/organization /business/business_operation",
    "MISC": "/film/film /tv/tv_program",
}
_KIND_OF_TYPE = {type: kind for kind, types in _TYPES.items() for type in types.split()}
LONGEST = 6
"""Most words of a name that is taken."""

Names = dict[str, list[tuple[str, ...]]]


def read_gazetteer(directory: Path) -> Names:
    """Return the labels of entities that facts classify as persons, places and so on."""
    votes: dict[str, Counter[str]] = {}
    for line in lines_of(directory / "facts.tsv.gz"):
        subject, relation, _ = line.split("\t")
        kind = _KIND_OF_TYPE.get("/".join(relation.split("/")[:3]))
        if kind:
            votes.setdefault(subject, Counter())[kind] += 1
    names: Names = {}
    for line in lines_of(directory / "entities.jsonl.gz"):
        record = json.loads(line)
        label = record.get("label") or ""
        if record["id"] not in votes or not label[:1].isupper():
            continue
        (kind, _), *_ = votes[record["id"]].most_common()
        words = tuple(label[token.start : token.end] for token in tokenize(label))
        if len(words) <= LONGEST:
            names.setdefault(kind, []).append(words)
    return names
