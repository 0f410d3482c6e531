"""Answers of coreference annotators: marked phrases and links back to their antecedents."""

from tatian.formats.muc.markables import Markable, Markup, chains_of

__all__ = ["Markable", "Markup", "chains_of"]
