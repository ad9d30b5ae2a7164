import pytest

from gridsage.pictures import sprites
from gridsage.pictures.sprites import Glyph, Layer, layers_of


def ids(name: str, moving: bool = True, game: str = "") -> list[str]:
    return [layer.sprite for layer in layers_of(name, moving, game)]


@pytest.mark.parametrize(
    ("name", "moving", "game", "found"),
    [
        ("boulder", True, "", ["stone"]),
        ("boulder", False, "", ["space", "stone"]),
        ("floor", False, "loderunner", ["brick"]),
        ("floor", False, "ricochet", ["floor"]),
        ("exit", True, "delirium", ["space", "closed-exit"]),
        ("second-frozen", True, "", ["pawn-2", "ice"]),
        ("first", True, "", ["pawn-1"]),
        ("monster_purple", True, "", ["monster-purple"]),
        ("purple", True, "", ["monster-purple"]),
        ("exit locked", True, "", ["closed-exit"]),
        ("dead miner", True, "", ["dead"]),
        ("old ladder", True, "", ["ladder"]),
        ("closing_hole", False, "", ["closing-hole"]),
        ("closing-hole-3", False, "", ["hole"]),
        ("target:red:circle", False, "", ["goal-circle-wanted"]),
        ("goal", False, "", ["goal-star"]),
        ("old floor", False, "", ["floor"]),
        ("robot-pink", True, "", []),
        ("nothing of the kind", True, "", []),
    ],
)
def test_names_are_read_by_their_words(name: str, moving: bool, game: str, found: list[str]) -> None:
    assert ids(name, moving, game) == found


def test_one_of_a_kind_has_its_own_colours_letters_and_numbers() -> None:
    assert layers_of("robot-black", True, "")[0].bound["rim"] == "@blackRim"
    assert layers_of("goal-green-star", False, "")[0].bound["sign"] == "G"
    assert layers_of("goal-vortex", False, "")[0].bound["sign"] == ""
    assert layers_of("sturdy-8", False, "") == (Layer("sturdy", {"n": "8"}),)
    assert layers_of("hole_0", False, "") == (Layer("hole", {"n": ""}),)


def test_a_glyph_has_a_character_a_colour_and_a_style() -> None:
    known = sprites.data().ansi
    assert sprites.glyph("text:@:bold red") == Glyph("@", known["red"], bold=True)
    assert sprites.glyph("text::: reverse") == Glyph(":", known["white"], reverse=True)
    assert sprites.glyph("text:x:#12ab34") == Glyph("x", "#12ab34")
    assert sprites.glyph('text:x:"><script>') == Glyph("x", known["white"])
    assert sprites.glyph("no glyph") == Glyph("?", known["white"])
