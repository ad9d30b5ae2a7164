"""What the bot tells of itself while it plays: who bids, what it remembers, and how it takes a game over."""

from __future__ import annotations

from gridsage.core.game import Budget
from gridsage.games.nethack import ROOM
from gridsage.games.nethack.agents import explorer
from gridsage.games.nethack.agents.mind import COVERED, DOOR, EDGE, KINDS, SEEN, SHUT, TRODDEN
from gridsage.games.nethack.keys import LABELS


def count(memory, *kinds):
    return sum(memory.cells.count(kind) for kind in kinds)


def play(game, state, bot, keys):
    """The decisions of `bot` over some keys, and the state after them."""
    told = []
    for _ in range(keys):
        told.append(bot.decide(state, Budget()))
        state = game.step(state, told[-1].action)
    return told, state


def test_one_need_acts_those_above_it_are_silent_and_those_below_not_asked(start):
    game, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    told, _ = play(game, state, explorer(), 1)
    states = [bid.state for bid in told[0].thoughts.bids]
    acting = states.index("acts")
    bid = told[0].thoughts.bids[acting]
    assert (bid.name, bid.priority) == ("explore", 60) and bid.words.startswith("see what is beyond row ")
    assert set(states[:acting]) == {"silent"} and set(states[acting + 1 :]) == {"unasked"}
    priorities = [bid.priority for bid in told[0].thoughts.bids]
    assert priorities == sorted(priorities, reverse=True)


def test_the_memory_grows_with_what_is_seen_and_walked(start):
    game, state = start(ROOM.levels.text("01_door"), pet=False, spawn_monsters=False)
    bot = explorer()
    told, state = play(game, state, bot, 1)
    first = told[0].memory()
    assert (first.rows, first.cols, len(first.cells), first.kinds) == (21, 79, 21 * 79, KINDS)
    assert count(first, EDGE) >= 1
    told, state = play(game, state, bot, 10)
    later = told[-1].memory()
    ground = (SEEN, TRODDEN, EDGE, DOOR, SHUT, COVERED)
    assert count(later, *ground) > count(first, *ground) and count(later, TRODDEN) > count(first, TRODDEN)
    assert [(place.name, place.here) for place in later.places] == [("Dungeons of Doom 1", True)]
    told, state = play(game, state, bot, 40)
    above, here = told[-1].memory().places
    assert (here.name, here.here, above.here) == ("Dungeons of Doom 2", True, False)
    assert "stairs" in above.words and "down at row" in above.words


def test_looking_at_the_memory_changes_no_decision(start):
    games = []
    for look in (False, True):
        game, state = start(seed=5)
        bot, actions = explorer(), []
        for _ in range(150):
            decision = bot.decide(state, Budget())
            if look and decision.memory is not None:
                decision.memory()
            actions.append(decision.action)
            state = game.step(state, decision.action)
        games.append(actions)
    assert games[0] == games[1]


def test_the_bot_goes_on_after_a_person_has_played(start):
    game, state = start(seed=5)
    bot = explorer()
    _, state = play(game, state, bot, 40)
    for key in "20s":
        state = game.step(state, ord(key))
    state = game.step(state, ord("d"))  # given back in the middle of a question
    turn = state.stats[20]
    told, state = play(game, state, bot, 40)
    assert told[0].thoughts.bids[0].name == "answer" and LABELS[told[0].action] == "escape"
    assert state.stats[20] > turn + 10


def test_a_fresh_bot_begins_from_what_it_sees(start):
    game, state = start(seed=5)
    _, state = play(game, state, explorer(), 60)
    told, after = play(game, state, explorer(), 30)
    assert count(told[0].memory(), SEEN, EDGE) > 0
    assert after.stats[20] > state.stats[20]
