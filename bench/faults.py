"""Let faulty agents of every kind play beside honest ones, and count what goes wrong around them.

python bench/faults.py --games 1000 --mode inline|pool|page. The last line is the figure.
"""

from __future__ import annotations

import argparse
import itertools
import os
import tempfile
import textwrap
import time
from collections import Counter
from pathlib import Path

import psutil

from gridsage.arena import executors, tournament
from gridsage.arena.conditions import Conditions
from gridsage.arena.external import check, walls
from gridsage.core.game import Budget
from gridsage.core.trace import FAULTS, AgentSpec, Episode, Result, encode
from gridsage.games import catalog

ROOMS = ("ricochet", "ricochet-rounds", "loderunner", "delirium", "nethack", "pushem")
LIMIT, BANK, BEGIN = 0.2, 0.3, 3.0  # seconds
SLACK = 1.0  # beyond the limit, for everything else
SETTLE = 10.0
STEPS = 6
HONEST_EVERY = 10  # one game in so many is an honest agent's

# What an agent may do wrong at any moment of its life.
DEEDS = {
    "sleeps": "time.sleep(7777)",
    "spins": "while True: pass",
    "waits for a lock": "lock = threading.Lock(); lock.acquire(); lock.acquire()",
    "matches for ever": "re.match(r'(a+)+$', 'a' * 64 + 'b')",
    "sums for ever": "sum(range(10**15))",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "stops its group": "os.killpg(0, signal.SIGSTOP)",
    "hears no signal": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 15)]; time.sleep(7777)",
    "swallows everything": "swallow()",
    "exits well": "sys.exit(0)",
    "exits badly": "sys.exit(3)",
    "vanishes": "os._exit(0)",
    "raises": "1 / 0",
    "raises in a foreign tongue": "raise ValueError('\\ud800\\x1b[31m')",
    "interrupts itself": "raise KeyboardInterrupt",
    "recurses": "recurse()",
    "segfaults": "os.kill(os.getpid(), signal.SIGSEGV)",
    "aborts": "os.abort()",
    "kills itself": "os.kill(os.getpid(), signal.SIGKILL)",
    "kills its parent": "os.kill(os.getppid(), signal.SIGKILL); time.sleep(7777)",
    "kills everybody": "[kill(p) for p in range(2, 5000) if p != os.getpid()]; time.sleep(7777)",
    "terminates its group": "os.killpg(0, signal.SIGTERM); time.sleep(7777)",
    "eats memory": "hog = [bytearray(1 << 24) for _ in range(10**6)]",
    "eats it in one bite": "hog = bytearray(1 << 40)",
    "fills the disk": "fill('/tmp')",
    "fills shared memory": "fill('/dev/shm')",
    "opens too much": "files = [open('/dev/null') for _ in range(10**6)]",
    "forks once": "os.fork(); time.sleep(7777)",
    "forks for ever": "forks()",
    "starts threads": "threads()",
    "leaves a daemon": "daemon(); sys.exit(0)",
    "leaves a child": "subprocess.Popen(['sleep', '7777']); sys.exit(0)",
    "floods its log": "while True: os.write(2, b'y' * 65536)",
    "says nothing and closes its log": "os.close(2); time.sleep(7777)",
    "closes its input": "os.close(0); time.sleep(7777)",
    "removes itself": "shutil.rmtree(os.path.dirname(os.path.abspath(__file__)), True); sys.exit(1)",
    "asks the network": "socket.create_connection(('127.0.0.1', 22), 0.1)",
}
# What only makes sense as an answer to a turn, on the wire.
ANSWERS = {
    "closes its output": "os.close(1); time.sleep(7777)",
    "prints HTML": "print('<html></html>', flush=True)",
    "prints half a line": "sys.stdout.write('{'); sys.stdout.flush(); time.sleep(7777)",
    "prints bytes": "os.write(1, bytes(range(256)) + b'\\n')",
    "prints ten megabytes": "print('x' * 10_000_000, flush=True)",
    "floods": "while True: os.write(1, b'x' * 65536)",
    "floods with lines": "while True: os.write(1, b'{}\\n' * 9999)",
    "thinks for ever": "while True: say(type='info', text='hm')",
    "thinks nonsense": "say(type='info', nodes='many')",
    "sends NaN": 'print(\'{"type":"act","turn":0,"action":NaN}\', flush=True)',
    "sends null": "print('null', flush=True)",
    "sends a list": "print('[1,2]', flush=True)",
    "sends a number": "print('7', flush=True)",
    "sends a float": "say(type='act', turn=m['turn'], action=0.5)",
    "sends a huge number": "say(type='act', turn=m['turn'], action=10**30)",
    "sends a negative number": "say(type='act', turn=m['turn'], action=-1)",
    "sends no action": "say(type='act', turn=m['turn'])",
    "sends no turn": "say(type='act', action=m['legal'][0])",
    "answers too early": "say(type='act', turn=m['turn'] + 1, action=m['legal'][0])",
    "answers twice": "act(m); act(m)",
    "answers ten times": "[act(m) for _ in range(10)]",
    "answers an unknown label": "act(m, 'sideways')",
    "answers an illegal action": "act(m, 99_999)",
    "answers an empty line for ever": "while True: os.write(1, b'\\n' * 9999)",
    "is ready again": "say(type='ready')",
    "begins": "say(type='begin')",
    "gives up": "say(type='error', text='no idea')",
    "gives up with a lie": "say(type='error', text='x', ending='took the last')",
    "nests": "print('[' * 500_000, flush=True)",
    "turns plain too late": "print('plain', flush=True)",
}
CLASS_DEEDS = {
    "returns nothing": "return None",
    "returns a number": "return 0",
    "returns a word": "return Decision('left')",
    "returns no thoughts": "return Decision(0, 'thoughts')",
    "returns bad thoughts": "return Decision(0, Thoughts(nodes='x', path=object()))",
    "returns unwritable thoughts": "return Decision(0, Thoughts(text='\\ud800'))",
    "returns an illegal action": "return Decision(99_999)",
    "writes into the wire": "[os.write(n, b'x\\n') for n in range(3, 12) if wire(n)]; return Decision(99_999)",
    "patches the rules": "patch(); return Decision(99_999)",
    "leaves like a person": "raise StopGame",
}
HELP = """
import json, os, re, shutil, signal, socket, subprocess, sys, threading, time
sys.setrecursionlimit(10**9)

def say(**message):
    print(json.dumps(message), flush=True)

def act(m, action=None):
    say(type="act", turn=m["turn"], action=m["legal"][0] if action is None else action)

def swallow():
    while True:
        try:
            time.sleep(7777)
        except BaseException:
            pass

def recurse():
    return recurse() + 1

def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass

def fill(folder):
    for number in range(10**6):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(b"x" * (15 << 20))

def forks():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)

def threads():
    while True:
        threading.Thread(target=time.sleep, args=(7777,), daemon=True).start()

def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sh", ["sh", "-c", "trap '' 1 2 15; sleep 7777"])
        os._exit(0)
    os.wait()

def wire(number):
    try:
        return os.fstat(number) is not None
    except OSError:
        return False

def patch():
    from gridsage.core import game
    game.Outcome.__init__ = None
"""
SCRIPT = (
    HELP
    + """
{at_import}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "begin":
{at_begin}
        say(type="ready")
    elif m["type"] == "turn":
{at_turn}
        act(m)
    else:
{at_end}
        break
"""
)
CLASS = (
    HELP
    + """
from gridsage.core.game import Decision, StopGame, Thoughts
{at_import}
class Bot:
    name = "bot"
    def __init__(self):
{at_init}
        pass
    def begin(self, briefing):
{at_begin}
        pass
    def decide(self, observation, budget):
{at_decide}
        return Decision(99_999)
    def close(self):
{at_close}
        pass
"""
)
MOMENTS = {"script": ("import", "begin", "turn", "end"), "class": ("init", "begin", "decide")}


def write(folder: Path, number: int, template: str, moment: str, deed: str) -> str:
    place = folder / f"faulty{number}"
    place.mkdir()
    moments = ("import", "init", "begin", "turn", "decide", "end", "close")
    bodies = {f"at_{name}": deed if name == moment else "pass" for name in moments}
    indented = {key: body if key == "at_import" else textwrap.indent(body, " " * 8) for key, body in bodies.items()}
    path = place / "bot.py"
    text = template
    for key, body in indented.items():
        text = text.replace(f"{{{key}}}", body)
    path.write_text(text)
    return f"python {path}" if template is SCRIPT else f"{path}:Bot"


def kinds(folder: Path) -> dict[str, str]:
    """Return every kind of faulty agent by name: what it does, and when."""
    found: dict[str, str] = {}
    numbers = itertools.count()
    for deed, code in DEEDS.items():
        for moment in MOMENTS["script"]:
            found[f"script: {deed} ({moment})"] = write(folder, next(numbers), SCRIPT, moment, code)
    for deed, code in ANSWERS.items():
        for moment in ("begin", "turn"):
            body = code.replace("m['turn']", "m.get('turn', 0)").replace("m['legal'][0]", "m.get('legal', [0])[0]")
            body = body.replace("act(m", "act({'turn': 0, 'legal': [0], **m}")
            found[f"script: {deed} ({moment})"] = write(folder, next(numbers), SCRIPT, moment, body)
    for deed, code in {**CLASS_DEEDS, "sleeps": DEEDS["sleeps"], "raises": "1 / 0", "exits": "sys.exit(0)"}.items():
        for moment in MOMENTS["class"] if not code.startswith(("return", "[os", "patch")) else ("decide",):
            found[f"class: {deed} ({moment})"] = write(folder, next(numbers), CLASS, moment, code)
    (folder / "plain.txt").write_text("no program")
    found |= {
        f"command: {name}": name for name in ("./nosuchfile", "nosuchprogram x", f"{folder}/plain.txt", "cmd:true")
    }
    found |= {
        f"command: {name}": name for name in ("cat -", "yes x", "sleep 7777", "cat /dev/zero", "echo hello there")
    }
    return found


def games(faulty: dict[str, str], count: int) -> tuple[list[Episode], list[Episode], dict[str, str]]:
    """Return the faulty games, the honest ones, and the kind of each faulty game by its id."""
    bad: dict[str, Episode] = {}
    names: dict[str, str] = {}
    budget = Budget(seconds=LIMIT)
    shifted = ((shift, place, kind) for shift in itertools.count() for place, kind in enumerate(faulty))
    cycle = ((kind, ROOMS[(place + shift) % len(ROOMS)]) for shift, place, kind in shifted)
    seeds = itertools.count(1)
    while len(bad) < count:
        kind, game = next(cycle)
        made = _game(game, faulty[kind], next(seeds), budget)
        bad[made.id], names[made.id] = made, kind
    turns = [ROOMS[number % len(ROOMS)] for number in range(count // HONEST_EVERY)]
    best = {game: catalog.room(game).players.default for game in ROOMS}
    honest = [_game(game, best[game], seed, Budget(nodes=50)) for seed, game in enumerate(turns, 1)]
    return list(bad.values()), honest, names


def _game(game: str, agent: str, seed: int, budget: Budget) -> Episode:
    room = catalog.room(game)
    seats = room.rules.seats_with(catalog.options(room, {}))
    return tournament.episode(room, check.shortest_level(room), [AgentSpec(agent)] * seats, seed, {}, budget, STEPS)


def run(todo: list[Episode], mode: str, conditions: Conditions) -> list[Result]:
    """Return the results; those of the page come through its own bench and its store."""
    if mode != "page":
        return executors.run(todo, jobs=1 if mode == "inline" else 2, conditions=conditions)
    from gridsage.store import Store
    from gridsage.web.games import bench

    with tempfile.TemporaryDirectory() as home:
        store = Store(Path(home))
        bench.Run(todo, store, False, lambda message: None, conditions).play(lambda: False)
        found = store.known([episode.id for episode in todo])
        store.close()
    return [found[episode.id] for episode in todo if episode.id in found]


def strays(before: set[int]) -> list[psutil.Process]:
    """Return processes that are not ours to have: of users nobody has, or that sleep for 7777 seconds."""
    found = []
    for process in psutil.process_iter(["cmdline", "uids", "status"]):
        words = " ".join(process.info["cmdline"] or ())
        is_players = (process.info["uids"] and process.info["uids"].real >= walls.FIRST_USER) or "7777" in words
        if process.pid not in before and (is_players or "/faulty" in words) and process.info["status"] != "zombie":
            found.append(process)
    _, alive = psutil.wait_procs(found, timeout=SETTLE)  # players of another run beside this one do not live that long
    return alive


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--mode", choices=["inline", "pool", "page"], default="inline")
    parser.add_argument("--walls", choices=["auto", "strict", "none"], default="auto")
    parser.add_argument("--show", action="store_true", help="print the ending of every kind")
    given = parser.parse_args()
    conditions = Conditions(walls=given.walls, begin=BEGIN, longest_begin=BEGIN, bank=BANK, memory=768 << 20)
    before = {process.pid for process in psutil.process_iter()}
    for room in ROOMS:
        catalog.ready_room(room)
    with tempfile.TemporaryDirectory(prefix="gridsage-faults-") as name:
        faulty = kinds(Path(name))
        Path(name).chmod(0o755)
        bad, honest, names = games(faulty, given.games)
        alone = {result.trace.episode: encode(result.trace) for result in executors.run(honest)}
        mixed = [*bad]
        for number, episode in enumerate(honest):
            mixed.insert((number + 1) * HONEST_EVERY, episode)
        began = time.monotonic()
        results = run(mixed, given.mode, conditions)
        seconds = time.monotonic() - began
    by_id = {result.trace.episode: result for result in results}
    endings = Counter(by_id[id_].trace.outcome.reason for id_ in names if id_ in by_id)
    if given.show:
        for id_, kind in names.items():
            result = by_id.get(id_)
            if result:
                words = f"{result.trace.outcome.reason}: {result.figures.get('fault', '')!s:.100}"
                print(f"{kind} in {result.trace.game}: {words}")
    print(", ".join(f"{reason} {count}" for reason, count in endings.most_common()))
    allowed = BEGIN + STEPS * (LIMIT + 0.05) + BANK + SLACK
    hangs = [names[id_] for id_ in names if id_ in by_id and by_id[id_].seconds > allowed]
    ruled = sum(count for reason, count in endings.items() if reason not in FAULTS)
    same = sum(encode(by_id[id_].trace) == data for id_, data in alone.items() if id_ in by_id)
    left, longest = strays(before), max(result.seconds for result in results)
    for words in (*hangs, *map(str, left)):
        print(f"hang or stray: {words}")
    print(
        f"{len(names)} games of {len(set(names.values()))} kinds in {len(ROOMS)} rooms, {given.mode}, "
        f"walls {', '.join(walls.standing(given.walls).standing)}: {len(mixed) - len(results)} missing, "
        f"{len(hangs)} hang beyond the limit (longest game {longest:.2f} s of {allowed:.2f}), "
        f"{len(left)} orphans, {ruled} ended by the rules or the step limit, "
        f"{same} of {len(alone)} honest traces identical, {seconds:.0f} s, load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
