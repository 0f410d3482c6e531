"""What the pages that mentions are linked to tell of the chains of a document."""

from __future__ import annotations

from tatian.knowledge import KnowledgeBase
from tatian.text import CHAINS, LINKS, Chain, Document

_TYPES = {"person": "PER", "location": "LOC", "organisation": "ORG"}


def pages_of(document: Document) -> dict[str, str]:
    """The titles of the pages of chains, by the chains' ids; none where nothing is linked."""
    if not (document.has(LINKS) and document.has(CHAINS)):
        return {}
    linked = {(link.start, link.end): link.titles[0] for link in document.get(LINKS) if link.titles}
    found = ((chain.id, _page(chain, linked)) for chain in document.get(CHAINS))
    return {chain: page for chain, page in found if page}


def types_of(document: Document, base: KnowledgeBase | None) -> dict[str, str]:
    """What the things of chains are by the base, which knows better than the form of a name."""
    found = {}
    for chain, page in pages_of(document).items() if base is not None else ():
        entity = base.entity(page) if base is not None else None
        if entity is not None and entity.kind in _TYPES:
            found[chain] = _TYPES[entity.kind]
    return found


def _page(chain: Chain, linked: dict[tuple[int, int], str]) -> str:
    """Of the name alone, or of the mention with its title."""
    for mention in chain.mentions:
        for span in (mention.head or mention, mention):
            if page := linked.get((span.start, span.end)):
                return page
    return ""
