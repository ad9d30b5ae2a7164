"""What the browser may say to the server. Anything else ends that connection with a reason."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from gridsage.core.complaints import in_words

MAX_MESSAGE_BYTES = 300_000  # a level text is the longest thing a browser sends
MAX_SECONDS = 60.0  # no agent on the page thinks longer about one decision: a closed tab must end its work
Name = Annotated[str, Meta(max_length=200)]
LevelText = Annotated[str, Meta(max_length=200_000)]
Step = Annotated[int, Meta(ge=0, le=10_000_000)]
Seed = Annotated[int, Meta(ge=0, lt=2**53)]  # what a browser's numbers hold exactly

Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Value: TypeAlias = str | Whole | float | bool
Answer: TypeAlias = dict[str, object]  # what the server says: msgspec writes it, static/types.d.ts declares it


class Message(msgspec.Struct, tag_field="m", forbid_unknown_fields=True, frozen=True):
    """Base of all messages; the field `m` tells which one it is."""


class Setting(Message, frozen=True):
    """Which game to set up: a level by name, by seed or by its text, and everything that decides how it goes."""

    game: Name
    level: Name = ""
    text: LevelText = ""  # a level of one's own; wins over `level`
    level_seed: Seed | None = None  # makes the level in rooms where a seed does
    seed: Seed = 1
    agents: Annotated[list[Name], Meta(max_length=8)] = []
    nodes: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None
    seconds: Annotated[float, Meta(ge=0, le=MAX_SECONDS)] | None = None
    options: dict[Name, Value] = {}


class Watch(Setting, tag="watch", frozen=True):
    """Play a game between agents and show it."""


class Play(Setting, tag="play", frozen=True):
    """Sit down at a game; an agent named `human` is a person at this screen."""


class Replay(Message, tag="replay", frozen=True):
    """Show a stored game again."""

    id: Name


class Ack(Message, tag="ack", frozen=True):
    """The browser has every frame up to `t`."""

    t: Step


class Overlay(Message, tag="overlay", frozen=True):
    """Whether the agents' thoughts are wanted with the frames."""

    on: bool


class Act(Message, tag="action", frozen=True):
    """A person's move; `seq` comes back with the frame that shows it."""

    seq: Step
    action: Annotated[int, Meta(ge=0, le=1_000_000)]


class Undo(Message, tag="undo", frozen=True):
    """Take back to the position after `t` moves."""

    t: Step


class Restart(Message, tag="restart", frozen=True):
    """Begin the same game again."""


class Hint(Message, tag="hint", frozen=True):
    """Ask the room for hints about the position at hand."""


class Analyse(Message, tag="analyse", frozen=True):
    """Ask what an agent would do after `t` moves of this game, and what it expects to follow."""

    t: Step
    agent: Name
    seconds: Annotated[float, Meta(ge=0, le=MAX_SECONDS)] = 1.0


class Review(Message, tag="review", frozen=True):
    """Ask where the person at this screen could have done better, in the eyes of `agent`."""

    agent: Name


class Describe(Message, tag="words", frozen=True):
    """Ask for the position after `t` moves in words, every piece with its square."""

    t: Step


class Solve(Message, tag="solutions", frozen=True):
    """Ask for all best ways to finish from the position after `t` moves."""

    t: Step


class Position(Message, tag="position", frozen=True):
    """Ask for the position after `t` moves as a level, to be shared."""

    t: Step


class TakeOver(Message, tag="takeover", frozen=True):
    """Let an agent move instead of the person, until told otherwise; an empty name gives the game back."""

    agent: Name = ""


class Keep(Message, tag="keep", frozen=True):
    """Store the game as far as it has come."""


PersonName = Annotated[str, Meta(max_length=24)]
MAX_MINUTES = 180.0


class Invite(Setting, tag="invite", frozen=True):
    """Set up a table for people at several devices; an agent named `human` is one of them, the first is who asks."""

    name: PersonName = ""  # what the others call whoever asks
    minutes: Annotated[float, Meta(ge=0, le=MAX_MINUTES)] = 0.0  # for all moves of a person; 0: all the time they want
    patience: Annotated[int, Meta(ge=0, le=600)] = 20  # seconds until agents name numbers; 0: after a person has
    listed: bool = False  # among the games that run now


class Host(Invite, tag="host", frozen=True):
    """Play the game of a table; everybody has sat down. Never from a browser: the server says who sits where."""

    names: tuple[str, ...] = ()  # one per seat, as people see them
    salt: int = 0  # nobody at the table knows what the rules draw


class Join(Message, tag="join", frozen=True):
    """Come to a table: as a spectator, with the token of one's seat, or with an invitation to take one."""

    table: Name
    token: Name = ""
    invitation: Name = ""
    name: PersonName = ""


class Leave(Message, tag="leave", frozen=True):
    """Leave the table for good: the game ends."""


class Rematch(Message, tag="rematch", frozen=True):
    """Play again with other seats, once everybody wants it."""


class Show(Message, tag="show", frozen=True):
    """Let others watch what this tab plays, and perhaps list it among the games that run now; or no longer."""

    on: bool = True
    listed: bool = False


class Export(Message, tag="export", frozen=True):
    """Make a file of a kept game. Never from a browser by this way: it asks by HTTP."""

    id: Name
    form: Literal["html", "gif", "png", "svg"]
    step: Step | None = None
    language: Literal["en", "fr"] = "en"
    theme: Literal["dark", "light", "contrast", "paper", "terminal"] = "dark"
    thoughts: bool = False  # of the agents, drawn over pictures


class FromSeat(Message, tag="from_seat", frozen=True):
    """What somebody at a table says, with the seat that the server knows them by. Never from a browser."""

    seat: Annotated[int, Meta(ge=0, le=7)]
    said: Act | Leave | Keep | Describe


class Preview(Message, tag="preview", frozen=True):
    """Moments of a room, for the gallery; a still one is there before kernels are."""

    game: Name
    still: bool = False


class Look(Setting, tag="look", frozen=True):
    """The first picture of a level, or what is wrong with its text."""


class Check(Setting, tag="check", frozen=True):
    """Can this level be won? The room's solver answers with a plan."""


class Generate(Message, tag="generate", frozen=True):
    """Make a new level with these settings of the generator, or give up after so many seconds."""

    game: Name
    settings: dict[Name, Value] = {}
    seconds: Annotated[int, Meta(ge=1, le=60)] = 45


class Bench(Message, tag="bench", frozen=True):
    """Play every agent on every level and seed, or every two agents against each other; keep the games, sum them up."""

    game: Name
    agents: Annotated[list[Name], Meta(min_length=1, max_length=12)]
    first_seed: Seed = 1
    last_seed: Seed = 10
    levels: Annotated[list[Name], Meta(max_length=400)] = []  # none: what each seed makes, or all that are shipped
    match: bool = False  # every two agents, each seed twice with the seats swapped
    nodes: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None
    seconds: Annotated[float, Meta(ge=0, le=MAX_SECONDS)] | None = None
    options: dict[Name, Value] = {}


class Audit(Message, tag="audit", frozen=True):
    """Which kept games are meant; as an opening: play all of these again and remember whether they hold."""

    game: Name = ""
    agent: Name = ""  # sat anywhere
    opponent: Name = ""  # sat there too
    level: Name = ""
    outcome: Name = ""
    seeds: Name = ""  # `7` or `3-9`
    agents: Name = ""  # a line of the compare page: exactly these, ...
    budget: Name = ""  # ... with that budget ...
    rules: Name = ""  # ... under those rules
    imported: Name = ""  # anything here counts imported games too
    verdict: Name = ""  # verified, differs, cannot be checked, or unchecked


class Verify(Message, tag="verify", frozen=True):
    """Play a trace again and say whether it holds."""

    data: bytes
    source: Name


FromBrowser: TypeAlias = (
    Watch
    | Play
    | Replay
    | Ack
    | Overlay
    | Act
    | Undo
    | Restart
    | Hint
    | Analyse
    | Review
    | Describe
    | Solve
    | Position
    | TakeOver
    | Keep
    | Look
    | Check
    | Generate
    | Bench
    | Audit
    | Join
    | Leave
    | Rematch
    | Show
)
Opening: TypeAlias = Watch | Play | Replay | Look | Check | Generate | Bench | Audit  # first on a connection
FromServer: TypeAlias = FromBrowser | Preview | Verify | Host | FromSeat | Export
OPENINGS = (Watch, Play, Replay, Look, Check, Generate, Bench, Audit)

_decoder = msgspec.json.Decoder(FromBrowser)


def error(text: str) -> Answer:
    """Return a sentence for the person before the screen."""
    return {"m": "error", "text": text}


def read(text: str | bytes) -> FromBrowser:
    """The message in `text`; a ValueError says in words what is wrong with it."""
    if len(text) > MAX_MESSAGE_BYTES:
        raise ValueError(f"the message is longer than {MAX_MESSAGE_BYTES} characters")
    try:
        message: FromBrowser = _decoder.decode(text)
    except msgspec.ValidationError as error:
        raise ValueError(f"not a message of this page: {in_words(error)}") from None
    except (msgspec.DecodeError, RecursionError):
        raise ValueError("not a message of this page: it is not JSON, or nested too deeply") from None
    return message
