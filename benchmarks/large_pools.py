"""Large pools: time to open one, time and memory for a label, and what sharing rows costs in precision.

    python benchmarks/large_pools.py [--rows 100000000]

writes results/large_pools.md. Each row of a table is a process of its own, for its peak of memory. The
data set of 10⁸ rows is made in the folder for temporary files (1.4 GB), and deleted. What has to be the same
(draws, probabilities and estimate in memory, streamed, and on a cluster of which a worker is killed) is held
against each other, and the program fails where it is not.
"""

import argparse
import os
import resource
import signal
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from common import RESULTS, apart

from activeeval_widgets import Pool, Session
from activeeval_widgets.formats.streams import streamed_pool
from activeeval_widgets.session.draws import make_draws
from activeeval_widgets.session.pool.parts import PartsInMemory
from activeeval_widgets.session.pool.shared_rows import SharedRows
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    LogLoss,
    MacroF,
    Measure,
    SquaredError,
    ValuePredictions,
    adaptive_q,
    draw_without_replacement,
)
from activeeval_widgets.stats.adaptive.draw_terms import control_variate
from activeeval_widgets.stats.questions.make import target_of

_IN_MEMORY = (("alone", 10**5), ("shared", 10**5), ("shared", 10**6), ("shared", 10**7))
ROWS = (1_000_000, 10_000_000)
"""Of the files that are also read as a whole, and on a cluster."""

ON_CLUSTER = ("cluster", "killed")
N_LABELS = 200
N_LOOKED_AT, N_LOOKS = 100_000, 5


class Texts:
    """Texts that are made when they are asked for."""

    def __init__(self, n_instances: int) -> None:
        self._n_instances = n_instances

    def __len__(self) -> int:
        return self._n_instances

    def __getitem__(self, index: int) -> str:
        return f"text {index}"


def shares(n_instances: int, seed: int = 0) -> np.ndarray:
    """Probabilities of the second class."""
    return np.random.default_rng(seed).beta(0.3, 0.7, n_instances)


def classes(n_instances: int) -> ClassPredictions:
    second = shares(n_instances)
    return ClassPredictions(np.column_stack([1 - second, second]), classes=["no", "yes"])


def in_memory(n_instances: int, *, grouped: bool) -> None:
    """Open a pool and label; prints a row of the table."""
    start = time.process_time()
    pool = Pool(Texts(n_instances), predictions=classes(n_instances), kind="custom")
    make_draws.LARGEST_UNGROUPED = 0 if grouped else n_instances
    session = Session(pool, ErrorRate())
    session.watched()
    opened = time.process_time() - start
    print(row(f"{n_instances:,}", "shared" if grouped else "one each", opened, labeled(session)))


def from_parquet(path: str) -> None:
    """The same of a file; prints a row of the table."""
    streamed_pool.LARGEST_COPIED = 0  # smaller ones would be read as a whole
    start = time.process_time()
    pool = Pool.read(path)
    session = Session(pool, ErrorRate())
    session.watched()
    opened = time.process_time() - start
    where = "streamed" if pool.is_streamed else "read as a whole"
    print(row(f"{pool.n_instances:,}", where, opened, labeled(session)))


def same_as_in_memory(path: str) -> None:
    """Whether a file gives the same when it is streamed as when it is read; prints a row of the table."""
    read = Pool.read(path)
    streamed_pool.LARGEST_COPIED = 0
    pools = read, Pool.read(path)
    assert [pool.is_streamed for pool in pools] == [False, True]
    make_draws.LARGEST_UNGROUPED = 0
    found = [what_is_found(Session(pool, ErrorRate())) for pool in pools]
    assert found[0] == found[1], found
    print(f"| {read.n_instances:,} | in memory, and streamed | the same |")


def on_cluster(path: str, *, is_killed: bool) -> None:
    """A file on a cluster of two local workers, of which one may be killed; prints a row of the table."""
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    killed: list[float] = []
    with ExitStack() as stack:
        cluster = stack.enter_context(
            LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")  # type: ignore[no-untyped-call]
        )
        client = stack.enter_context(Client(cluster))  # type: ignore[no-untyped-call]
        frame = dd.read_parquet(path, split_row_groups=4)
        start = time.perf_counter()
        pool = Pool.read(frame, text="text", proba=["p_no", "p_yes"])
        [pid, *_] = client.run(os.getpid).values()

        def kill() -> None:
            os.kill(pid, signal.SIGKILL)
            killed.append(time.perf_counter() - start)

        timer = threading.Timer(1.0, kill)
        if is_killed:
            timer.start()
        session = Session(pool, ErrorRate())
        session.watched()
        opened = time.perf_counter() - start
        assert bool(killed) == is_killed, "the pass was over before the worker was killed"
        seconds = labeled(session)
        found = what_is_found(session)
    streamed_pool.LARGEST_COPIED = 0
    of_file = Session(Pool.read(path), ErrorRate())
    labeled(of_file)
    assert found == what_is_found(of_file)
    how = f"one killed after {killed[0]:.1f} s" if killed else "both there"
    print(f"{row(f'{pool.n_instances:,}', how, opened, seconds)} the same |")


def what_is_found(session: Session) -> tuple[Any, ...]:
    """Draws, their probabilities, and what follows; of a session without labels, after some."""
    if not session.n_labels:
        labeled(session)
    numbers, q = session.draws.drawn()
    estimate = session.estimate()
    return session.draws.so_far().tolist(), numbers.tolist(), q.tolist(), estimate


def labeled(session: Session) -> np.ndarray:
    """Seconds for what the page waits for at each label: the next one, the estimate, the interval."""
    rng = np.random.default_rng(1)
    seconds = []
    for _ in range(N_LABELS):
        asked = session.next()
        share = float(session.models[0].y_proba[asked.index, 1])
        label = "yes" if rng.random() < share else "no"
        start = time.process_time()
        session.label(label)
        session.next()
        session.estimate()
        seconds.append(time.process_time() - start)
    return np.array(seconds)


def row(n_instances: str, how: str, opened: float, seconds: np.ndarray) -> str:
    middle, most, longest = 1000 * np.quantile(seconds, [0.5, 0.95, 1.0])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return (
        f"| {n_instances} | {how} | {opened:.1f} | {middle:.1f} | {most:.0f} | {longest:.0f} | {peak:.2f} |"
    )


def make_parquet(n_rows: int, path: Path) -> None:
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import parquet

    schema = pa.schema([("text", pa.string()), ("p_no", pa.float32()), ("p_yes", pa.float32())])
    step = 1 << 17
    with parquet.ParquetWriter(path, schema, compression="snappy") as writer:
        for number, start in enumerate(range(0, n_rows, step)):
            n = min(step, n_rows - start)
            second = shares(n, number).astype(np.float32)
            text = pc.binary_join_element_wise(
                "text", pa.array(np.arange(start, start + n)).cast(pa.string()), " "
            )
            writer.write_table(pa.table([text, 1 - second, second], schema=schema))


def precision(measure: Measure, model: Any, y: Sequence[Any], costs: str, y_range: Any = None) -> str:
    """How much larger the standard error of a draw is with shared rows, after some numbers of labels."""
    del y_range
    n_instances = model.n_instances
    rows = SharedRows(PartsInMemory([model], None), measure.positive)
    everything = np.arange(n_instances)
    row_of = rows.of(everything)
    target, of_rows = target_of(measure, [model]), target_of(measure, rows.models)
    z = target.statistics(np.asarray(y), everything)
    gradient = target.gradient(z.mean(axis=0))
    ratios: list[list[float]] = []
    for n_labels in (0, 50, 200, 800):
        found = []
        for seed in range(N_LOOKS):
            rng = np.random.default_rng(seed)
            uniform = np.full(n_instances, 1 / n_instances)
            draws, _ = (
                draw_without_replacement(uniform, n_labels, rng) if n_labels else (everything[:0], None)
            )
            labels = np.asarray(y)[draws]
            left = np.ones(n_instances, dtype=bool)
            left[draws] = False
            errors = []
            for each, where in ((target, everything), (of_rows, row_of)):
                own, at = model.part(draws), where[draws]
                moved = each.models[0].as_of_rows(own, at, labels) if each is of_rows else labels
                q = adaptive_q(measure, list(each.models), at, moved, defensive=0.1)
                expected = control_variate(each, at, moved, z[draws]).expected.dense()[:, :-1]
                off = ((z - expected[where]) @ gradient)[left]
                errors.append(float((off**2 / q[where][left]).sum() - off.sum() ** 2))
            found.append((errors[1] / errors[0]) ** 0.5)
        ratios.append(found)
    cells = " | ".join(f"{np.mean(each):.4f}" for each in ratios)
    return f"| {measure!r} | {costs} | {rows.n_rows:,} | {cells} |"


def precisions() -> list[str]:
    n_instances = N_LOOKED_AT
    rng = np.random.default_rng(5)
    lines = []
    second = shares(n_instances)
    for name, truth in (
        ("calibrated", second),
        ("over-confident", 0.5 + 0.5 * np.sign(second - 0.5) * np.abs(2 * second - 1) ** 2),
    ):
        model = classes(n_instances)
        y = np.where(rng.random(n_instances) < truth, "yes", "no")
        lines += [
            precision(measure, model, y, f"two classes, {name}")
            for measure in (ErrorRate(), FMeasure(positive="yes"), LogLoss())
        ]
    many = rng.dirichlet(np.full(10, 0.1), n_instances)
    y10 = (many.cumsum(axis=1) < rng.random((n_instances, 1))).sum(axis=1)
    lines.append(precision(ErrorRate(), ClassPredictions(many), y10, "ten classes"))
    lines.append(precision(MacroF(), ClassPredictions(many), y10, "ten classes"))
    lines.append(precision(FMeasure(positive=3), ClassPredictions(many), y10, "ten classes"))
    variance = rng.gamma(1.0, 1.0, n_instances)
    mean = rng.normal(0, 3, n_instances)
    lines.append(
        precision(
            SquaredError(), ValuePredictions(mean, variance), rng.normal(mean, variance**0.5), "numbers"
        )
    )
    return lines


def one(what: str, value: str) -> str:
    """A row of a table, by a process of its own."""
    line = apart(__file__, "--one", what, value)[-1]
    print(line, flush=True)
    return line


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--one", nargs="+")
    parser.add_argument("--rows", type=int, default=100_000_000)
    given = parser.parse_args()
    if given.one:
        what, value = given.one
        if what == "parquet":
            from_parquet(value)
        elif what == "same":
            same_as_in_memory(value)
        elif what in ("cluster", "killed"):
            on_cluster(value, is_killed=what == "killed")
        else:
            in_memory(int(value), grouped=what == "shared")
        return
    head = [
        "| instances | rows | opened, s | label, ms: median | 95 % | longest | peak, GiB |",
        "|" + "---|" * 7,
    ]
    lines = [
        "# Large pools",
        "",
        "By `python benchmarks/large_pools.py`, with OMP_NUM_THREADS=1. Times are the processor's.",
        "",
    ]
    lines += [
        "## In memory: two classes, error rate",
        "",
        "Opened: predictions checked, pool and session made, digests of all included. A label: `label`, "
        f"`next`, `estimate` with the interval that may be watched; over the first {N_LABELS}.",
        "",
        *head,
        *(
            one(how, str(n))
            for how, n in _IN_MEMORY
        ),
        "",
    ]  # fmt: skip
    streams, same, cluster = [], [], []
    with tempfile.TemporaryDirectory(prefix="activeeval-") as folder:
        for n_rows in (*ROWS, given.rows):
            path = Path(folder, f"{n_rows}.parquet")
            make_parquet(n_rows, path)
            streams.append(one("parquet", str(path)))
            if n_rows == ROWS[0]:
                same.append(one("same", str(path)))
            if n_rows == ROWS[1]:
                cluster += [one(what, str(path)) for what in ON_CLUSTER]
            path.unlink()
    lines += [
        "## From Parquet",
        "",
        "Two classes as float32, and a text; row groups of 131,072. Streamed, also where a file would be "
        "read as a whole.",
        "",
        *head,
        *streams,
        "",
        f"Draws, their probabilities, estimate and interval after {N_LABELS} labels:",
        "",
        "| instances | | |",
        "|---|---|---|",
        *same,
        "",
        "## On a cluster",
        "",
        "A Dask DataFrame of the same file, on two local workers with a thread each. Opened: in seconds of a "
        "clock, both passes included; labels and memory are the client's. The last column holds draws, "
        "probabilities and estimate against those of the file without a cluster.",
        "",
        f"{head[0]} draws |",
        "|" + "---|" * 8,
        *cluster,
    ]
    lines += [
        "",
        "## What shared rows cost",
        "",
        "The standard error of one draw with shared rows, over that with a row for each instance: of "
        f"{N_LOOKED_AT:,} instances with known labels, for q and expectations by the same labels (mean over "
        f"{N_LOOKS} sets of labels).",
        "",
        "| measure | pool | rows | no label | 50 | 200 | 800 |",
        "|" + "---|" * 7,
        *precisions(),
    ]
    (RESULTS / "large_pools.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
