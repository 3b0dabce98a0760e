"""Explorers: small pages to see and play with what active evaluation does. They need no kernel.

See Also
--------
activeeval_widgets.widgets.LabelingApp : a session of one's own.

Examples
--------
In a notebook, as the last line of a cell:

>>> from activeeval_widgets import explorers
>>> explorers.WatchingAnInterval().title
'Watching an interval'
"""

from activeeval_widgets.widgets.explorers.explorer import Explorer
from activeeval_widgets.widgets.explorers.how_many_labels import HowManyLabels
from activeeval_widgets.widgets.explorers.watching_an_interval import WatchingAnInterval
from activeeval_widgets.widgets.explorers.what_q_prefers import WhatQPrefers
from activeeval_widgets.widgets.explorers.when_the_model_lies import WhenTheModelLies
from activeeval_widgets.widgets.explorers.your_pool import YourPool

EXPLORERS: tuple[type[Explorer], ...] = (
    WhatQPrefers,
    YourPool,
    WatchingAnInterval,
    WhenTheModelLies,
    HowManyLabels,
)
"""All of them, in the order in which they teach."""

__all__ = [
    "EXPLORERS",
    "Explorer",
    "HowManyLabels",
    "WatchingAnInterval",
    "WhatQPrefers",
    "WhenTheModelLies",
    "YourPool",
]
