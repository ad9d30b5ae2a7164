from __future__ import annotations

import random

import pytest

from gridsage.core.errors import OptionError
from gridsage.core.game import Budget
from gridsage.core.trace import AgentSpec
from gridsage.games import catalog
from gridsage.games.loderunner.agents import ENTRIES
from gridsage.games.loderunner.agents.baseline import Baseline
from gridsage.games.loderunner.agents.distances import guide
from gridsage.games.loderunner.agents.master import Master
from gridsage.games.loderunner.level import Options, parse
from gridsage.games.loderunner.rules import LodeRunner
from gridsage.games.loderunner.state import LABELS, REASONS

GAME = LodeRunner()
NODES = Budget(nodes=6000)


def played(text: str, agent, budget: Budget = NODES, seed: int = 1, most: int = 400):
    state = GAME.start(parse(text), Options(), seed)
    actions = []
    while state.status == 0 and len(actions) < most:
        actions.append(agent.decide(GAME.observe(state, 0), budget).action)
        state = GAME.step(state, actions[-1])
    return REASONS[state.status], [LABELS[action] for action in actions]


CORRIDOR = """
WWWWWWWWWWWWWWWWWWWW
WR....B..E..B.....XW
WFFFFFFFFFFFFFFFFFFW
WFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWW
"""

CELLAR = """
WWWWWWWWWWWW
WX.........W
WL...R.....W
WLFFFFFFFFFW
WL.........W
WL....B..E.W
WLFFFFFFFFFW
WL.........W
WL.......B.W
WFFFFFFFFFFW
WWWWWWWWWWWW
"""

BETWEEN_TWO = """
WWWWWWWWWWWWWWWWWWWW
W.................XW
W.E.....R.....E...LW
WFFFFFFFFFFFFFFFFFLW
W.................LW
W........B........LW
WFFFFFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWWWWWW
"""


@pytest.mark.parametrize("text", [CORRIDOR, CELLAR, BETWEEN_TWO], ids=["traps", "passes", "flees"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_master_digs_to_trap_to_pass_and_to_flee(text, seed):
    end, actions = played(text, Master(), seed=seed)
    assert end == "won"
    assert any(action.startswith("bomb") for action in actions)


def test_the_master_takes_the_shortest_order_of_bonuses():
    text = "WWWWWWWWWWWWW\nWB..R.B.X.B.W\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\n"
    end, actions = played(text, Master())
    assert (end, len(actions)) == ("won", 3 + 9 + 2)


def test_a_plan_that_holds_is_followed_at_once():
    agent = Master()
    state = GAME.start(
        parse(LEDGES.replace("W.BL", "WRBL").replace("L..W\nWFFFFFFFFFFFFFF", "L.EW\nWFFFFFFFFFFFFFF")), Options(), 1
    )
    first = agent.decide(GAME.observe(state, 0), NODES)
    assert first.thoughts is not None and first.thoughts.nodes > 0
    assert first.thoughts.text.startswith("a sure win in ")
    state = GAME.step(state, first.action)
    second = agent.decide(GAME.observe(state, 0), NODES)
    assert second.thoughts is not None and second.thoughts.nodes == 0


LEDGES = """
WWWWWWWWWWWWWWWW
W.........B...XW
WLFFLFFFFL....LW
WL..L....LCCC.LW
WL..L..B.L....LW
WFFLFFFFFF..FFFW
W..L....L...L..W
W.BL....L...L..W
WFFFFFFFFFFFFFFW
WWWWWWWWWWWWWWWW
"""


def dies_within(state, rounds: int) -> bool:
    """Whether no line of actions survives so many rounds."""
    layer = {state}
    for _ in range(rounds):
        layer = {GAME.step(one, action) for one in layer if one.status == 0 for action in GAME.legal(one)}
        if any(one.status == 1 for one in layer):
            return False
    return not any(one.status == 0 for one in layer)


@pytest.mark.parametrize("seed", range(8))
def test_the_master_does_not_step_where_it_is_lost(seed):
    """Crowded positions drawn by chance: whenever some action lives for five rounds, the chosen one does."""
    dice = random.Random(seed)
    letters = list(LEDGES.strip())
    free = [at for at in range(17, len(letters) - 34) if letters[at] == "." and letters[at + 17] in "FL"]
    runner, *enemies = dice.sample(free, 5)
    letters[runner] = "R"
    for at in enemies:
        letters[at] = "E"
    state = GAME.start(parse("".join(letters)), Options(), seed)
    agent = Master()
    for _ in range(4):
        after = {action: GAME.step(state, action) for action in GAME.legal(state)}
        doomed = {action for action, then in after.items() if dies_within(then, 4)}
        chosen = agent.decide(GAME.observe(state, 0), NODES).action
        assert chosen not in doomed or doomed == set(after)
        state = after[chosen]
        if state.status:
            break


def test_the_master_tells_its_path_digs_and_the_enemies_ways():
    state = GAME.start(parse(CORRIDOR), Options(), 1)
    thoughts = Master().decide(GAME.observe(state, 0), NODES).thoughts
    assert thoughts is not None
    assert thoughts.path[0] == state.seen.runner and len(thoughts.heat) == 100
    assert max(thoughts.heat) == thoughts.heat[state.seen.enemies[0].cell] == 255
    assert {"dig", "e0"} <= {text for _, text in thoughts.values}


def test_node_budgets_are_respected():
    state = GAME.start(parse(BETWEEN_TWO), Options(), 1)
    for nodes in (0, 1, 50, 500, 5000):
        thoughts = Master().decide(GAME.observe(state, 0), Budget(nodes=nodes)).thoughts
        assert thoughts is not None and thoughts.nodes <= nodes + 7 * 512


def test_whoever_gets_nowhere_for_long_respects_node_budgets_too():
    text = "WWWWWWWWWWWWW\nW...R......XW\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\nWB....E....WW\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\n"
    state = GAME.start(parse(text), Options(), 1)
    agent = Master()
    for _ in range(70):  # after 60 rounds without a bonus the prices change
        decision = agent.decide(GAME.observe(state, 0), NODES)
        assert decision.thoughts is not None and decision.thoughts.nodes <= 6000 + 7 * 512
        state = GAME.step(state, decision.action)
    assert state.status == 0


def test_walks_count_falls_digs_and_bonuses_taken_in_passing():
    level = parse("WWWWWWW\nWR....W\nWFFF..W\nWFF.B.W\nWFF...W\nWFFFFXW\nWWWWWWW\n")
    walk = guide(level, Options()).walk
    assert walk[0, level.runner] == 3  # the third step is the fall past the bonus
    dug = parse("WWWWW\nWR..W\nWFFFW\nW.B.W\nWFFXW\nWWWWW\n")
    assert guide(dug, Options()).walk[0, dug.runner] == 2  # a bomb and a drop


def test_more_bonuses_than_orders_can_be_counted_are_taken_too():
    row = "WR" + ".B" * 20 + ".XW"
    text = "\n".join(["W" * len(row), row, "W" + "F" * (len(row) - 2) + "W", "W" * len(row)]) + "\n"
    assert played(text, Master())[0] == "won"


def test_a_bonus_out_of_reach_does_not_keep_the_master_from_the_others():
    text = "WWWWWWWWWWWWW\nWB..R...B..XW\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\nWB.........WW\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\n"
    state = GAME.start(parse(text), Options(), 1)
    agent = Master()
    for _ in range(30):
        state = GAME.step(state, agent.decide(GAME.observe(state, 0), NODES).action)
    assert len(state.seen.bonuses) == 1


def test_the_report_reaches_bonuses_and_exit_alone():
    text = "WWWWWWWWWWWWW\nWB..R.B.X.B.W\nWFFFFFFFFFFFW\nWWWWWWWWWWWWW\n"
    assert played(text, Baseline())[0] == "won"


def test_the_report_bombs_an_enemy_two_cells_away():
    text = "WWWWWWWWWW\nWR.E....XW\nWFFFFFFFFW\nWFFFFFFFFW\nWWWWWWWWWW\n"
    state = GAME.start(parse(text), Options(), 1)
    assert LABELS[Baseline().decide(GAME.observe(state, 0), NODES).action] == "bomb-right"


def test_the_report_remembers_nothing():
    state = GAME.start(parse(CELLAR), Options(), 1)
    agent = Baseline()
    first = [agent.decide(GAME.observe(state, 0), NODES).action for _ in range(3)]
    assert len(set(first)) == 1


def test_the_report_falls_beside_an_enemy_unless_it_keeps_a_distance():
    text = "WWWWWWWWWW\nWR.......W\nWF.......W\nWF.......W\nWFB.E..LXW\nWFFFFFFFFW\nWWWWWWWWWW\n"
    state = GAME.start(parse(text), Options(), 1)
    state = GAME.step(state, LABELS.index("none"))  # the enemy cannot reach him there and stays
    assert LABELS[Baseline().decide(GAME.observe(state, 0), NODES).action] == "right"
    near = text.replace("B.E", "BE.")
    seen = GAME.observe(GAME.start(parse(near), Options(), 1), 0)
    assert LABELS[Baseline().decide(seen, NODES).action] == "right"
    assert LABELS[Baseline(keep_distance=True).decide(seen, NODES).action] == "none"


def test_breadth_first_goes_to_the_nearest_bonus_whatever_the_danger():
    text = "WWWWWWWWWWWWWWWW\nWEB...R.....B.XW\nWFFFFFFFFFFFFFFW\nWWWWWWWWWWWWWWWW\n"
    seen = GAME.observe(GAME.start(parse(text), Options(), 1), 0)
    assert LABELS[Baseline().decide(seen, NODES).action] == "right"
    assert LABELS[Baseline(search="breadth").decide(seen, NODES).action] == "left"


def test_the_cheap_estimate_looks_at_more_cells():
    rows = ("WB.........W", "WFFFFFFFFFLW", "WLR.......LW", "WLFFFFFFFFFW", "WL.......XLW", "WFFFFFFFFFFW")
    text = "\n".join(["W" * 12, *rows, "W" * 12]) + "\n"
    seen = GAME.observe(GAME.start(parse(text), Options(), 1), 0)
    steps, cheap = (Baseline(estimate=estimate).decide(seen, NODES) for estimate in ("steps", "manhattan"))
    assert steps.action == cheap.action
    assert steps.thoughts.nodes < cheap.thoughts.nodes


def test_danger_can_be_spread_over_the_enemies_next_cells():
    text = "WWWWWWWWWWWW\nWR.....E..XW\nWFFFFFFFFFFW\nWWWWWWWWWWWW\n"
    seen = GAME.observe(GAME.start(parse(text), Options(), 1), 0)
    sure, spread = (Baseline(chances=chances).decide(seen, NODES).thoughts.heat for chances in (False, True))
    enemy = seen.enemies[0].cell
    assert spread[enemy] < sure[enemy]
    assert spread[enemy - 1] > sure[enemy - 1]
    assert spread[enemy - 4] == sure[enemy - 4] == 0


def test_settings_are_read_and_bad_ones_refused():
    room = catalog.room("loderunner")
    assert catalog.agent(room, AgentSpec("report", {"guess": "true", "search": "breadth"})).name == "baseline"
    assert catalog.agent(room, AgentSpec("master", {"danger": "0"})).name == "master"
    for spec in (AgentSpec("master", {"danger": "-1"}), AgentSpec("master", {"depth": "3"})):
        with pytest.raises(OptionError):
            catalog.agent(room, spec)


def test_every_agent_has_a_summary():
    assert list(ENTRIES) == ["random", "baseline", "master"]
    assert all(entry.summary for entry in ENTRIES.values())
