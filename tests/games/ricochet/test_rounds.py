from __future__ import annotations

import pytest

from games.ricochet.boards import CORRIDORS
from gridsage.arena.match import play
from gridsage.arena.tournament import episode
from gridsage.core.errors import IllegalAction
from gridsage.core.game import Budget, Outcome
from gridsage.core.room import NamedLevel
from gridsage.core.trace import AgentSpec, verify
from gridsage.games import catalog
from gridsage.games.ricochet.level import draw, parse
from gridsage.games.ricochet.level.chance import random_position
from gridsage.games.ricochet.notation import parse_moves
from gridsage.games.ricochet.rounds.rules import CLAIM, RESET, TIME_UP, WAIT, Rounds
from gridsage.games.ricochet.rounds.state import RoundsOptions
from gridsage.games.ricochet.rounds.view import frame
from gridsage.games.ricochet.rules import GIVE_UP

GAME = Rounds()
TWO_GOALS = """
mission: red circle
+---+---+---+---+
|R  | gs     G  |
+   +   +---+   +
|         rc    |
+   +   +   +   +
|            B  |
+---+---+---+---+
"""
ONLY_RED_IS_AWAY = """
mission: green square
+---+---+---+---+
|R  |        Ggs|
+   +   +---+   +
|         rc    |
+   +   +   +   +
|            Bbt|
+---+---+---+---+
"""


def table(drawing=CORRIDORS, seed=1, **options):
    return GAME.start(parse(drawing), RoundsOptions(**options), seed)


def after(state, *actions):
    """The table after actions and moves: `after(table, CLAIM + 3, "Rv R>")`."""
    for action in actions:
        for single in parse_moves(action) if isinstance(action, str) else [action]:
            state = GAME.step(state, single)
    return state


def test_seats_are_asked_in_turn():
    start = table(players=3)
    seats = [GAME.seat(after(start, *[WAIT] * count)) for count in range(5)]
    assert seats == [0, 1, 2, 0, 1]


def test_the_lowest_claim_is_shown_first():
    state = after(table(), CLAIM + 5, CLAIM + 3, WAIT, WAIT, TIME_UP)
    assert state.phase == "showing"
    assert GAME.seat(state) == 1
    assert state.showing.options.max_moves == 3


def test_of_equal_claims_the_first_is_shown():
    assert GAME.seat(after(table(), CLAIM + 3, CLAIM + 3, WAIT, WAIT, TIME_UP)) == 0


def test_a_claim_that_is_shown_scores_and_the_robots_stay():
    state = after(table(TWO_GOALS), CLAIM + 3, WAIT, WAIT, TIME_UP, "Rv R> R^")
    assert state.scores == (1, 0)
    assert state.level.robots == (6, 3, 11)
    assert (state.round, state.phase) == (2, "thinking")
    assert state.news == "round 1: player 1 did it in 3"


def test_another_seat_is_asked_first_in_the_next_round():
    assert GAME.seat(after(table(TWO_GOALS), CLAIM + 3, WAIT, WAIT, TIME_UP, "Rv R> R^")) == 1


def test_a_claim_that_cannot_be_shown_gives_the_next_lowest_its_chance():
    state = after(table(), CLAIM + 2, CLAIM + 3, WAIT, WAIT, TIME_UP, "Rv R>")
    assert (GAME.seat(state), state.phase, state.scores) == (1, "showing", (0, 0))
    assert state.showing.robots == state.level.robots, "the robots are back where the round began"
    assert after(state, "Rv R> R^").scores == (0, 1)


def test_when_no_claim_can_be_shown_the_robots_go_back_and_nobody_scores():
    state = after(table(TWO_GOALS, rounds=1), CLAIM + 2, WAIT, WAIT, TIME_UP, "Rv R>")
    assert state.level.robots == parse(TWO_GOALS).robots
    assert GAME.outcome(state) == Outcome("match over", (0.0, 0.0))
    assert state.news == "round 1: no claim could be shown"


def test_giving_up_a_demonstration_is_like_failing():
    state = after(table(rounds=1), CLAIM + 9, WAIT, WAIT, TIME_UP, "Rv", GIVE_UP)
    assert GAME.outcome(state).scores == (0.0, 0.0)


def test_reset_puts_the_robots_back_a_few_times():
    state = after(table(), CLAIM + 9, WAIT, WAIT, TIME_UP)
    assert RESET not in GAME.legal(state), "nothing to reset yet"
    for _ in range(3):
        state = after(state, "Rv", RESET)
        assert (state.showing.moves, state.showing.robots) == (0, state.level.robots)
    with pytest.raises(IllegalAction, match="reset: not possible in round 1 while showing"):
        after(state, "Rv", RESET)


def test_the_clock_cannot_run_out_before_everybody_had_a_say():
    start = table(players=2)
    assert TIME_UP not in GAME.legal(start)
    assert TIME_UP not in GAME.legal(after(start, WAIT))
    assert TIME_UP in GAME.legal(after(start, WAIT, WAIT))
    assert TIME_UP not in GAME.legal(after(start, WAIT, WAIT, CLAIM + 4, WAIT)), "a claim turns the hourglass"


def test_one_can_only_lower_one_s_own_claim():
    state = after(table(), CLAIM + 4, WAIT)
    assert CLAIM + 3 in GAME.legal(state) and CLAIM + 4 not in GAME.legal(state)
    with pytest.raises(IllegalAction, match="claim 7: not possible in round 1 while hourglass"):
        after(state, CLAIM + 7)


def test_waiting_has_an_end():
    state = table(players=1)
    while WAIT in GAME.legal(state):
        state = after(state, WAIT)
    assert TIME_UP in GAME.legal(state)


def test_a_round_without_claims_goes_by():
    state = after(table(TWO_GOALS), WAIT, WAIT, TIME_UP)
    assert (state.round, state.scores, state.news) == (2, (0, 0), "round 1: nobody claimed")


def test_missions_come_out_of_the_bag_once_before_any_comes_again():
    state = table(draw(random_position(1)), rounds=18, players=1)
    missions = []
    while GAME.outcome(state) is None:
        missions.append(state.level.mission)
        state = after(state, WAIT, TIME_UP)
    assert len(missions) == 18
    assert len(set(missions[1:])) == 17, "the first is the level's own"


def test_a_mission_that_is_done_already_is_not_drawn():
    state = table(ONLY_RED_IS_AWAY, players=1)
    assert state.level.mission.robot == 0
    # Red moves to its goal; then all three robots stand on their goals and nothing is left to do.
    over = after(state, CLAIM + 3, WAIT, TIME_UP, "Rv R> R^")
    assert GAME.outcome(over) == Outcome("match over", (1.0,), winner=0)
    assert over.news.endswith("no mission is left")


def test_must_ricochet_holds_in_rounds():
    board = "+---+---+\n|R    rc|\n+---+---+\n"
    state = after(table(board, players=1, must_ricochet=True), CLAIM + 1, WAIT, TIME_UP, "R>")
    assert state.scores == (0,)


def test_the_winner_has_the_most_points():
    state = after(table(TWO_GOALS, rounds=1), CLAIM + 3, WAIT, WAIT, TIME_UP, "Rv R> R^")
    assert GAME.outcome(state) == Outcome("match over", (1.0, 0.0), winner=0)


def test_the_sentence_tells_who_claims_and_who_shows():
    claimed = after(table(), CLAIM + 3)
    assert frame(claimed).text == (
        "Round 1: bring the red robot to row 1, column 2. The hourglass runs; the lowest claim is 3, by player 1. "
        "Score: 0, 0."
    )
    showing = after(claimed, WAIT, WAIT, TIME_UP, "Rv")
    assert "Player 1 shows a solution in 3; 1 move made." in frame(showing).text
    assert frame(showing).status["moves"] == "1 of 3"
    assert frame(showing).entities[0].row == 2


def test_events_tell_claims_moves_and_points():
    before = after(table(TWO_GOALS), CLAIM + 3, WAIT, WAIT, TIME_UP, "Rv R>")
    (up,) = parse_moves("R^")
    kinds = [event.kind for event in GAME.events(before, up, GAME.step(before, up))]
    assert kinds == ["moved", "arrived", "scored", "round over"]
    assert [event.kind for event in GAME.events(table(), CLAIM + 3, after(table(), CLAIM + 3))] == ["claim 3"]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_agents_play_a_whole_match_that_can_be_replayed(players):
    room = catalog.ready_room("ricochet-rounds")
    level = NamedLevel("drawn", draw(random_position(5)))
    options = {"players": players, "rounds": 4}
    specs = [AgentSpec(name) for name in ("dfs", "bfs", "astar", "dfs")][:players]
    result = play(episode(room, level, specs, 3, options, Budget(nodes=2000)))
    assert result.trace.outcome.reason == "match over", result.figures
    assert sum(result.trace.outcome.scores) >= 1
    assert verify(result.trace, room.rules.game(), catalog.options(room, options)) == len(result.trace.actions)


def test_the_better_search_wins_the_match():
    room = catalog.ready_room("ricochet-rounds")
    level = NamedLevel("drawn", draw(random_position(5)))
    specs = [AgentSpec("dfs"), AgentSpec("astar")]
    result = play(episode(room, level, specs, 3, {"rounds": 6}, Budget(nodes=2000)))
    assert result.trace.outcome.winner == 1


def test_a_bogus_claim_does_not_silence_the_bidders():
    state = after(table(rounds=1), CLAIM + 1)
    bidder = catalog.room("ricochet-rounds").players.agents()["astar"].make()
    while GAME.outcome(state) is None:
        if GAME.seat(state) == 1:
            state = GAME.step(state, bidder.decide(GAME.observe(state, 1), Budget(nodes=10_000)).action)
        else:
            state = GAME.step(state, WAIT if state.showing is None else parse_moves("Rv")[0])
    assert state.scores == (0, 1), "the claim of one move fails, and the reserve of three is shown"


def test_a_bidder_claims_its_plan_once():
    bidder = catalog.room("ricochet-rounds").players.agents()["astar"].make()
    state = table()
    answers = []
    while state.showing is None:
        answers.append(bidder.decide(GAME.observe(state, 0), Budget(nodes=10_000)).action)
        state = GAME.step(state, answers[-1])
        if state.showing is None:
            state = GAME.step(state, WAIT)
    assert answers == [CLAIM + 3, WAIT, TIME_UP]


def test_a_player_cannot_tell_the_missions_to_come():
    one, other = (GAME.observe(table(TWO_GOALS, seed=seed), 0) for seed in (1, 2))
    assert one == other
    assert table(TWO_GOALS, seed=1) != table(TWO_GOALS, seed=2)


def test_a_screen_is_told_how_to_claim_and_how_the_claims_stand():
    start = table(players=2, think_seconds=30, hourglass_seconds=45)
    bidding = frame(start).bidding
    assert f"{bidding.call} 5" == GAME.label(CLAIM + 5)
    assert (bidding.wait, bidding.end) == (GAME.label(WAIT), GAME.label(TIME_UP))
    assert (bidding.seconds, bidding.standing, bidding.words) == (30, False, ("score 0 : 0",))
    later = frame(after(start, CLAIM + 5)).bidding
    assert (later.seconds, later.standing) == (45, True)
    assert later.words == ("score 0 : 0", "claimed: player 1: 5")
    assert later.phase != bidding.phase
    assert frame(after(start, CLAIM + 3, WAIT, WAIT, TIME_UP)).bidding is None, "a solution is being shown"
