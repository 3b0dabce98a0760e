"""Several experts label one session at once, while programs and the server are stopped and started again.

    .venv/bin/python benchmarks/experts.py [--store sqlite|postgresql] [--experts 4] [--labels 250]
        [--kills 4] [--pause 0] [--output FILE]

Each expert is a process of its own, which labels as fast as it can (or with a pause). Some are killed amid
their work (kill -9) and begin again; the server of PostgreSQL is restarted, once as it should be and once by
killing it. Then the session is opened: each label that was acknowledged has to be in it just so, no draw
answered twice. Told is how long an acknowledgment took, from the call to its return; where other programs are
busy, its share of the processor says more.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from fault_programs import Program, start
from postgresql_server import Server

from activeeval_widgets.session import Pool, Session, open_store
from activeeval_widgets.stats import ErrorRate

LEASE = 4.0
"""Seconds after which the draws of an expert who was killed are handed to others."""

Acknowledged = tuple[str, int, int, int, float, float]
"""Who labeled which draw, of which instance, as what, and how many seconds it took until that was stored: by
the clock, and of the processor."""


@dataclass
class Found:
    """What is in the store, against what was acknowledged."""

    n_acknowledged: int
    n_labels: int
    lost: list[Acknowledged]
    n_doubled: int
    by_expert: Counter[str | None]
    seconds: np.ndarray
    used: np.ndarray
    told: list[str]


def make_pool(n_instances: int) -> Pool:
    rng = np.random.default_rng(0)
    return Pool(
        [f"text {i}" for i in range(n_instances)], predictions=rng.dirichlet([1, 1, 1], size=n_instances)
    )


def open_session(pool: Pool, store: Any, who: str | None) -> Session:
    return Session(pool, ErrorRate(), store=store, name="shared", who=who, lease_seconds=LEASE)


def label(
    tell: Callable[..., None], pool: Pool, place: Path | str, who: str, n: int, seed: int, pause: float
) -> None:
    """Label until there are `n` labels of this expert."""
    rng = Random(seed)
    store: Any = open_store(place)
    session = open_session(pool, store, who)
    while sum(event.kind == "label" and event.who == who for event in session.log) < n:
        asked = session.next()
        if asked is None:  # all that was drawn is with others
            time.sleep(0.02)
            session.refresh()
            continue
        value = rng.randrange(3)
        before, used = time.perf_counter(), time.process_time()
        event = session.label(value, draw=asked.draw)
        took, used = time.perf_counter() - before, time.process_time() - used
        if event.kind == "label":
            tell("stored", (who, asked.draw, asked.index, value, took, used))
        time.sleep(pause)
    store.close()


def work(
    place: Path | str,
    pool: Pool,
    *,
    n_experts: int,
    n_labels: int,
    n_kills: int,
    restarts: tuple[Callable[[], None], ...],
    pause: float,
    seed: int,
) -> list[Program]:
    """Have the session labeled, with interruptions spread over it; all programs that took part."""
    rng = Random(seed)
    names = [f"expert {i}" for i in range(n_experts)]

    def begin(who: str) -> Program:
        return start(label, pool, place, who, n_labels, rng.getrandbits(30), pause)

    present = {who: begin(who) for who in names}
    everybody = list(present.values())
    events: list[Callable[[], None] | None] = [*restarts, *[None] * n_kills]
    rng.shuffle(events)
    for number, event in enumerate(events, start=1):
        due = number * n_experts * n_labels // (len(events) + 1)
        while sum(len(each.acknowledged) for each in everybody) < due:
            for each in everybody:
                each.listen(0.005)
            if not any(each.process.is_alive() for each in present.values()):
                break
        if event is not None:
            event()
            continue
        who = rng.choice(names)
        present[who].kill()
        present[who] = begin(who)
        everybody.append(present[who])
    for each in everybody:
        each.finish(600)
    return everybody


def look(place: Path | str, pool: Pool, programs: list[Program]) -> Found:
    """Open the session, and compare."""
    acknowledged: list[Acknowledged] = [each for program in programs for each in program.acknowledged]
    store: Any = open_store(place)
    session = open_session(pool, store, None)
    labels = [event for event in session.log if event.kind == "label"]
    stored = Counter((event.who, event.draw, event.instance, event.value) for event in labels)
    found = Found(
        n_acknowledged=len(acknowledged),
        n_labels=len(labels),
        lost=[each for each in acknowledged if stored[each[:4]] != 1],
        n_doubled=len(labels) - len({event.draw for event in labels}),
        by_expert=Counter(event.who for event in labels),
        seconds=np.array([each[4] for each in acknowledged]),
        used=np.array([each[5] for each in acknowledged]),
        told=[text for program in programs for text in program.told]
        + ([session.storage.problem] if session.storage.problem else []),
    )
    store.close()
    return found


def run(kind: str, options: argparse.Namespace) -> Found:
    pool = make_pool(options.instances)
    how = {
        "n_experts": options.experts, "n_labels": options.labels, "n_kills": options.kills,
        "pause": options.pause, "seed": options.seed,
    }  # fmt: skip
    with ExitStack() as stack:
        if kind == "sqlite":
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="experts-"))
            place: Path | str = Path(folder, "labels.sqlite")
            return look(place, pool, work(place, pool, restarts=(), **how))
        server = stack.enter_context(Server())
        restarts = (
            lambda: server.restart(pause=0.5),
            lambda: server.restart(crash=True, pause=0.5),
        )
        return look(server.address, pool, work(server.address, pool, restarts=restarts, **how))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgresql"], help="both unless given")
    parser.add_argument("--experts", type=int, default=4)
    parser.add_argument("--labels", type=int, default=250, help="of each expert")
    parser.add_argument("--kills", type=int, default=4, help="experts' programs that are killed")
    parser.add_argument("--instances", type=int, default=20_000)
    parser.add_argument("--pause", type=float, default=0.0, help="seconds between two labels of an expert")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="where the table goes; it is printed unless given")
    options = parser.parse_args()
    lines = [
        "| store | experts x labels | acknowledged | stored | lost | answered twice | acknowledgment: median "
        "| 95 % | longest | of the processor: median |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    is_well = True
    for kind in [options.store] if options.store else ["sqlite", "postgresql"]:
        found = run(kind, options)
        median, most = np.quantile(found.seconds, [0.5, 0.95]) * 1000
        lines.append(
            f"| {kind} | {options.experts} x {options.labels} | {found.n_acknowledged} | {found.n_labels} | "
            f"{len(found.lost)} | {found.n_doubled} | {median:.1f} ms | {most:.0f} ms | "
            f"{found.seconds.max() * 1000:.0f} ms | {np.median(found.used) * 1000:.1f} ms |"
        )
        for text in found.told:
            print("told:", text)
        is_well &= not found.lost and not found.n_doubled
        is_well &= set(found.by_expert.values()) == {options.labels}
        is_well &= not any("did not end" in text for text in found.told)
    print("\n".join(lines))
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
