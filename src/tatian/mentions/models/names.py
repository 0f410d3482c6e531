"""Detector of names by capitalisation and titles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tatian.mentions.spots import LISTS
from tatian.text import LINKS, MENTIONS, NAMES, Document, Mention, Name, Span, Token
from tatian.text.lexicon import MONTHS, REPORTING_VERBS, ROLE_TITLES, STOP_WORDS, TITLES, WEEKDAYS

_CONNECTORS = frozenset("of de la del van von der den bin al the for and".split())
TITLE_WORDS = frozenset(word for title in ROLE_TITLES | TITLES for word in title.split()) - {"of"}
"""Words of titles, in lower case."""
_ORGANISATION, _PLACE = (frozenset(LISTS[name].split()) for name in ("organisations", "places"))
_PLACE_PREPOSITIONS = frozenset("in at near from off outside toward towards through across".split())
_NOT_NAMES = frozenset({*WEEKDAYS, *MONTHS, *"i ok christmas easter day eve year".split()})


class NameDetector:
    """Names by capitalisation and titles; links nothing (no knowledge base)."""

    def detect(self, document: Document) -> Document:
        """Add the `names`, `mentions` and `links` layers."""
        pairs = list(self._mentions(document))
        names = [Name(head.start, head.end, mention.type) for mention, head in pairs]
        author = "tatian/names"
        if not document.has(NAMES):
            document = document.with_layer(NAMES, names, author)
        document = document.with_layer(MENTIONS, [mention for mention, _ in pairs], author)
        return document.with_layer(LINKS, (), author)

    def _mentions(self, document: Document) -> Iterator[tuple[Mention, Span]]:
        sentences = [document.tokens_in(sentence) for sentence in document.sentences]
        capitalised = _count_capitalised(sentences)
        lower = {token.text for tokens in sentences for token in tokens if token.text.islower()}
        runs: list[tuple[Sequence[Token], int, Sequence[Token]]] = []
        for tokens in sentences:
            has_trusted_case = not _is_title_case(tokens)
            for first, last in _capitalised_runs(tokens, capitalised, lower, has_trusted_case):
                runs.append((tokens, first, tokens[first:last]))
        surnames = {run[-1].text for tokens, first, run in runs if _is_person(tokens, first, run)}
        kinds: dict[str, Counter[str]] = {}
        for tokens, first, run in runs:
            head = run[_title_length(run) :]
            votes = kinds.setdefault(_text_of(head), Counter())
            if _is_person(tokens, first, run) or (len(head) == 1 and head[0].text in surnames):
                votes["PER"] += 1
            else:
                votes[_guess_type(tokens, first, head)] += 1
        for _, _, run in runs:
            head = run[_title_length(run) :]
            kind = _best_type(kinds[_text_of(head)])
            name = Span(head[0].start, head[-1].end)
            span = Span(run[0].start, run[-1].end)
            yield (Mention(span.start, span.end, kind, head=name if name != span else None), name)


def _text_of(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _best_type(votes: Counter[str]) -> str:
    """Return the type with the most votes, except MISC if there is another."""
    informative = [(count, kind) for kind, count in votes.items() if kind != "MISC"]
    return max(informative)[1] if informative else "MISC"


def _is_capitalised(token: Token) -> bool:
    return token.text[0].isupper() and token.text.lower() not in _NOT_NAMES


def _uninformative_starts(tokens: Sequence[Token]) -> set[int]:
    """Return indices where a capital is expected: first, or after a quote, a colon or a dash."""
    starts = {0}
    for index, token in enumerate(tokens[:-1]):
        if token.text in {'"', "“", "'", "‘", ":", "-", "–", "—", "("}:
            starts.add(index + 1)
    return starts


def _is_title_case(tokens: Sequence[Token]) -> bool:
    """Return whether this looks like a headline in title case."""
    if not tokens or tokens[-1].text in {".", "?", "!", '"', "”"}:
        return False
    words = [t for t in tokens if t.text[0].isalpha() and t.text.lower() not in STOP_WORDS]
    return len(words) > 3 and sum(t.text[0].isupper() for t in words) > 0.7 * len(words)


def _count_capitalised(sentences: Sequence[Sequence[Token]]) -> Counter[str]:
    """Count capitalised words at places where only names are capitalised."""
    counts: Counter[str] = Counter()
    for tokens in sentences:
        if _is_title_case(tokens):
            continue
        starts = _uninformative_starts(tokens)
        for index, token in enumerate(tokens):
            if index not in starts and _is_capitalised(token):
                counts[token.text] += 1
    return counts


def _capitalised_runs(
    tokens: Sequence[Token], capitalised: Counter[str], lower: set[str], has_trusted_case: bool
) -> Iterator[tuple[int, int]]:
    starts = _uninformative_starts(tokens)

    def is_name(index: int) -> bool:
        token = tokens[index]
        if not _is_capitalised(token) or not any(c.isalpha() for c in token.text):
            return False
        word = token.text.lower()
        if index in starts or not has_trusted_case:
            if word in STOP_WORDS:
                return False
            if capitalised[token.text] or word in TITLE_WORDS:
                return True
            following = index + 1 < len(tokens) and _is_capitalised(tokens[index + 1])
            return has_trusted_case and following and word not in lower
        return word not in STOP_WORDS or (len(word) > 1 and token.text.isupper())

    index = 0
    while index < len(tokens):
        if not is_name(index):
            index += 1
            continue
        last = index + 1
        while last < len(tokens):
            if is_name(last) and tokens[last].text != "I":
                last += 1
            elif (
                last + 1 < len(tokens)
                and tokens[last].text in _CONNECTORS - {"and"}
                and is_name(last + 1)
                and tokens[last - 1].text.lower() in _ORGANISATION | _PLACE
            ):
                last += 2
            else:
                break
        if not _is_title([token.text.lower() for token in tokens[index:last]]):
            yield index, last
        index = last


def _is_title(words: Sequence[str]) -> bool:
    """Return whether a run is only a title ("Prime Minister"), or a single "New"."""
    if len(words) > 1 and words[-1] in _ORGANISATION | _PLACE:
        return False
    return TITLE_WORDS.issuperset(words) or words == ["new"]


def _title_length(run: Sequence[Token]) -> int:
    """Return the number of leading tokens that are a title: "Prime Minister", "Gen."."""
    if run[-1].text.lower() in _ORGANISATION:
        return 0
    for index in range(len(run) - 1, 0, -1):
        if run[index - 1].text.lower() in TITLE_WORDS:
            return index
    return 0


def _is_person(tokens: Sequence[Token], first: int, run: Sequence[Token]) -> bool:
    words = [token.text.lower() for token in run]
    if words[-1] in _ORGANISATION or words[-1] in _PLACE or words[0] in _PLACE:
        return False
    if _title_length(run):
        return True
    if any(word in _ORGANISATION for word in words) or not 2 <= len(run) <= 4:
        return False
    before = tokens[first - 1].text.lower() if first else ""
    after = [token.text.lower() for token in tokens[first + len(run) : first + len(run) + 3]]
    if before in ROLE_TITLES or before in TITLE_WORDS:
        return True
    if after[:1] and after[0] in REPORTING_VERBS:
        return True
    if (
        after[:1] == [","]
        and len(after) > 1
        and (after[1].isdigit() or after[1] in {"who", "the", "a", "an"})
    ):
        return after[1] != "the" or before not in _PLACE_PREPOSITIONS
    return before not in _PLACE_PREPOSITIONS and before != "the"


def _guess_type(tokens: Sequence[Token], first: int, head: Sequence[Token]) -> str:
    words = [token.text.lower() for token in head]
    if any(word in _ORGANISATION for word in words):
        return "ORG"
    if any(word in _PLACE for word in words):
        return "LOC"
    before = tokens[first - 1].text.lower() if first else ""
    if before in _PLACE_PREPOSITIONS:
        return "LOC"
    if len(head) == 1 and len(head[0].text) > 1 and head[0].text.isupper():
        return "ORG"
    return "MISC"
