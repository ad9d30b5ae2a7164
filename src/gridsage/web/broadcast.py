"""One game for many eyes: what happened is kept once, and everybody reads it at their own pace."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

# Who may hear a message: a seat by its number, or one of these.
PUBLIC = 254  # spectators
EVERYBODY = 255

# What a message is for those who come later.
PLAIN = 0  # told to them too
FRAME = 1  # told to them too, and left out for somebody who is far behind
KEY = 2  # a frame that needs no other one before it
HELLO = 3  # everything before it is forgotten
LATEST = 4  # only the last one of its name counts
ONCE = 5  # only for those who are there

KINDS = {
    b'{"m":"hello"': HELLO,
    b'{"m":"turn"': LATEST,
    b'{"m":"played"': LATEST,
    b'{"m":"table"': LATEST,
    b'{"m":"progress"': ONCE,
}
PRIVATE_HEAD = 2  # bytes before a message that say who may hear it and what it is
MOST_BYTES = 24 << 20  # of one game's past; a longer one loses its beginning
MOST_BEHIND = 150  # messages; whoever is further behind is shown the newest whole position instead
MOST_AT_ONCE = 64  # messages that travel together


class Told(NamedTuple):
    """One message of a game, as JSON."""

    text: str
    audience: int
    kind: int


NOTHING = Told("", EVERYBODY, ONCE)


class Broadcast:
    """The messages of one game so far. Viewers hold places in it, so that two hundred of them keep nothing twice."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._told: list[Told] = []
        self.first = 0  # the first place that is not forgotten: places are counted from the first message ever
        self._bytes, self.most_bytes = 0, most_bytes
        self._latest: dict[tuple[int, str], int] = {}  # (audience, name) -> where the last one stands
        self._hellos: dict[int, Told] = {}
        self.over = False
        self._viewers: set[Viewer] = set()

    @property
    def end(self) -> int:
        """The place after the newest message."""
        return self.first + len(self._told)

    @property
    def viewers(self) -> int:
        """How many there are now."""
        return len(self._viewers)

    def publish(self, data: bytes) -> None:
        """Take a message from the process that plays; one without a head is for everybody."""
        if data[:1] == b"{":
            self.tell(Told(data.decode(), EVERYBODY, _kind(data)))
        else:
            self.tell(Told(data[PRIVATE_HEAD:].decode(), data[0], data[1]))

    def tell(self, told: Told) -> None:
        """Add a message and wake everybody who waits for one."""
        if told.kind == HELLO:
            self._forget(told.audience)
            self._hellos[told.audience] = told
        elif told.kind == LATEST:
            name = (told.audience, told.text.partition(",")[0])
            self._blank(self._latest.get(name, -1))
            self._latest[name] = self.end
        self._told.append(told)
        self._bytes += len(told.text)
        while self._bytes > self.most_bytes and len(self._told) > MOST_AT_ONCE:
            self._drop(len(self._told) // 2)
        self._wake()

    def close(self) -> None:
        """Nothing more will come."""
        self.over = True
        self._wake()

    def enter(self, viewer: Viewer) -> None:
        """Count somebody among those who watch."""
        self._viewers.add(viewer)

    def leave(self, viewer: Viewer) -> None:
        """Count somebody no longer."""
        self._viewers.discard(viewer)

    def at(self, place: int) -> Told:
        """Return the message at a place that is not forgotten."""
        return self._told[place - self.first]

    def greetings(self, audience: frozenset[int]) -> list[str]:
        """Return how the game began, for whoever comes when that is forgotten."""
        return [hello.text for hello in self._hellos.values() if hello.audience in audience]

    def key(self, audience: frozenset[int], *, newest: bool) -> int:
        """Return the place of the newest or oldest whole position that is kept for this audience, or -1."""
        for index in range(len(self._told) - 1, -1, -1) if newest else range(len(self._told)):
            if self._told[index].kind == KEY and self._told[index].audience in audience:
                return self.first + index
        return -1

    def _forget(self, audience: int) -> None:
        """A new game begins: whoever comes now is not told the one before."""
        self._told = [NOTHING if one.audience == audience else one for one in self._told]
        self._bytes = sum(len(one.text) for one in self._told)
        self._latest = {name: place for name, place in self._latest.items() if name[0] != audience}

    def _blank(self, place: int) -> None:
        index = place - self.first
        if index >= 0:
            self._bytes -= len(self._told[index].text)
            self._told[index] = NOTHING

    def _drop(self, count: int) -> None:
        self.first += count
        self._told = self._told[count:]
        self._bytes = sum(len(one.text) for one in self._told)

    def _wake(self) -> None:
        for viewer in self._viewers:
            viewer.woken.set()


def _kind(data: bytes) -> int:
    """Return what a message is that a game for one tab sends."""
    name = data[: data.find(b",")]
    if name == b'{"m":"frame"':
        return KEY if b',"k":[' in data else FRAME
    return KINDS.get(name, PLAIN)


class Viewer:
    """Somebody's place in a broadcast."""

    def __init__(self, broadcast: Broadcast, audience: frozenset[int] = frozenset({PUBLIC, EVERYBODY})) -> None:
        self._broadcast = broadcast
        self.audience = audience
        self._place = 0
        self._came = broadcast.end  # what was told before is the past
        self.woken = asyncio.Event()
        self.skipped = 0  # frames that were left out because they came too quickly
        broadcast.enter(self)

    def waiting(self) -> list[str]:
        """Return what is to be told now, some messages at a time; frames are left out for whoever is far behind."""
        self.woken.clear()
        broadcast = self._broadcast
        found, key = list[str](), -1
        if self._place < broadcast.first:
            found = broadcast.greetings(self.audience)
            self._place, key = broadcast.first, broadcast.key(self.audience, newest=False)
        elif broadcast.end - max(self._place, self._came) > MOST_BEHIND:
            key = broadcast.key(self.audience, newest=True)
        while self._place < broadcast.end and len(found) < MOST_AT_ONCE:
            told = broadcast.at(self._place)
            if told.text and told.audience in self.audience and not self._misses(told, key):
                found.append(told.text)
            self._place += 1
        return found

    async def next(self) -> list[str]:
        """Wait for something to be told, and return it; nothing when nothing more will come."""
        while True:
            if (found := self.waiting()) or self._broadcast.over:
                return found
            await self.woken.wait()

    def leave(self) -> None:
        """Watch no more."""
        self._broadcast.leave(self)

    def _misses(self, told: Told, key: int) -> bool:
        """Return True if this message is not for somebody who came, or looks again, at this moment."""
        if self._place < key and told.kind in (FRAME, KEY):
            self.skipped += 1
            return True
        return told.kind == ONCE and self._place < self._came
