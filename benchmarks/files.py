"""How long it takes to open a pool of ten million rows from a file, and how much memory.

Run `python benchmarks/files.py`: it writes the files to a folder of its own, reads each in a process of its
own, and writes `benchmarks/results/files.md`.
"""

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
from common import RESULTS, apart

from activeeval_widgets._version import __version__

STEPS = ("read", "fingerprints", "session", "first label")


def write_files(folder: Path, n_rows: int) -> None:
    """The same table in each format: an id, a text of about 50 letters, two probabilities."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv, feather, parquet

    numbers = pa.array(np.arange(n_rows)).cast(pa.string())
    p = np.random.default_rng(0).random(n_rows)
    table = pa.table(
        {
            "id": pc.binary_join_element_wise("doc-", numbers, ""),
            "text": pc.binary_join_element_wise("This is the text of the mail with number ", numbers, ""),
            "p_ham": p,
            "p_spam": 1 - p,
        }
    )
    parquet.write_table(table, folder / "mails.parquet")
    parquet.write_table(table.select(["text", "p_ham", "p_spam"]), folder / "without ids.parquet")
    feather.write_feather(table, folder / "mails.feather")
    csv.write_csv(table, folder / "mails.csv")


def measure(path: str) -> None:
    """Open one file and print what each step took: seconds, and GiB after it."""
    import resource

    import activeeval_widgets.formats  # noqa: F401 - imported before the clock starts
    from activeeval_widgets import Pool, Session
    from activeeval_widgets.stats import ErrorRate

    found = {}
    begin, processor_before = time.perf_counter(), time.process_time()

    def note(step: str) -> None:
        nonlocal begin
        lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
        of_its_own = sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))
        found[step] = (time.perf_counter() - begin, of_its_own / 2**20)
        begin = time.perf_counter()

    pool = Pool.read(path)
    note(STEPS[0])
    assert pool.fingerprints
    note(STEPS[1])
    session = Session(pool, ErrorRate())
    note(STEPS[2])
    session.label("ham")
    assert pool.instances[session.next().index].startswith("This is the text")
    note(STEPS[3])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    processor = time.process_time() - processor_before
    print(json.dumps({"steps": found, "processor": processor, "peak": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.measure)
        return
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), arguments.rows)
        for path in sorted(Path(folder).iterdir()):
            [told] = apart(__file__, "--measure", str(path))
            rows.append((path.name, path.stat().st_size, json.loads(told)))
    lines = [
        "# Files",
        "",
        f"`python benchmarks/files.py`, version {__version__}, Python {platform.python_version()}, two "
        f"shared cores: {arguments.rows:,} rows with a text and two probabilities each. Seconds of each "
        "step, and of the processor in all, which other programs do not lengthen; the greatest memory of the "
        "process, pages of mapped files included; and its own at the end, which is not backed by files.",
        "",
        f"| file | size, GB | {' | '.join(STEPS)} | all, s | processor, s | greatest, GiB | own, GiB |",
        "|---|---|" + "---|" * (len(STEPS) + 4),
    ]
    for name, size, told in rows:
        seconds = [told["steps"][step][0] for step in STEPS]
        own = told["steps"][STEPS[-1]][1]
        cells = [f"{each:.1f}" for each in (*seconds, sum(seconds))]
        cells += [f"{told['processor']:.1f}", f"{told['peak']:.2f}", f"{own:.2f}"]
        lines.append(f"| {name} | {size / 1e9:.2f} | {' | '.join(cells)} |")
    print("\n".join(lines))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "files.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
