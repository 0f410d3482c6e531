"""Chains and their differences for people to look at."""

from tatian.coreference.comparing.views.html import chains_page, comparison_page
from tatian.coreference.comparing.views.terminal import chain_lines, comparison_lines, plain, styled

__all__ = [
    "chain_lines",
    "chains_page",
    "comparison_lines",
    "comparison_page",
    "plain",
    "styled",
]
