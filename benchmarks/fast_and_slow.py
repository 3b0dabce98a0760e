"""Experts who take long for what is difficult: what all their labels say, and those that count.

Real sessions with leases and a clock of their own. Run it with

    .venv/bin/python benchmarks/fast_and_slow.py [--sessions 400]
"""

import argparse
import heapq
from datetime import UTC, datetime, timedelta
from unittest import mock

import numpy as np
from common import RESULTS

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import clock
from activeeval_widgets.stats import ClassPredictions, ErrorRate

M = 600
N_PEOPLE = 8
EASY, DIFFICULT = 2.0, 120.0
"""Seconds for an answer, on average."""

SHARE_DIFFICULT = 0.2
WHEN = 40
"""The least number of labels after which sessions are looked at; then twice and four times as many."""


ABOUT = f"""
{N_PEOPLE} experts label one session; draws are handed to them by leases. They take {EASY:g} s for
what is easy and {DIFFICULT:g} s for what is difficult, on average; the model errs on 80 % of what
is difficult (a fifth of the pool) and on 5 % of the rest. {{sessions}} seeded sessions by the
papers' protocol, with uniform draws, looked at after the numbers of labels in the first column.
Without the rule all labels are averaged, with the usual interval (Wald); with it the draws up to
the first one that somebody still has count, with the interval on the page. The first open
draw tends to be a difficult one, so the value before it is still off by a share of one draw, which
vanishes as draws come in; the interval allows for it. Bias in points, mean ± 1.96 standard
errors; in brackets exact 95 % intervals. Written by `benchmarks/fast_and_slow.py`.
"""


def make_pool(rng):
    """A pool with labels, on which the model errs where it is difficult."""
    truth = rng.integers(2, size=M)
    is_difficult = rng.random(M) < SHARE_DIFFICULT
    wrong = rng.random(M) < np.where(is_difficult, 0.8, 0.05)
    predictions = ClassPredictions(np.eye(2)[np.where(wrong, 1 - truth, truth)])
    return Pool(["text"] * M, predictions=predictions), truth, is_difficult, float(wrong.mean())


def label(session, truth, is_difficult, rng, n_labels):
    """Let people answer, each at his pace, until a number of labels is in."""
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    begin = now[0]
    people = [f"Expert {k}" for k in range(N_PEOPLE)]

    def begins(seconds, person):
        """Somebody looks at what he is asked: when he will have answered it, and how long it took him."""
        session.people.who = people[person]
        asked = session.next()
        mean = DIFFICULT if is_difficult[asked.index] else EASY
        took = rng.exponential(mean)
        heapq.heappush(busy, (seconds + took, person, asked, took))

    busy = []
    with mock.patch.object(clock, "now", side_effect=lambda: now[0]):
        for person in range(N_PEOPLE):
            begins(0.0, person)
        while session.n_labels < n_labels:
            seconds, person, asked, took = heapq.heappop(busy)
            now[0] = begin + timedelta(seconds=seconds)
            session.people.who = people[person]
            session.label(int(truth[asked.index]), draw=asked.draw, seconds=took)
            begins(seconds, person)


def run(n_sessions, seed, n_labels=WHEN):
    """For each session: error and coverage of all labels, and of those that count; how many these are."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(n_sessions):
        pool, truth, is_difficult, value = make_pool(rng)
        session = Session(pool, ErrorRate(), protocol="papers", q=np.full(M, 1 / M), seed=number)
        label(session, truth, is_difficult, rng, n_labels)
        found, all_labels = session.estimate(), session.findings.provisional()
        loose = found.value if all_labels is None else all_labels.value
        half_width = 1.96 * np.sqrt(loose * (1 - loose) / n_labels)
        rows.append(
            (
                loose - value,
                abs(loose - value) <= half_width,
                found.value - value if found.is_defined else np.nan,
                found.low <= value <= found.high,
                found.n_draws,
            )
        )
    return np.array(rows, float)


def main():
    from prefix import exact  # beside this file

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sessions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [
        "# fast_and_slow",
        "",
        " ".join(ABOUT.split()).format(sessions=arguments.sessions),
        "",
        "| labels in | rule | draws used | bias | interval holds |",
        "|---|---|---|---|---|",
    ]
    for n_labels in (WHEN, 2 * WHEN, 4 * WHEN):
        rows = run(arguments.sessions, arguments.seed, n_labels)
        for rule, error, holds, used in (
            ("all labels", rows[:, 0], rows[:, 1], float(n_labels)),
            ("up to the first open one", rows[:, 2], rows[:, 3], rows[:, 4].mean()),
        ):
            known = error[np.isfinite(error)]
            bias, spread = 100 * known.mean(), 196 * known.std() / np.sqrt(known.size)
            text = f"{bias:+.2f} ± {spread:.2f}".replace("-", "−")
            lines.append(f"| {n_labels} | {rule} | {used:.0f} | {text} | {exact(holds.mean(), holds.size)} |")
            print(lines[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "fast_and_slow.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
