"""Faults of many kinds, injected while labels are stored: what was acknowledged is kept, or it is told.

    .venv/bin/python benchmarks/faults.py [--store sqlite|postgresql|page] [--each 50] [--seed 0]
        [--kinds kill,...] [--output FILE]

Each fault has a file, or a database's tables, and programs of its own (see `fault_programs`). A writer stores
records and tells of each once it is acknowledged; something happens to it, to its file or to the server; then
another program opens what is there. Lost, doubled or changed is what was acknowledged and is not found again
just so. That may be only where somebody was told: the writer by an error, or who opens it by an error, a
problem or a notice, in the words that belong to the fault. With `--store page` keys are pressed in a browser,
and what is harmed is between the page and its kernel (see `page_faults`).
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import database_faults
import file_faults
from fault_programs import OUTCOMES


def faults_of(store: str) -> tuple[list[Any], AbstractContextManager[Callable[[Any, int], tuple[str, str]]]]:
    """The kinds of faults, and what injects one."""
    if store == "page":
        import page_faults  # needs a browser

        return page_faults.KINDS, page_faults.injecting()
    faults = database_faults if store == "postgresql" else file_faults
    return faults.KINDS, nullcontext(faults.inject)


def run(
    kinds: list[Any], inject: Callable[[Any, int], tuple[str, str]], each: int, seed: int
) -> Iterator[tuple[Any, ...]]:
    """Rows of the table: kind, faults, kept, kept and told, told, lost, and what was lost."""
    for kind in kinds:
        outcomes = [inject(kind, seed + i) for i in range(each)]
        counts = [sum(how == one for how, _ in outcomes) for one in OUTCOMES]
        yield (kind.__doc__, each, *counts, [what for _, what in outcomes if what])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgresql", "page"], default="sqlite")
    parser.add_argument("--each", type=int, default=50, help="faults of each kind")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", help="names, separated by commas; all unless given")
    parser.add_argument("--output", type=Path, help="where the table goes; it is printed unless given")
    options = parser.parse_args()
    kinds, injecting = faults_of(options.store)
    chosen = [kind for kind in kinds if not options.kinds or kind.__name__ in options.kinds.split(",")]
    lines = [
        f"# faults, {options.store}\n",
        "| fault | injected | kept | kept, and told | not kept, but told | not kept, not told |",
        "|---|---|---|---|---|---|",
    ]
    n_faults = n_lost = 0
    with injecting as inject:
        for what, each, kept, kept_told, told, lost, details in run(
            chosen, inject, options.each, options.seed
        ):
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
