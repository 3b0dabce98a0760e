# ruff: noqa: E501 - lines of the tables
"""How often anything that is promised is ever wrong, whatever a person does at a session.

    OMP_NUM_THREADS=1 python benchmarks/hostile.py run ATTACK [--sessions 100] [--first-seed 0]
    python benchmarks/hostile.py report

The first keeps what it found in the folder `build/hostile`; the last writes results/hostile.md.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from common import BUILD, RESULTS
from scipy.stats import binomtest

from activeeval_widgets import Pool, Session
from activeeval_widgets.session import MemoryStore
from activeeval_widgets.stats import (
    Accuracy,
    BrierScore,
    ClassPredictions,
    ErrorRate,
    FMeasure,
    PredictedClasses,
    SquaredError,
    ValuePredictions,
    WinRate,
    pool_value,
)

KEPT = BUILD / "hostile"
SLACK = 1e-9


class Person:
    """Labels, excludes, puts aside, lies and corrects himself, takes back, goes away and comes back; or two people.

    A lie is corrected at once, or after some more draws, which then go by what was wrong.
    """

    def __init__(self, begin, y, can_be, rng, n_people, habits, lie):
        self._begin, self._y, self._can_be, self._rng = begin, y, can_be, rng
        self._names = [None] if n_people == 1 else [f"P{k}" for k in range(n_people)]
        self.sessions = [begin(name) for name in self._names]
        self._lies, self._later, self._undoes, self._defers = habits
        self._lie = lie
        self.lied: dict[int, bool] = {}
        self.present = 0

    def right(self, i):
        y = self._y[i]
        return y.item() if hasattr(y, "item") else y

    def step(self):
        """Do something; False where nothing is left."""
        rng = self._rng
        self.present = int(rng.integers(len(self.sessions)))
        session = self.sessions[self.present]
        if len(self.sessions) > 1:
            session.refresh()
        if rng.random() < 0.02:
            session = self.sessions[self.present] = self._begin(self._names[self.present])
        asked = session.next()
        if asked is None:
            return False
        i, chance = asked.index, rng.random()
        if not self._can_be[i]:
            session.exclude()
        elif chance < self._defers:
            session.defer()
        elif chance < self._defers + self._lies:
            session.label(self._lie(i))
            session.change(i, self.right(i))
        elif chance < self._defers + self._lies + self._later:
            session.label(self._lie(i))
            self.lied[i] = True
        else:
            session.label(self.right(i))
        if rng.random() < self._undoes and session.revisions.can_undo:
            session.undo()
            # What is taken back may have been a correction.
            has_label = session.draws.labeled()[0].tolist()
            kept = [i for i in self.lied if session.log.label_of(i) is not None]
            again = [i for i in has_label if session.log.label_of(i) != self.right(i)]
            self.lied = dict.fromkeys([*kept, *again], True)
        if self.lied and rng.random() < 0.15:
            self.correct(session)
        return True

    def correct(self, session):
        for i in self.lied:
            session.change(i, self.right(i))
        self.lied = {}

    def look(self):
        """One of the sessions, at random."""
        session = self.sessions[int(self._rng.integers(len(self.sessions)))]
        if len(self.sessions) > 1:
            session.refresh()
        return session


def habits_of(rng, later):
    """How many there are, and how often they lie, correct it later, take back and put aside."""
    n_people = int(rng.integers(1, 3))
    return n_people, (rng.choice([0, 0.1]), rng.choice(later), rng.choice([0, 0.06]), rng.choice([0, 0.04]))


def of_two(p):
    return np.column_stack([1 - p, p])


def is_outside(found, truth):
    return not found.low - SLACK <= truth <= found.high + SLACK


# -- verdicts on two models


def two_models(rng, m, is_tied, mostly_agree):
    """Models, labels, what can be labeled, and the difference on that."""
    y = rng.integers(2, size=m)
    rate = rng.uniform(0.05, 0.35)
    if mostly_agree:
        first = rng.random(m) < rate
        apart = rng.random(m) < rng.uniform(0.02, 0.25)
        second = np.where(apart, ~first, first)
        swapped = apart & (rng.random(m) < rng.uniform(0.2, 0.8))
        wrong = [np.where(swapped, second, first), np.where(swapped, first, second)]
    else:
        wrong = [rng.random(m) < rate, rng.random(m) < np.clip(rate + rng.choice([0, 0.02, 0.05]), 0, 1)]
    delta = wrong[0].astype(int) - wrong[1]
    kind = rng.integers(3)
    odds = (np.where(delta > 0, 0.5, 0.95), np.where(y == 1, 0.6, 0.95), np.where(delta == 0, 0.6, 1.0))[kind]
    can_be = rng.random(m) < odds
    can_be[0] = True
    if is_tied:
        at = rng.permutation(np.flatnonzero((delta != 0) & can_be))
        half = len(at) // 2
        wanted = np.concatenate([np.ones(half), -np.ones(half), np.zeros(len(at) % 2)])
        for i, sign in zip(at, wanted, strict=True):
            if sign == 0:
                wrong[1][i] = wrong[0][i]
            elif delta[i] != sign:
                wrong[0][i], wrong[1][i] = wrong[1][i], wrong[0][i]
        delta = wrong[0].astype(int) - wrong[1]
    models = {}
    for name, is_wrong in zip(("old", "new"), wrong, strict=True):
        kind, sure = rng.integers(3), rng.uniform(0.5, 1, m)
        if kind == 0:  # sure where it is wrong
            sure = np.where(is_wrong, rng.uniform(0.9, 1, m), sure)
        elif kind == 1:
            sure = np.where(is_wrong, rng.uniform(0.5, 0.7, m), rng.uniform(0.7, 1, m))
        says = np.where(is_wrong, 1 - y, y)
        models[name] = ClassPredictions(of_two(np.where(says == 1, sure, 1 - sure)), y_pred=says)
    return models, y, can_be, float(delta[can_be].mean())


def verdicts(seed, m, steps, *, is_tied, mostly_agree=True):
    rng = np.random.default_rng([23, seed])
    models, y, can_be, truth = two_models(rng, m, is_tied, mostly_agree)
    store, pool = MemoryStore(), Pool([str(i) for i in range(m)], predictions=models)
    begun_with = {"seed": int(rng.integers(2**31))}
    if rng.random() < 0.5:
        begun_with["budget"] = int(rng.integers(20, steps))
    measure = Accuracy() if rng.random() < 0.3 else ErrorRate()
    sign = -1 if measure.greater_is_better else 1

    def begin(who):
        session = Session(pool, measure, store=store, who=who, **begun_with)
        session.budget = None
        return session

    person = Person(begin, y, can_be, rng, *habits_of(rng, [0, 0.15, 0.4]), lambda i: int(1 - y[i]))
    better = "old" if truth < -1e-12 else "new" if truth > 1e-12 else "none"
    wrong = dict.fromkeys(("better", "margins as set", "any margin", "the interval"), False)
    for _ in range(steps):
        if not person.step():
            break
        if rng.random() < 0.05:
            person.sessions[person.present].revisions.declare_margin(
                float(rng.choice([0.005, 0.01, 0.02, 0.05, 0.1]))
            )
        if person.lied:
            continue
        found = person.look().verdict()
        wrong["better"] |= found.better not in (None, better)
        wrong["margins as set"] |= found.is_equivalent and not abs(truth) < found.margin
        wrong["any margin"] |= found.within * (1 + 2e-9) < abs(truth) - 1e-12
        wrong["the interval"] |= is_outside(found, truth * sign)
    return wrong


# -- leaderboards


def many_models(rng, m, kind, only_some):
    n_models = int(rng.integers(3, 7))
    names = [f"M{k}" for k in range(n_models)]
    is_sure = rng.random() < 0.5
    models, options = {}, {}
    if kind == "se":
        mean = rng.normal(size=m)
        y = np.clip(mean + 0.5 * rng.standard_t(3, m), -4, 4)
        for name in names:
            says = np.clip(mean + rng.choice([0.2, 0.5, 0.5, 1]) * rng.normal(size=m), -4, 4)
            models[name] = ValuePredictions(says, variance=np.full(m, 0.3) if rng.random() < 0.5 else None)
        measure, options["y_range"] = SquaredError(), (-4.0, 4.0)

        def lie(i):
            return float(np.clip(-y[i], -4, 4))
    else:
        p = rng.beta(0.5, 0.7, m).clip(0.02, 0.98)
        y = (rng.random(m) < p).astype(int)
        for name in names:
            odds = np.log(p / (1 - p)) + rng.choice([0.3, 1.5, 1.5, 3]) * rng.normal(size=m)
            claimed = 1 / (1 + np.exp(-odds * (3 if is_sure else 1)))
            models[name] = ClassPredictions(of_two(claimed.clip(0.001, 0.999)))
        measure = {"acc": Accuracy, "brier": BrierScore, "f1": FMeasure}[kind]()

        def lie(i):
            return int(1 - y[i])

    can_be = np.ones(m, dtype=bool)
    if only_some and rng.random() < 0.7:
        can_be = rng.random(m) < np.where(y > np.median(y), 0.6, 0.95)
    return models, y, can_be, measure, lie, options


def board(seed, m, steps, *, kind, only_some=False, protocol=None):
    rng = np.random.default_rng([29, seed])
    models, y, can_be, measure, lie, options = many_models(rng, m, kind, only_some)
    if protocol is not None:
        options["protocol"] = protocol
    where = np.flatnonzero(can_be)
    values = {
        name: pool_value(measure, model.of_instances(where), y[where]) for name, model in models.items()
    }
    goodness = {name: value if measure.greater_is_better else -value for name, value in values.items()}
    best = next(name for name in models if goodness[name] >= max(goodness.values()) - 1e-12)
    store, pool = MemoryStore(), Pool([str(i) for i in range(m)], predictions=models)
    options["seed"] = int(rng.integers(2**31))
    budget = int(rng.integers(20, steps)) if rng.random() < 0.5 else None

    def begin(who):
        session = Session(pool, measure, store=store, who=who, budget=budget, **options)
        session.budget = None
        return session

    later = rng.choice([0, 0.15])
    n_people, habits = int(rng.integers(1, 3)), (rng.choice([0, 0.1]), later, rng.choice([0, 0.06]), rng.choice([0, 0.04]))  # fmt: skip
    person = Person(begin, y, can_be, rng, n_people, habits, lie)
    wrong = dict.fromkeys(("a model's interval", "the best is out", "a pair"), False)
    for step in range(steps):
        if not person.step():
            break
        if step % 11 != 10:
            continue
        if person.lied:
            person.sessions[0].refresh()
            person.correct(person.sessions[0])
        session = person.look()
        for each in session.leaderboard().models:
            wrong["a model's interval"] |= is_outside(each.estimate, values[each.name])
            wrong["the best is out"] |= each.name == best and not each.may_be_best
        if step == 43:
            for row in session.pairs().itertuples():
                wrong["a pair"] |= is_outside(row, values[row.first] - values[row.second])
    return wrong


# -- judges


def judge(seed, m, steps, *, both_bad):
    rng = np.random.default_rng([31, seed])
    classes = ["A", "B", "tie", "both bad"] if both_bad else ["A", "B", "tie"]
    n = len(classes)
    y = rng.choice(n, m, p=rng.dirichlet(np.ones(n) * 2))
    follows, leaning = rng.uniform(0.4, 0.9), rng.dirichlet(np.ones(n) * 0.5)
    says = np.where(rng.random(m) < follows, y, rng.choice(n, m, p=leaning))
    kind = rng.integers(3)
    if kind == 0:
        model = PredictedClasses([classes[k] for k in says], classes=classes, name="J")
    elif kind == 1:
        votes = rng.multinomial(3, np.full(n, 1 / n), m) * 0
        for _ in range(3):
            votes[np.arange(m), np.where(rng.random(m) < 0.8, says, rng.integers(n, size=m))] += 1
        given = [[classes[k] for k in np.repeat(np.arange(n), each)] for each in votes]
        model = ClassPredictions.from_votes(given, classes=classes)
    else:
        proba = rng.dirichlet(np.full(n, 0.5), m)
        proba[np.arange(m), says] += rng.choice([1, 8])
        model = ClassPredictions(proba / proba.sum(axis=1, keepdims=True), classes=classes, name="J")
    rate = WinRate()
    if both_bad:
        rate = WinRate(tie={"tie": 0.5, "both bad": float(rng.choice([0, 0.5, 0.25]))})
    measure = rate if rng.random() < 0.5 else ErrorRate()
    named = np.array(classes, dtype=object)[y]
    can_be = np.ones(m, dtype=bool)
    if rng.random() < 0.6:
        can_be = rng.random(m) < np.where(y == rng.integers(n), 0.5, 0.95)
    where = np.flatnonzero(can_be)
    people = pool_value(rate, model.of_instances(where), named[where])
    bias = pool_value(rate, model.of_instances(where), model.y_pred[where]) - people
    error = float(np.mean(model.y_pred[where] != named[where]))
    store, pool = MemoryStore(), Pool([str(i) for i in range(m)], predictions=model)
    session_seed = int(rng.integers(2**31))

    def begin(who):
        return Session(pool, measure, store=store, who=who, seed=session_seed)

    def lie(i):
        return classes[(y[i] + 1 + rng.integers(n - 1)) % n]

    person = Person(begin, named, can_be, rng, *habits_of(rng, [0, 0.15]), lie)
    wrong = dict.fromkeys(("bias", "win rate", "error rate"), False)
    for step in range(steps):
        if not person.step():
            break
        if person.lied or step % 2:
            continue
        found = person.look().judge(rate)
        wrong["bias"] |= bool(np.isfinite(found.bias.low)) and is_outside(found.bias, bias)
        wrong["win rate"] |= is_outside(found.people, people)
        wrong["error rate"] |= is_outside(found.error_rate, error)
    return wrong


class Attack(NamedTuple):
    """What is done, with the size of the pool and the most steps."""

    title: str
    m: int
    steps: int
    run: Callable[[int, int, int], dict[str, bool]]


ATTACKS = {
    "tied": Attack("Two models, as good as each other", 300, 120, partial(verdicts, is_tied=True)),
    "tied, small": Attack("Equally good, often different", 150, 120, partial(verdicts, is_tied=True, mostly_agree=False)),
    "two": Attack("Two models", 300, 120, partial(verdicts, is_tied=False)),
    "accuracy": Attack("3 to 6 models, accuracy, some can't be labeled", 120, 45, partial(board, kind="acc", only_some=True)),
    "f1": Attack("3 to 6 models, F₁", 120, 45, partial(board, kind="f1")),
    "brier": Attack("3 to 6 models, Brier score, some can't be labeled", 120, 45, partial(board, kind="brier", only_some=True)),
    "squared": Attack("3 to 6 models, squared error", 120, 45, partial(board, kind="se")),
    "papers": Attack("3 to 6 models, accuracy, the papers' protocol", 120, 45, partial(board, kind="acc", protocol="papers")),
    "judge": Attack("A judge of pairs, with ties", 150, 60, partial(judge, both_bad=False)),
    "judge, both bad": Attack("A judge of pairs, with ties and both bad", 150, 60, partial(judge, both_bad=True)),
}  # fmt: skip


def report():
    lines = [
        "# Whatever a person does",
        "",
        "Sessions through `Session` on small pools that are made anew for each. One person, or two who share the session, label, say that an instance can't be "
        "labeled (by its label, or by which model is right), put aside, label wrongly and correct it, at once or many draws later, take back, close and open the session again, set margins, and look after "
        "nearly every label. Counted are the sessions in which what is promised with 95 % is ever wrong, with exact (Clopper-Pearson) intervals of that share. "
        "Written by `benchmarks/hostile.py`.",
        "",
        "| setting | pool | steps | what is wrong | sessions | wrong | share, 95 % |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, attack in ATTACKS.items():
        files = sorted(KEPT.glob(f"{name}_*.jsonl"))
        rows = {row["seed"]: row for path in files for row in map(json.loads, path.read_text().splitlines())}
        for what in next(iter(rows.values()), {"wrong": {}})["wrong"]:
            n_wrong = sum(row["wrong"][what] for row in rows.values())
            low, high = binomtest(n_wrong, len(rows)).proportion_ci(0.95, method="exact")
            lines.append(
                f"| {attack.title} | {attack.m} | {attack.steps} | {what} | {len(rows)} | {n_wrong} | {100 * low:.1f} to {100 * high:.1f} % |"
            )
    (RESULTS / "hostile.md").write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description="What is promised, whatever a person does.")
    parser.add_argument("what", choices=["run", "report"])
    parser.add_argument("attack", nargs="?", choices=list(ATTACKS))
    parser.add_argument("--sessions", type=int, default=100)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if options.what == "report":
        report()
        return
    for name in [options.attack] if options.attack else ATTACKS:
        attack = ATTACKS[name]
        with (KEPT / f"{name}_{options.first_seed}.jsonl").open("w") as file:
            for seed in range(options.first_seed, options.first_seed + options.sessions):
                wrong = {what: bool(it) for what, it in attack.run(seed, attack.m, attack.steps).items()}
                file.write(json.dumps({"seed": seed, "wrong": wrong}) + "\n")
                file.flush()


if __name__ == "__main__":
    main()
