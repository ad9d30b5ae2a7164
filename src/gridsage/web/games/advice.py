"""What a person may ask about a position while playing: hints, an agent's opinion, solutions, mistakes, words."""

from __future__ import annotations

import dataclasses
import threading
import time
from collections.abc import Callable, Sequence

from gridsage.core.errors import GridsageError, OptionError
from gridsage.core.game import Agent, Budget, Closing, Decision, Own
from gridsage.core.room import Line
from gridsage.web import feed, messages
from gridsage.web.games import lines
from gridsage.web.games.mistakes import Mistake, Review
from gridsage.web.games.session import Session
from gridsage.web.games.table import Table
from gridsage.web.messages import Answer

SOLVE_SECONDS = 10.0
REVIEW_SECONDS = 30.0
LEAST_LINE, LINE_SECONDS = 6, 0.1  # moves of a principal line, and what each question for more of them may take
Complain = Callable[[str], None]


class Advice:
    """Answers questions about a table, each by a thread of its own: the person may move on meanwhile."""

    def __init__(self, session: Session, table: Table, refuse: Complain) -> None:
        self._session, self._table, self._refuse = session, table, refuse
        self._questions = Questions(refuse, session.start)

    def drop(self) -> None:
        """Forget all questions: nobody waits for an answer any more."""
        self._questions.drop()

    def answer(self, message: messages.FromServer) -> None:
        """Answer a question about the game, now or when the answer is found."""
        match message:
            case messages.Hint():
                self._hint()
            case messages.Analyse():
                self._analyse(message)
            case messages.Review():
                self._review(message.agent)
            case messages.Describe():
                self._describe(message.t)
            case messages.Solve():
                self._solve(message.t)
            case messages.Position():
                self._position(message.t)
            case _:
                self._refuse("that cannot be done here")

    def _hint(self) -> None:
        table = self._table
        hints, state, t = table.room.help.hints, table.state, table.t
        if hints is None:
            raise OptionError(f"{table.room.title} has no hints; ask an agent what it would do")
        self._questions.ask("hint", lambda: self._session.send({"m": "hint", "t": t, "steps": list(hints(state))}))

    # What an agent would do

    def _analyse(self, message: messages.Analyse) -> None:
        game, state = self._table.game, self._table.state_at(message.t)
        if game.outcome(state) is not None:
            raise OptionError("the game is over")
        agent = self._table.new_agent(message.agent, game.seat(state))
        self._questions.ask("analysis", lambda: self._session.send(self._analysis(message, state, agent)))

    def _analysis(self, message: messages.Analyse, state: Own, agent: Agent) -> Answer:
        table, game, seat = self._table, self._table.game, self._table.game.seat(state)
        began = time.perf_counter()
        decision = _decided(agent, game.observe(state, seat), message.seconds)
        spent = (time.perf_counter() - began) * 1000
        label = game.label(decision.action)
        told: Answer = {"m": "analysis", "t": message.t, "agent": message.agent, "seat": seat}
        told |= {"a": label, "action": decision.action, "o": feed.overlay(decision.thoughts, spent)}
        if table.pure:
            line = self._expected(message.agent, state, _line(decision) or (label,))
            told["line"] = lines.encoded(table.room, line)
        return told

    def _expected(self, name: str, state: Own, labels: Sequence[str]) -> Line:
        """Return what the agent expects; in games of several it is asked on, so that the line is longer than a turn."""
        room, game = self._table.room, self._table.game
        line, state = lines.follow(room, state, labels)
        while room.rules.seats > 1 and len(line.labels) < LEAST_LINE and game.outcome(state) is None:
            seat = game.seat(state)
            decision = _decided(self._table.new_agent(name, seat), game.observe(state, seat), LINE_SECONDS)
            more, state = lines.follow(room, state, _line(decision) or (game.label(decision.action),))
            if not more.labels:
                break
            line = Line((*line.labels, *more.labels), (*line.frames, *more.frames[1:]))
        return line

    # What would have been best

    def _solve(self, t: int) -> None:
        room, state = self._table.room, self._table.state_at(t)
        solutions = room.help.solutions
        if solutions is None:
            raise OptionError(f"{room.title} has no solver that finds all solutions")

        def think() -> None:
            found = solutions(state, SOLVE_SECONDS)
            told = [lines.encoded(room, line) for line in found.lines]
            self._session.send(
                {"m": "solutions", "t": t, "text": found.text, "complete": found.complete, "lines": told}
            )

        self._questions.ask("solutions", think)

    def _review(self, name: str) -> None:
        """Send the mistakes of the first person who sits here."""
        table = self._table
        if not table.pure:
            raise OptionError(f"{table.room.title} cannot be played again from the middle: there is no review")
        seat = table.people[0]
        table.new_agent(name, seat)  # one that cannot be made is named now
        states, actions = list(table.states), list(table.actions)

        def think() -> None:
            review = Review(table.room, lambda seat: table.new_agent(name, seat), REVIEW_SECONDS)
            found = [self._told(mistake, states[mistake.t]) for mistake in review.mistakes(states, actions, seat)]
            self._session.send({"m": "review", "agent": name, "moves": found})

        self._questions.ask("review", think)

    def _told(self, mistake: Mistake, state: Own) -> Answer:
        """Return a mistake with its better line as pictures."""
        line, _ = lines.follow(self._table.room, state, mistake.line)
        return dataclasses.asdict(mistake) | {"line": lines.encoded(self._table.room, line)}

    # The position itself

    def _describe(self, t: int) -> None:
        """Say in words what the person to move sees: never more than that."""
        table, state = self._table, self._table.state_at(t)
        text = table.room.view.words(table.game.observe(state, table.game.seat(state)))
        self._session.send({"m": "words", "t": min(t, table.t), "text": text})

    def _position(self, t: int) -> None:
        """Send the position as a level; empty where no level can hold it, such as the middle of a turn."""
        position, state = self._table.room.view.position, self._table.state_at(t)
        self._session.send({"m": "position", "text": "" if position is None else position(state)})


def _decided(agent: Agent, observation: Own, seconds: float) -> Decision:
    """Return what the agent decides; it is asked nothing else."""
    try:
        return agent.decide(observation, Budget(seconds=seconds))
    finally:
        if isinstance(agent, Closing):
            agent.close()


def _line(decision: Decision) -> tuple[str, ...]:
    return decision.thoughts.line if decision.thoughts is not None else ()


class Questions:
    """Thoughts that nobody waits for any more are not begun: of each kind only the newest question is answered."""

    def __init__(self, complain: Complain, start: Callable[[Callable[[], object]], None]) -> None:
        self._complain, self._start = complain, start
        self._newest: dict[str, int] = {}
        self._thinking = threading.Lock()

    def ask(self, kind: str, think: Callable[[], object]) -> None:
        """Run `think` in a thread when those before have ended, unless another of its kind has come meanwhile."""
        number = self._newest[kind] = self._newest.get(kind, 0) + 1

        def run() -> None:
            with self._thinking:
                if self._newest[kind] == number:
                    self._answer(think)

        self._start(run)

    def _answer(self, think: Callable[[], object]) -> None:
        try:
            think()
        except GridsageError as problem:
            self._complain(str(problem))
        except Exception as problem:  # an agent or a room is anybody's code
            self._complain(f"there is no answer here: {type(problem).__name__}: {problem}")

    def drop(self) -> None:
        """Answer none of the questions that still wait."""
        for kind in self._newest:
            self._newest[kind] += 1
