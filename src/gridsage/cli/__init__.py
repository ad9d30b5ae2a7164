"""The command line, one file per verb."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """The `gridsage` command: bad input ends with a sentence and exit code 2, never with a traceback."""
    from gridsage.cli import flags
    from gridsage.cli.app import app
    from gridsage.core.errors import GridsageError, MissingPart, shown

    sys.argv[1:] = flags.with_salt_value(sys.argv[1:])
    try:
        app()
    except MissingPart as error:
        print(f"gridsage: {error}", file=sys.stderr)
        sys.exit(3)
    except GridsageError as error:
        print(f"gridsage: {error}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        if isinstance(error, BrokenPipeError):  # `gridsage ... | head`
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(141)
        where = f"{shown(str(error.filename))}: " if error.filename else ""
        print(f"gridsage: {where}{error.strerror or error}", file=sys.stderr)
        sys.exit(2)
