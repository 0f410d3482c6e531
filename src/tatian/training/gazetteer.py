"""Names of a knowledge base by kind, to exchange for the names of training sentences."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from tatian.text.tokenizer import tokenize
from tatian.training.data import lines_of

_KIND_OF = {
    "/people/person": "PER",
    "/people/deceased_person": "PER",
    "/film/actor": "PER",
    "/location/location": "LOC",
    "/location/country": "LOC",
    "/location/hud_county_place": "LOC",
    "/location/statistical_region": "LOC",
    "/education/educational_institution": "ORG",
    "/education/university": "ORG",
    "/soccer/football_team": "ORG",
    "/sports/sports_team": "ORG",
    "/sports/professional_sports_team": "ORG",
    "/music/record_label": "ORG",
    "/film/film_distributor": "ORG",
    "/organization/organization": "ORG",
    "/business/business_operation": "ORG",
    "/film/film": "MISC",
    "/tv/tv_program": "MISC",
}
LONGEST = 6
"""Words of the longest name that is taken."""

Names = dict[str, list[tuple[str, ...]]]


def read_gazetteer(directory: Path) -> Names:
    """The labels of entities whose facts say that they are persons, places and so on."""
    votes: dict[str, Counter[str]] = {}
    for line in lines_of(directory / "facts.tsv.gz"):
        subject, relation, _ = line.split("\t")
        kind = _KIND_OF.get("/".join(relation.split("/")[:3]))
        if kind:
            votes.setdefault(subject, Counter())[kind] += 1
    names: Names = {}
    for line in lines_of(directory / "entities.jsonl.gz"):
        record = json.loads(line)
        label = record.get("label") or ""
        if record["id"] not in votes or not label[:1].isupper():
            continue
        (kind, _), *_ = votes[record["id"]].most_common()
        words = tuple(label[token.start : token.end] for token in tokenize(label))
        if len(words) <= LONGEST:
            names.setdefault(kind, []).append(words)
    return names
