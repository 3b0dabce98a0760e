"""What judges' votes are worth where people's verdicts are the truth: LLMBar, and the Chatbot Arena.

    OMP_NUM_THREADS=1 python benchmarks/judges.py [--data FOLDER] [--sessions 200] [--processes 2]
    OMP_NUM_THREADS=1 python benchmarks/judges.py --keep FOLDER    goes on where it was interrupted

Of other packages those are measured that are installed: see peers-requirements.txt (Python 3.12).

A third of each pool is labeled by what people said. Writes results/judges.md.
"""

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from common import RESULTS, data_folder
from judge_methods import METHODS, PACKAGES
from judge_report import report
from judge_tasks import head_to_heads, llmbar

CHOSEN_ON = ("GPT-4 Vanilla", "GPT-4 Metrics_Reference")
OTHERS = ("GPT-4 CoT", "GPT-4 Swap", "ChatGPT Vanilla")
"""No choice was made by these."""

SUBSETS = ("all", "Natural")
CLOSELY = "Natural: GPT-4 Vanilla"
"""More sessions with votes of this one: it is nearest to what is asked of them."""

FIRST_SEED = 10_000
"""Choices were made by lower ones."""

ON_ARENA = {"uniform draws, votes stand in": 20, "papers' q*, votes": 20, "people only": 12}
"""Of 83 head-to-heads together, fewer sessions of each tell enough."""


def installed(name):
    return name not in PACKAGES or find_spec(PACKAGES[name]) is not None


def outcomes(task, methods):
    """What each method found, session by session."""
    return {
        name: [METHODS[name](task, FIRST_SEED + seed) for seed in range(n)]
        for name, n in methods.items()
        if installed(name)
    }


def summary(task, found):
    """Of each method the mean squared error over that of uniform draws, and what its intervals did."""
    rows, truth = {}, float(task.z.mean())
    for name, sessions in found.items():
        squares = np.square([each["value"] - truth for each in sessions]) / task.uniform_variance
        row = {
            "n": len(sessions),
            "ratio": float(squares.mean()),
            "error": float(squares.std(ddof=1) / np.sqrt(squares.size)),
            "bias": float(np.mean([each["value"] for each in sessions]) - truth),
        }
        for key in ("half", "ever", "at_end"):
            known = [each[key] for each in sessions if key in each]
            if known:
                row[key] = float(np.mean(known))
                row["n_watched"] = len(known)
        rows[name] = row
    said = task.judge[~np.isnan(task.judge)] if task.judge.dtype.kind == "f" else None
    alone = None
    if said is not None:
        half = 1.96 * float(said.std(ddof=1)) / np.sqrt(said.size)
        alone = {"value": float(said.mean()), "half": half}
    return {
        "name": task.name,
        "size": int(task.z.size),
        "truth": truth,
        "n_labels": task.n_labels,
        "judge": alone,
        "methods": rows,
    }


def on_llmbar(task, n):
    """How many sessions by each method: fewer where one takes long, more where it is close."""
    methods = dict.fromkeys(METHODS, n)
    if task.name.startswith("all"):
        methods["people only"] = n // 2
    if task.name == CLOSELY:
        methods["session with votes"] = 4 * n
    return methods


def one(task, methods, keep):
    """The summary of one task; what is kept already is not computed again."""
    path = None if keep is None else Path(keep) / f"{task.name.replace('/', '-').replace(' ', '_')}.json"
    if path is not None and path.exists():
        return json.loads(path.read_text())
    found = summary(task, outcomes(task, methods))
    if path is not None:
        path.write_text(json.dumps(found))
    print(found["name"], {k: round(v["ratio"], 2) for k, v in found["methods"].items()}, flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="the folder of the data (default: ACTIVEEVAL_DATA or ../shared/data)")
    parser.add_argument("--sessions", type=int, default=200, help="of each judge; half of it on the Arena")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", help="a folder for what is finished")
    arguments = parser.parse_args()
    folder, n = data_folder(arguments.data), arguments.sessions
    if arguments.keep:
        Path(arguments.keep).mkdir(parents=True, exist_ok=True)
    accuracy = [llmbar(folder, judge, subset) for subset in SUBSETS for judge in (*CHOSEN_ON, *OTHERS)]
    arena = list(head_to_heads(folder))
    on_arena = {name: min(n // 2, ON_ARENA.get(name, n // 2)) for name in METHODS}
    with ProcessPoolExecutor(arguments.processes) as pool:
        of_llmbar = pool.map(
            partial(one, keep=arguments.keep),
            accuracy,
            [on_llmbar(task, n) for task in accuracy],
        )
        of_arena = pool.map(partial(one, methods=on_arena, keep=arguments.keep), arena)
        found = list(of_llmbar), list(of_arena)
    (RESULTS / "judges.md").write_text("\n".join(report(*found, n, CHOSEN_ON)) + "\n")


if __name__ == "__main__":
    main()
