"""Who answers fast must not weigh more: draws up to the first unanswered one, or all answered ones."""

import argparse
import heapq
from dataclasses import dataclass

import numpy as np
from common import RESULTS
from scipy.stats import beta

from activeeval_widgets.stats import (
    ClassPredictions,
    ConfidenceSequence,
    ErrorRate,
    draw,
    estimate,
    uniform_q,
)

M = 4000
N_PEOPLE = 4
SPEEDS = (0.6, 0.9, 1.1, 1.8)
"""How many times the usual time each of them takes."""

WHEN = (60, 240)
"""The numbers of labels after which sessions are looked at."""

MEASURE = ErrorRate()


@dataclass(frozen=True)
class Habit:
    """How people go about what is difficult.

    Attributes
    ----------
    name : str
    slowness : float
        How many times as long the most difficult instances take as the easy ones.
    put_aside : float
        The share of what is difficult that is put aside.
    again_after : float
        After how many answers of their own a person is asked about an instance again.
    """

    name: str
    slowness: float = 1.0
    put_aside: float = 0.0
    again_after: float = 0.0


HABITS = (
    Habit("difficult ones take no longer"),
    Habit("difficult ones take 5 times as long", slowness=5),
    Habit("difficult ones take 30 times as long", slowness=30),
    Habit("difficult ones are put aside, and answered after 20 others", 5, 0.9, 20),
    Habit("difficult ones are put aside until all else is answered", 5, 0.9, np.inf),
)


def make_pool(rng, error=0.15):
    """A model that errs where it is difficult: predictions, labels, and how difficult each is."""
    truth = rng.integers(2, size=M)
    difficulty = rng.beta(0.6, 2.2, size=M)
    wrong = rng.random(M) < difficulty * error / difficulty.mean()
    predicted = np.where(wrong, 1 - truth, truth)
    return ClassPredictions(np.eye(2)[predicted]), truth, difficulty


def answers(habit, difficulty, draws, rng):
    """The numbers of draws (from 0), in the order in which they are answered."""
    seconds = rng.lognormal(0, 0.5, size=draws.size) * habit.slowness ** difficulty[draws]
    aside = (difficulty[draws] > 0.5) & (rng.random(draws.size) < habit.put_aside)
    waiting = [[] for _ in range(N_PEOPLE)]
    n_answers = [0] * N_PEOPLE
    free = [(0.0, person) for person in range(N_PEOPLE)]
    heapq.heapify(free)
    fresh, done = iter(range(draws.size)), []
    while free:
        time, person = heapq.heappop(free)
        if waiting[person] and waiting[person][0][0] <= n_answers[person]:
            number = waiting[person].pop(0)[1]
        else:
            number = next(fresh, None)
            while number is not None and aside[number]:
                waiting[person].append((n_answers[person] + habit.again_after, number))
                number = next(fresh, None)
            if number is None and waiting[person]:
                number = waiting[person].pop(0)[1]
        if number is None:
            continue
        n_answers[person] += 1
        end = time + seconds[number] * SPEEDS[person]
        done.append((end, number))
        heapq.heappush(free, (end, person))
    return np.array([number for _, number in sorted(done)])


def up_to_the_first_unanswered(answered):
    """How many draws there are before the first that has no answer."""
    missing = np.setdiff1d(np.arange(answered.max() + 2), answered)
    return int(missing[0])


def run(habit, n_sessions, seed, when=WHEN):
    """By number of labels and rule: estimates, draws used, whether both intervals hold."""
    rng = np.random.default_rng(seed)
    model, truth, difficulty = make_pool(rng)
    q, value = uniform_q(M), float((model.y_pred != truth).mean())
    found = {(n, rule): [] for n in when for rule in ("all answered", "up to the first unanswered")}
    for _ in range(n_sessions):
        draws = draw(q, 4 * max(when), rng)
        order = answers(habit, difficulty, draws, rng)
        for n in when:
            answered = np.sort(order[:n])
            for rule in ("all answered", "up to the first unanswered"):
                used = (
                    draws[answered]
                    if rule == "all answered"
                    else draws[: up_to_the_first_unanswered(answered)]
                )
                result = estimate(MEASURE, model, q, used, truth[used])
                sequence = ConfidenceSequence(MEASURE, model, q)
                sequence.extend(used, truth[used])
                found[n, rule].append(
                    (
                        result.value,
                        used.size,
                        result.low <= value <= result.high,
                        sequence.low <= value <= sequence.high,
                    )
                )
    return value, {key: np.array(rows, float) for key, rows in found.items()}


def exact(share, n):
    """The exact binomial interval of a share at 95 %."""
    count = round(share * n)
    low = beta.ppf(0.025, count, n - count + 1) if count else 0.0
    high = beta.ppf(0.975, count + 1, n - count) if count < n else 1.0
    return f"{share:.3f} ({low:.3f}–{high:.3f})"


def main():
    parser = argparse.ArgumentParser(description="The benchmark of the rule for draws without an answer.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [
        "# prefix",
        "",
        "Four people label one session at once; they take "
        f"{', '.join(map(str, SPEEDS))} times the usual time. Uniform draws with replacement from a pool of "
        f"{M}, on which the model errs where it is difficult; draws are handed out in turn. "
        f"{arguments.sessions} seeded sessions are looked at after the numbers of labels in the first "
        "column. All labels that are there lean toward what is answered fast, and go on leaning as long as "
        "something waits; draws up to "
        "the first unanswered one are as they were drawn. Bias: mean estimate minus true value, in points. "
        "Wald is for a number of draws fixed beforehand; the confidence sequence holds at every number of "
        "draws at once, and so at the one that the first gap leaves. That number is no accident: the gap "
        "tends to be at something difficult, so the mean at it is a little off as well, by a share of one "
        "draw; the sequence allows for it. In brackets exact 95 % intervals. Written by "
        "`benchmarks/prefix.py`.",
    ]
    for habit in HABITS:
        value, found = run(habit, arguments.sessions, arguments.seed, WHEN)
        lines += [
            "",
            f"## {habit.name[0].upper()}{habit.name[1:]}",
            "",
            f"True error rate {100 * value:.2f} %.",
            "",
            "| labels in | draws used | mean number | bias | Wald holds | sequence holds |",
            "|---|---|---|---|---|---|",
        ]
        for (n, rule), rows in found.items():
            ok = rows[rows[:, 1] > 0]
            error = 100 * np.nanstd(ok[:, 0]) / np.sqrt(len(ok))
            bias = f"{100 * (np.nanmean(ok[:, 0]) - value):+.2f} ± {1.96 * error:.2f}".replace("-", "−")
            holds = [exact(rows[:, column].mean(), len(rows)) for column in (2, 3)]
            lines.append(f"| {n} | {rule} | {rows[:, 1].mean():.0f} | {bias} | {holds[0]} | {holds[1]} |")
        print("\n".join(lines[-8:]), flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "prefix.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
