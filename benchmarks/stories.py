"""Clustering of articles by event on ECB+, beside baselines; and cost of growing corpora.

    python benchmarks/stories.py score ECBPLUS             the table, on topics 21 to 35
    python benchmarks/stories.py fit ECBPLUS               learns the weights, on topics 1 to 20
    python benchmarks/stories.py scale ECBPLUS [COUNT...]  time and memory for so many articles

ECBPLUS is the archive or its folder. Each topic has two subtopics, two events of one kind; each is
one story, and all are mixed. The baselines are tf-idf with average linkage, and vectors of leads
with a threshold for links. Both are tuned on topics 1 to 20, as ours is. For growing corpora, every
story of ECB+ is repeated with other names, figures and days.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from regression import logistic
from tatian.formats.ecbplus import by_subtopic, read_ecbplus
from tatian.statistics import Table
from tatian.stories import Collection, collection
from tatian.stories import articles as likeness
from tatian.stories.articles import (
    Frequencies,
    IndexedArticle,
    StoryProfile,
    article_profile,
    merge_profiles,
    pair_features,
    read_articles,
)
from tatian.stories.assignment import cluster, find_candidates
from tatian.text import Document, Metadata

Floats = npt.NDArray[np.float64]
Scores = tuple[float, float, float]
TRAIN = [str(topic) for topic in range(1, 21)]
DEV = [str(topic) for topic in range(21, 36)]
SAMPLE_COUNT, RIDGE, MAX_PART_SIZE, BATCH, LAST_ARTICLES = 12_000, 3.0, 8, 256, 100


class Part:
    """Articles of some topics, with the event that each reports."""

    def __init__(self, path: str, topics: Sequence[str]) -> None:
        by_story = by_subtopic(read_ecbplus(path, topics=topics, header=False))
        self.documents = [document for documents in by_story.values() for document in documents]
        self.events = [event for event, documents in by_story.items() for _ in documents]
        self.articles = read_articles(self.documents)
        self.frequencies = Frequencies.of(self.articles)
        self.profiles = [article_profile(document, self.frequencies) for document in self.articles]
        self.pairs = list(
            find_candidates(self.articles, self.frequencies, range(len(self.articles)))
        )

    def score(self, labels: Sequence[int]) -> Scores:
        """Return B-cubed precision, recall and F1."""
        return b_cubed(labels, self.events)


def b_cubed(labels: Sequence[int], events: Sequence[object]) -> Scores:
    """Return precision, recall and F1; each article counts the same."""
    ours, right, both = Counter(labels), Counter(events), Counter(zip(labels, events, strict=True))
    shared = [
        (both[pair], ours[pair[0]], right[pair[1]]) for pair in zip(labels, events, strict=True)
    ]
    precision = float(np.mean([same / size for same, size, _ in shared]))
    recall = float(np.mean([same / size for same, _, size in shared]))
    return precision, recall, 2 * precision * recall / (precision + recall)


def ours(part: Part) -> list[int]:
    """Return the number of each article's story."""
    labels = [0] * len(part.articles)
    for number, members in enumerate(
        cluster(len(part.profiles), dict(enumerate(part.profiles)), part.pairs)
    ):
        for member in members:
            labels[member] = number
    return labels


def in_parts(part: Part, count: int = 5) -> list[int]:
    """Cluster as `ours`, in a collection that grows part by part in random order."""
    order = random.Random(0).sample(range(len(part.documents)), len(part.documents))
    with tempfile.TemporaryDirectory() as directory, Collection(directory) as kept:
        with_known(part.articles)
        for start in range(count):
            kept.add([part.documents[number] for number in order[start::count]])
        story_of = {document: n for n, s in enumerate(kept.stories()) for document in s.documents}
    return [story_of[document.id] for document in part.documents]


def with_known(articles: Sequence[IndexedArticle]) -> None:
    """Let collections reuse these articles as already read."""
    read = {article.id: article for article in articles}
    collection.read_articles = lambda documents: [read[document.id] for document in documents]


def tfidf(part: Part) -> Floats:
    """Return the tf-idf cosines of all words, without the frequencies of English."""
    places = {int(term): n for n, term in enumerate(part.frequencies.terms)}
    rows = np.zeros((len(part.articles), len(places)), np.float32)
    rarity = np.log((1 + len(part.articles)) / part.frequencies.counts)
    for number, article in enumerate(part.articles):
        columns = [places[int(term)] for term in article.terms]
        rows[number, columns] = article.counts * rarity[columns]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows @ rows.T).astype(np.float64)


def leads(part: Part) -> Floats:
    """Return the cosines of the vectors of leads."""
    rows = np.stack([article.vector for article in part.articles])
    return (rows @ rows.T).astype(np.float64)


def pairs(part: Part) -> Floats:
    """Return our pairwise scores of single articles, from 0 to 1."""
    count = len(part.articles)
    matrix = np.eye(count)
    for row in range(count):
        for other in range(row):
            odds = likeness.log_odds(part.profiles[row], part.profiles[other])
            matrix[row, other] = matrix[other, row] = 1 / (1 + np.exp(-odds / 4))
    return matrix


def linked(alike: Floats, least: float, way: str) -> list[int]:
    """Cluster articles by linkage down to a least similarity."""
    distances = 1 - np.clip((alike + alike.T) / 2, 0, 1)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), way)
    return [int(label) for label in fcluster(tree, 1 - least, "distance")]


def tuned(train: Part, dev: Part, alike: Callable[[Part], Floats], way: str) -> Scores:
    """Score a baseline with the threshold that is best on the training topics."""
    cosines = alike(train)
    best = max(
        np.linspace(0.02, 0.98, 97), key=lambda least: train.score(linked(cosines, least, way))[2]
    )
    return dev.score(linked(alike(dev), best, way))


def score(path: str) -> None:
    """Print the table."""
    train, dev = Part(path, TRAIN), Part(path, DEV)
    rows = {
        "tf-idf, average linkage": tuned(train, dev, tfidf, "average"),
        "vectors, threshold": tuned(train, dev, leads, "single"),
        "vectors, average linkage": tuned(train, dev, leads, "average"),
        "our figures of pairs, average linkage": tuned(train, dev, pairs, "average"),
        "tatian stories": dev.score(ours(dev)),
        "tatian stories, in five parts": dev.score(in_parts(dev)),
        "tatian stories, topics 1 to 20": train.score(ours(train)),
    }
    cells = [(name, *figures) for name, figures in rows.items()]
    columns = ("B-cubed on topics 21 to 35", "precision", "recall", "F1")
    print(Table.of(columns, cells).render("text"))


def samples(part: Part, seed: int = 0) -> tuple[Floats, Floats]:
    """Return features of pairs of story parts: same story, same topic, or similar stories."""
    chance = random.Random(seed)
    members = defaultdict(list)
    for number, event in enumerate(part.events):
        members[event].append(number)
    near = defaultdict(list)
    for first, other in part.pairs:
        if part.events[first] != part.events[other]:
            near[first].append(part.events[other])
            near[other].append(part.events[first])

    def draw(of: Sequence[int]) -> list[int]:
        size = 1 if chance.random() < 0.5 else chance.randint(1, MAX_PART_SIZE)
        return chance.sample(of, min(size, len(of)))

    def whole(numbers: Sequence[int]) -> StoryProfile:
        return merge_profiles([part.profiles[number] for number in numbers])

    rows, labels = [], []
    while len(rows) < SAMPLE_COUNT:
        event = chance.choice(list(members))
        sample = draw(members[event])
        if chance.random() < 0.4:
            other = draw([number for number in members[event] if number not in sample])
        else:
            topic, subtopic = event
            twin = (topic, "ecb" if subtopic == "ecbplus" else "ecbplus")
            alike = near[sample[0]] if chance.random() < 0.5 else [twin]
            other = draw(members.get(chance.choice(alike), [])) if alike else []
        if other:
            rows.append(list(pair_features(whole(sample), whole(other)).values()))
            labels.append(part.events[sample[0]] == part.events[other[0]])
    return np.array(rows), np.array(labels, dtype=float)


def fit(path: str) -> None:
    """Print weights, learned by logistic regression, and the bias that is best for clusters."""
    train = Part(path, TRAIN)
    rows, labels = samples(train)
    scale = rows.std(0)
    inputs = np.c_[rows / scale, np.ones(len(rows))]
    weights = logistic(inputs, labels, [*[RIDGE] * len(scale), 0.0])
    names = list(likeness.WEIGHTS)
    likeness.WEIGHTS = dict(zip(names, (weights[:-1] / scale).tolist(), strict=True))
    fitted = []
    for shift in np.arange(0.0, 5.01, 0.5):
        likeness.BIAS = float(weights[-1] + shift)
        fitted.append((train.score(ours(train))[2], likeness.BIAS))
        print(f"{likeness.BIAS:.2f}: {fitted[-1][0]:.4f}", flush=True)
    for name, weight in likeness.WEIGHTS.items():
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS = {max(fitted)[1]:.2f}")


NAME = re.compile(r"\b[A-Z][a-z]{2,}\b")
NUMBER = re.compile(r"\d{2,}")
SYLLABLES = (
    "bar ce dol fen gru hal ist jor ke lun mar ne or pel qua ris sto tam ur vel wen yor".split()
)
KEPT = 0.3
"""Share of names that stay when a story is repeated."""
FIRST_DAY, DAYS = date(2015, 1, 1), 1500


def rewritten_articles(path: str, count: int) -> Iterator[tuple[Document, str]]:
    """Yield so many articles with their events: stories with other names, figures and days."""
    events = by_subtopic(read_ecbplus(path, header=False))
    for turn in range(1 + count // sum(map(len, events.values()))):
        for event, documents in events.items():
            name = f"{turn}/{'/'.join(event)}"
            chance = random.Random(name)
            first = FIRST_DAY + timedelta(days=chance.randrange(DAYS))
            altered = RewrittenStory(name)
            for document in documents:
                if not count:
                    return
                count -= 1
                day = first + timedelta(days=chance.randrange(4))
                text = altered(document.text)
                about = Metadata(date=day.isoformat())
                yield Document(f"{turn}/{document.id}", text, about), name


class RewrittenStory:
    """Texts of one story, in which a name or a figure always becomes the same other one."""

    def __init__(self, story: str) -> None:
        self.story = story

    def __call__(self, text: str) -> str:
        """Return the text with other names and figures."""
        small = set(re.findall(r"\b[a-z]+\b", text))
        return NUMBER.sub(self._figure, NAME.sub(lambda match: self._name(match[0], small), text))

    def _name(self, name: str, small: set[str]) -> str:
        chance = random.Random(f"{self.story}/{name}")
        if name.lower() in small or chance.random() < KEPT:
            return name
        return "".join(chance.choices(SYLLABLES, k=max(2, len(name) // 3))).capitalize()

    def _figure(self, match: re.Match[str]) -> str:
        chance = random.Random(f"{self.story}/{match[0]}")
        return str(chance.randrange(10 ** (len(match[0]) - 1), 10 ** len(match[0])))


def scale(path: str, counts: Sequence[int]) -> None:
    """Print time, memory and B-cubed of growing corpora; every article is read only once."""
    documents, events = zip(*rewritten_articles(path, max(counts)), strict=True)
    begun = time.process_time()
    articles = [
        article
        for start in range(0, len(documents), BATCH)
        for article in read_articles(documents[start : start + BATCH])
    ]
    mean = 1000 * (time.process_time() - begun) / len(articles)
    print(f"Times are those of one core. Reading takes {mean:.1f} ms an article.")
    with_known(articles)
    print(
        "articles  ms each  ms each of the last 100  state MiB  peak MiB  stories  F1", flush=True
    )
    for count in sorted(counts):
        with tempfile.TemporaryDirectory() as directory, Collection(directory) as kept:
            marks = [time.process_time()]
            for batch in (
                documents[: count - LAST_ARTICLES],
                documents[count - LAST_ARTICLES : count],
            ):
                kept.add(batch)
                marks.append(time.process_time())
            story_of = {
                document: n for n, s in enumerate(kept.stories()) for document in s.documents
            }
            labels = [story_of[document.id] for document in documents[:count]]
            size = sum(file.stat().st_size for file in Path(directory).iterdir()) / 2**20
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
        mean, last = 1000 * np.diff(marks) / (count - LAST_ARTICLES, LAST_ARTICLES)
        print(
            f"{count:8}  {mean:7.2f}  {last:23.2f}  {size:9.1f}  {peak:8.0f}  {len(set(labels)):7}"
            f"  {b_cubed(labels, events[:count])[2]:.3f}",
            flush=True,
        )


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("task", choices=("score", "fit", "scale"))
    parser.add_argument("ecbplus")
    parser.add_argument("counts", nargs="*", type=int, default=[5_000, 10_000, 20_000])
    options = parser.parse_args()
    if options.task == "scale":
        scale(options.ecbplus, options.counts)
    else:
        {"score": score, "fit": fit}[options.task](options.ecbplus)


if __name__ == "__main__":
    main()
