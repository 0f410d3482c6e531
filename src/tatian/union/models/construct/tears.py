"""Checks for words that a merge tore apart, by the dependencies of its sentences."""

from __future__ import annotations

from collections.abc import Iterator

from tatian.text.content import saying
from tatian.text.spans import runs
from tatian.union.models.construct.graph import WordingGraph
from tatian.union.models.construct.reading import Behind

_TIGHT = frozenset("det case mark aux cop amod nummod compound flat fixed cc".split())
"""Relations of words that stay on their side of the head."""
_ARGUMENTS = frozenset("nsubj csubj obj iobj xcomp ccomp".split())
_ADVERBIAL = frozenset("obl advmod advcl".split())
_FREE = frozenset(("advcl", "advmod"))
"""Relations of phrases that may modify another act than in their source."""
_STATEMENTS = frozenset("conj parataxis ccomp".split())
_RELATIVE = frozenset("who which that".split())
_LINKS = frozenset("; : and but or while as after".split()) | _RELATIVE
_PLACES = frozenset(("in", "at", "on"))
"""Prepositions of which one act may have several phrases."""
_NEAR = 12
"""Most words between two attributions of a statement, or a noun and its relative clause."""
_ADJACENT = 3
"""Most words between two times that are one phrase, such as "on Monday, March 3"."""
_STOPS = frozenset(". ; , : and".split())
_PRONOUNS = frozenset("he she it they him her them his its their".split())


def tears(graph: WordingGraph) -> Iterator[str]:
    """Yield the places where a wording is torn."""
    for check in _CHECKS:
        yield from check(graph)


def _detached(graph: WordingGraph) -> Iterator[str]:
    """Yield words without their head."""
    for index, parent in enumerate(graph.parents):
        behind = graph.reading.behind[index]
        if parent is not None or behind is None or not graph.is_word(index):
            continue
        sentence, place = graph.sentences[behind[0]], behind[1]
        relation = sentence.relations[place]
        statement = relation in _STATEMENTS and sentence.predicate(place)
        if relation == "ccomp" and sentence.concepts[sentence.heads[place]] in saying():
            yield f"'{graph.reading.tokens[index].text}' lost its speaker"
        elif relation not in _FREE and not statement:
            yield f"'{graph.reading.tokens[index].text}' lost what it belongs to"


def _separated(graph: WordingGraph) -> Iterator[str]:
    """Yield words that another phrase separates from their head."""
    tokens = graph.reading.tokens
    for index, parent in enumerate(graph.parents):
        behind = graph.reading.behind[index]
        if parent is None or parent < 0 or behind is None or not graph.is_word(index):
            continue
        sentence, place = graph.sentences[behind[0]], behind[1]
        relation, head = sentence.relations[place], sentence.heads[place]
        if head < 0:
            continue
        if relation in _TIGHT and (head > place) != (parent > index):
            yield f"'{tokens[index].text}' on the wrong side of '{tokens[parent].text}'"
            continue
        foreign = _between(graph, index, parent, relation)
        if foreign is not None:
            torn = f"'{tokens[parent].text}' and '{tokens[index].text}'"
            yield f"'{tokens[foreign].text}' between {torn}"


def _between(graph: WordingGraph, index: int, parent: int, relation: str) -> int | None:
    """Return a word between a word and its head that belongs to neither."""
    behind, above = graph.reading.behind[index], graph.reading.behind[parent]
    assert behind is not None
    assert above is not None
    head = parent
    if relation in _ADVERBIAL:
        head = _predicate(graph, parent)
    between = range(min(index, parent) + 1, max(index, parent))
    if relation == "nsubj" and any(
        graph.reading.tokens[i].glue and graph.reading.tokens[i].text == "and" for i in between
    ):
        return None
    for i in between:
        other = graph.reading.behind[i]
        if other is None or not graph.is_word(i) or graph.is_below(i, head):
            continue
        if relation in _ADVERBIAL and _is_adverbial(graph, i, head):
            continue
        if other[0] != behind[0] or above[0] != behind[0]:
            return i
    return None


def _is_adverbial(graph: WordingGraph, index: int, head: int) -> bool:
    """Return True if a word is in an adverbial of a verb above `head`."""
    seen: set[int] = set()
    while index not in seen:
        seen.add(index)
        behind, above = graph.reading.behind[index], graph.parents[index]
        if behind is None or above is None or above < 0:
            return False
        if graph.is_below(head, above):
            return graph.sentences[behind[0]].relations[behind[1]] in _ADVERBIAL
        index = above
    return False


def _predicate(graph: WordingGraph, index: int) -> int:
    """Return the verb above a particle or an adverb, or the word itself."""
    behind = graph.reading.behind[index]
    above = graph.parents[index]
    if behind is None or above is None or above < 0:
        return index
    particle = graph.sentences[behind[0]].relations[behind[1]] in ("compound", "advmod")
    return above if particle else index


def _unfilled(graph: WordingGraph) -> Iterator[str]:
    """Yield verbs and nouns without a subject, object or preposition of their source."""
    for (number, place), indices in graph.places.items():
        sentence, index = graph.sentences[number], indices[0]
        if graph.reading.tokens[index].quoted:
            continue
        for child in sentence.children[place]:
            relation, word = sentence.relations[child], (number, child)
            if word in graph.places:
                continue
            lost = relation in ("cop", "aux")
            lost = lost or (relation in _ARGUMENTS and not _fills(graph, index, word, relation))
            lost = lost or (relation == "case" and _keeps_head(graph, index, number, place))
            if lost:
                verb = graph.reading.tokens[index].text
                yield f"'{verb}' lost its '{sentence.tokens[child].text}'"


def _keeps_head(graph: WordingGraph, index: int, number: int, place: int) -> bool:
    """Return True if a word depends on the head that it has in its source."""
    parent = graph.parents[index]
    if parent is None or parent < 0:
        return False
    return graph.reading.behind[parent] == (number, graph.sentences[number].heads[place])


def _fills(graph: WordingGraph, verb: int, child: Behind, relation: str) -> bool:
    """Return True if a word that stands for a lost subject or object is the verb's own."""
    opening = graph.opening(verb)
    before = graph.reading.tokens[opening - 1] if opening else None
    linked = before is not None and before.text.lower() in _LINKS
    if graph.pronouns and not linked:
        return True
    if linked and before is not None and before.glue and before.text in _RELATIVE:
        noun = graph.antecedent(verb)
        pronoun = graph.sentences[child[0]].tag(child[1]) == "PRON"
        near = any(noun - _NEAR < i <= noun for i in graph.standing_for(child))
        return relation == "nsubj" and (pronoun or near)
    if relation == "ccomp" and _is_attribution(graph, verb):
        return True
    for index in graph.standing_for(child):
        if graph.parents[index] == verb:
            return True
        subject = relation == "nsubj" and index < verb and _is_subject(graph, index)
        if subject and (linked or _is_free(graph, index)):
            return True
    return graph.pronouns and relation != "nsubj"


def _is_free(graph: WordingGraph, index: int) -> bool:
    """Return True if the verb whose subject a word was is not in the wording."""
    behind = graph.reading.behind[index]
    if behind is None:
        return False
    sentence = graph.sentences[behind[0]]
    head = behind[0], sentence.heads[behind[1]]
    return sentence.relations[behind[1]] == "nsubj" and head not in graph.places


def _is_attribution(graph: WordingGraph, verb: int) -> bool:
    """Return True for "police said" between commas or at the end."""
    behind = graph.reading.behind[verb]
    assert behind is not None
    sentence, place = graph.sentences[behind[0]], behind[1]
    subjects = [p for p in sentence.under(place, "nsubj") if (behind[0], p) in graph.places]
    if sentence.concepts[place] not in saying() or not subjects:
        return False
    phrase = sentence.subtree(subjects[0]) | {place, *sentence.under(place, "aux", "obl")}
    indices = [i for p in phrase for i in graph.places.get((behind[0], p), ())]
    start, end = min(indices), max(indices) + 1
    while start and graph.reading.behind[start - 1] in {(behind[0], p) for p in phrase}:
        start -= 1
    tokens = graph.reading.tokens
    opens = start > 0 and tokens[start - 1].text in {",", '"', "”"}
    return opens and (end == len(tokens) or tokens[end].text in {",", ".", ";"})


def _is_subject(graph: WordingGraph, index: int) -> bool:
    behind = graph.reading.behind[index]
    return behind is not None and graph.sentences[behind[0]].relations[behind[1]] == "nsubj"


def _doubled(graph: WordingGraph) -> Iterator[str]:
    """Yield heads with two subjects, objects or articles of different sentences."""
    slots: dict[tuple[int, str], list[int]] = {}
    for index, parent in enumerate(graph.parents):
        behind = graph.reading.behind[index]
        if parent is not None and parent >= 0 and behind is not None:
            relation = graph.sentences[behind[0]].words[behind[1]].relation
            if relation in ("nsubj", "obj", "det", "cop", "nmod:poss"):
                slots.setdefault((parent, relation), []).append(index)
    for (parent, relation), indices in slots.items():
        sides = {behind[0] for i in indices if (behind := graph.reading.behind[i]) is not None}
        joined = any(
            graph.reading.tokens[i].text in ("and", "or") for i in range(indices[0], indices[-1])
        )
        title = relation == "nsubj" and indices[-1] - indices[0] == 1
        if len(sides) > 1 and not joined and not title:
            words = " and ".join(f"'{graph.reading.tokens[i].text}'" for i in indices)
            yield f"{words} side by side at '{graph.reading.tokens[parent].text}'"


def _orphaned_pronouns(graph: WordingGraph) -> Iterator[str]:
    """Yield pronouns whose sentence's subject, their likely antecedent, is lost."""
    for (number, place), indices in graph.places.items():
        sentence = graph.sentences[number]
        if sentence.lower[place] not in _PRONOUNS or not graph.is_word(indices[0]):
            continue
        subjects = [p for p in sentence.under(sentence.root, "nsubj") if p < place]
        named = bool(subjects) and sentence.concepts[subjects[0]] is not None
        if named and not graph.standing_for((number, subjects[0])):
            yield f"'{sentence.lower[place]}' lost '{sentence.lower[subjects[0]]}'"


def _unspoken(graph: WordingGraph) -> Iterator[str]:
    """Yield quotations of a sentence whose verb of saying is lost."""
    for first, end in runs(token.quoted for token in graph.reading.tokens):
        behind = next((b for b in graph.reading.behind[first:end] if b is not None), None)
        if behind is None:
            continue
        sentence = graph.sentences[behind[0]]
        quoted = sentence.tokens[sentence.root].quoted
        speaks = sentence.concepts[sentence.root] in saying() and not quoted
        inner = sentence.under(sentence.root, "ccomp", "parataxis")
        attributed = speaks and any(sentence.tokens[place].quoted for place in inner)
        if attributed and not graph.standing_for((behind[0], sentence.root)):
            yield "a quotation lost its speaker"


def _misplaced(graph: WordingGraph) -> Iterator[str]:
    """Yield words added in brackets, and two times of one act."""
    bracketed = -1
    times: dict[int, tuple[int, int]] = {}
    for index, behind in enumerate(graph.reading.behind):
        if behind is None:
            continue
        text, (number, place) = graph.reading.tokens[index].text, behind
        if text in ("(", ")"):
            bracketed = number if text == "(" else -1
        if bracketed not in (-1, number):
            yield f"'{text}' in the brackets of the other sentence"
        sentence, parent = graph.sentences[number], graph.parents[index]
        adverbial = sentence.relations[place] in ("obl", "advmod") and sentence.temporal(place)
        if adverbial and parent is not None and parent >= 0:
            first, other = times.setdefault(parent, (number, index))
            if first != number and index - other > _ADJACENT:
                yield f"'{graph.reading.tokens[other].text}' and '{text}' for one act"


def _doubled_phrases(graph: WordingGraph) -> Iterator[str]:
    """Yield phrases with one preposition and one head that both sentences brought."""
    phrases: dict[tuple[int, str], tuple[int, int]] = {}
    for index, behind in enumerate(graph.reading.behind):
        parent = graph.parents[index]
        if behind is None or parent is None or parent < 0 or not graph.is_word(index):
            continue
        sentence, place = graph.sentences[behind[0]], behind[1]
        marker = sentence.marker(place)
        if sentence.relations[place] not in ("obl", "nmod") or not marker or marker == "of":
            continue
        named = sentence.name_at(place) is not None
        if sentence.temporal(place) or (marker in _PLACES and not named):
            continue
        number, other = phrases.setdefault((parent, marker), (behind[0], index))
        if number != behind[0]:
            words = graph.reading.tokens[other].text, graph.reading.tokens[index].text
            yield f"'{marker}' twice, with '{words[0]}' and '{words[1]}'"


def _articled_names(graph: WordingGraph) -> Iterator[str]:
    """Yield "a Zurana Horton": an article of one sentence before a name of the other."""
    tokens = graph.reading.tokens
    for index in range(1, len(tokens)):
        article, behind = graph.reading.behind[index - 1], graph.reading.behind[index]
        if behind is None or article is None or article[0] == behind[0]:
            continue
        sentence, place = graph.sentences[behind[0]], behind[1]
        name = sentence.name_at(place)
        if name is None or tokens[index - 1].text not in ("a", "an"):
            continue
        end = index + name[1] - place
        after = graph.reading.behind[end] if end < len(tokens) else None
        noun = after is not None and graph.sentences[after[0]].tag(after[1]) == "NOUN"
        if sentence.tag(name[1] - 1) == "PROPN" and not noun:
            yield f"'{tokens[index - 1].text} {tokens[index].text}'"


def _spliced(graph: WordingGraph) -> Iterator[str]:
    """Yield statements that only a comma, or nothing, joins to what is before them."""
    tops = [index for index in range(len(graph.parents)) if _is_statement(graph, index)]
    for top in tops[1:]:
        start = min(i for i in range(len(graph.parents)) if graph.is_below(i, top))
        before = next((t for t in reversed(graph.reading.tokens[:start]) if t.text != ","), None)
        if before is None or before.text.lower() in _LINKS or not before.text[0].isalnum():
            continue
        first = graph.reading.tokens[start].text.lower()
        if first not in _LINKS and not _is_inside(graph, tops, start):
            yield f"only a comma before '{graph.reading.tokens[start].text}'"


def _is_statement(graph: WordingGraph, index: int) -> bool:
    """Return True for the main verb of a statement, but not of an attribution behind it."""
    behind, parent = graph.reading.behind[index], graph.parents[index]
    if behind is None or not graph.is_word(index) or parent not in (None, -1):
        return False
    sentence, place = graph.sentences[behind[0]], behind[1]
    inner = sentence.under(place, "ccomp", "parataxis")
    silent = all((behind[0], p) not in graph.places for p in inner)
    attributes = silent and _is_attribution(graph, index)
    return sentence.relations[place] not in _FREE and not attributes


def _is_inside(graph: WordingGraph, tops: list[int], start: int) -> bool:
    """Return True if a statement begins within another one, as "police said" may."""
    behind, before = graph.reading.behind[start], graph.reading.behind[start - 1]
    return behind is not None and before == (behind[0], behind[1] - 1)


def _cut_short(graph: WordingGraph) -> Iterator[str]:
    """Yield verbs at the end of a clause that lost all that followed them."""
    tokens = graph.reading.tokens
    for (number, place), indices in graph.places.items():
        sentence, index = graph.sentences[number], indices[0]
        if sentence.tag(place) != "VERB" or tokens[index].quoted:
            continue
        passive = any("pass" in sentence.words[c].relation for c in sentence.children[place])
        behind = [c for c in sentence.children[place] if c > place and sentence.tag(c) != "PUNCT"]
        kept = any((number, c) in graph.places for c in behind)
        following = tokens[index + 1].text if index + 1 < len(tokens) else "."
        adjacent = place + 1 < len(sentence) and sentence.tag(place + 1) != "PUNCT"
        if behind and adjacent and not kept and not passive and following in _STOPS:
            yield f"nothing follows '{tokens[index].text}'"


def _attributed_twice(graph: WordingGraph) -> Iterator[str]:
    """Yield an attribution right behind one of the other sentence."""
    last: tuple[int, int] | None = None
    for index, behind in enumerate(graph.reading.behind):
        if behind is None or graph.reading.tokens[index].quoted:
            continue
        sentence, place = graph.sentences[behind[0]], behind[1]
        according = sentence.lower[place] == "according"
        said = sentence.concepts[place] in saying() and bool(sentence.under(place, "nsubj"))
        if said and sentence.relations[place] not in ("root", "parataxis"):
            continue
        if not (according or said):
            continue
        if last is not None and last[0] != behind[0] and index - last[1] <= _NEAR:
            between = graph.reading.tokens[last[1] : index]
            if not any(token.text in (";", "and") for token in between):
                yield f"'{graph.reading.tokens[index].text}' attributes again"
        last = behind[0], index


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
