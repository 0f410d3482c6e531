"""Texts with linked mentions for tests of formats: one written by hand, others made up."""

from __future__ import annotations

from hypothesis import strategies as st

from tatian.mentions.data.jsonl import place
from tatian.mentions.data.records import LinkedMention, LinkedText

TEXT = "Complaints about marriage customs reached the Queen of Norway in Oslo."


def mention(term: str, *titles: str, text: str = TEXT, **more: object) -> LinkedMention:
    """A mention of `term` where it first stands."""
    start = text.index(term)
    return LinkedMention(start, start + len(term), term=term, titles=titles, **more)  # type: ignore[arg-type]


CUSTOMS = LinkedText(
    id="customs",
    text=TEXT,
    topic="We should abolish the monarchy",
    mentions=(
        mention("marriage", "Marriage", named=False),
        mention("customs", "Convention (norm)", "Tradition"),
        mention("Queen of Norway", "Monarchy of Norway", named=True, type="PER"),
        mention("Norway", "Norway", named=True, type="LOC", score=0.5),
        mention("Oslo", "Oslo", named=True, type="LOC"),
    ),
)
"""Several pages for a term, a term inside another, names and general terms."""

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1)
TITLES = st.text(
    st.characters(categories=("Ll", "Lu", "Nd"), include_characters="_ ()'&,.!?%+#\"/:-é"),
    min_size=1,
    max_size=12,
)


@st.composite
def spans(draw: st.DrawFn, text: str) -> list[tuple[int, int]]:
    """Different stretches of a text, none of them empty."""
    places = st.integers(0, len(text))
    pairs = st.tuples(places, places).filter(lambda one: one[0] < one[1])
    return draw(st.lists(pairs, unique=True, max_size=5))


@st.composite
def linked_texts(draw: st.DrawFn) -> LinkedText:
    """Any text with any mentions, linked to pages as Wikipedia writes their titles."""
    from tatian.knowledge.forms import page_title

    text = draw(WORDS)
    titles = TITLES.map(page_title).filter(lambda one: one and "#" not in one)
    mentions = [
        LinkedMention(
            start,
            end,
            term=text[start:end],
            titles=tuple(draw(st.lists(titles, unique=True, min_size=1, max_size=2))),
            score=draw(st.none() | st.floats(0, 1)),
            named=draw(st.none() | st.booleans()),
            type=draw(st.sampled_from(("", "PER", "LOC", "ORG", "event"))),
            tags=tuple(draw(st.lists(TAGS, unique=True, max_size=2))),
        )
        for start, end in draw(spans(text))
    ]
    id = draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8))
    topic = draw(st.sampled_from(("", "Monarchy", 'a "quoted"\ntopic \\')))
    return LinkedText(id, text, topic, tuple(sorted(mentions, key=place)))


TAGS = st.sampled_from(
    ("form:common", "form:full", "overlap:max", "pos:Verb", "odd tag", "optional")
)
