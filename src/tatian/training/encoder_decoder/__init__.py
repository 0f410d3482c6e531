"""Encoder-decoders of a hub (BART) that rank and generate aggregations: TESA §5.3, Appendix D.

Needs the extra ``hub``.
"""
