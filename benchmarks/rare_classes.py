"""F of a rare class: how narrow an interval can be at all, and what narrower ones cost.

    OMP_NUM_THREADS=1 python benchmarks/rare_classes.py [--sessions 40]

Writes results/rare_classes.md.
"""

import argparse
from dataclasses import replace

import numpy as np
from common import RESULTS
from scipy.special import gammaln
from settings import load

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    adaptive_q,
    draw_without_replacement,
    estimate_adaptive,
    pool_value,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE

NAMES = ("digits F1 of 3 %, calibrated", "digits F1 of 3 %, over-confident")
LEVEL = 0.95
N_LABELS = 200
BLOCK = 10
AT = (100, 200)
VARIANTS = {
    "as they are, 0.5 to 0.3": DRAW_RULE,
    **{
        f"{share:g}": replace(DRAW_RULE, evened_for_ratios=((0, 1), (share, share)))
        for share in (0, 0.3, 0.5, 0.7)
    },
}
"""The share of draws by predicted classes."""


def avoided(n_all, n_labeled, n_hidden):
    """The probability that labels of some of a group miss all instances of a random subset of it."""
    left = n_all - n_labeled
    if n_hidden > left:
        return 0.0

    def choose(n):
        return gammaln(n + 1) - gammaln(n_hidden + 1) - gammaln(n - n_hidden + 1)

    return float(np.exp(choose(left) - choose(n_all)))


def least_widths(counts, labeled):
    """How narrow a 95 % interval for F₁ can be, watched or not, after these labels, on average.

    Relabel K random instances of a group: as long as none of them was drawn, nothing differs, which has
    probability h by `avoided`. So in the mean a capital against the other value is at most 1/h on the pool as
    it is, and an interval leaves that value out with probability α/h at most. Whoever does not gamble, and
    gets the most for sure, leaves out what has h ≤ α; whoever does has a mean distance of ∫ (1 − α/h(F')) dF'
    at least. All is for a person who knows the pool, but for the groups' unseen labels.

    Parameters
    ----------
    counts : dict
        The pool's "true positives", "false positives", "false negatives", and how many predicted negatives
        are negative: "doubtful" and "sure", the half with the smaller probability.
    labeled : dict
        The number of labels in each of these groups.

    Returns
    -------
    sure, gambling : float
    """
    tp, fp, fn = (counts[name] for name in ("true positives", "false positives", "false negatives"))

    def f(hidden=0, lost=0, more=0, fewer=0):
        found = tp - lost + more
        return 2 * found / (tp + fp + found + fn - fewer + hidden)

    def missed(name):
        """By how many of a group its labels may miss, the chance that they miss all of these."""
        return [avoided(counts[name], round(labeled[name]), n) for n in range(counts[name] + 1)]

    of_sure = [(hidden, chance) for hidden, chance in enumerate(missed("sure")) if chance > 1e-4]
    of_tp, of_fp, of_fn = (
        list(enumerate(missed(name))) for name in ("true positives", "false positives", "false negatives")
    )
    below = [(f(hidden=hidden, lost=lost), a * b) for hidden, a in of_sure for lost, b in of_tp]
    above = [(f(more=more, fewer=fewer), a * b) for more, a in of_fp for fewer, b in of_fn]
    return np.sum([distances(np.array(each), f()) for each in (below, above)], axis=0)


def distances(alternatives, value):
    """Of one end: how far what has h > α goes, and ∫ (1 − α/h); h is the largest of what is no nearer."""
    order = np.argsort(-np.abs(alternatives[:, 0] - value))
    gaps = np.abs(alternatives[order, 0] - value)
    h = np.maximum.accumulate(alternatives[order, 1])
    kept = np.maximum(1 - (1 - LEVEL) / np.maximum(h, 1e-300), 0)
    return gaps[h > 1 - LEVEL].max(), float((-np.diff(np.append(gaps, 0.0)) * kept).sum())


def groups_of(setting):
    """Masks of the pool's groups."""
    model, positive = setting.predictions, setting.measure.positive
    is_positive, is_predicted = setting.y_true == positive, model.y_pred == positive
    score = model.y_proba[:, model.code_of(positive, name="positive")]
    negative = ~is_positive & ~is_predicted
    sure = negative & (score <= np.median(score[negative]))
    return {
        "true positives": is_positive & is_predicted,
        "false positives": ~is_positive & is_predicted,
        "false negatives": is_positive & ~is_predicted,
        "doubtful": negative & ~sure,
        "sure": sure,
    }


def session(setting, rule, rng):
    """Widths and errors at `AT`, and the draws."""
    measure, model, y_true = setting.measure, setting.predictions, setting.y_true
    sequence = AdaptiveConfidenceSequence(measure, model, rule=rule)
    draws, probabilities, widths = np.empty(0, dtype=np.intp), np.empty(0), []
    while draws.size < N_LABELS:
        q = adaptive_q(measure, model, draws, y_true[draws], rule=rule)
        more, of_more = draw_without_replacement(q, BLOCK, rng)
        low, high = sequence.extend(more, q, y_true[more])
        widths += (high - low).tolist()
        draws, probabilities = np.concatenate([draws, more]), np.concatenate([probabilities, of_more])
    results = estimate_adaptive(measure, model, draws, probabilities, y_true[draws], at=AT, rule=rule)
    truth = pool_value(measure, model, y_true)
    return [widths[n - 1] for n in AT], [each.value - truth for each in results], draws


def rows_of(setting, n_sessions, seed):
    groups = groups_of(setting)
    counts = {name: int(mask.sum()) for name, mask in groups.items()}
    yield counts
    for name, rule in VARIANTS.items():
        found = [session(setting, rule, np.random.default_rng([seed, k])) for k in range(n_sessions)]
        widths, errors = (np.array([each[k] for each in found]) for k in (0, 1))
        mean = {group: np.mean([mask[each[2]].sum() for each in found]) for group, mask in groups.items()}
        yield (
            name,
            widths.mean(axis=0),
            np.sqrt((errors**2).mean(axis=0)),
            mean,
            least_widths(counts, mean),
        )


def main():
    parser = argparse.ArgumentParser(description="How narrow F of a rare class can be known.")
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [
        "# rare_classes",
        "",
        f"{arguments.sessions} seeded sessions of adaptive draws each, by the share of draws by predicted "
        "classes. Width: of the interval that may be watched. Labels at 200: of predicted "
        "positives, and of the half of the true negatives that the model is surest of. Least width: "
        "what a 95 % interval has at 200 labels at least, whoever makes it of such draws and knows "
        "all of the pool but the unseen labels: if he takes what is sure / if he gambles (see "
        "`least_widths`). Written by `benchmarks/rare_classes.py`.",
    ]
    for name in NAMES:
        rows = rows_of(load(name), arguments.sessions, arguments.seed)
        counts = next(rows)
        lines += [
            "",
            f"## {name}",
            "",
            ", ".join(f"{n} {group}" for group, n in counts.items()) + ".",
            "",
            "| share | width at 100 / 200 | error at 100 / 200 | labels: predicted positives | surest half "
            "| least width at 200 |",
            "|---|---|---|---|---|---|",
        ]
        for which, widths, errors, mean, least in rows:
            predicted = mean["true positives"] + mean["false positives"]
            lines.append(
                f"| {which} | {widths[0]:.3f} / {widths[1]:.3f} | {errors[0]:.4f} / {errors[1]:.4f} | "
                f"{predicted:.0f} | {mean['sure']:.0f} | {least[0]:.3f} / {least[1]:.3f} |"
            )
            print(lines[-1], flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "rare_classes.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
