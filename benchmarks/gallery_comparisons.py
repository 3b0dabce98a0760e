"""What the gallery draws of comparisons: activeeval_widgets/lessons/data/gallery_comparisons.json.

ACTIVEEVAL_DATA=FOLDER python tools/simulate_lessons.py gallery_comparisons
"""

import decisions
import digits
import numpy as np
import regression
import spam
from common import BUDGETS, data_folder
from gallery import (
    N_LABELS,
    N_REPLICATIONS,
    NAMES,
    SEED,
    described,
    head,
    labeled_session,
    named,
    of_demo,
    rounded,
)

from activeeval_widgets.stats import draw, optimal_q, pool_value, replicate, uniform_q
from activeeval_widgets.stats.questions.make import target_of

N_SESSIONS = 30
"""Adaptive sessions a pair; the seeds are 0, 1, 2, …"""

N_TESTED = 500
"""Sessions by the papers' protocol in which a test is made after every draw."""

ROUNDING = 1e-9

N_FIRST = 20
"""So many of the first of them are made anew by a test."""


def pairs(data):
    """Pairs of models by name, and the range of their labels."""
    mails = named(spam, data, "two logistic regressions", "logistic against Bayes")
    figures = named(digits, data, "USPS → MNIST, two models", "MNIST → USPS, two models")
    return {
        "Abalone": (*named(regression, data, "Abalone, process against ridge"), (0.0, 30.0)),
        "spam, two logistic": (mails[0], None),
        "spam, logistic or Bayes": (mails[1], None),
        "digits, USPS → MNIST": (figures[0], None),
        "digits, MNIST → USPS": (figures[1], None),
        "demo, two digit models": (of_demo("compare"), None),
    }


def tested(setting, q, n_sessions):
    """The papers' protocol: Wald's test after every draw, until it is significant."""
    target = target_of(setting.measure, setting.predictions)
    n_instances = len(setting.y_true)
    z = target.statistics(setting.y_true, np.arange(n_instances))
    truth = float(target.g(z.mean(axis=0)))
    draws = draw(q, n_sessions * N_LABELS, np.random.default_rng(SEED)).reshape(-1, N_LABELS)
    parts = []
    # A few sessions at once: all of them would take gigabytes.
    for some in np.array_split(draws, max(1, n_sessions // 50)):
        weights = 1 / (n_instances * q[some])
        at, side = decisions.wald(target, z[some], weights, 0.0)
        null_at, _ = decisions.wald(target, z[some], weights, truth)
        wrong = np.stack([wrong_choice(target, z[some], weights, n, truth) for n in BUDGETS], axis=1)
        parts.append((at, side, null_at, decisions.n_labels(some, at), wrong))
    at, side, null_at, labels, wrong = (np.concatenate(each) for each in zip(*parts, strict=True))
    seen = [[np.unique(one[:n]).size for n in BUDGETS] for one in draws[:100]]
    return decided(at, side, null_at, labels, truth) | choices(np.mean(seen, axis=0), wrong)


def wrong_choice(target, z, weights, n, truth):
    """Whether the estimate after n draws has the other sign than the truth; where it is 0, half."""
    total = weights[:, :n].sum(axis=1)[:, np.newaxis]
    value = target.g(np.einsum("rn,rni->ri", weights[:, :n], z[:, :n]) / total)
    return 0.5 - 0.5 * np.sign(value) * np.sign(truth)


def watched(setting, seed, y_range=None):
    """The interval that may be watched after each label of one session, and the values at the budgets."""
    session = labeled_session(setting, seed, y_range)
    low, high = session.watched().at(np.arange(1, N_LABELS + 1))
    return low, high, [each.value for each in session.trajectory(at=BUDGETS, interval="wald")]


def stopped(setting, n_sessions, y_range=None):
    """Adaptive sessions, stopped by the interval that may be watched."""
    one, other = (pool_value(setting.measure, each, setting.y_true) for each in setting.predictions)
    truth = one - other
    results = [watched(setting, seed, y_range) for seed in range(n_sessions)]
    low, high, values = (np.array(each) for each in zip(*results, strict=True))
    at = decisions.first_true((low > 0) | (high < 0))
    side = np.sign((low + high)[np.arange(n_sessions), at - 1])
    # Where all that can differ has an answer, the interval is the truth, but for rounding.
    null_at = decisions.first_true((low > truth + ROUNDING) | (high < truth - ROUNDING))
    labels = np.where(at > 0, at, N_LABELS).astype(float)
    wrong = 0.5 - 0.5 * np.sign(values) * np.sign(truth)
    return decided(at, side, null_at, labels, truth) | choices(np.array(BUDGETS), wrong)


def decided(at, side, null_at, labels, truth):
    """What came of the tests of all sessions."""
    right = np.sign(truth)
    return {
        "n_sessions": len(at),
        "labels": rounded(labels.mean()),
        "standard_error": rounded(labels.std() / np.sqrt(len(at))),
        "n_right": int(((at > 0) & (side == right)).sum()),
        "n_wrong": int(((at > 0) & (side == -right)).sum()),
        "n_rejecting_truth": int((null_at > 0).sum()),
    }


def choices(n_labels, wrong):
    return {"n_labels": rounded(n_labels), "wrong_choice": rounded(wrong.mean(axis=0))}


def all_told_apart(setting):
    """The papers' protocol for more models: until each pair of them differs significantly."""
    table = replicate(
        setting.measure,
        setting.predictions,
        setting.y_true,
        methods=setting.methods,
        budgets=BUDGETS,
        n_replications=N_REPLICATIONS,
        rng=np.random.default_rng(SEED),
    )
    found = {}
    for method in setting.methods:
        rows = table.of(method)
        found[NAMES[method]] = {
            "n_sessions": N_REPLICATIONS,
            "n_labels": rounded(rows["n_labels"]),
            "labels": rounded(rows["labels_to_significance"][-1]),
            "wrong_choice": rounded(rows["selection_error"]),
        }
    return found


def designs(setting):
    """The q of each method of the papers' protocol."""
    return {
        "uniform": uniform_q(len(setting.y_true)),
        "papers": optimal_q(setting.measure, setting.predictions),
    }


def first():
    """What came of the first sessions on the demo."""
    setting = of_demo("compare")
    found = {method: tested(setting, q, N_FIRST) for method, q in designs(setting).items()}
    return found | {"adaptive": stopped(setting, 1)}


def comparisons():
    """T, table 5.1, and ACP's labels saved."""
    data, found = data_folder(None), head(N_SESSIONS, first())
    for name, (setting, y_range) in pairs(data).items():
        methods = {method: tested(setting, q, N_TESTED) for method, q in designs(setting).items()}
        methods["adaptive"] = stopped(setting, N_SESSIONS, y_range)
        found["settings"].append(described(setting, name) | {"methods": methods})
        print(name, flush=True)
    five = spam.five_models(data, np.random.default_rng(SEED))
    found["five"] = described(five, "spam, five models") | {"methods": all_told_apart(five)}
    return found | {"first_test": decisions.FIRST}
