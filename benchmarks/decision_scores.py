"""What it costs to compare two models by decision scores, or only by their predicted classes.

    OMP_NUM_THREADS=1 python benchmarks/decision_scores.py [--sessions 40]

What it found is kept in `build/comparisons`, and is a section of results/comparisons.md. Both models'
predictions are the same whatever is known of how sure they are: what differs is where draws go, and what is
expected of labels.
"""

import argparse
import json

import digits
import numpy as np
import spam
from common import BUILD, RESULTS, data_folder
from comparisons import OF_SCORES
from sklearn.calibration import CalibratedClassifierCV
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import (
    ClassPredictions,
    ErrorRate,
    FMeasure,
    PredictedClasses,
    ScoredClasses,
    pool_value,
)

KEPT = BUILD / "comparisons" / "decision_scores.jsonl"
MOST = 300
KINDS = {
    "probabilities": "probabilities of both",
    "one": "probabilities of one, decision scores of the other",
    "scores": "decision scores of both",
    "classes": "only the predicted classes of both",
}


def of_spam(data, rng):
    _, text, y = spam.load(data)
    _, train, pool = spam.words(text)
    some = rng.choice(spam.PAST, 500, replace=False)
    return (train[some], y[some]), (train[some[:250]], y[some[:250]]), pool, y[spam.PAST :]


def of_digits(data, rng):
    x, y = digits.load(data)["MNIST"]
    rows = rng.permutation(len(x))
    first, second, rest = rows[:600], rows[:250], rows[600:]
    return (x[first], y[first]), (x[second], y[second]), x[rest], y[rest]


SETTINGS = {
    "digits, error rate": (of_digits, ErrorRate()),
    "spam, error rate": (of_spam, ErrorRate()),
    "spam, F₁": (of_spam, FMeasure(positive=1)),
}


def models_of(name):
    """For each kind the two models, and the labels: a support vector machine, and a logistic regression."""
    (x, y), (x_other, y_other), pool, truth = SETTINGS[name][0](data_folder(None), np.random.default_rng(2))
    machine = LinearSVC(C=0.02 if name.startswith("digits") else 1.0).fit(x, y)
    logistic = LogisticRegression(C=0.05 if name.startswith("digits") else 100, max_iter=500)
    logistic.fit(x_other, y_other)
    platt = CalibratedClassifierCV(LinearSVC(C=machine.C), cv=5).fit(x, y)
    said = [each.predict(pool) for each in (machine, logistic)]
    classes = machine.classes_
    sure = [
        ClassPredictions(each.predict_proba(pool), classes, own)
        for each, own in zip((platt, logistic), said, strict=True)
    ]
    scored = [
        ScoredClasses(each.decision_function(pool), classes, own)
        for each, own in zip((machine, logistic), said, strict=True)
    ]
    hard = [PredictedClasses(own, classes) for own in said]
    found = {"probabilities": sure, "one": [scored[0], sure[1]], "scores": scored, "classes": hard}
    return found, truth


def labels_to_decision(measure, models, truth, seed):
    """How many labels until it is known which is better, and the side; None where that takes too many."""
    session = Session(Pool(["x"] * len(truth), predictions=models), measure, seed=seed)
    while (asked := session.next()) is not None and session.n_labels < MOST:
        session.label(truth[asked.index].item())
        now = session.watched()
        if not now.low <= 0 <= now.high:
            return session.n_labels, int(np.sign(now.low + now.high))
    return None, 0


def lines():
    """The section of results/comparisons.md."""
    rows = [json.loads(line) for line in KEPT.read_text().splitlines()]
    found = [
        OF_SCORES,
        "",
        "Two fitted classifiers, a linear support vector machine and a logistic regression, and the same "
        "predictions in each row; what differs is what is known of how sure they are. Probabilities: Platt's "
        "sigmoid by cross-validation on the training data for the one, its own for the other. Sessions of "
        "the present rule. Written by `benchmarks/decision_scores.py`.",
        "",
        "| setting | given | sessions | decided | labels, median | mean ± standard error | nine in ten by | "
        "wrong |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in SETTINGS:
        for kind, words in KINDS.items():
            some = [row for row in rows if (row["setting"], row["kind"]) == (name, kind)]
            if not some:
                continue
            taken = np.array([row["labels"] or MOST for row in some])
            decided = sum(row["labels"] is not None for row in some)
            wrong = sum(row["side"] not in (0, int(np.sign(row["truth"]))) for row in some)
            error = taken.std(ddof=1) / np.sqrt(len(taken))
            found.append(
                f"| {name} | {words} | {len(some)} | {decided} | {np.median(taken):.0f} | "
                f"{taken.mean():.1f} ± {error:.1f} | {np.quantile(taken, 0.9):.0f} | {wrong} |"
            )
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--setting", choices=SETTINGS, nargs="+", default=list(SETTINGS))
    arguments = parser.parse_args()
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    kept = KEPT.read_text().splitlines() if KEPT.exists() else []
    others = [line for line in kept if json.loads(line)["setting"] not in arguments.setting]
    KEPT.write_text("".join(f"{line}\n" for line in others))
    with KEPT.open("a") as file:
        for name in arguments.setting:
            found, truth = models_of(name)
            measure = SETTINGS[name][1]
            first, second = found["classes"]
            difference = pool_value(measure, first, truth) - pool_value(measure, second, truth)
            apart = int((first.pred_codes != second.pred_codes).sum())
            print(name, len(truth), "apart", apart, "difference", round(difference, 4), flush=True)
            for kind, models in found.items():
                for seed in range(arguments.sessions):
                    labels, side = labels_to_decision(measure, models, truth, seed)
                    row = {"setting": name, "kind": kind, "seed": seed, "labels": labels}
                    file.write(json.dumps({**row, "side": side, "truth": difference}) + "\n")
                    file.flush()
                print(name, kind, flush=True)
    path = RESULTS / "comparisons.md"
    others = path.read_text().partition(f"\n{OF_SCORES}\n")[0]
    path.write_text(others + "\n" + "\n".join(lines()) + "\n")


if __name__ == "__main__":
    main()
