"""What can happen to a program that stores records in a file, and to the file."""

import os
import resource
import shutil
import signal
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from fault_programs import IDENTITY, Fault, begun, closed, go_on, judge, start, take_turns, write

from activeeval_widgets.session import SQLiteStore, StoreError
from activeeval_widgets.session.stores import shared_file

DAMAGE = r"damaged|not an SQLite file|not one of activeeval|newer version|can't be used|can't be read"
LOSS = r"is gone|is a different file|was cut|was deleted or replaced"
MISSING = r"may be missing"
OLDER = r"This store had \d+ labels? on .*, now it has \d+ "


def flip(path: Path, rng: Random) -> None:
    """Change one bit."""
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


# -- the kinds of faults: each returns the programs that stored something, and the words that tell ---------


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
    writer = start(take_turns, path, rng.getrandbits(30))
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


def older_copy(path: Path, rng: Random) -> Fault:
    """the file is replaced by an older copy while nobody uses it"""
    writers = [closed(path, rng)]
    copy = path.with_name("copy.sqlite")
    shutil.copy(path, copy)
    n_known = len(writers[0].acknowledged)
    writers.append(start(write, path, rng.randrange(1, 10), rng.getrandbits(30)))
    writers[1].finish()
    copy.replace(path)
    if n_known == 0 or not writers[1].acknowledged:
        writers[1].acknowledged.append((0, 0))
    return writers, path, OLDER


def empty(path: Path, rng: Random) -> Fault:
    """the file is cut to no bytes while nobody uses it"""
    writer = closed(path, rng)
    os.truncate(path, 0)
    return [writer], path, OLDER


def resend(path: Path, rng: Random) -> Fault:
    """a record is sent again, as its acknowledgment got lost: it is refused, and not stored twice"""
    writer = closed(path, rng)

    def act(tell: Callable[..., None]) -> None:
        store = SQLiteStore(path)
        seq, value = store.begin("a", IDENTITY)[-1]["seq"], -1
        for _ in range(2):
            try:
                store.append("a", {"kind": "label", "seq": seq, "value": value})
                tell("stored", (0, 0))
            except StoreError as error:
                tell("told", str(error))

    second = start(act)
    second.finish()
    return [writer, second], path, "continued elsewhere"


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
        time.time = lambda: jumps.uniform(0, 4e9)  # Python's own clock
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
    older_copy, empty, resend,
    truncate, delete_log, truncate_log, copy_without_log, kill_delete_log, kill_cut_log, kill_flip_log,
    flip_bit, flip_value, drop_events, exchange_events, full_disk, full_when_opened, read_only, lock,
    long_reader, fork, clock, at_rest,
]  # fmt: skip


def inject(kind: Callable[[Path, Random], Fault], seed: int) -> tuple[str, str]:
    """One fault, in a folder of its own."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    folder.chmod(0o755)
    os.environ["XDG_DATA_HOME"] = str(folder / "data")  # not the user's own
    try:
        writers, path, words = kind(folder / "s.sqlite", Random(f"{kind.__name__} {seed}"))
        return judge(writers, path, words)
    finally:
        shutil.rmtree(folder)
