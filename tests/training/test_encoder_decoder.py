"""Tiny randomly initialised BART and T5 models that rank and write aggregations."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tatian.aggregation.models import generators, rankers  # noqa: E402
from tatian.aggregation.models.encoder_decoder import Setup  # noqa: E402
from tatian.errors import EmptyInput, InputError, TatianError  # noqa: E402
from tatian.pytorch import ranker as network  # noqa: E402
from tatian.training.aggregation import (  # noqa: E402
    Discriminative,
    Generative,
    fine_tune,
    make_samples,
    plan_batches,
)

from .encoder_decoder_world import DATA, JUDGE, KINDS, WRITE, instance, saved  # noqa: E402


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return saved(tmp_path_factory.mktemp("bases"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_classifier_learns_to_put_the_right_candidates_first(
    kind: str, bases: dict[str, str], tmp_path: Path
) -> None:
    result = fine_tune(bases[kind], "discriminative", DATA, DATA, JUDGE, tmp_path)
    assert result.samples == 8
    assert result.scores["map"] == 1.0
    found = rankers.create("discriminative", checkpoint=str(tmp_path / "best")).rank(DATA[0])
    assert {phrase for phrase, _ in found[:2]} == {"rivers", "european rivers"}
    assert all(0.0 <= value <= 1.0 for _, value in found)


def test_a_writer_learns_one_sample_for_each_right_phrase_and_writes(
    bases: dict[str, str], tmp_path: Path
) -> None:
    result = fine_tune(bases["bart"], "generative", DATA, DATA, WRITE, tmp_path)
    assert result.samples == 4
    assert result.scores["map"] == 1.0
    best = str(tmp_path / "best")
    found = generators.create("generative", checkpoint=best).generate(DATA[1])
    assert found[0].phrase in DATA[1].aggregations
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    ranked = dict(rankers.create("generative", checkpoint=best).rank(DATA[1]))
    assert found[0].score == pytest.approx(ranked[found[0].phrase], abs=1e-5)


def test_all_ten_hypotheses_are_kept_without_repeated_bigrams(bases: dict[str, str]) -> None:
    loaded = network.load(bases["bart"], "generative", "cpu")
    seen: list[tuple[int, ...]] = []
    decode = loaded.tokenizer.batch_decode

    def watched(ids: Any, **options: Any) -> Any:
        seen.extend(tuple(row) for row in ids.tolist())
        return decode(ids, **options)

    loaded.tokenizer.batch_decode = watched
    found = network.generate(loaded, DATA[0])
    assert len(set(seen)) == 10
    assert len(found) == len({phrase for phrase, _ in found}) > 5
    for row in seen:
        pairs = [pair for pair in pairwise(row) if pair != (1, 1)]
        assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("kind", KINDS)
def test_a_likelihood_is_the_exponential_of_the_mean_log_probability(
    kind: str, bases: dict[str, str]
) -> None:
    loaded = network.load(bases[kind], "generative", "cpu")
    ((got,),) = network.score_phrases(loaded, [DATA[0]], [["european rivers"]])
    text = torch.tensor([network.text_ids(loaded, DATA[0])])
    target = torch.tensor([network.phrase_ids(loaded, "european rivers")])
    start = torch.tensor([[2, *target[0, :-1].tolist()]])
    with torch.no_grad():
        sure = loaded.model(input_ids=text, decoder_input_ids=start).logits.log_softmax(-1)
    each = sure.gather(-1, target[..., None])[0, 1:, 0]
    assert got == pytest.approx(float(each.mean().exp()), rel=1e-4)


@pytest.mark.parametrize("task", ["generative", "discriminative"])
def test_a_score_does_not_depend_on_what_is_computed_beside_it(
    task: Any, bases: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = network.load(bases["bart"], task, "cpu", setup=Setup(task=task))
    long = instance("l", ("Rhine", "Oslo"), (), "barges wait " * 9)
    both = [long, *DATA]
    together = network.rank(loaded, both)
    monkeypatch.setattr(network, "TOGETHER", 1)
    for one, found in zip(both, together, strict=True):
        alone = network.rank(loaded, [one])[0]
        assert dict(found) == pytest.approx(dict(alone), rel=1e-4)


def test_the_text_of_an_instance_is_encoded_once_for_all_candidates(
    bases: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = network.load(bases["bart"], "generative", "cpu")
    seen: list[int] = []
    encode = network.encode

    def counted(one: Any, texts: Any) -> Any:
        seen.append(len(texts))
        return encode(one, texts)

    monkeypatch.setattr(network, "encode", counted)
    network.rank(loaded, DATA)
    assert seen == [2]


def test_a_long_text_is_cut_at_the_beginning(bases: dict[str, str]) -> None:
    loaded = network.load(bases["bart"], "generative", "cpu")
    ids = network.text_ids(loaded, instance("l", ("Rhine", "Oslo"), (), "barges wait " * 300))
    assert len(ids) == 32
    assert loaded.tokenizer.decode(ids, skip_special_tokens=True).endswith("Rhine , Oslo")


def test_the_longest_text_and_phrase_find_places(bases: dict[str, str]) -> None:
    setup = Setup(task="discriminative")
    loaded = network.load(bases["bart"], "discriminative", "cpu", setup=setup)
    long = structs.replace(DATA[0], context="barges " * 800, candidates=("rivers " * 200,))
    assert len(network.rank(loaded, [long])[0]) == 1


def test_parts_of_the_input_left_out_in_training_are_left_out_in_ranking(
    bases: dict[str, str], tmp_path: Path
) -> None:
    settings = structs.replace(JUDGE, epochs=1, inputs=("entities",))
    fine_tune(bases["bart"], "discriminative", DATA, DATA, settings, tmp_path)
    ranker = rankers.create("discriminative", checkpoint=str(tmp_path / "best"))
    assert ranker.rank(DATA[0]) == ranker.rank(structs.replace(DATA[0], context="trams"))


def test_the_best_epoch_by_average_precision_is_kept(bases: dict[str, str], tmp_path: Path) -> None:
    settings = structs.replace(JUDGE, epochs=4, accumulate=2)
    result = fine_tune(bases["bart"], "discriminative", DATA, DATA, settings, tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    best = max(lines, key=lambda line: line["map"])
    assert [line["epoch"] for line in lines] == [1, 2, 3, 4]
    assert result.epoch == best["epoch"]
    assert result.updates == 4


def test_the_command_trains_what_the_other_commands_use(
    bases: dict[str, str], tmp_path: Path
) -> None:
    from click.testing import CliRunner

    from tatian.aggregation.data.jsonl import encode
    from tatian.cli import main

    task, out = tmp_path / "task.jsonl", tmp_path / "out"
    task.write_text("".join(encode(one).strip() + "\n" for one in DATA))
    (tmp_path / "config.json").write_text('{"epochs": 2, "lr": 0.001}')
    given = ["--base", bases["bart"], "--config", str(tmp_path / "config.json"), "-o", str(out)]
    trained = ["train", "aggregation", str(task), str(task), "--without", "context", *given]
    done = CliRunner().invoke(main, [*trained, "--device", "cpu", "-q"], catch_exceptions=False)
    assert done.exit_code == 0
    best = str(out / "best")
    setup = json.loads((out / "best" / "tatian.json").read_text())
    assert setup["inputs"] == ["background", "entities"]
    ranked = ["aggregate", "rank", str(task), "--model", "discriminative", "--checkpoint", best]
    lines = CliRunner().invoke(main, [*ranked, "-q"], catch_exceptions=False).stdout.splitlines()
    assert [len(json.loads(line)["ranking"]) for line in lines] == [4, 4]


def test_fine_tuning_is_deterministic(bases: dict[str, str], tmp_path: Path) -> None:
    settings = structs.replace(JUDGE, epochs=2)
    ranked = []
    for name in "ab":
        fine_tune(bases["bart"], "discriminative", DATA, DATA, settings, tmp_path / name)
        best = str(tmp_path / name / "best")
        ranked.append(rankers.create("discriminative", checkpoint=best).rank(DATA[0]))
    assert ranked[0] == ranked[1]


def test_attention_that_plans_for_every_new_shape_is_off(bases: dict[str, str]) -> None:
    torch.backends.cuda.enable_cudnn_sdp(True)
    network.load(bases["bart"], "generative", "cpu")
    assert not torch.backends.cuda.cudnn_sdp_enabled()


def test_half_precision_trains_too(bases: dict[str, str], tmp_path: Path) -> None:
    settings = structs.replace(JUDGE, precision="bf16")
    result = fine_tune(bases["bart"], "discriminative", DATA, DATA, settings, tmp_path)
    assert result.scores["map"] > 0.9


def test_the_papers_settings_are_the_defaults() -> None:
    generative, discriminative = Generative(), Discriminative()
    assert (generative.lr, generative.tokens, generative.epochs) == (5e-6, 1024, 6)
    assert (generative.warmup, generative.smoothing) == (0.03, 0.1)
    assert (discriminative.lr, discriminative.batch, discriminative.epochs) == (2e-5, 8, 6)
    assert discriminative.warmup == 0.06


def test_batches_have_every_sample_once_within_limits_with_little_padding() -> None:
    lots = np.random.default_rng(1)
    lengths = lots.integers(10, 400, 2000).tolist()
    plan = plan_batches(lengths, 16, 2048, lots)
    assert sorted(index for batch in plan for index in batch) == list(range(2000))
    widths = [max(lengths[index] for index in batch) for batch in plan]
    assert all(len(batch) <= 16 for batch in plan)
    assert all(w * len(b) <= 2048 or len(b) == 1 for w, b in zip(widths, plan, strict=True))
    room = sum(width * len(batch) for width, batch in zip(widths, plan, strict=True))
    assert sum(lengths) / room > 0.95


def test_a_sample_that_is_longer_than_a_batch_may_be_is_one_by_itself() -> None:
    plan = plan_batches([5, 5, 50], 8, 20, np.random.default_rng(1))
    assert sorted(map(sorted, plan)) == [[0, 1], [2]]


def test_bad_input_is_refused(bases: dict[str, str], tmp_path: Path) -> None:
    bare = [structs.replace(DATA[0], candidates=(), aggregations=())]
    loaded = network.load(bases["bart"], "generative", "cpu")
    with pytest.raises(InputError, match="hold no right phrases"):
        make_samples(loaded, bare)
    with pytest.raises(EmptyInput, match="no candidates"):
        network.rank(loaded, bare)
    with pytest.raises(InputError, match="no classifier"):
        rankers.create("discriminative", checkpoint=bases["bart"])
    with pytest.raises(InputError, match="cannot load the model"):
        rankers.create("generative", checkpoint=str(tmp_path))


def test_a_model_that_is_not_named_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TATIAN_DISCRIMINATIVE", raising=False)
    with pytest.raises(TatianError, match="TATIAN_DISCRIMINATIVE"):
        rankers.create("discriminative")
