"""What the guidelines rule out in a list of linked terms, so that page and server refuse the same.

Mention benchmark, §8.1: the longest phrase that has a page (1), in the order of the text (2), no
pronouns (technical guideline 4). Titles that no term may have are `LinkedTerm`'s own business.
``page/rules.js`` says the same in the browser; a test holds the two against each other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec.structs import replace

from tatian.errors import InputError
from tatian.knowledge.forms import page_title
from tatian.mentions import ground_truth
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.statistics import AverageKappa
from tatian.text import Span
from tatian.text.layers import Authorship
from tatian.text.lexicon import INDEFINITE_PRONOUNS, PRONOUNS
from tatian.text.records import Record
from tatian.workbench.tasks.agreement import Answers, Dispute, Measure, Rule, Settled
from tatian.workbench.tasks.reading import converted, plain

NEVER = tuple(
    sorted(
        {*PRONOUNS, *INDEFINITE_PRONOUNS, "this", "that", "these", "those"}
        | {"who", "whom", "whose", "which", "what"}
    )
)
"""Words that stand for what other words name."""
MOST = 2_000
LONGEST_TITLE = 300


def is_pronoun(term: str) -> bool:
    """Whether a term only refers; in capitals it is a name: US, IT, WHO."""
    return term.lower() in NEVER and not (len(term) > 1 and term.isupper())


def check(text: str, found: Detection) -> None:
    """Refuse an answer that breaks a rule; says which term does, and what to do."""
    if len(found.mentions) > MOST:
        raise InputError(f"more than {MOST:,} links in one text")
    for mention in found.mentions:
        mention.check(text)
        _check_term(mention)
    for inner, outer in nested(found.mentions):
        raise InputError(
            f"'{inner.term}' lies within '{outer.term}', which is linked: link the longest phrase "
            "only"
        )


def nested(mentions: Sequence[LinkedTerm]) -> Iterator[tuple[LinkedTerm, LinkedTerm]]:
    """Every term that lies within a longer one, with the longest such one."""
    for inner in mentions:
        around = [one for one in mentions if _within(inner, one)]
        if around:
            yield inner, max(around, key=len)


def _within(inner: Span, outer: Span) -> bool:
    return outer.contains(inner) and len(outer) > len(inner)


def _check_term(mention: LinkedTerm) -> None:
    if mention.term != mention.term.strip():
        raise InputError(f"'{mention.term}' begins or ends with a blank: leave it out")
    if is_pronoun(mention.term):
        raise InputError(f"'{mention.term}' is a pronoun: link only what names a thing itself")
    if len(mention.title) > LONGEST_TITLE:
        raise InputError(
            f"the page of '{mention.term}' has a title of over {LONGEST_TITLE} letters"
        )


A = TypeVar("A")
_NAME = "average pairwise kappa"
NOT_LINKED = "not linked"


def agreement(answers: Mapping[str, Answers]) -> Sequence[Measure]:
    """The benchmark's kappa (§3), over all that anybody linked."""
    found = ground_truth.agreement(records(answers, Detection, "mentions.detect")).detection
    return [kappa(found, "whether a term is linked to a page, of all that anybody linked")]


def settled(answers: Answers, rule: Rule) -> Settled:
    """The links that enough annotators made; of nested ones the longest."""
    given = {person: _links(answer) for person, answer in answers.items()}
    votes = Counter(link for links in given.values() for link in links)
    agreed = sorted(link for link, count in votes.items() if rule.accepts(count, len(given)))
    inner = {shorter for shorter, _ in nested(agreed)}
    kept = tuple(link for link in agreed if link not in inner)
    answer = plain(Detection(kept)) if given else None
    return Settled(answer, tuple(_disputes(given)))


def kappa(found: AverageKappa | None, of: str) -> Measure:
    """The average over pairs of annotators, each weighed by the mentions both saw."""
    if found is None:
        return Measure(_NAME, None, 0, f"of {of}")
    pairs = {f"{one.first} {one.second}": one for one in found.pairs}
    return Measure(
        _NAME,
        None if math.isnan(found.value) else found.value,
        sum(one.mentions for one in found.pairs),
        f"of {of}; pairs weigh as much as they share; n: mentions compared, over all pairs",
        {name: one.kappa for name, one in pairs.items() if not math.isnan(one.kappa)},
    )


def records(answers: Mapping[str, Answers], kind: type[A], task: str) -> Iterator[Record[A]]:
    """Answers by item and annotator as records."""
    for key, by_person in answers.items():
        for person, answer in by_person.items():
            made = Authorship(person, kind="person")
            typed = converted(answer, kind, f"the answer of '{person}' to '{key}'")
            yield Record(f"{person}/{key}", task, key, made, typed)


def _links(answer: object) -> frozenset[LinkedTerm]:
    found = converted(answer, Detection, "not links").mentions
    return frozenset(replace(one, title=page_title(one.title)) for one in found)


def _disputes(given: Mapping[str, frozenset[LinkedTerm]]) -> Iterator[Dispute]:
    places = {(one.start, one.end): one.term for links in given.values() for one in links}
    for (start, end), term in sorted(places.items()):
        said = {
            person: _titles(one for one in links if (one.start, one.end) == (start, end))
            for person, links in given.items()
        }
        if len(set(said.values())) > 1:
            yield Dispute(f"“{term}” ({start}–{end})", said)


def _titles(links: Iterable[LinkedTerm]) -> str:
    return ", ".join(sorted(one.title for one in links)) or NOT_LINKED
