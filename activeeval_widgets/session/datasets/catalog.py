"""All demos by name."""

from collections.abc import Callable

from activeeval_widgets.session.datasets.demo import Demo
from activeeval_widgets.session.datasets.digit_images import compare, digits
from activeeval_widgets.session.datasets.product_photos import images
from activeeval_widgets.session.datasets.review_search import ranking
from activeeval_widgets.session.datasets.reviews import regression, text

DEMOS: dict[str, Callable[[], Demo]] = {
    "digits": digits,
    "text": text,
    "ranking": ranking,
    "images": images,
    "regression": regression,
    "compare": compare,
}
