"""Relations as a table."""

from tatian.text import Span
from tatian.union.relations import Related, RelatedPart, Relation, Relations, to_table

FIRST, SECOND = "Oake <fired> him.", "Paula Oake dismissed him at last."


def part(sentence, *words):
    spans = [Span(sentence.index(word), sentence.index(word) + len(word)) for word in words]
    return RelatedPart(tuple(spans), " ".join(words))


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
    lines = to_table(Related("x", (1, 2), (FIRST, SECOND), rows)).render("text").splitlines()
    assert [line.split("  ") for line in map(str.rstrip, lines[1:])] == [
        ["disjoint ∅", "Oake", "at last"],
        ["", "", "", "", "", "", "him"],
    ]
