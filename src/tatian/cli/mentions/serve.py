"""``tatian mentions serve``: a detector that GERBIL can call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tatian.cli.common import examples, kb_option, quiet_option, say

if TYPE_CHECKING:
    from tatian.mentions.service import Detect, LinkSpans


@click.command(
    epilog=examples(
        "tatian mentions serve --kb wiki.kb",
        "tatian mentions serve --kb wiki.kb --port 9000 --quiet",
    )
)
@kb_option
@click.option("--model", metavar="NAME", help="Mentions model: a name from 'tatian models list'.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Where to listen; 0 for any that is free.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=8,
    show_default=True,
    metavar="MIB",
    help="The largest request, in MiB.",
)
@quiet_option
def serve(kb: str | None, model: str | None, host: str, port: int, limit: int, quiet: bool) -> None:
    """Annotate NIF documents over HTTP, so that GERBIL can evaluate us.

    POST a document in Turtle to / and get it back with mentions linked to DBpedia; phrases that
    it comes with are linked where they stand. GET /health says that the service runs. End it with
    Ctrl-C.
    """
    from tatian.mentions.server import NifServer

    detect, link, name = _detector(model, kb)
    size = limit * 2**20
    with NifServer((host, port), detect, link=link, name=name, limit=size) as server:
        if not quiet:
            say("note", f"listening on {server.url} with '{name}': end with Ctrl-C")
        server.serve_forever()


def _detector(model: str | None, kb: str | None) -> tuple[Detect, LinkSpans | None, str]:
    from tatian.analysis import analysers
    from tatian.mentions.models import detectors

    detector = detectors.create(model, **({"kb": kb} if kb else {}))
    analyser = analysers.create()
    return (
        lambda document: detector.detect(analyser.analyze(document)),
        getattr(detector, "link", None),
        model or detectors.default,
    )
