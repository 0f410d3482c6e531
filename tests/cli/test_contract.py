"""What holds for every command: help, errors, streams, pipes, interrupts, a quick start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import pytest

import tatian as package
from tatian.cli import main

from .harness import COMMAND, Command, Result


def walk(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    yield path
    if isinstance(command, click.Group):
        for name, child in command.commands.items():
            yield from walk(child, (*path, name))


COMMANDS = list(walk(main, ()))


def help_problems(path: tuple[str, ...], done: Result) -> Iterator[str]:
    """What is wrong with the help of one command."""
    name = " ".join(("tatian", *path))
    before, _, shown = done.out.partition("\n  Examples:\n")
    lines = shown.splitlines()
    if (done.status, done.err) != (0, ""):
        yield f"{name}: status {done.status}, {done.err!r}"
    if not done.out.startswith(f"Usage: {name} "):
        yield f"{name}: begins {done.out[:40]!r}"
    if "Options:" not in before:
        yield f"{name}: no options before the examples"
    if not lines:
        yield f"{name}: no examples"
    yield from (
        f"{name}: {line!r} is no example"
        for line in lines
        if not (line.startswith("    ") and "tatian" in line)
    )


def test_the_help_of_every_command_ends_with_examples(tatian: Command) -> None:
    problems = [
        problem for path in COMMANDS for problem in help_problems(path, tatian(*path, "--help"))
    ]
    assert problems == []


def test_help_fits_a_terminal_of_eighty_columns(tatian: Command) -> None:
    helps = {path: tatian(*path, "-h", COLUMNS="80").out for path in COMMANDS}
    assert all(helps.values())
    wide = [
        f"{' '.join(path)}: {line}"
        for path, text in helps.items()
        for line in text.partition("Examples:")[0].splitlines()
        if len(line) > 80
    ]
    assert wide == []


def test_short_help_is_not_cut_off(tatian: Command) -> None:
    assert "..." not in tatian("--help").out.partition("Commands:")[2]


def test_the_version_is_that_of_the_package(tatian: Command) -> None:
    assert tatian("--version").out == f"tatian {package.__version__}\n"


def test_the_installed_script_is_the_same_command() -> None:
    script = Path(sysconfig.get_path("scripts")) / "tatian"
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"tatian {package.__version__}\n"


@pytest.mark.parametrize("path", [(), ("union",)], ids=" ".join)
def test_without_a_command_the_help_goes_to_standard_error(
    path: tuple[str, ...], tatian: Command
) -> None:
    done = tatian(*path)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("Usage: tatian")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["harmonise"], "No such command 'harmonise' (try 'tatian --help')"),
        (["consolidate"], "Missing argument 'FILE...' (try 'tatian consolidate --help')"),
        (
            ["consolidate", "--colour", "a.txt"],
            "No such option '--colour' (try 'tatian consolidate --help')",
        ),
        (
            ["consolidate", "a.txt", "--to", "pdf"],
            "Invalid value for '--to': 'pdf' is not one of 'text', 'json', 'html', 'md', 'docx', "
            "'tei' (try 'tatian consolidate --help')",
        ),
    ],
)
def test_invalid_command_line_fails_with_one_line_and_status_2(
    args: Sequence[str], message: str, tatian: Command
) -> None:
    assert tatian(*args).error == message


def test_invalid_input_fails_with_one_line_and_status_2(tatian: Command) -> None:
    assert tatian("consolidate", "none.txt").error == "none.txt: no such file or directory"


def test_a_file_name_of_several_lines_still_gives_one_line(tatian: Command) -> None:
    assert tatian("consolidate", "a\nb").error == "a b: no such file or directory"


def test_an_argument_that_is_not_utf8_still_gives_one_line(tatian: Command) -> None:
    assert tatian(os.fsdecode(b"\xff")).error.startswith("No such command ")


def test_control_characters_in_file_names_are_escaped(tatian: Command) -> None:
    assert tatian("consolidate", "a\x1b[31m").error.startswith("a\ufffd[31m: ")


def test_unwritable_output_fails_with_one_line_and_status_2() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "schema", "document"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    message = b"standard output: cannot be written: no space left on device"
    assert done.stderr == b"tatian: error: " + message + b"\n"


@pytest.mark.parametrize("args", [["--help"], ["schema", "document"], ["models", "list"]])
def test_closed_pipe_is_no_error(args: Sequence[str], tatian: Command) -> None:
    process = tatian.start(*args)
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (0, 1)


def test_an_interrupt_ends_quietly_with_status_130(tatian: Command, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    process = tatian.start("consolidate", "pipe.txt")
    with (tmp_path / "pipe.txt").open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out.strip(), err.strip()) == (b"", b"")


def test_results_in_a_pipe_are_utf8_whatever_the_locale(tatian: Command, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("sentence1Text,sentence2Text\nA café.,A café —\n", "utf-8")
    done = tatian.in_new_process(
        "union", "generate", "a.csv", "--model", "longer", PYTHONIOENCODING="ascii"
    )
    assert "café" in done.out


@pytest.mark.parametrize("args", [["-c", "import tatian"], ["-m", "tatian", "--help"]])
def test_starting_takes_less_than_half_a_second(args: Sequence[str]) -> None:
    def seconds() -> float:
        """Of the processor, so that what else the machine does has no say."""
        begun = os.times()
        subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
        ended = os.times()
        user = ended.children_user - begun.children_user
        return user + ended.children_system - begun.children_system

    assert any(seconds() < 0.5 for _ in range(5))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(shell: str, tatian: Command) -> None:
    done = tatian(_TATIAN_COMPLETE=f"{shell}_source")
    assert (done.status, done.err) == (0, "")
    assert f"_TATIAN_COMPLETE={shell}_complete" in done.out


@pytest.mark.parametrize(
    ("words", "expected"), [("tatian c", "consolidate"), ("tatian union g", "generate")]
)
def test_completion_completes_commands(words: str, expected: str, tatian: Command) -> None:
    done = tatian(
        _TATIAN_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(words.count(" "))
    )
    assert f"plain,{expected}" in done.out.splitlines()
