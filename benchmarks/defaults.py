"""Adaptive draws by their rules, and what others do, on every setting: errors and coverage.

Every rule sees the same luck: a session is a race of exponential clocks, one for each instance, that run as
fast as q says. Which instance comes next is distributed as by `draw_without_replacement`; and where two rules
agree, so do their draws.
"""

import argparse
import pickle
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from common import RESULTS
from settings import SETTINGS, Setting, load

from activeeval_widgets.stats import (
    adaptive_q,
    draw,
    estimate_adaptive,
    estimate_trajectory,
    optimal_q,
)
from activeeval_widgets.stats.questions.make import target_of

AT = (50, 100, 200, 400)
MAX_OF_THE_POOL = 0.66
"""Not more of a small pool is labeled."""

FIRST_BLOCK, MIN_BLOCK, BLOCK_SHARE = 16, 8, 8
"""As in a session: blocks of an eighth of what was drawn, eight at least, sixteen at first."""

DIGITS = (
    "digits error, calibrated",
    "digits F1 of 3 %, calibrated",
    "digits error, over-confident",
    "digits F1 of 3 %, over-confident",
)


def counts(setting: Setting) -> list[int]:
    """At which numbers of labels a setting is looked at."""
    return [n for n in AT if n <= MAX_OF_THE_POOL * setting.predictions.n_instances]


@dataclass
class Outcome:
    """What sessions found: errors, and whether Wald's interval held."""

    errors: list[list[float]] = field(default_factory=list)
    holds: list[list[bool]] = field(default_factory=list)

    def add(self, results, truth):
        # Not defined yet: as wrong as can be.
        self.errors.append([1.0 if np.isnan(r.value) else r.value - truth for r in results])
        self.holds.append([r.low <= truth <= r.high for r in results])

    @property
    def rmse(self):
        return np.sqrt((np.array(self.errors) ** 2).mean(axis=0))

    @property
    def coverage(self):
        return np.array(self.holds).mean(axis=0)


def adaptive_draws(measure, model, truth, rng, n_labels=AT[-1]):
    """The draws of a session, their probabilities, and the distribution that each is from."""
    size = model.n_instances
    clocks = rng.exponential(size=size)
    draws, probabilities, distributions = np.empty(0, dtype=np.intp), np.empty(0), []
    while len(draws) < n_labels:
        q = adaptive_q(measure, model, draws, truth[draws])
        block = max(MIN_BLOCK, len(draws) // BLOCK_SHARE) if len(draws) else FIRST_BLOCK
        block = min(block, n_labels - len(draws))
        rings = np.full(size, np.inf)
        rings[q > 0] = clocks[q > 0] / q[q > 0]
        more = np.argpartition(rings, block - 1)[:block]
        more = more[np.argsort(rings[more])]
        clocks = clocks - q * rings[more[-1]]
        before = np.concatenate([[0.0], q[more][:-1].cumsum()])
        draws = np.concatenate([draws, more])
        probabilities = np.concatenate([probabilities, np.minimum(q[more] / (q.sum() - before), 1.0)])
        distributions += [q] * block
    return draws, probabilities, distributions


def adaptive(setting, n_sessions, seed):
    """Sessions with adaptive draws."""
    at, found = counts(setting), Outcome()
    for session in range(n_sessions):
        draws, probabilities, _ = adaptive_draws(
            setting.measure,
            setting.predictions,
            setting.y_true,
            np.random.default_rng([seed, session]),
            at[-1],
        )
        labels = setting.y_true[draws]
        found.add(
            estimate_adaptive(setting.measure, setting.predictions, draws, probabilities, labels, at=at),
            setting.truth,
        )
    return found


def passive(setting, n_sessions, seed):
    """The plain mean of uniform draws without replacement."""
    size, at, found = setting.predictions.n_instances, counts(setting), Outcome()
    target = target_of(setting.measure, [setting.predictions])
    z = target.statistics(setting.y_true, np.arange(size))
    for session in range(n_sessions):
        order = np.random.default_rng([seed, session]).exponential(size=size).argsort()
        values = [float(target.g(z[order[:n]].mean(axis=0))) for n in at]
        found.errors.append([1.0 if np.isnan(value) else value - setting.truth for value in values])
    return found


def uniform(setting, n_sessions, seed):
    """Uniform draws without replacement, with the estimator of adaptive draws."""
    size, at, found = setting.predictions.n_instances, counts(setting), Outcome()
    probabilities = 1 / (size - np.arange(at[-1]))
    for session in range(n_sessions):
        draws = np.random.default_rng([seed, session]).exponential(size=size).argsort()[: at[-1]]
        labels = setting.y_true[draws]
        found.add(
            estimate_adaptive(setting.measure, setting.predictions, draws, probabilities, labels, at=at),
            setting.truth,
        )
    return found


def fixed(setting, q, estimator, n_sessions, seed):
    """Draws with replacement from one q, until a number of different instances is labeled."""
    at, found = counts(setting), Outcome()
    for session in range(n_sessions):
        rng = np.random.default_rng([seed, session])
        n_draws = 2 * at[-1]
        draws = draw(q, n_draws, rng)
        while len(np.unique(draws)) < at[-1] and len(draws) < 200 * at[-1]:
            draws = np.concatenate([draws, draw(q, len(draws), rng)])
        is_first = np.zeros(len(draws), dtype=bool)
        is_first[np.unique(draws, return_index=True)[1]] = True
        ends = np.minimum(np.searchsorted(is_first.cumsum(), at) + 1, len(draws))
        draws = draws[: ends[-1]]
        results = estimate_trajectory(
            setting.measure, setting.predictions, q, draws, setting.y_true[draws], at=ends.tolist(),
            estimator=estimator,
        )  # fmt: skip
        found.add(results, setting.truth)
    return found


METHODS = {
    "passive": lambda s, n, seed: passive(s, n, seed),
    "uniform": lambda s, n, seed: uniform(s, n, seed),
    "papers": lambda s, n, seed: fixed(s, optimal_q(s.measure, s.predictions), "self_normalized", n, seed),
    "difference": lambda s, n, seed: fixed(
        s, optimal_q(s.measure, s.predictions, defensive=0.1), "difference", n, seed
    ),
    "adaptive": adaptive,
}
PEERS = ("passive", "papers", "difference")


def from_100(outcome):
    """The columns from 100 labels on; the last one of a small pool."""
    return slice(min(1, len(outcome.rmse) - 1), None)


def against(outcome, reference, columns):
    """The ratio of the errors, a geometric mean, and its standard error by the jackknife over sessions."""
    own, other = (np.array(each.errors)[:, columns] ** 2 for each in (outcome, reference))
    n = min(len(own), len(other))
    own, other = own[:n], other[:n]

    def ratio(a, b):
        return 0.5 * np.log(a / b).mean(axis=-1)

    # One session leaves nothing out.
    left_out = ratio(own.sum(axis=0) - own, other.sum(axis=0) - other) if n > 1 else np.array([np.nan])
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    return float(np.exp(ratio(own.sum(axis=0), other.sum(axis=0)))), float(error)


def number(value):
    return f"{value:.4f}" if value < 0.1 else f"{value:.3g}"


def over_uniform(found):
    """The table of what the draws save, as lines of Markdown."""
    lines = [
        "## Active over uniform draws",
        "",
        "The error of adaptive draws over that of as many uniform ones with the same estimator, with its "
        "standard error; sessions are paired.",
        "",
        "| setting | 50 labels | 100 | 200 | 400 |",
        "|" + "---|" * 5,
    ]
    logs = [[] for _ in AT]
    for name, (_, outcomes) in found.items():
        cells = ["–"] * len(AT)
        for at in range(len(outcomes["adaptive"].rmse)):
            ratio, error = against(outcomes["adaptive"], outcomes["uniform"], slice(at, at + 1))
            cells[at] = f"{ratio:.2f} ± {ratio * error:.2f}"
            logs[at].append(np.log(ratio))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    means = [f"{np.exp(np.mean(each)):.2f}" if each else "–" for each in logs]
    return [*lines, "| **geometric mean** | " + " | ".join(means) + " |"]


def report(found, n_sessions):
    """The tables, as lines of Markdown."""
    lines = [
        "# defaults",
        "",
        f"{n_sessions} seeded sessions a cell, on the settings of "
        "`benchmarks/settings.py`. Written by `benchmarks/defaults.py`. Passive: the plain mean of uniform "
        "draws without replacement; papers: q\\*, self-normalized; difference: q\\* with ε = 0.1 and the "
        "difference estimator, both with replacement until as many different instances are labeled.",
        "",
        "## Root mean square error",
        "",
        "At 100 / 200 / 400 labels (two thirds of a small pool at most). The last column: the errors of "
        "adaptive draws over those of the best of the others, geometric means from 100 labels on, with "
        "standard errors.",
        "",
        "| setting (true value) | passive | papers | difference | adaptive | to best |",
        "|" + "---|" * 6,
    ]
    logs = []
    for name, (setting, outcomes) in found.items():
        shown = slice(min(1, len(counts(setting)) - 1), None)
        cells = [" / ".join(number(e) for e in outcomes[m].rmse[shown]) for m in (*PEERS, "adaptive")]
        best = min(PEERS, key=lambda m: np.log(outcomes[m].rmse[shown]).mean())
        adaptive = outcomes["adaptive"]
        ratio, error = against(adaptive, outcomes[best], from_100(adaptive))
        logs.append(np.log(ratio))
        cells.append(f"{ratio:.2f} ± {error:.2f}")
        lines.append(f"| {name} ({number(setting.truth)}) | " + " | ".join(cells) + " |")
    lines += [f"| **geometric mean** | | | | | {np.exp(np.mean(logs)):.3f} |", ""]
    if all(name in found for name in DIGITS):
        lines += [
            "At 200 labels on the four settings of digits: "
            + " / ".join(number(found[name][1]["adaptive"].rmse[2]) for name in DIGITS)
            + "; other packages there: [`peers.md`](peers.md).",
            "",
        ]
    lines += [*over_uniform(found), ""]
    lines += [
        "## Intervals",
        "",
        "Coverage of the 95 % Wald interval of adaptive draws at 50 / 100 / 200 / 400 labels. The intervals "
        "that may be watched have their own table ([`watched.md`](watched.md)).",
        "",
        "| setting | coverage |",
        "|---|---|",
    ]
    for name, (_, outcomes) in found.items():
        lines.append(f"| {name} | " + "/".join(f"{c:.2f}" for c in outcomes["adaptive"].coverage) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description="The benchmark behind the draw rule.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="settings whose names hold one of these, separated by |")
    parser.add_argument("--methods", default="", help="the same of methods; no table is written then")
    parser.add_argument("--keep", help="a folder where what was found is kept, and taken from")
    arguments = parser.parse_args()
    found = {}
    for name in SETTINGS:
        if not any(part in name for part in arguments.only.split("|")):
            continue
        setting, outcomes = load(name), {}
        for method, run in METHODS.items():
            if not any(part in method for part in arguments.methods.split("|")):
                continue
            start = time.perf_counter()
            kept = (
                None
                if arguments.keep is None
                else Path(arguments.keep) / f"{name.replace('/', '-')}.{method}"
            )
            if kept is not None and kept.exists():
                outcomes[method] = pickle.loads(kept.read_bytes())
            else:
                outcomes[method] = run(setting, arguments.sessions, arguments.seed)
                if kept is not None:
                    kept.write_bytes(pickle.dumps(outcomes[method]))
            rmse = " ".join(number(e) for e in outcomes[method].rmse)
            print(f"{name}: {method}: {rmse} ({time.perf_counter() - start:.0f} s)", flush=True)
        found[name] = setting, outcomes
    if not arguments.methods:
        lines = report(found, arguments.sessions)
        if arguments.only:
            print("\n".join(lines))
        else:
            RESULTS.mkdir(exist_ok=True)
            (RESULTS / "defaults.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
