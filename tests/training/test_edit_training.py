"""Training of a tiny edit model: it learns, repeats itself, resumes, is ranked and is exported."""

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

from tatian.analysis.pieces import RuleAnalyser  # noqa: E402
from tatian.errors import AssetError, InputError  # noqa: E402
from tatian.text import Document, Span  # noqa: E402
from tatian.text.documents import Passage  # noqa: E402
from tatian.training.__main__ import main  # noqa: E402
from tatian.training.adapter import Base, average_weights, learned_parameters, restore  # noqa: E402
from tatian.training.data import read_packed, write_packed  # noqa: E402
from tatian.training.edit import rank, run  # noqa: E402
from tatian.training.edit.data import EditData  # noqa: E402
from tatian.training.edit.examples import EditExample  # noqa: E402
from tatian.training.edit.model import new_model  # noqa: E402
from tatian.training.edit.rank import (  # noqa: E402
    Contest,
    RankConfig,
    judge_ranker,
    train_ranker,
)
from tatian.training.edit.run import (  # noqa: E402
    EditConfig,
    export_edit,
    train_edit,
)
from tatian.training.edit.train import EditStage, Trainer  # noqa: E402
from tatian.training.edit.workshop import Workshop  # noqa: E402
from tatian.training.pretrained import Start  # noqa: E402
from tatian.union.models.edit.editor import Editor  # noqa: E402
from tatian.union.models.edit.ranking import WalkRanker  # noqa: E402
from tatian.union.models.edit.writing import union_input  # noqa: E402

from .edit_world import DATA, TEXTS, config, make_weights  # noqa: E402


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Base, Path, Path]:
    """The tokens body to stand on, its weights, and a finished run."""
    folder = tmp_path_factory.mktemp("edit")
    start, tokens, weights = make_weights(folder)
    base = Base(start, tokens, attention_heads=4)
    train_edit(config(), base, DATA, folder / "run")
    return base, weights, folder / "run"


@pytest.fixture
def base(world: tuple[Base, Path, Path]) -> Base:
    return world[0]


@pytest.fixture
def weights(world: tuple[Base, Path, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(world[1], tmp_path / "weights"))


@pytest.fixture
def done(world: tuple[Base, Path, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(world[2], tmp_path / "run"))


def same(one: Path, other: Path) -> bool:
    first, second = (torch.load(path, weights_only=True) for path in (one, other))
    return all(torch.equal(first[name], second[name]) for name in first)


def unions_of(base: Base) -> list[EditExample]:
    return Workshop(DATA, base.start.pieces, base.labels.shapes, longest=48).unions()


def test_every_stage_leaves_its_file_and_its_log(done: Path) -> None:
    stages = ("whole", "fold-0", "fold-1")
    models = {"pretrained.pt", *(f"{s}{n}.pt" for s in stages for n in ("", "-1", "-2"))}
    logs = {f"log-{stage}.jsonl" for stage in ("pretrain", *stages)}
    assert {path.name for path in done.iterdir()} == {"config.json", *models, *logs}


def test_losses_and_what_held_out_pairs_came_to_are_logged(done: Path) -> None:
    lines = [json.loads(line) for line in (done / "log-fold-1.jsonl").read_text().splitlines()]
    assert {line["seed"] for line in lines[:-1]} == {1, 2}
    assert lines[0].keys() == {"seed", "step", "of", "loss", "seconds"}
    assert lines[-1]["held_out"] == len(DATA.unions)
    assert {"loss", "rouge1", "rouge2", "rougeL"} <= lines[-1].keys()


def test_the_model_learns_its_unions(base: Base, tmp_path: Path) -> None:
    stage = EditStage(epochs=60, size=8, rate=5e-3, head_rate=1e-2)
    settings = config(finetune=stage, seeds=1, folds=0, synthetic=0)
    train_edit(settings, base, DATA, tmp_path)
    model = new_model(base, settings.shape)
    restore(model, tmp_path / "whole.pt")
    trainer = Trainer(model, base.start.table, "cpu", seed=1)
    examples = unions_of(base)
    walks = trainer.best_walks(examples)
    assert [walks[e.id] for e in examples] == [tuple(e.steps[:-1].tolist()) for e in examples]


def test_edit_training_is_deterministic(base: Base, done: Path, tmp_path: Path) -> None:
    train_edit(config(), base, DATA, tmp_path / "again")
    for name in ("pretrained.pt", "whole.pt", "fold-1.pt"):
        assert same(done / name, tmp_path / "again" / name)


def test_another_seed_gives_other_weights(done: Path) -> None:
    assert not same(done / "whole-1.pt", done / "whole-2.pt")


def test_a_run_continues_where_it_stopped(base: Base, done: Path, tmp_path: Path) -> None:
    parts = Path(shutil.copytree(done, tmp_path / "parts"))
    for name in ("whole.pt", "whole-2.pt", "fold-0.pt"):
        (parts / name).unlink()
    kept = (parts / "whole-1.pt").stat().st_mtime_ns
    train_edit(config(), base, DATA, parts)
    assert (parts / "whole-1.pt").stat().st_mtime_ns == kept
    assert all(same(done / name, parts / name) for name in ("whole.pt", "whole-2.pt", "fold-0.pt"))


def test_stages_can_run_apart(base: Base, done: Path, tmp_path: Path) -> None:
    for stage in ("pretrain", "fold-1"):
        train_edit(config(), base, DATA, tmp_path / "apart", only=[stage])
    assert same(done / "fold-1.pt", tmp_path / "apart" / "fold-1.pt")
    assert not (tmp_path / "apart" / "whole.pt").exists()


def test_a_stage_that_needs_another_says_so(base: Base, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"no .*pretrained\.pt: run that stage"):
        train_edit(config(), base, DATA, tmp_path, only=["whole"])


def test_an_unknown_stage_is_named(base: Base, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no stage 'fold-9': there are pretrain, whole, fold-0"):
        train_edit(config(), base, DATA, tmp_path, only=["fold-9"])


def test_a_run_does_not_go_on_with_another_configuration(base: Base, done: Path) -> None:
    with pytest.raises(InputError, match="another configuration"):
        train_edit(config(seeds=3), base, DATA, done)


def test_a_fold_is_not_trained_on(base: Base, tmp_path: Path) -> None:
    """Other unions in the fold make no difference to its model."""
    train_edit(config(), base, DATA, tmp_path / "a", only=["pretrain", "fold-0"])
    changed = list(DATA.unions)
    changed[0] = changed[2] = changed[1]
    other = msgspec.structs.replace(DATA, unions=changed)
    (tmp_path / "b").mkdir()
    shutil.copy(tmp_path / "a" / "pretrained.pt", tmp_path / "b")
    train_edit(config(), base, other, tmp_path / "b", only=["fold-0"])
    assert same(tmp_path / "a" / "fold-0.pt", tmp_path / "b" / "fold-0.pt")


def test_seeds_are_averaged() -> None:
    states = [{"a": torch.tensor([1.0, 3.0])}, {"a": torch.tensor([3.0, 5.0])}]
    assert average_weights(states)["a"].tolist() == [2.0, 4.0]


def test_a_moving_average_lags_behind(base: Base) -> None:
    found = []
    for decay in (0.0, 0.999):
        model = new_model(base, config().shape, seed=1)
        before = learned_parameters(model)["items"]
        trainer = Trainer(model, base.start.table, "cpu", seed=1)
        examples = unions_of(base)
        trainer.fit(examples, EditStage(size=4, average=decay), seed=1)
        found.append(float((learned_parameters(model)["items"] - before).abs().sum()))
    assert 0 < found[1] < found[0]


def test_weights_of_another_shape_are_refused(base: Base, done: Path) -> None:
    shape = msgspec.structs.replace(config().shape, layers=2)
    with pytest.raises(AssetError, match="another shape"):
        restore(new_model(base, shape), done / "whole.pt")


def contests(count: int = 40) -> list[Contest]:
    """Feature 1 tells the best wording, feature 0 misleads."""
    generator = np.random.default_rng(0)
    made = []
    for _ in range(count):
        rewards = generator.permutation([0.2, 0.5, 0.9])
        rows = np.stack((-rewards, rewards, generator.normal(size=3)), 1)
        made.append(Contest(rows.tolist(), rewards.tolist()))
    return made


def test_the_ranker_learns_what_to_go_by(tmp_path: Path) -> None:
    judged = judge_ranker(contests(), RankConfig(), tmp_path)
    assert judged.best == pytest.approx(0.9)
    assert judged.chosen > 0.85
    assert judged.likeliest == pytest.approx(0.2)


def test_the_runtime_reads_the_ranker(tmp_path: Path) -> None:
    np.savez(tmp_path / "rank.npz", **train_ranker(contests(), RankConfig()))  # type: ignore[arg-type]
    for contest in contests(5):
        chosen = int(WalkRanker(tmp_path / "rank.npz").scores(np.array(contest.rows)).argmax())
        assert contest.rewards[chosen] == 0.9


def test_nets_side_by_side_score_as_their_mean(tmp_path: Path) -> None:
    rows = np.array(contests(1)[0].rows)

    def scores(**changes: int) -> Any:
        arrays = train_ranker(contests(8), RankConfig(epochs=2, **changes))
        np.savez(tmp_path / "rank.npz", **arrays)  # type: ignore[arg-type]
        return WalkRanker(tmp_path / "rank.npz").scores(rows)

    mean = (scores(nets=1, seed=5) + scores(nets=1, seed=6)) / 2
    assert scores(nets=2, seed=5) == pytest.approx(mean, abs=1e-6)


def test_the_ranker_is_the_same_every_time() -> None:
    first, second = (train_ranker(contests(8), RankConfig(epochs=2)) for _ in range(2))
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_contests_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_packed(contests(3), tmp_path / "a")
    assert read_packed(tmp_path / "a", list[Contest], "contests", "edit-rank") == contests(3)
    (tmp_path / "a").write_bytes(b"no")
    with pytest.raises(InputError, match="not contests"):
        read_packed(tmp_path / "a", list[Contest], "contests", "edit-rank")


def test_single_contest_is_too_few_to_judge_a_ranker(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="fewer than two"):
        judge_ranker(contests(1), RankConfig(), tmp_path)


def places(base: Base, tokens: Path) -> list[str]:
    return ["--start", str(base.start.directory), "--tokens", str(tokens)]


def test_the_commands_lead_from_data_to_weights_that_word_unions(
    world: tuple[Base, Path, Path],
    weights: Path,
    tmp_path: Path,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    base, tokens = world[0], world[1].parent / "tokens"
    data, out = tmp_path / "edit.msgpack.gz", tmp_path / "commands"
    write_packed(DATA, data)
    (tmp_path / "config.json").write_bytes(msgspec.json.encode(config()))
    given = [*places(base, tokens), "--data", str(data)]
    edit = ["edit", str(tmp_path / "config.json"), *given, "--out", str(out), "--workers", "1"]
    assert main(edit) == 0
    assert same(out / "whole.pt", world[2] / "whole.pt")
    (tmp_path / "consolidation" / "train").mkdir(parents=True)
    monkeypatch.setattr(rank, "real_unions", lambda bundles, written, without: list(TEXTS))
    exported = ["edit-export", *given, "--edit", str(out), "--weights", str(weights)]
    assert main(exported) == 2
    assert "edit-rank" in capsys.readouterr().err
    ranked = ["edit-rank", *places(base, tokens), "--data", str(tmp_path), "--workers", "1"]
    assert main([*ranked, "--edit", str(out), "--weights", str(weights)]) == 0
    assert len(
        read_packed(out / "contests.msgpack.gz", list[Contest], "contests", "edit-rank")
    ) == len(TEXTS)
    assert main(exported) == 0
    listed = json.loads((weights / "checksums.json").read_text())
    assert {"edit.onnx", "edit.npz", "edit-rank.npz"} <= listed.keys()
    one, two = (RuleAnalyser().analyze(Document(text, text)) for text in TEXTS[0][:2])
    strands = [union_input(Passage(given, Span(0, len(given.text)))) for given in (one, two)]
    reading = Editor(str(weights)).read(*strands)
    assert reading is not None
    assert len(reading.wordings) > 2


def test_training_continues_from_exported_weights(
    world: tuple[Base, Path, Path], weights: Path, tmp_path: Path
) -> None:
    """The restored body is quantised to the same bytes, or the export would refuse it."""
    exported = new_model(world[0], config().shape)
    restore(exported, world[2] / "whole.pt")
    export_edit(exported, weights)
    assert main(["restore", "--weights", str(weights), "--out", str(tmp_path)]) == 0
    restored = Base(Start(tmp_path / "start"), tmp_path / "tokens", attention_heads=4)
    model = new_model(restored, config().shape)
    restore(model, tmp_path / "tokens" / "edit.pt")
    learned = learned_parameters(exported)
    for name, array in learned_parameters(model).items():
        assert torch.allclose(array, learned[name], atol=0.05), name
    plain = EditData(trees=[], unions=DATA.unions, joined=DATA.joined, synonyms={})
    train_edit(config(synthetic=0, continued=True), restored, plain, tmp_path / "more")
    again = new_model(restored, config().shape)
    restore(again, tmp_path / "more" / "whole.pt")
    before = (weights / "edit.onnx").read_bytes()
    export_edit(again, weights)
    assert (weights / "edit.onnx").read_bytes() != before


def test_an_export_that_disagrees_with_pytorch_leaves_the_weights_alone(
    base: Base, weights: Path, done: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {path.name: path.read_bytes() for path in weights.iterdir()}
    shutil.copy(weights / "relations.npy", done / "edit-rank.npz")
    monkeypatch.setattr(run, "TOLERANCE", 0.0)
    told = [union.words for union in DATA.unions]
    with pytest.raises(AssetError, match=r"differ from PyTorch's by 0\.\d+ a step"):
        run.export_checked(base, done, weights, told)
    assert {path.name: path.read_bytes() for path in weights.iterdir()} == before


def test_weights_of_another_tokens_body_are_refused(base: Base, weights: Path) -> None:
    shutil.copy(weights / "pairs.onnx", weights / "tokens.onnx")
    with pytest.raises(AssetError, match="another tokens body"):
        export_edit(new_model(base, config().shape), weights)
    assert not (weights / "edit.onnx").exists()


def test_a_directory_that_is_no_tokens_run_says_how_to_make_one(base: Base, tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"python -m tatian\.training tokens"):
        Base(base.start, tmp_path)


def test_a_bad_configuration_is_one_line_and_status_two(
    world: tuple[Base, Path, Path], tmp_path: Path, capsys: Any
) -> None:
    (tmp_path / "config.json").write_text('{"sedes": 3}')
    given = [*places(world[0], world[1].parent / "tokens"), "--data", "x", "--out", "y"]
    assert main(["edit", str(tmp_path / "config.json"), *given]) == 2
    assert "sedes" in capsys.readouterr().err


def test_the_defaults_are_the_shipped_recipe() -> None:
    """As the model card has it."""
    recipe = EditConfig()
    assert (recipe.shape.rank, recipe.shape.width, recipe.shape.layers) == (16, 256, 1)
    assert (recipe.synthetic, recipe.pretrain.size, recipe.pretrain.epochs) == (600_000, 96, 1)
    assert (recipe.finetune.size, recipe.finetune.epochs, recipe.seeds) == (16, 4, 3)
    assert (RankConfig().hidden, RankConfig().nets) == (64, 4)
