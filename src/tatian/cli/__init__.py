"""The ``tatian`` command: one file per command group, each a thin call of a documented function.

Results go to standard output, everything else to standard error. A mistake in the input is one
line that begins ``tatian: error:`` and exit status 2.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Sequence
from typing import Any

import click

import tatian
from tatian.atomic import unwritable
from tatian.cli.commands import LazyGroup
from tatian.cli.output import discard_output, open_streams, output_problem, print_error, say
from tatian.errors import TatianError

BAD_INPUT = 2
INTERRUPTED = 130


class Root(LazyGroup):
    """The top command, which turns every deliberate failure into one line and an exit status."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and exit; without `standalone_mode`, errors are raised instead."""
        prog_name = prog_name or "tatian"
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        open_streams()
        status = self._run(args, prog_name, complete_var, extra)
        sys.exit(_flush_output(status))

    def _run(
        self,
        args: Sequence[str] | None,
        prog_name: str,
        complete_var: str | None,
        extra: dict[str, Any],
    ) -> int:
        try:
            status = super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            print_error(error.format_message())
            return BAD_INPUT
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else prog_name
            say("error", f"{error.format_message().rstrip('.')} (try '{path} --help')")
            return BAD_INPUT
        except click.ClickException as error:
            say("error", error.format_message())
            return error.exit_code
        except TatianError as error:
            say("error", str(error))
            return BAD_INPUT
        except OSError as error:
            return _report_os_error(error)
        except (click.Abort, KeyboardInterrupt):
            return INTERRUPTED
        return status if isinstance(status, int) else 0


def _report_os_error(error: OSError) -> int:
    """Answer a full disk or a closed output with one line; any other error is a bug."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        say("error", str(unwritable(error, error.filename or "the output")))
        return BAD_INPUT
    if output_problem() is None:
        raise error
    return 0


def _flush_output(status: int) -> int:
    """Flush the output while a failure can still be reported; ignore a closed pipe."""
    error = output_problem()
    if isinstance(error, BrokenPipeError):
        discard_output(error)
        return 1
    if error is not None:
        say("error", str(discard_output(error)))
        return status or BAD_INPUT
    return status


@click.group(
    "tatian",
    cls=Root,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(tatian.__version__, message="%(prog)s %(version)s")
def main() -> None:
    """Consolidate several sources of one story into one text with the origin of every word.

    Every command reads .gz files and takes - for standard input, prints its result to standard
    output and everything else to standard error. English only.
    """
