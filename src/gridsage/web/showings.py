"""Games and benches of one tab that others may watch while they run."""

from __future__ import annotations

import secrets

from gridsage.web import messages
from gridsage.web.broadcast import MOST_BYTES, Broadcast, Viewer
from gridsage.web.crew import TooMany
from gridsage.web.messages import Answer

ID_BYTES = 12  # of an address: whoever has it may watch
UNSHOWN_BYTES = 3 << 19  # 1.5 MB of the past of a game that nobody shows yet
MOST_VIEWERS = 400  # of one game
# What others hear. Hints, analyses and answers to questions are for whoever asked.
HEARD_BY_ALL = tuple(
    f'{{"m":"{name}"'.encode() for name in ("hello", "frame", "turn", "end", "error", "plan", "played", "table")
)


class Showing:
    """What one tab plays, kept once for everybody who watches it."""

    def __init__(self, opening: messages.Opening) -> None:
        self.opening = opening
        self.id = ""  # nobody may watch yet
        self.listed = False
        self.broadcast = Broadcast(UNSHOWN_BYTES)

    def publish(self, data: bytes) -> None:
        """Note what the tab is told, as far as others may hear it."""
        if data.startswith(HEARD_BY_ALL):
            self.broadcast.publish(data)

    def show(self, listed: bool) -> None:
        """Let others watch."""
        self.id = self.id or secrets.token_urlsafe(ID_BYTES)
        self.listed = listed
        self.broadcast.most_bytes = MOST_BYTES

    def close(self) -> None:
        """Tell those who watch that it is over; if it is shown again, it is another showing."""
        self.broadcast.close()
        self.id, self.listed, self.broadcast = "", False, Broadcast(UNSHOWN_BYTES)

    def viewer(self) -> Viewer:
        """Return a place for somebody who comes to watch; a TooMany error where there is none left."""
        if self.broadcast.viewers >= MOST_VIEWERS:
            raise TooMany(f"{MOST_VIEWERS} people watch this already: try again later")
        return Viewer(self.broadcast)

    def told(self) -> Answer:
        """Return what a list of running games says about this one."""
        opening = self.opening
        kind = "bench" if isinstance(opening, messages.Bench) else "game"
        agents = getattr(opening, "agents", [])
        game = getattr(opening, "game", "")
        return {"id": self.id, "kind": kind, "game": game, "players": agents, "watching": self.broadcast.viewers}
