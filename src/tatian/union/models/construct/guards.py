"""Hard constraints on unions: a wording that violates one is rejected."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from tatian.text import SourcedToken
from tatian.text.content import is_content, reporting_concepts
from tatian.text.documents import MARKS
from tatian.text.lexicon import AUXILIARIES, CONJUNCTIONS, NEGATIONS, PREPOSITIONS, STOP_WORDS
from tatian.text.spans import runs
from tatian.union.models.construct.outline import StatementOutline
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.edit.writing import is_balanced
from tatian.union.models.sentences import Parsed
from tatian.union.models.tracing import is_verbatim

_MAY_CLOSE = frozenset(
    """him her them it me us you himself herself itself themselves there here then too also only
    just even still already again later earlier now ago once both each all more less most many
    much few several others another one same so up down off out over through around behind
    besides above below along near not before after since inside outside home away back together
    theirs hers mine ours yours""".split()
)
"""Stop words that may end a sentence."""
_ARTICLES = frozenset(("a", "an", "the"))
_AFTER_ARTICLE = _ARTICLES | PREPOSITIONS | CONJUNCTIONS | {"who", "which", "was", "were", "is"} | {
    "are", "has", "have", "had", "will", "that"
}  # fmt: skip
"""Words that cannot follow an article."""
_BEFORE_NOUN = frozenset("of from with by at".split())
"""Prepositions that need a noun after them."""
_TWICE = frozenset(("that", "had", "so", "very", "bye"))
"""Words that may occur twice in a row."""


def find_faults(reading: WordingReading) -> list[str]:
    """Return the grammatical faults of a wording; clauses are checked only if simple rules pass."""
    return list(_find_simple_faults(reading)) or list(_find_clause_faults(reading))


def find_draft_faults(reading: WordingReading, novel: int = 0) -> list[str]:
    """Return the faults of a language model's draft, such as lost negations or quotation marks.

    Up to `novel` words that no source has are accepted, if they are neither names nor figures.
    """
    faults = list(_find_simple_faults(reading))
    new_lowercase = {
        _describe_new(token) for token in reading.tokens if token.glue and token.text.islower()
    }
    if sum(fault in new_lowercase for fault in faults) <= novel:
        faults = [fault for fault in faults if fault not in new_lowercase]
    words = {token.text.lower() for token in reading.tokens}
    texts = [set(tree.lower) & NEGATIONS for tree in reading.sentences]
    if (words & NEGATIONS) - set().union(*texts) or set.intersection(*texts) - words:
        faults.append("adds a negation, or omits one that all sources have")
    quoted = set().union(*(_trigrams(tree.tokens, quoted=True) for tree in reading.sentences))
    unquoted = set().union(*(_trigrams(tree.tokens, quoted=False) for tree in reading.sentences))
    if (quoted - unquoted) & _trigrams(reading.tokens, quoted=False):
        faults.append("a quotation lost its quotation marks")
    return faults


def _describe_new(token: SourcedToken) -> str:
    return f"no source has '{token.text}'"


def _trigrams(tokens: Sequence[SourcedToken], *, quoted: bool) -> set[tuple[str, ...]]:
    """Return the trigrams whose words are all quoted, or all unquoted."""
    words = [t for t in tokens if any(c.isalnum() for c in t.text)]
    rows = zip(words, words[1:], words[2:], strict=False)
    return {
        tuple(word.text.lower() for word in row)
        for row in rows
        if all(word.quoted == quoted for word in row)
    }


def _find_simple_faults(reading: WordingReading) -> Iterator[str]:
    """Yield the faults that are found without parsing the wording."""
    tokens, sentences = reading.tokens, reading.sentences
    words = [token for token in tokens if any(c.isalnum() for c in token.text)]
    if not words:
        yield "no words"
        return
    for token in words:
        if token.glue and is_content(token.text):
            yield _describe_new(token)
    if not is_balanced(tokens):
        yield "quotation marks or brackets are not balanced"
    last = words[-1]
    final = {s.lower[s.end - 1] for s in sentences if s.end}
    if last.text.lower() in STOP_WORDS - _MAY_CLOSE and last.text.lower() not in final:
        yield f"ends in '{last.text}'"
    source_pairs = {pair for s in sentences for pair in pairwise(s.lower)}
    for first, second in pairwise(tokens):
        pair = first.text.lower(), second.text.lower()
        if pair in source_pairs or first.quoted or second.quoted:
            continue
        if pair[0] == pair[1] and pair[0][:1].isalnum() and pair[0] not in _TWICE:
            yield f"'{pair[0]}' occurs twice"
        elif pair[0] in _ARTICLES and (pair[1] in _AFTER_ARTICLE or not pair[1][:1].isalnum()):
            if pair[1] not in MARKS and pair[1] not in "$€£":
                yield f"nothing for '{pair[0]} {pair[1]}' to belong to"
        elif pair[0] in _BEFORE_NOUN and pair[1] in AUXILIARIES | {"and", "or", "who", "of"}:
            yield f"nothing for '{pair[0]} {pair[1]}' to belong to"
        elif pair[0] in {"and", "or", "but"} and pair[1] in {"and", "or", ".", ";", ","}:
            yield f"nothing for '{pair[0]} {pair[1]}' to join"
    for first, second in pairwise(tokens[1:]):
        stops = first.text == "." and second.text[:1].isalnum() and not first.quoted
        if stops and (first.text, second.text.lower()) not in source_pairs:
            yield "a sentence ends within it"
    yield from _headline_verbs(tokens, sentences)
    quotations = [tokens[first:end] for first, end in runs(token.quoted for token in tokens)]
    if not all(any(is_verbatim(q, s.tokens) for s in sentences) for q in quotations):
        yield "a quotation is not as its source has it"


def _headline_verbs(tokens: Sequence[SourcedToken], sentences: Sequence[Parsed]) -> Iterator[str]:
    """Yield present-tense verbs copied from a headline beside a report in the past."""
    headlines = [StatementOutline(sentence, False).headline for sentence in sentences]
    if all(headlines) or not any(headlines):
        return
    sentence = sentences[headlines.index(True)]
    for token in tokens:
        source = token.sources[0] if token.sources else None
        if source is None or source.document != sentence.passage.document.id:
            continue
        place = sentence.place_of.get(source.start)
        if place is None or source.kind != "copied" or token.text.lower() != sentence.lower[place]:
            continue
        present = sentence.words[place].fine in ("VBZ", "VBP") and sentence.tag(place) == "VERB"
        if present and sentence.relations[place] in ("root", "conj", "parataxis"):
            yield f"'{token.text}' is how a headline puts it"


def _find_clause_faults(reading: WordingReading) -> Iterator[str]:
    """Yield finite verbs that lack a subject and are not coordinated with another verb."""
    tree = reading.tree
    if tree is None:
        return
    yield from _find_bare_verbs(reading)
    for place in range(len(tree)):
        if tree.tag(place) not in ("VERB", "AUX") or tree.tokens[place].quoted:
            continue
        relation = tree.relations[place]
        if relation in ("aux", "cop"):
            continue
        finite = tree.finite(place)
        has_subject = bool(tree.under(place, "nsubj", "csubj", "expl"))
        bare_root = relation == "root" and finite and not has_subject and place > 0
        if bare_root and _had_subject(reading, place):
            yield f"'{tree.lower[place]}' has no subject"
        if relation == "acl" and not has_subject and _was_main_verb(reading, place):
            yield f"'{tree.lower[place]}' has no subject"
        if relation in ("parataxis", "conj", "appos", "dep") and finite and not has_subject:
            is_coordinated = tree.under(place, "cc") or _in_series(tree, place)
            is_reporting = tree.concepts[place] in reporting_concepts()
            if not is_coordinated and not is_reporting and _has_new_head(reading, place):
                yield f"'{tree.lower[place]}' has no subject"


def _in_series(tree: Parsed, place: int) -> bool:
    """Return True if a verb is the middle one of "came, saw and left"."""
    head = tree.heads[place]
    return any(child > place and tree.under(child, "cc") for child in tree.under(head, "conj"))


def _had_subject(reading: WordingReading, place: int) -> bool:
    origin = reading.origin_at(place)
    if origin is None:
        return False
    return bool(reading.sentences[origin[0]].under(origin[1], "nsubj", "csubj", "expl"))


def _was_main_verb(reading: WordingReading, place: int) -> bool:
    """Return True if a verb that now modifies a noun was a main verb in its source."""
    origin = reading.origin_at(place)
    if origin is None:
        return False
    sentence, index = reading.sentences[origin[0]], origin[1]
    is_main = sentence.relations[index] in ("root", "conj", "ccomp", "parataxis")
    is_simple = sentence.finite(index) and not sentence.under(index, "aux", "cop")
    return is_main and is_simple and bool(sentence.under(index, "nsubj"))


def _has_new_head(reading: WordingReading, place: int) -> bool:
    """Return True if the verb has another head than in its source."""
    tree = reading.tree
    assert tree is not None
    verb, head = reading.origin_at(place), reading.origin_at(tree.heads[place])
    if verb is None or head is None:
        return False
    return head != (verb[0], reading.sentences[verb[0]].heads[verb[1]])


_JOINERS = frozenset("and but or nor yet who which that whom whose to ; : then".split())


def _find_bare_verbs(reading: WordingReading) -> Iterator[str]:
    """Yield verbs that lost their subject and follow other words without a conjunction."""
    tree = reading.tree
    assert tree is not None
    placed = {number: place for place, number in enumerate(reading.index) if number is not None}
    for number, origin in enumerate(reading.origins):
        if origin is None or number == 0 or reading.tokens[number].quoted:
            continue
        sentence, index = reading.sentences[origin[0]], origin[1]
        if not _opens_predicate(sentence, index):
            continue
        before = number - 1
        while before > 0 and reading.tokens[before].text.lower() in _ADVERBS:
            before -= 1
        earlier = reading.origins[before]
        if earlier is not None and earlier[0] == origin[0] and earlier[1] < index:
            gap = range(earlier[1] + 1, index)
            if all(sentence.concepts[p] is None for p in gap):
                continue
        if reading.tokens[before].text.lower() in _JOINERS:
            continue
        verb = _main_verb(sentence, index)
        verb_places = [
            placed[n]
            for n, b in enumerate(reading.origins)
            if b == (origin[0], verb) and n in placed
        ]
        if verb_places and _keeps_subject(reading, verb_places[0], sentence, verb):
            continue
        yield f"'{reading.tokens[number].text}' has no subject"


def _keeps_subject(reading: WordingReading, place: int, sentence: Parsed, verb: int) -> bool:
    """Return True if a verb has a subject before it; after a comma, the one of its source."""
    tree = reading.tree
    assert tree is not None
    subjects = [p for p in tree.under(place, "nsubj", "csubj") if p < place]
    if not subjects:
        return False
    verb_group = min([place, *(p for p in tree.under(place, "aux", "cop") if p > subjects[0])])
    if tree.lower[verb_group - 1] != ",":
        return True
    origin = reading.origin_at(subjects[0])
    source_subjects = sentence.under(verb, "nsubj", "csubj")
    if origin is not None and source_subjects and reading.sentences[origin[0]] is sentence:
        return origin[1] == source_subjects[0] or sentence.heads[origin[1]] == source_subjects[0]
    return reading.text.count(",") > 1 and tree.lower[subjects[0] + 1] == ","


_ADVERBS = frozenset("also then later now still not never only already reportedly".split())


def _main_verb(sentence: Parsed, index: int) -> int:
    """Return the verb of an auxiliary or copula, or else the word itself."""
    return sentence.heads[index] if sentence.relations[index] in ("aux", "cop") else index


def _opens_predicate(sentence: Parsed, index: int) -> bool:
    """Return True if a word is the first of a finite verb with a subject before it."""
    verb = _main_verb(sentence, index)
    if verb < 0 or not sentence.predicate(verb) or not sentence.finite(verb):
        return False
    verb_group = [verb, *sentence.under(verb, "aux", "cop")]
    subjects = sentence.under(verb, "nsubj", "csubj")
    return (
        index == min(verb_group)
        and ((bool(subjects) and subjects[0] < index) or sentence.relations[verb] == "conj")
        and sentence.feature(index, "VerbForm") == "Fin"
    )
