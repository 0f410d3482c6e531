"""What the guidelines rule out in a list of linked terms, so that page and server refuse the same.

Mention benchmark, §8.1: the longest phrase that has a page (1), in the order of the text (2), no
pronouns (technical guideline 4). Titles that no term may have are `LinkedTerm`'s own business.
``page/rules.js`` says the same in the browser; a test holds the two against each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tatian import limits
from tatian.errors import InputError
from tatian.formats.links import linked, links_of
from tatian.mentions.annotation import Detection, LinkedTerm
from tatian.mentions.models import Detector, detectors
from tatian.text import Document, Span
from tatian.text.lexicon import INDEFINITE_PRONOUNS, PRONOUNS
from tatian.workbench.tasks import Plain, by_model

NEVER = tuple(
    sorted(
        {*PRONOUNS, *INDEFINITE_PRONOUNS, "this", "that", "these", "those"}
        | {"who", "whom", "whose", "which", "what"}
    )
)
"""Words that stand for what other words name."""


def is_pronoun(term: str) -> bool:
    """Whether a term only refers; in capitals it is a name: US, IT, WHO."""
    return term.lower() in NEVER and not (len(term) > 1 and term.isupper())


def check(text: str, found: Detection) -> None:
    """Refuse an answer that breaks a rule; says which term does, and what to do."""
    if len(found.mentions) > limits.DETECTION_LINKS:
        raise InputError(f"more than {limits.DETECTION_LINKS:,} links in one text")
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
    if len(mention.title) > limits.DETECTION_TITLE_CHARACTERS:
        most = limits.DETECTION_TITLE_CHARACTERS
        raise InputError(f"the page of '{mention.term}' has a title of over {most} letters")


# Our own linker's work, as far as it keeps to the rules.


def draft(text: str, topic: str) -> Plain | None:
    """Links as the page keeps them; None where no model helps."""
    found = detected(text, topic)
    if not found:
        return None
    links = [{"start": one.start, "end": one.end, "title": one.title} for one in found]
    return {"mentions": links, "typed": "", "none": False}


@by_model
def detected(text: str, topic: str) -> tuple[LinkedTerm, ...]:
    """What the default linker finds, as far as it keeps to the rules; None where it fails."""
    from tatian.mentions.detection import detect_all

    (found,) = detect_all([linked("item", text, topic=topic)], _linker())
    return _allowed(found)


@cache
def _linker() -> Detector:
    return detectors.create()


def _allowed(found: Document) -> tuple[LinkedTerm, ...]:
    links = [
        link
        for one in links_of(found)
        if (link := _link(one.of(found.text), one.start, one.titles))
    ]
    kept = sorted({link for link in links if not is_pronoun(link.term)})
    inner = {shorter for shorter, _ in nested(kept)}
    chosen = Detection(tuple(link for link in kept if link not in inner))
    check(found.text, chosen)
    return chosen.mentions


def _link(term: str, start: int, titles: tuple[str, ...]) -> LinkedTerm | None:
    try:
        return LinkedTerm(start, start + len(term), term, titles[0]) if titles else None
    except ValueError:  # a page that the guidelines rule out
        return None
