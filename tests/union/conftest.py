"""What the tests of the union step share."""

import os
from pathlib import Path

import pytest

from tatian.analysis import analysers
from tatian.text import Document, Span
from tatian.text.documents import Passage


@pytest.fixture
def union_data():
    """The folder of the Sentence Union dataset, where there is one."""
    beside = Path(__file__).resolve().parents[3] / "shared" / "data"
    folder = Path(os.environ.get("TATIAN_DATA", beside)) / "union"
    if not (folder / "eval.csv").is_file():
        pytest.skip("no shared data")
    return folder


@pytest.fixture
def passage_of():
    """Makes a passage that covers a whole text."""
    analyser = analysers.create()

    def make(text, id="d"):
        return Passage(analyser.analyze(Document(id, text)), Span(0, len(text)))

    return make
