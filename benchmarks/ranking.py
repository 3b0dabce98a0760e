"""LightGBM's ranking example: DCG and ERR, one ranker and two, costs by list length (T 6.4)."""

import numpy as np
from common import Setting, run
from lightgbm import LGBMClassifier, LGBMRanker
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold

from activeeval_widgets.stats import DCG, ERR, RankingPredictions

GRADES = range(5)
BUDGETS = (10, 20, 40, 80, 160)


def scores_by_folds(x, y, query):
    """Out-of-fold scores of two rankers, and the probabilities of the grades, for every query."""
    first, second, proba = np.empty(len(y)), np.empty(len(y)), np.empty((len(y), len(GRADES)))
    quiet = {"verbose": -1, "n_jobs": 1, "random_state": 0}
    for train, test in GroupKFold(5).split(x, y, query):
        ordered = train[np.argsort(query[train], kind="stable")]
        sizes = np.unique(query[ordered], return_counts=True)[1]
        ranker = LGBMRanker(n_estimators=60, min_child_samples=10, **quiet)
        first[test] = ranker.fit(x[ordered], y[ordered], group=sizes).predict(x[test])
        second[test] = Ridge(10).fit(x[train], y[train]).predict(x[test])
        classifier = LGBMClassifier(n_estimators=25, learning_rate=0.05, min_child_samples=20, **quiet)
        classifier.fit(x[train], y[train])
        found = np.full((len(test), len(GRADES)), 1e-4)
        found[:, classifier.classes_.astype(int)] += classifier.predict_proba(x[test])
        proba[test] = found / found.sum(axis=1, keepdims=True)
    return first, second, proba


def make_settings(data, rng):
    arrays = np.load(data / "rank_lightgbm" / "lambdarank.npz")
    x = np.vstack([arrays["X_train"], arrays["X_test"]])
    y = np.concatenate([arrays["y_train"], arrays["y_test"]]).astype(int)
    query = np.concatenate([arrays["qid_train"], arrays["qid_test"] + 1 + arrays["qid_train"].max()])
    first, second, proba = scores_by_folds(x, y, query)
    members = [np.flatnonzero(query == q) for q in np.unique(query)]
    labels = [{int(i): int(y[i]) for i in rows} for rows in members]
    known = [{int(i): proba[i] for i in rows} for rows in members]

    def ranked(score, shortened=False):
        # The second ranker's index lacks a tenth of the items: lists share items only in part.
        kept = rng.random(len(y)) > 0.1 if shortened else np.ones(len(y), dtype=bool)
        lists = [rows[kept[rows]] if kept[rows].any() else rows for rows in members]
        rankings = [[int(i) for i in rows[np.argsort(-score[rows], kind="stable")]] for rows in lists]
        return RankingPredictions(rankings, known, GRADES)

    boosted, linear, update = ranked(first), ranked(second), ranked(first, shortened=True)
    length = np.array([len(rows) for rows in members], dtype=float)
    costs = length / length.mean()
    single = ["passive", "active", "active_uniD", "stratified"]
    compared = ["passive", "active", "active_uniD", "active_risk", "stratified"]
    by_cost = ["passive", "active", "active_uniC", "active_lambda"]
    settings = []
    for measure in (DCG(cutoff=10), ERR()):
        name = measure.name
        settings += [
            Setting(name, measure, boosted, labels, single, BUDGETS),
            Setting(f"{name}, cost by length", measure, boosted, labels, by_cost, BUDGETS, costs),
            Setting(f"{name}, boosted against linear", measure, [boosted, linear], labels, compared, BUDGETS),
            Setting(
                f"{name}, two rankers, cost by length",
                measure,
                [boosted, linear],
                labels,
                by_cost,
                BUDGETS,
                costs,
            ),
            Setting(f"{name}, index update", measure, [boosted, update], labels, compared, BUDGETS),
        ]
    return settings


if __name__ == "__main__":
    run("ranking", make_settings)
