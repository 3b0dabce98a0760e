"""Lessons on active evaluation: notebooks in the package, with helpers for their text and figures.

`activeeval-widgets lessons` serves them with a live kernel each. A lesson runs from top to bottom, and
computes all the numbers in its text: `show_text` shows generated text, `answer` a question whose answer is
hidden; `number` takes a number from the reader, and `follow` shows what follows from it.

See Also
--------
activeeval_widgets.lessons.catalog : The list of lessons.
activeeval_widgets.lessons.figures : Figures in the lessons' style; needs matplotlib.

Examples
--------
>>> from activeeval_widgets.lessons.catalog import NOTEBOOKS
>>> all(notebook.path.is_file() for notebook in NOTEBOOKS)
True
"""

from activeeval_widgets.lessons.generated_text import answer, show_text
from activeeval_widgets.lessons.inputs import follow, number
from activeeval_widgets.lessons.simulated import simulated

__all__ = ["answer", "follow", "number", "show_text", "simulated"]
