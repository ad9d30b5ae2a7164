"""`gridsage export`: stored results as a table for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridsage.cli import flags, output
from gridsage.core.amounts import counted


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("export", epilog="Example: gridsage export results.csv --game ricochet")(export)


def export(
    path: Annotated[Path, typer.Argument(help="The file to write; its name ends with .csv or .parquet.")],
    game: Annotated[str | None, typer.Option(help="Only this game.")] = None,
    agent: Annotated[str | None, typer.Option(help="Only games that this agent played.")] = None,
    imported: Annotated[
        bool, typer.Option("--imported", help="Imported games too; the column `imported` marks them.")
    ] = False,
) -> None:
    """Write the stored results, one row per episode."""
    from gridsage.core.errors import OptionError
    from gridsage.store import Store, Wanted
    from gridsage.store.export import write

    if game is not None:
        flags.known_game(game)
    store = Store()
    wanted = Wanted(game=game, agent=agent, imported=None if imported else False)
    with store.selected(wanted) as found:
        total = found.total()
    try:
        with output.progress(f"export to {path.name}", total) as advance:
            written = write(store, path, wanted, advance)
    except OSError as error:
        raise OptionError(f"{path}: {error.strerror or error}") from None
    output.warn(store.warnings)
    typer.echo(f"{counted(written, 'episode')} written to {path}")
