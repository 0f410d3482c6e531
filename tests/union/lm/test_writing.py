"""Continuations: repeatable, within what is allowed, and the same with and without guessing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

from tatian.union.models.lm.model import LanguageModel
from tatian.union.models.lm.network import Network
from tatian.union.models.lm.scoring import log_probabilities
from tatian.union.models.lm.writing import Continuation, Reading, Style, write

PROMPT = [1, 40, 41, 42, 260, 44]
GREEDY = Style(ends=frozenset({2}), longest=24)
SAMPLED = msgspec.structs.replace(GREEDY, samples=4, temperature=0.8, seed=3)


def written(
    network: Network, style: Style, sources: Sequence[Sequence[int]] = ()
) -> list[Continuation]:
    return write(Reading(network, PROMPT), style, sources=sources)


@pytest.mark.parametrize("style", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
def test_guessing_changes_nothing(network: Network, style: Style) -> None:
    plain = written(network, style)
    sources = [one.ids for one in plain] + [(7, *plain[0].ids[2:9], 8, 9)]
    guessed = written(network, style, sources)
    assert [one.ids for one in guessed] == [one.ids for one in plain]
    for one, other in zip(guessed, plain, strict=True):
        assert one.log_probability == pytest.approx(other.log_probability, abs=1e-3)


def test_the_likeliest_token_is_taken_without_temperature(network: Network) -> None:
    (one,) = written(network, GREEDY)
    ids = [*PROMPT, *one.ids]
    for place in range(len(PROMPT), len(ids)):
        options = [[*ids[:place], token] for token in range(len(network.table))]
        best = max(log_probabilities(network, options), key=lambda chances: chances[-1])
        (found,) = log_probabilities(network, [ids[: place + 1]])
        assert found[-1] == pytest.approx(best[-1], abs=1e-5)
        if place > len(PROMPT) + 2:
            break


def test_the_probability_is_that_of_the_tokens(network: Network) -> None:
    (one,) = written(network, GREEDY)
    ids = [*PROMPT, *one.ids, *([2] if one.finished else [])]
    (chances,) = log_probabilities(network, [ids])
    assert one.log_probability == pytest.approx(float(chances[len(PROMPT) - 1 :].sum()), abs=1e-3)


def test_samples_differ_and_repeat_with_the_seed(network: Network) -> None:
    first, second = written(network, SAMPLED), written(network, SAMPLED)
    other = written(network, msgspec.structs.replace(SAMPLED, seed=4))
    assert [one.ids for one in first] == [one.ids for one in second]
    assert len({one.ids for one in first}) > 1
    assert [one.ids for one in first] != [one.ids for one in other]


def test_a_sample_does_not_depend_on_how_many_there_are(network: Network) -> None:
    fewer = msgspec.structs.replace(SAMPLED, samples=2)
    few, many = written(network, fewer), written(network, SAMPLED)
    assert [one.ids for one in few] == [one.ids for one in many[:2]]


def test_the_first_sample_may_be_the_likeliest(network: Network) -> None:
    mixed = written(network, msgspec.structs.replace(SAMPLED, likeliest=True))
    assert mixed[0].ids == written(network, GREEDY)[0].ids
    assert [one.ids for one in mixed[1:]] == [one.ids for one in written(network, SAMPLED)[1:]]


def test_only_allowed_tokens_are_written(network: Network) -> None:
    allowed = np.zeros(len(network.table), np.bool_)
    allowed[[2, 50, 51]] = True
    for one in write(Reading(network, PROMPT), SAMPLED, allowed=allowed):
        assert set(one.ids) <= {50, 51}


def test_an_end_token_ends_it_and_is_not_part_of_it(network: Network) -> None:
    allowed = np.zeros(len(network.table), np.bool_)
    allowed[2] = True
    (one,) = write(Reading(network, PROMPT), GREEDY, allowed=allowed)
    assert one == Continuation((), 0.0, True)


def test_it_ends_at_the_longest(network: Network) -> None:
    style = msgspec.structs.replace(GREEDY, ends=frozenset(), longest=5)
    (plain,) = written(network, style)
    (guessed,) = written(network, style, [[*plain.ids, 1, 2, 3]])
    assert len(plain.ids) == 5
    assert not plain.finished
    assert guessed.ids == plain.ids


def test_a_prompt_read_in_two_parts_is_continued_the_same(network: Network) -> None:
    opening = Reading(network, PROMPT[:2])
    for _ in range(2):
        later = opening.followed_by(PROMPT[2:])
        assert write(later, GREEDY)[0].ids == written(network, GREEDY)[0].ids


def test_an_adapter_changes_what_is_written(model: LanguageModel, adapter_path) -> None:  # type: ignore[no-untyped-def]
    adapter = model.adapter(adapter_path)
    assert model.adapter(adapter_path) is adapter
    changed = write(Reading(model.network, PROMPT, adapter), GREEDY)
    assert changed[0].ids != written(model.network, GREEDY)[0].ids
