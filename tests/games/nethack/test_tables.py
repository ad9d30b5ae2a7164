"""The tables read from the library, against nle's own and against the game's rules known by heart."""

from __future__ import annotations

import json
import subprocess
import sys

from gridsage.games.nethack import kernels as kn
from gridsage.games.nethack.agents.knowledge import knowledge
from gridsage.games.nethack.session.referee import DIGGERS

PROGRAM = """
import json
from nle import nethack as n
names = ("mname", "mlevel", "mmove", "ac", "cnutrit", "cwt", "difficulty", "mflags1", "mflags2", "mflags3")
print(json.dumps([[getattr(n.permonst(at), name) for name in names] for at in range(n.NUMMONS)]))
print(json.dumps([[n.objclass(at).oc_weight, n.objclass(at).oc_cost, n.objclass(at).oc_prob,
                   n.objdescr.from_idx(at).oc_name] for at in range(n.NUM_OBJECTS)]))
"""


def test_every_monster_and_object_is_the_one_that_nle_tells():
    """Asked of nle in a process of its own: this one shall never load it."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, check=True)
    monsters, objects = (json.loads(line) for line in done.stdout.splitlines())
    lore = knowledge()
    assert monsters == [
        [row.name, row.level, row.speed, row.ac, row.nutrition, row.weight, row.difficulty, row.flags1, row.flags2,
         row.flags3]
        for row in (kind.row for kind in lore.kinds)
    ]  # fmt: skip
    assert objects == [[row.weight, row.cost, row.probability, row.name or None] for row in lore.objects]


def test_attacks_and_damage_which_nle_lacks_are_those_of_the_rules():
    lore = knowledge()
    soldier_ant = lore.kinds[lore.kind_of_name["soldier ant"]]
    assert [(dice, sides) for _, _, dice, sides in soldier_ant.row.attacks] == [(2, 4), (3, 4)]
    long_sword = lore.objects[lore.by_name["long sword"]]
    assert (long_sword.small, long_sword.large, long_sword.two_handed) == (8, 12, False)
    assert lore.objects[lore.by_name["dwarvish iron helm"]].first == 2
    assert lore.objects[lore.by_name["two-handed sword"]].two_handed


def test_what_must_not_be_eaten_is_no_food():
    lore = knowledge()
    edible = {kind.name for kind in lore.kinds if kind.edible}
    assert {"jackal", "gnome", "newt", "rothe", "lichen", "giant ant"} <= edible
    assert not edible & {"cockatrice", "kobold", "green slime", "bat", "kobold zombie", "little dog", "werejackal"}


def test_who_respects_the_word_and_who_follows_over_stairs():
    lore = knowledge()
    of = {kind.name: kind for kind in lore.kinds}
    assert of["giant ant"].respects and not of["minotaur"].respects and not of["shopkeeper"].respects
    assert not of["elf"].respects  # elves are @
    assert of["kobold zombie"].follows and not of["giant ant"].follows


def test_glyphs_of_the_referee_are_the_tools_that_dig():
    lore = knowledge()
    assert tuple(kn.THING + lore.by_name[name] for name in ("pick-axe", "dwarvish mattock")) == DIGGERS
