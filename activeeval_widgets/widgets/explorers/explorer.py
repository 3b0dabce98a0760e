"""What all explorers share: a widget whose script computes all that it shows, and the same as a file."""

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
    """Something to see and to play with: a cell shows it, and `save_html` makes a page of it.

    All that it shows is computed by its script in the browser: it answers at once, and needs no kernel.

    Attributes
    ----------
    name : str
        Its name in the front end.
    title : str
        Its heading.

    See Also
    --------
    WhatQPrefers, YourPool, WatchingAnInterval, WhenTheModelLies, HowManyLabels : the explorers.
    """

    _esm = SCRIPT.read_text(encoding="utf-8")
    _css = STYLES.read_text(encoding="utf-8")

    content = traitlets.Dict().tag(sync=True)
    """What the script is told: name, title, where its sliders begin, and what was simulated beforehand."""

    name: ClassVar[str]
    title: ClassVar[str]
    data_file: ClassVar[str | None] = None

    def __init__(self, of_pool: Any = None, /, **settings: Any) -> None:
        data = self.data() if of_pool is None else of_pool
        told = {"name": self.name, "title": self.title, "settings": settings, "data": data}
        super().__init__(content=told)

    @classmethod
    def data(cls) -> Any:
        """What was simulated for it beforehand, from its file; None if nothing was."""
        if cls.data_file is None:
            return None
        return json.loads((DATA / cls.data_file).read_text(encoding="utf-8"))

    def fragment(self) -> str:
        """HTML to put into a page that loads `explorers.js` (as a module) and `explorers.css`.

        Returns
        -------
        str
            A place, with what the script is told. A page may have several; the two files, which are in
            `activeeval_widgets/widgets/static`, are loaded once. Light or dark follows ``data-theme`` of the
            page's root, or the system.

        See Also
        --------
        save_html : a whole page.

        Examples
        --------
        >>> from activeeval_widgets import explorers
        >>> explorers.WhatQPrefers().fragment()[:39]
        '<div data-aew-explorer="what-q-prefers"'
        """
        # "<" never begins a tag there, whatever the settings say.
        told = json.dumps(self.content).replace("<", "\\u003c")
        return (
            f'<div data-aew-explorer="{html.escape(self.name)}">'
            f'<script type="application/json">{told}</script>'
            f"<p>{html.escape(self.title)}: this needs JavaScript.</p></div>"
        )

    def save_html(self, path: str | Path) -> None:
        """Write the explorer as a page of its own: one file that asks for no other.

        Parameters
        ----------
        path : str or Path
            The file; what it holds is replaced.

        Raises
        ------
        OSError
            If it can't be written.

        See Also
        --------
        fragment : for a page that has more to tell.

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
            # A script ends where it says so, in a string of it, too.
            script=SCRIPT.read_text(encoding="utf-8").replace("</script", "<\\/script"),
        )
        Path(path).write_text(page, encoding="utf-8")


def check_setting(name: str, value: Any, low: float, high: float) -> float:
    """Return where a slider begins."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} must be a number from {low:g} to {high:g}, got {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low:g} to {high:g}, got {value!r}")
    return float(value)
