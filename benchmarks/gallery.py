"""What the gallery draws of many evaluations of one model: activeeval_widgets/lessons/data/gallery_*.json.

ACTIVEEVAL_DATA=FOLDER python tools/simulate_lessons.py gallery_errors gallery_f_measures

The papers' protocol is replicated, adaptive draws are whole sessions: seeded, each label given through the
session. The first results on a demo, whose data are at hand everywhere, are kept one by one: a test finds
them again.
"""

import digits
import numpy as np
import regression
import reuters
import spam
from common import BUDGETS, Setting, data_folder

from activeeval_widgets import Pool, Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import ClassPredictions, pool_value, replicate

SEED = 1
N_REPLICATIONS = 1000
"""Of each method with draws from one q."""

N_LABELS = BUDGETS[-1]
NAMES = {"passive": "uniform", "active": "papers", "active_err": "error_q"}

N_SESSIONS = {"errors": 120, "f_measures": 8}
"""Adaptive sessions a setting; the seeds are 0, 1, 2, …"""


def labeled_session(setting, seed, y_range=None):
    """A session of the present default, all of its labels given."""
    pool = Pool([str(i) for i in range(len(setting.y_true))], predictions=setting.predictions)
    session = Session(pool, setting.measure, seed=seed, budget=N_LABELS, y_range=y_range)
    while session.n_labels < N_LABELS and (asked := session.next()) is not None:
        session.label(setting.y_true[asked.index].item())
    return session


def estimated(setting, seed):
    """The value after each budget in one session, and Wald's interval: rows of three numbers."""
    results = labeled_session(setting, seed).trajectory(at=BUDGETS, interval="wald")
    return [[each.value, each.low, each.high] for each in results]


def adaptive(setting, n_sessions):
    """Errors of sessions, and how often their intervals hold."""
    truth = pool_value(setting.measure, setting.predictions, setting.y_true)
    rows = np.array([estimated(setting, seed) for seed in range(n_sessions)])
    values, low, high = np.moveaxis(rows, -1, 0)
    errors = np.abs(values - truth)
    n = np.isfinite(errors).sum(axis=0)
    return {
        "n_sessions": n_sessions,
        "n_labels": list(BUDGETS),
        "error": rounded(np.nanmean(errors, axis=0)),
        "standard_error": rounded(np.nanstd(errors, axis=0) / np.sqrt(n)),
        "undefined": rounded(1 - n / n_sessions),
        "coverage": rounded(((low <= truth) & (truth <= high)).mean(axis=0)),
        "width": rounded((high - low).mean(axis=0)),
    }


def replicated(setting, methods):
    """The same by draws from one q each, with replacement."""
    table = replicate(
        setting.measure,
        setting.predictions,
        setting.y_true,
        methods=methods,
        budgets=BUDGETS,
        n_replications=N_REPLICATIONS,
        rng=np.random.default_rng(SEED),
    )
    found = {}
    for method in methods:
        rows = table.of(method)
        error = rows["mean_absolute_error"]
        n = np.round((1 - rows["undefined"]) * N_REPLICATIONS)
        # The mean of squares is that of the error's size, so both tell how it varies.
        spread = np.sqrt(np.maximum(rows["rmse"] ** 2 - error**2, 0) / n)
        found[NAMES[method]] = {
            "n_sessions": N_REPLICATIONS,
            "n_labels": rounded(rows["n_labels"]),
            "error": rounded(error),
            "standard_error": rounded(spread),
            "undefined": rounded(rows["undefined"]),
            "coverage": rounded(rows["coverage"]),
            "width": rounded(rows["width"]),
        }
    return found


def described(setting, name):
    """What a reader has to know about a pool."""
    models = setting.predictions if isinstance(setting.predictions, list) else [setting.predictions]
    found = {
        "name": name,
        "n_instances": len(setting.y_true),
        "truth": rounded([pool_value(setting.measure, model, setting.y_true) for model in models]),
    }
    if isinstance(models[0], ClassPredictions):
        codes = models[0].encode(setting.y_true)
        likelihood = [model.y_proba[np.arange(len(codes)), codes].mean() for model in models]
        found["likelihood"] = rounded(likelihood)
    return found


def named(module, data, *names):
    """Settings of a benchmark, made as that makes them."""
    settings = {each.name: each for each in module.make_settings(data, np.random.default_rng(SEED))}
    return [settings[name] for name in names]


def of_demo(name):
    """A demo's pool, predictions and measure."""
    demo = DEMOS[name]()
    predictions = demo.pool.predictions
    models = list(predictions) if isinstance(predictions, tuple) else predictions
    return Setting(name, demo.measure, models, np.asarray(demo.y_true), [])


def head(n_sessions, first):
    """What is said of how a file was made."""
    return {"seed": SEED, "n_sessions": n_sessions, "level": 0.95, "first": first, "settings": []}


def errors():
    """ARE, figures 1 and 2: error rates and squared errors."""
    data, found = data_folder(None), head(N_SESSIONS["errors"], FIRST["errors"]())
    mails = named(spam, data, "error rate, no shift", "error rate")
    figures = named(digits, data, "USPS → MNIST, 4 against 9", "MNIST → USPS, 4 against 9")
    values = named(regression, data, "Abalone, Gaussian process", "Sarcos, Gaussian process")
    some = {
        "spam, no shift": mails[0],
        "spam, by time": mails[1],
        "digits, USPS → MNIST": figures[0],
        "digits, MNIST → USPS": figures[1],
        "demo, digits": of_demo("digits"),
        "demo, photos": of_demo("images"),
        "Abalone": values[0],
        "Sarcos": values[1],
    }
    for name, setting in some.items():
        methods = replicated(setting, ["passive", "active"])
        methods["adaptive"] = adaptive(setting, N_SESSIONS["errors"])
        found["settings"].append(described(setting, name) | {"methods": methods})
        print(name, flush=True)
    return found


def f_measures():
    """AEF's curves: recall, F0.5 and precision of a spam filter, F1 of Reuters' topics."""
    data, found = data_folder(None), head(N_SESSIONS["f_measures"], FIRST["f_measures"]())
    measures = ("recall", "F0.5", "precision")
    mails = [f"{measure}, {shift}" for shift in ("no shift", "5 % spam") for measure in measures]
    some = {f"spam, {each.name}": each for each in named(spam, data, *mails)}
    some |= {f"Reuters, {each.name}": each for each in named(reuters, data, *reuters.TOPICS)}
    some["demo, reviews"] = of_demo("text")
    for name, setting in some.items():
        methods = replicated(setting, ["passive", "active", "active_err"])
        methods["adaptive"] = adaptive(setting, N_SESSIONS["f_measures"])
        found["settings"].append(described(setting, name) | {"methods": methods})
        print(name, flush=True)
    return found


FIRST = {
    "errors": lambda: estimated(of_demo("digits"), 0),
    "f_measures": lambda: estimated(of_demo("text"), 0),
}
"""What a test finds again."""


def rounded(values):
    """Four digits that count: files stay small, and readable."""
    found = np.vectorize(lambda value: float(f"{value:.4g}"))(np.asarray(values, dtype=float))
    return found.tolist()
