"""Training of the edit model for sentence union.

``corpora``, ``parsing``, ``data``: from data sets to one file. ``synthetic``, ``variants``,
``paths``, ``examples``, ``making``: from that file to what is learned. ``model``, ``train``,
``search``, ``base``, ``run``: learning. ``contests``, ``rank``: the ranker. ``export``, ``check``:
into the weights directory. ``commands``: all of it from the command line.
"""
