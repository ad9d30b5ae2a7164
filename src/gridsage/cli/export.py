"""`gridsage export`: stored results as a table for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("export", epilog="Example: gridsage export results.csv --game ricochet")(export)


def export(
    path: Annotated[Path, typer.Argument(help="The file to write; its name ends with .csv or .parquet.")],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games that this agent played.")] = None,
) -> None:
    """Write the stored results, one row per episode."""
    from gridsage.core.errors import OptionError
    from gridsage.store import Store
    from gridsage.store.export import write

    rows = Store().rows(game=game, agent=agent)
    try:
        write(rows, path)
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror}") from None
    typer.echo(f"{len(rows)} episodes written to {path}")
