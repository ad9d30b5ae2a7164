"""The report's figures from a handful of games that are written down here."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from gridsage.games.nethack.figures import figures, svg, table

GAMES = [
    {"cause": "killed", "squares": 100, "squares_seen": 50, "secret_doors": 4, "secret_doors_found": 1},
    {"cause": "killed", "squares": 300, "squares_seen": 250, "secret_doors": 0, "secret_doors_found": 0},
    {"cause": "stuck", "squares": 100, "squares_seen": 90, "stairs_down": 1, "stairs_down_seen": 0},
    {"cause": "stuck: gave up, no progress", "squares": 100, "squares_seen": 100},
]


def test_the_ends_of_games_are_shares_of_all_games():
    ends = dict(figures(GAMES)[0].groups[0][1])
    assert ends == {"monsters (2)": 0.5, "stuck (2)": 0.5}


def test_shares_are_sums_over_sums_and_leave_out_what_exists_nowhere():
    groups = dict(figures(GAMES)[1].groups)
    assert dict(groups["monsters (2)"]) == {"squares": 0.75, "secret doors": 0.25}
    assert dict(groups["stuck (2)"]) == {"squares": 0.95}


def test_the_drawing_is_well_formed_and_says_every_number():
    for figure in figures(GAMES):
        tree = ET.fromstring(svg(figure))
        words = " ".join(text for text in tree.itertext())
        for _, bars in figure.groups:
            for label, share in bars:
                assert label in words and f"{share:.1%}" in words
        assert figure.title in table(figure)
