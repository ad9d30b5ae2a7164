"""What a person sees of the mine."""

from __future__ import annotations

from gridsage.games import catalog
from gridsage.games.delirium.level import parse
from gridsage.games.delirium.level.cells import Options
from gridsage.games.delirium.rules import RIGHT, STAY, Delirium
from gridsage.games.delirium.tally import DeliriumTally

TEXT = "diamonds: 1\n########\n#@d.obX#\n########\n"


def started(text: str = TEXT, **options):
    return Delirium().start(parse(text), Options(**options), 1)


def test_a_frame_names_sprites_and_keeps_ids():
    frame = catalog.room("delirium").view.frame(started())
    assert frame.cells[8:16] == ("wall", "void", "diamond", "clay", "stone", "void", "exit", "wall")
    assert [(entity.id, entity.sprite, entity.col) for entity in frame.entities] == [
        ("monster0", "blue", 5),
        ("miner", "miner", 1),
    ]
    assert frame.status["diamonds"] == "0/1" and "closed" in frame.text


def test_the_exit_is_drawn_open_once_enough_is_collected():
    state = Delirium().step(started(), RIGHT)
    frame = catalog.room("delirium").view.frame(state)
    assert "open_exit" in frame.cells and "open" in frame.text


def test_cells_out_of_view_are_dark():
    frame = catalog.room("delirium").view.frame(started(view_rows=1, view_cols=1))
    assert frame.cells[13] == "dark" and [entity.id for entity in frame.entities] == ["miner"]


def test_a_dead_miner_is_drawn_dead_and_the_cause_is_told():
    game = Delirium()
    state = game.step(started("####\n#r@#\n####\n"), STAY)
    frame = catalog.room("delirium").view.frame(state)
    assert frame.entities[-1].sprite == "dead" and frame.status["end"] == "caught by a red monster"


def test_the_statistics_tell_diamonds_pushes_and_the_cause_of_death():
    game, tally = Delirium(), DeliriumTally()
    state = started("#######\n#@d o #\n####r##\n#######\n")
    for action in (RIGHT, RIGHT, RIGHT):
        following = game.step(state, action)
        tally.add(state, action, following)
        state = following
        if game.outcome(state) is not None:
            break
    figures = tally.figures()
    assert (figures["diamonds"], figures["pushes"], figures["ticks"]) == (1, 1, 3)
    assert figures["death"] == "red monster"


def test_every_key_leads_to_an_action():
    room = catalog.room("delirium")
    labels = {room.rules.game().label(action) for action in range(10)}
    assert set(room.view.keys.values()) == labels


def test_the_miner_is_not_shown_what_falls_nor_where_monsters_look():
    game, view = Delirium(), catalog.room("delirium").view
    state = game.step(started("#######\n#o   r#\n#     #\n#  @ X#\n#######\n"), STAY)
    told = view.frame(state)
    seen = view.seen_frame(game.observe(state, 0))
    assert "falling_stone" in told.cells
    assert "falling_stone" not in seen.cells and seen.cells.count("stone") == 1
    monster = next(entity for entity in seen.entities if entity.sprite == "red")
    assert (monster.drow, monster.dcol) == (0, 0)
    assert (monster.row, monster.col) == next((e.row, e.col) for e in told.entities if e.sprite == "red")
    assert seen.text == told.text


def test_what_the_miner_cannot_see_is_dark_to_him_too():
    game, view = Delirium(), catalog.room("delirium").view
    state = started("#########\n#@     X#\n#########\n", view_rows=1, view_cols=1)
    seen = view.seen_frame(game.observe(state, 0))
    assert [seen.cells[9 + col] for col in (1, 2, 3, 7)] == ["void", "void", "dark", "dark"]
    assert seen.status["view"] == "3x3"
