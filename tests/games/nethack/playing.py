"""Small levels, and the survivor playing on them."""

from __future__ import annotations

from gridsage.core.game import Briefing, Budget
from gridsage.games.nethack import state as st
from gridsage.games.nethack.agents.hero import Item
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.agents.survivor import Survivor

ROOM_WITH = """
MAZE:"room",' '
GEOMETRY:center,center
MAP
-----------
|.........|
|.........|
|.........|
-----------
ENDMAP
REGION:(1,1,9,3),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
"""
CORRIDOR_WITH = """
MAZE:"corridor",' '
GEOMETRY:center,center
MAP
-----------
|.........|
-----------
ENDMAP
REGION:(1,1,9,1),lit,"ordinary"
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(9,1),down
"""

SHOP = """
MAZE:"shop",' '
GEOMETRY:center,center
MAP
-------     --------
|.....|     |......|
|.....+#####+......|
|.....|     |......|
-------     --------
ENDMAP
REGION:(1,1,5,3),lit,"ordinary"
REGION:(13,1,18,3),lit,"shop"
DOOR:closed,(6,2)
DOOR:closed,(12,2)
BRANCH:(1,1,1,1),(0,0,0,0)
STAIR:(3,3),down
"""


def played(start, des: str, keys: int, agent: str = "survivor", **options):
    """The states and the bot after `keys` keys on a level."""
    options = {"pet": False, "spawn_monsters": False, **options}
    game, state = start(des, **options)
    bot = Survivor(agent)
    bot.begin(Briefing(0, 1, ("survivor",), 7))
    states = [state]
    while len(states) < keys and game.outcome(state) is None:
        state = game.step(state, bot.decide(state, Budget()).action)
        states.append(state)
    return states, bot


def said(states) -> str:
    return "\n".join(message for state in states for message in state.messages)


def carried(letter: str, kind: int, name: str) -> Item:
    """Return a thing in the pack under this letter."""
    return Item(letter, kind, knowledge().by_name[name], name, 1, 0, False, "")


def with_stats(bot, **given: int) -> None:
    """Let the bot believe these numbers of its status lines."""
    values = list(bot.world.stats)
    for name, value in given.items():
        values[getattr(st, name)] = value
    bot.world.stats = tuple(values)
