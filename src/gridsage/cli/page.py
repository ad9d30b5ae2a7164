"""`gridsage` alone: serve the page and open the browser."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import typer

from gridsage.core.errors import OptionError
from gridsage.core.extras import needs_extra
from gridsage.games import catalog

TRY = (
    "solve ricochet",
    "watch ricochet --agents master",
    "bench ricochet --agents dfs,bfs,astar,master",
)


def open_page(host: str, port: int, open_browser: bool, token: str | None, agents_from: Path | None = None) -> None:
    """Serve until ctrl-C; without a screen, print the address and three commands to try."""
    with needs_extra("The page", "page"):
        from gridsage.web.app import serve

    if agents_from is not None:
        if not agents_from.is_dir():
            raise OptionError(f"--agents-from {str(agents_from)!r} is no folder")
        os.environ[catalog.LISTED] = str(agents_from.absolute())  # the page's processes read it too
        typer.echo(f"agents listed for the page: {', '.join(catalog.listed_agents()) or 'none was found there'}")
    if not host:
        raise OptionError("--host needs an address, such as 127.0.0.1")

    has_screen = bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) or sys.platform in (
        "darwin",
        "win32",
    )
    if not (open_browser and has_screen):
        typer.echo("Three commands to try in the meantime:")
        command = "gridsage" if shutil.which("gridsage") else "python -m gridsage"
        for line in TRY:
            typer.echo(f"  {command} {line}")
    serve(host, port, open_browser and has_screen, token)
