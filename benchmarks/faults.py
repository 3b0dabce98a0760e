"""Faults of many kinds, injected while labels are stored: what was acknowledged is kept, or it is told.

    .venv/bin/python benchmarks/faults.py [--each 50] [--seed 0] [--kinds kill,...] [--output FILE]

Each fault has a folder and programs of its own (forked from this one, which opens no store itself). A writer
stores records and tells of each once it is acknowledged; something happens to it or its file; then another
program opens what is there. Lost, doubled or changed is what was acknowledged and is not found again just so.
That may be only where somebody was told: the writer by an error, or who opens the file by an error, a problem
or a notice, in the words that belong to the fault.
"""

import argparse
import multiprocessing
import os
import re
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from activeeval_widgets.session import SessionConflictError, SQLiteStore, StoreError
from activeeval_widgets.session.stores import shared_file

FORK = multiprocessing.get_context("fork")
IDENTITY = {"pool": "p"}
DAMAGE = r"damaged|not an SQLite file|not one of activeeval|newer version|can't be used|can't be read"
LOSS = r"is gone|is a different file|was cut|was deleted or replaced"
MISSING = r"may be missing"
OUTCOMES = ("kept", "kept, and told", "told", "LOST")


@dataclass
class Program:
    """A process that stores records, and what it told."""

    process: Any
    pipe: Any
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def listen(self, seconds: float = 0.0, *, until: int | None = None) -> None:
        """Take what it tells, for a while, or until so many records are acknowledged, or to its end."""
        end = time.monotonic() + seconds
        with suppress(EOFError, OSError):
            while self.pipe.poll(max(0.0, end - time.monotonic())):
                kind, content = self.pipe.recv()
                (self.acknowledged if kind == "stored" else self.told).append(content)
                if until is not None and len(self.acknowledged) >= until:
                    return

    def finish(self, seconds: float = 60.0) -> None:
        """Listen to its end."""
        end = time.monotonic() + seconds
        while self.process.is_alive() and time.monotonic() < end:
            self.listen(0.02)
        self.listen()
        if self.process.is_alive():
            self.told.append("it did not end")
            self.process.kill()
        self.process.join()

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.join()
        self.listen()


def start(act: Callable[..., None], *arguments: Any) -> Program:
    """Run something in a process of its own; it is given a function to tell with, first."""
    receive, send = FORK.Pipe(duplex=False)

    def run() -> None:
        receive.close()
        try:
            act(lambda kind, content: send.send((kind, content)), *arguments)
        except StoreError as error:
            send.send(("told", str(error)))
        send.close()

    process = FORK.Process(target=run)
    process.start()
    send.close()
    return Program(process, receive)


def write(tell: Callable[..., None], path: Path, n: int, seed: int, pause: float = 0.0) -> None:
    """Store records until one is refused."""
    store = SQLiteStore(path)
    go_on(tell, store, n, seed, pause)
    store.close()


def go_on(tell: Callable[..., None], store: SQLiteStore, n: int, seed: int, pause: float = 0.0) -> None:
    rng = Random(seed)
    before = len(store.begin("a", IDENTITY))
    for seq in range(before + 1, before + n + 1):
        value = rng.getrandbits(60)
        store.append("a", {"kind": "label", "seq": seq, "value": value, "filler": "x" * rng.randrange(400)})
        tell("stored", (seq, value))
        time.sleep(pause)


def read(tell: Callable[..., None], path: Path) -> None:
    """Tell what a file holds, and what is told of it."""
    store = SQLiteStore(path)
    for record in store.begin("a", IDENTITY):
        tell("stored", (record["seq"], record["value"]))
    for text in [*filter(None, [store.problem]), *store.notices]:
        tell("told", text)
    store.close()


def judge(writers: list[Program], path: Path, words: str) -> tuple[str, str]:
    """Compare what was acknowledged with what is found."""
    if not path.exists():
        found = Program(None, None)
    else:
        found = start(read, path)
        found.finish()
    acknowledged = [each for writer in writers for each in writer.acknowledged]
    by_number = dict(found.acknowledged)
    missing = [each for each in acknowledged if by_number.get(each[0]) != each[1]]
    doubled = len(acknowledged) - len(dict(acknowledged)) + len(found.acknowledged) - len(by_number)
    told = [text for program in [*writers, found] for text in program.told]
    if not missing and not doubled:
        return ("kept, and told" if told else "kept"), ""
    if any(re.search(words, text) for text in told):
        return "told", ""
    return "LOST", f"{len(missing)} missing, {doubled} doubled of {len(acknowledged)}; told: {told}"


def begun(path: Path, rng: Random, *, n: int = 400, pause: float = 0.0) -> Program:
    """A writer that has stored some records."""
    writer = start(write, path, n, rng.getrandbits(30), pause)
    writer.listen(30, until=rng.randrange(1, 20))
    return writer


def flip(path: Path, rng: Random) -> None:
    """Change one bit."""
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def closed(path: Path, rng: Random) -> Program:
    """A writer that has ended as it should."""
    writer = start(write, path, rng.randrange(3, 25), rng.getrandbits(30))
    writer.finish()
    return writer


# -- the kinds of faults: each returns the programs that stored something, and the words that tell ---------

Fault = tuple[list[Program], Path, str]


def kill(path: Path, rng: Random) -> Fault:
    """kill -9 of the writer at a random moment"""
    writer = begun(path, rng)
    time.sleep(rng.random() * 0.05)
    writer.kill()
    return [writer], path, "nothing may be missing"


def kill_at_once(path: Path, rng: Random) -> Fault:
    """kill -9 while the file is made and the session begun"""
    writer = start(write, path, 400, rng.getrandbits(30))
    time.sleep(rng.random() * 0.05)
    writer.kill()
    return [writer], path, "nothing may be missing"


def kill_opened_twice(path: Path, rng: Random) -> Fault:
    """opened twice in one process, opened and closed by another program, then kill -9"""

    def act(tell: Callable[..., None]) -> None:
        first = SQLiteStore(path)
        first.begin("a", IDENTITY)
        second = SQLiteStore(path)
        go_on(tell, second, 300, rng.getrandbits(30))

    writer = start(act)
    writer.listen(30, until=rng.randrange(1, 10))
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM events").fetchall()
    writer.listen(30, until=len(writer.acknowledged) + rng.randrange(1, 10))
    writer.kill()
    return [writer], path, MISSING


def second_session(path: Path, rng: Random) -> Fault:
    """two openings of one session in one process take turns"""

    def act(tell: Callable[..., None], seed: int) -> None:
        turns = Random(seed)
        stores = [SQLiteStore(path) for _ in range(2)]
        following = [len(store.begin("a", IDENTITY)) + 1 for store in stores]
        for _ in range(30):
            which = turns.randrange(2)
            value = turns.getrandbits(60)
            try:
                stores[which].append("a", {"kind": "label", "seq": following[which], "value": value})
                tell("stored", (following[which], value))
                following[which] += 1
            except SessionConflictError:
                following[which] = len(stores[which].begin("a", IDENTITY)) + 1

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    return [writer], path, "continued elsewhere"


def two_programs(path: Path, rng: Random) -> Fault:
    """two programs begin a session together, and go on in it"""
    writers = [start(write, path, 40, rng.getrandbits(30), 0.001) for _ in range(2)]
    for writer in writers:
        writer.finish()
    if not any(writer.acknowledged for writer in writers):
        writers[0].acknowledged.append((0, 0))  # neither could: that is a fault, too
    return writers, path, "nothing may be missing"


def stop(path: Path, rng: Random) -> Fault:
    """the writer is stopped (SIGSTOP) amid its work, another one goes on, then it continues"""
    first = begun(path, rng, n=120)
    os.kill(first.process.pid, signal.SIGSTOP)
    first.listen()
    second = start(write, path, rng.randrange(1, 8), rng.getrandbits(30))
    second.listen(0.3)
    os.kill(first.process.pid, signal.SIGCONT)
    second.finish()
    first.finish()
    return [first, second], path, "nothing may be missing"


def delete(path: Path, rng: Random) -> Fault:
    """the file is deleted while it is in use"""
    writer = begun(path, rng, pause=0.002)
    path.unlink()
    writer.finish()
    return [writer], path, LOSS


def rename(path: Path, rng: Random) -> Fault:
    """the file is moved while it is in use"""
    writer = begun(path, rng, pause=0.002)
    path.rename(path.with_name("moved.sqlite"))
    writer.finish()
    return [writer], path, LOSS


def replace(path: Path, rng: Random) -> Fault:
    """the file is replaced by an older copy while it is in use"""
    writer = begun(path, rng, pause=0.002)
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    writer.listen(30, until=len(writer.acknowledged) + 3)
    copy.replace(path)
    writer.finish()
    return [writer], path, LOSS


def truncate(path: Path, rng: Random) -> Fault:
    """the file is cut while it is in use"""
    writer = begun(path, rng, pause=0.002)
    os.truncate(path, rng.randrange(path.stat().st_size))
    writer.finish()
    return [writer], path, f"{LOSS}|{DAMAGE}"


def delete_log(path: Path, rng: Random) -> Fault:
    """the -wal file is deleted while it is in use"""
    writer = begun(path, rng, pause=0.002)
    log_of(path).unlink(missing_ok=True)
    writer.finish()
    return [writer], path, f"{LOSS}|{MISSING}"


def truncate_log(path: Path, rng: Random) -> Fault:
    """the -wal file is cut while it is in use"""
    writer = begun(path, rng, pause=0.002)
    with suppress(FileNotFoundError):
        os.truncate(log_of(path), 0)
    writer.finish()
    return [writer], path, f"{LOSS}|{MISSING}|{DAMAGE}"


def copy_without_log(path: Path, rng: Random) -> Fault:
    """a copy without the -wal file, made while it is in use"""
    writer = begun(path, rng, pause=0.002)
    writer.listen()
    known = list(writer.acknowledged)
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    writer.kill()
    writer.acknowledged = known
    return [writer], copy, f"{MISSING}|{DAMAGE}"


def kill_delete_log(path: Path, rng: Random) -> Fault:
    """kill -9, then the -wal file is deleted"""
    writer = begun(path, rng)
    writer.kill()
    log_of(path).unlink(missing_ok=True)
    return [writer], path, MISSING


def kill_cut_log(path: Path, rng: Random) -> Fault:
    """kill -9, then the -wal file is cut"""
    writer = begun(path, rng)
    writer.kill()
    size = log_of(path).stat().st_size
    os.truncate(log_of(path), rng.randrange(size))
    return [writer], path, f"{MISSING}|{DAMAGE}"


def kill_flip_log(path: Path, rng: Random) -> Fault:
    """kill -9, then one bit of the -wal file is flipped"""
    writer = begun(path, rng)
    writer.kill()
    flip(log_of(path), rng)
    return [writer], path, f"{MISSING}|{DAMAGE}"


def flip_bit(path: Path, rng: Random) -> Fault:
    """one bit of the file is flipped"""
    writer = closed(path, rng)
    flip(path, rng)
    return [writer], path, DAMAGE


def flip_value(path: Path, rng: Random) -> Fault:
    """one bit of a stored value is flipped"""
    writer = closed(path, rng)
    content = bytearray(path.read_bytes())
    _, value = rng.choice(writer.acknowledged)
    at = content.index(str(value).encode()) + rng.randrange(len(str(value)))
    content[at] ^= 1 << rng.randrange(4)  # mostly another digit: still JSON
    path.write_bytes(content)
    return [writer], path, DAMAGE


def drop_events(path: Path, rng: Random) -> Fault:
    """events are deleted from the file, by another program"""
    writer = closed(path, rng)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("DELETE FROM events WHERE seq >= ?", (rng.randrange(1, len(writer.acknowledged) + 1),))
    return [writer], path, DAMAGE


def exchange_events(path: Path, rng: Random) -> Fault:
    """two events are exchanged, by another program"""
    writer = closed(path, rng)
    first, second = sorted(rng.sample(range(1, len(writer.acknowledged) + 1), 2))
    with closing(sqlite3.connect(path)) as other, other:
        texts = dict(other.execute("SELECT seq, record FROM events").fetchall())
        for seq, text in ((first, texts[second]), (second, texts[first])):
            other.execute("UPDATE events SET record = ? WHERE seq = ?", (text, seq))
    return [writer], path, DAMAGE


def full_disk(path: Path, rng: Random) -> Fault:
    """the disk is full: no file grows beyond a limit"""

    def act(tell: Callable[..., None], seed: int) -> None:
        store = SQLiteStore(path)
        store.begin("a", IDENTITY)
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        limit = Random(seed).randrange(20_000, 70_000)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        go_on(tell, store, 400, seed)

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    if not writer.told:
        writer.acknowledged.append((0, 0))
    return [writer], path, "nothing may be missing"


def full_when_opened(path: Path, rng: Random) -> Fault:
    """a file is opened on a full disk: it is shown, and what is new is refused"""
    first = closed(path, rng)

    def act(tell: Callable[..., None]) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        store = SQLiteStore(path)
        shown = [(record["seq"], record["value"]) for record in store.begin("a", IDENTITY)]
        tell("told" if shown == first.acknowledged else "stored", str(store.problem) if shown else (0, 0))
        go_on(tell, store, 3, 0)

    second = start(act)
    second.finish()
    if len(second.told) != 2:
        second.acknowledged.append((0, 0))
    return [first, second], path, "nothing may be missing"


def read_only(path: Path, rng: Random) -> Fault:
    """the file and its folder may only be read: it is shown, and what is new is refused"""
    first = closed(path, rng)
    path.chmod(0o444)
    path.parent.chmod(0o555)

    def act(tell: Callable[..., None]) -> None:
        if os.geteuid() == 0:
            os.seteuid(65534)
        store = SQLiteStore(path)
        shown = [(record["seq"], record["value"]) for record in store.begin("a", IDENTITY)]
        tell("told" if shown == first.acknowledged else "stored", str(store.problem) if shown else (0, 0))
        go_on(tell, store, 3, 0)

    second = start(act)
    second.finish()
    path.parent.chmod(0o755)
    path.chmod(0o600)
    if len(second.told) != 2:
        second.acknowledged.append((0, 0))
    return [first, second], path, "nothing may be missing"


def lock(path: Path, rng: Random) -> Fault:
    """another program holds a lock for a while"""
    writer = begun(path, rng, n=60)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA busy_timeout = 5000")
        other.execute("BEGIN IMMEDIATE")
        time.sleep(rng.random() * 0.4)
        other.execute("ROLLBACK")
    writer.finish()
    return [writer], path, "nothing may be missing"


def long_reader(path: Path, rng: Random) -> Fault:
    """another program reads all the time, and the writer is killed"""
    writer = begun(path, rng)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM events").fetchall()
        writer.listen(30, until=len(writer.acknowledged) + 5)
        writer.kill()
    return [writer], path, "nothing may be missing"


def fork(path: Path, rng: Random) -> Fault:
    """the process is forked, and its child uses the store, too"""

    def act(tell: Callable[..., None], seed: int) -> None:
        store = SQLiteStore(path)
        go_on(tell, store, 5, seed)
        if os.fork() == 0:
            with suppress(StoreError):
                store.append("a", {"kind": "label", "seq": 6, "value": -1})
            with suppress(StoreError):
                SQLiteStore(path).begin("a", IDENTITY)
            os._exit(0)
        os.wait()
        go_on(tell, store, 5, seed + 1)

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    if len(writer.acknowledged) != 10:
        writer.acknowledged.append((0, 0))
    return [writer], path, "nothing may be missing"


def clock(path: Path, rng: Random) -> Fault:
    """the clock jumps by years, both ways, between records"""

    def act(tell: Callable[..., None], seed: int) -> None:
        jumps = Random(seed)
        time.time = lambda: jumps.uniform(0, 4e9)  # what Python itself is told
        time.monotonic = lambda: jumps.uniform(0, 1e5)
        shared_file.REST_AFTER = 0.01
        write(tell, path, 20, seed, 0.002)

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    if len(writer.acknowledged) != 20:
        writer.acknowledged.append((0, 0))
    return [writer], path, "nothing may be missing"


def at_rest(path: Path, rng: Random) -> Fault:
    """a copy without the -wal file, made when the writer rests: all of it, and nothing to tell"""

    def act(tell: Callable[..., None], seed: int) -> None:
        shared_file.REST_AFTER = 0.05
        store = SQLiteStore(path)
        go_on(tell, store, 5, seed)
        time.sleep(60)

    writer = start(act, rng.getrandbits(30))
    writer.listen(30, until=5)
    copy = path.with_name("copy.sqlite")
    for _ in range(100):
        time.sleep(0.05)
        address = f"file:{path}?mode=ro&immutable=1"
        with closing(sqlite3.connect(address, uri=True)) as other, suppress(sqlite3.Error):
            if other.execute("SELECT count(*) FROM in_use").fetchall() == [(0,)]:
                break
    shutil.copy(path, copy)
    writer.kill()
    return [writer], copy, "nothing may be missing"


KINDS: list[Callable[[Path, Random], Fault]] = [
    kill, kill_at_once, kill_opened_twice, second_session, two_programs, stop, delete, rename, replace,
    truncate, delete_log, truncate_log, copy_without_log, kill_delete_log, kill_cut_log, kill_flip_log,
    flip_bit, flip_value, drop_events, exchange_events, full_disk, full_when_opened, read_only, lock,
    long_reader, fork, clock, at_rest,
]  # fmt: skip


def inject(kind: Callable[[Path, Random], Fault], seed: int) -> tuple[str, str]:
    """One fault, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    folder.chmod(0o755)
    try:
        writers, path, words = kind(folder / "s.sqlite", Random(f"{kind.__name__} {seed}"))
        return judge(writers, path, words)
    finally:
        shutil.rmtree(folder)


def run(kinds: list[Callable[[Path, Random], Fault]], each: int, seed: int) -> Iterator[tuple[Any, ...]]:
    """Rows of the table: kind, faults, kept, kept and told, told, lost, and what was lost."""
    for kind in kinds:
        outcomes = [inject(kind, seed + i) for i in range(each)]
        counts = [
            sum(how == one for how, _ in outcomes) for one in ("kept", "kept, and told", "told", "LOST")
        ]
        yield (kind.__doc__, each, *counts, [what for _, what in outcomes if what])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=50, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", help="names, separated by commas; all unless given")
    parser.add_argument("--output", type=Path, help="where the table goes; it is printed unless given")
    options = parser.parse_args()
    chosen = [kind for kind in KINDS if not options.kinds or kind.__name__ in options.kinds.split(",")]
    lines = [
        "| fault | injected | kept | kept, and told | not kept, but told | not kept, not told |",
        "|---|---|---|---|---|---|",
    ]
    n_faults = n_lost = 0
    for what, each, kept, kept_told, told, lost, details in run(chosen, options.each, options.seed):
        lines.append(f"| {what} | {each} | {kept} | {kept_told} | {told} | {lost} |")
        print(lines[-1], *details[:3], sep="\n", flush=True)
        n_faults, n_lost = n_faults + each, n_lost + lost
    lines.append(f"\n{n_faults} faults of {len(chosen)} kinds; {n_lost} lost something without a word.\n")
    print(lines[-1])
    if options.output:
        options.output.write_text("\n".join(lines))
    return int(n_lost > 0)


if __name__ == "__main__":
    sys.exit(main())
