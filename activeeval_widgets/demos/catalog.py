"""All demos by name."""

from collections.abc import Callable

from activeeval_widgets.demos.demo import Demo
from activeeval_widgets.demos.digit_images import compare, digits
from activeeval_widgets.demos.judged_answers import judge
from activeeval_widgets.demos.product_photos import images
from activeeval_widgets.demos.review_models import leaderboard
from activeeval_widgets.demos.review_search import ranking
from activeeval_widgets.demos.reviews import regression, text

DEMOS: dict[str, Callable[[], Demo]] = {
    "digits": digits,
    "text": text,
    "ranking": ranking,
    "images": images,
    "regression": regression,
    "compare": compare,
    "leaderboard": leaderboard,
    "judge": judge,
}
