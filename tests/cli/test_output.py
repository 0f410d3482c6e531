"""`-o FILE` for every command: no input is written over, and old results outlive a failure."""

from __future__ import annotations

import gzip
import os
import signal
from pathlib import Path

import pytest

from tatian.cli.files import keep_inputs
from tatian.cli.output import write, write_bytes, writer
from tatian.errors import InputError

from .harness import Command

STORY = "A ferry ran aground near Halverne on Monday. Nobody was hurt."


@pytest.fixture
def story(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_text(STORY)
    return path


@pytest.mark.parametrize("by", ["name", "symbolic link", "hard link"])
def test_input_is_not_overwritten(by: str, story: Path, tatian: Command) -> None:
    output = story.with_name("out.txt") if by != "name" else story
    if by == "symbolic link":
        output.symlink_to(story.name)
    elif by == "hard link":
        output.hardlink_to(story)
    done = tatian("analyze", "a.txt", "--model", "rules", "--to", "json", "-o", output.name)
    assert done.error == f"{output.name}: is one of the inputs: write to another file"
    assert story.read_text() == STORY


@pytest.mark.parametrize(
    "command",
    [
        "aggregate rank a.txt",
        "consolidate b.txt a.txt",
        "coref convert a.txt --from conll --to conll",
        "coref expand a.txt --from conll --to conll",
        "kb build base:a.txt",
        "mentions convert a.txt --from jsonl --to nif",
        "mentions project b.txt a.txt",
        "union check a.txt --cleaned",
        "union generate a.txt",
    ],
)
def test_commands_refuse_to_overwrite_their_input(
    command: str, story: Path, tatian: Command
) -> None:
    story.with_name("b.txt").write_text(STORY)
    to = () if "--cleaned" in command else ("-o",)
    assert "is one of the inputs" in tatian(*command.split(), *to, "a.txt").error
    assert story.read_text() == STORY


@pytest.mark.parametrize("by", ["symbolic link", "hard link"])
def test_link_to_a_file_in_an_input_directory_is_not_overwritten(by: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    inside, output = tmp_path / "in" / "a.txt", tmp_path / "out.txt"
    output.write_text(STORY)
    if by == "symbolic link":
        inside.symlink_to(output)
    else:
        inside.hardlink_to(output)
    with pytest.raises(InputError, match=r"is a link to the input .*a\.txt: write to another"):
        keep_inputs(str(output), (str(tmp_path / "in"),))


def test_copy_of_an_input_may_be_overwritten(story: Path) -> None:
    copy = story.with_name("copy.txt")
    copy.write_text(STORY)
    keep_inputs(str(copy), (str(story),))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz"])
def test_interrupted_results_keep_the_old_file(name: str, tmp_path: Path) -> None:
    output = tmp_path / name
    output.write_bytes(b"old")

    def results() -> None:
        with writer(str(output)) as put:
            put("half of the n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        results()
    assert output.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_empty_results_replace_those_of_an_earlier_run(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("old")
    with writer(str(tmp_path / "out.txt")):
        pass
    assert (tmp_path / "out.txt").read_text() == ""


def test_packed_files_are_the_same_bytes_however_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    write("new\n", str(tmp_path / "1" / "out.txt.gz"))
    write_bytes([b"ne", b"w\n"], str(tmp_path / "2" / "out.txt.gz"))
    first, second = ((tmp_path / one / "out.txt.gz").read_bytes() for one in "12")
    assert gzip.decompress(first) == gzip.decompress(second) == b"new\n"
    with writer(str(tmp_path / "out.txt.gz")) as put:
        put("new\n")
    assert (tmp_path / "out.txt.gz").read_bytes() == first


def test_an_interrupt_leaves_the_old_file(story: Path, tatian: Command) -> None:
    output = story.with_name("out.json")
    output.write_text("old")
    os.mkfifo(story.with_name("pipe.txt"))
    process = tatian.start("analyze", "a.txt", "pipe.txt", "--model", "rules", "-o", "out.json")
    with story.with_name("pipe.txt").open("wb"):
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130
    assert output.read_text() == "old"
    assert sorted(path.name for path in story.parent.iterdir()) == ["a.txt", "out.json", "pipe.txt"]


@pytest.mark.parametrize("stream", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_can_be_named(stream: str, story: Path, tatian: Command) -> None:
    done = tatian.in_new_process(
        "analyze", "a.txt", "--model", "rules", "--to", "json", "-o", stream
    )
    assert done.status == 0
    assert done.out == tatian("analyze", "a.txt", "--model", "rules", "--to", "json").out
