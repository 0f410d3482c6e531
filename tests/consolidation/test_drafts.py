"""A draft stands for a passage only if each is proved by the other."""

from __future__ import annotations

import pytest

from tatian.analysis.installed import unavailable
from tatian.consolidation.drafts import DraftBlock, compared, difference
from tatian.pipeline import Pipeline
from tatian.text import Span

needs_encoder = pytest.mark.skipif(bool(unavailable()), reason="the encoder is not installed")

SAID = "Captain Olav Brekke said on Monday that nobody was hurt. About 80 people were aboard."
SENTENCES = (
    "The ferry Anna ran aground off Halverne on Monday.",
    "It carried 80 passengers.",
    "Captain Olav Brekke said nobody was hurt.",
    "The fog was thick, Brekke said.",
)
FUSED = "The ferry Anna, which carried 80 passengers, ran aground off Halverne on Monday."
REST = "Captain Olav Brekke said nobody was hurt and the fog was thick."


def blocks(draft: str) -> list[DraftBlock]:
    spans, start = [], 0
    for sentence in SENTENCES:
        spans.append(Span(start, start + len(sentence)))
        start += len(sentence) + 1
    pipeline = Pipeline(detector="names", aggregator="heads")
    return compared(" ".join(SENTENCES), spans, draft, pipeline)


def shape(draft: str) -> list[tuple[int, int, str, str]]:
    return [(one.first, one.after, one.text, one.why) for one in blocks(draft)]


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (
            "Captain Olav Brekke said on Monday that nobody was hurt; about 80 people were aboard.",
            "",
        ),
        (SAID.replace("80", "90"), "it lost 80"),
        (SAID.replace("Olav", "Ole"), "it lost Olav"),
        (SAID.replace("Captain", "Captain Jan"), "it has Jan of its own"),
        (SAID.replace("About 80", "80"), "it lost About"),
        (SAID.replace("nobody was", "people were"), "it lost nobody"),
        (SAID.replace("nobody", "perhaps nobody"), "it has perhaps of its own"),
        ("Captain Olav Brekke said on Monday nobody was hurt. About 80.", "it lost people, aboard"),
        (SAID.replace(". About", ", while about"), "it has while of its own"),
        (SAID.replace(". About", ", and about"), "it says the same in more words"),
        (SAID[:-1], "it breaks off"),
    ],
)
def test_names_figures_and_what_truth_hangs_on_stay_the_same(written: str, why: str) -> None:
    found = difference(SAID, written)
    assert found.startswith(why)
    assert bool(found) == bool(why)


MATCH = (
    "Ada Lind scored 20 goals for Norvik and Berta Holm saved 3 penalties to carry Norvik over "
    "Sandby. The arena was nearly full, according to city officials, and the Sandby fans left "
    "completely silent. The coach, Carl Moe, said the team had earned it."
)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Ada Lind", "Berta Holm"),
        ("Norvik over Sandby", "Sandby over Norvik"),
        ("20 goals", "3 penalties"),
        ("nearly", "completely"),
        ("city officials", "Carl Moe"),
    ],
)
def test_what_changes_places_is_found(one: str, two: str) -> None:
    changed = MATCH.replace(one, "@").replace(two, one).replace("@", two)
    assert changed != MATCH
    assert "in another place" in difference(MATCH, changed)


def test_a_denial_that_moves_is_found() -> None:
    said = "The city had not bought the house, although there were plans."
    moved = "The city had bought the house, although there were not plans."
    assert difference(said, moved) == "it has not in another place"


def test_joined_sentences_keep_everything_in_its_place() -> None:
    joined = MATCH.replace("Sandby. The arena was", "Sandby in an arena").replace(
        ", and the", "; the"
    )
    assert difference(MATCH, joined) == ""


def test_what_was_named_before_need_not_be_named_again() -> None:
    said, written = "“It was dark,” Jon Owen said.", "“It was dark,” he said."
    assert difference(said, written) == "it lost Jon, Owen"
    assert difference(said, written, "Jon Owen spoke on Tuesday.") == ""


@pytest.mark.parametrize("written", ["“Nobody is hurt”, he said.", "He said nobody was hurt."])
def test_a_quotation_stays_as_it_is(written: str) -> None:
    assert difference("“Nobody was hurt,” he said.", "“Nobody was hurt”, he said.") == ""
    assert "“Nobody was hurt,”" in difference("“Nobody was hurt,” he said.", written)


@needs_encoder
class TestBlocks:
    def test_what_says_the_same_stands(self) -> None:
        assert shape(f"{FUSED} {REST}") == [(0, 2, FUSED, ""), (2, 4, REST, "")]

    def test_a_wrong_sentence_leaves_the_others(self) -> None:
        wrong = FUSED.replace("Anna", "Berta")
        (first, second) = shape(f"{wrong} {REST}")
        assert first[:3] == (0, 2, wrong)
        assert first[3]
        assert second == (2, 4, REST, "")

    def test_what_is_left_out_is_a_block_without_a_draft(self) -> None:
        assert shape(FUSED)[1:] == [
            (2, 3, "", "it is left out"),
            (3, 4, "", "it is left out"),
        ]

    def test_what_words_nothing_of_the_passage_comes_last(self) -> None:
        stray = "Bananas are cheap in Madrid this week."
        (*_, last) = shape(f"{stray} {FUSED} {REST}")
        assert last == (4, 4, stray, "it words nothing of the passage")

    def test_sentences_in_another_order_are_one_block(self) -> None:
        assert [one[:2] for one in shape(f"{REST} {FUSED}")] == [(0, 4)]

    def test_the_words_have_their_places_in_the_passage(self) -> None:
        sentence = blocks(f"{FUSED} {REST}")[0].draft[0]
        places = {
            FUSED[token.start : token.end]: [
                " ".join(SENTENCES)[source.start : source.end] for source in token.sources
            ]
            for token in sentence.tokens
        }
        assert places["aground"] == ["aground"]
        assert places["80"] == ["80"]
        assert places["which"] == []
