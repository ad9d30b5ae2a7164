"""The rules of Push'em All: the game itself and the notation of whole turns."""

from gridsage.games.pushem.rules.game import GAME, Pushem
from gridsage.games.pushem.rules.notation import parse_turn, turn_text

__all__ = ["GAME", "Pushem", "parse_turn", "turn_text"]
