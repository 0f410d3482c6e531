"""A step over a corpus: shards in and out, what is set aside, what is gone on with."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyarrow import parquet

from tatian.analysis.pieces import segmented
from tatian.corpora import iterate
from tatian.engine import Engine, open_engine
from tatian.errors import EmptyInput, InputError
from tatian.pipeline.corpus_steps import AnalysisStep
from tatian.pipeline.shards import FAILED, MANIFEST, Packing, RunCounts, run_step

STEP = AnalysisStep("rules")


def write_records(folder: Path) -> list[str]:
    """Two files of records; one of the second cannot be read."""
    first = [{"id": f"a{n}", "text": f"The ferry {n} sailed. It came back."} for n in range(4)]
    second = [{"id": f"b{n}", "text": f"The {n} passengers are safe."} for n in range(3)]
    lines = [json.dumps(one) for one in second]
    (folder / "a.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, first)).encode()))
    (folder / "b.jsonl").write_text("\n".join([lines[0], "{broken", *lines[1:]]))
    return [str(folder / "a.jsonl.gz"), str(folder / "b.jsonl")]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return open_engine(processes=1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_records(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="module")
def whole(
    corpus: list[str], engine: Engine, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, RunCounts]:
    """A run that came to its end."""
    folder = tmp_path_factory.mktemp("run") / "out"
    return folder, run(corpus, folder, engine)


@pytest.fixture
def made(whole: tuple[Path, RunCounts], tmp_path: Path) -> Path:
    """Its folder, to be changed."""
    shutil.copytree(whole[0], tmp_path / "out")
    return tmp_path / "out"


def run(
    paths: Sequence[str],
    output: Path | str,
    engine: Engine,
    *,
    resume: bool = False,
    packing: Packing = "plain",
    step: AnalysisStep = STEP,
) -> RunCounts:
    return run_step(step, paths, str(output), engine, length=70, resume=resume, packing=packing)


def shards(folder: Path) -> list[Path]:
    return sorted(folder.glob("part-*"))


def test_shards_have_the_results_of_all_documents(
    corpus: list[str], whole: tuple[Path, RunCounts]
) -> None:
    folder, counts = whole
    assert (counts.documents, counts.failed, counts.shards) == (7, 1, len(shards(folder)))
    read = list(iterate(map(str, shards(folder))))
    given = iterate(corpus, refuse=lambda error: None)
    assert read == [segmented(document) for document in given]


def test_unreadable_input_is_set_aside_with_its_place(corpus: list[str], made: Path) -> None:
    (aside,) = map(json.loads, (made / FAILED).read_text().splitlines())
    assert f"{corpus[1]}:2: not valid JSON" in aside["error"]


def test_failed_documents_are_set_aside_and_can_be_read_again(
    corpus: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "picky_model.py").write_text(
        "class Picky:\n"
        "    def analyze(self, document):\n"
        "        if document.id == 'a2':\n"
        "            raise ValueError('not this one')\n"
        "        return document\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    step = AnalysisStep("picky_model:Picky")
    counts = run(corpus[:1], tmp_path / "out", open_engine(processes=1), step=step)
    assert (counts.documents, counts.failed) == (3, 1)
    failed = tmp_path / "out" / FAILED
    assert json.loads(failed.read_text())["error"] == "ValueError: not this one"
    (again,) = iterate(str(failed))
    assert (again.id, again.text) == ("a2", "The ferry 2 sailed. It came back.")


def test_repeated_warning_is_reported_once_with_its_first_file(
    tmp_path: Path, engine: Engine
) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes("The café is open.".encode("cp1252"))
    (tmp_path / "table.csv").write_text("1,2")
    counts = run([str(tmp_path)], tmp_path / "out", engine)
    assert (counts.documents, counts.warnings) == (
        2,
        (
            f"not UTF-8, read as Windows-1252 (2; first in '{tmp_path}/a.txt')",
            f"skipped: its name is not that of a text (1; first in '{tmp_path}/table.csv')",
        ),
    )


def test_a_text_in_another_language_is_set_aside(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "a.txt").write_text("Das Schiff ist auf Grund gelaufen, alle sind wohlauf. " * 9)
    (tmp_path / "b.txt").write_text("The ship ran aground.")
    counts = run([str(tmp_path)], tmp_path / "out", engine)
    assert (counts.documents, counts.failed) == (1, 1)
    (aside,) = map(json.loads, (tmp_path / "out" / FAILED).read_text().splitlines())
    assert (aside["id"], "seems to be in German" in aside["error"]) == ("a", True)


class TestIds:
    """Documents of one run have ids of their own."""

    def test_files_of_one_name_are_numbered_as_elsewhere(
        self, tmp_path: Path, engine: Engine
    ) -> None:
        for name in ("w/a-2.txt", "x/a.txt", "y/a.txt", "z/a.txt"):
            (tmp_path / name).parent.mkdir()
            (tmp_path / name).write_text(f"The ferry {name} sailed.")
        paths = [str(tmp_path / place) for place in ("w", "x", "y", "z")]
        run(paths, tmp_path / "out", engine)
        found = [one.id for one in iterate(map(str, shards(tmp_path / "out")))]
        assert found == [one.id for one in iterate(paths)] == ["a-2", "a", "a-3", "a-4"]

    @pytest.mark.parametrize("second", [["1", "2"], ["3", "1"]])
    def test_repeated_id_in_two_files_ends_the_run(
        self, tmp_path: Path, engine: Engine, second: list[str]
    ) -> None:
        for name, ids in (("a", ["1", "2"]), ("b", second)):
            lines = (json.dumps({"id": id, "text": f"Ferry {name}{id} sailed."}) for id in ids)
            (tmp_path / f"{name}.jsonl").write_text("\n".join(lines))
        paths = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]
        message = (
            r"b\.jsonl: the id '1' is that of a document in .*a\.jsonl as well: give records ids"
        )
        with pytest.raises(InputError, match=message):
            run(paths, tmp_path / "out", engine)


@pytest.mark.parametrize("packing", ["gz", "parquet"])
def test_shards_may_be_packed(
    corpus: list[str], made: Path, tmp_path: Path, engine: Engine, packing: Packing
) -> None:
    run(corpus, tmp_path / "packed", engine, packing=packing)
    for one, other in zip(shards(made), shards(tmp_path / "packed"), strict=True):
        if packing == "gz":
            assert gzip.decompress(other.read_bytes()) == one.read_bytes()
        else:
            records = parquet.read_table(other)["record"].to_pylist()
            assert "".join(f"{line}\n" for line in records) == one.read_text()
            ids = [document.id for document in iterate(str(one))]
            assert [document.id for document in iterate(str(other))] == ids


def test_input_and_output_can_be_fsspec_addresses(
    corpus: list[str], made: Path, tmp_path: Path, engine: Engine
) -> None:
    run([f"file://{Path(corpus[0]).parent}/*.jsonl*"], f"file://{tmp_path}/there", engine)
    here = [path.read_bytes() for path in shards(made)]
    there = [path.read_bytes() for path in shards(tmp_path / "there")]
    assert [data.replace(b"file://", b"") for data in there] == here


def test_only_shards_that_are_missing_are_made_again(
    corpus: list[str], made: Path, engine: Engine
) -> None:
    before = {path: path.read_bytes() for path in shards(made)}
    gone, *kept = before
    gone.unlink()
    (made / ".part-00001-00000.jsonl.0.partial").write_text("half a sh")
    times = [path.stat().st_mtime_ns for path in kept]
    counts = run(corpus, made, engine, resume=True)
    assert (counts.documents, counts.failed) == (len(before[gone].splitlines()), 1)
    assert {path: path.read_bytes() for path in shards(made)} == before
    assert [path.stat().st_mtime_ns for path in kept] == times
    assert not list(made.glob(".*.partial"))


def test_an_existing_run_continues_only_with_resume(
    corpus: list[str], made: Path, engine: Engine
) -> None:
    with pytest.raises(InputError, match="holds a run already: continue it with --resume"):
        run(corpus, made, engine)


def test_run_with_other_settings_is_refused(
    tmp_path: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, out = write_records(tmp_path), tmp_path / "out"
    run(corpus, out, engine)

    def refusal(paths: list[str] = corpus, step: AnalysisStep = STEP, **more: Packing) -> str:
        with pytest.raises(InputError) as raised:
            run(paths, out, engine, resume=True, step=step, **more)  # type: ignore[arg-type]
        return str(raised.value)

    end = ": name another folder, or give the same"
    said = f"{out}: left by a run with other "
    assert refusal(step=AnalysisStep("rules", "conllu")) == f"{said}options (form){end}"
    assert refusal(packing="gz") == f"{said}shards (--shards){end}"
    assert refusal(paths=corpus[:1]) == f"{said}inputs{end}"
    with Path(corpus[1]).open("a") as file:
        file.write('\n{"text": "One more."}\n')
    assert refusal() == f"{said}inputs ({corpus[1]}){end}"
    monkeypatch.setattr("tatian.__version__", "9.9")
    assert "other version (" in refusal()


def test_damaged_manifest_is_an_error(corpus: list[str], made: Path, engine: Engine) -> None:
    (made / MANIFEST).write_text("{")
    with pytest.raises(InputError, match="damaged"):
        run(corpus, made, engine, resume=True)
    (made / MANIFEST).unlink()
    with pytest.raises(InputError, match=f"has shards but no {MANIFEST}"):
        run(corpus, made, engine, resume=True)


def test_undistributable_input_fails_with_one_line(tmp_path: Path, engine: Engine) -> None:
    (tmp_path / "empty").mkdir()
    for path, message in (
        ("-", "standard input cannot be distributed"),
        (str(tmp_path / "absent.jsonl"), "no such file or directory"),
        (str(tmp_path / "empty"), "there are no texts in it"),
        ("nowhere://here/a.jsonl", "cannot be opened: Protocol not known"),
        (f"file://{tmp_path}/*.jsonl", "there are no texts in it"),
    ):
        with pytest.raises((InputError, EmptyInput), match=message):
            run([path], tmp_path / "out", engine)
    (tmp_path / "a.txt").write_text("A text.")
    with pytest.raises(InputError, match="Parquet holds a record for each document"):
        run(
            [str(tmp_path / "a.txt")],
            tmp_path / "out",
            engine,
            packing="parquet",
            step=AnalysisStep("rules", "conllu"),
        )
