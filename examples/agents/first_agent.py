from gridsage.core.game import Decision
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet


class Hasty:
    name = "hasty"

    def decide(self, state, budget):
        game = Ricochet()
        winning = [a for a in game.slides(state) if game.outcome(game.step(state, a))]
        return Decision(winning[0] if winning else game.slides(state)[state.moves % 3] if state.moves < 20 else GIVE_UP)
