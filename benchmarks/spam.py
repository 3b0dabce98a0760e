"""Spam by time: trained on the past, evaluated on the future (ARE 3.1, AEF 4, T 4.4)."""

import gzip
import json

import numpy as np
from common import Setting, compared, run, sharpened
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, Precision, Recall, optimal_q

PAST = 2000
"""So many of the first mails are for training."""


def load(data):
    """The mails in order of arrival, their text, and which are spam."""
    with gzip.open(data / "spam_spamassassin" / "emails.jsonl.gz", "rt") as lines:
        mails = sorted(map(json.loads, lines), key=lambda mail: mail["received"])
    text = [f"{mail['subject']} {mail['text']}"[:20_000] for mail in mails]
    return mails, text, np.array([int(mail["label"] == "spam") for mail in mails])


def words(text):
    """What turns text into features, those of the past, and those of the pool."""
    vectorizer = TfidfVectorizer(sublinear_tf=True, max_features=30_000, min_df=2)
    train = vectorizer.fit_transform(text[:PAST])
    return vectorizer, train, vectorizer.transform(text[PAST:])


def five_models(data, rng):
    """Five filters by time: the three of `make_settings`, and two more logistic regressions."""
    _, text, y = load(data)
    _, train, pool = words(text)
    some = rng.choice(PAST, 500, replace=False)
    fitted = [
        LogisticRegression(C=3).fit(train[some], y[some]),
        LogisticRegression(C=100).fit(train[some[:250]], y[some[:250]]),
        MultinomialNB(alpha=0.1).fit(train[some], y[some]),
        LogisticRegression(C=100).fit(train[some], y[some]),
        LogisticRegression(C=3).fit(train[some[:250]], y[some[:250]]),
    ]
    models = [ClassPredictions(each.predict_proba(pool)) for each in fitted]
    return Setting("five models", ErrorRate(), models, y[PAST:], ["passive", "active"])


def make_settings(data, rng):
    mails, text, y = load(data)
    size = np.array([len(mail["text"]) + 200.0 for mail in mails])
    vectorizer, train, pool = words(text)
    truth, costs = y[PAST:], size[PAST:] / 1000
    # A quarter of the past and an early stop make a filter that errs: the papers' have 5–15 % errors.
    some = rng.choice(PAST, 500, replace=False)
    logistic = LogisticRegression(C=3).fit(train[some], y[some]).predict_proba(pool)
    bayes = MultinomialNB(alpha=0.1).fit(train[some], y[some]).predict_proba(pool)
    other = LogisticRegression(C=100).fit(train[some[:250]], y[some[:250]]).predict_proba(pool)
    model, naive, second = (ClassPredictions(proba) for proba in (logistic, bayes, other))
    sure = ClassPredictions(sharpened(logistic, 8))
    spam = np.flatnonzero(truth == 1)
    ham = np.flatnonzero(truth == 0)
    rare = np.sort(np.concatenate([ham, rng.choice(spam, round(len(ham) / 19), replace=False)]))
    few = ClassPredictions(logistic[rare])
    plain = ["passive", "active", "stratified"]
    of_f = ["passive", "active", "active_err"]
    by_cost = ["passive", "active", "active_uniC", "active_lambda"]
    settings = [
        Setting("error rate", ErrorRate(), model, truth, plain),
        Setting("error rate, naive Bayes", ErrorRate(), naive, truth, plain),
        Setting(
            "error rate, over-confident",
            ErrorRate(),
            sure,
            truth,
            {name: name for name in plain} | {"active, ε = 0.2": optimal_q(ErrorRate(), sure, defensive=0.2)},
            note="The logistic regression's probabilities to the 8th power.",
        ),
        Setting("recall", Recall(), model, truth, of_f),
        Setting("F0.5", FMeasure(beta=0.5), model, truth, of_f),
        Setting("precision", Precision(), model, truth, of_f),
    ]
    for name, measure in (
        ("error rate", ErrorRate()),
        ("recall", Recall()),
        ("F0.5", FMeasure(beta=0.5)),
        ("precision", Precision()),
    ):
        methods = plain if name == "error rate" else of_f
        settings.append(Setting(f"{name}, 5 % spam", measure, few, truth[rare], methods))
    # The same without the passage of time: what the shift costs.
    order = rng.permutation(len(mails))
    mixed, rest = order[:PAST], order[PAST:]
    everything = vectorizer.transform(text)
    fresh = LogisticRegression(C=30).fit(everything[mixed], y[mixed]).predict_proba(everything[rest])
    same = ClassPredictions(fresh)
    for name, measure in (
        ("error rate", ErrorRate()),
        ("recall", Recall()),
        ("F0.5", FMeasure(beta=0.5)),
        ("precision", Precision()),
    ):
        methods = plain if name == "error rate" else of_f
        settings.append(Setting(f"{name}, no shift", measure, same, y[rest], methods))
    unit = costs / costs.mean()
    settings.append(Setting("error rate, cost by size", ErrorRate(), model, truth, by_cost, costs=unit))
    settings.append(Setting("F0.5, cost by size", FMeasure(beta=0.5), model, truth, by_cost, costs=unit))
    for name, both in (
        ("two logistic regressions", [model, second]),
        ("logistic against Bayes", [model, naive]),
    ):
        settings.append(Setting(name, ErrorRate(), both, truth, compared(ErrorRate(), both)))
    settings.append(
        Setting(
            "three models", ErrorRate(), [model, second, naive], truth, ["passive", "active", "active_risk"]
        )
    )
    return settings


if __name__ == "__main__":
    run("spam", make_settings)
