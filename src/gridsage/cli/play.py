"""`gridsage play`: a person plays in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from typing import Annotated

import typer

from gridsage.cli import flags, output
from gridsage.core.errors import IllegalAction, OptionError, did_you_mean, shown, unknown
from gridsage.core.game import Agent, Briefed, Briefing, Budget, Decision, Event, Model, Observation, Own, StopGame
from gridsage.core.room import Room
from gridsage.core.trace import AgentSpec

HINT_SECONDS = 1.0
FEW_MOVES = 12  # so many are named when a word is none of them
HELP = "a move, `hint`, `moves` (all legal ones), `undo`, `reset`, or `quit`"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("play", context_settings=flags.EXTRA, epilog=EXAMPLE)(play)


EXAMPLE = "Example: gridsage play ricochet --seed 3"


def play(
    context: typer.Context,
    game: flags.GameName,
    level: flags.Level = None,
    seed: flags.Seed = 1,
    against: Annotated[str | None, typer.Option(help="The agent in the other seat, in games for two.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat, in games for two.", min=0, max=1)] = 0,
    seconds: flags.Seconds = None,
    option: flags.Options = None,
) -> None:
    """Play by typing moves, each followed by Enter. The game is stored, finished or not, and can be replayed.

    Besides moves: `hint`, `moves` (all legal ones), `undo`, `reset` and `quit`.
    """
    from gridsage.arena import match, tournament
    from gridsage.games import catalog
    from gridsage.store import Store

    room = flags.room_for(game, level)
    game = room.name
    options = flags.rule_options(room, option, context)
    chosen = flags.one_level(room, level, seed)
    person = Person(room)
    rival = flags.agents(None, room, [against] if against is not None else None)[0]
    count = room.rules.seats_with(catalog.options(room, options))
    if count == 1 and (against is not None or seat):
        raise OptionError(f"{game} is a game for one: --against and --seat mean nothing here")
    store = Store()
    output.ready(game)
    seats = [AgentSpec("person") if s == seat or count == 1 else rival for s in range(count)]
    episode = tournament.episode(room, chosen, seats, seed, options, flags.budget(None, seconds))
    person.may_go_back = isinstance(person.game, Model) and (count == 1 or rival.name in room.players.agents())
    result = match.play(episode, watch=person.watch, agents=_players(person, seats), stoppable=True)
    while person.kept is not None:
        person.begin_again(result.trace.actions[: person.kept])
        result = match.play(episode, watch=person.watch, agents=_players(person, seats), stoppable=True)
    name = store.put_single(result)
    output.console().print(f"{result.trace.outcome.reason}; gridsage replay {name[:12]}", markup=False)


def _players(person: Person, seats: Sequence[AgentSpec]) -> list[Agent | None]:
    """Return the person, and for each other seat its agent, or None where the arena makes it."""
    if not person.known:
        return [person if spec.name == person.name else None for spec in seats]
    from gridsage.games import catalog

    return [
        person if spec.name == person.name else Follower(person, catalog.agent(person.room, spec)) for spec in seats
    ]


def _no_move(typed: str, legal: Collection[str]) -> str:
    """Return that a word is no move, with the moves if they are few and otherwise with how to see them."""
    if len(legal) <= FEW_MOVES:
        return f"{unknown('legal move', typed, legal)}; or {HELP}"
    return f"no legal move {shown(typed)}; {did_you_mean(typed, legal)}type `moves` to see all {len(legal)}"


class Follower:
    """An agent in a game that goes on from an earlier point: it first plays again what was played before."""

    def __init__(self, person: Person, agent: Agent) -> None:
        self.name, self._person, self._agent = agent.name, person, agent

    def begin(self, briefing: Briefing) -> None:
        if isinstance(self._agent, Briefed):
            self._agent.begin(briefing)

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        return self._person.known_decision() or self._agent.decide(observation, budget)


class Person:
    """An agent that asks the person at the keyboard."""

    name = "person"

    def __init__(self, room: Room) -> None:
        self.room, self.game = room, room.rules.game()
        self.screen = output.console()
        self._state: Own = None  # what is on the screen
        self.may_go_back = False
        self.kept: int | None = None  # steps to play again, if the person went back
        self.known: Sequence[int] = ()  # the actions of those steps
        self._steps = 0
        self._asked: list[int] = []  # the steps at which the person was asked
        self._ahead: list[int] = []  # the rest of what was typed at once
        self._hints: list[str] = []  # not told yet
        self._hinted: Own = None  # the state they are about

    def watch(self, steps: int, state: Own, decision: Decision | None, events: Sequence[Event]) -> bool:
        """Show the board after each step; return False if nobody reads any more."""
        self._state, self._steps = state, steps
        if steps < len(self.known):
            return True
        try:
            self._show(steps, state, decision)
        except BrokenPipeError:
            return False
        return True

    def _show(self, steps: int, state: Own, decision: Decision | None) -> None:
        from gridsage.cli.screen import draw

        if decision is not None:
            self.screen.print(f"step {steps}: {self.game.label(decision.action)}", markup=False)
        self.screen.print(draw(self.room.view.frame(state), self.room.view.glyphs))

    def begin_again(self, known: Sequence[int]) -> None:
        """Go on in a new game after the actions in `known`."""
        self.kept, self.known, self._ahead = None, known, []

    def known_decision(self) -> Decision | None:
        """Return what was played at this step before the person went back, or None."""
        return Decision(self.known[self._steps]) if self._steps < len(self.known) else None

    def decide(self, observation: Observation, budget: Budget) -> Decision:
        if (known := self.known_decision()) is not None:
            return known
        if self._ahead:
            return Decision(self._ahead.pop(0))
        try:
            chosen = self._choose(observation)
        except BrokenPipeError:  # nobody reads what it says: the game ends here and is kept
            raise StopGame from None
        self._asked.append(self._steps)
        return chosen

    def _choose(self, observation: Observation) -> Decision:
        """Return what the person wants to play; other wishes are granted until then."""
        legal = {self.game.label(action): action for action in self.game.legal(self._state)}
        while True:
            typed = self._ask()
            if typed in ("quit", "q", None) and typed not in legal:
                raise StopGame
            if typed in ("undo", "reset") and typed not in legal:
                self._go_back(typed)
            elif typed == "hint":
                self._hint(observation)
            elif typed == "moves":
                keys = {label: key for key, label in self.room.view.keys.items()}
                words = [f"{label} ({keys[label]})" if label in keys else label for label in legal]
                self.screen.print(", ".join(words), markup=False)
            else:
                assert typed is not None
                label = self.room.view.keys.get(typed, typed)
                if label in legal:
                    return Decision(legal[label])
                problem = self._read(typed) or _no_move(typed, legal)
                if self._ahead:
                    return Decision(self._ahead.pop(0))
                self.screen.print(problem, markup=False)

    def _go_back(self, word: str) -> None:
        """Leave this game for one that goes on before the last choice, or from the start; or say why not."""
        if not self.may_go_back:
            self.screen.print(f"{word}: this game cannot go back", markup=False)
        elif not self._asked:
            self.screen.print(f"{word}: you have not played yet", markup=False)
        else:
            self.kept = self._asked[-1 if word == "undo" else 0]
            self._asked = [step for step in self._asked if step < self.kept]
            raise StopGame

    def _read(self, typed: str) -> str:
        """Read one word that stands for several actions, such as a whole turn of Push'em All; say why it is none."""
        if self.room.view.moves is None:
            return ""
        try:
            self._ahead = list(self.room.view.moves(self._state, typed))
        except IllegalAction as error:
            return str(error)
        return ""

    def _ask(self) -> str | None:
        sys.stdout.write(f"your move ({HELP}): ")
        sys.stdout.flush()
        try:
            line = sys.stdin.readline() if sys.stdin is not None else ""
        except (KeyboardInterrupt, OSError):  # ctrl-C or no input: the game ends here and is kept
            return None
        return (line.strip() or line.rstrip("\r\n")[:1]) if line else None  # a space alone is a key

    def _hint(self, observation: Observation) -> None:
        """Return a little more each time, if the room has hints; otherwise what its best agent would do."""
        if self.room.help.hints is not None:
            if self._hinted is not self._state:
                self._hints, self._hinted = list(self.room.help.hints(self._state)), self._state
            told = self._hints.pop(0) if self._hints else "That is all there is to tell."
            more = " (type hint again for more)" if self._hints else ""
            self.screen.print(told + more, markup=False)
            return
        from gridsage.games import catalog

        adviser = catalog.agent(self.room, AgentSpec(self.room.players.default))
        if isinstance(adviser, Briefed):
            adviser.begin(Briefing(self.room.name, self.room.rules.options(), self.game.seat(self._state), 0))
        advice = adviser.decide(observation, Budget(seconds=HINT_SECONDS))
        self.screen.print(f"{self.room.players.default} would play {self.game.label(advice.action)}", markup=False)
