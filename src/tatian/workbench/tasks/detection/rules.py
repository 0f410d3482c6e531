"""Rules of the guidelines for linked terms, and links of Tatian's linker that keep to them.

Mention benchmark, §8.1: the longest phrase that has a page (1), in the order of the text (2), no
pronouns (technical guideline 4). `LinkedTerm` itself refuses titles that no term may have.
``page/rules.js`` implements the same rules; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from tatian import limits
from tatian.errors import InputError
from tatian.formats.labels import Detection, LinkedTerm
from tatian.formats.links import build_document, links_of
from tatian.mentions.models import Detector, detectors
from tatian.text.lexicon import INDEFINITE_PRONOUNS, PRONOUNS
from tatian.workbench.tasks import Json, by_model

NEVER_LINKED = tuple(
    sorted(
        {*PRONOUNS, *INDEFINITE_PRONOUNS, "this", "that", "these", "those"}
        | {"who", "whom", "whose", "which", "what"}
    )
)
"""Words that are never linked, such as pronouns."""


def is_pronoun(term: str) -> bool:
    """Return True for a pronoun, unless it is in capitals like the names US, IT and WHO."""
    return term.lower() in NEVER_LINKED and not (len(term) > 1 and term.isupper())


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
    """Yield each term that lies within a longer one, with the longest of these."""
    for inner in mentions:
        containing = [
            outer for outer in mentions if outer.contains(inner) and len(outer) > len(inner)
        ]
        if containing:
            yield inner, max(containing, key=len)


def draft_links(text: str, topic: str) -> Json | None:
    """Return the linker's links as a page state; None if there are none."""
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
    links = set()
    for link in links_of(document):
        term = link.of(document.text)
        if link.titles and not is_pronoun(term):
            with suppress(ValueError):  # The guidelines exclude this page.
                links.add(LinkedTerm(link.start, link.end, term, link.titles[0]))
    allowed = sorted(links)
    nested = {inner for inner, _ in find_nested(allowed)}
    detection = Detection(tuple(link for link in allowed if link not in nested))
    check(document.text, detection)
    return detection.mentions


@cache
def _linker() -> Detector:
    return detectors.create()
