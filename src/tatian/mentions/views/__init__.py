"""HTML page that shows texts with their links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape

from msgspec import Struct

from tatian.formats.links import links_of, topic_of
from tatian.formats.wiki import wikipedia_url
from tatian.knowledge.base import KnowledgeBase
from tatian.knowledge.entities import Kind
from tatian.text import Document, Link
from tatian.views.page import documents_page, fold_document
from tatian.views.wording import format_count

# Class names that occur once for each mention are short, to keep large pages small: ``m`` is a
# mention, ``person`` and so on its kind; ``data-p`` is the number of its page in the text's list,
# ``data-s`` the confidence of the link in percent.

_SLIDER = """<label class="scripted sure" for="least"><span>at least \
<output id="shown" for="least">0</output>% sure</span>
<input type="range" id="least" min="0" max="100" value="0" step="1"></label>"""


def mentions_page(
    texts: Sequence[Document], base: KnowledgeBase | None = None, title: str = "Mentions"
) -> str:
    """Return a page of texts with their links, with descriptions from `base`."""
    shown_links = [list(_drop_overlaps(links_of(text))) for text in texts]
    lists = [cards(mentions, base) for mentions in shown_links]
    articles = map(_article, texts, shown_links, lists, range(1, len(texts) + 1))
    header = (
        f'<p class="tally">{_count(shown_links, lists)}</p>\n'
        f'<fieldset class="choices"><legend>Show</legend>{_legend(shown_links, lists)}\n{_SLIDER}'
        '</fieldset>\n<p id="status" class="unseen" role="status"></p>'
    )
    body = "\n".join(articles) or '<p class="empty">No texts.</p>'
    card = '<div id="card" role="tooltip" hidden></div>'
    return documents_page(title, header, body, __name__, foot=card)


def _drop_overlaps(mentions: Sequence[Link]) -> Iterator[Link]:
    """Yield mentions in order, without those that begin inside another, since links cannot nest."""
    end = 0
    for current in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if current.start >= end and current.end > current.start:
            yield current
            end = current.end


def _count(shown_links: Sequence[Sequence[Link]], lists: Sequence[dict[str, Card]]) -> str:
    total = sum(map(len, shown_links))
    titles = {title for cards in lists for title in cards}
    counts = {"text": len(shown_links), "mention": total, "page": len(titles)}
    return ", ".join(format_count(count, noun) for noun, count in counts.items())


def _legend(shown_links: Sequence[Sequence[Link]], lists: Sequence[dict[str, Card]]) -> str:
    counts: Counter[str] = Counter()
    for mentions, cards in zip(shown_links, lists, strict=True):
        counts.update(cards[mention.titles[0]].kind for mention in mentions if mention.titles)
    return "".join(
        f'<label><input type="checkbox" id="k-{kind}" checked> '
        f'<span class="m {kind}">{kind}</span> <span class="count">{counts[kind]:,}</span></label>'
        for kind in KINDS
    )


def _article(text: Document, mentions: Sequence[Link], cards: dict[str, Card], number: int) -> str:
    places = {title: index for index, title in enumerate(cards, 1)}
    inner = "".join(_mark(text.text, mentions, cards, places))
    about = topic_of(text)
    topic = f'<p class="topic">Topic: <bdi>{escape(about)}</bdi></p>' if about else ""
    numbered = enumerate(cards.values(), 1)
    entries = "\n".join(_entry(card, f"p{number}-{index}") for index, card in numbered)
    listed = f"<ol>{entries}</ol>" if entries else '<p class="empty">None.</p>'
    name = text.metadata.title or text.id
    columns = (
        f'<div class="columns"><div>{topic}<div class="text" dir="auto">{inner}</div></div>\n'
        f'<aside aria-label="Pages of {escape(name)}"><h3>Pages</h3>\n{listed}</aside></div>'
    )
    note = f'<span class="chip">{format_count(len(mentions), "mention")}</span>'
    return fold_document(name, note, columns, number, opened=number == 1)


def _mark(
    text: str, mentions: Sequence[Link], cards: dict[str, Card], places: dict[str, int]
) -> Iterator[str]:
    end = 0
    for mention in mentions:
        yield escape(text[end : mention.start])
        end = mention.end
        words = escape(mention.of(text))
        if not mention.titles:
            yield f'<span class="m nil">{words}</span>'
            continue
        card = cards[mention.titles[0]]
        attributes = f'href="{escape(card.url)}" data-p="{places[card.title]}"'
        if mention.score is not None:
            attributes += f' data-s="{round(100 * mention.score)}"'
        if others := "; ".join(mention.titles[1:]):
            attributes += f' data-o="{escape(others)}"'
        yield f'<a class="m {card.kind}" {attributes}>{words}</a>'
    yield escape(text[end:])


def _entry(card: Card, id: str) -> str:
    about = f"<p>{escape(card.description)}</p>" if card.description else ""
    return (
        f'<li id="{id}" class="{card.kind}"><button type="button" aria-pressed="false">'
        f'<span class="m {card.kind}">{escape(card.title)}</span></button> '
        f'<span class="count">{card.count:,}</span>'
        f'<div class="about">{about}<p><span class="kind">{card.kind}</span> · '
        f'<a href="{escape(card.url)}">Wikipedia<span class="unseen">: {escape(card.title)}</span>'
        "</a></p></div></li>"
    )


KINDS: tuple[Kind, ...] = ("person", "location", "organisation", "concept")
_OF_TYPE: dict[str, Kind] = {"PER": "person", "LOC": "location", "ORG": "organisation"}


class Card(Struct, frozen=True):
    """One Wikipedia page that a text links to."""

    title: str
    kind: Kind
    description: str
    count: int
    """Number of mentions with it as their best page."""

    @property
    def url(self) -> str:
        """Its address on the web."""
        return wikipedia_url(self.title)


def cards(mentions: Iterable[Link], base: KnowledgeBase | None) -> dict[str, Card]:
    """Return the best pages of mentions by title, the most frequent first."""
    counts: dict[str, int] = {}
    types: dict[str, str] = {}
    for mention in mentions:
        if mention.titles:
            title = mention.titles[0]
            counts[title] = counts.get(title, 0) + 1
            types.setdefault(title, mention.type)
    ranked = sorted(counts, key=lambda title: (-counts[title], title))
    listed = {}
    for title in ranked:
        entity = base.entity(title) if base else None
        kind = entity.kind if entity else _OF_TYPE.get(types[title], "concept")
        description = entity.description if entity else ""
        listed[title] = Card(title, kind, description, counts[title])
    return listed
