"""Groups of commands with their help; each command's module is imported when it runs."""

from __future__ import annotations

from collections.abc import Mapping

from tatian.cli.common import LazyGroup
from tatian.cli.options import examples


def _group(name: str, help: str, modules: Mapping[str, str], *lines: str) -> LazyGroup:
    """Return a group of commands; a module's function has the command's name unless given."""
    targets = {}
    for command, place in modules.items():
        module, _, function = place.partition(":")
        function = function or command.replace("-", "_")
        targets[command] = f"tatian.cli.{module}:{function}"
    return LazyGroup(name, targets=targets, help=help, epilog=examples(*lines))


mentions = _group(
    "mentions",
    "Find, link, score, count and convert mentions.",
    {
        "detect": "mentions.detect",
        "stats": "mentions.data",
        "score": "mentions.score",
        "table": "mentions.score",
        "project": "mentions.data",
        "simulate": "mentions.data",
        "agree": "mentions.annotation",
        "convert": "mentions.data",
        "sample": "mentions.annotation",
        "split": "mentions.annotation",
        "serve": "mentions.detect",
    },
    "tatian mentions detect story.txt --to html -o story.html",
    "tatian mentions stats VoxEL.ttl",
    "tatian mentions convert aquaint.tar.gz --to nif",
    "tatian mentions score gold.jsonl found.jsonl",
)
coref = _group(
    "coref",
    "Resolve coreference; score, compare, check and convert it.",
    {
        "score": "coref.score",
        "diff": "coref.score",
        "check": "coref.score",
        "convert": "coref.data",
        "expand": "coref.resolve",
        "resolve": "coref.resolve",
    },
    "tatian coref resolve story.txt",
    "tatian coref score key.conll response.conll",
    "tatian coref check key.sgm",
    "tatian coref convert key.sgm --to conll",
)
aggregate = _group(
    "aggregate",
    "Name several things with one phrase (aggregation).",
    {
        "rank": "aggregate.models",
        "score": "aggregate.score",
        "generate": "aggregate.models",
        "show": "aggregate.table",
        "table": "aggregate.table",
        "sets": "aggregate.models",
        "extract": "aggregate.corpus",
        "mine": "aggregate.corpus",
        "dataset": "aggregate.data",
        "task": "aggregate.data",
        "stats": "aggregate.data",
    },
    "tatian aggregate dataset answers.jsonl --instances instances.jsonl -o dataset.jsonl",
    "tatian aggregate task dataset.jsonl -o task/",
    "tatian aggregate stats task/*.jsonl",
)
union = _group(
    "union",
    "Merge sentences (union); score, compare and show unions.",
    {
        "generate": "union.generate",
        "score": "union.score",
        "compare": "union.show",
        "side-by-side": "union.people",
        "ratings": "union.people",
        "marks": "union.people",
        "tally": "union.people",
        "show": "union.show",
        "plot": "union.show",
        "pairs": "union.generate",
        "relations": "union.generate",
        "check": "union.data",
        "representative": "union.data",
        "stats": "union.data",
    },
    "tatian union generate eval.csv > predicted.csv",
    "tatian union score eval.csv predicted.csv",
)
campaign = _group(
    "campaign",
    "Manage annotation campaigns: create, invite, monitor, export.\n\n"
    "All commands use the database of 'tatian annotate serve', whether that runs or not.",
    {
        "create": "campaign.create",
        "status": "campaign.settings",
        "monitor": "campaign.quality",
        "agreement": "campaign.quality",
        "pay": "campaign.quality",
        "invite": "campaign.people",
        "open": "campaign.settings:open_",
        "close": "campaign.settings",
        "delete": "campaign.settings",
        "export": "campaign.files",
        "adjudicate": "campaign.quality",
        "confirm": "campaign.create",
        "import": "campaign.files:import_",
        "settings": "campaign.settings",
        "guidelines": "campaign.settings",
        "person": "campaign.people",
        "audit": "campaign.settings",
        "backup": "campaign.files",
        "restore": "campaign.files",
        "move": "campaign.files",
        "user": "groups",
    },
    "tatian campaign create ferries --task union pairs.csv --annotators 3 --open",
    "tatian campaign invite ferries --count 3",
    "tatian campaign status ferries",
    "tatian campaign export ferries --to task -o results/",
)
user = _group(
    "user",
    "Manage the people who sign in: admins, and managers of single campaigns.\n\n"
    "People change their own password on the server's page.",
    {
        "add": "campaign.people",
        "link": "campaign.people",
        "change": "campaign.people",
    },
    "tatian campaign user add anna",
    "tatian campaign user link anna",
    "tatian campaign user change ben --disabled",
)
facts = _group(
    "facts",
    "Measure consolidated texts by the facts of their sources.",
    {"score": "facts", "check": "facts", "show": "facts"},
    "tatian facts score bundles",
    "tatian facts score bundles mine.jsonl --format json",
    "tatian facts show examples/ferry.json -o ferry.html",
)
claims = _group(
    "claims",
    "Compare the figures, times and names of sentences.",
    {"compare": "claims"},
    'tatian claims compare "The blast came at 3:15 p.m." "The explosion was at 3:10 p.m."',
)
kb = _group(
    "kb",
    "Build a knowledge base, inspect it, and look terms up.",
    {"build": "kb", "info": "kb", "lookup": "kb"},
    "tatian kb lookup starter Paris",
    "tatian kb build enwiki-pages-articles.xml.bz2 titles.txt -o wiki.kb",
    "tatian kb info wiki.kb",
)
annotate = _group(
    "annotate",
    "Serve the annotation workbench.",
    {"serve": "annotate"},
    "tatian annotate serve",
    "tatian annotate serve --database postgresql://localhost/tatian --no-demo",
)
train = _group(
    "train",
    "Train models, in a source checkout with PyTorch.\n\n"
    "`pip install -e '.[hub]'` there installs what is needed.",
    {"seq2seq": "train", "aggregation": "train"},
    "tatian train seq2seq train.csv eval.csv --base t5-large -o runs/t5",
    "tatian train aggregation train.jsonl val.jsonl --base facebook/bart-large-cnn -o runs/d",
)
models = _group(
    "models",
    "List models, and install the weights that some of them need.",
    {"list": "models:list_models", "install": "models"},
    "tatian models list",
    "tatian models install",
)
