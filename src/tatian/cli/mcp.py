"""``tatian mcp``: consolidation and verification as tools of other programs."""

from __future__ import annotations

from tatian.cli import options
from tatian.cli.common import say
from tatian.cli.options import command


@command("tatian mcp", "tatian mcp --http --port 9000", "tatian mcp --judge local")
def mcp(
    http: bool = options.flag("Streamable HTTP in place of standard input and output."),
    host: str = options.option(
        "Where to listen: the address or name that clients use.",
        default="127.0.0.1",
        show_default=True,
    ),
    port: int = options.port(8765),
    judge: str = options.judge,
) -> None:
    """Serve consolidation and verification as MCP tools.

    The tools are consolidate, trace, contradictions and analyze. Programs that speak the Model
    Context Protocol start this command and talk to it on standard input and output. With --http
    they find it at http://HOST:PORT/mcp. There are no logins and no encryption: whoever reaches the
    port may use it.
    """
    from tatian.mcp import serve_http, serve_stdio

    def announce(address: str) -> None:
        say("note", f"listening on {address}: end with Ctrl-C")

    if http:
        serve_http(host, port, announce, judge)
    else:
        serve_stdio(judge)
