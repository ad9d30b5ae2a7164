"""Commands together with the questions they raise: what is sent, what the game may ask, and the answers."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass

from gridsage.games.nethack import state as st
from gridsage.games.nethack.keys import LABELS
from gridsage.games.nethack.state import State

ESCAPE, ENTER = 27, 13
LONGEST = 60  # keys of one dialogue; a longer one goes round in a circle
# What is answered whoever was asked: only those who can pay are, and a shopkeeper refused kills.
ALWAYS = (("Pay?", "y"),)
SEARCH, SEARCHED = "Search for: ", 30  # what a menu asks after its key for searching, and the most that is typed
REPEATS = 4  # how often one answer may be given within a dialogue

Answer = str | Callable[[State], str]


@dataclass(frozen=True)
class Phrase:
    """Keys to send, and answers by words of the question. What is asked besides is escaped.

    Args:
        keys: sent one after the other, whatever is open: a command with its count, prefix or cursor.
        replies: pairs of words and keys; the first whose words are in the question answers it.
    """

    keys: str
    replies: tuple[tuple[str, Answer], ...] = ()


class Dialogue:
    """Speaks one command at a time and answers what it raises."""

    def __init__(self) -> None:
        self.unexpected: Counter[str] = Counter()  # questions that nobody expected, by their words
        self._command: Phrase | None = None
        self._queue: deque[str] = deque()
        self._used: Counter[int] = Counter()
        self._sent = 0

    @property
    def is_speaking(self) -> bool:
        """Return True while a command may still have to send or answer something."""
        return self._command is not None

    @property
    def is_open(self) -> bool:
        """Return True while a command has keys to send."""
        return self._command is not None and bool(self._queue)

    def open(self, command: Phrase) -> int:
        """Begin a command and return its first key."""
        self._command, self._queue = command, deque(command.keys)
        self._used.clear()
        self._sent = 0
        return self._next()

    def close(self) -> None:
        """Forget the command: somebody else played, or it is over."""
        self._command = None
        self._queue.clear()

    def key(self, state: State) -> int | None:
        """Return the next key of the open dialogue, or None if the game waits for a new command."""
        if self._command is not None and self._queue and self._in_order(state):
            return self._next()
        if not is_asked(state):
            self.close()
            return None
        answer = self._answer(state)
        if answer is None:
            self.unexpected[question(state)[:60]] += 1
            self.close()
            return ESCAPE
        self._queue.extend(answer)
        return self._next()

    def _in_order(self, state: State) -> bool:
        """Return True if the keys still belong to what is open: typed answers end with their question."""
        assert self._command is not None
        return is_asked(state) or self._sent < len(self._command.keys)

    def _answer(self, state: State) -> str | None:
        if self._command is None or self._sent > LONGEST:
            return None
        asked = question(state)
        for at, (words, reply) in enumerate(self._command.replies):
            if words in asked and self._used[at] < REPEATS:
                self._used[at] += 1
                keys = reply if isinstance(reply, str) else reply(state)
                if len(keys) == 1 and ord(keys) not in LABELS:
                    keys = searched(state, keys)
                return keys or None
        return standing_answer(asked)

    def _next(self) -> int:
        self._sent += 1
        key = ord(self._queue.popleft())
        return key if key in LABELS else ESCAPE


def is_asked(state: State) -> bool:
    """Return True if the game waits for an answer: the search of a menu is one that it does not tell us of."""
    return bool(state.prompt) or (bool(state.messages) and state.messages[-1].startswith(SEARCH))


def searched(state: State, letter: str) -> str:
    """Return the keys that choose something carried by the menu's search, for the letter that is no legal key.

    It is S, which would save the game. The search is blind to capitals.
    """
    words = next((words for held, _, words in state.pack if held == letter), "")
    return f"*:{words[:SEARCHED].lower()}{chr(ENTER)}" if words else ""


def standing_answer(asked: str) -> str | None:
    """Return the answer to a question that may come in the midst of anything, or None."""
    return next((reply for words, reply in ALWAYS if words in asked), None)


def question(state: State) -> str:
    """Return what the game asks: the last message, or the whole screen of a menu."""
    if state.prompt == st.MENU:
        return "MENU " + "\n".join(state.screen)
    return state.messages[-1] if state.messages else ""


def menu_lines(state: State) -> list[tuple[str, str]]:
    """Return (letter, words) of the choices on the menu's page."""
    found = []
    for line in state.screen:
        for at in range(len(line) - 4):
            if line[at + 1 : at + 4] in (" - ", " + ") and line[at].isalpha() and (at == 0 or line[at - 1] == " "):
                found.append((line[at], line[at + 4 :]))
                break
    return found


def menu_goes_on(state: State) -> bool:
    """Return True if the menu has a further page."""
    for line in state.screen:
        start = line.rfind("(")
        if start >= 0 and " of " in line[start:] and line.endswith(")"):
            now, _, last = line[start + 1 : -1].partition(" of ")
            return now.isdigit() and last.isdigit() and int(now) < int(last)
    return False
