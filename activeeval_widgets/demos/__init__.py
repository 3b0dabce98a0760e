"""Demos: a trained model, a pool for it, and the true labels to compare with."""

from activeeval_widgets.demos.catalog import DEMOS
from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.demos.digit_images import compare, digits
from activeeval_widgets.demos.judged_answers import judge
from activeeval_widgets.demos.product_photos import images
from activeeval_widgets.demos.review_models import leaderboard
from activeeval_widgets.demos.review_search import one_ranker, ranking
from activeeval_widgets.demos.reviews import regression, text

__all__ = [
    "DEMOS",
    "Demo",
    "compare",
    "digits",
    "images",
    "judge",
    "leaderboard",
    "one_ranker",
    "ranking",
    "regression",
    "text",
]
