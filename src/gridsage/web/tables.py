"""Tables at which people at several devices play: who sits where, who is invited, and who only watches."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from gridsage.core.amounts import counted
from gridsage.core.errors import GridsageError, OptionError, UnknownName
from gridsage.games import catalog
from gridsage.web import guests, levels, messages
from gridsage.web.broadcast import EVERYBODY, PLAIN, PUBLIC, Broadcast, Told, Viewer
from gridsage.web.crew import Crew, Link, TooMany
from gridsage.web.games.session import playable
from gridsage.web.messages import Answer
from gridsage.web.showings import ID_BYTES, Showing

INVITED_SECONDS = 3600.0  # that long a link leads to a seat
ABSENT_SECONDS = 180.0  # whoever is away that long has left
DESERTED_SECONDS = 900.0  # a table where nobody is that long is cleared away
MOST_TABLES = 40
MOST_OF_CLIENT = 8
MOST_AT_TABLE = 300  # connections of one table
SECRET_BYTES = 18  # of a token or an invitation: 144 bits
SALT_BITS = 63
WAITING, PLAYING, OVER = "waiting", "playing", "over"
GONE = "This table is not there any more, or never was."


class NotAdmitted(GridsageError):
    """Somebody wants a seat that is not theirs; the message says why they cannot have it."""


@dataclass
class Chair:
    """A place at a table. Whoever sits there has its token; a chair that moves takes it along."""

    name: str
    is_person: bool
    token: str = ""  # empty: nobody sits here yet
    invitation: str = ""
    invited_until: float = 0.0
    there: int = 0  # connections of whoever sits here
    gone_since: float = 0.0
    wants_rematch: bool = False

    @property
    def taken(self) -> bool:
        """Somebody sits here."""
        return not self.is_person or bool(self.token)

    def sit(self, name: str) -> None:
        """Give the chair to a person; the invitation to it is used up."""
        self.name, self.token, self.invitation = name, secrets.token_urlsafe(SECRET_BYTES), ""


class Member:
    """One connection at a table: of a person in a chair, or of a spectator."""

    def __init__(self, table: SharedTable, chair: Chair | None) -> None:
        self.table, self.chair = table, chair
        self.viewer = Viewer(table.broadcast)
        self.stale = True  # how the table stands is to be told anew
        self.arrange()

    @property
    def seat(self) -> int | None:
        """The number of the chair, or None for a spectator."""
        return None if self.chair is None else self.table.chairs.index(self.chair)

    def arrange(self) -> None:
        """Hear what is meant for the seat one has now."""
        self.viewer.audience = frozenset({PUBLIC if self.seat is None else self.seat, EVERYBODY})

    async def next(self) -> list[str]:
        """Wait for something to tell, and return it as messages; nothing when the table is cleared away."""
        while True:
            found = self.viewer.waiting()
            if self.stale:
                self.stale = False
                found.insert(0, msgspec.json.encode(self.table.told(self)).decode())
            if found or self.table.broadcast.over:
                return found
            await self.viewer.woken.wait()


class SharedTable:
    """One table: its chairs, its game in a worker process, and everybody who is connected to it."""

    def __init__(self, crew: Crew, wish: messages.Invite, chairs: list[Chair], client: str) -> None:
        self._crew, self.wish, self.chairs, self.client = crew, wish, chairs, client
        self.id = secrets.token_urlsafe(ID_BYTES)
        self.state = WAITING
        self.listed = wish.listed
        self.broadcast = Broadcast()
        self.members: set[Member] = set()
        self.games = 0
        self.deserted_since = time.monotonic()
        self._link: Link | None = None
        self._pumping: asyncio.Task[None] | None = None
        self.owner = next(chair for chair in self.chairs if chair.is_person)
        self.owner.sit(_person_name(wish.name, 1))
        self._renew()

    def _renew(self) -> None:
        """Make an invitation to every free chair that has none which is still good."""
        for chair in self._open_chairs():
            if time.monotonic() >= chair.invited_until:
                chair.invitation = secrets.token_urlsafe(SECRET_BYTES)
                chair.invited_until = time.monotonic() + INVITED_SECONDS

    def _open_chairs(self) -> Iterator[Chair]:
        return (chair for chair in self.chairs if not chair.taken)

    # Who comes and goes

    def admit(self, join: messages.Join) -> Member:
        """Return the connection of whoever comes; a NotAdmitted error where they ask for a seat that is not theirs."""
        if len(self.members) >= MOST_AT_TABLE:
            raise TooMany(f"{MOST_AT_TABLE} people are at this table already: try again later")
        chair = None
        if join.token:
            chair = self._whose(join.token, lambda one: one.token)
            if chair is None:
                raise NotAdmitted("this is not the token of a seat at this table")
        elif join.invitation:
            chair = self._invited(join)
        member = Member(self, chair)
        self.members.add(member)
        if chair is not None:
            chair.there += 1
        if chair is self.owner:
            self._renew()
        self.start()
        self.news()
        return member

    def _whose(self, secret: str, of: Callable[[Chair], str]) -> Chair | None:
        """Return the chair with this secret. Every one is compared, in a time that tells nothing about it."""
        found = [chair for chair in self.chairs if hmac.compare_digest(of(chair).encode(), secret.encode())]
        return found[0] if found else None

    def _invited(self, join: messages.Join) -> Chair:
        chair = self._whose(join.invitation, lambda one: one.invitation)
        if chair is None:
            raise NotAdmitted("this invitation was used already, or never was one: ask for another")
        if time.monotonic() >= chair.invited_until:
            raise NotAdmitted("this invitation has expired: ask for another")
        chair.sit(_person_name(join.name, self.chairs.index(chair) + 1))
        return chair

    def leave(self, member: Member) -> None:
        """Take a connection away; a person whose last one is gone has some time to come back."""
        self.members.discard(member)
        self.broadcast.leave(member.viewer)
        chair = member.chair
        if chair is not None:
            chair.there -= 1
            if not chair.there:
                chair.gone_since = time.monotonic()
                asyncio.get_running_loop().call_later(ABSENT_SECONDS, self._look_for, chair)
        if not self.members:
            self.deserted_since = time.monotonic()
        self.news()

    def _look_for(self, chair: Chair) -> None:
        away = time.monotonic() - chair.gone_since
        if self.state == PLAYING and not chair.there and away >= ABSENT_SECONDS * 0.99:
            self.pass_on(chair, messages.Leave())

    @property
    def deserted(self) -> bool:
        """Nobody has been here for so long that nobody will come."""
        return not self.members and time.monotonic() - self.deserted_since > DESERTED_SECONDS

    # The game

    def start(self) -> None:
        """Begin the game if everybody sits."""
        if self.state != WAITING or any(self._open_chairs()):
            return
        agents = [levels.HUMAN if chair.is_person else chair.name for chair in self.chairs]
        fields = msgspec.structs.asdict(self.wish) | {
            "agents": agents,
            "names": tuple(chair.name for chair in self.chairs),
            "salt": secrets.randbits(SALT_BITS),
            "seed": self.wish.seed + self.games,
        }
        try:
            self._link = self._crew.open(messages.Host(**fields), self.client)
        except TooMany as problem:
            self.complain(str(problem))
            return
        self._pumping = asyncio.create_task(self._pump(self._link))
        self.state = PLAYING
        self.games += 1
        self.news()

    async def _pump(self, link: Link) -> None:
        """Take what the game says, until it is over or another one takes its place."""
        while (data := await link.receive()) is not None:
            self.broadcast.publish(data)
            if self.state == PLAYING and b'"m":"turn"' in data[:20] and b'"over":null' not in data:
                self.state = OVER
                self.news()
        self.state = OVER
        self.news()

    def pass_on(self, chair: Chair, said: messages.Act | messages.Leave | messages.Keep | messages.Describe) -> None:
        """Hand what somebody says to the game, with the seat that the server knows them by."""
        if self._link is not None:
            self._link.send(messages.FromSeat(self.chairs.index(chair), said))

    def rematch(self, chair: Chair) -> None:
        """Note that somebody wants to play again; once all do, each sits where the one before them sat."""
        if self.state != OVER:
            return
        chair.wants_rematch = True
        people = [one for one in self.chairs if one.is_person]
        if all(one.wants_rematch for one in people):
            for one in people:
                one.wants_rematch = False
            self.chairs = [*self.chairs[1:], self.chairs[0]]
            for member in self.members:
                member.arrange()
            self._drop_game()
            self.state = WAITING
            self.start()
        self.news()

    def show(self, chair: Chair, listed: bool) -> None:
        """List the game among those that run now, or no longer: whoever made the table decides."""
        if chair is not self.owner:
            raise ValueError("only whoever made the table can list it")
        self.listed = listed
        self.news()

    def _drop_game(self) -> None:
        if self._link is not None:
            self._link.close()
        if self._pumping is not None:
            self._pumping.cancel()

    def close(self) -> None:
        """Clear the table away."""
        self._drop_game()
        self.broadcast.close()

    # What is told

    def news(self) -> None:
        """Tell everybody anew how the table stands."""
        for member in self.members:
            member.stale = True
            member.viewer.woken.set()

    def told(self, member: Member) -> Answer:
        """Return how the table stands for one of those who are there. Only who made it hears of its invitations."""
        owns = member.chair is self.owner
        return {
            "m": "seats",
            "id": self.id,
            "state": self.state,
            "you": member.seat,
            "token": "" if member.chair is None else member.chair.token,
            "owner": owns,
            "listed": self.listed,
            "watching": sum(other.chair is None for other in self.members),
            "chairs": [self._chair_told(chair, owns) for chair in self.chairs],
        }

    def _chair_told(self, chair: Chair, with_invitation: bool) -> Answer:
        told: Answer = {"name": chair.name, "person": chair.is_person, "taken": chair.taken, "there": chair.there > 0}
        told["again"] = chair.wants_rematch
        if with_invitation and chair.invitation:
            told["invitation"] = chair.invitation
        return told

    def listed_as(self) -> Answer:
        """Return what a list of running games says about this one."""
        names = [chair.name for chair in self.chairs]
        watching = sum(member.chair is None for member in self.members)
        return {"id": self.id, "kind": "table", "game": self.wish.game, "players": names, "watching": watching}

    def complain(self, sentence: str) -> None:
        """Tell everybody what went wrong."""
        self.broadcast.tell(Told(msgspec.json.encode(messages.error(sentence)).decode(), EVERYBODY, PLAIN))


class Hall:
    """All tables of a server, and what its tabs show to others.

    Args:
        token: of the server, where there is one; addresses for others carry a key that is made from it.
    """

    def __init__(self, crew: Crew, token: str | None = None) -> None:
        self._crew = crew
        self._token = token
        self._tables: dict[str, SharedTable] = {}
        self._showings: dict[str, Showing] = {}

    def invite(self, wish: messages.Invite, chairs: list[Chair], client: str) -> SharedTable:
        """Set up a table; a TooMany error where there are too many already."""
        for table in [one for one in self._tables.values() if one.deserted]:
            self._clear(table)
        own = [one for one in self._tables.values() if one.client == client]
        empty = sorted((one for one in own if not one.members), key=lambda one: one.deserted_since)
        if len(own) >= MOST_OF_CLIENT and empty:
            self._clear(empty[0])
        elif len(own) >= MOST_OF_CLIENT:
            raise TooMany(f"you have {MOST_OF_CLIENT} tables here: finish a game first")
        if len(self._tables) >= MOST_TABLES:
            raise TooMany(f"{MOST_TABLES} tables are set up on this server, and there is no room for more")
        table = SharedTable(self._crew, wish, chairs, client)
        self._tables[table.id] = table
        return table

    def _clear(self, table: SharedTable) -> None:
        table.close()
        del self._tables[table.id]

    def table(self, name: str) -> SharedTable:
        """Return the table of this name; an UnknownName error if there is none."""
        if name not in self._tables:
            raise UnknownName(GONE)
        return self._tables[name]

    def find(self, name: str) -> SharedTable | Showing:
        """Return what can be watched under this name; an UnknownName error if there is nothing."""
        return self._showings[name] if name in self._showings else self.table(name)

    def show(self, showing: Showing, listed: bool) -> None:
        """Let others watch what a tab plays."""
        showing.show(listed)
        self._showings[showing.id] = showing

    def hide(self, showing: Showing) -> None:
        """Let nobody watch any more; the address leads nowhere from now on."""
        self._showings.pop(showing.id, None)
        showing.close()

    def address(self, place: SharedTable | Showing) -> str:
        """Return where something is found, with what others need to be let in."""
        return guests.address(self._token, f"/{'live' if isinstance(place, Showing) else 'table'}/{place.id}")

    def running(self) -> list[Answer]:
        """Return the games that people chose to show to everybody."""
        tables = [table.listed_as() for table in self._tables.values() if table.listed and table.state == PLAYING]
        return tables + [showing.told() for showing in self._showings.values() if showing.listed]

    def close(self) -> None:
        """Clear all tables away."""
        for table in self._tables.values():
            table.close()


def chairs_for(wish: messages.Invite, home: Path) -> list[Chair]:
    """Return the chairs of a table: one for each seat of the game, with the agents in theirs.

    Errors say what is wrong with the wish. Rooms are imported here: not to be called in the event loop.
    """
    room = playable(wish.game)
    seats = room.rules.seats_with(catalog.options(room, dict(wish.options)))
    if seats < 2:
        raise OptionError(f"{room.title} is a game for one here; a table needs two")
    if len(wish.agents) != seats:
        raise OptionError(f"{room.title} has {counted(seats, 'seat')} here, got {counted(len(wish.agents), 'player')}")
    episode = levels.episode(room, wish, home)
    room.rules.game().parse(episode.level)
    if not any(spec.name == levels.HUMAN for spec in episode.agents):
        raise OptionError("nobody at this table is a person: watch the agents instead")
    return [
        Chair(f"Player {seat}" if spec.name == levels.HUMAN else str(spec), spec.name == levels.HUMAN)
        for seat, spec in enumerate(episode.agents, 1)
    ]


def _person_name(wanted: str, seat: int) -> str:
    """Return what a person is called: their own words without what cannot be printed, or the number of the seat."""
    printable = "".join(letter if letter.isprintable() else " " for letter in wanted)
    return " ".join(printable.split()) or f"Player {seat}"
