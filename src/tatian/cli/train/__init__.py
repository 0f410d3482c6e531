"""``tatian train``: everything that needs PyTorch."""

from __future__ import annotations

import click

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


@click.group(
    cls=LazyGroup,
    targets={
        "seq2seq": "tatian.cli.train.seq2seq:seq2seq",
        "aggregation": "tatian.cli.train.aggregation:aggregation",
    },
    epilog=examples(
        "tatian train seq2seq train.csv eval.csv --base t5-large -o runs/t5",
        "tatian train aggregation train.jsonl val.jsonl --base facebook/bart-large-cnn -o runs/d",
    ),
)
def train() -> None:
    """Train models; needs PyTorch (pip install 'tatian[train]')."""
