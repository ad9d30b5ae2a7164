"""Every sentence of the rules as a drawn position: `o` open hole, `e` enemy inside one, `r` runner inside one."""

from __future__ import annotations

import msgspec
import pytest

from gridsage.core.errors import IllegalAction
from gridsage.games.loderunner.level import LETTERS, Options, parse
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import LABELS, Enemy, State

GAME = LodeRunner()
ACTION = {label: number for number, label in enumerate(LABELS)}


def walled(drawing: str) -> str:
    """The drawn rows in a frame of walls; an exit is added far right where none is drawn."""
    rows = [line.strip() for line in drawing.strip().splitlines()]
    if not any("X" in row for row in rows):
        rows = [row + ("WX" if number == 0 else "WW") for number, row in enumerate(rows)]
    width = len(rows[0]) + 2
    return "\n".join(["W" * width, *(f"W{row}W" for row in rows), "W" * width]) + "\n"


def begin(drawing: str, **options) -> State:
    return GAME.start(parse(walled(drawing)), Options(**options), 1)


def after(drawing: str, *actions: str, respawns: dict[int, list[int]] | None = None, **options) -> State:
    state = begin(drawing, **options)
    for number, action in enumerate(actions, 1):
        state = GAME.play(state, ACTION[action], (respawns or {}).get(number, []))
    return state


def drawn(state: State) -> str:
    """The position without its frame of walls."""
    seen = state.seen
    level = seen.level
    letters = [LETTERS[code] for code in level.cells]
    for cell in seen.bonuses:
        letters[cell] = "B"
    holes = {hole.cell for hole in seen.holes}
    for cell in holes:
        letters[cell] = "o"
    for enemy in seen.enemies:
        letters[enemy.cell] = "e" if enemy.cell in holes else "E"
    letters[seen.runner] = "r" if seen.runner in holes else "R"
    rows = ["".join(letters[at : at + level.cols])[1:-1] for at in range(0, len(letters), level.cols)][1:-1]
    return "\n".join(row.removesuffix("WX").removesuffix("WW") for row in rows)


def picture(drawing: str) -> str:
    return "\n".join(line.strip() for line in drawing.strip().splitlines())


def reason(state: State) -> str | None:
    outcome = GAME.outcome(state)
    return None if outcome is None else outcome.reason


def legal(drawing: str) -> set[str]:
    return {LABELS[action] for action in GAME.legal(begin(drawing))}


# Legal actions


def test_up_is_legal_only_on_a_ladder():
    level = """
        .L.
        RL.
        FFF
    """
    assert "up" not in legal(level)
    state = after(level, "right", "up")
    assert reason(state) is None
    assert drawn(state) == picture("""
        .R.
        .L.
        FFF
    """)


@pytest.mark.parametrize("ceiling", [".", "C", "W", "F", "L"])
def test_up_enters_whatever_is_above_a_ladder(ceiling):
    state = after(f"{ceiling}..\nLR.\nFFF", "left", "up")
    assert reason(state) is None
    assert drawn(state) == "R..\nL..\nFFF"


def test_a_runner_in_the_outer_wall_comes_down_again():
    level = "L.\nLR\nFF"
    state = after(level, "left", "up", "up")
    assert reason(state) is None and state.seen.runner == 1
    assert {LABELS[action] for action in GAME.legal(state)} == {"none", "down"}
    assert drawn(GAME.step(state, ACTION["down"])) == "R.\nL.\nFF"


@pytest.mark.parametrize(("below", "allowed"), [("L", True), (".", True), ("F", False), ("W", False), ("C", False)])
def test_down_needs_a_ladder_or_a_path_below(below, allowed):
    assert ("down" in legal(f"R..\n{below}..\nFFF")) is allowed


def test_down_is_not_possible_onto_the_exit_nor_into_a_hole():
    assert "down" not in legal("R.\nX.\nFF")
    state = after("R..\nFFF\nFFF", "bomb-right", "none")
    assert "down" not in {LABELS[action] for action in GAME.legal(state)}


@pytest.mark.parametrize("side", ["W", "F"])
def test_walls_and_floors_stop_a_walk(side):
    assert legal(f"{side}R{side}\nFFF") == {"none"}


@pytest.mark.parametrize("side", [".", "L", "C", "B", "E", "X"])
def test_everything_else_can_be_entered_from_the_side(side):
    assert {"left", "right"} <= legal(f"{side}R{side}\nFFF")


@pytest.mark.parametrize(
    ("beside", "allowed"), [(".", True), ("B", True), ("E", True), ("L", False), ("C", False), ("X", False)]
)
def test_a_bomb_needs_floor_diagonally_below_and_a_path_above_it(beside, allowed):
    assert ("bomb-left" in legal(f"{beside}R.\nFFF")) is allowed
    assert ("bomb-right" in legal(f".R{beside}\nFFF")) is allowed


@pytest.mark.parametrize("ground", ["W", "L", ".", "C"])
def test_only_floor_can_be_bombed(ground):
    assert "bomb-left" not in legal(f".R.\n{ground}FF")


def test_an_illegal_action_is_death_and_no_enemy_moves():
    state = after(".R..E\nFFFFF", "up")
    assert reason(state) == "illegal action"
    assert drawn(state) == ".R..E\nFFFFF"


def test_an_illegal_action_is_a_lost_round_with_the_option_noop():
    state = after(".R..E\nFFFFF", "up", illegal="noop")
    assert reason(state) is None
    assert drawn(state) == ".R.E.\nFFFFF"


def test_a_number_that_is_no_action_is_refused_by_step_and_deadly_in_play():
    state = begin("R..\nFFF")
    with pytest.raises(IllegalAction, match="no action 7"):
        GAME.step(state, 7)
    assert reason(GAME.play(state, 9)) == "illegal action"


def test_nothing_can_be_played_after_the_end():
    state = after("RX\nFF", "right")
    with pytest.raises(IllegalAction, match="after the end"):
        GAME.step(state, 0)
    assert list(GAME.legal(state)) == []


# Gravity


def test_a_walk_over_an_edge_is_a_fall_in_the_same_round():
    state = after("R..\nF..\nF..\nFFF", "right")
    assert drawn(state) == "...\nF..\nFR.\nFFF"


def test_one_hangs_in_the_cell_below_a_cable():
    state = after(".CCC\nR...\nF...\nFFFF", "right", "right")
    assert drawn(state) == ".CCC\n..R.\nF...\nFFFF"
    assert drawn(GAME.step(state, ACTION["down"])) == ".CCC\n....\nF.R.\nFFFF"


def test_a_fall_passes_a_cable_and_ends_below_it():
    state = after("R..\nF..\nFC.\nF..\nF..\nFFF", "right")
    assert drawn(state) == "...\nF..\nFC.\nFR.\nF..\nFFF"


@pytest.mark.parametrize("ground", ["F", "W", "L", "X"])
def test_a_fall_ends_on_floor_wall_ladder_and_exit(ground):
    state = after(f"R..\nF..\nF{ground}.\nFFF", "right")
    assert drawn(state).splitlines()[1] == "FR."


def test_a_ladder_cell_does_not_stop_a_fall():
    state = after("RL.\nF..\nF..\nFFF", "right")
    assert drawn(state) == ".L.\nF..\nFR.\nFFF"


def test_the_exit_does_not_hold_a_runner_up():
    state = after("RX.\nF..\nFFF", "right")
    assert reason(state) is None
    assert drawn(state) == ".X.\nFR.\nFFF"


def test_none_up_and_bombs_never_start_a_fall():
    level = "...\n.L.\nRL.\nFFF"
    state = after(level, "right", "up", "up", "none")
    assert drawn(state) == ".R.\n.L.\n.L.\nFFF"
    flying = ".R.\n...\nFFF"
    assert drawn(after(flying, "none")) == flying
    digging = after(".R.\nF..\nFFF", "bomb-left")
    assert drawn(digging) == ".R.\no..\nFFF"


def test_a_runner_in_the_air_falls_with_his_next_step():
    assert drawn(after("R..\n...\nFFF", "none")) == "R..\n...\nFFF"
    assert drawn(after("R..\n...\nFFF", "right")) == "...\n.R.\nFFF"


def test_a_fall_goes_through_an_empty_hole_when_the_cell_below_is_free():
    state = after("R..\nFFF\n...\nFFF", "bomb-right", "right")
    assert reason(state) is None
    assert drawn(state) == "...\nFoF\n.R.\nFFF"


def test_a_fall_that_ends_in_a_hole_is_death():
    state = after("R..\nFFF\nFFF", "bomb-right", "right")
    assert reason(state) == "fell into a hole"


def test_climbing_into_an_open_hole_is_survived():
    state = after("..R...\nFFLFFF\n.LL...\nFFFFFF", "bomb-left", "down", "down", "left", "up")
    assert reason(state) is None
    assert drawn(state) == "......\nFrLFFF\n.LL...\nFFFFFF"


# Bonuses


def test_bonuses_are_taken_on_every_cell_of_a_fall():
    state = after("RB.\nFB.\nFB.\nFFF", "right")
    assert state.seen.bonuses == ()
    assert drawn(state) == "...\nF..\nFR.\nFFF"


def test_the_first_cell_of_a_down_move_gives_no_bonus():
    state = after(".C.\nFR.\nFB.\nFB.\nFFF", "down")
    assert drawn(state) == ".C.\nF..\nFB.\nFR.\nFFF"


def test_enemies_take_no_bonuses():
    state = after("R....BE\nFFFFFFF", "none", "none", "none")
    assert drawn(state) == "R...EB.\nFFFFFFF"


# Deaths


def test_running_into_an_enemy_is_death():
    assert reason(after(".RE\nFFF", "right")) == "ran into an enemy"


def test_climbing_into_an_enemy_is_death_where_one_stands():
    state = after("E.\nL.\nLR\nFF", "left", "up")
    assert reason(state) == "climbed into an enemy"
    assert drawn(state) == "..\nE.\nR.\nFF"


def test_passing_an_enemy_in_a_fall_is_safe():
    # An enemy that starts in the air has no footing: it waits there.
    state = after("R.\nF.\nFE\nF.\nFF", "right")
    assert reason(state) is None
    assert drawn(state) == "..\nF.\nFE\nFR\nFF"


def test_walking_over_a_trapped_enemy_is_safe():
    level = "R....E.\nFFFFFFF\nFFFFFFF"
    state = after(level, "none", "none", "none", "bomb-right", "none", "none", "none", "none")
    assert drawn(state) == "R......\nFeFFFFF\nFFFFFFF"
    state = GAME.step(state, ACTION["right"])
    assert reason(state) is None
    assert drawn(state) == ".R.....\nFeFFFFF\nFFFFFFF"


def test_an_enemy_that_enters_the_runners_cell_catches_him():
    assert reason(after("RE.\nFFF", "none")) == "caught"


def test_an_enemy_that_enters_his_cell_and_falls_on_catches_him_too():
    state = after("ER.\nF..\nFFF", "none")
    assert reason(state) == "caught by a falling enemy"
    assert drawn(state) == ".R.\nFE.\nFFF"


def test_the_outcome_tells_what_the_runner_died_of():
    assert reason(after("E.\nL.\nLR\nFF", "left", "none", "none")) == "caught on a ladder"
    assert reason(after("R..\nF..\nF.E\nFFF", "right")) == "fell beside an enemy"
    assert reason(after("R.\nFE\nFF", "right")) == "ran into an enemy"


# Enemies


def test_enemies_move_in_odd_rounds_only():
    level = "R........E\nFFFFFFFFFF"
    assert [drawn(after(level, *["none"] * n)).index("E") for n in range(6)] == [9, 8, 8, 7, 7, 6]


def test_the_runner_is_tested_at_the_exit_before_the_enemies_move():
    assert reason(after("RXE\nFFF", "right")) == "won"


def test_enemies_move_in_reverse_reading_order_until_one_catches_him():
    state = after("E..\nL..\nLRE\nFFF", "none")
    assert reason(state) == "caught"
    assert drawn(state) == "E..\nL..\nLR.\nFFF"


def test_an_enemy_waits_for_another_in_its_way():
    # The one on the left is earlier in reading order, so it moves last: the right one waits for it in vain.
    state = after("R..EE\nFFFFF", "none")
    assert drawn(state) == "R.E.E\nFFFFF"


RING = """
    .....
    LFFFL
    LFFFL
    L..RL
    FFFFF
"""


@pytest.mark.parametrize(
    ("enemy", "runner", "way"),
    [
        ((1, 0), (2, 4), "up"),  # 1 + 4 + 2 rounds above, 2 + 4 + 1 below
        ((2, 0), (1, 4), "up"),  # above as long as below
        ((0, 0), (3, 4), "down"),  # before right
        ((0, 1), (3, 3), "left"),  # before right
        ((0, 3), (3, 3), "right"),  # no tie
    ],
)
def test_ties_are_broken_up_down_left_right(enemy, runner, way):
    cols = begin(RING).seen.level.cols
    cell, goal = ((row + 1) * cols + col + 1 for row, col in (enemy, runner))
    state = begin(RING.replace(".....", "...E.", 1))
    seen = msgspec.structs.replace(state.seen, enemies=(Enemy(cell, -1),), runner=goal)
    state = GAME.step(msgspec.structs.replace(state, seen=seen), ACTION["none"])
    assert LABELS[state.seen.enemies[0].action] == way


@pytest.mark.parametrize("ground", ["W", "X"])
def test_wall_and_exit_below_are_no_footing_for_an_enemys_plan(ground):
    state = after(f"R..E\nFF{ground}F", "none")
    assert drawn(state).startswith("R..E")


def test_an_enemy_plans_no_drops():
    state = after("...E\n...F\nR..F\nFFFF", "none")
    assert drawn(state) == "...E\n...F\nR..F\nFFFF"


def test_an_enemy_hangs_along_a_cable():
    state = after("CCCC\nR..E\n....\nFFFF", *["none"] * 3)
    assert drawn(state) == "CCCC\nRE..\n....\nFFFF"


def test_enemies_wait_for_a_runner_inside_a_wall():
    state = after("L...\nLR.E\nFFFF", "left", "up", "up", "none", "none")
    before, state = state, GAME.step(state, 0)
    assert drawn(state) == drawn(before)
    assert [enemy.cell for enemy in state.seen.enemies] == [enemy.cell for enemy in before.seen.enemies]


def test_an_enemy_sees_a_hole_as_floor_and_stops_inside():
    state = after("R..E\nFFFF\nFFFF", "bomb-right", "none", "none")
    assert drawn(state) == "R...\nFeFF\nFFFF"


def test_an_enemy_walks_over_a_hole_with_an_enemy_inside():
    state = after("R..EE\nFFFFF\nFFFFF", "bomb-right", "none", "none", "none", "none", "none", "none")
    assert drawn(state) == "RE...\nFeFFF\nFFFFF"


def test_an_enemy_falls_into_a_hole_with_nothing_below_and_stays():
    state = after("R..E\nFFFF\n....\nFFFF", "bomb-right", "none", "none", "none", "none")
    assert drawn(state) == "R...\nFeFF\n....\nFFFF"


def test_the_shown_actions_of_enemies():
    level = "R......E\nFFFFFFFF"
    assert begin(level).seen.enemies[0].action == -1
    assert after(level, "none").seen.enemies[0].action == ACTION["left"]
    assert after(level, "none", "bomb-right").seen.enemies[0].action == ACTION["bomb-right"]
    dead = after(level, "none", "up")
    assert dead.seen.enemies[0].action == ACTION["left"]


# Holes


def test_a_hole_is_open_for_ten_rounds():
    level = "R..\nFFF\nFFF"
    states = [after(level, "bomb-right", *["none"] * waits) for waits in range(10)]
    assert [[hole.delay for hole in state.seen.holes] for state in states] == [[n] for n in range(9, 0, -1)] + [[]]


def test_a_cell_bombed_twice_is_open_until_the_second_bomb_ends():
    state = after("R..\nFFF\nFFF", "bomb-right", "none", "bomb-right")
    assert [hole.delay for hole in state.seen.holes] == [9, 7]
    for _ in range(7):
        state = GAME.step(state, 0)
    assert [hole.delay for hole in state.seen.holes] == [2]


def test_holes_tick_in_the_last_round_too():
    state = after("R.X\nFFF\nFFF", "bomb-right", "up")
    assert reason(state) == "illegal action"
    assert [hole.delay for hole in state.seen.holes] == [8]


def test_a_hole_opens_no_way_sideways():
    walk = after("..R...\nFFLFFF\n.LL...\nFFFFFF", "bomb-left", "down")
    assert "left" not in {LABELS[action] for action in GAME.legal(walk)}


# Respawns


TRAP = "R..E......\nFFFFFFFFFF\nFFFFFFFFFF"


def test_a_trapped_enemy_reappears_when_its_hole_closes():
    respawned = after(TRAP, "bomb-right", *["none"] * 9, respawns={10: [1 * 14 + 9]})
    assert drawn(respawned) == "R.......E.\nFFFFFFFFFF\nFFFFFFFFFF"


def test_the_seed_decides_where():
    cells = set()
    for seed in range(1, 40):
        state = GAME.start(parse(walled(TRAP)), Options(), seed)
        for action in ["bomb-right", *["none"] * 9]:
            state = GAME.step(state, ACTION[action])
        cells.add(drawn(state).splitlines()[0])
    assert cells <= {"R" + "." * n + "E" + "." * (8 - n) for n in range(1, 9)}, "never beside the runner"
    assert len(cells) == 8


def test_nobody_reappears_on_bonuses_enemies_or_ground_that_is_no_floor():
    level = "R..E.BB.\nFFFFFFFL\nFFFFFFFF"
    for seed in range(1, 20):
        state = GAME.start(parse(walled(level)), Options(), seed)
        for action in ["bomb-right", *["none"] * 9]:
            state = GAME.step(state, ACTION[action])
        assert drawn(state).splitlines()[0] in ("R.E..BB.", "R..E.BB.", "R...EBB.")


def test_a_runner_in_a_closing_hole_reappears():
    level = "..R...\nFFLFFF\n.LL...\nFFFFFF"
    state = after(level, "bomb-left", "down", "down", "left", "up", *["none"] * 5, respawns={10: [1 * 10 + 6]})
    assert reason(state) is None
    assert drawn(state) == ".....R\nFFLFFF\n.LL...\nFFFFFF"


def test_an_enemy_stays_where_no_cell_is_allowed():
    state = after("R.E\nFFL\nFFF", "bomb-right", *["none"] * 9)
    assert drawn(state) == "R..\nFEL\nFFF"


# Ends


def test_a_game_is_won_on_the_exit_without_bonuses_left():
    assert reason(after("RBX\nFFF", "right", "right")) == "won"
    state = after("BRX\nFFF", "right")
    assert reason(state) is None
    outcome = GAME.outcome(after("BRX\nFFF", "right", "left", "left", "right", "right"))
    assert outcome is not None and outcome.winner == 0 and outcome.scores == (1.0,)


def test_of_several_exits_the_last_counts():
    assert reason(after("XR.X\nFFFF", "left")) is None
    assert reason(after("XR.X\nFFFF", "right", "right")) == "won"


def test_the_turn_cap_ends_a_game():
    state = after("R..\nFFF", *["none"] * 5, turn_cap=5)
    assert reason(state) == "out of turns"
    assert reason(after("R..\nFFF", *["none"] * 4, turn_cap=5)) is None


def test_a_lost_game_scores_its_share_of_bonuses():
    outcome = GAME.outcome(after("RBB\nFFF", "right", "up"))
    assert outcome is not None and outcome.winner is None and outcome.scores == (1 / 3,)


# What the player sees


def test_the_player_does_not_see_the_dice():
    level = parse(walled(TRAP))
    seen = {GAME.observe(GAME.start(level, Options(), seed), 0) for seed in range(5)}
    assert len(seen) == 1


def test_a_player_may_ask_for_legal_actions_with_what_it_sees():
    state = begin(TRAP)
    assert list(GAME.legal(GAME.observe(state, 0))) == list(GAME.legal(state))


def test_events_tell_what_a_person_would_notice():
    before = after(TRAP, "bomb-right", "none")
    trapped = GAME.step(before, 0)
    assert "trapped" in [event.kind for event in GAME.events(before, 0, trapped)]
    start = begin("RBX\nFFF")
    taken = GAME.step(start, ACTION["right"])
    assert [event.kind for event in GAME.events(start, ACTION["right"], taken)] == ["moved", "collected"]
    won = GAME.step(taken, ACTION["right"])
    assert [event.kind for event in GAME.events(taken, ACTION["right"], won)] == ["moved", "won"]
