"""Weekly evaluations: how often a drop is reported where there is none, and how soon where there is one.

    OMP_NUM_THREADS=1 python benchmarks/course.py [--courses 1000]

Each week has a pool of its own, of which some labels are given, and follows the week before (`after`).
Compared are `Course.drop`, which is never wrong about any week in 95 % of courses, and what one would do
otherwise: each week's own interval beside the first week's, or a test of two proportions by uniform draws, at
5 % each week. At 60 %, errors are frequent enough to count.
"""

import argparse
from dataclasses import dataclass

import numpy as np
from common import RESULTS
from scipy.stats import norm

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import clopper_pearson_interval, pool_value

WEEKS, N_INSTANCES = 3, 200
"""Small, so that a thousand whole courses take some minutes of one core."""

LEVEL = 0.95


@dataclass(frozen=True)
class Setting:
    """The error rate up to a week and from it on, and the labels of each week.

    With `share`, only this share of the courses is simulated. If it is attacked, the errors that were found
    are repaired, as many appear elsewhere, nothing else changes, and the first week is undone to where it
    looked best.
    """

    name: str
    n_labels: int
    error: float
    later: float
    since: int = WEEKS
    share: float = 1.0
    is_attacked: bool = False
    level: float = LEVEL

    @property
    def between(self) -> int:
        """The labels between two looks."""
        return max(self.n_labels // 10, 5)


SETTINGS = (
    Setting("10 % in every week", 30, 0.10, 0.10, share=0.6),
    Setting("10 % in every week, attacked", 30, 0.10, 0.10, share=0.2, is_attacked=True),
    Setting("10 % in every week, attacked, at 60 %", 30, 0.10, 0.10, share=0.2, is_attacked=True, level=0.6),
    Setting("10 %, from week 3 on 20 %", 100, 0.10, 0.20, 2, 0.06),
    Setting("10 %, from week 3 on 30 %", 100, 0.10, 0.30, 2, 0.06),
)
RULES = ("course", "own intervals", "test of uniform draws")


def make_week(error: float, week: int, rng: np.random.Generator) -> tuple[Pool, np.ndarray]:
    """Make a pool whose model is wrong where it is less sure, in exactly this share."""
    sure = rng.beta(4, 1, N_INSTANCES) / 2 + 0.5
    predicted = rng.integers(2, size=N_INSTANCES)
    proba = np.where(predicted == 1, sure, 1 - sure)
    n_wrong = round(error * N_INSTANCES)
    wrong = rng.choice(N_INSTANCES, n_wrong, replace=False, p=(1.02 - sure) / (1.02 - sure).sum())
    truth = predicted.copy()
    truth[wrong] = 1 - truth[wrong]
    texts = [f"week {week}, text {i}" for i in range(N_INSTANCES)]
    return Pool(texts, predictions=np.column_stack([1 - proba, proba])), truth


def repaired(session: Session, pool: Pool, truth: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Move the errors that a session has found to instances that it has not seen."""
    predicted, labels = pool.models[0].y_pred, session.log.state.labels
    found = [index for index, label in labels.items() if label != predicted[index]]
    unseen = np.setdiff1d(np.flatnonzero(truth == predicted), [*labels])
    moved = truth.copy()
    for index in (*found, *rng.choice(unseen, len(found), replace=False)):
        moved[index] = 1 - moved[index]
    return moved


def undo_to_best(session: Session, looks: list[float], between: int) -> None:
    """Undo the last labels, back to the look at which the estimate was least."""
    best = between * (1 + int(np.argmin(looks)))
    while session.n_labels > best:
        session.undo()


def uniform_p(first: tuple[int, int], now: tuple[int, int]) -> float:
    """Return the p-value of a one-sided test of two proportions."""
    (a, n), (b, m) = first, now
    pooled = (a + b) / (n + m)
    error = np.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
    return float(norm.sf((b / m - a / n) / error)) if error else 1.0


def run_course(setting: Setting, rng: np.random.Generator) -> tuple[dict[str, int | None], bool]:
    """Return the week in which each rule first reports a drop, and whether any interval ever missed."""
    alarms: dict[str, int | None] = dict.fromkeys(RULES)
    session, own, first_own, first_uniform, missed = None, None, None, None, False
    n_labels, seed = setting.n_labels, int(rng.integers(2**31))
    pool, truth = make_week(setting.error, 0, rng)
    for week in range(WEEKS):
        if week and setting.is_attacked:
            truth = repaired(session, pool, truth, rng)
            texts = [f"week {week}, text {i}" for i in range(N_INSTANCES)]
            pool = Pool(texts, predictions=pool.models[0].y_proba)
        elif week:
            pool, truth = make_week(setting.error if week < setting.since else setting.later, week, rng)
        session = Session(
            pool, "error-rate", name=str(week), after=session, seed=seed, confidence_level=setting.level
        )
        looks: list[float] = []
        value = pool_value(session.measure, pool.models[0], truth)
        for n in range(1, n_labels + 1):
            session.label(int(truth[session.next().index]))
            if n % setting.between and n < n_labels:
                continue
            found = session.findings.course()
            missed |= not found.estimates[-1].low <= value <= found.estimates[-1].high
            if week and alarms["course"] is None and found.drop("0").low > 0:
                alarms["course"] = week
            looks.append(found.estimates[-1].value)
            if setting.since == WEEKS:
                continue
            own = session.estimate()
            if week and alarms["own intervals"] is None and own.low > first_own.high:
                alarms["own intervals"] = week
        if setting.is_attacked and not week:
            undo_to_best(session, looks, setting.between)
        # Labels that would be drawn uniformly.
        is_wrong = truth != pool.models[0].y_pred
        drawn = rng.choice(N_INSTANCES, n_labels, replace=False)
        uniform = int(is_wrong[drawn].sum()), n_labels
        if week and alarms[RULES[-1]] is None and uniform_p(first_uniform, uniform) < 1 - LEVEL:
            alarms[RULES[-1]] = week
        if not week:
            first_own, first_uniform = own, uniform
    return alarms, missed


def share(n: int, of: int) -> str:
    """Return a share with its 95 % Clopper-Pearson interval."""
    low, high = clopper_pearson_interval(n, of, LEVEL)
    return f"{n / of:.1%} ({low:.1%}–{high:.1%})"


def main() -> None:
    """Simulate the courses, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--courses", type=int, default=1000)
    n_courses = parser.parse_args().courses
    lines = [
        "# Weekly evaluations",
        "",
        f"`python benchmarks/course.py --courses {n_courses}`: {WEEKS} weeks, each with {N_INSTANCES:,} "
        "instances of its own, looked at every 5 labels, or 10 of 100: small, so that a thousand "
        "courses take minutes. A rise of the error rate since the first week is reported by",
        "",
        "- *course*: `Course.drop`, two intervals of the course, which hold at once, are apart: never wrong "
        "in 95 of 100 courses (or 60), however many weeks follow",
        "- *own intervals*: each week's own 95 % interval beside the first week's",
        "- *test of uniform draws*: a one-sided test of two proportions at 5 %, once a week",
        "",
        "*Attacked*: the same pool and seed each week; the errors that were found are repaired, and as many "
        "appear where nobody looked. The first week is undone to where it looked best.",
        "",
        "In brackets, 95 % Clopper–Pearson intervals.",
        "",
        "| error rate | labels a week | courses | rule | false alarms | found | in the first week |",
        "|---|---|---|---|---|---|---|",
    ]
    for number, setting in enumerate(SETTINGS):
        n = max(round(setting.share * n_courses), 1)
        found = [run_course(setting, np.random.default_rng([number, seed])) for seed in range(n)]
        about = f"| {setting.name} | {setting.n_labels} | {n:,} "
        for rule in RULES:
            if setting.since == WEEKS and rule == "own intervals":
                continue
            if setting.is_attacked and rule == "test of uniform draws":
                continue
            weeks = [alarms[rule] for alarms, _ in found if alarms[rule] is not None]
            late = [week for week in weeks if week >= setting.since]
            counts = [len(late), late.count(setting.since)]
            cells = [share(each, n) if setting.since < WEEKS else "–" for each in counts]
            lines.append(f"{about}| {rule} | {share(len(weeks) - len(late), n)} | {' | '.join(cells)} |")
        missed = share(sum(each for _, each in found), n)
        lines.append(f"{about}| any interval of the course ever wrong | {missed} | | |")
    (RESULTS / "course.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
