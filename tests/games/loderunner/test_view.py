from __future__ import annotations

from gridsage.games.loderunner import ROOM
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import LABELS
from gridsage.games.loderunner.tally import LodeRunnerTally
from gridsage.games.loderunner.view import frame

GAME = LodeRunner()
TRAP = "WWWWWWWWWW\nWR..E..BXW\nWFFFFFFFFW\nWFFFFFFFFW\nWWWWWWWWWW\n"


def after(text: str, *actions: str):
    state = GAME.start(parse(text), Options(), 1)
    states = [state]
    for action in actions:
        state = GAME.step(state, LABELS.index(action))
        states.append(state)
    return states


def test_a_frame_shows_cells_people_and_words():
    picture = frame(after(TRAP)[-1])
    assert (picture.rows, picture.cols) == (5, 10)
    assert picture.cells[11:19] == ("path",) * 6 + ("bonus", "exit")
    assert [(entity.id, entity.sprite) for entity in picture.entities] == [("enemy0", "enemy"), ("runner", "runner")]
    assert picture.status["bonuses"] == "0/1"
    assert "1 bonus left, 1 enemy, the nearest 3 cells away" in picture.text


def test_holes_are_drawn_and_seen_to_close():
    states = after(TRAP, "bomb-right", *["none"] * 9)
    assert [frame(state).cells[22] for state in states] == ["floor"] + ["hole"] * 6 + ["closing-hole"] * 3 + ["floor"]


def test_a_trapped_enemy_and_a_dead_runner_look_different():
    trapped = after(TRAP, "bomb-right", *["none"] * 4)[-1]
    assert frame(trapped).entities[0].sprite == "trapped-enemy"
    dead = after(TRAP, "up")[-1]
    assert frame(dead).entities[-1].sprite == "dead-runner"
    assert frame(dead).text.endswith("illegal action")


def test_the_exit_opens_with_the_last_bonus():
    text = "WWWWWW\nWRB.XW\nWFFFFW\nWWWWWW\n"
    assert [frame(state).cells[10] for state in after(text, "right")] == ["exit", "open-exit"]


def tallied(text: str, *actions: str):
    states = after(text, *actions)
    tally = ROOM.rules.tally(GAME)
    assert isinstance(tally, LodeRunnerTally)
    for before, action, now in zip(states, actions, states[1:], strict=False):
        tally.add(before, LABELS.index(action), now)
    return tally.figures()


def test_the_tally_counts_bonuses_moves_bombs_and_traps():
    figures = tallied(TRAP, "bomb-right", *["none"] * 9)
    wanted = {"bonuses": 0, "moves": 0, "waits": 9, "bombs": 1, "traps": 1, "respawns": 1}
    assert {name: figures[name] for name in wanted} == wanted
    assert tallied("WWWWWW\nWRB.XW\nWFFFFW\nWWWWWW\n", "right")["bonus_share"] == 1.0
