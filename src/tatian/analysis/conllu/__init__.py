"""CoNLL-U: documents from it and to it, with all that the format says of tokens and sentences."""

from tatian.analysis.conllu.frames import FRAMES, Frame, Range
from tatian.analysis.conllu.reading import parse
from tatian.analysis.conllu.writing import to_conllu

__all__ = ["FRAMES", "Frame", "Range", "parse", "to_conllu"]
