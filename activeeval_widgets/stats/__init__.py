"""Active evaluation: draw instances from an instrumental distribution, weight their labels, estimate."""

from activeeval_widgets.stats.estimators import estimate, estimate_trajectory
from activeeval_widgets.stats.instrumental import optimal_q, uniform_q
from activeeval_widgets.stats.intervals import constant_loss_interval, wald_interval
from activeeval_widgets.stats.measures import Accuracy, ErrorRate, Measure, pool_value
from activeeval_widgets.stats.predictions import ClassPredictions
from activeeval_widgets.stats.results import Estimate
from activeeval_widgets.stats.sampling import draw, importance_weights

__all__ = [
    "Accuracy",
    "ClassPredictions",
    "ErrorRate",
    "Estimate",
    "Measure",
    "constant_loss_interval",
    "draw",
    "estimate",
    "estimate_trajectory",
    "importance_weights",
    "optimal_q",
    "pool_value",
    "uniform_q",
    "wald_interval",
]
