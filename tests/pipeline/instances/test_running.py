"""A run over a corpus: written as it goes, and taken up again where it broke off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import Struct

from tatian.corpora.articles import Advance, Article, Years
from tatian.errors import InputError
from tatian.formats import Losses
from tatian.pipeline.instances import Extractor
from tatian.pipeline.instances.running import Extraction, Run, Sample

from .samples import FixedPipeline, article

TWO = ("Keller, Marta", "Silva, Rui")


class InterruptedSource(Struct):
    """A source that raises KeyboardInterrupt at one article, as if the machine went off."""

    count: int
    prefix: str
    breaks_at: int = 0
    name: str = "kept"
    size: int = 0

    def articles(self, years: Years | None, defects: Losses, advance: Advance) -> Iterator[Article]:
        for number in range(1, self.count + 1):
            if number == self.breaks_at:
                raise KeyboardInterrupt
            defects.add("odd articles", f"{self.prefix}{number}")
            yield article(
                f"Rui Silva met Marta Keller {number} times.",
                id=f"{self.prefix}{number}",
                person=TWO,
            )


def corpus(breaks_at: int = 0) -> list[InterruptedSource]:
    return [InterruptedSource(5, "a"), InterruptedSource(5, "b", breaks_at)]


def run(
    path: Path,
    sources: list[InterruptedSource],
    *,
    resume: bool = False,
    sample: Sample | None = None,
) -> tuple[list[str], dict[str, int], list[str]]:
    """Return the output lines, the counts, and the messages about defects."""
    defects = Losses()
    work = Run(str(path), settings="s", sample=sample, resume=resume, every=2)
    counts = work.write(Extraction(sources, Extractor(FixedPipeline()), defects=defects))
    return path.read_text().splitlines(), counts.values(), defects.messages()


def test_a_resumed_run_equals_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole.jsonl", corpus())
    broken = tmp_path / "broken.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(broken, corpus(breaks_at=4))
    assert Path(f"{broken}.state").exists()
    assert run(broken, corpus(), resume=True) == whole
    assert len(whole[0]) == 10


def test_a_sample_is_the_same_whether_or_not_the_run_was_broken_off(tmp_path: Path) -> None:
    whole = run(tmp_path / "whole.jsonl", corpus(), sample=Sample(3, 1))
    broken = tmp_path / "broken.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(broken, corpus(breaks_at=4), sample=Sample(3, 1))
    assert run(broken, corpus(), resume=True, sample=Sample(3, 1)) == whole
    assert len(whole[0]) == 3
    assert whole[1]["sampled"] == 3


def test_a_finished_run_leaves_no_state(tmp_path: Path) -> None:
    run(tmp_path / "a.jsonl", corpus())
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_resuming_without_a_state_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.jsonl\.state: no such file"):
        run(tmp_path / "a.jsonl", corpus(), resume=True)


def test_run_with_other_options_is_not_resumed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(path, corpus(breaks_at=4))
    with pytest.raises(InputError, match="other options"):
        Run(str(path), settings="others", resume=True)


def test_an_output_that_has_been_shortened_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with pytest.raises(KeyboardInterrupt):
        run(path, corpus(breaks_at=4))
    Path(f"{path}.part").write_text("")
    with pytest.raises(InputError, match="shorter than the interrupted run left it"):
        run(path, corpus(), resume=True)


def test_an_earlier_output_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("earlier\n")
    with pytest.raises(KeyboardInterrupt):
        run(path, corpus(breaks_at=4))
    assert path.read_text() == "earlier\n"
    assert len(run(path, corpus(), resume=True)[0]) == 10


def test_unresumable_run_leaves_no_state(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "a.jsonl", [InterruptedSource(5, "a", breaks_at=1)])
    assert not list(tmp_path.iterdir())


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.state").write_text("{")
    with pytest.raises(InputError, match="damaged"):
        run(tmp_path / "a.jsonl", corpus(), resume=True)


def test_an_article_that_came_before_is_left_out(tmp_path: Path) -> None:
    written, figures, _ = run(
        tmp_path / "a.jsonl", [InterruptedSource(2, "a"), InterruptedSource(3, "a")]
    )
    assert len(written) == 3
    assert figures["repeated articles"] == 2
