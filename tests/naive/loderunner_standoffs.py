"""Duels with a single enemy, played on the plain twin of the rules: the twin of the compiled table of standoffs."""

from __future__ import annotations

from functools import cache

from loderunner_twin import BOMB_LEFT, BOMB_RIGHT, LEFT, NONE, RIGHT, TTL, Twin

NOWHERE = (-9, -9)  # of a bonus that is never taken, so that no round ends the game as won
EXIT = "exit"
TRAP_COST = 25
FAR = 9999


class Duels:
    """All duels of a level: positions are (runner, enemy, rounds played modulo two); the enemy may be None."""

    def __init__(self, rows: list[str]) -> None:
        self.start = Twin.of(rows)
        self.chase = cache(self._chase)

    def _chase(self, enemy, runner):
        twin = self.twin((runner, enemy, 0))
        return Twin.chase(twin, enemy)

    def twin(self, position) -> Twin:
        runner, enemy, parity = position
        enemies = [] if enemy is None else [enemy]
        bonuses = {*self.start.bonuses, NOWHERE}
        return Twin(self.start.rows, runner, enemies, [NONE] * len(enemies), bonuses, self.start.exit, round=parity)

    def play(self, position, actions):
        """The twin after these actions, the goals taken, and whether the enemy came into a hole."""
        twin = self.twin(position)
        twin.chase = lambda enemy: self.chase(enemy, twin.runner)
        trapped, at_exit = False, False
        for action in actions:
            if not twin.is_legal(action):
                return None
            twin.play(action, lambda allowed, _: allowed[0])
            at_exit = at_exit or (twin.runner == twin.exit and twin.outcome in ("", "caught", "caught_passing"))
            trapped = trapped or any(twin.is_hole(enemy) for enemy in twin.enemies) or bool(twin.respawned)
            if twin.outcome:
                break
        taken = {EXIT} if at_exit else set()
        return twin, taken | (self.start.bonuses - twin.bonuses if not twin.outcome else set()), trapped

    def steps(self, position):
        """Yield rounds, goals taken, the position that follows or None, and where the runner is rid of the enemy."""
        runner, _, parity = position
        for action in range(BOMB_LEFT):
            if played := self.play(position, [action]):
                yield 1, played[1], self.position(played[0], parity + 1), None
        for bomb, side in ((BOMB_LEFT, LEFT), (BOMB_RIGHT, RIGHT)):
            waits = [self.play(position, [bomb] + [NONE] * more) for more in range(TTL)]
            if waits[0] is None:
                continue
            trapped = [number for number, (twin, _, is_in) in enumerate(waits, 1) if is_in and not twin.outcome]
            if trapped:
                yield trapped[0], set(), None, runner
            dropped = self.play(position, [bomb, side])
            beside = (runner[0] + (-1 if side == LEFT else 1), runner[1])
            if waits[0][2] or waits[0][0].outcome or dropped[0].runner == beside:
                continue
            if dropped[2] and not dropped[0].outcome:
                yield 2, dropped[1], None, dropped[0].runner
            else:
                yield 2, dropped[1], self.position(dropped[0], parity), None

    def position(self, twin, parity):
        if twin.outcome:
            return None
        return twin.runner, twin.enemies[0] if twin.enemies else None, parity % 2

    def rounds(self, places, enemies, alone):
        """The fewest rounds to every goal that can be taken from every position with one of these enemies."""
        fewest = {}
        following = []
        for position in [(place, enemy, parity) for place in places for enemy in enemies for parity in (0, 1)]:
            if position[0] == position[1]:
                continue
            here = fewest[position] = {}
            for rounds, taken, then, rid_at in self.steps(position):
                shorten(here, dict.fromkeys(taken, 0), rounds)
                if rid_at:
                    shorten(here, alone[rid_at, None, 0], rounds + TRAP_COST)
                if then:
                    following.append((position, then, rounds))
        changed = True
        while changed:
            changed = False
            for position, then, rounds in following:
                changed = shorten(fewest[position], fewest[then], rounds) or changed
        return fewest

    def tables(self):
        """The rounds to every goal of a lone runner, and those of every duel."""
        at, rows = self.start.at, self.start.rows
        cells = [(x, y) for y in range(len(rows)) for x in range(len(rows[0]))]
        open_cells = [place for place in cells if at(*place) not in "WF"]
        places = [(x, y) for x, y in cells if at(x, y) not in "WF" or at(x, y + 1) == "L"]
        alone = self.rounds(places, [None], {})
        for parity in (0, 1):
            alone[self.start.exit, None, parity][EXIT] = 0
        return alone, self.rounds(places, open_cells, alone)

    def answer(self, post, runner):
        """What an enemy on a post does about a runner there: it "stays", "catches" him, or "leaves"."""
        if post == runner:
            return "catches"
        twin = self.twin((runner, post, 0))
        twin.play(NONE, lambda allowed, _: allowed[0])
        if twin.outcome:
            return "catches"
        return "stays" if twin.enemies == [post] else "leaves"

    def kept_beside(self, post, alone, duels):
        """What every enemy and one on a post keep together that neither keeps by itself, by position."""
        places = {runner for runner, _, _ in duels}
        answers = {place: self.answer(post, place) for place in places}
        won, following = {}, []
        for position in duels:
            runner, enemy, parity = position
            if post in (runner, enemy):
                continue
            here = won[position] = set()
            for rounds, taken, then, rid_at in self.steps(position):
                is_trap = rid_at == runner
                last = then[0] if then else rid_at
                if last is None:  # caught: the exit comes first
                    here |= taken & {EXIT}
                    continue
                moves_at = runner if is_trap or (rounds == 2 and parity == 0) else last
                answer = answers[moves_at] if is_trap or rounds == 2 or parity == 0 else "stays"
                if last == post or answer == "catches":
                    here |= taken & {EXIT} if rounds == 1 else set()
                    continue
                here |= taken
                if is_trap and answer == "leaves":
                    here |= set(alone[runner, None, 0])
                elif rid_at:
                    parities = (0, 1) if is_trap else (parity,)
                    here.update(*(duels[rid_at, post, turn] for turn in parities))
                elif answer == "leaves":
                    here |= set(duels[then])
                if then:
                    following.append((position, then))
        changed = True
        while changed:
            changed = False
            for position, then in following:
                if not won.get(then, set()) <= won[position]:
                    won[position] |= won[then]
                    changed = True
        return {
            position: {goal for goal in alone[position[0], None, 0] if goal in duels[position]}
            & set(duels[position[0], post, position[2]]) - goals
            for position, goals in won.items()
        }


def shorten(here, there, rounds):
    """Take over what is nearer by way of another position; return True if anything is."""
    nearer = {goal: rounds + more for goal, more in there.items() if rounds + more < here.get(goal, FAR)}
    here.update(nearer)
    return bool(nearer)
