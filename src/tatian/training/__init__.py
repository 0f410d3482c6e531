"""Training of the shipped weights and fine-tuning of hub models; nothing imports it at load.

``loop`` trains everything, ``int8`` exports everything, ``data`` has the shared readers. The
encoder: ``pretrained``, ``model``, ``tokens``, ``pairs``, ``coverage``, ``export``. On its tokens
body (``adapter``): ``edit``, ``coref``. Trees: ``forest``, ``linker``, ``ranker``. Of a hub
(``hub``, ``tuning``): ``seq2seq``, ``encoder_decoder``. ``python -m tatian.training --help`` lists
the steps.
"""
