"""Labels that each protocol needs for passive's error at 800 on every data set; unit variances."""

import argparse
import time

import numpy as np
from common import RESULTS, data_folder
from defaults import adaptive_draws
from sklearn.isotonic import IsotonicRegression

from activeeval_widgets.demos import DEMOS
from activeeval_widgets.stats import (
    ErrorRate,
    adaptive_q,
    defensive_share,
    draw,
    draw_without_replacement,
    estimate_adaptive,
    estimate_trajectory,
    optimal_q,
    pool_value,
    replicate,
)
from activeeval_widgets.stats.adaptive.draw_terms import control_variate
from activeeval_widgets.stats.questions.make import target_of

BUDGETS = (25, 50, 100, 200, 400, 800)
CHOSEN = {
    "spam": ("error rate", "F0.5, 5 % spam", "error rate, over-confident"),
    "digits": ("USPS → MNIST, ten classes", "MNIST → USPS, over-confident", "USPS → MNIST, F1 of the eight"),
    "reuters": ("grain", "ship"),
    "regression": ("Abalone, Gaussian process", "Sarcos, Gaussian process", "Sarcos, Bayesian ridge"),
    "ranking": ("DCG", "ERR"),
}


def labels_at(n_labels, budgets, errors, goal):
    """How many labels the error of `goal` takes; linear in logarithms."""
    reached = np.flatnonzero(errors <= goal)
    if not reached.size:
        return f"> {budgets[-1]:g}"
    at = reached[0]
    if at == 0:
        return f"≤ {n_labels[0]:.0f}"
    share = np.log(goal / errors[at - 1]) / np.log(errors[at] / errors[at - 1])
    return f"{np.exp(np.log(n_labels[at - 1]) + share * np.log(n_labels[at] / n_labels[at - 1])):.0f}"


def adaptive_errors(setting, budgets, n_sessions, seed):
    rng = np.random.default_rng(seed)
    truth = pool_value(setting.measure, setting.predictions, setting.y_true)
    errors = []
    for _ in range(n_sessions):
        draws, probabilities = adaptive_session(setting, max(budgets), rng)
        labels = [setting.y_true[i] for i in draws]
        results = estimate_adaptive(
            setting.measure, setting.predictions, draws, probabilities, labels, at=budgets
        )
        errors.append([r.value - truth if r.is_defined else 1.0 for r in results])
    return np.sqrt((np.array(errors) ** 2).mean(axis=0))


def difference_errors(setting, budgets, n_sessions, seed):
    rng = np.random.default_rng(seed)
    truth = pool_value(setting.measure, setting.predictions, setting.y_true)
    q = optimal_q(setting.measure, setting.predictions, estimator="difference", defensive=0.1)
    errors = []
    for _ in range(n_sessions):
        draws = draw(q, max(budgets), rng)
        labels = [setting.y_true[i] for i in draws]
        results = estimate_trajectory(
            setting.measure, setting.predictions, q, draws, labels, at=budgets, estimator="difference"
        )
        errors.append([r.value - truth if r.is_defined else 1.0 for r in results])
    return np.sqrt((np.array(errors) ** 2).mean(axis=0))


def adaptive_session(setting, n_labels, rng):
    """Draws in blocks of ten, later of a tenth of what is drawn."""
    draws, probabilities = np.empty(0, dtype=np.intp), np.empty(0)
    while len(draws) < n_labels:
        q = adaptive_q(setting.measure, setting.predictions, draws, [setting.y_true[i] for i in draws])
        size = min(max(10, len(draws) // 10), n_labels - len(draws))
        more, of_more = draw_without_replacement(q, size, rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
    return draws, probabilities


def compare(setting, n_sessions, seed):
    budgets = tuple(int(b) for b in setting.budgets)
    rows = {}
    for name, method in (("passive", "passive"), ("papers", "active")):
        table = replicate(
            setting.measure,
            setting.predictions,
            setting.y_true,
            methods=[method],
            budgets=budgets,
            n_replications=1000,
            rng=np.random.default_rng(seed),
        )
        rows[name] = table["n_labels"], table["rmse"]
    rows["difference"] = rows["passive"][0], difference_errors(setting, budgets, n_sessions, seed)
    rows["adaptive"] = np.array(budgets, dtype=float), adaptive_errors(setting, budgets, n_sessions, seed)
    goal = rows["passive"][1][-1]
    cells = [labels_at(*rows[name][:1], budgets, rows[name][1], goal) for name in rows]
    return cells, [rows[name][1][-3] for name in rows], goal


def unit_variances(n_sessions, seed):
    """n times the variance of the difference estimate, by draws as they are after `n` labels."""
    demo = DEMOS["digits"]()
    model, truth, measure = demo.pool.predictions, demo.y_true, ErrorRate()
    wrong = (model.y_pred != truth).astype(float)
    fitted = IsotonicRegression(y_min=0, y_max=1, increasing=False).fit_transform(model.confidence, wrong)
    limit = np.sqrt(fitted * (1 - fitted)).mean() ** 2

    def of(q, expected):
        rest = wrong - expected
        return float((rest**2 / q).sum() / len(q) ** 2 - rest.mean() ** 2)

    rng = np.random.default_rng(seed)
    at = (50, 100, 200, 400)
    reached = np.zeros((n_sessions, len(at)))
    target = target_of(measure, [model])
    for row in reached:
        draws, _, _ = adaptive_draws(measure, model, truth, rng, max(at))
        for k, n in enumerate(at):
            control = control_variate(target, draws[:n], truth[draws[:n]])
            share = defensive_share(measure, n)
            q = (1 - share) * control.spread / control.spread.sum() + share / len(truth)
            row[k] = of(q, control.expected.dense()[:, 0])
    own = optimal_q(measure, model, estimator="difference")
    start = of(own, target.conditional_mean()[:, 0])
    lines = [
        "",
        "## Unit variance on the digits demo",
        "",
        "n times the variance of the difference estimate of the error rate by independent draws "
        f"({n_sessions} sessions). Passive {wrong.var():.4f}; the model's own probabilities {start:.4f}; the "
        f"limit for its confidence (isotonic regression on all labels) {limit:.4f}.",
        "",
        "| labels | unit variance | over the limit |",
        "|---|---|---|",
    ]
    lines += [
        f"| {n} | {v:.4f} | {v / limit - 1:+.0%} |" for n, v in zip(at, reached.mean(axis=0), strict=True)
    ]
    return lines


def main():
    parser = argparse.ArgumentParser(description="Labels needed by each protocol on all data sets.")
    parser.add_argument("--data", help="the folder of the data (default: ACTIVEEVAL_DATA or ../shared/data)")
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--only", choices=[*CHOSEN, "variance"], help="only one data set, printed")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [
        "# default_labels",
        "",
        "Labels needed for the root mean square error that passive reaches with 800 draws (160: rankings), "
        f"by 1,000 seeded evaluations, difference and adaptive by {arguments.sessions}. In brackets: the "
        "error at a quarter of that budget, over passive's. Difference: its own q with ε = 0.1. Written by "
        "`benchmarks/default_labels.py`.",
        "",
        "| data set | passive | papers | difference | adaptive |",
        "|---|---|---|---|---|",
    ]
    for name, chosen in CHOSEN.items():
        if arguments.only not in (None, name):
            continue
        module = __import__(name)
        settings = module.make_settings(data_folder(arguments.data), np.random.default_rng(arguments.seed))
        for setting in settings:
            if setting.name not in chosen:
                continue
            start = time.perf_counter()
            cells, errors, _ = compare(setting, arguments.sessions, arguments.seed)
            shown = [f"{c} ({e / errors[0]:.2f})" for c, e in zip(cells, errors, strict=True)]
            lines.append(f"| {name}: {setting.name} | " + " | ".join(shown) + " |")
            print(lines[-1], f"{time.perf_counter() - start:.0f} s", flush=True)
    if arguments.only in (None, "variance"):
        lines += unit_variances(arguments.sessions, arguments.seed)
    if arguments.only is None:
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / "default_labels.md").write_text("\n".join(lines) + "\n")
    else:
        print("\n".join(lines[6:]) if arguments.only == "variance" else "")


if __name__ == "__main__":
    main()
