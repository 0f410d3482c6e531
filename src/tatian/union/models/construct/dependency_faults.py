"""Check a merged sentence for broken dependencies of its source sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.text.content import reporting_concepts
from tatian.text.spans import runs
from tatian.union.models.construct.graph import PRONOUNS, STATEMENTS, WordingGraph
from tatian.union.models.construct.reading import WordOrigin
from tatian.union.models.sentences import RELATIVES

_TIGHT = frozenset("det case mark aux cop amod nummod compound flat fixed cc".split())
"""Relations whose dependents must stay on the same side of the head as in the source."""
_ARGUMENTS = frozenset("nsubj csubj obj iobj xcomp ccomp".split())
_ADVERBIAL = frozenset("obl advmod advcl".split())
_FREE = frozenset(("advcl", "advmod"))
"""Relations whose dependents may attach to another verb than in the source."""
_SINGLE = {
    "nsubj": "subjects",
    "obj": "objects",
    "det": "articles",
    "cop": "copulas",
    "nmod:poss": "possessors",
}
"""Relations with at most one dependent per head, and their names in messages."""
_LINKS = frozenset("; : and but or while as after".split()) | RELATIVES
_PLACES = frozenset(("in", "at", "on"))
"""Prepositions that may introduce several phrases of one verb."""
_MAX_DISTANCE = 12
"""Maximum distance in words of two attributions, or of a noun and its relative clause."""
_MAX_TIME_DISTANCE = 3
"""Maximum distance in words of two times in one phrase, such as "on Monday, March 3"."""
_STOPS = frozenset(". ; , : and".split())


def find_dependency_faults(graph: WordingGraph) -> Iterator[str]:
    """Yield a message for each broken dependency of a wording."""
    for check in _CHECKS:
        yield from check(graph)


def _detached(graph: WordingGraph) -> Iterator[str]:
    """Report words whose head is missing."""
    for index, parent in enumerate(graph.parents):
        if parent is not None or not graph.is_word(index):
            continue
        sentence, place = graph.source(index)
        relation = sentence.relations[place]
        statement = relation in STATEMENTS and sentence.predicate(place)
        if relation == "ccomp" and sentence.concepts[sentence.heads[place]] in reporting_concepts():
            yield f"'{graph.reading.tokens[index].text}' lost its reporting verb"
        elif relation not in _FREE and not statement:
            yield f"'{graph.reading.tokens[index].text}' lost its head"


def _separated(graph: WordingGraph) -> Iterator[str]:
    """Report words that another phrase separates from their head."""
    tokens = graph.reading.tokens
    for index, parent in enumerate(graph.parents):
        if parent is None or parent < 0 or not graph.is_word(index):
            continue
        sentence, place = graph.source(index)
        relation, head = sentence.relations[place], sentence.heads[place]
        if head < 0:
            continue
        if relation in _TIGHT and (head > place) != (parent > index):
            yield f"'{tokens[index].text}' is on the wrong side of '{tokens[parent].text}'"
            continue
        foreign = _between(graph, index, parent, relation)
        if foreign is not None:
            pair = f"'{tokens[parent].text}' and '{tokens[index].text}'"
            yield f"'{tokens[foreign].text}' separates {pair}"


def _between(graph: WordingGraph, index: int, parent: int, relation: str) -> int | None:
    """Return the index of a word between a word and its head that depends on neither; else None."""
    origin, parent_origin = graph.reading.origins[index], graph.reading.origins[parent]
    assert origin is not None
    assert parent_origin is not None
    head = parent
    if relation in _ADVERBIAL:
        head = _predicate(graph, parent)
    between = range(min(index, parent) + 1, max(index, parent))
    if relation == "nsubj" and any(
        graph.reading.tokens[i].glue and graph.reading.tokens[i].text == "and" for i in between
    ):
        return None
    for i in between:
        other = graph.reading.origins[i]
        if other is None or not graph.is_word(i) or graph.is_below(i, head):
            continue
        if relation in _ADVERBIAL and _is_adverbial(graph, i, head):
            continue
        if other[0] != origin[0] or parent_origin[0] != origin[0]:
            return i
    return None


def _is_adverbial(graph: WordingGraph, index: int, head: int) -> bool:
    """Return True if a word is in an adverbial of `head` or of an ancestor of it."""
    seen: set[int] = set()
    while index not in seen:
        seen.add(index)
        origin, parent = graph.reading.origins[index], graph.parents[index]
        if origin is None or parent is None or parent < 0:
            return False
        if graph.is_below(head, parent):
            return _has_relation(graph, index, *_ADVERBIAL)
        index = parent
    return False


def _predicate(graph: WordingGraph, index: int) -> int:
    """Return the head of a particle or adverb, or else the word itself."""
    parent = graph.parents[index]
    is_particle = _has_relation(graph, index, "compound", "advmod")
    return parent if is_particle and parent is not None and parent >= 0 else index


def _has_relation(graph: WordingGraph, index: int, *relations: str) -> bool:
    """Return True if a word of a source has one of these relations there."""
    if graph.reading.origins[index] is None:
        return False
    sentence, place = graph.source(index)
    return sentence.relations[place] in relations


def _unfilled(graph: WordingGraph) -> Iterator[str]:
    """Report verbs and nouns that lost a subject, object or preposition of their source."""
    for (number, place), indices in graph.places.items():
        sentence, index = graph.sentences[number], indices[0]
        if graph.reading.tokens[index].quoted:
            continue
        for child in sentence.children[place]:
            relation, word = sentence.relations[child], (number, child)
            if word in graph.places:
                continue
            lacks_argument = relation in _ARGUMENTS and not _fills(graph, index, word, relation)
            lacks_case = relation == "case" and _keeps_head(graph, index, number, place)
            if relation in ("cop", "aux") or lacks_argument or lacks_case:
                verb = graph.reading.tokens[index].text
                yield f"'{verb}' lost its '{sentence.tokens[child].text}'"


def _keeps_head(graph: WordingGraph, index: int, number: int, place: int) -> bool:
    """Return True if a word has the same head as in its source."""
    parent = graph.parents[index]
    if parent is None or parent < 0:
        return False
    return graph.reading.origins[parent] == (number, graph.sentences[number].heads[place])


def _fills(graph: WordingGraph, verb: int, child: WordOrigin, relation: str) -> bool:
    """Return True if another word, or an added pronoun, takes the place of a lost argument."""
    opening = graph.opening(verb)
    before = graph.reading.tokens[opening - 1] if opening else None
    is_linked = before is not None and before.text.lower() in _LINKS
    if graph.has_added_pronouns and not is_linked:
        return True
    if is_linked and before is not None and before.glue and before.text in RELATIVES:
        noun = graph.antecedent(verb)
        is_pronoun = graph.sentences[child[0]].tag(child[1]) == "PRON"
        is_near = any(noun - _MAX_DISTANCE < i <= noun for i in graph.find_equivalents(child))
        return relation == "nsubj" and (is_pronoun or is_near)
    if relation == "ccomp" and _is_attribution(graph, verb):
        return True
    for index in graph.find_equivalents(child):
        if graph.parents[index] == verb:
            return True
        is_subject = relation == "nsubj" and index < verb and _has_relation(graph, index, "nsubj")
        if is_subject and (is_linked or _is_free(graph, index)):
            return True
    # An added pronoun may be the missing object, but not the subject of a linked verb.
    return graph.has_added_pronouns and relation != "nsubj"


def _is_free(graph: WordingGraph, index: int) -> bool:
    """Return True if the word was the subject of a verb that was dropped."""
    origin = graph.reading.origins[index]
    if origin is None or not _has_relation(graph, index, "nsubj"):
        return False
    return (origin[0], graph.sentences[origin[0]].heads[origin[1]]) not in graph.places


def _is_attribution(graph: WordingGraph, verb: int) -> bool:
    """Return True for an attribution between commas or at the end: ", police said"."""
    origin = graph.reading.origins[verb]
    assert origin is not None
    number, place = origin
    sentence = graph.sentences[number]
    subjects = [p for p in sentence.under(place, "nsubj") if (number, p) in graph.places]
    if sentence.concepts[place] not in reporting_concepts() or not subjects:
        return False
    phrase = sentence.subtree(subjects[0]) | {place, *sentence.under(place, "aux", "obl")}
    indices = [i for p in phrase for i in graph.places.get((number, p), ())]
    start, end = min(indices), max(indices) + 1
    while start and graph.reading.origins[start - 1] in {(number, p) for p in phrase}:
        start -= 1
    tokens = graph.reading.tokens
    is_opened = start > 0 and tokens[start - 1].text in {",", '"', "”"}
    return is_opened and (end == len(tokens) or tokens[end].text in {",", ".", ";"})


def _doubled(graph: WordingGraph) -> Iterator[str]:
    """Report heads with two dependents of a `_SINGLE` relation from different sentences."""
    slots: dict[tuple[int, str], list[int]] = {}
    for index, parent in enumerate(graph.parents):
        origin = graph.reading.origins[index]
        if parent is not None and parent >= 0 and origin is not None:
            sentence, place = graph.source(index)
            relation = sentence.words[place].relation
            if relation in _SINGLE:
                slots.setdefault((parent, relation), []).append(index)
    for (parent, relation), indices in slots.items():
        sides = {origin[0] for i in indices if (origin := graph.reading.origins[i]) is not None}
        between = graph.reading.tokens[indices[0] : indices[-1]]
        is_joined = any(token.text in ("and", "or") for token in between)
        is_title = relation == "nsubj" and indices[-1] - indices[0] == 1
        if len(sides) > 1 and not is_joined and not is_title:
            words = " and ".join(f"'{graph.reading.tokens[i].text}'" for i in indices)
            yield f"'{graph.reading.tokens[parent].text}' has two {_SINGLE[relation]}: {words}"


def _orphaned_pronouns(graph: WordingGraph) -> Iterator[str]:
    """Report pronouns whose likely antecedent, the subject of their sentence, was dropped."""
    for (number, place), indices in graph.places.items():
        sentence = graph.sentences[number]
        if sentence.lower[place] not in PRONOUNS or not graph.is_word(indices[0]):
            continue
        subjects = [p for p in sentence.under(sentence.root, "nsubj") if p < place]
        has_noun = bool(subjects) and sentence.concepts[subjects[0]] is not None
        if has_noun and not graph.find_equivalents((number, subjects[0])):
            yield f"'{sentence.lower[place]}' lost its antecedent '{sentence.lower[subjects[0]]}'"


def _unspoken(graph: WordingGraph) -> Iterator[str]:
    """Report quotations that lost their reporting verb."""
    for first, end in runs(token.quoted for token in graph.reading.tokens):
        origin = next((b for b in graph.reading.origins[first:end] if b is not None), None)
        if origin is None:
            continue
        sentence = graph.sentences[origin[0]]
        is_quoted = sentence.tokens[sentence.root].quoted
        is_reporting = sentence.concepts[sentence.root] in reporting_concepts() and not is_quoted
        inner = sentence.under(sentence.root, "ccomp", "parataxis")
        is_attributed = is_reporting and any(sentence.tokens[place].quoted for place in inner)
        if is_attributed and not graph.find_equivalents((origin[0], sentence.root)):
            yield "a quotation lost its reporting verb"


def _misplaced(graph: WordingGraph) -> Iterator[str]:
    """Report words of one sentence inside the other's brackets, and verbs with two times."""
    bracketed = -1
    times: dict[int, tuple[int, int]] = {}
    for index, origin in enumerate(graph.reading.origins):
        if origin is None:
            continue
        text, (number, place) = graph.reading.tokens[index].text, origin
        if text in ("(", ")"):
            bracketed = number if text == "(" else -1
        if bracketed not in (-1, number):
            yield f"'{text}' is in the brackets of the other sentence"
        sentence, parent = graph.sentences[number], graph.parents[index]
        adverbial = sentence.relations[place] in ("obl", "advmod") and sentence.temporal(place)
        if adverbial and parent is not None and parent >= 0:
            first, other = times.setdefault(parent, (number, index))
            if first != number and index - other > _MAX_TIME_DISTANCE:
                yield f"'{graph.reading.tokens[other].text}' and '{text}' are two times of one verb"


def _doubled_phrases(graph: WordingGraph) -> Iterator[str]:
    """Report two phrases of different sentences with the same preposition and head."""
    phrases: dict[tuple[int, str], tuple[int, int]] = {}
    for index, origin in enumerate(graph.reading.origins):
        parent = graph.parents[index]
        if origin is None or parent is None or parent < 0 or not graph.is_word(index):
            continue
        sentence, place = graph.source(index)
        marker = sentence.marker(place)
        if sentence.relations[place] not in ("obl", "nmod") or not marker or marker == "of":
            continue
        is_name = sentence.name_at(place) is not None
        if sentence.temporal(place) or (marker in _PLACES and not is_name):
            continue
        number, other = phrases.setdefault((parent, marker), (origin[0], index))
        if number != origin[0]:
            words = graph.reading.tokens[other].text, graph.reading.tokens[index].text
            yield f"two phrases with '{marker}': '{words[0]}' and '{words[1]}'"


def _articled_names(graph: WordingGraph) -> Iterator[str]:
    """Report an article of one sentence before a name of the other: "a Zurana Horton"."""
    tokens = graph.reading.tokens
    for index in range(1, len(tokens)):
        article, origin = graph.reading.origins[index - 1], graph.reading.origins[index]
        if origin is None or article is None or article[0] == origin[0]:
            continue
        sentence, place = graph.source(index)
        name = sentence.name_at(place)
        if name is None or tokens[index - 1].text not in ("a", "an"):
            continue
        end = index + name[1] - place
        after = graph.reading.origins[end] if end < len(tokens) else None
        is_modifier = after is not None and graph.sentences[after[0]].tag(after[1]) == "NOUN"
        if sentence.tag(name[1] - 1) == "PROPN" and not is_modifier:
            yield f"article before a name: '{tokens[index - 1].text} {tokens[index].text}'"


def _spliced(graph: WordingGraph) -> Iterator[str]:
    """Report comma splices and run-on sentences."""
    tops = [index for index in range(len(graph.parents)) if _is_statement(graph, index)]
    for top in tops[1:]:
        start = min(i for i in range(len(graph.parents)) if graph.is_below(i, top))
        before = next((t for t in reversed(graph.reading.tokens[:start]) if t.text != ","), None)
        if before is None or before.text.lower() in _LINKS or not before.text[0].isalnum():
            continue
        first = graph.reading.tokens[start].text.lower()
        if first not in _LINKS and not _continues_source(graph, start):
            yield f"comma splice before '{graph.reading.tokens[start].text}'"


def _is_statement(graph: WordingGraph, index: int) -> bool:
    """Return True for the main verb of a statement, but not of a following attribution."""
    origin, parent = graph.reading.origins[index], graph.parents[index]
    if origin is None or not graph.is_word(index) or parent not in (None, -1):
        return False
    sentence, place = graph.source(index)
    inner = sentence.under(place, "ccomp", "parataxis")
    has_content = any((origin[0], p) in graph.places for p in inner)
    is_attribution = not has_content and _is_attribution(graph, index)
    return sentence.relations[place] not in _FREE and not is_attribution


def _continues_source(graph: WordingGraph, start: int) -> bool:
    """Return True if the word before a statement precedes it in the source too."""
    origin, before = graph.reading.origins[start], graph.reading.origins[start - 1]
    return origin is not None and before == (origin[0], origin[1] - 1)


def _cut_short(graph: WordingGraph) -> Iterator[str]:
    """Report clause-final verbs that lost all dependents after them."""
    tokens = graph.reading.tokens
    for (number, place), indices in graph.places.items():
        sentence, index = graph.sentences[number], indices[0]
        if sentence.tag(place) != "VERB" or tokens[index].quoted:
            continue
        children = sentence.children[place]
        is_passive = any("pass" in sentence.words[child].relation for child in children)
        following = [c for c in children if c > place and sentence.tag(c) != "PUNCT"]
        lost_all = not any((number, child) in graph.places for child in following)
        next_text = tokens[index + 1].text if index + 1 < len(tokens) else "."
        had_next_word = place + 1 < len(sentence) and sentence.tag(place + 1) != "PUNCT"
        if following and had_next_word and lost_all and not is_passive and next_text in _STOPS:
            yield f"'{tokens[index].text}' lost all that followed it"


def _attributed_twice(graph: WordingGraph) -> Iterator[str]:
    """Report an attribution shortly after one of the other sentence."""
    last: tuple[int, int] | None = None
    for index, origin in enumerate(graph.reading.origins):
        if origin is None or graph.reading.tokens[index].quoted:
            continue
        sentence, place = graph.source(index)
        is_reporting = sentence.concepts[place] in reporting_concepts() and bool(
            sentence.under(place, "nsubj")
        )
        if is_reporting and sentence.relations[place] not in ("root", "parataxis"):
            continue
        if not is_reporting and sentence.lower[place] != "according":
            continue
        if last is not None and last[0] != origin[0] and index - last[1] <= _MAX_DISTANCE:
            between = graph.reading.tokens[last[1] : index]
            if not any(token.text in (";", "and") for token in between):
                yield f"'{graph.reading.tokens[index].text}' is a second attribution"
        last = origin[0], index


_CHECKS = (
    _detached,
    _separated,
    _unfilled,
    _doubled,
    _orphaned_pronouns,
    _unspoken,
    _misplaced,
    _articled_names,
    _doubled_phrases,
    _spliced,
    _cut_short,
    _attributed_twice,
)
