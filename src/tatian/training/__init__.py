"""Training of the shipped weights, and fine-tuning of hub models.

``loop`` trains everything, ``int8`` exports everything, ``data`` has the shared readers. The
encoder: ``pretrained``, ``model``, ``tokens``, ``pairs``, ``coverage``, ``export``. On its tokens
body (``adapter``): ``edit``, ``coref``. Trees: ``forest``, ``linker``, ``ranker``. Of a hub
(``tuning``): ``seq2seq``, ``aggregation``. ``python -m tatian.training --help`` lists the steps.
The package is not in the wheel and runs from a source checkout.
"""
