"""Texts with linked mentions for tests of formats: one written by hand, others made up."""

from __future__ import annotations

from hypothesis import strategies as st

from tatian.formats.links import build_document, place
from tatian.text import Document, Link

TEXT = "Complaints about marriage customs reached the Queen of Norway in Oslo."


def mention(term: str, *titles: str, text: str = TEXT, **more: object) -> Link:
    """A mention of `term` where it first stands."""
    start = text.index(term)
    return Link(start, start + len(term), titles, **more)  # type: ignore[arg-type]


CUSTOMS = build_document(
    "customs",
    TEXT,
    (
        mention("marriage", "Marriage", named=False),
        mention("customs", "Convention (norm)", "Tradition"),
        mention("Queen of Norway", "Monarchy of Norway", named=True, type="PER"),
        mention("Norway", "Norway", named=True, type="LOC", score=0.5),
        mention("Oslo", "Oslo", named=True, type="LOC"),
    ),
    topic="We should abolish the monarchy",
)
"""Several pages for a term, a term inside another, names and general terms."""

AIDA_FILE = (
    "-DOCSTART- (1 EU)\n"
    "EU\tB\tEU\t--NME--\n"
    "envoy\n"
    "Nikolaus\tB\tNikolaus van der Pas\tNikolaus_van_der_Pas\t"
    "http://en.wikipedia.org/wiki/Nikolaus_van_der_Pas\t123\t/m/0abc\n"
    "van\tI\tNikolaus van der Pas\tNikolaus_van_der_Pas\n"
    "spoke\n.\n\n"
    "Georgia\tB\tGeorgia\tGeorgia_\\u0028country\\u0029\n"
    "agreed\n.\n"
    "-DOCSTART- (2 Rare)\nRare\n"
)
GUM_FILE = (
    "# newdoc id = d1\n"
    "# global.Entity = GRP-etype-infstat-link-identity\n"
    "# text = The mayor of Washington sings\n"
    "1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\tEntity=(1-person-new-coref\n"
    "2\tmayor\tmayor\tNOUN\t_\t_\t5\tnsubj\t_\t_\n"
    "3\tof\tof\tADP\t_\t_\t4\tcase\t_\t_\n"
    "4\tWashington\tWashington\tPROPN\t_\t_\t2\tnmod\t_\tEntity=(2-place-new-coref-Washington%2C_D.C.)1)\n"
    "5\tsings\tsing\tVERB\t_\t_\t0\troot\t_\t_\n\n"
    "1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\tEntity=(2-place-giv:act-ana-Washington%2C_D.C.)\n"
    "2\tlistens\tlisten\tVERB\t_\t_\t0\troot\t_\t_\n\n"
)
ELEVANT_FILE = (
    '{"id":"customs","title":"News","text":"Complaints reached the Queen of Norway.",'
    '"evaluation_span":[0,39],"labels":[{"id":0,"span":[23,38],"entity_id":"Q1","name":"Queen",'
    '"type":"PER","children":[1]},{"id":1,"span":[32,38],"entity_id":"<NIL>","name":"Norway",'
    '"type":"LOC","parent":0,"optional":true}]}\n'
)
AQUAINT_FILES = {
    "aq/RawTexts/a.htm": "The R&D of it",
    "aq/Problems/a.htm": (
        "<ReferenceProblem>\n<ReferenceInstance>\n<SurfaceForm>\n\tR&amp;D\n</SurfaceForm>\n"
        "<Offset>\n\t4\n</Offset>\n<ChosenAnnotation>\n\thttp://en.wikipedia.org/wiki/Research\n"
        "</ChosenAnnotation>\n</ReferenceInstance>\n</ReferenceProblem>\n"
    ),
}

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
def linked_texts(draw: st.DrawFn) -> Document:
    """Any text with any mentions, linked to pages as Wikipedia writes their titles."""
    from tatian.knowledge.entities import page_title

    text = draw(WORDS)
    titles = TITLES.map(page_title).filter(lambda one: one and "#" not in one)
    mentions = [
        Link(
            start,
            end,
            tuple(draw(st.lists(titles, unique=True, min_size=1, max_size=2))),
            score=draw(st.none() | st.floats(0, 1)),
            named=draw(st.none() | st.booleans()),
            type=draw(st.sampled_from(("", "PER", "LOC", "ORG", "event"))),
            tags=tuple(draw(st.lists(TAGS, unique=True, max_size=2))),
        )
        for start, end in draw(spans(text))
    ]
    id = draw(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8))
    topic = draw(st.sampled_from(("", "Monarchy", 'a "quoted"\ntopic \\')))
    return build_document(id, text, tuple(sorted(mentions, key=place)), topic=topic)


TAGS = st.sampled_from(
    ("form:common", "form:full", "overlap:max", "pos:Verb", "odd tag", "optional")
)
