"""Model 'seq2seq' where its parts are missing; with PyTorch it is tested beside the training."""

from __future__ import annotations

import pytest

from tatian import hub
from tatian.errors import EmptyInput, MissingExtra, TatianError
from tatian.union.models import mergers
from tatian.union.models.seq2seq import Seq2Seq


def test_without_a_name_it_says_what_can_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TATIAN_SEQ2SEQ", raising=False)
    with pytest.raises(TatianError, match=r"which model\? name a T5, BART or PRIMERA"):
        mergers.create("seq2seq")


def test_without_pytorch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TATIAN_SEQ2SEQ", "t5-large")
    monkeypatch.setattr(hub, "absent", lambda: True)
    assert Seq2Seq.missing() == "pip install 'tatian[hub]'"
    with pytest.raises(MissingExtra, match=r"pip install 'tatian\[hub\]'"):
        mergers.create("seq2seq")


def test_seq2seq_lists_what_it_misses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "absent", lambda: False)
    monkeypatch.delenv("TATIAN_SEQ2SEQ", raising=False)
    assert "TATIAN_SEQ2SEQ" in Seq2Seq.missing()
    monkeypatch.setenv("TATIAN_SEQ2SEQ", "t5-large")
    assert Seq2Seq.missing() == ""


def test_merging_no_passages_is_an_error() -> None:
    with pytest.raises(EmptyInput):
        Seq2Seq.merge(object.__new__(Seq2Seq), [])
