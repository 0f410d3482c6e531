"""Training of the edit model for sentence union.

``data``: from data sets to one file. ``synthetic``, ``examples``, ``workshop``: from that file to
examples. ``model``, ``train``, ``run``: learning. ``rank``: the ranker. ``export``: into the
weights directory.
"""
