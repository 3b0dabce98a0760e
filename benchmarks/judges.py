"""What judges' votes are worth where the accuracy of another judge is estimated: LLMBar.

    OMP_NUM_THREADS=1 python benchmarks/judges.py [--data FOLDER] [--replications 200]

Labels are what people said, up to a third of the pool; blocks of draws are those of a session. Writes
results/judges.md.
"""

import argparse
import gzip
import json

import numpy as np
from common import RESULTS, data_folder
from defaults import adaptive_draws

from activeeval_widgets.stats import ClassPredictions, ErrorRate, estimate_adaptive

JUDGES = ("GPT-4 Vanilla", "GPT-4 Metrics_Reference")
SUBSETS = ("all", "Natural")


def llmbar(folder, judge, subset):
    """The other judges' votes with a judge's verdicts, and what people said."""
    with gzip.open(folder / "llm_judged" / "llmbar.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    rows = [row for row in rows if subset in ("all", row["subset"])]
    y_true = np.array([str(row["label"]) for row in rows])
    verdicts = [row["judges"][judge][0] for row in rows]
    votes = [
        [vote for name, both in row["judges"].items() if not name.startswith("GPT-4") for vote in both]
        for row in rows
    ]
    return ClassPredictions.from_votes(votes, ["1", "2"], verdicts, judge), y_true


def as_probabilities(voted):
    """The same numbers, as if a model had said them: estimates are shrunk towards what it expects."""
    return ClassPredictions(voted.y_proba, voted.classes, voted.y_pred, voted.name)


def uniform_variance(z, n):
    """The variance of the mean of n uniform draws without replacement."""
    return z.var(ddof=1) / n * (1 - n / z.size)


def ratio_of(errors, variance):
    """The mean square over a variance, its standard error, and the bias."""
    squares = np.square(errors)
    return squares.mean() / variance, squares.std(ddof=1) / np.sqrt(squares.size) / variance, np.mean(errors)


def accuracies(folder, n_sessions):
    """The rows of the table of LLMBar."""
    measure = ErrorRate()
    for subset in SUBSETS:
        for judge in JUDGES:
            voted, y_true = llmbar(folder, judge, subset)
            wrong = (voted.y_pred != y_true).astype(float)
            n = round(wrong.size / 3)
            methods = {"votes": voted, "the same as probabilities": as_probabilities(voted)}
            for method, model in methods.items():
                errors = []
                for seed in range(n_sessions):
                    draws, q, _ = adaptive_draws(measure, model, y_true, np.random.default_rng(seed), n)
                    found = estimate_adaptive(measure, model, draws, q, y_true[draws])
                    errors.append(found.value - wrong.mean())
                found = ratio_of(np.array(errors), uniform_variance(wrong, n))
                yield subset, judge, wrong.size, 1 - wrong.mean(), n, method, *found
                print(subset, judge, method, found, flush=True)


def report(rows, n_sessions):
    """The table, as lines of Markdown."""
    return [
        "# judges",
        "",
        "Written by `benchmarks/judges.py`. Labels are what people said, up to a third of the pool. The "
        "ratio is the mean squared error of the estimate over the variance of the mean of as many uniform "
        "draws without replacement: below 1, the votes save labels.",
        "",
        "## How often is GPT-4 right? (LLMBar)",
        "",
        f"{n_sessions} seeded evaluations a row, in a session's blocks. p(y | x): 32 verdicts of 16 other "
        "judges, none of them GPT-4, by `ClassPredictions.from_votes`. *The same as probabilities*: the same "
        "numbers, taken for a model's, towards whose expectation an estimate is shrunk.",
        "",
        "| pairs | judge | accuracy | labels | method | ratio to uniform | bias |",
        "|---|---|---|---|---|---|---|",
        *(
            f"| {subset} ({size}) | {judge} | {accuracy:.3f} | {n} | {method} | {ratio:.2f} ± {e:.2f} | "
            f"{b:+.3f} |"
            for subset, judge, size, accuracy, n, method, ratio, e, b in rows
        ),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="the folder of the data (default: ACTIVEEVAL_DATA or ../shared/data)")
    parser.add_argument("--replications", type=int, default=200)
    arguments = parser.parse_args()
    folder = data_folder(arguments.data)
    rows = list(accuracies(folder, arguments.replications))
    text = "\n".join(report(rows, arguments.replications))
    (RESULTS / "judges.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
