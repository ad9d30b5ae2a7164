"""Numbers in sentences and tables: in full, and with the right form of their noun."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

import gridsage
from gridsage.arena.stats import Interval
from gridsage.cli import output
from gridsage.core.amounts import amount, counted
from gridsage.games import catalog
from gridsage.web import texts

SOURCE = Path(gridsage.__file__).parent


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_000_132.0, "1,000,132"),
        (1_000_133, "1,000,133"),
        (0, "0"),
        (-0.0, "0"),
        (-36, "-36"),
        (2 / 3, "0.6667"),
        (12.5, "12.5"),
        (1234.56, "1,235"),
        (1_234_567.8, "1,234,568"),
        (9.99996, "10"),
        (0.00001234, "0.00001234"),
        (-0.61, "-0.61"),
        (math.inf, "inf"),
    ],
)
def test_a_number_is_written_in_full_and_short_only_behind_the_point(value, text):
    assert amount(value) == text


@pytest.mark.parametrize(
    ("number", "words"),
    [(0, "0 games"), (1, "1 game"), (1.0, "1 game"), (0.5, "0.5 games"), (2000, "2,000 games")],
)
def test_a_noun_is_plural_unless_there_is_one(number, words):
    assert counted(number, "game") == words


def test_a_noun_may_have_a_plural_of_its_own():
    assert [counted(number, "enemy", "enemies") for number in (1, 2)] == ["1 enemy", "2 enemies"]


def test_different_scores_look_different_in_tables():
    assert output.interval(Interval(1_000_132, 0, 1_000_133)) == "1,000,132 [0; 1,000,133]"
    assert output.interval(Interval(0.95, 0.9123, 0.97)) == "0.95 [0.9123; 0.97]"


def test_no_sentence_is_made_of_a_number_and_a_plural_where_one_can_stand():
    """`{len(found)} games` would be `1 games`: core.amounts.counted knows better."""
    nouns = "seats|rounds|ticks|steps|games|cells|moves|seconds|robots|guards|enemies|bonuses|rows|columns"
    loose = re.compile(
        rf"\{{(?:len\((?![A-Z_]+\))[^{{}}]*\)|steps|count|seats|length|ticks|games|tried)(?::[,g]+)?\}} (?:{nouns})\b"
    )
    found = [
        f"{path.relative_to(SOURCE)}: {line.strip()}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if loose.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("game", "english", "french"),
    [
        ("delirium", "won in 1 tick", "gagné en 1 tic"),
        ("delirium", "won in 1,234 ticks", "gagné en 1,234 tics"),
        ("delirium-bd", "it was not won in 1 second and 1 game; that proves nothing", "1 seconde et 1 partie"),
        ("delirium-bd", "0 of 1 diamond after 1 tick", "0 sur 1 diamant après 1 tic"),
        ("loderunner", "a sure win in 1 round", "victoire sûre en 1 tour"),
        (
            "loderunner",
            "1 bonus left, 1 enemy, the nearest 1 cell away",
            "1 bonus à prendre, 1 ennemi, le plus proche à 1 case",
        ),
        ("loderunner-classic", "not won in 1 search over 12,345 ticks", "non gagné en 1 recherche sur 12,345 tics"),
        ("pushem", "UU: +1.00 pawns, 1 turn deep, 12,345 positions", "12,345 positions"),
        ("ricochet", "It takes more than 1 move; the search was not finished", "Il faut plus de 1 coup ;"),
        ("ricochet", "1 move of 1 robot, and no fewer (plain rule)", "1 coup d'un robot"),
        ("ricochet", "nim has 1 seat here, got 2 players", "nim a ici 1 place, et on en a nommé 2 joueurs"),
    ],
)
def test_counted_nouns_are_known_in_french(game, english, french):
    said = texts.book("fr", game).said(english).replace("\u00a0", " ").replace("\u202f", " ")
    assert french in said, said
    assert catalog.room(game).name == game
