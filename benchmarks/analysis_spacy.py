"""spaCy 2.3 with its small English model, run by a Python of its own: JSON in, JSON out.

Reads {"sentences": [[[word, ...], ...] per corpus], "texts": [...], "repeat": n} and answers with
heads, names and the seconds that each pass over the texts took.
"""

from __future__ import annotations

import json
import sys
import time
import warnings

KINDS = {"PERSON": "PER", "GPE": "LOC", "LOC": "LOC", "FAC": "LOC", "ORG": "ORG"}


def main() -> None:
    """Answer one request."""
    warnings.simplefilter("ignore")
    import en_core_web_sm
    import spacy
    from spacy.tokens import Doc

    nlp = en_core_web_sm.load()
    request = json.load(sys.stdin)
    answer = {"version": f"{spacy.__version__}, {nlp.meta['name']} {nlp.meta['version']}"}
    answer["corpora"] = []
    for corpus in request["sentences"]:
        results = []
        for words in corpus:
            doc = Doc(nlp.vocab, words=words)
            for _, component in nlp.pipeline:
                doc = component(doc)
            names = [[e.start, e.end, KINDS[e.label_]] for e in doc.ents if e.label_ in KINDS]
            results.append({"heads": [t.head.i for t in doc], "names": names})
        answer["corpora"].append(results)
    answer["seconds"] = []
    for _ in range(request["repeat"]):
        begun = time.perf_counter()
        for _doc in nlp.pipe(request["texts"]):
            pass
        answer["seconds"].append(time.perf_counter() - begun)
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
