"""Numbers that a reader sets, and what is shown for them."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

_VIEW = "application/vnd.jupyter.widget-view+json"


def number(label: str, value: float, *, low: float = 0.0, high: float = 1.0, step: float = 0.01) -> Any:
    """Return an input for a number, to be shown as the last value of a cell and passed to `follow`.

    Parameters
    ----------
    label : str
        What the number is.
    value : float
        The number at first; later, it is the attribute `value`.
    low, high : float
        The smallest and the largest number.
    step : float
        The change by an arrow key.

    Returns
    -------
    ipywidgets.BoundedFloatText

    See Also
    --------
    follow : Show what follows from the number.

    Examples
    --------
    >>> from activeeval_widgets.lessons import number
    >>> guess = number("My guess", 0.15)
    >>> guess.value
    0.15
    """
    from ipywidgets import BoundedFloatText

    options: Any = {"style": {"description_width": "initial"}, "layout": {"width": "max-content"}}
    return BoundedFloatText(value, min=low, max=high, step=step, description=label, **options)


def follow(draw: Callable[..., None], *inputs: Any) -> None:
    """Show what a function shows for the values of some inputs, and anew whenever one of them changes.

    Parameters
    ----------
    draw : callable
        Called with the values of the inputs; shows texts by `show_text` and `answer`, and figures.
    *inputs : widget
        Inputs, such as those of `number`.

    See Also
    --------
    number : An input for a number.

    Examples
    --------
    >>> from activeeval_widgets.lessons import follow, number, show_text
    >>> guess = number("My guess", 0.15)
    >>> follow(lambda share: show_text(f"That is one in {1 / share:.1f}."), guess)  # doctest: +SKIP
    """
    from IPython.display import display
    from ipywidgets import HTML

    shown = HTML()

    def redraw(_change: Any = None) -> list[dict[str, Any]]:
        made = _shown_by(draw, [each.value for each in inputs])
        shown.value = "".join(f"<div>{each['text/html']}</div>" for each in made)
        return made

    made = redraw()
    for each in inputs:
        each.observe(redraw, "value")
    # The same without a kernel, as in the documentation.
    texts = "\n\n".join(each.get("text/markdown", "") for each in made).strip()
    view = shown._repr_mimebundle_()[_VIEW]
    bundle = {_VIEW: view, "text/html": shown.value, "text/markdown": texts, "text/plain": texts}
    display(bundle, raw=True)  # type: ignore[no-untyped-call]


def _shown_by(draw: Callable[..., None], values: list[Any]) -> list[dict[str, Any]]:
    """Return the data of everything that a function displays."""
    from IPython.utils.capture import capture_output

    with capture_output(stdout=False, stderr=False) as captured:
        draw(*values)
    found = [output.data for output in captured.outputs]
    return [{"text/html": html.escape(data.get("text/plain", "")), **data} for data in found]
