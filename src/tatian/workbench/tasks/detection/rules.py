"""Rules of the guidelines for linked terms, the same on the page and on the server.

Mention benchmark, §8.1: the longest phrase that has a page (1), in the order of the text (2), no
pronouns (technical guideline 4). `LinkedTerm` itself refuses titles that no term may have.
``page/rules.js`` has the same rules for the browser; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tatian import limits
from tatian.errors import InputError
from tatian.formats.labels import Detection, LinkedTerm
from tatian.formats.links import build_document, links_of
from tatian.mentions.models import Detector, detectors
from tatian.text import Document
from tatian.text.lexicon import INDEFINITE_PRONOUNS, PRONOUNS
from tatian.workbench.tasks import Plain, by_model

NEVER = tuple(
    sorted(
        {*PRONOUNS, *INDEFINITE_PRONOUNS, "this", "that", "these", "those"}
        | {"who", "whom", "whose", "which", "what"}
    )
)
"""Words that are never linked, such as pronouns."""


def is_pronoun(term: str) -> bool:
    """Return True for a pronoun, unless it is in capitals like the names US, IT and WHO."""
    return term.lower() in NEVER and not (len(term) > 1 and term.isupper())


def check(text: str, detection: Detection) -> None:
    """Refuse an answer that breaks a rule; the error names the term and the remedy."""
    if len(detection.mentions) > limits.DETECTION_LINKS:
        raise InputError(f"more than {limits.DETECTION_LINKS:,} links in one text")
    for mention in detection.mentions:
        mention.check(text)
        if mention.term != mention.term.strip():
            raise InputError(f"'{mention.term}' begins or ends with a blank: leave it out")
        if is_pronoun(mention.term):
            raise InputError(f"'{mention.term}' is a pronoun: link only what names a thing itself")
        if len(mention.title) > limits.DETECTION_TITLE_CHARACTERS:
            limit = limits.DETECTION_TITLE_CHARACTERS
            raise InputError(f"the page of '{mention.term}' has a title of over {limit} letters")
    for inner, outer in find_nested(detection.mentions):
        raise InputError(
            f"'{inner.term}' lies within '{outer.term}', which is linked: link the longest phrase "
            "only"
        )


def find_nested(mentions: Sequence[LinkedTerm]) -> Iterator[tuple[LinkedTerm, LinkedTerm]]:
    """Yield every term that lies within a longer one, with the longest such one."""
    for inner in mentions:
        containing = [
            outer for outer in mentions if outer.contains(inner) and len(outer) > len(inner)
        ]
        if containing:
            yield inner, max(containing, key=len)


# Links of Tatian's linker that keep to the rules.


def draft(text: str, topic: str) -> Plain | None:
    """Return links as a page state; None if no model helps."""
    terms = detect_links(text, topic)
    if not terms:
        return None
    links = [{"start": term.start, "end": term.end, "title": term.title} for term in terms]
    return {"mentions": links, "typed": "", "none": False}


@by_model
def detect_links(text: str, topic: str) -> tuple[LinkedTerm, ...]:
    """Return the links of the default linker that keep to the rules; None if it fails."""
    from tatian.mentions.detection import detect_all

    (document,) = detect_all([build_document("item", text, topic=topic)], _linker())
    return _filter_allowed(document)


@cache
def _linker() -> Detector:
    return detectors.create()


def _filter_allowed(document: Document) -> tuple[LinkedTerm, ...]:
    links = [
        link
        for span in links_of(document)
        if (link := _link(span.of(document.text), span.start, span.titles))
    ]
    links_allowed = sorted({link for link in links if not is_pronoun(link.term)})
    shorter_ones = {shorter for shorter, _ in find_nested(links_allowed)}
    detection = Detection(tuple(link for link in links_allowed if link not in shorter_ones))
    check(document.text, detection)
    return detection.mentions


def _link(term: str, start: int, titles: tuple[str, ...]) -> LinkedTerm | None:
    try:
        return LinkedTerm(start, start + len(term), term, titles[0]) if titles else None
    except ValueError:  # The guidelines exclude this page.
        return None
