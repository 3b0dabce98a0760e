"""Explorers: their pages ask for nothing, and what their script is held against is what Python computes."""

import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from activeeval_widgets import explorers
from activeeval_widgets.stats import ClassPredictions, ErrorRate, FMeasure, optimal_q
from activeeval_widgets.stats.drawing.preferences import (
    difference_preference,
    error_preference,
    f_preference,
)

ROOT = Path(__file__).parents[2]
P = np.random.default_rng(1).beta(0.6, 0.9, 60)
MODEL = ClassPredictions(np.column_stack([1 - P, P]))


def numbers(tree):
    """All numbers in a tree of lists and mappings, in order."""
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [n for part in tree for n in numbers(part)] if isinstance(tree, list | tuple) else [tree]


def test_the_script_is_held_against_what_python_computes():
    tool = runpy.run_path(str(ROOT / "tools" / "write_explorer_fixtures.py"))
    written = json.loads(tool["PATH"].read_text())
    assert numbers(written) == pytest.approx(numbers(tool["fixtures"]()), rel=1e-12, abs=1e-12)


def proportional(q, preference):
    np.testing.assert_allclose(q, preference / preference.sum(), rtol=1e-12)


def test_closed_forms_are_the_optimal_q_of_a_pool():
    confidence = np.maximum(P, 1 - P)
    proportional(optimal_q(ErrorRate(), MODEL), error_preference(confidence, float((1 - confidence).mean())))
    for eta in (0.0, 0.3, 1.0):
        predicted = P > 0.5
        hits = (P * predicted).sum()
        f = hits / (eta * predicted.sum() + (1 - eta) * P.sum())
        proportional(optimal_q(FMeasure.from_eta(eta), MODEL), f_preference(P, float(f), eta, predicted))
    other = ClassPredictions(np.column_stack([1 - P**2, P**2]))
    first, second, p = P > 0.5, P**2 > 0.5, (P + P**2) / 2
    wrong = [np.where(said, 1 - p, p).mean() for said in (first, second)]
    by = difference_preference(p, float(wrong[0] - wrong[1]), first, second)
    proportional(optimal_q(ErrorRate(), [MODEL, other]), by)


@pytest.mark.parametrize("kind", explorers.EXPLORERS, ids=lambda kind: kind.name)
def test_a_saved_page_asks_for_nothing_else(kind, tmp_path: Path):
    kind().save_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text()
    asks = r"""(src|href)=|@import|url\((?!#)|\bfetch\(|^import |XMLHttp"""
    assert not re.search(asks, page, flags=re.MULTILINE)
    assert page.count("</script>") == 2
    assert kind().content["name"] in page


def test_a_fragment_ends_no_script():
    class Hostile(explorers.Explorer):
        name, title = 'x"><b>', "</script><b>"

    assert "<b>" not in Hostile(note="</script><b>").fragment()


@pytest.mark.parametrize(
    ("error", "settings", "message"),
    [
        (ValueError, {"risk": 1.5}, "risk must be from 0 to 1, got 1.5"),
        (TypeError, {"eta": "half"}, "eta must be a number from 0 to 1, got 'half'"),
        (ValueError, {"difference": -2}, "difference must be from -0.5 to 0.5, got -2"),
    ],
)
def test_settings_outside_the_sliders_are_refused(error, settings, message):
    with pytest.raises(error, match=re.escape(message)):
        explorers.WhatQPrefers(**settings)


def test_preferences_refuse_what_is_no_probability():
    with pytest.raises(ValueError, match=r"confidence holds 1\.2, expected probabilities from 0 to 1"):
        error_preference([0.5, 1.2], 0.1)
    with pytest.raises(ValueError, match="difference must be from -1 to 1, got 2"):
        difference_preference([0.5], 2, [True], [False])
