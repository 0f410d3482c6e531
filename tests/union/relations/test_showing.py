"""Relations as a table and as a page."""

import re
from html.parser import HTMLParser

from tatian.text import Span
from tatian.union.relations import Part, Relation, Relations
from tatian.union.relations.html import to_html
from tatian.union.relations.instances import Related
from tatian.union.relations.showing import sections, to_table

FIRST, SECOND = "Oake <fired> him.", "Paula Oake dismissed him at last."


def part(sentence, *words):
    spans = [Span(sentence.index(word), sentence.index(word) + len(word)) for word in words]
    return Part(tuple(spans), " ".join(words))


RELATED = Related(
    "a&b",
    (1, 2),
    (FIRST, SECOND),
    Relations(
        (
            Relation("entailed", part(FIRST, "Oake"), part(SECOND, "Paula Oake"), "a shorter name"),
            Relation(
                "equivalent",
                part(FIRST, "Oake", "<fired>"),
                part(SECOND, "Paula Oake", "dismissed"),
                "the same act",
                True,
            ),
            Relation("disjoint", second=part(SECOND, "at last")),
        )
    ),
)


def test_the_table_has_a_section_for_each_relation_in_the_papers_order():
    lines = to_table(RELATED).render("text").splitlines()
    assert [line.split("  ")[0] for line in lines] == [
        "relation",
        "S2 entails S1 ⇐",
        "S1 equivalent to S2 ⇔",
        "disjoint ∅",
    ]
    assert "≈ the same act" in lines[2]


def test_disjoint_parts_stand_side_by_side():
    rows = Relations(
        (
            Relation("disjoint", part(FIRST, "Oake")),
            Relation("disjoint", part(FIRST, "him")),
            Relation("disjoint", second=part(SECOND, "at last")),
        )
    )
    ((kind, shown),) = sections(Related("x", (1, 2), (FIRST, SECOND), rows))
    assert kind == "disjoint"
    assert [(row.first, row.second) for row in shown] == [("Oake", "at last"), ("him", "")]


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.text, self.tags, self.open = "", [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def test_the_page_shows_the_sentences_as_they_are():
    reader = Reader()
    reader.feed(to_html([RELATED]))
    assert FIRST in reader.text
    assert SECOND in reader.text
    assert "Item a&b" in reader.text


def test_the_smallest_part_decides_about_a_words_colour():
    page = to_html([RELATED])
    sentence = page[page.index("<dd>") : page.index("</dd>")]
    marks = re.findall(r'<mark class="(\w+)" title="[^"]*">(.*?)</mark>', sentence)
    assert marks == [("less", "Oake"), ("both", "&lt;fired&gt;")]


def test_the_page_fetches_nothing_and_runs_nothing():
    page = to_html([RELATED])
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page.replace("&#x27;", "'")


def test_tables_have_captions_and_headers_for_their_columns_and_groups():
    reader = Reader()
    reader.feed(to_html([RELATED]))
    scopes = [attrs.get("scope") for tag, attrs in reader.tags if tag == "th"]
    assert scopes == ["col", "col", "col", "rowgroup", "rowgroup", "rowgroup"]
    assert ("caption", {}) in reader.tags
