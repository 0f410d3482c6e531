"""The check for plain English finds what it should, and the clean paths stay clean."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "check_language", ROOT / "scripts/check_language.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECK = loaded()


def findings(tmp_path: Path, name: str, text: str) -> list[tuple[int, str]]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return sorted(CHECK.check(path))


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ('"""What a file is its first bytes decide."""\n', 1, 'begins with "What"'),
        ('x = 1\n"""The same for a page."""\n', 2, 'begins with "The same"'),
        ('"""A page.\n\nIt is woven of three.\n"""\n', 3, 'old word "woven": use consolidate'),
        ("x = 1  # told by two\n", 1, 'old word "told"'),
        ("for one in pages:\n", 1, "vague name `one`"),
        ("sums = [size for name, (own, size) in pages]\n", 1, "vague name `own`"),
        ("    found: list[int] = []\n", 1, "vague name `found`"),
    ],
)
def test_faults_in_code_are_found(tmp_path: Path, code: str, line: int, message: str) -> None:
    (finding,) = findings(tmp_path, "module.py", code)
    assert finding[0] == line
    assert message in finding[1]


def test_plain_code_quotations_and_names_in_backticks_pass(tmp_path: Path) -> None:
    code = (
        '"""Return the pages of `SourcedToken`; "he told them" is one,\nas is "Woven\nby me".\n'
        '"""\nfor page in pages:\n    pages_found = find(one=page)  # `told` stays\n'
    )
    assert findings(tmp_path, "module.py", code) == []


@pytest.mark.parametrize(
    ("page", "line", "message"),
    [
        ("# Page\n\n" + "word " * 20 + "\n" + "word " * 16 + ".\n", 3, "sentence of 37 words"),
        ("# Page\n\n" + "a line of words that goes on. " * 5 + "\n", 3, "line of 150 characters"),
        ("- An item.\n- A woven text.\n", 2, 'old word "woven"'),
    ],
)
def test_faults_in_pages_are_found(tmp_path: Path, page: str, line: int, message: str) -> None:
    (finding,) = findings(tmp_path, "page.md", page)
    assert finding[0] == line
    assert message in finding[1]


def test_tables_code_comments_and_links_may_be_long(tmp_path: Path) -> None:
    long = "a woven text that goes on " * 8
    page = (
        f"| {long} |\n\n```\n{long}\n```\n\n    {long}\n\n<!--\n{long}\n-->\n\n"
        f"See [the page](https://example.org/{'x' * 120}) and then go on.\n"
    )
    assert findings(tmp_path, "page.md", page) == []


def test_findings_are_printed_with_file_and_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "module.py").write_text('"""Whether it is so."""\n', "utf-8")
    assert CHECK.main([str(tmp_path)]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith(f"{tmp_path}/module.py:1: docstring begins with")
    assert CHECK.main([str(tmp_path / "missing")]) == 2


def test_names_of_variables_are_checked_only_where_asked(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("for one in pages:  # told by two\n    made = one\n", "utf-8")
    assert [message for _, message in CHECK.check(path, names=False)] == [
        'old word "told": use covered, covers; or says, states'
    ]
    assert len(list(CHECK.check(path))) == 2


def test_listed_paths_exist() -> None:
    listed = [*CHECK.CLEAN, *CHECK.CLEAN_NAMES, *CHECK.ALLOWED]
    assert [name for name in listed if not (ROOT / name).exists()] == []


def test_the_clean_paths_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    assert CHECK.main([]) == 0, capsys.readouterr().out
