"""The colours: readable on both papers, and told apart by colour-blind eyes."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from tatian.views import palette
from tatian.views.page import read_assets

Array = npt.NDArray[np.float64]

STYLE = palette.css()
COLOURS = {
    name: pair for name, *pair in re.findall(r"--(\w+): light-dark\((#\w{6}), (#\w{6})\)", STYLE)
}
SOURCES = [f"c{number}" for number in range(8)]
WASHES = ["verse", "red", "blue", "violet", "green"]

SIGHT = {
    "usual": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                   [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                     [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                   [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
"""Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB."""


def linear(colour: str) -> Array:
    channel = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(channel <= 0.04045, channel / 12.92, ((channel + 0.055) / 1.055) ** 2.4)


def oklab(light: Array) -> Array:
    cones = np.cbrt(
        np.array(
            [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
             [0.0883024619, 0.2817188376, 0.6299787005]]
        )
        @ np.clip(light, 0, 1)
    )  # fmt: skip
    return np.array(
        [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
         [0.0259040371, 0.7827717662, -0.8086757660]]
    ) @ cones  # fmt: skip


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two colours."""
    lights = sorted(float(linear(each) @ [0.2126, 0.7152, 0.0722]) for each in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("paper", ["paper", "card"])
@pytest.mark.parametrize("name", ["ink", "soft", "alarm", *SOURCES])
def test_text_in_every_colour_has_enough_contrast(name: str, paper: str, theme: int) -> None:
    assert contrast(COLOURS[name][theme], COLOURS[paper][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["ink", *SOURCES])
def test_highlighted_text_has_enough_contrast(name: str, theme: int) -> None:
    for wash in WASHES:
        assert contrast(COLOURS[name][theme], COLOURS[wash][theme]) >= 4.5, wash


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("name", "wash"), [("ink", "lit"), ("ink", "amber"), ("ink", "teal"), ("soft", "verse")]
)
def test_text_on_other_backgrounds_has_enough_contrast(name: str, wash: str, theme: int) -> None:
    assert contrast(COLOURS[name][theme], COLOURS[wash][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_colours_differ_for_every_colour_vision(sight: str, theme: int) -> None:
    seen = {name: oklab(np.array(SIGHT[sight]) @ linear(COLOURS[name][theme])) for name in SOURCES}
    for one, other in combinations(SOURCES, 2):
        assert float(np.linalg.norm(seen[one] - seen[other])) > 0.05, (one, other)


def test_every_source_colour_has_its_class_and_its_three_lines() -> None:
    style = read_assets("tatian.consolidation.render", "assets/page.css")
    for number in range(8):
        assert f".c{number} {{ --c: var(--c{number}); }}" in STYLE
    for layer in (1, 2, 3):
        for number in range(layer - 1, 8):
            assert f".u{layer}-{number} {{ --u{layer}: var(--c{number}); }}" in style
