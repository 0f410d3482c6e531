"""The edit model in PyTorch computes what the runtime computes in numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

torch = pytest.importorskip("torch")

from tatian.training.adapter import adapt  # noqa: E402
from tatian.training.edit.examples import EditExample, collate, make_example  # noqa: E402
from tatian.training.edit.model import (  # noqa: E402
    EditModel,
    EditShape,
    places_of,
    state_features,
)
from tatian.training.edit.train import (  # noqa: E402
    LIKELIEST,
    EditStage,
    Trainer,
)
from tatian.training.model import TINY  # noqa: E402
from tatian.union.models.edit.decoder import END, FIRST, Decoder  # noqa: E402
from tatian.union.models.edit.search import (  # noqa: E402
    Walks,
    log_likelihoods,
)
from tatian.union.models.edit.words import EditPair  # noqa: E402

from .edit_world import DATA, NO_PIECES  # noqa: E402

SHAPE = EditShape(rank=2, width=16, layers=2, inner=24, longest=40, dropout=0.0)


@st.composite
def walks(draw: st.DrawFn) -> tuple[EditPair, list[int]]:
    """A pair as far as its state goes, and a walk through it, glue among its steps."""
    first, second = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    count = first + second
    stems = draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))
    content = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    sentence = [0] * first + [1] * second
    order = draw(st.permutations(range(count)))
    chosen = list(order[: draw(st.integers(1, count))])
    for place in draw(st.lists(st.integers(0, len(chosen)), max_size=3)):
        chosen.insert(place, -1)
    nothing = np.zeros(count)
    pair = EditPair(
        nothing,
        nothing,
        nothing,
        nothing,
        np.array(sentence),
        np.array(stems),
        np.array(content) & (np.array(stems) > 0),
        nothing,
    )
    return pair, chosen


@given(walks())
@settings(max_examples=settings.default.max_examples * 2)
def test_both_compute_the_same_features_before_each_step(
    given: tuple[EditPair, list[int]],
) -> None:
    pair, chosen = given
    batched = [torch.from_numpy(a).long()[None] for a in (pair.sentence, pair.stems, pair.content)]
    expected = state_features(*batched, torch.tensor([chosen]))[0].numpy()
    state = Walks(pair, 1)
    for step, place in enumerate(chosen):
        assert np.array_equal(state.features()[0], expected[step]), step
        state.take(np.array([0]), np.array([place]))


@pytest.fixture(scope="module")
def model() -> EditModel:
    """Random weights, large enough that nothing is near uniform."""
    torch.manual_seed(1)
    model = EditModel(replace(TINY, positions=128, dropout=0.0), 4, SHAPE)
    adapt(model, model.shape.rank)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.normal_(std=0.3)
    return model.eval()


@pytest.fixture(scope="module")
def decoder(model: EditModel, tmp_path_factory: pytest.TempPathFactory) -> Decoder:
    path = tmp_path_factory.mktemp("decoder") / "edit.npz"
    np.savez(path, **{name: value.numpy() for name, value in model.state_dict().items()})
    return Decoder(path)


@pytest.fixture(scope="module")
def trainer(model: EditModel) -> Trainer:
    table = torch.from_numpy(np.random.default_rng(0).normal(size=(9, TINY.width))).float()
    return Trainer(model, table, "cpu", seed=1)


def examples() -> list[EditExample]:
    found = [make_example(union.words, NO_PIECES, {}, id) for id, union in enumerate(DATA.unions)]
    return [example for example in found if example is not None]


def test_both_find_a_walk_equally_likely(trainer: Trainer, decoder: Decoder) -> None:
    for example in examples():
        walk = tuple(example.steps[:-1].tolist())
        found = log_likelihoods(decoder, trainer.encoding(example), [walk])
        assert found == pytest.approx(trainer.scores([example]), abs=1e-3)


def test_walks_of_a_batch_are_as_likely_as_alone(trainer: Trainer) -> None:
    every = trainer.tensors(examples())
    with torch.no_grad():
        _, logits = trainer.decoded(trainer.memory(every), every)
        for row, example in enumerate(examples()):
            alone = trainer.tensors([example])
            _, own = trainer.decoded(trainer.memory(alone), alone)
            cut = logits[row, : own.shape[1], : own.shape[2]]
            assert torch.allclose(cut, own[0], atol=1e-4)


def test_a_walk_that_is_searched_out_is_no_less_likely_than_the_one_learned_from(
    trainer: Trainer, decoder: Decoder
) -> None:
    for example in examples():
        memory = trainer.encoding(example)
        walks = [trainer.best_walks([example])[example.id], tuple(example.steps[:-1].tolist())]
        best, learned = log_likelihoods(decoder, memory, walks) / [
            (len(walk) + 1) ** LIKELIEST.alpha for walk in walks
        ]
        assert best >= learned - 1e-4


def test_the_best_walks_come_by_the_number_of_their_pair(trainer: Trainer) -> None:
    found = trainer.best_walks(examples())
    assert sorted(found) == list(range(len(DATA.unions)))
    for example in examples():
        assert all(item < FIRST + len(example.pair.sentence) for item in found[example.id])
        assert END not in found[example.id]


def test_the_body_is_frozen_but_for_its_adapter(model: EditModel) -> None:
    inside = {name for name, p in model.body.named_parameters() if p.requires_grad}
    assert inside
    assert all(name.endswith((".down", ".up")) for name in inside)


def test_an_adapter_changes_nothing_before_it_has_learned() -> None:
    torch.manual_seed(0)
    plain = EditModel(replace(TINY, dropout=0.0), 4, SHAPE).eval()
    given = (torch.randn(1, 5, TINY.width), torch.ones(1, 5, dtype=torch.int64))
    before = plain.body(*given)[-1]
    adapt(plain, plain.shape.rank)
    assert torch.equal(plain.body(*given)[-1], before)


def test_items_and_words_are_distinguished() -> None:
    assert places_of(torch.tensor([0, END, FIRST, FIRST + 3, -1])).tolist() == [-1, -1, 0, 3, -1]


def test_smoothing_costs_a_certain_model_something(trainer: Trainer) -> None:
    batch = trainer.tensors(examples())
    with torch.no_grad():
        losses = [float(trainer.losses(batch, EditStage(smoothing=s))) for s in (0.0, 0.1)]
    assert losses[0] != losses[1]


def test_padding_has_no_part_in_the_loss(trainer: Trainer) -> None:
    long, short = examples()[1], examples()[0]
    alone = [trainer.loss([one]) * len(one.steps) for one in (long, short)]
    together = trainer.loss([long, short]) * (len(long.steps) + len(short.steps))
    assert together == pytest.approx(sum(alone), rel=1e-4)


def test_a_batch_has_every_array_the_model_reads() -> None:
    batch: dict[str, Any] = collate(examples())
    assert {array.shape[0] for array in batch.values()} == {len(DATA.unions)}
