"""Games as GDash writes them: `u d l r`, two letters for a diagonal, capitals with fire held, `.` none, and a count."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from gridsage.core.errors import LevelError
from gridsage.core.game import Budget
from gridsage.core.room import RecordedGame
from gridsage.core.trace import CUT_OFF, HASH_EVERY, AgentSpec, Trace, forfeit, state_hash
from gridsage.games.delirium.bd.bdcff import TRUTH, BoulderText, parse, sections
from gridsage.games.delirium.bd.level import DIFFICULTIES, Level, Options, time_points
from gridsage.games.delirium.bd.rules import BoulderDash
from gridsage.games.delirium.bd.state import POINTS, TIME, WON, State
from gridsage.games.delirium.level.bdcff import scan
from gridsage.games.delirium.level.files import file_text
from gridsage.games.delirium.level.text import whole_number

WORD = re.compile(r"^([udlrUDLR]{1,2}|[.])(\d*)$")
MAX_MOVES = 100_000
ACTION_OF_KEY = {"r": 1, "u": 2, "l": 3, "d": 4}
SNAP = 4  # added with fire held
KNOWN_KEYS = {
    *("Level", "RandomSeed", "Movements", "Player", "Date", "Comment", "Score", "Success", "Saved"),
    *("CheckSum", "RecordedWith", "Duration", "Difficulty"),
}
MOST_SEED = 2**32 - 1
MOST_SCORE = 10**9
HEAD = ""  # the key under which a section keeps the line where it begins


def actions_of(text: str, where: str) -> list[int]:
    """Return one action a tick; of a diagonal only the sideways key counts.

    Args:
        where: the place of the moves, for complaints.
    """
    actions: list[int] = []
    for word in text.split():
        match = WORD.match(word)
        if not match:
            raise LevelError(
                f"{where}: {word[:20]!r} is no move; expected u, d, l, r, two of them, or '.', and a count"
            )
        count = int(match[2][:9] or 1)
        if len(actions) + count > MAX_MOVES:
            raise LevelError(f"{where}: {word[:20]!r} makes more than {MAX_MOVES} moves; no game is that long")
        actions += [_action(match[1])] * count
    if not actions:
        raise LevelError(f"{where}: no moves; expected words such as 'r3' or '.'")
    return actions


def _action(keys: str) -> int:
    low = keys.lower()
    if low == ".":
        return 0
    sideways = [key for key in low if key in "lr"]
    return ACTION_OF_KEY[sideways[0] if sideways else low[0]] + (SNAP if keys != low else 0)


def recordings_of(path: Path) -> list[RecordedGame]:
    """Return the [replay] sections of a BDCFF file, played again under our rules and compared with what they say."""
    text = file_text(path)
    try:
        found = []
        for cave, (line, part) in zip(scan(text, BoulderText), sections(text), strict=True):
            level = parse(part, line)
            found += [_recording(level, part, replay) for replay in cave.replays]
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None
    if not found:
        raise LevelError(f"{path}: no [replay] in any cave; expected one with Movements=...")
    return found


def _recording(level: Level, text: str, replay: Mapping[str, tuple[int, str]]) -> RecordedGame:
    line = replay[HEAD][0]
    for key, (at, _) in replay.items():
        if key not in KNOWN_KEYS and key != HEAD:
            raise LevelError(f"line {at}: unknown key {key[:30]!r} in [replay]; known: {', '.join(sorted(KNOWN_KEYS))}")
    difficulty = _number(replay, "Level", 1, 1, DIFFICULTIES, line)
    seed = _number(replay, "RandomSeed", 0, 0, MOST_SEED, line)
    claims = _claims(replay)
    at, moves = replay.get("Movements", (line, ""))
    actions = actions_of(moves, f"line {at}")
    game, options = BoulderDash(), Options(difficulty=difficulty)
    state = game.start(level, options, seed)
    hashes, played = [(0, state_hash(game, state))], 0
    for action in actions:
        if game.outcome(state) is not None:
            break  # keys that were held when the game was over already
        state = game.step(state, action)
        played += 1
        if played % HASH_EVERY == 0:
            hashes.append((played, state_hash(game, state)))
    if hashes[-1][0] != played:
        hashes.append((played, state_hash(game, state)))
    player = AgentSpec(replay.get("Player", (0, ""))[1] or "recording")
    trace = Trace(
        game=game.name,
        rules_version=game.rules_version,
        options={"difficulty": difficulty},
        level_name=level.name,
        level=text,
        seed=seed,
        agents=(player,),
        budgets=(Budget(),),
        actions=tuple(actions[:played]),
        hashes=tuple(hashes),
        outcome=game.outcome(state) or forfeit(CUT_OFF, 1, None),
        episode="",
    )
    return RecordedGame(trace, f"the [replay] in line {line}", tuple(claims), _difference(claims, state))


def _claims(replay: Mapping[str, tuple[int, str]]) -> dict[str, tuple[int, int]]:
    """Return what the section says about the end: the line and a number for each."""
    found = {}
    if "Success" in replay:
        line, word = replay["Success"]
        if word.lower() not in TRUTH:
            raise LevelError(f"line {line}: Success is {word[:20]!r}, expected true or false")
        found["Success"] = (line, int(TRUTH[word.lower()]))
    if "Score" in replay:
        found["Score"] = (replay["Score"][0], _number(replay, "Score", 0, 0, MOST_SCORE, 0))
    return found


def _difference(claims: Mapping[str, tuple[int, int]], state: State) -> str:
    """Return the first claim that is not what came of the moves, in words; empty if there is none."""
    is_won, points = state.status == WON, int(state.facts[POINTS])
    if is_won:
        points += time_points(state.cave, int(state.facts[TIME]))
    for key, came in (("Success", int(is_won)), ("Score", points)):
        line, told = claims.get(key, (0, came))
        if told != came:
            words = [str(bool(value)).lower() if key == "Success" else f"{value}" for value in (told, came)]
            return f"line {line}: {key} is {words[0]}, its moves lead to {words[1]}"
    return ""


def _number(replay: Mapping[str, tuple[int, str]], key: str, default: int, lowest: int, highest: int, line: int) -> int:
    at, word = replay.get(key, (line, str(default)))
    return whole_number(word, key, lowest, highest, f"line {at}")
