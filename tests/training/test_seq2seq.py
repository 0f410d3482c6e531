"""Fine-tuning of tiny T5, BART and PRIMERA (LED) models, randomly initialised."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
pytest.importorskip("rouge_score_rs")

from tatian.errors import InputError  # noqa: E402
from tatian.pytorch import hub  # noqa: E402
from tatian.text import Document, Span, tokenize  # noqa: E402
from tatian.text.documents import Passage  # noqa: E402
from tatian.text.layers import TOKENS, Authorship  # noqa: E402
from tatian.training.seq2seq import (  # noqa: E402
    SearchSpace,
    draw_settings,
    fine_tune,
    learning_curves,
    random_search,
)
from tatian.training.settings import PRIMERA, T5, Seq2SeqConfig  # noqa: E402
from tatian.union.data import UnionInstance  # noqa: E402
from tatian.union.models import mergers  # noqa: E402

WORDS = "the ferry Anna ran aground in fog on Monday with 80 passengers nobody was hurt .".split()
KINDS = ("t5", "bart", "led")
FIRST = ("the ferry ran aground .", "Anna ran aground in fog .")
SECOND = ("nobody was hurt .", "on Monday nobody was hurt .")
DATA = [
    UnionInstance("1", FIRST, "the ferry Anna ran aground in fog ."),
    UnionInstance("2", SECOND, "on Monday nobody was hurt ."),
]
QUICK = Seq2SeqConfig(lr=1e-2, batch=2, epochs=25, beams=1, device="cpu")


def tokenizer(kind: str) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers

    specials = ["<pad>", "</s>", "<unk>", "<s>"] + (["<doc-sep>"] if kind == "led" else [])
    vocabulary = {word: id for id, word in enumerate([*specials, *WORDS])}
    fast = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    fast.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        bos_token="<s>",
        additional_special_tokens=specials[4:],
        model_max_length=64,
    )


def network(kind: str, size: int) -> Any:
    ids = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}
    if kind == "t5":
        small = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 1, "num_heads": 4}
        config = transformers.T5Config(vocab_size=size, dropout_rate=0.0, **small, **ids)
        return transformers.T5ForConditionalGeneration(config)
    shape = {
        "vocab_size": size,
        "d_model": 32,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
        "dropout": 0.0,
        "bos_token_id": 3,
        "forced_eos_token_id": None,
        **ids,
    }
    if kind == "bart":
        config = transformers.BartConfig(max_position_embeddings=64, **shape)
        return transformers.BartForConditionalGeneration(config)
    config = transformers.LEDConfig(
        max_encoder_position_embeddings=64,
        max_decoder_position_embeddings=64,
        attention_window=[8],
        **shape,
    )
    return transformers.LEDForConditionalGeneration(config)


@pytest.fixture(scope="module")
def bases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A folder for each kind, as somebody would have downloaded it."""
    found = {}
    for kind in KINDS:
        torch.manual_seed(0)
        folder = tmp_path_factory.mktemp(kind)
        words = tokenizer(kind)
        network(kind, len(words)).save_pretrained(folder)
        words.save_pretrained(folder)
        found[kind] = str(folder)
    return found


def passage(text: str, id: str) -> Passage:
    document = Document(id, text).with_layer(TOKENS, tokenize(text), Authorship("test"))
    return Passage(document, Span(0, len(text)))


@pytest.mark.parametrize("kind", KINDS)
def test_fine_tuned_model_learns_its_unions_and_is_registered(
    kind: str, bases: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = fine_tune(bases[kind], DATA, DATA, QUICK, tmp_path)
    assert result.scores["rouge1"] > 0.9
    assert result.samples == 2
    monkeypatch.setenv("TATIAN_SEQ2SEQ", str(tmp_path / "best"))
    pair = [passage(text, str(n)) for n, text in enumerate(DATA[1].sentences)]
    merged = mergers.create("seq2seq").merge(pair)
    assert merged.text.startswith("on Monday nobody was hurt .")
    assert {source.document for source in merged.sources()} == {"0", "1"}


@pytest.mark.parametrize(("kind", "expected"), [("t5", "<sentence-sep>"), ("led", "<doc-sep>")])
def test_sentences_are_separated_by_an_existing_or_a_new_token(
    kind: str, expected: str, bases: dict[str, str]
) -> None:
    loaded = hub.load(bases[kind], "cpu")
    fed = hub.inputs(loaded, [DATA[0].sentences])
    mark = loaded.tokenizer.convert_tokens_to_ids(expected)
    assert loaded.separator == expected
    assert fed["input_ids"][0].tolist().count(mark) == 1
    assert loaded.model.get_input_embeddings().num_embeddings >= len(loaded.tokenizer)


def test_primera_sees_everything_from_the_separators(bases: dict[str, str]) -> None:
    loaded = hub.load(bases["led"], "cpu")
    fed = hub.inputs(loaded, [("the ferry", "Anna")])
    assert fed["global_attention_mask"].tolist() == [[1, 0, 1, 0]]
    assert "global_attention_mask" not in hub.inputs(hub.load(bases["t5"], "cpu"), [("the", "in")])


def test_labels_end_and_padding_does_not_count(bases: dict[str, str]) -> None:
    loaded = hub.load(bases["t5"], "cpu")
    rows = hub.labels(loaded, ["the ferry", "ferry"]).tolist()
    assert [row[-1] for row in rows] == [1, hub.IGNORED]
    assert rows[1][1] == 1


def test_too_long_an_input_is_cut(bases: dict[str, str]) -> None:
    loaded = hub.load(bases["bart"], "cpu")
    assert hub.inputs(loaded, [("fog " * 500, "fog")])["input_ids"].shape[1] == 64
    assert len(hub.write(loaded, [("fog " * 500, "fog")], beams=1)) == 1


def test_the_best_epoch_is_kept_with_its_scores(bases: dict[str, str], tmp_path: Path) -> None:
    result = fine_tune(bases["t5"], DATA, DATA, structs.replace(QUICK, epochs=4), tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    best = max(line["rouge1"] for line in lines)
    assert [line["epoch"] for line in lines] == [1, 2, 3, 4]
    assert result.scores["rouge1"] == pytest.approx(best, abs=1e-4)
    assert json.loads((tmp_path / "result.json").read_text())["epoch"] == result.epoch


def test_seq2seq_training_is_deterministic(bases: dict[str, str], tmp_path: Path) -> None:
    config = structs.replace(QUICK, epochs=3)
    first, second = (fine_tune(bases["t5"], DATA, DATA, config, tmp_path / n) for n in "ab")
    assert first.scores == second.scores


def test_a_batch_may_be_computed_in_parts(bases: dict[str, str], tmp_path: Path) -> None:
    config = structs.replace(QUICK, epochs=1)
    fine_tune(bases["t5"], DATA, DATA, config, tmp_path / "whole")
    fine_tune(bases["t5"], DATA, DATA, structs.replace(config, accumulate=2), tmp_path / "parts")
    assert (tmp_path / "parts" / "best").is_dir()


def test_both_orders_double_the_examples(bases: dict[str, str], tmp_path: Path) -> None:
    config = structs.replace(QUICK, epochs=1, both_orders=True)
    assert fine_tune(bases["t5"], DATA, DATA, config, tmp_path).samples == 4


def test_a_search_draws_from_the_papers_ranges_and_repeats_itself() -> None:
    drawn = [draw_settings(SearchSpace(), trial, QUICK) for trial in range(200)]
    assert all(1e-8 <= one.lr <= 5e-5 for one in drawn)
    assert {one.batch for one in drawn} == {8, 16, 32}
    assert all(0 <= one.weight_decay <= 0.5 and 0 <= one.warmup <= 300 for one in drawn)
    assert min(one.lr for one in drawn) < 1e-7
    assert drawn == [draw_settings(SearchSpace(), trial, QUICK) for trial in range(200)]


def test_a_search_returns_its_best_trial_and_does_not_repeat_finished_ones(
    bases: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tatian.training import seq2seq as search

    config = structs.replace(QUICK, epochs=1)
    space = SearchSpace(lr=(1e-4, 1e-2), batch=(1, 2), warmup=(0, 1))
    args = (bases["t5"], DATA, DATA, config, tmp_path)
    best = random_search(*args, trials=2, space=space)
    scores = [json.loads(path.read_text()) for path in tmp_path.glob("trial-*/result.json")]
    assert best.scores["rouge1"] == max(one["scores"]["rouge1"] for one in scores)
    monkeypatch.setattr(search, "fine_tune", lambda *given: pytest.fail("run again"))
    assert random_search(*args, trials=2, space=space) == best


def test_learning_curves_are_written_for_the_plot(bases: dict[str, str], tmp_path: Path) -> None:
    config = structs.replace(QUICK, epochs=1)
    names = [bases["t5"], bases["bart"]]
    results = learning_curves(names, DATA, DATA, config, tmp_path, shares=(0.5, 1.0))
    with (tmp_path / "curves.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert [one.samples for one in results] == [1, 2, 1, 2]
    assert [row["size"] for row in rows] == ["1", "2", "1", "2"]
    assert {"model", "size", "rouge1", "rouge1_error", "rouge2", "rougeL"} <= set(rows[0])


def test_the_papers_best_settings_are_at_hand() -> None:
    assert (T5.lr, T5.batch, T5.weight_decay, T5.warmup, T5.epochs) == (4.3e-6, 32, 0.0, 0, 18)
    assert (PRIMERA.lr, PRIMERA.batch, PRIMERA.weight_decay) == (3.5e-6, 16, 0.5)
    assert (PRIMERA.warmup, PRIMERA.epochs) == (80, 9)


def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot load the model"):
        hub.load(str(tmp_path))


def test_data_without_unions_are_refused(bases: dict[str, str], tmp_path: Path) -> None:
    bare = [UnionInstance("1", ("a", "b"))]
    with pytest.raises(InputError, match="training data hold no unions"):
        fine_tune(bases["t5"], bare, DATA, QUICK, tmp_path)
    with pytest.raises(InputError, match="development data hold no unions"):
        fine_tune(bases["t5"], DATA, bare, structs.replace(QUICK, epochs=1), tmp_path)
