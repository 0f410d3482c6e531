"""How well a text tells the facts of a bundle: seven figures, which count only together.

A fact is told by a sentence if of every group of its keys at least one alternative occurs in it at
the start of a word, ignoring case and the kind of quotation marks; or, if no sentence does, by two
neighbouring sentences together. A semicolon ends a sentence for this purpose. Keys are words of the
accounts, so the figures are fair to texts that keep them, less so to free paraphrase. Sentences are
found by one plain rule, which does not depend on what else Tatian thinks a sentence is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from tatian.consolidation.bundles import Bundle, BundleFact
from tatian.errors import InputError

if TYPE_CHECKING:
    from tatian.statistics import Score

FEW = 8
"""A line of noise must be longer than so many characters: shorter ones occur by chance."""

_PARAGRAPH = re.compile(r"\n\s*\n")
_STOP = r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z0-9])"
_SENTENCE_END = re.compile(_STOP)
_CLAUSE_END = re.compile(rf"{_STOP}|;")
_QUOTES = str.maketrans("“”„‘’‛`´", "\"\"\"'''''")
_WORD = re.compile(r"\w+")


class Measures(Struct, frozen=True):
    """What is measured of one text against its bundle."""

    told: float
    """Share of the facts that are told."""
    main: float
    """The same, of those that a reader would miss."""
    again: float
    """Further sentences that tell an already told fact, for each told fact."""
    order: float
    """Kendall's tau between the facts' order and that in which they are first told."""
    noise: int
    """Lines that are no part of the story and occur in it, word for word."""
    length: float
    """Words for each word of the reference."""
    torn: int
    """Paragraphs with an odd number of double quotation marks."""
    sentence_words: float
    """Words of a sentence, on average."""
    paragraph_words: float
    """Words of a paragraph, on average."""


MEASURES = Measures.__struct_fields__
CORE = MEASURES[:7]
"""Those that say how good a text is; the others only say what it looks like."""


class Telling(Struct, frozen=True):
    """Where a text tells a fact."""

    fact: BundleFact
    places: tuple[int, ...]
    """The sentences that tell it, by their number in `sentences`; none if it is not told."""
    joined: bool = False
    """Whether it takes the sentence after the place as well."""


def measure(bundle: Bundle, text: str) -> Measures:
    """All measures of one text."""
    found = tellings(bundle, text)
    told = [telling for telling in found if telling.places]
    main = [telling for telling in found if telling.fact.main]
    words = len(text.split())
    paragraphs = _paragraphs(text)
    whole = [one for paragraph in paragraphs for one in _SENTENCE_END.split(paragraph)]
    return Measures(
        told=len(told) / len(found),
        main=sum(bool(telling.places) for telling in main) / len(main) if main else 1.0,
        again=sum(len(one.places) - 1 for one in told) / len(told) if told else 0.0,
        order=_tau([telling.places[0] for telling in told]),
        noise=_noise(bundle, text),
        length=words / len(bundle.reference_text().split()),
        torn=sum(_plain(paragraph).count('"') % 2 for paragraph in paragraphs),
        sentence_words=words / len(whole) if whole else 0.0,
        paragraph_words=words / len(paragraphs) if paragraphs else 0.0,
    )


def score(bundles: Sequence[Bundle], texts: Mapping[str, str]) -> dict[str, Score]:
    """Every measure over all bundles, from texts by the bundles' ids: `Score.values` has each
    bundle's, and `tatian.statistics.paired_bootstrap` tests two systems' scores.
    """
    from tatian.statistics import Score, fingerprint

    for bundle in bundles:
        if bundle.id not in texts:
            raise InputError(f"no text for the bundle '{bundle.id}'")
    measured = [measure(bundle, texts[bundle.id]) for bundle in bundles]
    ids = [bundle.id for bundle in bundles]
    data = fingerprint(msgspec.json.encode(bundle).decode() for bundle in bundles)
    return {
        name: Score.of(name, [float(getattr(one, name)) for one in measured], ids=ids, data=data)
        for name in MEASURES
    }


def tellings(bundle: Bundle, text: str) -> list[Telling]:
    """Where each fact is told, in the order of the facts."""
    plain = [_plain(sentence) for sentence in sentences(text)]
    found = []
    for fact in bundle.facts:
        alone = _telling(fact, plain)
        joined = [] if alone else _telling(fact, (" ".join(pair) for pair in pairwise(plain)))
        found.append(Telling(fact, tuple(alone or joined[:1]), joined=bool(joined)))
    return found


def tells(text: str, fact: BundleFact) -> bool:
    """Whether a text tells a fact, in one sentence or two neighbouring ones."""
    plain = [_plain(sentence) for sentence in sentences(text)]
    pairs = (" ".join(pair) for pair in pairwise(plain))
    return bool(_telling(fact, plain) or _telling(fact, pairs))


def sentences(text: str) -> list[str]:
    """The sentences of a text as the measures see them."""
    return [
        sentence
        for paragraph in _paragraphs(text)
        for sentence in _CLAUSE_END.split(paragraph)
        if sentence.strip()
    ]


def _paragraphs(text: str) -> list[str]:
    return [paragraph.strip() for paragraph in _PARAGRAPH.split(text) if paragraph.strip()]


def _plain(text: str) -> str:
    """Without case, line breaks and kinds of quotation marks."""
    return " ".join(text.translate(_QUOTES).lower().split())


def _telling(fact: BundleFact, plain: Iterable[str]) -> list[int]:
    """The numbers of the sentences that have a key of every group."""
    patterns = [_pattern(group) for group in fact.keys]
    return [
        index
        for index, sentence in enumerate(plain)
        if all(pattern.search(sentence) for pattern in patterns)
    ]


@lru_cache(maxsize=50_000)
def _pattern(group: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(_plain(key)) for key in group)})")


def _tau(places: Sequence[int]) -> float:
    """Pairs told in order less pairs told in reverse, over all pairs; one sentence's are neither.

    That is tau-a: tau-b would forgive who tells everything in one sentence.
    """
    pairs = [(later > earlier) - (later < earlier) for earlier, later in combinations(places, 2)]
    return sum(pairs) / len(pairs) if pairs else 0.0


def _noise(bundle: Bundle, text: str) -> int:
    given = bundle.sentences()
    lines = [given[place] for place in bundle.noise if len(given[place]) > FEW]
    said = _words(text)
    return sum(_words(line) in said for line in lines)


def _words(text: str) -> str:
    """The words alone, without case and punctuation, each between blanks."""
    return f" {' '.join(_WORD.findall(text.lower()))} "
