"""CoNLL-U: documents from it and to it, with all that the format says of tokens and sentences."""

from tatian.analysis.conllu.blocks import Block, Row, blocks
from tatian.analysis.conllu.frames import FRAMES, Frame, Range, value
from tatian.analysis.conllu.reading import parse
from tatian.analysis.conllu.writing import to_conllu

__all__ = ["FRAMES", "Block", "Frame", "Range", "Row", "blocks", "parse", "to_conllu", "value"]
