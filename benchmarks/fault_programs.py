"""Programs that store records and may be stopped by anything, and whether what they acknowledged is found.

A program runs in a process of its own, forked from one that opens no store itself.
"""

import multiprocessing
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from activeeval_widgets.session import SessionConflictError, Store, StoreError, open_store
from activeeval_widgets.session.stores.protocol import store_member

FORK = multiprocessing.get_context("fork")
IDENTITY = {"pool": "p"}
OUTCOMES = ("kept", "kept, and told", "told", "LOST")

Fault = tuple[list["Program"], "Path | str", str]
"""The programs that stored something, where, and the words that tell what happened."""


@dataclass
class Program:
    """A process that stores records, and what it told."""

    process: Any
    pipe: Any
    acknowledged: list[tuple[int, int]] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def listen(self, seconds: float = 0.0, *, until: int | None = None) -> None:
        """Read its output, for a while, or until a number of records is acknowledged, or to its end."""
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


def write(tell: Callable[..., None], place: Path | str, n: int, seed: int, pause: float = 0.0) -> None:
    """Store records until one is refused."""
    store: Any = open_store(place)
    go_on(tell, store, n, seed, pause)
    store.close()


def go_on(tell: Callable[..., None], store: Store, n: int, seed: int, pause: float = 0.0) -> None:
    rng = Random(seed)
    before = len(store.begin("a", IDENTITY))
    for seq in range(before + 1, before + n + 1):
        value = rng.getrandbits(60)
        store.append("a", {"kind": "label", "seq": seq, "value": value, "filler": "x" * rng.randrange(400)})
        tell("stored", (seq, value))
        time.sleep(pause)


def take_turns(tell: Callable[..., None], place: Path | str, seed: int) -> None:
    """Store records by two openings of one session, in turns that chance decides."""
    turns = Random(seed)
    stores = [open_store(place) for _ in range(2)]
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


def read(tell: Callable[..., None], place: Path | str) -> None:
    """Print what a store holds, and what it reports."""
    store: Any = open_store(place)
    for record in store.begin("a", IDENTITY):
        tell("stored", (record["seq"], record["value"]))
    for text in [*filter(None, [store_member(store, "problem")]), *store_member(store, "notices")]:
        tell("told", text)
    store.close()


def judge(writers: list[Program], place: Path | str, words: str) -> tuple[str, str]:
    """Compare what was acknowledged with what is found."""
    if isinstance(place, Path) and not place.exists():
        found = Program(None, None)
    else:
        found = start(read, place)
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


def begun(place: Path | str, rng: Random, *, n: int = 400, pause: float = 0.0) -> Program:
    """A writer that has stored some records."""
    writer = start(write, place, n, rng.getrandbits(30), pause)
    writer.listen(30, until=rng.randrange(1, 20))
    return writer


def closed(place: Path | str, rng: Random) -> Program:
    """A writer that has ended as it should."""
    writer = start(write, place, rng.randrange(3, 25), rng.getrandbits(30))
    writer.finish()
    return writer
