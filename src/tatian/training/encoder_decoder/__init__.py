"""Encoder-decoders of a hub (BART) that rank and write aggregations: TESA §5.3, Appendix D.

Needs the extra ``hub``.
"""
