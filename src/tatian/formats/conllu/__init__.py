"""CoNLL-U: documents from it and to it, with all that the format says of tokens and sentences."""

from tatian.formats.conllu.blocks import Block, Row, blocks
from tatian.formats.conllu.frames import FRAMES, Frame, Range, value
from tatian.formats.conllu.reading import parse
from tatian.formats.conllu.writing import to_conllu

__all__ = ["FRAMES", "Block", "Frame", "Range", "Row", "blocks", "parse", "to_conllu", "value"]
