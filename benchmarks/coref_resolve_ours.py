"""One of Tatian's resolvers in a process of its own, on documents given as JSON.

    python benchmarks/coref_resolve_ours.py MODEL < REQUEST.json

Request and answer are those of `coref_resolve_peer.py`, the request with a "scheme". Time is that
from tokens to chains: analysis included, loading not.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from bisect import bisect_left, bisect_right

from coref_resolve_data import document_of
from tatian.coreference.analysis import analyse
from tatian.coreference.models import Resolver, resolvers
from tatian.mentions.models import detectors
from tatian.text import CHAINS, Document, Span

WARM_UP = "Ann left her house. She was late."


def main() -> None:
    """Answer one request."""
    request = json.load(sys.stdin)
    resolver = _resolver(sys.argv[1], request["scheme"])
    detector = detectors.create()

    def resolved(document: Document) -> Document:
        return resolver.resolve(detector.detect(analyse(document)))

    resolved(Document("warm-up", WARM_UP))
    documents = [
        document_of(entry["id"], entry["text"], entry["tokens"], entry["sentences"])
        for entry in request["documents"]
    ]
    begun, used = time.perf_counter(), time.process_time()
    answers = [resolved(document) for document in documents]
    answer = {
        "version": "",
        "seconds": time.perf_counter() - begun,
        "cpu": time.process_time() - used,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "chains": [_chains(document) for document in answers],
    }
    json.dump(answer, sys.stdout)


def _resolver(name: str, scheme: str) -> Resolver:
    schemes = getattr(resolvers.find(name), "schemes", ())
    return resolvers.create(name, scheme=scheme) if scheme in schemes else resolvers.create(name)


def _chains(document: Document) -> list[list[list[int]]]:
    starts = [token.start for token in document.tokens]
    ends = [token.end for token in document.tokens]

    def place(span: Span) -> list[int]:
        return [bisect_right(starts, span.start) - 1, bisect_left(ends, span.end) + 1]

    return [
        [place(mention) + place(mention.head or mention) for mention in chain.mentions]
        for chain in document.get(CHAINS)
    ]


if __name__ == "__main__":
    main()
