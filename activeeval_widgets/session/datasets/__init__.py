"""The demos: a trained model, a pool for it, and the true labels to check against."""

from activeeval_widgets.session.datasets.catalog import DEMOS
from activeeval_widgets.session.datasets.demo import Demo
from activeeval_widgets.session.datasets.digit_images import compare, digits
from activeeval_widgets.session.datasets.product_photos import images
from activeeval_widgets.session.datasets.review_search import ranking
from activeeval_widgets.session.datasets.reviews import regression, text

__all__ = ["DEMOS", "Demo", "compare", "digits", "images", "ranking", "regression", "text"]
