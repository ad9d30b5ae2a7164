"""What travels between processes and threads is a value: nobody who holds it can change it for the others."""

from __future__ import annotations

import ast
import dataclasses
import importlib
from pathlib import Path

import msgspec
import pytest

import gridsage
from gridsage.core.frame import Entity, Question
from gridsage.core.game import Bid, Place
from gridsage.core.guide import Card, Guide, Lesson, Rule
from gridsage.core.sheet import Tile

PACKAGE = Path(gridsage.__file__).parent
# Accounts that grow while somebody counts, and one that is used up where it is made.
GROWING = {"_VersionOnly", "_Answer", "Merged", "Findings", "Description"}
AREAS = ("core", "arena", "store")


def modules() -> list[str]:
    rules = [path for name in ("rules", "state") for path in PACKAGE.glob(f"games/**/{name}.py")]
    paths = [path for area in AREAS for path in (PACKAGE / area).rglob("*.py")]
    named = [path for path in [*paths, *rules] if "ray" not in path.parts]  # an extra
    return sorted(".".join(("gridsage", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in named)


def declared(path: Path) -> list[str]:
    return [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("module", modules())
def test_values_cannot_be_changed(module):
    found = importlib.import_module(module.removesuffix(".__init__"))
    for name in declared(Path(str(found.__file__))):
        kind = getattr(found, name)
        if name in GROWING:
            continue
        if issubclass(kind, msgspec.Struct):
            assert kind.__struct_config__.frozen, f"{module}.{name}"
        elif dataclasses.is_dataclass(kind):
            assert kind.__dataclass_params__.frozen, f"{module}.{name}"


@pytest.mark.parametrize("kind", [Lesson, Rule, Card, Guide])
def test_a_misspelt_key_of_a_guide_is_found_out(kind):
    with pytest.raises(msgspec.ValidationError, match="unknown field `tilte`"):
        msgspec.convert({"tilte": "First steps"}, kind)


def test_what_the_page_and_traces_hold_in_great_numbers_is_written_without_names():
    """Kept traces have these forms: another one could not read them."""
    assert msgspec.json.encode(Place("Dlvl 2", "seen", True)) == b'["Dlvl 2","seen",true]'
    assert msgspec.json.encode(Bid("Fight", 3)).startswith(b'["Fight",3')
    assert msgspec.json.encode(Entity("r", "robot", 1, 2)).startswith(b'["r","robot",1,2')
    assert msgspec.json.encode(Question("key", "Really?")).startswith(b'["key","Really?"')


def test_a_tile_is_plain_unless_a_room_says_otherwise():
    tile = Tile(".", "floor", "floor")
    assert (tile.group, tile.alone, tile.needed, tile.stands, tile.also) == ("", False, False, False, "")
