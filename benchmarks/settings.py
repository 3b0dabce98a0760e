"""Fully labeled pools, named, that methods are compared on: a function each, of the folder of the data.

`SETTINGS[name](data)` and `load(name)` give a `Setting`: a measure, predictions and labels of the whole pool.
Some are of models that are right, most of models that are wrong in a way of their own.
"""

import gzip
import json
import os
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from common import data_folder, sharpened
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from activeeval_widgets.stats import (
    DCG,
    AbsoluteError,
    BalancedAccuracy,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    MacroF,
    Measure,
    Predictions,
    RankingPredictions,
    SquaredError,
    ValuePredictions,
    pool_value,
)


class Setting(NamedTuple):
    """A measure of a model on a fully labeled pool.

    Attributes
    ----------
    measure : Measure
    predictions : Predictions
    y_true : ndarray of shape (n_instances,)
        Labels; of rankings an array of objects, each a mapping from item to grade.
    y_range : tuple of float, optional
        For values, what labels there can be.
    """

    measure: Measure
    predictions: Predictions
    y_true: np.ndarray
    y_range: tuple[float, float] | None = None

    @property
    def truth(self) -> float:
        """The measure on the whole pool."""
        return pool_value(self.measure, self.predictions, self.y_true)


SETTINGS: dict[str, Callable[[Path], Setting]] = {}
"""All settings by their names."""


def setting(name: str) -> Callable[[Callable[[Path], Setting]], Callable[[Path], Setting]]:
    """Enter a function that makes a setting under a name."""

    def enter(function: Callable[[Path], Setting]) -> Callable[[Path], Setting]:
        SETTINGS[name] = function
        return function

    return enter


def load(name: str, data: str | None = None) -> Setting:
    """A setting by its name; kept in the folder that ACTIVEEVAL_CACHE names, if it does."""
    folder = os.environ.get("ACTIVEEVAL_CACHE")
    if folder is None:
        return SETTINGS[name](data_folder(data))
    file = Path(folder) / f"{name.replace('/', '-')}.pickle"
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pickle.dumps(SETTINGS[name](data_folder(data))))
    found: Setting = pickle.loads(file.read_bytes())
    return found


# -- digits -----------------------------------------------------------------------------------------------


@cache
def digits_pool(n_train, strength, seed, power, rare):
    """A logistic regression learned from few digits, and a pool in which one digit makes up 3 %."""
    x, y = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(y))
    train, rest = order[:n_train], order[n_train:]
    positives, others = rest[y[rest] == rare], rest[y[rest] != rare]
    pool = np.sort(np.concatenate([others, positives[: round(len(others) * 3 / 97)]]))
    model = LogisticRegression(C=strength, max_iter=3000).fit(x[train], y[train])
    return ClassPredictions(sharpened(model.predict_proba(x[pool]), power)), y[pool]


for name, arguments in {
    "calibrated": (100, 0.1, 0, 1, 8),
    "over-confident": (50, 0.01, 9, 8, 9),
    "under-confident": (100, 0.1, 0, 0.3, 8),
}.items():

    def _error(data, arguments=arguments):
        del data
        return Setting(ErrorRate(), *digits_pool(*arguments))

    def _f(data, arguments=arguments):
        del data
        return Setting(FMeasure(positive=arguments[-1]), *digits_pool(*arguments))

    SETTINGS[f"digits error, {name}"] = _error
    SETTINGS[f"digits F1 of 3 %, {name}"] = _f


@setting("digits error, rounded to 0/1")
def rounded(data):
    del data
    model, y_true = digits_pool(100, 0.1, 0, 1, 8)
    return Setting(ErrorRate(), ClassPredictions(np.eye(10)[model.pred_codes]), y_true)


@setting("digits macro-F")
def digits_macro_f(data):
    del data
    return Setting(MacroF(), *digits_pool(100, 0.1, 0, 1, 8))


@setting("digits error, a cluster of confident errors")
def cluster(data):
    """Fours that look like each other were never seen in training: taken for others with confidence."""
    x, y, pool, truth = _mnist(data)
    rng = np.random.default_rng(3)
    train = np.concatenate([rng.choice(np.flatnonzero(y != 4), 900, replace=False)])
    model = LogisticRegression(C=0.3, max_iter=500).fit(x[train], y[train])
    rest = np.flatnonzero(truth != 4)
    rest = np.concatenate([rng.choice(rest, 2400, replace=False), np.flatnonzero(truth == 4)[:150]])
    found = np.full((len(rest), 10), 1e-6)
    found[:, model.classes_] += sharpened(model.predict_proba(pool[rest]), 2)
    return Setting(ErrorRate(), ClassPredictions(found / found.sum(axis=1, keepdims=True)), truth[rest])


@cache
def _mnist(data):
    arrays = np.load(data / "digits_mnist" / "mnist_t10k.npz")
    x = arrays["X"][:, ::2, ::2].reshape(len(arrays["y"]), -1) / 255.0
    y = arrays["y"].astype(int)
    return x[:5000], y[:5000], x[5000:], y[5000:]


# -- mails and photos -------------------------------------------------------------------------------------


@cache
def _spam(data):
    with gzip.open(data / "spam_spamassassin" / "emails.jsonl.gz", "rt") as lines:
        mails = sorted(map(json.loads, lines), key=lambda mail: mail["received"])[:5000]
    text = [f"{mail['subject']} {mail['text']}"[:5_000] for mail in mails]
    y = np.array([int(mail["label"] == "spam") for mail in mails])
    vectorizer = TfidfVectorizer(sublinear_tf=True, max_features=20_000, min_df=2)
    train, pool = vectorizer.fit_transform(text[:2000]), vectorizer.transform(text[2000:])
    some = np.random.default_rng(1).choice(2000, 500, replace=False)
    return LogisticRegression(C=100, max_iter=500).fit(train[some], y[some]).predict_proba(pool), y[2000:]


@setting("spam error, probabilities cubed")
def spam_error(data):
    proba, y_true = _spam(data)
    return Setting(ErrorRate(), ClassPredictions(sharpened(proba, 3)), y_true)


@setting("spam F1, probabilities cubed")
def spam_f(data):
    proba, y_true = _spam(data)
    return Setting(FMeasure(), ClassPredictions(sharpened(proba, 3)), y_true)


@setting("spam error, constant predictions")
def constant(data):
    proba, y_true = _spam(data)
    share = float(y_true.mean())
    return Setting(ErrorRate(), ClassPredictions(np.tile([1 - share, share], (len(proba), 1))), y_true)


@cache
def _photos(data):
    arrays = np.load(data / "demo_image" / "fashion_2k.npz")
    x, y = arrays["X"].reshape(len(arrays["y"]), -1) / 255.0, arrays["y"].astype(int)
    order = np.random.default_rng(2).permutation(len(y))
    model = LogisticRegression(C=0.1, max_iter=500).fit(x[order[:200]], y[order[:200]])
    rest = np.sort(order[200:])
    return model.predict_proba(x[rest]), y[rest]


@setting("photos error")
def photos(data):
    proba, y_true = _photos(data)
    return Setting(ErrorRate(), ClassPredictions(proba), y_true)


# -- very rare classes ------------------------------------------------------------------------------------


@cache
def rare_classes(sizes=(2350, 480, 120, 20, 13, 10, 7)):
    """Seven classes, two of them with 7 and 10 of 3,000 instances, and a forest that is nearly right."""
    rng = np.random.default_rng(11)
    centers = rng.normal(size=(len(sizes), 8)) * 2.5
    y = np.repeat(np.arange(len(sizes)), sizes)
    x = centers[y] + rng.normal(size=(len(y), 8))
    known = rng.choice(len(sizes), 1500, p=np.array(sizes) / sum(sizes))
    known[: 3 * len(sizes)] = np.repeat(np.arange(len(sizes)), 3)
    seen = centers[known] + rng.normal(size=(len(known), 8))
    forest = RandomForestClassifier(200, min_samples_leaf=1, random_state=0, n_jobs=1).fit(seen, known)
    return ClassPredictions(forest.predict_proba(x)), y


@setting("rare classes, balanced accuracy")
def rare_balanced(data):
    del data
    return Setting(BalancedAccuracy(), *rare_classes())


@setting("rare classes, macro-F")
def rare_macro_f(data):
    del data
    return Setting(MacroF(), *rare_classes())


# -- values -----------------------------------------------------------------------------------------------


def forest_of(x, y, n_train, n_pool, seed, leaf=3):
    """A forest's predictions; their variances are how far its trees disagree."""
    order = np.random.default_rng(seed).permutation(len(y))
    train, pool = order[:n_train], order[n_train : n_train + n_pool]
    forest = RandomForestRegressor(60, min_samples_leaf=leaf, random_state=0, n_jobs=1)
    trees = np.array([tree.predict(x[pool]) for tree in forest.fit(x[train], y[train]).estimators_])
    return ValuePredictions(trees.mean(axis=0), trees.var(axis=0) + 1e-9), y[pool]


def in_range(measure, model, y_true):
    """A setting with the labels' range, a tenth wider on both sides."""
    spread = float(np.ptp(y_true)) / 10
    return Setting(measure, model, y_true, (float(y_true.min()) - spread, float(y_true.max()) + spread))


@cache
def two_modes():
    """Residuals that come from two modes: the inputs hardly tell which (like the sizes of decoys, casp)."""
    rng = np.random.default_rng(21)
    x = rng.normal(size=(5000, 9))
    hidden = rng.random(5000) < 1 / (1 + np.exp(-0.8 * x[:, 0] - 0.8 * x[:, 1]))
    y = np.where(hidden, 13 + 2 * x[:, 2], 3 + np.abs(x[:, 3])) + rng.normal(size=5000)
    return forest_of(x, np.clip(y, 0, 21), 1500, 3000, 0)


@cache
def seldom_far_off():
    """Small residuals, and now and then an enormous one (like the load of a computer, compactiv)."""
    rng = np.random.default_rng(22)
    x = rng.normal(size=(5000, 12))
    idle = 1 / (1 + np.exp(-(x[:, :4] @ [1.2, -0.8, 0.6, 0.4] - 1)))
    y = 97 - 30 * idle - 3 * np.abs(x[:, 4]) + 1.2 * rng.standard_t(3, size=5000)
    y[rng.random(5000) < 0.004 + 0.05 * (x[:, 0] > 1.8)] = 0
    return forest_of(x, np.clip(y, 0, 99), 1500, 3000, 0)


@setting("squared error, two modes")
def squared_two_modes(data):
    del data
    return in_range(SquaredError(), *two_modes())


@setting("squared error, seldom far off")
def squared_seldom(data):
    del data
    return in_range(SquaredError(), *seldom_far_off())


@setting("squared error, sarcos")
def squared_sarcos(data):
    arrays = np.load(data / "reg_sarcos" / "sarcos_test.npz")
    x, y = arrays["X"].astype(float), arrays["Y"][:, 0].astype(float)
    return in_range(SquaredError(), *forest_of(x, y, 800, 3000, 0))


@setting("absolute error, abalone")
def absolute_abalone(data):
    table = pd.read_csv(data / "reg_abalone" / "abalone.csv.gz")
    x = np.column_stack(
        [*(table["sex"] == sex for sex in "MFI"), *table.drop(columns=["sex", "rings"]).to_numpy().T]
    )
    return in_range(
        AbsoluteError(), *forest_of(x.astype(float), table["rings"].to_numpy(float), 1000, 3000, 0)
    )


# -- judges' votes ----------------------------------------------------------------------------------------


@cache
def _votes(data, *, is_adversarial):
    """The votes of weak judges as probabilities: on the adversarial part they mislead."""
    with gzip.open(data / "llm_judged" / "llmbar.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    if is_adversarial:
        rows = [row for row in rows if row["subset"] != "Natural"]
    shares = []
    for row in rows:
        votes = [v for name, pair in row["judges"].items() if not name.startswith("GPT-4") for v in pair if v]
        shares.append((votes.count("2") + 0.5) / (len(votes) + 1))
    share = np.array(shares)
    y_true = np.array([row["label"] for row in rows]).astype(str)
    return ClassPredictions(np.column_stack([1 - share, share]), classes=["1", "2"]), y_true


@setting("judges' votes, error, adversarial part")
def votes_adversarial(data):
    return Setting(ErrorRate(), *_votes(data, is_adversarial=True))


@setting("judges' votes, error, all")
def votes_all(data):
    return Setting(ErrorRate(), *_votes(data, is_adversarial=False))


# -- rankings ---------------------------------------------------------------------------------------------


def ranked(x, grades, query, n_grades):
    """Rankings by a forest's expected gain, out of fold, and its probabilities of the grades."""
    proba = np.full((len(grades), n_grades), 1e-3)
    for train, test in GroupKFold(5).split(x, grades, query):
        forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=0, n_jobs=1)
        forest.fit(x[train], grades[train])
        proba[np.ix_(test, forest.classes_.astype(int))] += forest.predict_proba(x[test])
    proba /= proba.sum(axis=1, keepdims=True)
    score = proba @ (2.0 ** np.arange(n_grades) - 1)
    members = [np.flatnonzero(query == each) for each in np.unique(query)]
    rankings = [[int(i) for i in rows[np.argsort(-score[rows], kind="stable")]] for rows in members]
    known = [{int(i): proba[i] for i in rows} for rows in members]
    labels = np.empty(len(members), dtype=object)
    labels[:] = [{int(i): int(grades[i]) for i in rows} for rows in members]
    return RankingPredictions(rankings, known, range(n_grades)), labels


@setting("DCG, LightGBM's example")
def dcg_lightgbm(data):
    arrays = np.load(data / "rank_lightgbm" / "lambdarank.npz")
    x = np.vstack([arrays["X_train"], arrays["X_test"]])
    y = np.concatenate([arrays["y_train"], arrays["y_test"]]).astype(int)
    query = np.concatenate([arrays["qid_train"], arrays["qid_test"] + 1 + arrays["qid_train"].max()])
    return Setting(DCG(cutoff=10), *ranked(x, y, query, 5))


@setting("DCG, Chorus")
def dcg_chorus(data):
    table = pd.read_csv(data / "rank_chorus" / "ratings_supahands.csv.gz")
    title = (table["title"].fillna("") + " " + table["description"].fillna("")).str.lower()
    words = TfidfVectorizer(min_df=1, max_features=20_000).fit(title)
    asked, shown = words.transform(table["query"].str.lower()), words.transform(title)
    x = np.column_stack(
        [
            np.asarray(asked.multiply(shown).sum(axis=1)).ravel(),
            [np.mean([word in text for word in query.lower().split()])
             for query, text in zip(table["query"], title, strict=True)],
            table["query"].str.len(),
            title.str.len(),
            table.groupby("query").cumcount(),
        ]
    )  # fmt: skip
    query = table["query"].astype("category").cat.codes.to_numpy()
    return Setting(DCG(cutoff=10), *ranked(x, table["final"].astype(int).to_numpy(), query, 4))
