"""Explorers: small interactive pages that show how active evaluation works, without a kernel.

See Also
--------
activeeval_widgets.widgets.LabelingApp : A session on your own data.

Examples
--------
Display one in a notebook as the last line of a cell:

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
"""All explorers, in their order for teaching."""

__all__ = [
    "EXPLORERS",
    "Explorer",
    "HowManyLabels",
    "WatchingAnInterval",
    "WhatQPrefers",
    "WhenTheModelLies",
    "YourPool",
]
