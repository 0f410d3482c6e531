"""Any file at all is read, or refused with its name; nothing crashes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tatian.errors import InputError
from tatian.formats import find, list_formats
from tatian.formats.links import links_of

from .link_samples import AIDA_FILE, AQUAINT_FILES, CUSTOMS, ELEVANT_FILE, GUM_FILE

NAMES = [format.name for format in list_formats("mention")]
SAMPLES = {
    format.name: "".join(format.write([CUSTOMS, CUSTOMS]))
    for format in list_formats("mention")
    if format.writer
} | {"aida": AIDA_FILE, "gum": GUM_FILE, "elevant": ELEVANT_FILE}
SCRAPS = st.text(max_size=6) | st.sampled_from(
    ("\t", "\n", "\n\n", '"', "{", "}", "(", ")", "#", "\\", "\x00", "-1", "1e9", "null", "<", ">")
)


def refusal(name: str, text: str) -> InputError | None:
    """Why a file is refused; None if it is read, with every term where it says it is."""
    try:
        texts = list(find(name, "mention").read(text, "some file"))
    except InputError as error:
        return error
    assert all(one.of(text.text) for text in texts for one in links_of(text))
    return None


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text())
@settings(max_examples=settings.default.max_examples // 2)
def test_any_text_is_read_or_refused_with_its_name(name: str, text: str) -> None:
    error = refusal(name, text)
    assert error is None or "some file" in str(error)


@pytest.mark.parametrize("name", SAMPLES)
@given(given=st.data())
@settings(max_examples=settings.default.max_examples * 3 // 2)
def test_a_damaged_file_is_read_or_refused_with_its_name(name: str, given: st.DataObject) -> None:
    whole = SAMPLES[name]
    start = given.draw(st.integers(0, len(whole)))
    end = given.draw(st.integers(start, min(start + 40, len(whole))))
    damaged = whole[:start] + given.draw(SCRAPS) + whole[end:]
    error = refusal(name, damaged)
    assert error is None or "some file" in str(error)


@given(st.data())
def test_a_damaged_problem_of_aquaint_is_read_or_refused(given: st.DataObject) -> None:
    aquaint = find("aquaint")
    files = dict(AQUAINT_FILES)
    name = given.draw(st.sampled_from(sorted(files)))
    start = given.draw(st.integers(0, len(files[name])))
    end = given.draw(st.integers(start, min(start + 40, len(files[name]))))
    files[name] = files[name][:start] + given.draw(SCRAPS) + files[name][end:]
    try:
        texts = list(aquaint.files.reader(files, "some folder"))
    except InputError as error:
        problem = str(error)
    else:
        problem = ""
        assert all(one.of(text.text) for text in texts for one in links_of(text))
    assert not problem or "some folder" in problem
