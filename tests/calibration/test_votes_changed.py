"""Somebody buys votes in the middle, where and when the labels so far suggest it, and copies labels."""

import numpy as np
from scipy.stats import binom

from activeeval_widgets.stats import (
    AdaptiveConfidenceSequence,
    ClassPredictions,
    LabelShare,
    adaptive_q,
    draw_without_replacement,
)
from activeeval_widgets.stats.adaptive.draw_rule import DRAW_RULE

M, N_SESSIONS, LEVEL, BLOCK, N_DRAWS = 24, 120, 0.8, 4, 12
MEASURE = LabelShare(1)


def predicted(cast):
    return ClassPredictions.from_votes([[None if vote < 0 else int(vote)] for vote in cast], [0, 1])


def bought(cast, drawn, y, vote, rng):
    """More votes: copies of labels, and on what is left those that pull towards the labels so far."""
    left = np.setdiff1d(np.arange(M), drawn)
    n = 4 + 12 * (y[drawn].mean() > 0.5)
    wanted = left[np.argsort(vote[left] != (y[drawn].mean() > 0.5), kind="stable")][:n]
    more = cast.copy()
    more[wanted] = vote[wanted]
    more[drawn] = y[drawn]
    more[rng.permutation(left)[:2]] = -1
    return more


def is_missed(seed):
    """Whether the interval of one session ever leaves the truth out, at any of its draws."""
    rng = np.random.default_rng([7, seed])
    p = rng.beta(0.6, 0.6, M)
    y = (rng.random(M) < p).astype(int)
    vote = np.where(rng.random(M) < 0.75, p > 0.5, rng.random(M) < 0.8).astype(int)
    cast = np.where(np.arange(M) < 6, vote, -1)
    present = predicted(cast)
    sequence = AdaptiveConfidenceSequence(MEASURE, present, confidence_level=LEVEL, deadlines=(N_DRAWS,))
    drawn = np.zeros(0, dtype=int)
    while drawn.size < N_DRAWS:
        if drawn.size and (drawn.size == 2 * BLOCK or rng.random() < y[drawn].mean()):
            then, cast = present.y_proba, bought(cast, drawn, y, vote, rng)
            # What is drawn keeps the votes of its time.
            y_proba = predicted(cast).y_proba.copy()
            y_proba[drawn] = then[drawn]
            present = ClassPredictions(y_proba, [0, 1])
            present.assists = False
            sequence.revise(present)
        q = adaptive_q(MEASURE, present, drawn, y[drawn], rule=DRAW_RULE)
        for draw in draw_without_replacement(q, BLOCK, rng)[0].tolist():
            sequence.update(draw, q, int(y[draw]))
            drawn = np.append(drawn, draw)
            if not sequence.low <= y.mean() <= sequence.high:
                return True
    return False


def test_the_interval_holds_all_the_while_with_votes_bought_by_what_labels_say():
    missed = sum(map(is_missed, range(N_SESSIONS)))
    assert 0 < missed <= binom.ppf(1 - 1e-6, N_SESSIONS, 1 - LEVEL)
