"""Lessons on active evaluation: notebooks that come with the package, and what they tell and draw with.

`activeeval-widgets lessons` serves them, each executed live. A lesson is run from top to bottom; what it says
in numbers it has computed: `tell` shows text that code has made, `answer` a question whose answer is hidden.

See Also
--------
activeeval_widgets.lessons.catalog : which lessons there are.
activeeval_widgets.lessons.figures : figures that look alike in all of them; needs matplotlib.

Examples
--------
>>> from activeeval_widgets.lessons.catalog import NOTEBOOKS
>>> all(notebook.path.is_file() for notebook in NOTEBOOKS)
True
"""

from activeeval_widgets.lessons.simulated import simulated
from activeeval_widgets.lessons.telling import answer, tell

__all__ = ["answer", "simulated", "tell"]
