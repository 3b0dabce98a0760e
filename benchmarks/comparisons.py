# ruff: noqa: E501 - lines of the tables
"""Labels until it is clear which of two models is better, by draws of several kinds, through `Session`.

    OMP_NUM_THREADS=1 python benchmarks/comparisons.py run [--setting NAME …] [--methods X,Y] [--sessions 100] [--first-seed 0]
    OMP_NUM_THREADS=1 python benchmarks/comparisons.py tied [--setting NAME …] [--sessions 100] [--first-seed 0]
    python benchmarks/comparisons.py report

The first two keep what they found in the folder `build/comparisons`; the last writes results/comparisons.md.
"""

import argparse
import json
import pickle
from functools import cache, partial

import numpy as np
from common import BUILD, RESULTS, data_folder
from scipy.stats import beta

from activeeval_widgets import Pool, Session
from activeeval_widgets.demos import DEMOS
from activeeval_widgets.session import Ranking, Result
from activeeval_widgets.stats import (
    ClassPredictions,
    RankingPredictions,
    disagreement_q,
    pool_value,
    uniform_q,
)

KEPT = BUILD / "comparisons"
MOST = 300
"""No session goes on for longer."""

WATCHED = 150
"""The number of labels after its decision for which an adaptive session goes on, for verdicts of equivalence."""

MARGINS = (0.5, 0.9, 1.5, 2.0, 3.0)
"""Margins of equivalence, in parts of the true difference: within the first two it is not."""

OF_SCORES = "## Decision scores, and classes without them"

METHODS = {
    "adaptive": "adaptive draws",
    "uniform": "uniform draws",
    "papers": "the papers' q*, ε = 0.2",
    "disagreement": "active_≠",
}


def of_benchmark(name, k):
    """A setting of another benchmark, by its name."""
    from importlib import import_module

    settings = import_module(name).make_settings(data_folder(None), np.random.default_rng(1))
    found = next(each for each in settings if each.name == k)
    return found.measure, list(found.predictions), found.y_true


def of_demo(name, i=0, j=1):
    demo = DEMOS[name]()
    return demo.measure, [demo.pool.models[i], demo.pool.models[j]], demo.y_true


def of_searches_updated():
    """The demo's searches, where two in three queries have the new one's list from both."""
    measure, (new, old), y_true = of_demo("ranking")
    lists = [old.items(i) if i % 3 == 0 else new.items(i) for i in range(old.n_instances)]
    known = [
        {
            item: each.relevance.proba[row]
            for each in (new, old)
            for item, row in each.relevance.rows[i].items()
        }
        for i in range(old.n_instances)
    ]
    proba = [[known[i][item] for item in items] for i, items in enumerate(lists)]
    return measure, [new, RankingPredictions(lists, proba, old.grades)], y_true


SETTINGS = {
    "digits, demo": partial(of_demo, "compare"),
    "spam, two logistic": partial(of_benchmark, "spam", "two logistic regressions"),
    "spam, logistic or Bayes": partial(of_benchmark, "spam", "logistic against Bayes"),
    "digits, USPS → MNIST": partial(of_benchmark, "digits", "USPS → MNIST, two models"),
    "reviews, 1 or 2": partial(of_demo, "leaderboard", 0, 1),
    "reviews, 2 or 3": partial(of_demo, "leaderboard", 1, 2),
    "searches, demo": partial(of_demo, "ranking"),
    "searches, demo, a third differ": of_searches_updated,
    "ranking, index update": partial(of_benchmark, "ranking", "DCG, index update"),
    "Abalone": partial(of_benchmark, "regression", "Abalone, process against ridge"),
}
Y_RANGE = {"Abalone": (0.0, 30.0)}


@cache
def load(name):
    path = KEPT / f"{name}.pickle"
    if not path.exists():
        path.write_bytes(pickle.dumps(SETTINGS[name]()))
    measure, models, y_true = pickle.loads(path.read_bytes())
    return (
        measure,
        models,
        y_true,
        pool_value(measure, models[0], y_true) - pool_value(measure, models[1], y_true),
    )


def plain(y):
    return y.item() if isinstance(y, np.generic) else y


def merged(models, i):
    """A query with what either ranker found."""
    items = dict.fromkeys(item for model in models for item in model.items(i))
    return Ranking(f"query {i}", tuple(Result(item) for item in items))


def begun(name, models, measure, method, seed):
    """A session, before its first label."""
    is_ranked = isinstance(models[0], RankingPredictions)
    n_instances = models[0].n_instances
    content = [merged(models, i) for i in range(n_instances)] if is_ranked else ["x"] * n_instances
    pool = Pool(content, predictions=models)
    options = {"y_range": Y_RANGE[name]} if name in Y_RANGE else {}
    if method == "uniform":
        options["q" if is_ranked else "defensive"] = uniform_q(n_instances) if is_ranked else 1.0
    elif method == "papers":
        options["protocol"] = "papers"
    elif method == "disagreement":
        options["q"] = disagreement_q(*models)
    return Session(pool, measure, seed=seed, **options)


def answer(session, y_true, index):
    """The true label, of what is asked: of rankings, no more than the measure's cutoff needs."""
    if session.labels.kind != "grades":
        return plain(y_true[index])
    return {item: y_true[index][item] for item in session.labels.items[index]}


def one_session(name, method, seed):
    """A session until its decision: what is kept of it."""
    measure, models, y_true, truth = load(name)
    session = begun(name, models, measure, method, seed)
    decided, side, within = None, 0, {}
    goes_on = method == "adaptive"
    while (asked := session.next()) is not None and session.n_labels < MOST:
        session.label(answer(session, y_true, asked.index))
        now = session.watched()
        if decided is None and not now.low <= 0 <= now.high:
            decided, side = session.n_labels, int(np.sign(now.low + now.high))
        farthest = max(-now.low, now.high)
        for margin in MARGINS:
            if farthest < margin * abs(truth) and margin not in within:
                within[margin] = session.n_labels
        if decided is not None and (not goes_on or session.n_labels >= WATCHED):
            break
    return {
        "setting": name, "method": method, "seed": seed, "labels": decided, "side": side, "truth": truth,
        "given": session.n_labels, "within": {str(k): n for k, n in within.items()},
    }  # fmt: skip


def tied(name, seed):
    """The models with predictions exchanged at random, so that they are exactly as good as each other."""
    measure, models, y_true, _ = load(name)
    rng = np.random.default_rng(seed)
    codes = [model.pred_codes.copy() for model in models]
    probas = [model.y_proba.copy() for model in models]
    truth = models[0].encode(y_true)
    apart = (codes[0] != truth).astype(int) - (codes[1] != truth)
    decisive = rng.permutation(np.flatnonzero(apart))
    half = len(decisive) // 2
    wanted = np.concatenate([np.ones(half), -np.ones(half), np.zeros(len(decisive) % 2)])
    undecided = np.flatnonzero((apart == 0) & (rng.random(len(apart)) < 0.5))
    for i in [*decisive[(wanted != 0) & (apart[decisive] != wanted)], *undecided]:
        for each in (codes, probas):
            each[0][i], each[1][i] = each[1][i].copy(), each[0][i].copy()
    for i in decisive[wanted == 0]:
        codes[1][i], probas[1][i] = codes[0][i], probas[0][i]
    classes = models[0].classes
    return (
        measure,
        [ClassPredictions(p, classes, classes[c]) for p, c in zip(probas, codes, strict=True)],
        y_true,
    )


def tied_session(name, seed):
    """Whether a session ever finds a difference where there is none."""
    measure, models, y_true = tied(name, seed)
    difference = pool_value(measure, models[0], y_true) - pool_value(measure, models[1], y_true)
    assert abs(difference) < 1e-12, difference
    session = begun(name, models, measure, "adaptive", seed)
    rejected, n_differing, equivalent = None, int((models[0].pred_codes != models[1].pred_codes).sum()), None
    while (asked := session.next()) is not None and session.n_labels < MOST and rejected is None:
        session.label(plain(y_true[asked.index]))
        now = session.watched()
        if not now.low <= 0 <= now.high:
            rejected = session.n_labels
        if equivalent is None and max(-now.low, now.high) < 0.02:
            equivalent = session.n_labels
        if session.known_value() is not None:
            break
    return {
        "setting": name,
        "seed": seed,
        "rejected": rejected,
        "given": session.n_labels,
        "n_differing": n_differing,
        "equivalent": equivalent,
    }


def keep(path, row):
    with (KEPT / path).open("a") as file:
        file.write(json.dumps(row) + "\n")


def kept(pattern):
    rows = [json.loads(line) for path in sorted(KEPT.glob(pattern)) for line in path.read_text().splitlines()]
    # Each once, however often it was run.
    return list({json.dumps([row["setting"], row.get("method"), row["seed"]]): row for row in rows}.values())


def bound(n_wrong, n):
    """The exact upper bound of a share, one-sided at 95 %."""
    return f"{100 * (1.0 if n_wrong == n else float(beta.ppf(0.95, n_wrong + 1, n - n_wrong))):.1f} %"


def in_short(shares):
    """Of each kind of draws, how many of the labels it saves."""
    told = [
        f"{METHODS[method]} {min(some):.0f} to {max(some):.0f} % (middle {np.median(some):.0f} %, {len(some)} pools)"
        for method, some in shares.items()
        if len(some) > 1
    ]
    return [f"Saved, in short: {'; '.join(told)}."]


def report():
    """Write results/comparisons.md of what is kept."""
    rows = kept("run*.jsonl")
    lines = [
        "# Two models: labels until a decision",
        "",
        "Sessions through `Session`, labeled by the true labels, until the interval that may be watched at every label "
        f"leaves out 0 (95 %), at most {MOST} labels. All methods have the same kind of interval. Uniform draws: without replacement "
        "(rankings: with). The papers' q* and active_≠: with replacement; a repeated draw costs no label. Undecided sessions count "
        f"as {MOST} labels in means. “Saved”: against uniform draws, by the mean, "
        "so at least that much where uniform sessions ended undecided; the papers report 60 to 90 %. Written by `benchmarks/comparisons.py`.",
    ]
    top = len(lines)
    n_wrong = n_all = 0
    shares: dict[str, list[float]] = {method: [] for method in METHODS}
    for name in SETTINGS:
        of = [row for row in rows if row["setting"] == name]
        if not of:
            continue
        measure, models, _, truth = load(name)
        n = models[0].n_instances
        differ = measure.can_differ(*models)
        lines += [
            "", f"## {name}", "",
            f"Pool of {n:,}, of which a label can tell the models apart on {int(differ.sum()):,}; {measure.name}, difference {truth:.4g}.", "",
            "| draws | sessions | decided | labels, median | mean ± standard error | nine in ten by | saved | wrong |", "|---|---|---|---|---|---|---|---|",
        ]  # fmt: skip
        passive = [row["labels"] or MOST for row in of if row["method"] == "uniform"]
        for method, title in METHODS.items():
            some = [row for row in of if row["method"] == method]
            if not some:
                continue
            labels = np.array([row["labels"] or np.inf for row in some])
            spent = np.minimum(labels, MOST)
            wrong = sum(row["side"] == -np.sign(truth) for row in some)
            n_wrong, n_all = n_wrong + wrong, n_all + len(some)
            middle, most = (np.quantile(labels, share, method="higher") for share in (0.5, 0.9))
            told = [f"{each:.0f}" if np.isfinite(each) else f"> {MOST}" for each in (middle, most)]
            saved = ""
            if passive and method != "uniform":
                shares[method].append(100 * (1 - spent.mean() / np.mean(passive)))
                saved = f"{shares[method][-1]:.0f} %"
            lines.append(
                f"| {title} | {len(some)} | {int(np.isfinite(labels).sum())} | {told[0]} | {spent.mean():.1f} ± {spent.std() / np.sqrt(len(some)):.1f} | {told[1]} | {saved} | {wrong} |"
            )
    lines += [
        "",
        f"Of all {n_all} sessions {n_wrong} decided for the worse model: at most {bound(n_wrong, n_all)}, where 5 % are promised.",
    ]
    watched = [row for row in rows if row["method"] == "adaptive"]
    if watched:
        false = sum(any(float(k) < 1 for k in row["within"]) for row in watched)
        lines += [
            "", "## They differ by less than …", "",
            f"The same {len(watched)} adaptive sessions, watched for {WATCHED} labels or until the decision. Such a verdict is given as soon as the interval lies within "
            "± the margin. For margins of 0.5 and 0.9 times the true difference it is wrong whenever it is given.", "",
            "| margin, in true differences | sessions with the verdict | labels, median of these |", "|---|---|---|",
        ]  # fmt: skip
        for margin in MARGINS:
            at = [row["within"][str(margin)] for row in watched if str(margin) in row["within"]]
            lines.append(f"| {margin:g} | {len(at)} | {f'{np.median(at):.0f}' if at else ''} |")
        lines += [
            "",
            f"Wrong verdicts: in {false} of {len(watched)} sessions, at most {bound(false, len(watched))}.",
        ]
    rows = kept("tied*.jsonl")
    if rows:
        lines += [
            "", "## Where there is no difference", "",
            "Predictions of the two are exchanged at random, anew for each session, so that each is right equally often; adaptive sessions, watched at "
            f"every label up to {MOST}, or until all is known. Rejects: the interval ever leaves out 0.", "",
            "| setting | sessions | rejects | at most | within ± 2 points after, median |", "|---|---|---|---|---|",
        ]  # fmt: skip
        groups = {name: [row for row in rows if row["setting"] == name] for name in SETTINGS}
        for name, some in [*groups.items(), ("all", rows)]:
            if some:
                n_rejected = sum(row["rejected"] is not None for row in some)
                at = np.array([row["equivalent"] or np.inf for row in some])
                middle = np.quantile(at, 0.5, method="higher")
                told = "" if name == "all" else f"{middle:.0f}" if np.isfinite(middle) else "not reached"
                lines.append(
                    f"| {name} | {len(some)} | {n_rejected} | {bound(n_rejected, len(some))} | {told} |"
                )
    lines[top:top] = ["", *in_short(shares)]
    path = RESULTS / "comparisons.md"
    # What benchmarks/decision_scores.py found stays.
    _, title, scores = path.read_text().partition(f"\n{OF_SCORES}\n")
    path.write_text("\n".join(lines) + "\n" + title + scores)


def main():
    parser = argparse.ArgumentParser(description="Two models: labels until a decision.")
    parser.add_argument("what", choices=["run", "tied", "report"])
    parser.add_argument("--setting", action="append", choices=list(SETTINGS), help="all unless given")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    seeds = range(options.first_seed, options.first_seed + options.sessions)
    if options.what == "report":
        report()
        return
    for name in options.setting or SETTINGS:
        if options.what == "tied":
            for seed in seeds:
                keep(f"tied_{options.first_seed}.jsonl", tied_session(name, seed))
            continue
        for method in options.methods.split(","):
            if method == "disagreement" and not isinstance(load(name)[1][0], ClassPredictions):
                continue
            for seed in seeds:
                keep(f"run_{options.first_seed}.jsonl", one_session(name, method, seed))
            print(name, method, flush=True)


if __name__ == "__main__":
    main()
