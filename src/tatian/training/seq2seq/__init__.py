"""Sequence-to-sequence models of a hub (T5, BART, PRIMERA) that are fine-tuned to write unions.

Hirsch et al. 2023, §6 and Appendices F and G. Needs the extra ``hub``.
"""
