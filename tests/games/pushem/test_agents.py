"""The players of Push'em All."""

from __future__ import annotations

import time

import pytest

from gridsage.core.game import Agent, Budget, Decision
from gridsage.games.pushem.agents import AGENTS
from gridsage.games.pushem.agents.baseline import AGGRESSIVE, DEFENSIVE, Score
from gridsage.games.pushem.agents.engine import VERSIONS, Engine
from gridsage.games.pushem.agents.turns import actions_of, ways_to_finish, written_actions
from gridsage.games.pushem.level import CARD_NAMES, Options, parse
from gridsage.games.pushem.rules import GAME, turn_text
from gridsage.games.pushem.state import CHOOSE_STEP, State, bits

START = """
........
........
..oxox..
..xoxo..
..oxox..
..xoxo..
........
........
"""
EMPTY = "........\n"
PAWNS_ONLY = {"rings": [[90, 100, 110, 120]] * 8, "cards": dict.fromkeys(CARD_NAMES, [50] * 4), "tempo": [0] * 8}


def position(text: str, **options: object) -> State:
    return GAME.start(parse(text), Options(**options), 1)  # type: ignore[arg-type]


def whole_turn(agent: Agent, state: State, budget: Budget) -> tuple[str, list[Decision]]:
    """The turn an agent plays, written, and its decisions."""
    decisions: list[Decision] = []
    while not decisions or state.choosing != CHOOSE_STEP:
        decisions.append(agent.decide(state, budget))
        state = GAME.step(state, decisions[-1].action)
    return turn_text(decision.action for decision in decisions), decisions


THINKERS = ["defensive", "aggressive", "master"]


@pytest.mark.parametrize("name", [*THINKERS, "mcts"])
def test_a_win_in_one_turn_is_taken(name: str) -> None:
    state = position(f"{EMPTY * 3}......xo\n..x.....\n{EMPTY * 3}", cards=0)
    turn, _ = whole_turn(AGENTS[name].make(), state, Budget(nodes=2_000))
    assert turn == "R"


@pytest.mark.parametrize("name", THINKERS)
def test_a_card_that_wins_is_played(name: str) -> None:
    state = position(f"{EMPTY * 2}.o..o..o\n{EMPTY}...x....\n{EMPTY * 3}", deal="bomb")
    turn, _ = whole_turn(AGENTS[name].make(), state, Budget(nodes=5_000))
    assert turn.endswith("+bomb@6")


@pytest.mark.parametrize("name", THINKERS)
def test_nobody_steps_off_the_board_for_nothing(name: str) -> None:
    state = position(f"{EMPTY * 3}x.......\nx.....o.\n{EMPTY * 3}", cards=0)
    turn, _ = whole_turn(AGENTS[name].make(), state, Budget(nodes=2_000))
    assert turn != "L"


def test_the_report_explains_itself_as_a_configuration() -> None:
    state = position(f"{EMPTY * 2}.o..o..o\n{EMPTY}...x....\n{EMPTY * 3}", deal="bomb")
    _, decisions = whole_turn(AGENTS["aggressive"].make(), state, Budget())
    thoughts = decisions[0].thoughts
    assert thoughts is not None
    assert thoughts.text == "card bomb, selection 6, direction U, direction2 none, score 107"
    assert thoughts.figures == {"score": 107.0}
    assert thoughts.nodes == 5 * (4 + 23), "four steps, 23 bombs, each with four replies"


def test_behaviours_differ_in_what_they_like() -> None:
    bold = Score(own_left=5, own_eliminated=3, enemy_left=6, enemy_eliminated=2)
    careful = Score(own_left=8, own_eliminated=0, enemy_left=8, enemy_eliminated=0)
    assert AGGRESSIVE.heuristic([bold]) > AGGRESSIVE.heuristic([careful])
    assert DEFENSIVE.heuristic([careful]) > DEFENSIVE.heuristic([bold])
    assert AGGRESSIVE.heuristic([bold, careful]) == AGGRESSIVE.heuristic([careful]), "the worst reply counts"


def test_the_report_looks_at_every_configuration_and_all_replies() -> None:
    state = position(START, deal="swap+abysses+bomb")
    _, decisions = whole_turn(AGENTS["defensive"].make(), state, Budget())
    assert decisions[0].thoughts is not None
    assert decisions[0].thoughts.nodes == 5 * 488


@pytest.mark.parametrize("deal", ["replay+bomb+swap", "sleep+reverse+freeze", "jump+abysses+propaganda"])
def test_equal_nodes_give_equal_searches(deal: str) -> None:
    found = [Engine().think(position(START, deal=deal), nodes=20_000) for _ in range(2)]
    assert found[0] == found[1]
    assert 20_000 <= found[0].nodes < 22_000


@pytest.mark.parametrize(
    ("deal", "depth", "first", "nodes"),
    [
        ("sleep", 8, 8179, 2610),
        ("replay+bomb", 5, 8428, 2813),
        ("swap+abysses+bomb", 3, 4741, 3302),
        ("freeze+reverse", 5, 5330, 1697),
    ],
)
def test_the_number_of_positions_to_a_depth_does_not_change(deal: str, depth: int, first: int, nodes: int) -> None:
    found = [Engine(PAWNS_ONLY, version=version).think(position(START, deal=deal), depth=depth) for version in VERSIONS]
    assert [one.depth for one in found] == [depth, depth]
    assert [one.nodes for one in found] == [first, nodes]


def test_the_search_tells_a_win_and_its_length() -> None:
    state = position(f"{EMPTY * 3}......xo\n{EMPTY * 4}", cards=0)
    _, decisions = whole_turn(AGENTS["master"].make(), state, Budget(nodes=5_000))
    thoughts = decisions[0].thoughts
    assert thoughts is not None
    assert thoughts.text == "R: wins in 1 turn, 1 turn deep, 6 positions"
    assert thoughts.line == ("R",)


def test_the_master_without_cards_agrees_with_plain_minimax() -> None:
    state = position(f"ply: 66\n{EMPTY * 2}..xo....\n...x.o..\n..o.x...\n{EMPTY * 3}", cards=0)
    for depth in (1, 2, 3, 4):
        for version in VERSIONS:
            exact = {"reduce_plain": 0} | ({"margin": 30_000} if version == "v2" else {})
            found = Engine(PAWNS_ONLY, exact, version).think(state, depth=depth)
            assert found.score == minimax(state, depth, 0)


def minimax(state: State, depth: int, height: int) -> int:
    """The slow truth: what the pawns are worth, or the turns to the end."""
    if (outcome := GAME.outcome(state)) is not None:
        return round((30_000 - height) * (2 * outcome.scores[state.turn] - 1))
    if depth == 0:
        ahead = worth(state.first) - worth(state.second)
        return ahead if state.turn == 0 else -ahead
    return max(-minimax(GAME.step(state, direction), depth - 1, height + 1) for direction in range(4))


def worth(pawns: int) -> int:
    """Pawns by their distance from the border, as PAWNS_ONLY counts them."""
    places = [divmod(cell, 8) for cell in bits(pawns)]
    return sum(90 + 10 * min(row, col, 7 - row, 7 - col) for row, col in places)


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_can_finish_a_turn_that_somebody_else_began(name: str) -> None:
    state = position(START, deal="swap+bomb")
    for action in (1, 6 + 8):  # R, swap
        state = GAME.step(state, action)
        turn = state.turn
        following, agent = state, AGENTS[name].make()
        while following.turn == turn:
            following = GAME.step(following, agent.decide(following, Budget(nodes=200)).action)
        assert following.choosing == CHOOSE_STEP


def test_a_plan_is_dropped_when_the_game_went_another_way() -> None:
    master = AGENTS["master"].make()
    state = position(START, deal="bomb")
    master.decide(state, Budget(nodes=500))
    other = position(f"{EMPTY * 3}......xo\n..x.....\n{EMPTY * 3}", deal="bomb")
    assert whole_turn(master, other, Budget(nodes=500))[0].startswith("R")


def test_ways_to_finish_are_the_turns_themselves_at_the_start() -> None:
    state = position(START, deal="swap+abysses+bomb")
    assert len(list(ways_to_finish(state))) == 488


def test_compiled_turns_become_small_actions() -> None:
    state = position(START, deal="bomb")
    plain = 1 | 10 << 3
    assert written_actions(plain) == (1,)
    assert actions_of(plain, state) == (1, 5), "with a card in hand a plain step needs `end`"
    assert actions_of(plain, position(START, cards=0)) == (1,)


def test_seconds_are_for_the_whole_turn() -> None:
    state = position(START, deal="swap+abysses+bomb")
    began = time.perf_counter()
    _, decisions = whole_turn(AGENTS["master"].make(), state, Budget(seconds=0.1))
    spent = time.perf_counter() - began
    assert decisions[0].thoughts is not None
    assert decisions[0].thoughts.nodes > 0
    assert [decision.thoughts for decision in decisions[1:]] == [None] * (len(decisions) - 1), "it thinks once a turn"
    assert spent < 2, "far above 0.1 s, for loaded machines; a search without a clock would not end at all"


def test_the_first_master_can_still_be_asked() -> None:
    state = position(START, deal="bomb+swap")
    texts = [AGENTS["master"].make(search=version).decide(state, Budget(nodes=20_000)) for version in VERSIONS]
    depths = [one.thoughts.figures["depth"] for one in texts if one.thoughts is not None]
    assert depths[0] < depths[1], "at equal nodes the new search looks deeper"


@pytest.mark.parametrize("text", ["depth=0", "depth=61"])
def test_a_depth_that_cannot_be_searched_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not between 1 and 60"):
        AGENTS["master"].make(depth=int(text.partition("=")[2]))
