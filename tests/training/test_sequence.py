"""The loss of name sequences against brute force."""

from __future__ import annotations

import itertools

import pytest

torch = pytest.importorskip("torch")

from tatian.training.data import NAME_LABELS  # noqa: E402
from tatian.training.examples import IGNORE_INDEX  # noqa: E402
from tatian.training.tokens import (  # noqa: E402
    allowed_labels,
    log_partition,
    name_loss,
)


@pytest.mark.parametrize("length", [1, 2, 3, 6])
def test_the_partition_sums_over_all_sequences(length: int) -> None:
    torch.manual_seed(length)
    scores, steps = torch.randn(1, length, 3), torch.randn(3, 3)
    every = [
        sum(scores[0, i, y] for i, y in enumerate(path))
        + sum(steps[a, b] for a, b in itertools.pairwise(path))
        for path in itertools.product(range(3), repeat=length)
    ]
    found = log_partition(scores, torch.ones(1, length, dtype=torch.bool), steps)
    assert float(found) == pytest.approx(float(torch.logsumexp(torch.stack(every), 0)), abs=1e-4)


def test_padding_words_change_nothing() -> None:
    scores, steps = torch.randn(1, 5, 3), torch.randn(3, 3)
    present = torch.tensor([[True, True, True, False, False]])
    short = log_partition(scores[:, :3], present[:, :3], steps)
    assert torch.allclose(log_partition(scores, present, steps), short, atol=1e-4)


def test_an_o_allows_misc_where_misc_is_not_marked() -> None:
    targets = torch.tensor([[NAME_LABELS.index("O"), IGNORE_INDEX]])
    strict = allowed_labels(targets, torch.tensor([True]), NAME_LABELS)[0]
    loose = allowed_labels(targets, torch.tensor([False]), NAME_LABELS)[0]
    assert strict[0].sum() == 1
    assert [NAME_LABELS[i] for i in loose[0].nonzero().flatten()] == ["O", "B-MISC", "I-MISC"]
    assert strict[1].all()


def test_sentences_without_names_teach_nothing() -> None:
    batch = {
        "names": torch.full((1, 2), IGNORE_INDEX),
        "words": torch.ones(1, 2, 2, dtype=torch.int64),
        "all_kinds": torch.tensor([True]),
    }
    loss = name_loss(torch.randn(1, 2, len(NAME_LABELS)), torch.zeros(9, 9), batch, NAME_LABELS)
    assert float(loss) == pytest.approx(0.0, abs=1e-5)
