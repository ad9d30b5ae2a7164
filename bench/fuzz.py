"""Feeds every reader damaged and hostile input: `python bench/fuzz.py --inputs 1000000`.

Resumable: which inputs were tried stands in bench/out/fuzz/progress.json, and input number n of a reader is always the
same. A finding (another error than a sentence, more than two processor seconds, more than one gigabyte) is kept with
its input under bench/out/fuzz/findings; turn it into a test, then fix it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import resource
import shutil
import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import FrameType

from gridsage.cli import flags, store
from gridsage.core import trace
from gridsage.core.errors import GridsageError
from gridsage.games import catalog
from gridsage.store import Store, Wanted, files
from gridsage.store.lines import summaries

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent / "tests"
OUT = HERE / "out" / "fuzz"
SECONDS = 2.0
MEMORY = 1 << 30
BATCH = 200  # inputs between two notes of how far it is
TOKENS = [
    b"9" * 40, b"-" + b"9" * 40, b"1e999", b"NaN", b"-1", b"0", b"7", b"4294967296", b"0." + b"3" * 500, b"9" * 5000,
    b"\x00", b"\xff\xfe", b"\xf0\x9f\x92\xa3", b"\\ud800", b"null", b"true", b'"', b"{", b"[" * 2000, b'{"a":' * 2000,
    b"\n" * 50, b"\r\n", b"\t", b"#" * 3000, b"<!ENTITY a 'b'>", b"<a>" * 2000, b"]]>", b"=", b"[[a.b]]", b":", b",",
    b"/" * 300, b"../" * 20, b"x" * 70000, b" ", b"%s%n", b"*", b"-",
]  # fmt: skip


Read = Callable[[bytes], object]


class TooLong(BaseException):
    """More than two processor seconds went by; no reader catches it by accident."""


class Reader:
    """Something that reads what people bring, with inputs that it takes."""

    def __init__(self, read: Read, corpus: list[bytes], errors: tuple[type[Exception], ...] = (GridsageError,)) -> None:
        self.read, self.corpus, self.errors = read, corpus, errors

    def input(self, name: str, number: int) -> bytes:
        """Input `number`, the same every time."""
        chance = random.Random(f"{name}:{number}")
        data = bytearray(chance.choice(self.corpus))
        for _ in range(1 + int(chance.expovariate(0.5))):
            _mutate(data, self.corpus, chance)
        return bytes(data)


def _mutate(data: bytearray, corpus: list[bytes], chance: random.Random) -> None:
    place = chance.randrange(len(data) + 1)
    length = min(len(data) - place, int(chance.expovariate(0.05)))
    match chance.randrange(8):
        case 0 if place < len(data):
            data[place] ^= 1 << chance.randrange(8)
        case 1:
            del data[place : place + length]
        case 2:
            data[place:place] = data[place : place + length] * chance.randint(1, 4)
        case 3 | 4:
            data[place : place + length] = chance.choice(TOKENS)
        case 5:
            del data[place:]
        case 6:
            other = chance.choice(corpus)
            start = chance.randrange(len(other) + 1)
            data[place : place + length] = other[start : start + int(chance.expovariate(0.01))]
        case _:
            data[place:place] = chance.randbytes(chance.randint(1, 8))


# The readers


def readers(folder: Path) -> dict[str, Reader]:
    """Every reader by name."""
    traces = [path.read_bytes() for path in [*TESTS.glob("golden/*/*.trace"), *TESTS.glob("store/**/*.trace")]]
    traces = sorted(traces, key=len)[:40]
    plain = [gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data for data in traces]
    kept = [data + b'\n{"kept":2,"stored":1.5,"figures":{"a":1.0,"b":"c"},"imported":true}' for data in plain]
    found = {
        "trace packed": Reader(lambda data: trace.decode(data, "file"), traces),
        "trace": Reader(lambda data: trace.decode(data, "file"), plain),
        "kept game": Reader(lambda data: files.read(data, "file"), kept),
        "pack": Reader(_pack_reader(folder), [_pack(folder, traces)]),
        "index": Reader(_index_reader(folder), [_index(folder)]),
        "agent": Reader(_text(catalog.parse_agent), [b"astar:sum_robots=true", b"bot.py:Bot:depth=3"]),
        "seeds": Reader(_text(flags.seed_range), [b"20", b"5-9"]),
        "shard": Reader(_text(flags.Shard.read), [b"3/16"]),
        "age": Reader(_text(store.read_age), [b"30d", b"1y"]),
    }
    for name in catalog.BUILT_IN:
        found |= _room_readers(name, folder)
    return found | _records() | _personality() | _message()


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda data: read(data.decode("utf-8", "surrogateescape"))


def _room_readers(name: str, folder: Path) -> dict[str, Reader]:
    room = catalog.room(name)
    if room.rules.missing() is not None:
        return {}
    texts = {level: room.levels.text(level) for level in room.levels.names()}
    if room.levels.of_seed is not None:
        texts |= {f"seed {seed}": room.levels.of_seed(seed).text for seed in range(5)}
    corpus = [text.encode() for text in texts.values()]
    found = {f"{name} level": Reader(_text(room.rules.game().parse), corpus)} if corpus else {}
    keys = [key.encode() for key in room.rules.options.__struct_fields__]
    fields = [key + value for key in keys for value in (b"=1", b"=x", b"=true")]
    if fields:
        found[f"{name} options"] = Reader(
            _text(lambda text: catalog.options(room, dict([text.partition("=")[::2]]))), fields
        )
    if room.levels.read is not None and corpus:
        forms = {".txt": corpus}
        for form, write in room.levels.write.items():
            forms[f".{form}"] = _written(write, texts.values())
        for suffix, samples in forms.items():
            if samples:
                path = folder / f"{name}{suffix}"
                read = room.levels.read
                found[f"{name} file {suffix}"] = Reader(
                    lambda data, path=path, read=read: _from_file(path, data, read), samples
                )
    return found


def _written(write: Callable[[str], str], texts: Iterable[str]) -> list[bytes]:
    found = []
    for text in texts:
        try:
            found.append(write(text).encode())
        except GridsageError:
            continue  # not every level can be said in every format
    return found


def _from_file(path: Path, data: bytes, read: Callable[[Path], object]) -> None:
    path.write_bytes(data)
    try:
        read(path)
    except UnicodeDecodeError:
        pass  # the caller says that it is not a text file


def _records() -> dict[str, Reader]:
    from gridsage.games.ricochet.level import parse
    from gridsage.games.ricochet.level.record import parse_record, to_record

    room = catalog.room("ricochet")
    corpus = [to_record(parse(room.levels.text(name))).encode() for name in room.levels.names()]
    return {"record": Reader(_text(parse_record), corpus)}


def _personality() -> dict[str, Reader]:
    from gridsage.games.nethack.agents import personality

    corpus = [path.read_bytes() for path in personality.FOLDER.glob("*.toml")]
    read = _text(lambda text: personality.parse(text.encode("utf-8", "replace").decode(), "file"))
    return {"personality": Reader(read, corpus)}


def _message() -> dict[str, Reader]:
    try:
        from gridsage.web import messages
    except ImportError:
        return {}
    corpus = [
        b'{"m":"watch","game":"stroll","agent":"straight","level":"short","seed":1,"nodes":10}',
        b'{"m":"bench","game":"nim","agents":["modulo"],"first_seed":1,"last_seed":9,"options":{"a":"b"}}',
        b'{"m":"audit","game":"nim","seeds":"3-9"}',
    ]
    return {"message": Reader(messages.read, corpus, (ValueError, GridsageError))}


def _pack(folder: Path, traces: list[bytes]) -> bytes:
    shelf = files.Files(folder / "pack")
    games = [files.read(data, "file") for data in traces[:20]]
    drafts = [files.Draft(game.name, game.trace, files.Notes(2, 1.0)) for game in games]
    shelf.save_pack([(draft.name, files.packed(draft.trace, draft.notes)) for draft in drafts])
    (path,) = shelf.packs()
    return path.read_bytes()


def _pack_reader(folder: Path) -> Callable[[bytes], object]:
    def read(data: bytes) -> None:
        path = folder / "fuzzed.pack"
        path.write_bytes(data)
        for record in files.records(path):
            try:
                files.read(record.data, record.name)
            except GridsageError:
                continue

    return read


def _index(folder: Path) -> bytes:
    home = folder / "first"
    shutil.copytree(TESTS / "store" / "first_version", home)
    Store(home).close()
    return (home / "index.sqlite").read_bytes()


def _index_reader(folder: Path) -> Callable[[bytes], object]:
    def read(data: bytes) -> None:
        home = folder / "first"
        for path in home.glob("index.sqlite*"):
            path.unlink()
        (home / "index.sqlite").write_bytes(data)
        kept = Store(home)
        try:
            kept.rows(Wanted(game="stroll"), limit=10)
            list(kept.each())
            with kept.selected(Wanted()) as found:
                summaries(found, kept.line_names())
        finally:
            kept.close()

    return read


# Trying them


def tried(reader: Reader, data: bytes) -> str:
    """What was wrong with reading `data`; empty if a value or a sentence came back in time."""
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        reader.read(data)
    except reader.errors as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        str(error).encode("utf-8", "backslashreplace")
    except TooLong:
        return f"more than {SECONDS} s\n{traceback.format_exc()}"
    except (Exception, SystemExit):
        signal.setitimer(signal.ITIMER_PROF, 0)
        return traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    spent = time.process_time() - began
    return f"{spent:.1f} s" if spent > SECONDS else ""


def _ring(number: int, frame: FrameType | None) -> None:
    raise TooLong


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


def rounds(names: list[str], each: int, done: dict[str, int]) -> Iterator[tuple[str, range]]:
    """What to try next, a batch of every reader in turn."""
    while todo := [name for name in names if done.get(name, 0) < each]:
        for name in todo:
            start = done.get(name, 0)
            yield name, range(start, min(each, start + BATCH))


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("--inputs", type=int, default=100_000, help="of all readers together")
    asks.add_argument("--only", default="", help="readers whose name has this word")
    asks.add_argument("--out", type=Path, default=OUT)
    asked = asks.parse_args()
    progress, findings = asked.out / "progress.json", asked.out / "findings"
    findings.mkdir(parents=True, exist_ok=True)
    done: dict[str, int] = json.loads(progress.read_text()) if progress.exists() else {}
    signal.signal(signal.SIGPROF, _ring)
    with tempfile.TemporaryDirectory(prefix="gridsage-fuzz-") as folder:
        found = readers(Path(folder))
        names = [name for name in found if asked.only in name]
        _limit_memory()
        for name, numbers in rounds(names, asked.inputs // len(found), done):
            for number in numbers:
                data = found[name].input(name, number)
                if problem := tried(found[name], data):
                    stem = f"{name.replace(' ', '_')}-{number}"  # a reader's name may have a dot
                    (findings / f"{stem}.bin").write_bytes(data)
                    (findings / f"{stem}.txt").write_text(problem, errors="backslashreplace")
            done[name] = numbers.stop
            progress.write_text(json.dumps(done))
    problems = sorted(findings.glob("*.txt"))
    print(f"{sum(done.values()):,} inputs for {len(done)} readers, {len(problems)} findings in {findings}")
    for path in problems[:20]:
        print(f"  {path.stem}: {path.read_text().strip().splitlines()[-1][:100]}")


if __name__ == "__main__":
    main()
