"""Where accounts give another figure, or another name, for one thing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

import tatian
from tatian.analysis.coverage import read_coverage
from tatian.analysis.installed import unavailable
from tatian.consolidation.conflicts import find_conflicts
from tatian.consolidation.coverage import compare_spans
from tatian.consolidation.notes import ConflictNotes
from tatian.consolidation.plan import StorySources
from tatian.consolidation.spans import read_spans
from tatian.text import Document, Metadata
from tatian.text.datelines import publication_days
from tatian.text.documents import Passage, copy_tokens
from tatian.text.layers import render

pytestmark = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")

NIGHT = "The fire at the sawmill was put out at 7 a.m., the chief of the brigade said."
MORNING = "Thirty men put out the fire at the sawmill at 6:40 a.m., and two were hurt."


@pytest.fixture(scope="module")
def pipeline() -> tatian.Pipeline:
    return tatian.Pipeline()


class Found:
    """What is disputed between some accounts."""

    def __init__(
        self,
        pipeline: tatian.Pipeline,
        *texts: str,
        days: Sequence[date | None] = (),
        sources: Sequence[str] = (),
    ) -> None:
        given = [*days, *[None] * (len(texts) - len(days))]
        self.documents = [
            pipeline.process(
                Document(
                    chr(97 + n),
                    text,
                    Metadata(
                        source=sources[n] if sources else None,
                        date=day.isoformat() if (day := given[n]) else None,
                    ),
                )
            )
            for n, text in enumerate(texts)
        ]
        sources = tuple(read_spans(n, one) for n, one in enumerate(self.documents))
        self.days = tuple(publication_days(self.documents))
        story = StorySources(sources, self.days, {})
        self.spans = story.spans
        self.before = compare_spans(self.spans, self.documents, judge=read_coverage)
        self.conflicts, self.settled = find_conflicts(story, self.before, read_coverage)

    @property
    def values(self) -> list[list[str]]:
        """What is said instead of what, for each dispute."""
        return [
            [one.claim.figure.of(self.documents[one.key[0]].text) for one in conflict.claims]
            for conflict in self.conflicts
        ]

    def written(self, number: int = 0) -> str:
        """A unit with its notes."""
        span = self.spans[number]
        notes = ConflictNotes(self.conflicts, self.documents, self.days)
        words = [copy_tokens(Passage(self.documents[span.source], body)) for body in span.bodies]
        return " ".join(render(one) for one in notes.added(span, words))


class TestConflicts:
    @pytest.mark.parametrize(
        ("one", "other", "values"),
        [
            (NIGHT, MORNING, ["7 a.m.", "6:40 a.m."]),
            (
                "Paige was married twice and lived in Florida.",
                "Paige was married three times but had no children.",
                ["twice", "three times"],
            ),
            (
                "A 6.1-magnitude quake struck the island of Velm on Sunday.",
                "A 5.9-magnitude quake struck the island of Velm on Sunday, killing a man.",
                ["6.1", "5.9"],
            ),
            (
                "It was -20 degrees in Orme on Monday.",
                "It was -25 degrees in Orme on Monday.",
                ["-20 degrees", "-25 degrees"],
            ),
            (
                "The climber died after falling about 150 metres from a ridge on Mount Orme.",
                "The climber died after he fell about 60 metres from a ridge on Mount Orme.",
                ["150 metres", "60 metres"],
            ),
            (
                "The quake struck Velm island, home to 120,000 people.",
                "The quake struck near Velm island, home to 200,000 people.",
                ["120,000", "200,000"],
            ),
            (
                "Harold Timmins, 58, was shot in the doorway of the shop.",
                "Harold Timmins, 61, was shot in the doorway of his shop.",
                ["58", "61"],
            ),
            (
                "We are aware of the arrest, general manager Adam Smith said in a statement.",
                "We are aware of the arrest, general manager Adam Butler said in a statement.",
                ["Adam Smith", "Adam Butler"],
            ),
            (
                "The Ingrid Toll struck the quay at 7:40 a.m., the harbour office said.",
                "The ferry of captain Marla Grey struck the north quay at 7:20 a.m. on Tuesday.",
                ["7:40 a.m.", "7:20 a.m."],
            ),
            (
                "Rescue crews brought everyone ashore within two hours.",
                "The passengers were all brought ashore within three hours by rescue crews.",
                ["two hours", "three hours"],
            ),
            (
                "The fire at the mill in Orme burned for six and a half hours, the chief said.",
                "The fire at the mill in Orme burned for nine hours, the mayor said.",
                ["six and a half hours", "nine hours"],
            ),
            (
                "Thirteen were injured when the ferry struck the quay at Orme.",
                "The ferry struck the quay at Orme, injuring 12 people.",
                ["Thirteen", "12"],
            ),
            (
                "Masked men robbed the bank in Quill Street and escaped with 40,000 crowns.",
                "Robbers held up the Quill Street bank and got away with 65,000 crowns.",
                ["40,000 crowns", "65,000 crowns"],
            ),
            (
                "The union of the dockers wants a rise in pay of 6 percent.",
                "The dockers demand 8 percent more pay.",
                ["6 percent", "8 percent"],
            ),
            (
                "The damage at the Corvin mill was put at $2 million.",
                "The loss at the Corvin mill is thought to be $3 million.",
                ["$2 million", "$3 million"],
            ),
            (
                "Three firefighters were taken to hospital suffering from smoke inhalation.",
                "Two firefighters were treated in hospital for smoke inhalation.",
                ["Three", "Two"],
            ),
            ("Peter Lund, 38, was dismissed.", "Peter Lund, 39, was dismissed.", ["38", "39"]),
            (
                "The statue, 62 centimetres high, was handed to a delegation in Orme.",
                "The bronze, 64 centimetres tall, came to Orme as a gift from a merchant.",
                ["62 centimetres", "64 centimetres"],
            ),
        ],
    )
    def test_values_that_exclude_each_other(
        self, pipeline: tatian.Pipeline, one: str, other: str, values: list[str]
    ) -> None:
        assert Found(pipeline, one, other).values == [values]

    @pytest.mark.parametrize("gap", ["\n", "\r\n", "\u00a0", "  \n  "])
    @pytest.mark.parametrize(
        ("said", "other", "values"),
        [
            ("a fall of 150 metres", "a fall of 60 metres", ["150 metres", "60 metres"]),
            ("a man called Adam Smith", "a man called Adam Butler", ["Adam Smith", "Adam Butler"]),
            ("a team of four firefighters", "a team of seven firefighters", ["four", "seven"]),
        ],
    )
    def test_values_are_found_wherever_lines_end(
        self, pipeline: tatian.Pipeline, gap: str, said: str, other: str, values: list[str]
    ) -> None:
        before, _, last = other.rpartition(" ")
        told = "The old keeper of the light on the shore at Orme was saved from death by {} there."
        found = Found(pipeline, told.format(said), told.format(f"{before}{gap}{last}"))
        assert [[" ".join(one.split()) for one in each] for each in found.values] == [values]
        assert f"({values[1]} by another account)" in found.written()

    def test_claims_of_one_point_are_one_conflict(self, pipeline: tatian.Pipeline) -> None:
        found = Found(pipeline, NIGHT, MORNING, MORNING.replace("Thirty", "Many"))
        assert found.values == [["7 a.m.", "6:40 a.m.", "6:40 a.m."]]


class TestNoConflicts:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("The blast killed five people in Orme.", "The blast injured nine people in Orme."),
            ("The company offers 3 percent more pay.", "The dockers demand 8 percent more pay."),
            ("Marden have won five games in a row.", "Ostrey have lost three games in a row."),
            ("The blast killed at least five people.", "The blast killed nine people in Orme."),
            ("The blast in Orme injured about 30.", "The blast in Orme injured 43 people."),
            (
                "The climber fell 60 metres on Mount Orme.",
                "The climber fell 200 feet on Mount Orme.",
            ),
            ("Five of the train's eleven cars burned.", "Six cars of the train burned."),
            ("Anna Rees scored 12 points for Orme.", "Carl Voss scored 14 points for Orme."),
            (
                "A 6.1-magnitude quake struck Velm in September 2003.",
                "A 5.6-magnitude quake struck Velm in November 2005.",
            ),
            ("The police were called at 3 p.m.", "The fire was put out at 7 p.m."),
            ("The mayor, José Al-Lund, wept.", "The mayor, Jose al-Lund, wept."),
            ('The singer Peter "Red" Lund wept.', "The singer Peter Eugene Lund wept."),
            (
                "The family owns 24.8 percent of the mill.",
                "The family owns a quarter of the mill.",
            ),
            ("At 01:38:09 the pilot said that he wept.", "At 01:37 the pilot said that he wept."),
            (
                "Crews brought them ashore in two hours.",
                "Crews brought them ashore in 120 minutes.",
            ),
            ("Police questioned Lund for three hours.", "Police freed Lund within two hours."),
            ("Lund is to appear in court on Tuesday.", "Lund is to appear in court on 19 August."),
            ("Orme Lines is one of the largest in Velm.", "Orme Lines is two of the largest ones."),
            ("The ship had one launcher and two guns.", "The ship had three rifles and two guns."),
            ("The coach, Maurice Lund, wept.", "The coach, Mo Lund, wept."),
            ("The mill burned down three days ago.", "The mill burned down two days ago."),
            (
                "Anna Rees scored 12 points for Orme.",
                "14 points were scored by Carl Voss for Orme.",
            ),
        ],
    )
    def test_of_what_may_both_be_right(
        self, pipeline: tatian.Pipeline, one: str, other: str
    ) -> None:
        assert Found(pipeline, one, other).values == []

    def test_source_that_gives_both_values_has_no_conflict(self, pipeline: tatian.Pipeline) -> None:
        both = MORNING + " The fire at the sawmill was out at 7 a.m. for the last time."
        assert Found(pipeline, NIGHT, both).values == []

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                "The jar might have been sold for more than forty crowns, he said.",
                "The jar might have been sold for forty crowns, he said.",
            ),
            (
                "Harold Timins, 58, was shot in the doorway of the shop.",
                "Harold Timmins, 58, was shot in the doorway of his shop.",
            ),
            (
                "The warship was 13 nautical miles away from the tanker when it was hit.",
                "The warship was 13 miles away from the tanker when it was hit.",
            ),
            (
                "Alexis Kemble, 15, was killed by a bullet of the police in Orme.",
                "Alexandros Kemble, 15, was killed by a bullet of the police in Orme.",
            ),
            ("An overnight fire destroyed the mill.", "A fire destroyed the mill this morning."),
            (
                "WALTER KEMBEL, who runs the mill in Orme, said that it would open again.",
                "Walter Kemble, who runs the mill in Orme, said that it would open again.",
            ),
        ],
    )
    def test_of_one_figure_or_name_otherwise_written(
        self, pipeline: tatian.Pipeline, one: str, other: str
    ) -> None:
        assert Found(pipeline, one, other).values == []

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                "A quake of magnitude 2.0 shook Velm on Monday. A quake of magnitude 3.1 shook "
                "Velm on Friday.",
                "A quake of magnitude 4.2 shook Velm.",
            ),
            (
                "The quake was at a depth of 1.4 miles. The quake of Friday was at a depth of 3 "
                "miles.",
                "The quake was at a depth of 1.1 miles.",
            ),
        ],
    )
    def test_source_with_several_such_things_has_no_conflict(
        self, pipeline: tatian.Pipeline, one: str, other: str
    ) -> None:
        assert Found(pipeline, one, other).values == []


class TestSuperseded:
    """Counts of different days: the last one stands, the others are history."""

    DAYS = (date(2005, 3, 1), date(2005, 3, 2), date(2005, 3, 4))

    @pytest.mark.parametrize(
        ("early", "late", "values"),
        [
            (
                "The blast in Orme injured five people.",
                "The blast in Orme injured nine people.",
                ["five", "nine"],
            ),
            (
                "The fire at Sandring destroyed 140 homes, officials said.",
                "The Sandring fire has now destroyed 212 homes, the state said.",
                ["140", "212"],
            ),
            (
                "The landslide at Vey killed 21 people, the mayor said.",
                "The landslide at Vey killed 19 people, the coroner said.",
                ["21", "19"],
            ),
        ],
    )
    def test_a_later_count_supersedes_an_earlier_one(
        self, pipeline: tatian.Pipeline, early: str, late: str, values: list[str]
    ) -> None:
        found = Found(pipeline, early, late, days=self.DAYS)
        assert (found.values, found.conflicts[0].relation) == ([values], "superseded")
        turned = Found(pipeline, late, early, days=self.DAYS[1::-1])
        assert (turned.values, turned.conflicts[0].relation) == ([values], "superseded")

    @pytest.mark.parametrize(
        ("early", "late"),
        [
            (
                "Orme Mills offered 412 pence a share for Vey Biscuits.",
                "Orme Mills offered 438 pence a share for Vey Biscuits.",
            ),
            (
                "At least 31 people were killed in the crash at Vey.",
                "Nineteen people were killed in the crash at Vey.",
            ),
        ],
    )
    def test_a_new_price_and_a_far_lower_count_are_other_things(
        self, pipeline: tatian.Pipeline, early: str, late: str
    ) -> None:
        assert Found(pipeline, early, late, days=self.DAYS).conflicts == ()

    def test_a_figure_is_outdated_though_the_later_span_lacks_the_rest(
        self, pipeline: tatian.Pipeline
    ) -> None:
        early = "The blast in Orme injured five people, and tore the roof off a bakery nearby."
        found = Found(pipeline, early, "The blast in Orme injured nine people.", days=self.DAYS)
        assert found.settled.settlement.outdated == {found.spans[0].key}

    def test_counts_of_one_day_are_a_conflict(self, pipeline: tatian.Pipeline) -> None:
        texts = ("The blast in Orme injured five people.", "The blast in Orme injured nine people.")
        found = Found(pipeline, *texts, days=(self.DAYS[0], self.DAYS[0]))
        assert (found.values, found.conflicts[0].relation) == ([["five", "nine"]], "conflict")

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("There were 99 people aboard the Corvina.", "The Corvina had 97 people aboard."),
            (NIGHT, MORNING),
            (
                "The climber died after falling about 150 metres from a ridge on Mount Orme.",
                "The climber died after he fell about 60 metres from a ridge on Mount Orme.",
            ),
        ],
    )
    def test_constant_values_conflict_despite_different_days(
        self, pipeline: tatian.Pipeline, one: str, other: str
    ) -> None:
        (conflict,) = Found(pipeline, one, other, days=self.DAYS).conflicts
        assert conflict.relation == "conflict"

    def test_a_grown_count_is_no_remark_in_the_text(self, pipeline: tatian.Pipeline) -> None:
        texts = [f"The blast in Orme injured {n} people." for n in ("five", "nine", "twelve")]
        assert Found(pipeline, *texts, days=self.DAYS).written() == texts[0]

    def test_the_text_gives_the_latest(self, pipeline: tatian.Pipeline) -> None:
        texts = [f"The blast in Orme injured {n} people." for n in ("nine", "twelve")]
        for days in (self.DAYS[:2], self.DAYS[1::-1]):
            given = [
                Document(text, text, Metadata(date=day.isoformat()))
                for text, day in zip(texts, days, strict=True)
            ]
            woven = tatian.consolidate(given, pipeline=pipeline)
            last = "twelve" if days[1] > days[0] else "nine"
            assert woven.text == f"The blast in Orme injured {last} people."
            assert [one.relation for one in woven.contradictions] == ["superseded"]
            assert woven.contradictions[0].why.endswith("; the text gives the latest")
