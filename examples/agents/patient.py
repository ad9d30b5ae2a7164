from gridsage import Decision
from gridsage.games.ricochet.rules import GIVE_UP, Ricochet
from gridsage.search.bfs import bfs


class Patient:
    name = "patient"

    def decide(self, state, budget):
        found = bfs(Ricochet(), state, budget)
        return Decision(found.plan[0] if found.plan else GIVE_UP)
