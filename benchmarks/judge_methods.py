"""What is done with judges' votes and people's labels: sessions, other draws, and other packages."""

import numpy as np

from activeeval_widgets import Pool, Session
from activeeval_widgets.stats import UnpredictedClasses


def _labeled(task, model, seed, **options):
    pool = Pool([""] * task.z.size, predictions=model, kind="text")
    session = Session(pool, task.measure, budget=task.n_labels, seed=seed, **options)
    while (asked := session.next()) is not None:
        session.label(task.y_true[asked.index])
    return session


def _watched(session, truth, seed, n_watched):
    """The value, the half-width at the end, and whether the interval was ever wrong, or is at the end."""
    if seed % 1000 >= n_watched:
        return {"value": session.estimate(interval="wald").value}
    low, high = session.watched().at(np.arange(session.n_labels + 1))
    misses = (truth < low - 1e-12) | (truth > high + 1e-12)
    wald = session.estimate(interval="wald")
    return {
        "value": wald.value,
        "half": float(high[-1] - low[-1]) / 2,
        "ever": bool(misses.any()),
        "at_end": bool(misses[-1]),
    }


def votes(task, seed):
    """A session as it is begun by default: draws that learn, guided by the votes."""
    return _watched(_labeled(task, task.model, seed), task.z.mean(), seed, task.n_watched)


def uniform(task, seed):
    """A session with uniform draws; the votes stand in for the labels that are missing."""
    return {"value": _labeled(task, task.model, seed, defensive=1.0).estimate(interval="wald").value}


def papers(task, seed):
    """A session by the papers' protocol: q*, with replacement, by the votes."""
    return {"value": _labeled(task, task.model, seed, protocol="papers").estimate(interval="wald").value}


def people(task, seed):
    """A session without votes."""
    alone = task.alone
    model = UnpredictedClasses(["A", "tie", "B"], task.z.size) if alone is None else alone
    session = _labeled(task, model, seed, defensive=1.0)
    return _watched(session, task.z.mean(), seed, task.n_watched)


def _uniform_draws(task, seed):
    drawn = np.random.default_rng(seed).permutation(task.z.size)
    return drawn[: task.n_labels], drawn[task.n_labels :]


def ppi_py(task, seed):
    """PPI++ with the λ that it tunes, on uniform draws; its interval is for one number of labels."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    labeled, rest = _uniform_draws(task, seed)
    z, expected = task.z[labeled], np.nan_to_num(task.voted, nan=0.5)
    given = z, expected[labeled], expected[rest]
    low, high = (float(np.squeeze(end)) for end in ppi_mean_ci(*given, alpha=0.05))
    truth = task.z.mean()
    return {
        "value": float(np.squeeze(ppi_mean_pointestimate(*given))),
        "half": (high - low) / 2,
        "at_end": not low <= truth <= high,
    }


def fewhumans(task, seed):
    """The same by fewhumans, its E3."""
    from fewhumans.estimators.pp_plus import ppi_plus_mean

    labeled, rest = _uniform_draws(task, seed)
    expected = np.nan_to_num(task.voted, nan=0.5)
    found = ppi_plus_mean(expected[rest], task.z[labeled], expected[labeled])
    truth = task.z.mean()
    return {
        "value": found.value,
        "half": found.halfwidth,
        "at_end": not found.lo <= truth <= found.hi,
    }


def _by_glide(task, y_true, *, pi=None):
    from glide.estimators import ASIMeanEstimator, PPIMeanEstimator

    expected = np.nan_to_num(task.voted, nan=0.5)
    try:
        if pi is None:
            found = PPIMeanEstimator().estimate(y_true, expected)
        else:
            found = ASIMeanEstimator().estimate(y_true, expected, pi)
    except ValueError:  # labels that are all the same are refused
        mean = float(np.nanmean(y_true))
        return {"value": mean, "half": 0.0, "at_end": mean != task.z.mean()}
    ends = found.confidence_interval
    low, high, truth = ends.lower_bound, ends.upper_bound, task.z.mean()
    return {"value": found.mean, "half": (high - low) / 2, "at_end": not low <= truth <= high}


def glide(task, seed):
    """The same by glide-py, which needs Python 3.12."""
    rest = _uniform_draws(task, seed)[1]
    y_true = task.z.copy()
    y_true[rest] = np.nan
    return _by_glide(task, y_true)


def glide_active(task, seed):
    """Active statistical inference by glide-py: as many labels in the mean, more where votes differ."""
    from glide.samplers import ActiveSampler

    expected = np.nan_to_num(task.voted, nan=0.5)
    doubt = np.sqrt((expected * (1 - expected)).clip(0)) + 0.1
    pi, drawn = ActiveSampler().sample(doubt, task.n_labels, random_seed=seed)
    return _by_glide(task, np.where(drawn > 0, task.z, np.nan), pi=pi)


PACKAGES = {
    "ppi_py": "ppi_py",
    "fewhumans": "fewhumans",
    "glide-py, PPI++": "glide",
    "glide-py, active": "glide",
}
"""What has to be installed for a method."""

METHODS = {
    "session with votes": votes,
    "uniform draws, votes stand in": uniform,
    "papers' q*, votes": papers,
    "people only": people,
    "ppi_py": ppi_py,
    "fewhumans": fewhumans,
    "glide-py, PPI++": glide,
    "glide-py, active": glide_active,
}
