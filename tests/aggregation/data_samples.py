"""Small instances and answers of our own for the tests of aggregation data."""

from __future__ import annotations

from hypothesis import strategies as st

from tatian.aggregation.data import Instance
from tatian.aggregation.data.cleanup import AnswerRecord, WrittenAnswer
from tatian.aggregation.data.records import TYPES
from tatian.text import Authorship

CITIES = Instance(
    "i1",
    ("Lisbon", "Porto"),
    "location",
    title="Two Cities Tax Tourists",
    context="Lisbon and Porto will tax short stays from May.",
    background={"Porto": "Porto is the second largest city in Portugal."},
    aggregations=("portuguese cities", "cities"),
    candidates=("ski resorts", "cities", "portuguese cities"),
)


def answer(item: str, worker: str, *phrases: str, **more: object) -> AnswerRecord:
    """What `worker` wrote about `item`; `id`, `replaces` and `ticked` (the N/A box) as needed."""
    id = str(more.get("id", f"{worker}/{item}"))
    replaces = more.get("replaces")
    return AnswerRecord(
        id,
        "aggregation",
        item,
        Authorship(worker, kind="person"),
        WrittenAnswer(phrases, not_applicable=bool(more.get("ticked", False))),
        replaces=str(replaces) if replaces else None,
    )


def numbered(count: int, *, types: tuple[str, ...] = ("location",)) -> list[Instance]:
    """Instances with entities and a phrase that no other has."""
    return [
        Instance(
            f"i{at:03}",
            (f"A{at}", f"B{at}"),
            types[at % len(types)],
            aggregations=(f"phrase {at}",),
            source=f"d{at // 2}",
        )
        for at in range(count)
    ]


words = st.text("abcdefghé ", min_size=1, max_size=12).filter(lambda text: bool(text.strip()))


def distinct(least: int, most: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Phrases no two of which differ in case and spaces alone."""
    by = lambda text: " ".join(text.split()).casefold()  # noqa: E731
    return st.lists(words, min_size=least, max_size=most, unique_by=by).map(tuple)


@st.composite
def instances(draw: st.DrawFn, *, gold: int = 0) -> Instance:
    """Any valid instance with at least `gold` right phrases."""
    entities = draw(distinct(2, 6))
    aggregations = draw(distinct(gold, 4))
    known = draw(st.lists(st.sampled_from(entities), unique=True))
    return Instance(
        draw(words),
        entities,
        draw(st.sampled_from(TYPES)),
        title=draw(st.text(max_size=20)),
        context=draw(st.text(max_size=40)),
        background={entity: draw(st.text(max_size=10)) for entity in known},
        aggregations=aggregations,
        candidates=draw(st.sampled_from([(), aggregations])),
        source=draw(words),
    )
