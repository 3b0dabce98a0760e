"""Further measures: how many labels adaptive and uniform draws take, and how often bands are wrong."""

import argparse
import gzip
import json
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
from common import RESULTS, sharpened
from settings import SETTINGS, Setting, _spam, digits_pool, load, ranked, setting
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from activeeval_widgets.stats import (
    NDCG,
    ROCAUC,
    AbsoluteErrorQuantile,
    AdaptiveConfidenceSequence,
    AveragePrecision,
    BestF,
    CalibrationError,
    ClassPredictions,
    ClippedSquaredError,
    LabelShare,
    MeanAveragePrecision,
    MeanValue,
    PrecisionAt,
    RankingPredictions,
    RecallAt,
    ReciprocalRank,
    RootMeanSquaredError,
    RSquared,
    TopKAccuracy,
    WinRate,
    WithinTolerance,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    estimate_trajectory,
    uniform_q,
)

AT = (50, 100, 200, 400)
UNIFORM_AT = (50, 71, 100, 141, 200, 283, 400, 566, 800, 1131, 1600)
BLOCK = 10

SMALL_AT = (15, 30, 60, 100)
SMALL_UNIFORM_AT = (15, 21, 30, 42, 60, 72, 85, 100, 120, 145, 170, 200, 240)
"""For pools of a few hundred: rankings of queries."""


@cache
def _reuters(data, topic):
    with gzip.open(data / "text_reuters21578" / "reuters_topics.jsonl.gz", "rt") as lines:
        stories = [json.loads(line) for line in lines]
    text = [f"{story['title']} {story['text']}" for story in stories]
    y = np.array([int(topic in story["topics"]) for story in stories])
    train = np.array([story["split"] == "train" for story in stories])
    some = np.flatnonzero(train)[:2500]
    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=3, max_features=20_000)
    x = vectorizer.fit_transform([text[i] for i in some])
    pool = vectorizer.transform([t for t, is_train in zip(text, train, strict=True) if not is_train])
    return LogisticRegression(C=3).fit(x, y[some]).predict_proba(pool), y[~train]


POOLS: dict[str, Callable[[Path], tuple[ClassPredictions, np.ndarray]]] = {
    "spam": lambda data: _two(*_spam(data)),
    "spam, cubed": lambda data: _two(sharpened(_spam(data)[0], 3), _spam(data)[1]),
    "Reuters, crude": lambda data: _two(*_reuters(data, "crude")),
    "Reuters, interest": lambda data: _two(*_reuters(data, "interest")),
    "digits, 3 % eights": lambda data: _one_of(*digits_pool(100, 0.1, 0, 1, 8), 8),  # noqa: ARG005
    "digits, over-confident": lambda data: _one_of(*digits_pool(50, 0.01, 9, 8, 9), 9),  # noqa: ARG005
}
"""Two classes, the second one of interest."""


def _two(proba, y_true):
    return ClassPredictions(proba), y_true


def _one_of(model, y_true, positive):
    score = model.y_proba[:, positive]
    return ClassPredictions(np.column_stack([1 - score, score])), (y_true == positive).astype(int)


def enter(name, measure, pools=tuple(POOLS)):
    """Enter a measure of classes, on the pools of two classes."""
    for pool in pools:

        @setting(f"{name}: {pool}")
        def made(data, pool=pool):
            return Setting(measure, *POOLS[pool](data))


MORE: dict[str, list[str]] = {}
"""The settings of each measure, by its name."""


for name, measure in {
    "ROC AUC": ROCAUC(),
    "average precision": AveragePrecision(),
    "label share": LabelShare(1),
    "best F1": BestF(),
}.items():
    enter(name, measure)
    MORE[name] = [f"{name}: {pool}" for pool in POOLS]


@cache
def _volunteers(data):
    """Shop queries with the first volunteer's grade of each product."""
    table = pd.read_csv(data / "rank_chorus" / "ratings_haystack.csv.gz").dropna(subset="ratings")
    title = table["title"].fillna("").str.lower()
    words = TfidfVectorizer(min_df=1, max_features=20_000).fit(title)
    asked, shown = words.transform(table["query"].str.lower()), words.transform(title)
    x = np.column_stack(
        [
            np.asarray(asked.multiply(shown).sum(axis=1)).ravel(),
            table["query"].str.len(),
            title.str.len(),
            table["position"],
        ]
    )
    grades = table["ratings"].str.split(";").str[0].astype(int).to_numpy()
    return ranked(x, grades, table["query"].astype("category").cat.codes.to_numpy(), 4)


RANKERS: dict[str, Callable[[Path], tuple[RankingPredictions, np.ndarray]]] = {
    "LightGBM's example": lambda data: SETTINGS["DCG, LightGBM's example"](data)[1:3],
    "Chorus": lambda data: SETTINGS["DCG, Chorus"](data)[1:3],
    "Chorus, volunteers": _volunteers,
}
"""Rankings by expected gain, with labels of all listed items."""

VALUES = (
    "squared error, sarcos",
    "absolute error, abalone",
    "squared error, two modes",
    "squared error, seldom far off",
)
"""Settings of values, of which other measures are taken."""


def _of_settings(name, measure, pools):
    """`pools`: settings of which the predictions and labels are taken."""
    MORE[name] = [f"{name}: {pool.replace(', error', '').replace(' error', '')}" for pool in pools]
    for entered, pool in zip(MORE[name], pools, strict=True):

        @setting(entered)
        def made(data, pool=pool):
            return SETTINGS[pool](data)._replace(measure=measure)


CLASSES = ("digits error, calibrated", "digits error, over-confident", "photos error")
"""Settings of ten classes, of which other measures are taken."""


def _of_rankings(name, measure):
    MORE[name] = []
    for pool in RANKERS:
        MORE[name].append(f"{name}: {pool}")

        @setting(MORE[name][-1])
        def made(data, pool=pool):
            return Setting(measure, *RANKERS[pool](data))


def _of_values(name, make):
    """`make`: a measure from the absolute errors."""
    MORE[name] = []
    for pool in VALUES:
        MORE[name].append(f"{name}: {pool.partition(', ')[2]}")

        @setting(MORE[name][-1])
        def made(data, pool=pool):
            of = SETTINGS[pool](data)
            return of._replace(measure=make(np.abs(of.predictions.mean - of.y_true)))


_of_rankings("nDCG@10", NDCG(10))
_of_rankings("reciprocal rank", ReciprocalRank(relevant_from=2))
_of_rankings("precision at 5", PrecisionAt(5, relevant_from=2))
_of_rankings("recall at 10", RecallAt(10, relevant_from=2))
_of_rankings("MAP", MeanAveragePrecision(relevant_from=2))
_of_values("within a tolerance", lambda errors: WithinTolerance(float(f"{np.quantile(errors, 0.8):.2g}")))
_of_values("90 % quantile", lambda _: AbsoluteErrorQuantile(0.9))
_of_values("clipped", lambda errors: ClippedSquaredError(float(f"{np.quantile(errors, 0.9):.2g}")))
_of_values("root mean squared error", lambda _: RootMeanSquaredError())
_of_values("R²", lambda _: RSquared())
_of_values("mean label", lambda _: MeanValue())
_of_settings(
    "win rate", WinRate("1"), [f"judges' votes, error, {part}" for part in ("all", "adversarial part")]
)


@cache
def _arena(data, judges):
    """Which of two answers people prefer, or a tie, as expected by the verdicts of some judges."""
    table = pd.read_csv(data / "llm_judged" / "arena_verdicts.csv.gz").iloc[:4000]
    x = pd.get_dummies(table[list(judges)]).to_numpy(float)
    y = table["human"].str[:7].str.replace(r"^tie.*", "tie", regex=True).to_numpy(str)
    model = LogisticRegression(C=1).fit(x[:1000], y[:1000])
    return ClassPredictions(model.predict_proba(x[1000:]), classes=model.classes_.tolist()), y[1000:]


for judges in (("gpt35",), ("gpt4", "claude3")):
    MORE["win rate"].append(f"win rate: arena, {' and '.join(judges)}")

    @setting(MORE["win rate"][-1])
    def arena(data, judges=judges):
        return Setting(WinRate("model_a"), *_arena(data, judges))


_of_settings("top 2 of ten classes", TopKAccuracy(2), CLASSES)
_of_settings("calibration error", CalibrationError(), (*CLASSES, "spam error, probabilities cubed"))


def ats(of):
    """At how many labels adaptive and uniform draws are looked at."""
    size = len(of.y_true)
    chosen = (AT, UNIFORM_AT) if size > 2 * AT[-1] else (SMALL_AT, SMALL_UNIFORM_AT)
    return tuple([n for n in counts if n < size] for counts in chosen)


def adaptive_session(of, rng, n_labels):
    """Draws, their probabilities, and the q of each."""
    draws, probabilities, qs = np.empty(0, dtype=np.intp), np.empty(0), []
    while draws.size < n_labels:
        q = adaptive_q(of.measure, of.predictions, draws, of.y_true[draws])
        more, chances = draw_without_replacement(q, min(BLOCK, n_labels - draws.size), rng)
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, chances])
        qs += [q] * more.size
    return draws, probabilities, qs


def errors_of(results, truth):
    """Differences from the truth; where a measure is not defined yet, as wrong as the truth is far from ½."""
    return [(0.5 if np.isnan(r.value) else r.value) - truth for r in results]


def compared(of, n_sessions, seed):
    """Root mean square errors by adaptive and by uniform draws, and how often intervals hold."""
    truth, size = of.truth, len(of.y_true)
    rng = np.random.default_rng(seed)
    adaptive, uniform, holds, spent = [], [], [], 0.0
    own, at = ats(of)
    for _ in range(n_sessions):
        start = time.perf_counter()
        draws, probabilities, _ = adaptive_session(of, rng, own[-1])
        results = estimate_adaptive(
            of.measure, of.predictions, draws, probabilities, of.y_true[draws], at=own
        )
        spent += time.perf_counter() - start
        adaptive.append(errors_of(results, truth))
        holds.append([r.low <= truth <= r.high for r in results])
        draws = rng.permutation(size)[: at[-1]]
        results = estimate_trajectory(
            of.measure, of.predictions, uniform_q(size), draws, of.y_true[draws], at=at
        )
        uniform.append(errors_of(results, truth))
    return {
        "truth": truth,
        "adaptive": np.sqrt(np.mean(np.square(adaptive), axis=0)),
        "uniform": np.sqrt(np.mean(np.square(uniform), axis=0)),
        "at": own,
        "uniform at": at,
        "coverage": np.mean(holds, axis=0),
        "seconds": spent / n_sessions,
    }


def is_guaranteed(of):
    """Whether the interval that may be watched is exact."""
    return not AdaptiveConfidenceSequence(of.measure, of.predictions, y_range=of.y_range).is_asymptotic


def labels_uniform(found, n):
    """How many labels uniform draws take for the error that adaptive draws have after n."""
    goal = np.log(found["adaptive"][found["at"].index(n)])
    errors, at = np.log(found["uniform"]), np.log(found["uniform at"])
    below = np.flatnonzero(errors <= goal)
    if not below.size:
        return np.inf
    k = below[0]
    if k == 0:
        return float(np.exp(at[0]))
    share = (errors[k - 1] - goal) / (errors[k - 1] - errors[k])
    return float(np.exp(at[k - 1] + share * (at[k] - at[k - 1])))


def watched(of, n_sessions, seed):
    """In how many sessions the band is ever wrong, and its mean width at the numbers of labels."""
    rng = np.random.default_rng(seed)
    sequence = AdaptiveConfidenceSequence(of.measure, of.predictions, y_range=of.y_range)
    truth, wrong, widths, (own, _) = of.truth, 0, [], ats(of)
    for _ in range(n_sessions):
        draws, _, qs = adaptive_session(of, rng, own[-1])
        sequence.restart()
        low, high = sequence.extend(draws, qs, of.y_true[draws])
        wrong += bool(((low > truth) | (high < truth)).any())
        widths.append((high - low)[np.array(own) - 1])
    return wrong, np.mean(widths, axis=0)


HEADER = [
    "# more_measures",
    "",
    "Seeded sessions; how many is in the last column, and of how many the band was watched. Error: root mean "
    "square, of adaptive draws. Uniform, 200: the error of as many uniform draws without replacement, by "
    "only their labels. Uniform: the number of labels that uniform draws take for the error that adaptive "
    "ones have after 200 (> where more than the most tried; below 200 where uniform draws are better). "
    "Coverage: of the 95 % Wald interval at 100 / 200 / 400 labels. Band: the guaranteed interval that may "
    "be watched, in how many sessions it was ever wrong, and its mean width at 100 / 200 / 400. For rankings "
    "of queries and judges' votes, of which there are 135 to 419, all this is at 15 / 30 / 60 / 100 labels, "
    "and 60 in the place of 200. Written by `benchmarks/more_measures.py`; with `--only` other rows stay as "
    "they were.",
    "",
    "| setting | value | error at 50 / 100 / 200 / 400 | uniform, 200 | uniform | coverage | band "
    "| sessions |",
    "|---|---|---|---|---|---|---|---|",
]


def rows_of(file):
    """The rows of an earlier run, by their settings."""
    if not file.exists():
        return {}
    rows = [line for line in file.read_text().splitlines() if line.startswith("| ")]
    return {line[2:].partition(" | ")[0]: line for line in rows}


def row_of(name, n_sessions, n_watched, seed):
    """What was found in a setting."""
    of = load(name)
    found = compared(of, n_sessions, seed)
    band, sessions = "–", str(n_sessions)
    if n_watched and is_guaranteed(of):
        wrong, widths = watched(of, n_watched, seed + 1)
        band, sessions = f"{wrong}; {shown(widths[1:])}", f"{n_sessions}, {n_watched} watched"
    middle, most = found["at"][2], found["uniform at"][-1]
    same = labels_uniform(found, middle)
    saved = f"> {most}" if np.isinf(same) else f"{same:.0f}"
    if same <= found["uniform at"][0]:
        saved = f"≤ {same:.0f}"
    print(f"{found['seconds']:.1f} s", end=" ")
    return (
        f"| {name} | {found['truth']:.4f} | {shown(found['adaptive'], 4)} "
        f"| {found['uniform'][found['uniform at'].index(middle)]:.4f} | {saved} "
        f"| {shown(found['coverage'][1:], 2)} | {band} | {sessions} |"
    )


def main():
    parser = argparse.ArgumentParser(description="The benchmark of further measures.")
    parser.add_argument("--sessions", type=int, default=300)
    parser.add_argument("--watched", type=int, default=100)
    parser.add_argument("--only", help="a measure's name, or several with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-results", action="store_true", help="only print")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",") if arguments.only else list(MORE)
    names = [name for measure in MORE.values() for name in measure]
    file = RESULTS / "more_measures.md"
    for name in (each for measure in chosen for each in MORE[measure]):
        row = row_of(name, arguments.sessions, arguments.watched, arguments.seed)
        print(row, flush=True)
        if not arguments.no_results:
            rows = rows_of(file) | {name: row}
            file.write_text("\n".join(HEADER + [rows[each] for each in names if each in rows]) + "\n")


def shown(numbers, decimals=3):
    return " / ".join(f"{number:.{decimals}f}" for number in numbers)


if __name__ == "__main__":
    main()
