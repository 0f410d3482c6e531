"""A format of another package, made as docs/formats.md says, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..outside import follow, guide, install, run


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder outside the tree with the example's module, installed as its project file says."""
    folder = tmp_path_factory.mktemp("outside")
    install(guide("formats.md", "Add a format"), folder)
    return folder


def test_format_in_the_guide_works(package: Path) -> None:
    follow(guide("formats.md", "Add a format"), package)


def test_format_of_another_package_is_listed_and_reports_losses(package: Path) -> None:
    shown = run("tatian mentions convert --help", package)
    assert "brackets" in shown
    record = '{"id":"1","text":"Oslo","topic":"T","mentions":[]}'
    done = run(f"echo '{record}' | tatian mentions convert - --to brackets 2>&1", package)
    assert "titles, dates, sources and topics (1; first in '1')" in done
    assert done.endswith("Oslo\n")


def test_broken_format_of_another_package_does_not_hide_others(tmp_path: Path) -> None:
    about = tmp_path / "lost-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lost\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tatian.formats]\nlost = no_such_package:FORMAT\n")
    names = "from tatian import formats; print(formats.find('nif').name)"
    done = run(f'python -c "{names}" 2>&1', tmp_path)
    assert "cannot load format 'lost'" in done
    assert done.endswith("nif\n")
