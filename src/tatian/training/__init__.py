"""Training of the shipped weights and fine-tuning of hub models; nothing imports it at load.

``loop`` trains everything, ``int8`` exports everything, ``data`` has the shared readers. The
encoder: ``pretrained``, ``model``, ``tokens``, ``pairs``, ``coverage``, ``export``. On its tokens
body (``adapter``): ``edit``, ``coref``. Trees: ``forest``, ``linker``, ``ranker``. Of a hub
(``tuning``): ``seq2seq``, ``aggregation``. ``python -m tatian.training --help`` lists the steps.
The wheel leaves it out: it runs from a source checkout.
"""
