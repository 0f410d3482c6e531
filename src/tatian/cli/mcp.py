"""``tatian mcp``: weaving and proof as tools of programs that write."""

from __future__ import annotations

from tatian.cli.options import command


@command("tatian mcp")
def mcp() -> None:
    """Serve weaving and proof as MCP tools.

    The tools are consolidate, trace, contradictions and analyze. Programs that speak the Model
    Context Protocol start this command and talk to it on standard input and output.
    """
    from tatian.mcp import serve_stdio

    serve_stdio()
