"""AQUAINT: one text and one annotation file per document."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from tatian.errors import EmptyInput, InputError
from tatian.formats import find, read
from tatian.formats.links import links_of

AQUAINT = find("aquaint")
PROBLEM = (
    "<ReferenceProblem>\n<ReferenceInstance>\n<SurfaceForm>\n\tR&amp;D\n</SurfaceForm>\n"
    "<Offset>\n\t{offset}\n</Offset>\n<ChosenAnnotation>\n\t{page}\n</ChosenAnnotation>\n"
    "</ReferenceInstance>\n</ReferenceProblem>\n"
)


def files(
    offset: str = "4", page: str = "http://en.wikipedia.org/wiki/research_and_development"
) -> dict[str, str]:
    problem = PROBLEM.format(offset=offset, page=page)
    return {"aq/RawTexts/a.htm": "The R&D of it", "aq/Problems/a.htm": problem}


def test_a_text_has_the_links_of_its_problem() -> None:
    (text,) = AQUAINT.files.reader(files(), None)
    (mention,) = links_of(text)
    assert (text.id, mention.start, mention.of(text.text)) == ("a", 4, "R&D")
    assert mention.titles == ("Research and development",)


def test_wrong_offset_is_corrected_by_the_term() -> None:
    (text,) = AQUAINT.files.reader(files("6"), None)
    assert links_of(text)[0].start == 4


def test_folders_of_msnbc_are_recognised() -> None:
    longer = {
        name.replace("RawTexts", "RawTextsSimpleChars_utf8"): text for name, text in files().items()
    }
    assert AQUAINT.files.recognizes(longer)
    assert list(AQUAINT.files.reader(longer, None)) == list(AQUAINT.files.reader(files(), None))


def test_a_term_may_have_no_page() -> None:
    (text,) = AQUAINT.files.reader(files(page="*null*"), None)
    assert (links_of(text)[0].titles, links_of(text)[0].ids) == ((), ())


def test_a_directory_and_an_archive_are_recognised(tmp_path: Path) -> None:
    for name, content in files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    packed = tmp_path / "aq.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        for name, content in files().items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    texts = list(AQUAINT.files.reader(files(), None))
    assert (
        read(str(tmp_path / "aq"), about="mention") == read(str(packed), about="mention") == texts
    )


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"aq/RawTexts/a.htm": "x"}, "aq/RawTexts/a.htm: Problems has no file for this text"),
        (files("here"), "a.htm:2: 'R&D' has no <Offset>"),
        ({**files(), "aq/RawTexts/a.htm": "x"}, "a.htm:2: 'R&D' is not in the text"),
        ({**files(), "aq/Problems/a.htm": "x"}, "no <ReferenceProblem>"),
    ],
)
def test_broken_files_raise_an_error_with_the_reason(given: dict[str, str], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        list(AQUAINT.files.reader(given, None))


def test_single_file_of_a_pair_is_refused() -> None:
    with pytest.raises(InputError, match="give the directory or archive"):
        list(AQUAINT.read("<ReferenceProblem>", "a.htm"))
    with pytest.raises(EmptyInput):
        list(AQUAINT.files.reader({}, None))
