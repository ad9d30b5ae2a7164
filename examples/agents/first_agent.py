from gridsage import Decision
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet


class Hasty:
    name = "hasty"

    def decide(self, state, budget):
        game = Ricochet()
        moves = game.slides(state)
        winning = [move for move in moves if game.outcome(game.step(state, move))]
        return Decision(winning[0] if winning else moves[state.moves % 3] if state.moves < 20 else GIVE_UP)
