"""On a real terminal: colours, tables, a progress bar; none of them in a pipe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tatian.cli import output

from .harness import Command

ESCAPE = "\x1b["
COLOUR = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sequence[str]:
    """A command that takes longer than users wait without a bar."""
    monkeypatch.setattr(output, "_DELAY", 1e-9)
    pair = "A ferry ran aground on Tuesday.,A passenger ferry ran aground off Halverne.\n"
    (tmp_path / "many.csv").write_text("sentence1Text,sentence2Text\n" + pair * 40)
    return "union", "generate", "many.csv", "--model", "longer"


def test_long_work_shows_a_bar_on_a_terminal_until_it_is_done(
    many: Sequence[str], tmp_path: Path, tatian: Command
) -> None:
    done = tatian.on_terminal(*many, to=tmp_path / "out.csv")
    assert done.status == 0
    assert re.search(r"union.*━.*\d+/40", COLOUR.sub("", done.out))
    assert done.out.endswith("\x1b[2K")
    assert (tmp_path / "out.csv").read_text() == tatian(*many).out


def test_there_is_no_bar_in_a_pipe(many: Sequence[str], tatian: Command) -> None:
    assert tatian(*many).err == ""


def test_short_work_shows_no_bar(tmp_path: Path, tatian: Command) -> None:
    (tmp_path / "few.csv").write_text("sentence1Text,sentence2Text\nA ferry.,A boat.\n")
    assert tatian.on_terminal("union", "generate", "few.csv", "-o", "out.csv").out == ""


def test_errors_are_coloured_on_a_terminal(tatian: Command) -> None:
    done = tatian.on_terminal("consolidate", "none.txt")
    assert done.status == 2
    assert done.out == (
        "tatian: \x1b[31m\x1b[1merror:\x1b[0m none.txt: no such file or directory\n"
    )


@pytest.mark.parametrize(
    ("args", "variable"),
    [
        (["consolidate", "none.txt"], {"NO_COLOR": "1"}),
        (["models", "list"], {"TERM": "dumb"}),
        pytest.param(["consolidate", "none.txt"], {"TERM": "dumb"}, marks=pytest.mark.long),
        pytest.param(["models", "list"], {"NO_COLOR": "1"}, marks=pytest.mark.long),
        pytest.param(["doctor"], {"NO_COLOR": "1"}, marks=pytest.mark.long),
        pytest.param(["doctor"], {"TERM": "dumb"}, marks=pytest.mark.long),
    ],
)
def test_colours_can_be_switched_off(
    args: Sequence[str], variable: dict[str, str], tatian: Command
) -> None:
    assert ESCAPE not in tatian.on_terminal(*args, **variable).out


def test_tables_are_drawn_on_a_terminal(tatian: Command) -> None:
    shown = tatian.on_terminal("models", "list").out
    assert ESCAPE in shown
    assert "───" in shown


def test_tables_are_plain_in_a_pipe(tatian: Command) -> None:
    out = tatian("models", "list").out
    assert ESCAPE not in out
    assert "───" not in out


def test_a_consolidation_is_coloured_on_a_terminal_and_plain_in_a_pipe(
    accounts: Sequence[str], tatian: Command
) -> None:
    assert ESCAPE in tatian.on_terminal("consolidate", *accounts).out
    piped = tatian("consolidate", *accounts)
    assert ESCAPE not in piped.out + piped.err


def test_html_is_not_printed_on_a_terminal(accounts: Sequence[str], tatian: Command) -> None:
    done = tatian.on_terminal("consolidate", *accounts, "--to", "html", NO_COLOR="1")
    assert done.status == 2
    assert done.out.startswith(
        "tatian: error: HTML is not for the terminal: give -o FILE, or --open"
    )
