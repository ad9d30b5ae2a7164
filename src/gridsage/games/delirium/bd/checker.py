"""Can a cave be won? By playing it until it is: chance has a hand in it, so a win is found with a seed."""

from __future__ import annotations

import time
from collections import Counter

from gridsage.core.amounts import counted
from gridsage.core.game import Budget
from gridsage.core.room import LevelReport
from gridsage.games.delirium.bd.agents.master import Master
from gridsage.games.delirium.bd.bdcff import parse
from gridsage.games.delirium.bd.cells import AMOEBA, BUTTERFLY, DIAMOND, EXIT_OPEN, EXIT_SHUT, MAGIC_WALL
from gridsage.games.delirium.bd.level import Cave, Options
from gridsage.games.delirium.bd.rules import BoulderDash
from gridsage.games.delirium.bd.state import State

NODES = 30_000  # for a decision
MOST_SEEDS = 20


def doubts(cave: Cave) -> list[str]:
    """Return why the cave can never be won, as far as counting tells; empty if nothing is wrong."""
    kinds = Counter(cave.kinds)
    found = []
    if not kinds[EXIT_SHUT] and not kinds[EXIT_OPEN]:
        found.append("there is no exit: it cannot be won; draw an OUTBOX ('X' in a map)")
    butterflies = sum(kinds[BUTTERFLY + facing] for facing in range(4))
    most = kinds[DIAMOND] + 9 * butterflies
    if cave.needed > most and not kinds[MAGIC_WALL] and not kinds[AMOEBA]:
        found.append(
            f"it asks for {counted(cave.needed, 'diamond')}, "
            f"{kinds[DIAMOND]} {'lies' if kinds[DIAMOND] == 1 else 'lie'} in the cave and "
            f"{counted(butterflies, 'butterfly', 'butterflies')} can leave 9 each: it cannot be won; "
            f"ask for at most {most}"
        )
    return found


def check(text: str, options: Options, seconds: float) -> LevelReport:
    """Return a won game with its seed, a proof by counting that there is none, or that none was found in that time."""
    began = time.perf_counter()
    level = parse(text)
    if wrong := doubts(level.caves[options.difficulty - 1]):
        return LevelReport("impossible", wrong[0])
    games = 0
    for seed in range(1, MOST_SEEDS + 1):
        game = BoulderDash()
        state, plan = game.start(level, options, seed), []
        player = Master()
        games += 1
        while game.outcome(state) is None and time.perf_counter() - began < seconds:
            action = player.decide(game.observe(state, 0), Budget(nodes=NODES)).action
            plan.append(action)
            state = game.step(state, action)
        figures = {"seconds": time.perf_counter() - began, "games": float(games)}
        if _is_won(game, state):
            text = f"won in {counted(len(plan), 'tick')} with seed {seed}"
            return LevelReport("won", text, tuple(plan), seed, figures)
        if time.perf_counter() - began >= seconds:
            break
    text = f"it was not won in {counted(seconds, 'second')} and {counted(games, 'game')}; that proves nothing"
    return LevelReport("not found within budget", text, figures=figures)


def _is_won(game: BoulderDash, state: State) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.winner == 0
