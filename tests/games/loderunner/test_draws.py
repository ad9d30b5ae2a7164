"""Draws: which one a search expects, and after which the runner is lost, beside a search that leaves nothing out."""

from __future__ import annotations

import random

import numpy as np

from gridsage.games.loderunner.agents.distances import guide
from gridsage.games.loderunner.agents.master import Beam
from gridsage.games.loderunner.agents.plans import Leanings, Scene, played
from gridsage.games.loderunner.kernels import draws, lookahead, rounds
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner, pack, tables
from gridsage.games.loderunner.state import ALIVE, BOMB_LEFT, NONE, WON

GAME = LodeRunner()
TEXT = """\
WWWWWWWWWWWWWWW
WX...........BW
WFFFFFFLFFFFFFW
W......L......W
WE...R.L..E..EW
WFFFFFFFFFFFFFW
WFFFFFFFFFFFFFW
WWWWWWWWWWWWWWW
"""


# No way leads from the ledge, where somebody may reappear as well.
CORRIDOR = """\
WWWWWWWWWWWWWWWWWW
W................W
WFFFFFFFFFFFFFFFFW
WX..E...R...E...BW
WFFFFFFFFFFFFFFFFW
WFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWW
"""


def scene_of(text: str) -> Scene:
    level = parse(text)
    return Scene(tables(level, Options()), guide(level, Options()))


def burials(text: str, count: int) -> list[tuple[rounds.Row, int]]:
    """Positions of random games, and the action of a round in which an enemy is buried."""
    scene, dice = scene_of(text), random.Random(1)
    start = pack(GAME.start(parse(text), Options(), 1).seen, scene.found)
    chance = np.zeros(rounds.CHANCES, np.int64)
    found = []
    while len(found) < count:
        state, status = start.copy(), ALIVE
        while status == ALIVE and len(found) < count:
            legal = [action for action in range(7) if rounds.is_legal(*scene.level[::2], state[rounds.RUNNER], action)]
            bombs = [action for action in legal if action >= BOMB_LEFT]
            action = dice.choice(bombs if bombs and dice.random() < 0.5 else [NONE, *legal])
            before = state.copy()
            chance[:] = dice.randrange(1, 1 << 31), 0, 0, 0
            status = scene.play(state, action, chance)
            if status == ALIVE and state[rounds.RESPAWNS] == 1 and before[rounds.HOLES] == state[rounds.HOLES] + 1:
                found.append((before, action))
    return found


def lives(scene: Scene, start: rounds.Row, layers: int) -> bool:
    """Return True if any line at all lives for so many rounds, with the dice of the trial."""
    chance = np.zeros(rounds.CHANCES, np.int64)
    positions = {start.tobytes()}
    for layer in range(layers):
        following = set()
        for position in positions:
            for action in range(7):
                state = np.frombuffer(position, np.int16).copy()
                if rounds.is_legal(*scene.level[::2], state[rounds.RUNNER], action):
                    lookahead.draw(chance, 1, layer)
                    status = scene.play(state, action, chance)
                    if status == WON:
                        return True
                    if status == ALIVE:
                        following.add(state.tobytes())
        positions = following
    return bool(positions)


def after(scene: Scene, before: rounds.Row, action: int, cell: int) -> rounds.Row:
    state = before.copy()
    scene.play(state, action, np.array([1, cell + 1, 0, 0], np.int64))
    return state


def counted(scene: Scene, before: rounds.Row, action: int, rest: list[int]) -> tuple[int, int]:
    counts = np.zeros(draws.COUNTS, np.int64)
    draws.deadly_draws(scene.level, scene.distances, before, action, np.array(rest, np.int64), counts)
    return int(counts[draws.DEADLY]), int(counts[draws.ALLOWED])


def due(text: str, count: int) -> list[tuple[rounds.Row, int]]:
    """Positions in which an enemy sits in the hole that closes in the coming round, and an action for that round."""
    enemies = slice(rounds.FIRST_BONUS + 1, rounds.FIRST_BONUS + 1 + text.count("E"))
    found = [(row, action) for row, action in burials(text, 3 * count) if row[rounds.FIRST_HOLE] in row[enemies]]
    assert len(found) >= count
    return found[:count]


def farthest(scene: Scene, before: rounds.Row) -> int:
    """The first of the free cells from where an enemy has the longest way to the runner."""
    steps = scene.hints.steps[:, before[rounds.RUNNER]]
    spawns = scene.found.board[rounds.SPAWN, : int(scene.found.info[rounds.SPAWNS])].tolist()
    free = [cell for cell in spawns if rounds.may_respawn(*scene.level[::2], before, cell) and steps[cell] < rounds.FAR]
    return max(free, key=lambda cell: (steps[cell], -cell))


def test_whoever_reappears_is_expected_far_away():
    scene, chance = scene_of(CORRIDOR), np.zeros(rounds.CHANCES, np.int64)
    found = set()
    for before, action in due(CORRIDOR, 12):
        lookahead.guess(scene.level, scene.hints.steps, before, 1, 0, chance)
        assert chance[1] - 1 == farthest(scene, before)
        plan = played([action], before, scene, Leanings(4, 3))
        assert plan is not None and farthest(scene, before) in plan.positions[1].tolist()
        found.add(farthest(scene, before))
    assert len(found) > 1


def test_nobody_is_expected_where_nobody_is_due():
    scene, chance = scene_of(TEXT), np.zeros(rounds.CHANCES, np.int64)
    before, _ = due(TEXT, 1)[0]
    later, empty = before.copy(), before.copy()
    later[rounds.FIRST_HOLE + 1] = 2
    empty[rounds.FIRST_BONUS + 1 :] = np.where(
        empty[rounds.FIRST_BONUS + 1 :] == before[rounds.FIRST_HOLE], 0, empty[rounds.FIRST_BONUS + 1 :]
    )
    for state in (later, empty, pack(GAME.start(parse(TEXT), Options(), 1).seen, scene.found)):
        chance[1] = 7
        lookahead.guess(scene.level, scene.hints.steps, state, 1, 0, chance)
        assert chance[0] > 0 and chance[1] == 0


def test_a_beam_expects_whoever_reappears_far_away():
    scene = scene_of(TEXT)
    for before, _ in due(TEXT, 12):
        beam = Beam(len(before), scene.hints.walk.shape)
        beam.begin(before, 64, 1, 100_000, Leanings(4, 9))
        beam.grow(scene, 1)
        kept = beam.rows[: int(beam.meters[lookahead.LAST_SIZE]), : len(before)]
        assert kept.shape[0] > 0 and (kept[:, rounds.RESPAWNS] == 1).all()
        assert all(farthest(scene, before) in position.tolist() for position in kept)


def test_a_trial_is_passed_only_where_a_line_lives():
    scene = scene_of(TEXT)
    spawns = scene.found.board[rounds.SPAWN, : int(scene.found.info[rounds.SPAWNS])].tolist()
    passed, failed = 0, 0
    line = np.zeros(draws.TRIAL_ROUNDS, np.int64)
    for before, action in burials(TEXT, 6):
        for cell in spawns[::5]:
            state = after(scene, before, action, cell)
            found = draws.survives(scene.level, scene.hints.steps, state, line, np.zeros(draws.COUNTS, np.int64))
            alive = lives(scene, state, draws.FAR_ENOUGH + 1)
            assert alive or not found
            passed, failed = passed + found, failed + (alive and not found)
    assert passed > 5 * failed  # most of these die later in the trial


def test_a_line_that_was_found_lives_through_the_trial():
    scene, line = scene_of(TEXT), np.zeros(draws.TRIAL_ROUNDS, np.int64)
    counts, lengths = np.zeros(draws.COUNTS, np.int64), set()
    for before, action in burials(TEXT, 12):
        state = after(scene, before, action, 0)
        if not draws.survives(scene.level, scene.hints.steps, state, line, counts):
            continue
        counts[:] = 0
        assert draws.lives_by(scene.level, scene.hints.steps, state, line, counts)
        length = int((line >= 0).sum())
        assert int(counts[draws.NODES]) == length and (line[length:] == -1).all()
        chance = np.zeros(rounds.CHANCES, np.int64)
        for layer in range(length):
            lookahead.draw(chance, 1, layer)
            status = scene.play(state, int(line[layer]), chance)
            assert status == ALIVE or (status == WON and layer == length - 1)
        lengths.add(length)
    assert min(lengths) < draws.TRIAL_ROUNDS, "a trial ends as soon as nobody is near"


def test_a_line_that_was_cut_short_proves_nothing():
    scene, counts = scene_of(TEXT), np.zeros(draws.COUNTS, np.int64)
    before, _ = burials(TEXT, 1)[0]
    standing = np.full(draws.TRIAL_ROUNDS, -1, np.int64)
    standing[: draws.FAR_ENOUGH - 1] = NONE
    assert not draws.lives_by(scene.level, scene.hints.steps, before, standing, counts)
    assert counts[draws.NODES] == draws.FAR_ENOUGH - 1, "he lives as long as the line goes"


def test_the_nearest_cells_are_tried_first():
    scene = scene_of(TEXT)
    for before, action in burials(TEXT, 5):
        aside = after(scene, before, action, 0)
        cells = draws.nearest_first(scene.level, scene.hints.steps, aside).tolist()
        spawns = scene.found.board[rounds.SPAWN, : int(scene.found.info[rounds.SPAWNS])].tolist()
        assert sorted(cells) == sorted(cell for cell in spawns if rounds.may_respawn(*scene.level[::2], aside, cell))
        steps = [int(scene.hints.steps[cell, aside[rounds.RUNNER]]) for cell in cells]
        assert steps == sorted(steps) and steps[0] < steps[-1]


def test_every_cell_where_somebody_may_reappear_is_counted_once():
    scene = scene_of(TEXT)
    for before, action in burials(TEXT, 5):
        deadly, allowed = counted(scene, before, action, [])
        seen = set()
        chance = np.zeros(rounds.CHANCES, np.int64)
        for seed in range(1, 4000):
            state = before.copy()
            chance[:] = (seed * 1_000_003) & rounds.MASK32, 0, 0, 0
            scene.play(state, action, chance)
            seen.add(state.tobytes())
        assert allowed == len(seen)
        assert 0 <= deadly <= allowed


def test_draws_after_which_every_line_dies_are_deadly():
    scene = scene_of(TEXT)
    cells = scene.found.board[rounds.SPAWN, : int(scene.found.info[rounds.SPAWNS])]
    lost = 0
    for before, action in burials(TEXT, 30):
        aside = after(scene, before, action, 0)
        near = [int(cell) for cell in cells if abs(cell - aside[rounds.RUNNER]) <= 3]
        near = [cell for cell in near if rounds.may_respawn(*scene.level[::2], aside, cell)]
        dead = sum(not lives(scene, after(scene, before, action, cell), 5) for cell in near)
        assert dead <= counted(scene, before, action, [])[0]
        lost += dead
    assert lost > 0


def test_a_beam_weighs_the_draws_of_its_last_round():
    scene = scene_of(TEXT)
    row = len(burials(TEXT, 1)[0][0])
    risks = []
    for before, _ in burials(TEXT, 20):
        beam = Beam(row, scene.hints.walk.shape)
        beam.begin(before, 16, 1, 100_000, Leanings(4, 3))
        beam.grow(scene, 1)
        beam.weigh_layer(scene)
        kept = int(beam.meters[lookahead.LAST_SIZE])
        past = beam.rows[:kept, row:]
        assert (past[:, lookahead.REAPPEARED] == 0).all()
        assert ((past[:, lookahead.PAST_RISK] >= 0) & (past[:, lookahead.PAST_RISK] <= draws.THOUSAND)).all()
        risks.extend(past[:, lookahead.PAST_RISK].tolist())
    assert min(risks) == 0 < max(risks)
