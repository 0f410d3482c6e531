"""Training of the edit model for sentence union.

``data`` makes one file of the data sets. ``synthetic``, ``examples`` and ``workshop`` make examples
of that file. ``model`` and ``train`` train the model, ``run`` has all stages and the export, and
``rank`` trains the ranker.
"""
