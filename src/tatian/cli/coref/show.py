"""``tatian coref show``: the chains of a file on its text."""

from __future__ import annotations

import click

from tatian.cli.common import any_path, examples, keep_inputs, output_option, quiet_option
from tatian.cli.coref.options import from_option
from tatian.cli.coref.pages import form_of, select, write_lines, write_page
from tatian.cli.coref.reading import open_files


@click.command(
    epilog=examples(
        "tatian coref show key.conll",
        "tatian coref show key.sgm --open",
        "tatian coref show key.conllu --document GUM_news_1 -o chains.html",
    )
)
@click.argument("file", type=any_path)
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "html"]),
    help="What to write; by default what the name of the output file says, or text.",
)
@output_option
@click.option("--open", "opened", is_flag=True, help="Write an HTML page and open it in a browser.")
@from_option
@click.option(
    "--document", "chosen", multiple=True, metavar="ID", help="Only this document; repeatable."
)
@quiet_option
def show(
    file: str,
    form: str | None,
    output: str,
    opened: bool,
    origin: str | None,
    chosen: tuple[str, ...],
    quiet: bool,
) -> None:
    """Show the chains of FILE on its text: [3: ...] is a mention of chain 3.

    FILE is of any format that 'coref convert' reads, or a directory of such files.
    """
    from tatian.coreference.comparing.views import chain_lines, chains_page

    form = form_of(form, output, opened)
    if form == "json":
        raise click.UsageError("chains as JSON: use 'tatian coref convert --to jsonl'")
    keep_inputs(output, (file,))
    documents = select(open_files(file, origin).documents(), chosen, file)
    if form == "html":
        write_page(chains_page(documents), output, opened, quiet)
    else:
        write_lines(chain_lines(documents), output)
