"""Training of coverage: stories, targets, the judge, and the two bodies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from tatian.analysis.coverage import Coverage, WordCoverage
from tatian.analysis.pieces import WordPieces
from tatian.corpora.bundles import BundleFact, read_bundles
from tatian.training.coverage.examples import (
    UNKNOWN,
    DrawnPair,
    batch_of,
    cut_copies,
    draw_pairs,
    encode_drawn,
)
from tatian.training.evaluation import area_under_curve, areas_under_curve, coverage_matrix
from tatian.training.stories import AnnotatedStory, mark_facts, story_of

BUNDLE = {
    "id": "ferry",
    "accounts": [
        {
            "id": "A",
            "name": "a",
            "sentences": ["By Jo", "The ferry sank on Monday.", "No one died."],
        },
        {"id": "B", "name": "b", "sentences": ["The Ferry’s crew sank it.", "It rained."]},
    ],
    "noise": ["A.0"],
    "facts": [
        {
            "id": "f",
            "text": "A ferry sank.",
            "sources": ["A.1", "B.0"],
            "keys": [["ferry"], ["sank"]],
            "importance": 3,
        },
        {
            "id": "g",
            "text": "It was Monday.",
            "sources": ["A.1"],
            "keys": [["Monday", "mon."]],
            "importance": 2,
        },
        {
            "id": "h",
            "text": "All lived.",
            "sources": ["A.2"],
            "keys": [["No one"]],
            "importance": 1,
        },
    ],
    "reference": [{"text": "A ferry sank on Monday.", "facts": ["f", "g"], "sources": ["A.1"]}],
}
PIECES = WordPieces(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz."])


@pytest.fixture
def story(tmp_path: Path) -> AnnotatedStory:
    (tmp_path / "ferry.json").write_text(json.dumps(BUNDLE), encoding="utf-8")
    (bundle,) = read_bundles(str(tmp_path))
    return story_of(bundle)


def test_a_story_has_no_noise_and_marks_the_keys_of_its_facts(story: AnnotatedStory) -> None:
    first, _, third, last = story.sentences
    assert first.facts == {"f", "g"}
    assert last.facts == set()
    assert [first.text[a:b] for _, a, b in first.keys] == ["ferry", "sank", "Monday"]
    assert [third.text[a:b] for _, a, b in third.keys] == ["Ferry", "sank"]
    assert first.carried(4, 9) == {"f"}
    assert first.carried(0, 3) == set()


def test_the_reference_may_be_a_further_account(tmp_path: Path) -> None:
    (tmp_path / "ferry.json").write_text(json.dumps(BUNDLE), encoding="utf-8")
    (bundle,) = read_bundles(str(tmp_path))
    assert story_of(bundle, reference=True).sentences[-1].facts == {"f", "g"}


def test_targets_are_the_facts_that_the_others_cover(story: AnnotatedStory) -> None:
    first = story.sentences[0]
    found = encode_drawn(DrawnPair(first, "The ferry sank.", frozenset({"f"})), PIECES)
    assert found.whole.tolist() == [0.5, 0, 1]
    told = found.words[found.words[:, 1] == 1, 0]
    assert told.tolist() == [1, 1, 0]
    unknown = encode_drawn(DrawnPair(first, "The ferry sank."), PIECES)
    assert (unknown.words == UNKNOWN).all()
    assert (unknown.whole == UNKNOWN).all()


def test_a_sentence_is_drawn_against_all_that_share_a_fact_and_against_several(
    story: AnnotatedStory,
) -> None:
    drawn = list(draw_pairs(story, np.random.default_rng(0)))
    first, third = story.sentences[0], story.sentences[2]
    assert any(one.sentence is first and one.others == third.text for one in drawn)
    assert any(one.others.count(".") > 1 for one in drawn)
    assert not any(one.sentence.text == "It rained." for one in drawn)
    assert all(one.sentence.text != one.others for one in drawn)


def test_words_deleted_from_a_copy_are_not_covered(story: AnnotatedStory) -> None:
    for one in cut_copies(story, np.random.default_rng(1), 3):
        assert one.lost
        example = encode_drawn(one, PIECES)
        assert example.whole.tolist() == [UNKNOWN, 0, 1]
        assert (example.words[:, 0] == 0).any()


def test_the_area_counts_ties_half() -> None:
    assert area_under_curve([(0.9, True), (0.1, False)]) == 1
    assert area_under_curve([(0.5, True), (0.5, False)]) == 0.5
    assert area_under_curve([(0.5, True)]) == 0.5


def test_a_perfect_model_has_areas_of_one(story: AnnotatedStory) -> None:
    by_text = {one.text: one for one in story.sentences}

    def knows(pairs: Any) -> list[Coverage]:
        result = []
        for text, other in pairs:
            own, tells = by_text[text], by_text[other].facts
            words = tuple(
                WordCoverage(
                    a, b, float(own.carried(a, b) <= tells), float(bool(own.carried(a, b)))
                )
                for a, b in [(m, m + 1) for m in range(len(text))]
            )
            shared = own.facts & tells
            result.append(Coverage(0.0, float(own.facts <= tells), float(bool(shared)), words))
        return result

    found = areas_under_curve([story], [coverage_matrix(story, knows)])
    assert {name: found[name] for name in ("shares", "words", "carries")} == {
        "shares": 1.0,
        "words": 1.0,
        "carries": 1.0,
    }


def test_a_teacher_fills_unknown_targets_and_mixes_into_known_ones(story: AnnotatedStory) -> None:
    torch = pytest.importorskip("torch")
    from tatian.training.coverage.train import with_teacher
    from tatian.training.loop import Recipe
    from tatian.training.tokens import predictor

    class Unsure(torch.nn.Module):  # type: ignore[misc, name-defined]
        def forward(self, embeddings: Any, mask: Any, segments: Any) -> Any:
            return {"told": torch.zeros((*mask.shape, 2)), "whole": torch.zeros((len(mask), 3))}

    given = [
        encode_drawn(DrawnPair(story.sentences[0], text, frozenset({"f"})), PIECES)
        for text in ("The ferry sank.", "It sank.")
    ]
    table, recipe = torch.zeros(len(PIECES.rows), 4), Recipe(epochs=1, lr=0.0, head_lr=0.0)
    found = with_teacher(given, predictor(Unsure(), table, recipe, "pairs"), 0.5)
    assert [one.rows.tolist() for one in found] == [one.rows.tolist() for one in given]
    assert [one.whole.tolist() for one in found] == [[0.5, 0.25, 0.75]] * 2
    words = found[0].words[:, 0]
    assert {0.25, 0.5, 0.75} == set(words[words > UNKNOWN].tolist())
    assert words[0] == words[-1] == UNKNOWN


def test_words_of_a_facts_text_are_covered_with_the_fact(story: AnnotatedStory) -> None:
    fact = BundleFact("f", "A ferry sank.", (), (("sank",),), 1)
    sentence = mark_facts("The ferry sank.", [fact])
    assert [sentence.text[a:b] for _, a, b in sentence.fact_words] == ["ferry"]

    def told(others: str, facts: set[str]) -> list[float]:
        found = encode_drawn(DrawnPair(sentence, others, frozenset(facts)), PIECES).words[:, 0]
        return [float(value) for value in found if value > UNKNOWN]

    assert told("A boat sank.", {"f"}) == [1, 1]
    assert told("No one died.", set()) == [0, 0]
    assert told("The ferry was new.", set()) == [0]


def test_a_body_learns_both_tasks(
    start: Any, story: AnnotatedStory, pairs: Any, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    from msgspec import structs

    from tatian.training.coverage.train import CoverageConfig, CoverageData, train_student
    from tatian.training.loop import Recipe
    from tatian.training.model import TINY, PairsModel
    from tatian.training.pairs import PairData

    recipe = Recipe(epochs=60, lr=3e-3, head_lr=1e-2, average=0.5, budget=256, every=60)
    examples = [
        encode_drawn(DrawnPair(one, other.text, other.facts), start.pieces)
        for one in story.sentences
        for other in story.sentences
        if one is not other and one.facts
    ]
    entailment = PairData(pairs, pairs, pairs[:2])
    model = PairsModel(structs.replace(TINY, segments=4, dropout=0.0))
    data = CoverageData.of(start.pieces, entailment, [story], start.table, copies=0)
    config = CoverageConfig(first=structs.replace(recipe, epochs=2), student=recipe, taught=0.0)
    said = np.full((len(data.pairs), 3), 1 / 3)
    scores = train_student(config, model, start.table, data, [examples], said, tmp_path)
    assert scores["accuracy"] == 100.0
    assert scores["shares"] == 1.0
    assert scores["words"] > 0.95
    assert (tmp_path / "pairs.pt").exists()


def test_a_teacher_says_what_it_thinks_of_pairs_and_copies(
    start: Any, story: AnnotatedStory, pairs: Any, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    from tatian.training.coverage.train import CoverageConfig, CoverageData, train_teacher
    from tatian.training.loop import Recipe
    from tatian.training.model import TINY, PairsModel
    from tatian.training.pairs import PairData

    recipe = Recipe(epochs=1, lr=1e-3, head_lr=1e-2, budget=256)
    entailment = PairData(pairs, pairs, pairs[:2])
    data = CoverageData.of(start.pieces, entailment, [story], start.table, copies=2)
    assert len(data.pairs) == 4 * len(pairs)
    one, other = story.sentences[:2]
    known = [encode_drawn(DrawnPair(one, other.text, other.facts), start.pieces)]
    config = CoverageConfig(entailment=recipe, teacher=recipe)
    model = PairsModel(msgspec.structs.replace(TINY, segments=4))
    said = train_teacher(config, model, start.table, data, known, tmp_path)
    assert said.shape == (len(data.pairs), 3)
    assert np.allclose(said.sum(1), 1)


def test_distances_fall_into_buckets_that_widen() -> None:
    torch = pytest.importorskip("torch")
    from tatian.training.mpnet import bucket_of

    found = bucket_of(torch.tensor([0, -1, -7, -8, -1000, 1, 7, 1000])).tolist()
    assert found == [0, 1, 7, 8, 15, 17, 23, 31]


def test_padding_changes_nothing_of_the_teacher() -> None:
    torch = pytest.importorskip("torch")
    from tatian.training.model import BodyShape
    from tatian.training.mpnet import MpnetBody

    torch.manual_seed(0)
    body = MpnetBody(BodyShape(width=16, layers=2, heads=4, inner=32)).eval()
    rows = torch.randn(1, 6, 16)
    mask, segments = torch.ones(1, 6, dtype=torch.int64), torch.zeros(1, 6, dtype=torch.int64)
    short = body(rows[:, :4], mask[:, :4], segments[:, :4])[-1]
    mask[:, 4:] = 0
    assert torch.allclose(body(rows, mask, segments)[-1][:, :4], short, atol=1e-5)


def test_batches_are_padded_with_unknown_targets(story: AnnotatedStory) -> None:
    short = encode_drawn(DrawnPair(story.sentences[1], "a", frozenset()), PIECES)
    long = encode_drawn(DrawnPair(story.sentences[0], "a b c", frozenset()), PIECES)
    batch = batch_of([short, long])
    assert batch["mask"].sum() == len(short.rows) + len(long.rows)
    assert (batch["words"][0, len(short.rows) :] == UNKNOWN).all()


def test_marks_need_no_kind_of_quotation() -> None:
    fact = BundleFact("f", "", (), (('"yes"',),), 1)
    assert mark_facts("He said “Yes” twice.", [fact]).keys == (("f", 8, 13),)
