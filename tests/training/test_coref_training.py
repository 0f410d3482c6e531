"""Training of a tiny resolver: it learns, repeats itself, resumes, equals NumPy, is exported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from tatian.coreference.models.decisions import rank_antecedents  # noqa: E402
from tatian.coreference.models.network import Candidates, span_input  # noqa: E402
from tatian.coreference.models.pairs import codes, pair_features  # noqa: E402
from tatian.coreference.models.resolver import TrainedResolver  # noqa: E402
from tatian.coreference.words import SCHEMES, Text  # noqa: E402
from tatian.errors import AssetError, InputError  # noqa: E402
from tatian.text import CHAINS, NAMES, SENTENCES, WORDS, Authorship, Sentence, Word  # noqa: E402
from tatian.training import loop  # noqa: E402
from tatian.training.__main__ import main  # noqa: E402
from tatian.training.adapter import Base  # noqa: E402
from tatian.training.coref import train  # noqa: E402
from tatian.training.coref.data import CorefData, DocumentEncoder, annotated_words, gold_of  # noqa: E402
from tatian.training.coref.evaluate import network_of, with_chains  # noqa: E402
from tatian.training.coref.losses import CorefLosses, DeviceModel, LossWeights  # noqa: E402
from tatian.training.coref.model import CorefModel  # noqa: E402
from tatian.training.coref.train import (  # noqa: E402
    CorefConfig,
    export_coref,
    new_model,
    train_coref,
)
from tatian.training.data import write_packed  # noqa: E402

from .coref_world import BANK, DATA, FERRY, SHIP, config  # noqa: E402
from .edit_world import make_weights  # noqa: E402

World = tuple[Base, Path, Path]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The tokens body to stand on, its weights, and a finished run."""
    folder = tmp_path_factory.mktemp("coref")
    start, tokens, weights = make_weights(folder)
    base = Base(start, tokens, attention_heads=4)
    train_coref(config(), base, DATA, folder / "run")
    return base, weights, folder / "run"


@pytest.fixture
def base(world: World) -> Base:
    return world[0]


@pytest.fixture
def weights(world: World, tmp_path: Path) -> Path:
    return Path(shutil.copytree(world[1], tmp_path / "weights"))


@pytest.fixture
def done(world: World, tmp_path: Path) -> Path:
    return Path(shutil.copytree(world[2], tmp_path / "run"))


@pytest.fixture(scope="module")
def random(world: World) -> CorefModel:
    """A model in which no weight is zero and all are numbers that float16 holds."""
    model = new_model(world[0], config())
    generator = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                noise = torch.randn(parameter.shape, generator=generator) * 0.3
                parameter.copy_((parameter + noise).half().float())
    return model.eval()


def maker_of(base: Base) -> DocumentEncoder:
    return DocumentEncoder(base.start.pieces, base.labels.shapes, base.labels.positions)


def reader_of(base: Base, model: CorefModel) -> DeviceModel:
    return DeviceModel(model, base.start.table, "cpu")


def same(one: Path, other: Path) -> bool:
    first, second = (torch.load(path, weights_only=True) for path in (one, other))
    return all(torch.equal(first[name], second[name]) for name in first)


def test_a_run_leaves_its_model_its_configuration_and_its_log(done: Path) -> None:
    assert {path.name for path in done.iterdir()} == {"config.json", "coref.pt", "log.jsonl"}
    lines = [json.loads(line) for line in (done / "log.jsonl").read_text().splitlines()]
    assert [line.get("epoch") for line in lines] == [1, 2, None]
    assert {"gum/ontonotes/conll", "gum/gum/muc", "litbank/litbank/b3", "gap/f1"} < lines[2].keys()


def test_the_model_learns_chains_edges_and_questions(base: Base, tmp_path: Path) -> None:
    scores = train_coref(config(epochs=30), base, DATA, tmp_path)
    assert scores.pop("gap/f1") == 1
    assert set(scores.values()) == {1.0}


def test_coref_training_is_deterministic(base: Base, done: Path, tmp_path: Path) -> None:
    train_coref(config(), base, DATA, tmp_path / "again")
    assert same(done / "coref.pt", tmp_path / "again" / "coref.pt")


def test_another_seed_gives_other_weights(base: Base, done: Path, tmp_path: Path) -> None:
    train_coref(config(seed=2), base, DATA, tmp_path / "other")
    assert not same(done / "coref.pt", tmp_path / "other" / "coref.pt")


def test_a_run_continues_where_it_stopped(
    base: Base, done: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = loop.Checkpoint.save

    def stop(self: Any, epoch: int, scores: Any) -> None:
        saved(self, epoch, scores)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(loop.Checkpoint, "save", stop)
        with pytest.raises(KeyboardInterrupt):
            train_coref(config(), base, DATA, tmp_path / "parts")
    train_coref(config(), base, DATA, tmp_path / "parts")
    assert same(done / "coref.pt", tmp_path / "parts" / "coref.pt")


def test_a_run_does_not_go_on_with_another_configuration(base: Base, done: Path) -> None:
    with pytest.raises(InputError, match="another configuration"):
        train_coref(config(epochs=3), base, DATA, done)


def test_data_without_documents_to_train_on_are_refused(base: Base, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no documents of GUM or LitBank"):
        train_coref(config(), base, CorefData(DATA.part("gap", "train")), tmp_path)


def test_an_epoch_has_every_document_and_some_of_gap_and_ecbplus(base: Base) -> None:
    given = [*DATA.documents, *DATA.part("gap", "train") * 4, *DATA.part("ecbplus", "train") * 2]
    run = train.CorefRun(config(questions=4, together=3, reports=2), base, CorefData(given))
    items = run.epoch(np.random.default_rng(0))
    assert sorted((item[0].document.corpus, len(item)) for item in items) == [
        ("ecbplus", 1),
        ("ecbplus", 1),
        ("gap", 1),
        ("gap", 3),
        ("gum", 1),
        ("litbank", 1),
    ]


def test_rates_rise_over_the_first_documents_and_fall_to_nothing(base: Base) -> None:
    run = train.CorefRun(config(warmup=10), base, DATA)
    assert run.rate_factor(0, 100) == pytest.approx(0.1)
    assert run.rate_factor(50, 100) == pytest.approx(0.5)
    assert run.rate_factor(100, 100) == pytest.approx(0.01)


@pytest.mark.parametrize("given", [FERRY, BANK])
def test_features_of_pairs_are_the_same_in_torch_and_numpy(given: Any) -> None:
    known = codes(Text(given))
    ours = pair_features(known[:, None], known[None], np)
    tensor = torch.from_numpy(known)
    theirs = pair_features(tensor[:, None], tensor[None], torch)
    for one, other in zip(ours[0], theirs[0], strict=True):
        assert np.array_equal(one.astype(np.float32), other.float().numpy())
    assert np.array_equal(ours[1], theirs[1].numpy())
    assert np.array_equal(ours[2], theirs[2].numpy())


@pytest.mark.parametrize("scheme", range(len(SCHEMES)))
def test_antecedents_are_as_likely_in_torch_as_in_numpy(
    base: Base, random: CorefModel, scheme: int
) -> None:
    reader, example = reader_of(base, random), maker_of(base).example(DATA.documents[0])
    network = network_of(random)
    places = np.arange(example.text.count)
    with torch.no_grad():
        states = reader.states(example)
        vectors = reader.vectors(example)
        odds = random.mentions(vectors)
        likely = reader.antecedents(example, vectors, odds, torch.from_numpy(places), scheme).exp()
    ours = network.vectors(states.numpy(), example.text.features)
    mentions = network.mentions(ours)
    assert ours == pytest.approx(vectors.numpy(), abs=1e-4)
    assert mentions == pytest.approx(odds.numpy(), abs=1e-4)
    ready = Candidates(network, ours, mentions[:, scheme], scheme)
    found = rank_antecedents(example.codes, ready, threads=1)
    assert found.none == pytest.approx(likely[:, 0].numpy(), abs=1e-4)
    best = likely[:, 1:].max(1).values.numpy()
    assert found.probability[1:, 0] == pytest.approx(best[1:], abs=1e-4)
    assert found.antecedent[1:, 0].tolist() == likely[1:, 1:].argmax(1).tolist()


def test_mentions_begin_and_end_at_the_same_words_in_torch_and_numpy(
    base: Base, random: CorefModel
) -> None:
    reader, example = reader_of(base, random), maker_of(base).example(DATA.documents[2])
    heads = list(range(example.text.count))
    with torch.no_grad():
        vectors = reader.vectors(example)
        first, last = random.spans(vectors, reader.sentences_of(example, heads), 2)
    begin = example.text.begin
    network = network_of(random)
    given = span_input(example.text, np.array(heads))
    edges = network.edges(vectors.numpy(), np.array(heads), given, 2)
    assert edges[0].tolist() == (begin + first.argmax(1).numpy()).tolist()
    assert edges[1].tolist() == (begin + last.argmax(1).numpy()).tolist()


def test_a_long_document_is_read_in_windows_that_keep_each_word_once(base: Base) -> None:
    maker = DocumentEncoder(base.start.pieces, base.labels.shapes, positions=34)
    windows = maker.windows(["ferry"] * 100)
    assert windows["rows"].shape[1] <= 34
    kept = windows["words"].reshape(-1, 2)[windows["kept"]]
    assert len(kept) == 100
    assert (kept > 0).all()


def test_the_shorter_of_two_mentions_with_one_head_is_used() -> None:
    gold = gold_of(Text(FERRY), [[(0, 3), (2, 3)]])
    assert gold.chains == {2: 0}
    assert gold.spans == {2: (2, 3)}


def test_a_mention_over_the_end_of_a_sentence_has_no_edges_to_learn() -> None:
    gold = gold_of(Text(FERRY), [[(2, 5)]])
    assert len(gold.chains) == 1
    assert not gold.spans


def test_sentences_without_mentions_are_unannotated() -> None:
    known = annotated_words(Text(BANK), {7: 0})
    assert known.tolist() == [False] * 6 + [True] * 4 + [False] * 3


def test_only_in_ecbplus_do_words_of_unannotated_sentences_have_no_loss(
    base: Base, random: CorefModel
) -> None:
    """Its sentences without mentions were not read by the annotators."""
    costs = {}
    for scheme in ("ecb", "gum"):
        told = msgspec.structs.replace(DATA.documents[2], chains={scheme: [[(3, 6)]]})
        example, reader = maker_of(base).example(told), reader_of(base, random)
        candidates = reader.candidates
        seen: list[int] = []

        def note(*given: Any, seen: list[int] = seen, found: Any = candidates) -> Any:
            seen.extend(found(*given).tolist())
            return found(*given)

        reader.candidates = note  # type: ignore[method-assign]
        CorefLosses(reader, LossWeights(), np.random.default_rng(0)).document(example)
        costs[scheme] = max(seen) > 5
    assert costs == {"ecb": False, "gum": True}


def test_words_are_spelled_with_blanks_between_them() -> None:
    document = with_chains(DATA.documents[0], SHIP)
    mentions = [[one.of(document.text) for one in c.mentions] for c in document.get(CHAINS)]
    assert mentions == [["The old ferry", "It", "the ferry"], ["Paris"]]


def places(base: Base, tokens: Path) -> list[str]:
    return ["--start", str(base.start.directory), "--tokens", str(tokens)]


def test_the_commands_lead_from_data_to_weights_that_resolve(
    world: World, weights: Path, tmp_path: Path, capsys: Any
) -> None:
    base, tokens = world[0], world[1].parent / "tokens"
    data, out = tmp_path / "coref.msgpack.gz", tmp_path / "commands"
    write_packed(DATA, data)
    (tmp_path / "config.json").write_bytes(msgspec.json.encode(config(epochs=30)))
    given = [*places(base, tokens), "--data", str(data)]
    assert main(["coref", str(tmp_path / "config.json"), *given, "--out", str(out)]) == 0
    given_out = ["coref-export", *given, "--coref", str(out), "--weights", str(weights)]
    capsys.readouterr()
    assert main(given_out) == 0
    assert json.loads(capsys.readouterr().out)["cosine"] > train.MIN_COSINE
    listed = json.loads((weights / "checksums.json").read_text())
    assert {"coref.onnx", "coref.npz"} <= listed.keys()
    found = TrainedResolver(scheme="gum", weights=str(weights)).resolve(analysed())
    chains = [[one.of(found.text) for one in chain.mentions] for chain in found.get(CHAINS)]
    assert ["The old ferry", "It", "the ferry"] in chains


def analysed() -> Any:
    """The first document as the resolver is given it."""
    document = with_chains(DATA.documents[0], ())
    made, tokens = Authorship(by="test"), document.tokens
    rows = zip(FERRY.tags, FERRY.lemmas, FERRY.heads, FERRY.relations, strict=True)
    words = [Word(n, *row) for n, row in enumerate(rows)]
    cut = [Sentence(tokens[a].start, tokens[b - 1].end) for a, b in FERRY.sentences]
    document = document.with_layer(SENTENCES, cut, made).with_layer(NAMES, (), made)
    return document.with_layer(WORDS, words, made)


def test_an_export_that_disagrees_with_pytorch_leaves_the_weights_alone(
    base: Base, weights: Path, done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in weights.iterdir()}
    monkeypatch.setattr(train, "MIN_COSINE", 1.1)
    with pytest.raises(AssetError, match=r"a cosine of \d\.\d+ with PyTorch's"):
        train.export_checked(base, done, weights, DATA)
    assert {path.name: path.read_bytes() for path in weights.iterdir()} == before


def test_weights_of_another_tokens_body_are_refused(base: Base, weights: Path) -> None:
    shutil.copy(weights / "pairs.onnx", weights / "tokens.onnx")
    with pytest.raises(AssetError, match="another tokens body"):
        export_coref(new_model(base, config()), weights)
    assert not (weights / "coref.onnx").exists()


def test_a_run_without_a_model_says_how_to_make_one(base: Base, done: Path) -> None:
    (done / "coref.pt").unlink()
    with pytest.raises(AssetError, match=r"python -m tatian\.training coref'"):
        train.trained_model(base, done)


def test_a_bad_configuration_is_one_line_and_status_two(
    world: World, tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "config.json").write_text('{"epocs": 3}')
    given = [*places(world[0], world[1].parent / "tokens"), "--data", "x", "--out", "y"]
    assert main(["coref", str(tmp_path / "config.json"), *given]) == 2
    assert "epocs" in capsys.readouterr().err


def test_the_defaults_are_the_shipped_recipe() -> None:
    """As the model card has it."""
    recipe = CorefConfig()
    assert (recipe.shape.rank, recipe.shape.width, recipe.shape.dropout) == (16, 256, 0.2)
    assert (recipe.epochs, recipe.questions, recipe.reports) == (10, 480, 120)
    assert (recipe.rate, recipe.head_rate, recipe.warmup) == (1.2e-3, 1.5e-3, 250)
    assert (recipe.accumulate, recipe.average) == (2, 0.995)
