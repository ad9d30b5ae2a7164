"""The verbs in one place; `gridsage` alone opens the page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gridsage import __version__
from gridsage.cli import agents, bench, export, levels, match, output, page, play, replay, solve, stats, store, watch

EXIT_CODES = (
    "Exit codes: 0 done; 1 done, and the answer is no (not solved, not verified); 2 bad input; "
    "3 a part is not installed on this machine; 130 stopped by ctrl-C."
)

app = typer.Typer(
    name="gridsage",
    help="An arena for game AI on grids. `gridsage` alone opens the page in the browser.",
    epilog=EXIT_CODES,
    no_args_is_help=False,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for module in (play, watch, solve, bench, match, replay, stats, export):
    module.register(app)
app.add_typer(levels.app, name="levels")
app.add_typer(agents.app, name="agents")
app.add_typer(store.app, name="store")
groups = (app, levels.app, agents.app, store.app)
for command in [command for group in groups for command in group.registered_commands]:
    assert command.callback is not None
    command.callback = output.stoppable(command.callback)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"gridsage {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    port: Annotated[int, typer.Option(help="Port of the page; 0 takes any free port.", min=0, max=65535)] = 8080,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any address but 127.0.0.1 requires a token.")
    ] = "127.0.0.1",
    token: Annotated[
        str | None, typer.Option(help="The token that visitors of another address need; generated if omitted.")
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open the browser.")] = False,
    agents_from: Annotated[
        Path | None, typer.Option(help="A folder of agents that the page offers besides the shipped ones.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Open the page if no verb is given. Example: gridsage --no-open --port 9000."""
    if context.invoked_subcommand is None:
        page.open_page(host, port, not no_open, token, agents_from)
