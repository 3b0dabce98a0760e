"""What is drawn in plots: each kind of band, curve, line and point, by the name that renderers style."""

from collections.abc import Sequence

MAX_MODELS = 8
"""At most this many models have a color of their own in a plot."""

PLOT_KINDS: dict[str, str] = {
    # Bands.
    "band": "the guaranteed interval",
    "approximate": "the approximate interval, inside the guaranteed one",
    "forecast": "where the interval's width is expected to go: four of five sessions",
    "pool-bars": "a histogram of the pool: steps from 0",
    "drawn-bars": "a histogram of the draws, in front of the pool's: steps from 0",
    "rug": "many labels for which a model is wrong: narrow bars on the horizontal axis",
    "papers-band": "the interval of the papers' method in a race",
    # Curves.
    "estimate": "the main curve: the estimate, the width of the interval",
    "wald": "an end of the Wald interval",
    "wealth": "what bets against a value have won",
    "ideal": "what a perfect model would have",
    "bar": "an interval at one place: a vertical bar",
    "papers": "the estimate by the papers' method in a race; its points, too",
    "uniform-steps": "the error of uniform draws in a race",
    "leader": "a wide, pale line below the curve of the best model so far",
    **{
        f"model-{i}": f"model {i} of several: a curve, a vertical bar or a dot"
        for i in range(1, MAX_MODELS + 1)
    },
    # Horizontal lines; curves that are as broken.
    "goal": "what is to be reached",
    "zero": "no difference",
    "uniform": "uniform draws: a line or a curve",
    # Points.
    "pool": "the pool, or what was not drawn yet",
    "drawn": "labeled instances, or bins with labels",
    "wrong": "labels for which a model is wrong",
    "present": "the instance on screen, or the present moment",
    **{f"same-{i}": "the pool where two models predict the same, by how often it is drawn" for i in range(4)},
    **{f"differ-{i}": "the pool where two models differ, by how often it is drawn" for i in range(4)},
    "first-right": "labels where only the first model is right",
    "second-right": "labels where only the second model is right",
    "both-right": "labels where two models that differ are both right",
    "neither-right": "labels where neither of two models is right",
}
"""The meaning of each kind. Colors: frontend/src/styles/plot_colors.css."""


def model_kinds(positions: Sequence[int]) -> dict[int, str]:
    """A color for each model, by its position among all: the same as long as there are few enough.

    Parameters
    ----------
    positions : sequence of int
        At most `MAX_MODELS`.

    Examples
    --------
    >>> model_kinds([2, 0])
    {2: 'model-3', 0: 'model-1'}
    >>> model_kinds([9, 1])
    {9: 'model-1', 1: 'model-2'}
    """
    free = [i for i in range(MAX_MODELS) if i not in positions]
    places = {each: each if each < MAX_MODELS else free.pop(0) for each in positions}
    return {position: f"model-{place + 1}" for position, place in places.items()}
