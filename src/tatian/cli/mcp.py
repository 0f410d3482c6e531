"""``tatian mcp``: consolidation and verification as tools of other programs."""

from __future__ import annotations

from tatian.cli import options
from tatian.cli.common import say
from tatian.cli.options import command


@command()
def mcp(
    http: bool = options.flag("Use streamable HTTP instead of standard input and output."),
    host: str = options.option(
        "Address to listen on, as clients name it.",
        default="127.0.0.1",
        show_default=True,
    ),
    port: int = options.port(8765),
    judge: str = options.judge,
) -> None:
    """Serve consolidation and verification as MCP tools.

    The tools are consolidate, trace, contradictions and analyze. Clients of the Model Context
    Protocol start this command and use its standard input and output. With --http they connect to
    http://HOST:PORT/mcp. There is no login and no encryption: everybody who reaches the port may
    use it.
    """
    from tatian.mcp import serve_http, serve_stdio

    def announce(address: str) -> None:
        say("note", f"listening on {address}: end with Ctrl-C")

    if http:
        serve_http(host, port, announce, judge)
    else:
        serve_stdio(judge)
