"""The model on trial: how often it is convicted though it keeps its promise, and how soon if not."""

import argparse

import numpy as np
from common import RESULTS, sharpened
from decisions import exact
from scipy.special import logsumexp
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.stats import ClassPredictions, ErrorRate, optimal_q, uniform_q
from activeeval_widgets.stats.predictions.trial_bets import tilted_bets

N_LABELS = 300
SHARES = (0.8, 0.2)
"""How a level of 5 % is divided between "over-confident" and "under-confident"."""


def tables(model):
    """The log factors of all bets, for no error and for an error on each instance; (2, 2, m, n_bets)."""
    promised = np.clip(1 - model.confidence, 0, 1)
    return np.array([[tilted_bets(p, error) for p in promised] for error in (0.0, 1.0)]).swapaxes(1, 2)


def sessions(q, n_sessions, rng):
    """Different instances in the order in which they are drawn first; (n_sessions, N_LABELS)."""
    # The order of first draws with replacement from q is that of exponential times with rates q.
    orders = [np.argsort(rng.exponential(size=q.size) / q)[:N_LABELS] for _ in range(n_sessions)]
    return np.array(orders)


def convicted(factors, errors, orders):
    """After how many labels each session says "over-confident", and "under-confident"; infinite if never."""
    found = []
    for side, share in enumerate(SHARES):
        capital = np.empty(orders.shape)
        for start in range(0, len(orders), 100):
            some = slice(start, start + 100)
            each = factors[errors[some].astype(int), side, orders[some]]
            capital[some] = logsumexp(each.cumsum(axis=1), axis=2) - np.log(each.shape[2])
        won = capital >= np.log(1 / (0.05 * share))
        found.append(np.where(won.any(axis=1), won.argmax(axis=1) + 1.0, np.inf))
    return found


def main():
    parser = argparse.ArgumentParser(description="The benchmark of the model on trial.")
    parser.add_argument("--sessions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(1797)
    train, rest = order[:100], order[100:]
    weak = LogisticRegression(C=0.01, max_iter=1000).fit(x[train], y[train])
    proba, truth = weak.predict_proba(x[rest]), y[rest]
    lines = [
        "# trial",
        "",
        f"{arguments.sessions} seeded sessions each on the digits pool of {len(truth)}, looked at after "
        f"every label up to {N_LABELS}, at 5 % for both verdicts together. “Promise kept”: labels are drawn "
        "anew in each session as the model says. Powers of the probabilities make it more sure of itself "
        "than it was. In brackets exact 95 % intervals. Written by `benchmarks/trial.py`.",
        "",
        "| model | errors promised | errors | q | over-confident | labels until then: median, 90 % | "
        "under-confident |",
        "|" + "---|" * 7,
    ]
    for power in (1, 2, 4, 8):
        model = ClassPredictions(sharpened(proba, power))
        factors = tables(model)
        wrong = model.y_pred != truth
        designs = {
            "uniform": uniform_q(len(truth)),
            "q*, ε = 0.1": optimal_q(ErrorRate(), model, defensive=0.1),
        }
        for design, q in designs.items():
            for kept in (False, True):
                rng = np.random.default_rng(arguments.seed)
                orders = sessions(q, arguments.sessions, rng)
                errors = rng.random(orders.shape) > model.confidence[orders] if kept else wrong[orders]
                over, under = convicted(factors, errors, orders)
                middle, late = np.quantile(over, [0.5, 0.9], method="lower")
                counts = [int(np.isfinite(each).sum()) for each in (over, under)]
                cells = [
                    f"to the power of {power}" + (", promise kept" if kept else ""),
                    f"{1 - model.confidence.mean():.3f}",
                    "as promised" if kept else f"{wrong.mean():.3f}",
                    design,
                    exact(counts[0], len(over)),
                    f"{middle:.0f}, {late:.0f}".replace("inf", "–"),
                    exact(counts[1], len(under)),
                ]
                lines.append("| " + " | ".join(cells) + " |")
                print(lines[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "trial.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
