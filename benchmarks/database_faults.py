"""What can happen to a program that stores records in PostgreSQL, to its connection, and to the server."""

import atexit
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from urllib.parse import quote

import psycopg
from fault_programs import IDENTITY, Fault, Program, begun, closed, go_on, judge, start, take_turns, write
from postgresql_proxy import Proxy
from postgresql_server import Server

from activeeval_widgets.session import StoreError, open_store
from activeeval_widgets.session.stores import postgresql_connection

DAMAGE = r"damaged"
GONE = r"is gone|are gone|does not exist"
NEVER = "nothing may be missing"


@cache
def server() -> Server:
    """One server for all faults but a full disk."""
    made = Server()
    atexit.register(made.close)
    return made


@cache
def small_server() -> Server:
    """One whose files stay small, but for the labels."""
    made = Server(segments=1)
    atexit.register(made.close)
    return made


def address(schema: str, of: Server | None = None) -> str:
    return f"{(of or server()).address}&schema={schema}"


def execute(schema: str, *statements: str) -> None:
    """Run statements past the store."""
    with psycopg.connect(server().address) as connection:
        connection.read_only = False
        connection.execute(f'SET search_path TO "{schema}"')
        for statement in statements:
            connection.execute(statement)


def wait_for(writer: Program, rng: Random, most: int = 8) -> None:
    """Let some more records be stored."""
    writer.listen(30, until=len(writer.acknowledged) + rng.randrange(1, most))


# -- the program ------------------------------------------------------------------------------------------


def kill(schema: str, rng: Random) -> Fault:
    """kill -9 of the writer at a random moment"""
    writer = begun(address(schema), rng)
    time.sleep(rng.random() * 0.05)
    writer.kill()
    return [writer], address(schema), NEVER


def kill_at_once(schema: str, rng: Random) -> Fault:
    """kill -9 while the tables are made and the session begun"""
    writer = start(write, address(schema), 400, rng.getrandbits(30))
    time.sleep(rng.random() * 0.2)
    writer.kill()
    return [writer], address(schema), NEVER


def second_session(schema: str, rng: Random) -> Fault:
    """two openings of one session in one process take turns"""
    writer = start(take_turns, address(schema), rng.getrandbits(30))
    writer.finish()
    return [writer], address(schema), "continued elsewhere"


def two_programs(schema: str, rng: Random) -> Fault:
    """two programs begin a session together, and go on in it"""
    writers = [start(write, address(schema), 40, rng.getrandbits(30), 0.001) for _ in range(2)]
    for writer in writers:
        writer.finish()
    if not any(writer.acknowledged for writer in writers):
        writers[0].acknowledged.append((0, 0))  # neither could: that is a fault, too
    return writers, address(schema), NEVER


def stop(schema: str, rng: Random) -> Fault:
    """the writer is stopped (SIGSTOP) amid its work, another one goes on, then it continues"""
    first = begun(address(schema), rng, n=120)
    os.kill(first.process.pid, signal.SIGSTOP)
    first.listen()
    second = start(write, address(schema), rng.randrange(1, 8), rng.getrandbits(30))
    second.listen(0.3)
    os.kill(first.process.pid, signal.SIGCONT)
    second.finish()
    first.finish()
    return [first, second], address(schema), NEVER


def fork(schema: str, rng: Random) -> Fault:
    """the process is forked, and its child uses the store, too"""

    def act(tell: Callable[..., None], seed: int) -> None:
        store = open_store(address(schema))
        go_on(tell, store, 5, seed)
        if os.fork() == 0:
            with suppress(StoreError):
                store.append("a", {"kind": "label", "seq": 4, "value": -1})
            with suppress(StoreError):
                store.begin("b", IDENTITY)
            os._exit(0)
        os.wait()
        go_on(tell, store, 5, seed + 1)

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    if len(writer.acknowledged) != 10:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


def clock(schema: str, rng: Random) -> Fault:
    """the clock jumps by years, both ways, between records"""

    def act(tell: Callable[..., None], seed: int) -> None:
        jumps = Random(seed)
        time.time = lambda: jumps.uniform(0, 4e9)  # Python's own clock
        time.monotonic = lambda: jumps.uniform(0, 1e5)
        write(tell, address(schema), 20, seed, 0.002)

    writer = start(act, rng.getrandbits(30))
    writer.finish()
    if len(writer.acknowledged) != 20:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


# -- the connection ---------------------------------------------------------------------------------------


def _behind_proxy(schema: str, rng: Random, harm: Callable[[Proxy, Program], None]) -> Fault:
    """A writer that reaches the server by a proxy, and has to store all its records."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    proxy = Proxy(folder, server().data)
    try:
        there = address(schema).replace(quote(str(server().data)), quote(str(folder)))
        writer = start(write, there, 40, rng.getrandbits(30), 0.002)
        writer.listen(30, until=rng.randrange(1, 10))
        harm(proxy, writer)
        writer.finish()
    finally:
        proxy.close()
        shutil.rmtree(folder)
    if len(writer.acknowledged) != 40:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


def cut_before_commit(schema: str, rng: Random) -> Fault:
    """the connection breaks before the server is asked to commit, several times"""
    return _cut(schema, rng, "before")


def cut_after_commit(schema: str, rng: Random) -> Fault:
    """the connection breaks when the server has committed and nobody was told, several times"""
    return _cut(schema, rng, "after")


def cut_late(schema: str, rng: Random) -> Fault:
    """the connection breaks, and the server commits some time later"""
    return _cut(schema, rng, "late")


def _cut(schema: str, rng: Random, how: str) -> Fault:
    def harm(proxy: Proxy, writer: Program) -> None:
        for _ in range(3):
            proxy.cut = how
            wait_for(writer, rng)

    return _behind_proxy(schema, rng, harm)


def broken_connections(schema: str, rng: Random) -> Fault:
    """connections break at random moments, many times"""

    def harm(proxy: Proxy, writer: Program) -> None:
        for _ in range(12):
            writer.listen(rng.random() * 0.04)
            proxy.break_all()

    return _behind_proxy(schema, rng, harm)


def stalled_network(schema: str, rng: Random) -> Fault:
    """the network stands still for a while"""

    def harm(proxy: Proxy, writer: Program) -> None:
        proxy.is_stalled = True
        writer.listen(rng.random())
        proxy.is_stalled = False

    return _behind_proxy(schema, rng, harm)


def thrown_out(schema: str, rng: Random) -> Fault:
    """the server throws all connections out at random moments"""
    writer = start(write, address(schema), 60, rng.getrandbits(30), 0.001)
    writer.listen(30, until=1)
    for _ in range(8):
        writer.listen(rng.random() * 0.05)
        execute(
            schema,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
        )
    writer.finish()
    if len(writer.acknowledged) != 60:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


def lock(schema: str, rng: Random) -> Fault:
    """another program holds a lock for a while"""
    writer = begun(address(schema), rng, n=60)
    execute(schema, "LOCK TABLE sessions IN EXCLUSIVE MODE", f"SELECT pg_sleep({rng.random() * 0.4})")
    writer.finish()
    return [writer], address(schema), NEVER


# -- the server -------------------------------------------------------------------------------------------


def _restarted(schema: str, rng: Random, *, crash: bool) -> Fault:
    def act(tell: Callable[..., None], seed: int) -> None:
        postgresql_connection.PATIENCE = 60  # a busy disk may take as long
        write(tell, address(schema), 150, seed, 0.002)

    writer = start(act, rng.getrandbits(30))
    writer.listen(30, until=rng.randrange(1, 30))
    server().stop(crash=crash)
    writer.listen(rng.random() * 0.5)
    n_before = len(writer.acknowledged)
    server().start()
    writer.finish()
    if len(writer.acknowledged) != 150 or n_before == 150:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


def restart(schema: str, rng: Random) -> Fault:
    """the server is restarted under way: the writer waits and goes on"""
    return _restarted(schema, rng, crash=False)


def crash(schema: str, rng: Random) -> Fault:
    """kill -9 of the server's processes under way: the writer waits and goes on"""
    return _restarted(schema, rng, crash=True)


def down(schema: str, rng: Random) -> Fault:
    """the server is down for longer than the writer waits"""

    def act(tell: Callable[..., None], seed: int) -> None:
        postgresql_connection.PATIENCE = 0.2
        write(tell, address(schema), 100_000, seed, 0.001)

    writer = start(act, rng.getrandbits(30))
    writer.listen(30, until=rng.randrange(1, 20))
    server().stop(crash=bool(rng.randrange(2)))
    writer.finish()
    server().start()
    if not writer.told:
        writer.acknowledged.append((0, 0))
    return [writer], address(schema), NEVER


def full_disk(schema: str, rng: Random) -> Fault:
    """the server's disk is full: none of its files grows beyond a limit; then there is room again"""

    def act(tell: Callable[..., None], seed: int) -> None:
        numbers = Random(seed)
        store = open_store(there)
        for seq in range(len(store.begin("a", IDENTITY)) + 1, 1000):
            value = numbers.getrandbits(60)
            filler = numbers.randbytes(40_000).hex()
            store.append("a", {"kind": "label", "seq": seq, "value": value, "filler": filler})
            tell("stored", (seq, value))

    own = small_server()
    there = address(schema, own)
    before = closed(there, rng)
    own.file_limit = rng.randrange(2_000_000, 4_000_000)
    own.restart()
    writer = start(act, rng.getrandbits(30))
    writer.finish()
    own.file_limit = 0
    own.restart()
    after = start(write, there, 3, rng.getrandbits(30))
    after.finish()
    if not writer.told or len(after.acknowledged) != 3:
        writer.acknowledged.append((0, 0))
    return [before, writer, after], there, NEVER


def read_only(schema: str, rng: Random) -> Fault:
    """the server takes nothing new, as one that stands by: what it has is shown, what is new is refused"""
    first = closed(address(schema), rng)

    def act(tell: Callable[..., None]) -> None:
        store = open_store(address(schema))
        shown = [(record["seq"], record["value"]) for record in store.begin("a", IDENTITY)]
        tell("told" if shown == first.acknowledged else "stored", "shown" if shown else (0, 0))
        go_on(tell, store, 3, 0)

    execute(schema, "ALTER DATABASE labels SET default_transaction_read_only = on")
    second = start(act)
    second.finish()
    execute(schema, "ALTER DATABASE labels RESET ALL")
    if len(second.told) != 2:
        second.acknowledged.append((0, 0))
    return [first, second], address(schema), NEVER


# -- what is stored ---------------------------------------------------------------------------------------


def drop_tables(schema: str, rng: Random) -> Fault:
    """the tables are dropped while they are in use"""
    writer = begun(address(schema), rng, pause=0.002)
    execute(schema, f'DROP SCHEMA "{schema}" CASCADE')
    writer.finish()
    return [writer], address(schema), GONE


def drop_session(schema: str, rng: Random) -> Fault:
    """the session is deleted while it is in use"""
    writer = begun(address(schema), rng, pause=0.002)
    execute(schema, "TRUNCATE sessions CASCADE")
    writer.finish()
    return [writer], address(schema), GONE


def older_backup(schema: str, rng: Random) -> Fault:
    """an older backup is brought back while the session goes on"""
    writer = begun(address(schema), rng, pause=0.002)
    n = rng.randrange(len(writer.acknowledged))
    head = f"coalesce((SELECT hash FROM events WHERE seq = {n}), head)"
    # Within one transaction, as a backup is restored.
    execute(
        schema,
        "LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE",
        f"DELETE FROM events WHERE seq > {n}",
        f"UPDATE sessions SET n_events = {n}, head = {head}",
    )
    writer.finish()
    return [writer], address(schema), DAMAGE


def change_value(schema: str, rng: Random) -> Fault:
    """a stored value is changed, by another program"""
    writer = closed(address(schema), rng)
    seq, value = rng.choice(writer.acknowledged)
    execute(schema, f"UPDATE events SET record = replace(record, '{value}', '{value + 1}') WHERE seq = {seq}")
    return [writer], address(schema), DAMAGE


def drop_events(schema: str, rng: Random) -> Fault:
    """events are deleted, by another program"""
    writer = closed(address(schema), rng)
    execute(schema, f"DELETE FROM events WHERE seq >= {rng.randrange(1, len(writer.acknowledged) + 1)}")
    return [writer], address(schema), DAMAGE


def exchange_events(schema: str, rng: Random) -> Fault:
    """two events are exchanged, by another program"""
    writer = closed(address(schema), rng)
    first, second = sorted(rng.sample(range(1, len(writer.acknowledged) + 1), 2))
    execute(
        schema,
        "UPDATE events e SET record = o.record FROM events o WHERE e.session = o.session AND "
        f"(e.seq, o.seq) IN (({first}, {second}), ({second}, {first}))",
    )
    return [writer], address(schema), DAMAGE


def flip_bit(schema: str, rng: Random) -> Fault:
    """one bit of a stored value is flipped in the server's files"""
    writer = closed(address(schema), rng)
    place = server().psql(f"CHECKPOINT; SELECT pg_relation_filepath('\"{schema}\".events')").splitlines()[-1]
    server().stop()
    path = server().data / place
    content = bytearray(path.read_bytes())
    _, value = rng.choice(writer.acknowledged)
    at = content.index(str(value).encode()) + rng.randrange(len(str(value)))
    content[at] ^= 1 << rng.randrange(4)
    path.write_bytes(content)
    server().start()
    return [writer], address(schema), DAMAGE


KINDS: list[Callable[[str, Random], Fault]] = [
    kill, kill_at_once, second_session, two_programs, stop, fork, clock, cut_before_commit, cut_after_commit,
    cut_late, broken_connections, stalled_network, thrown_out, lock, restart, crash, down, full_disk,
    read_only, drop_tables, drop_session, older_backup, change_value, drop_events, exchange_events, flip_bit,
]  # fmt: skip


def inject(kind: Callable[[str, Random], Fault], seed: int) -> tuple[str, str]:
    """One fault, with tables of its own."""
    server()  # before the programs, which are forked from this one
    schema = f"{kind.__name__}_{seed}"
    writers, place, words = kind(schema, Random(f"{kind.__name__} {seed}"))
    found = judge(writers, place, words)
    # After a crash, a server looks at each of its files.
    of = small_server() if kind is full_disk else server()
    of.psql(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')
    return found
