"""A game that a person sits at: moves from the screen, agents at the other seats, hints, take-backs, take-overs."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from gridsage.arena.conditions import DEFAULT
from gridsage.arena.external import seats
from gridsage.arena.guard import Dark, Seat
from gridsage.arena.recorder import assembled
from gridsage.core import trace
from gridsage.core.errors import GridsageError, IllegalAction, OptionError
from gridsage.core.game import Agent, Briefed, Briefing, Budget, Closing, Decision, Model, Outcome, Thoughts
from gridsage.core.rng import child_seed
from gridsage.core.room import Line
from gridsage.core.trace import AgentSpec, Result, state_hash
from gridsage.games import catalog
from gridsage.store import Store
from gridsage.web import feed, levels, lines, messages
from gridsage.web.mistakes import Mistake, Review
from gridsage.web.screens import about

if TYPE_CHECKING:
    from gridsage.web.worker import Session

MOST_POINTED = 400  # legal actions that are tried out to see where they lead
SOLVE_SECONDS = 10.0
REVIEW_SECONDS = 30.0
LEAST_LINE, LINE_SECONDS = 6, 0.1  # moves of a principal line, and what each question for more of them may take


class _Seated:
    """What a stranger's process is told about a table: its game, with the stranger's name at its seat."""

    def __init__(self, table: Table, seat: int, spec: AgentSpec) -> None:
        self.room, self.game = table.room, table.game
        agents = [spec if place == seat else other for place, other in enumerate(table.episode.agents)]
        self.episode = msgspec.structs.replace(table.episode, agents=tuple(agents))


class Table:
    """The running game. Pure games keep every state, so that moves can be taken back."""

    def __init__(self, session: Session, message: messages.Play) -> None:
        room = catalog.room(message.game)
        if (sentence := room.rules.missing()) is not None:
            raise OptionError(sentence)
        self.session, self.room = session, room
        self.episode = levels.episode(room, message, session.home)
        self.options = catalog.options(room, dict(message.options))
        self.game = room.rules.game()
        self.pure = isinstance(self.game, Model)
        self.taken_over = ""
        self.questions = Questions(self._complain, session.start)
        self.begin()

    def begin(self) -> None:
        """The first position, with nobody having thought about anything."""
        state = self.game.start(self.game.parse(self.episode.level), self.options, self.episode.seed)
        self.states, self.actions = [state], list[int]()
        self.hashes = [(0, state_hash(self.game, state))]
        self.thoughts: dict[int, Thoughts] = {}
        self.feeder = feed.Feed()
        self.players: dict[tuple[int, str], Agent] = {}

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def t(self) -> int:
        return len(self.actions)

    def run(self) -> None:
        """Play until the tab is closed."""
        try:
            self._greet()  # the board is seen while kernels load
            self.session.ready_room(self.room.name)
            self._tell_turn()
            while True:
                while self._mover() and self.session.inbox.empty():
                    self._agent_moves()
                self._handle(self.session.receive())
        finally:
            self.questions.drop()
            for thing in (self.game, *self.players.values()):
                if isinstance(thing, Closing):
                    thing.close()

    def _greet(self) -> None:
        frame = self.room.view.frame(self.state)
        more = about(self.room, self.episode) | {"pure": self.pure, "text": self.episode.level}
        self.session.send(self.feeder.hello(self.room.name, frame, **more))
        self.session.send(self.feeder.frame(0, frame))

    # Who moves

    def _mover(self) -> str:
        """The agent that has to move now; empty when a person has, or the game is over."""
        if self.game.outcome(self.state) is not None:
            return ""
        name = str(self.episode.agents[self._seat()])
        return self.taken_over if name == levels.HUMAN else name

    def _seat(self) -> int:
        return self.game.seat(self.state)

    def _player(self, name: str, seat: int) -> Agent:
        if (seat, name) not in self.players:
            self.players[seat, name] = self._new_agent(name, seat)
        return self.players[seat, name]

    def _new_agent(self, name: str, seat: int) -> Agent:
        spec = levels.agent_spec(self.room, name)
        briefing = Briefing(self.room.name, self.options, seat, child_seed(self.episode.seed, "agent", seat))
        if seats.is_stranger(self.room, spec):
            place = Seat(briefing, self.episode.budgets[seat], DEFAULT, Dark())
            return seats.Guest(_Seated(self, seat, spec), place, lambda: self.state)
        agent = catalog.agent(self.room, spec)
        if isinstance(agent, Briefed):
            agent.begin(briefing)
        return agent

    def _agent_moves(self) -> None:
        # What cannot be taken back is not played ahead of the eyes that watch it.
        if not self.session.wait_for_room(self.t, None if self.pure else 0, listening=True):
            return
        seat, name = self._seat(), self._mover()
        began = time.perf_counter()
        observation = self.game.observe(self.state, seat)
        try:
            decision = self._player(name, seat).decide(observation, self.episode.budgets[seat])
            spent = (time.perf_counter() - began) * 1000
            self._step(decision, milliseconds=spent, secret=name != self.taken_over and self._against_people())
        except (BrokenPipeError, EOFError):
            raise
        except Exception as problem:  # an agent is anybody's code
            if name != self.taken_over:
                raise OptionError(f"{name} failed, and nobody else sits there: {problem}") from None
            self.taken_over = ""
            self._complain(f"{name} failed, the game is yours again: {problem}")
            self._tell_turn()

    def _take_over(self, name: str) -> None:
        """Let an agent move for the people here. It is made now: one that cannot be made must not end the game."""
        if name and levels.agent_spec(self.room, name).name == levels.HUMAN:
            raise OptionError("a person cannot take over from a person; choose an agent")
        for seat, spec in enumerate(self.episode.agents):
            if name and spec.name == levels.HUMAN:
                self._player(name, seat)
        self.taken_over = name
        self._tell_turn()

    def _against_people(self) -> bool:
        return any(spec.name == levels.HUMAN for spec in self.episode.agents)

    # What is done

    def _handle(self, message: messages.FromServer) -> None:
        try:
            match message:
                case messages.Act():
                    self._step(Decision(message.action), seq=message.seq)
                case messages.Undo():
                    self._back_to(message.t)
                case messages.Restart():
                    self.taken_over = ""
                    self.begin()
                    self._greet()
                    self._tell_turn()
                case messages.Hint():
                    self._hint()
                case messages.Analyse():
                    self._analyse(message)
                case messages.Review():
                    self._review(message.agent)
                case messages.Describe():
                    self._describe(message.t)
                case messages.Solve():
                    self._solve(self._state_at(message.t), message.t)
                case messages.Position():
                    self._tell_position(self._state_at(message.t))
                case messages.TakeOver():
                    self._take_over(message.agent)
                case messages.Keep():
                    self.session.send({"m": "kept", "id": Store(self.session.home).put(self._result())})
                case _:
                    self._complain("that cannot be done here")
        except GridsageError as problem:
            self._complain(str(problem))
        except OSError as problem:  # a full disk is no reason to lose the game
            self._complain(f"a file cannot be read or written: {problem}")

    def _complain(self, sentence: str) -> None:
        self.session.send({"m": "refused", "text": sentence})

    def _step(
        self, decision: Decision, *, seq: int | None = None, milliseconds: float | None = None, secret: bool = False
    ) -> None:
        """Play an action. What an opponent thinks is kept for the replay, but not shown across the table."""
        before = self.state
        by = self.game.seat(before) if len(self.episode.agents) > 1 else None
        if self.game.outcome(before) is not None:
            raise IllegalAction("the game is over")
        after = self.game.step(before, decision.action)
        self.actions.append(decision.action)
        if decision.thoughts is not None:
            self.thoughts[self.t - 1] = msgspec.structs.replace(decision.thoughts, timings={})
        happened = feed.events(self.game.events(before, decision.action, after))
        self.states = [*self.states, after] if self.pure else [after]
        if self.t % trace.HASH_EVERY == 0:
            self.hashes.append((self.t, state_hash(self.game, after)))
        label = self.game.label(decision.action)
        told = feed.overlay(*(None, milliseconds) if secret else (decision.thoughts, milliseconds, decision.memory))
        self.session.send(
            self.feeder.frame(self.t, self.room.view.frame(after), a=label, by=by, ev=happened, o=told, q=seq)
        )
        self._tell_turn()

    def _back_to(self, t: int) -> None:
        if not self.pure:
            raise OptionError(f"{self.room.title} cannot be taken back: what happened, happened")
        t = min(t, self.t)
        del self.states[t + 1 :], self.actions[t:]
        self.hashes = [entry for entry in self.hashes if entry[0] <= t]
        self.thoughts = {step: told for step, told in self.thoughts.items() if step < t}
        self.players.clear()  # they may remember what has not happened
        label = self.game.label(self.actions[-1]) if self.actions else ""
        self.session.send(self.feeder.frame(t, self.room.view.frame(self.state), key=True, a=label))
        self._tell_turn()

    def _tell_turn(self) -> None:
        """Whose turn it is and what may be done; after the frame, which a person waits for more."""
        outcome = self.game.outcome(self.state)
        mover = self._mover()
        actions: list[list[Any]] = []
        if outcome is None and not mover:
            legal = list(self.game.legal(self.state))
            actions = [self._pointed(action, len(legal)) for action in legal]
        over = None if outcome is None else msgspec.to_builtins(outcome)
        turn = {"m": "turn", "t": self.t, "seat": self._seat(), "mover": mover, "legal": actions, "over": over}
        self.session.send(turn)

    def _pointed(self, action: int, among: int) -> list[Any]:
        """An action with its label, and where a person would point to choose it: from cell, to cell, and what moves."""
        label = self.game.label(action)
        if self.room.view.area is not None and (area := self.room.view.area(self.state, action)):
            return [action, label, -1, -1, "", list(area)]
        if self.room.view.point is not None and (cell := self.room.view.point(self.state, action)) >= 0:
            return [action, label, -1, cell, ""]
        if not self.pure or among > MOST_POINTED:
            return [action, label, -1, -1, ""]
        after = self.game.step(self.state, action)
        moved = [event for event in self.game.events(self.state, action, after) if event.cell >= 0]
        if len({event.who for event in moved if event.to >= 0}) != 1:
            return [action, label, -1, -1, ""]
        event = next(event for event in moved if event.to >= 0)
        return [action, label, event.cell, event.to, event.who]

    # Questions about a position: answered by a thread of their own, the person may move on meanwhile

    def _state_at(self, t: int) -> Any:
        if t == self.t:
            return self.state
        if not self.pure:
            raise OptionError(f"{self.room.title} keeps no earlier position: ask about the present one")
        return self.states[min(t, self.t)]

    def _hint(self) -> None:
        hints, state, t = self.room.help.hints, self.state, self.t
        if hints is None:
            raise OptionError(f"{self.room.title} has no hints; ask an agent what it would do")
        self.questions.ask("hint", lambda: self.session.send({"m": "hint", "t": t, "steps": list(hints(state))}))

    def _analyse(self, message: messages.Analyse) -> None:
        state, t = self._state_at(message.t), message.t
        if self.game.outcome(state) is not None:
            raise OptionError("the game is over")
        seat = self.game.seat(state)
        observation = self.game.observe(state, seat)
        agent = self._new_agent(message.agent, seat)

        def think() -> None:
            began = time.perf_counter()
            try:
                decision = agent.decide(observation, Budget(seconds=message.seconds))
            finally:
                if isinstance(agent, Closing):
                    agent.close()
            spent = (time.perf_counter() - began) * 1000
            label = self.game.label(decision.action)
            expected = decision.thoughts.line if decision.thoughts is not None else ()
            line = self._expected(message.agent, state, expected or (label,)) if self.pure else None
            self.session.send(
                {"m": "analysis", "t": t, "agent": message.agent, "seat": seat, "a": label, "action": decision.action}
                | {"o": feed.overlay(decision.thoughts, spent)}
                | ({} if line is None else {"line": lines.encoded(self.room.name, line)})
            )

        self.questions.ask("analysis", think)

    def _expected(self, name: str, state: Any, labels: Sequence[str]) -> Line:
        """What the agent expects; in games of several it is asked on, so that the line tells more than one turn."""
        line, state = lines.follow(self.room, state, labels)
        while self.room.rules.seats > 1 and len(line.labels) < LEAST_LINE and self.game.outcome(state) is None:
            seat = self.game.seat(state)
            asked = self._new_agent(name, seat)
            decision = asked.decide(self.game.observe(state, seat), Budget(seconds=LINE_SECONDS))
            told = decision.thoughts.line if decision.thoughts is not None else ()
            more, state = lines.follow(self.room, state, told or (self.game.label(decision.action),))
            if not more.labels:
                break
            line = Line((*line.labels, *more.labels), (*line.frames, *more.frames[1:]))
        return line

    def _solve(self, state: Any, t: int) -> None:
        solutions = self.room.help.solutions
        if solutions is None:
            raise OptionError(f"{self.room.title} has no solver that finds all solutions")

        def think() -> None:
            found = solutions(state, SOLVE_SECONDS)
            self.session.send(
                {"m": "solutions", "t": t, "text": found.text, "complete": found.complete}
                | {"lines": [lines.encoded(self.room.folder, line) for line in found.lines]}
            )

        self.questions.ask("solutions", think)

    def _review(self, name: str) -> None:
        """Send the mistakes of the first person who sits here."""
        if not self.pure:
            raise OptionError(f"{self.room.title} cannot be played again from the middle: there is no review")
        seats = [seat for seat, spec in enumerate(self.episode.agents) if spec.name == levels.HUMAN]
        self._new_agent(name, seats[0])  # one that cannot be made is told now
        states, actions = list(self.states), list(self.actions)

        def think() -> None:
            review = Review(self.room, lambda seat: self._new_agent(name, seat), REVIEW_SECONDS)
            found = [self._told(mistake, states[mistake.t]) for mistake in review.mistakes(states, actions, seats[0])]
            self.session.send({"m": "review", "agent": name, "moves": found})

        self.questions.ask("review", think)

    def _told(self, mistake: Mistake, state: Any) -> dict[str, Any]:
        """Return a mistake with its better line as pictures."""
        line, _ = lines.follow(self.room, state, mistake.line)
        return dataclasses.asdict(mistake) | {"line": lines.encoded(self.room.name, line)}

    def _describe(self, t: int) -> None:
        """Say in words what the person to move sees: never more than that."""
        state = self._state_at(t)
        text = self.room.view.words(self.game.observe(state, self.game.seat(state)))
        self.session.send({"m": "words", "t": min(t, self.t), "text": text})

    def _tell_position(self, state: Any) -> None:
        """The position as a level; empty where no level can tell it, such as the middle of a turn."""
        text = "" if self.room.view.position is None else self.room.view.position(state)
        self.session.send({"m": "position", "text": text})

    def _result(self) -> Result:
        """The game so far as a trace. A person's game has an id of its own: it would not happen again."""
        outcome = self.game.outcome(self.state) or Outcome(trace.STOPPED, (0.0,) * len(self.episode.agents))
        last = [] if self.hashes[-1][0] == self.t else [(self.t, state_hash(self.game, self.state))]
        name = hashlib.blake2b(f"{self.episode.id}{self.actions}".encode(), digest_size=16).hexdigest()
        thoughts, version = tuple(sorted(self.thoughts.items())), self.game.rules_version
        recorded = assembled(self.episode, version, self.actions, [*self.hashes, *last], outcome, thoughts)
        return Result(msgspec.structs.replace(recorded, episode=name), {}, 0.0)


class Questions:
    """Thoughts that nobody waits for any more are not begun: of each kind only the newest question is answered."""

    def __init__(self, complain: Callable[[str], None], start: Callable[[Callable[[], object]], None]) -> None:
        self._complain, self._start = complain, start
        self._newest: dict[str, int] = {}
        self._thinking = threading.Lock()

    def ask(self, kind: str, think: Callable[[], object]) -> None:
        """Run `think` in a thread when those before have ended, unless another of its kind has come meanwhile."""
        number = self._newest[kind] = self._newest.get(kind, 0) + 1

        def run() -> None:
            with self._thinking:
                if self._newest[kind] != number:
                    return
                try:
                    think()
                except GridsageError as problem:
                    self._complain(str(problem))
                except Exception as problem:  # an agent or a room is anybody's code
                    self._complain(f"there is no answer here: {type(problem).__name__}: {problem}")

        self._start(run)

    def drop(self) -> None:
        """Nobody waits for an answer any more."""
        for kind in self._newest:
            self._newest[kind] += 1
