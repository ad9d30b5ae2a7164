"""The bench that compares what fights were expected to cost with what they cost."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench.nethack_fights import Fight, Observed, summary
from playing import ROOM_WITH

from gridsage.core.game import Briefing, Budget


def test_a_fight_is_noted_from_its_first_blow_until_nobody_is_left(start):
    level = ROOM_WITH + "MONSTER:('d',\"jackal\"),(4,1),hostile\nMONSTER:('d',\"jackal\"),(5,1),hostile\n"
    game, state = start(level, pet=False, spawn_monsters=False, character="val-hum-neu-fem")
    bot = Observed()
    bot.begin(Briefing(0, 1, ("survivor",), 7))
    for _ in range(60):
        state = game.step(state, bot.decide(state, Budget()).action)
    assert [(set(fight.kinds), fight.end) for fight in bot.fights] == [({"jackal"}, "quiet")]
    fight = bot.fights[0]
    assert fight.most == 2 and 0 < fight.expected < fight.hp and 0 < fight.chance < 0.5
    bot.finish("killed")
    assert len(bot.fights) == 1  # none was going on


def test_the_tables_count_fights_by_what_was_expected(tmp_path):
    calm = Fight(1, 1, 1, 20, 6, ["newt"], 1.0, 0.01, lost=2)
    lost = Fight(9, 4, 8, 40, 3, ["soldier ant"] * 5, 36.0, 0.4, lost=40, nearly_dead=True, end="killed")
    game = {"seed": 1, "role": "val", "score": 9, "turns": 20, "fights": [asdict(calm), asdict(lost)]}
    path = tmp_path / "fights.jsonl"
    path.write_text(json.dumps(game) + "\n")
    rows = [line.split() for line in summary(path).splitlines()]
    assert rows[0] == ["2", "fights", "of", "1", "games"]
    assert ["under", "10%", "1", "1.0", "2.0", "1.0%", "0.0%", "0.0%"] in rows
    assert ["from", "80%", "1", "36.0", "40.0", "40.0%", "100.0%", "100.0%"] in rows
    assert ["4", "or", "more", "1", "36.0", "40.0", "40.0%", "100.0%", "100.0%"] in rows
