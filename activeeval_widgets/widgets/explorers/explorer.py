"""The base class of explorers: a widget whose script computes everything, and its export to a file."""

import html
import json
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from activeeval_widgets.widgets.front_end import STATIC

SCRIPT, STYLES = STATIC / "explorers.js", STATIC / "explorers.css"
DATA = Path(__file__).parent / "data"

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
html {{ color-scheme: light dark; }}
body {{ max-width: 1280px; margin: 16px auto; padding: 0 16px; }}
{styles}
</style>
</head>
<body>
{fragment}
<script type="module">
{script}
</script>
</body>
</html>
"""


class Explorer(anywidget.AnyWidget):
    """An interactive figure that displays in a cell; `save_html` writes it to a page.

    Everything is computed by its script in the browser, so that it responds at once and needs no kernel.

    Attributes
    ----------
    name : str
        The name in the front end.
    title : str
        The heading.

    See Also
    --------
    WhatQPrefers, YourPool, WatchingAnInterval, WhenTheModelLies, HowManyLabels : The explorers.
    """

    _esm = SCRIPT.read_text(encoding="utf-8")
    _css = STYLES.read_text(encoding="utf-8")

    content = traitlets.Dict().tag(sync=True)
    """The script's input: name, title, initial positions of sliders, and results of simulations."""

    name: ClassVar[str]
    title: ClassVar[str]
    data_file: ClassVar[str | None] = None

    def __init__(self, of_pool: Any = None, /, **settings: Any) -> None:
        data = self.data() if of_pool is None else of_pool
        content = {"name": self.name, "title": self.title, "settings": settings, "data": data}
        super().__init__(content=content)

    @classmethod
    def data(cls) -> Any:
        """Return the results of simulations from its file, or None if it has no file."""
        if cls.data_file is None:
            return None
        return json.loads((DATA / cls.data_file).read_text(encoding="utf-8"))

    def fragment(self) -> str:
        """Return HTML for a page that loads `explorers.js` (as a module) and `explorers.css`.

        Returns
        -------
        str
            An element with the script's input. A page may have several; the two files in
            `activeeval_widgets/widgets/static` are loaded once. The color scheme follows ``data-theme`` of
            the page's root element, or the system.

        See Also
        --------
        save_html : Write a whole page.

        Examples
        --------
        >>> from activeeval_widgets import explorers
        >>> explorers.WhatQPrefers().fragment()[:39]
        '<div data-aew-explorer="what-q-prefers"'
        """
        # Without "<", no setting can begin a tag.
        text = json.dumps(self.content).replace("<", "\\u003c")
        return (
            f'<div data-aew-explorer="{html.escape(self.name)}">'
            f'<script type="application/json">{text}</script>'
            f"<p>{html.escape(self.title)}: this needs JavaScript.</p></div>"
        )

    def save_html(self, path: str | Path) -> None:
        """Write the explorer to a self-contained page.

        Parameters
        ----------
        path : str or Path
            The file, which is overwritten.

        Raises
        ------
        OSError
            If the file can't be written.

        See Also
        --------
        fragment : HTML for a larger page.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from activeeval_widgets import explorers
        >>> with TemporaryDirectory() as folder:
        ...     explorers.WhatQPrefers().save_html(Path(folder) / "q.html")
        ...     "<title>What q prefers</title>" in (Path(folder) / "q.html").read_text(encoding="utf-8")
        True
        """
        page = _PAGE.format(
            title=html.escape(self.title),
            styles=STYLES.read_text(encoding="utf-8"),
            fragment=self.fragment(),
            script=inline_script(),
        )
        Path(path).write_text(page, encoding="utf-8")


def inline_script() -> str:
    """Return the script in a form that may stand within a page."""
    # "</script" would end the script even inside a string.
    return SCRIPT.read_text(encoding="utf-8").replace("</script", "<\\/script")


def check_setting(name: str, value: Any, low: float, high: float) -> float:
    """Validate the initial position of a slider."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low:g} to {high:g}, got {value!r}")
    return float(value)
