"""How the pages become a site. `tools/build_docs.py` (`make docs`) runs it on a copy of them."""

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Element, TextElement
from message_catalog import messages, problems  # beside tools/build_docs.py
from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode
from sphinx.writers.html5 import HTML5Translator

from activeeval_widgets import __version__, explorers, stats
from activeeval_widgets.lessons.prose import formula
from activeeval_widgets.widgets.explorers.explorer import SCRIPT, STYLES

MATH_FONT = Path(stats.__file__).parents[1] / "app" / "templates" / "lessons" / "math.css"

project = "activeeval-widgets"
copyright = "the activeeval-widgets developers"  # noqa: A001 - Sphinx calls it that
version = release = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_click",
    "sphinx_design",
]
root_doc = "docs/index"
templates_path = [str(Path(__file__).parent / "_templates")]  # else it is looked for beside the pages
exclude_patterns = ["docs/_templates"]

# Pages are written for GitHub, too: plain Markdown, with links to headings by their texts.
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # tools/build_docs.py has run them
nb_merge_streams = True
html_math_renderer = "mathml"  # which browsers show by themselves: no script, no font from elsewhere

autosummary_generate = True
autodoc_typehints = "none"  # docstrings say it, with shapes and units
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False

PACKAGES = ("activeeval_widgets", *(f"activeeval_widgets.{name}" for name in ("stats", "session", "widgets")))
"""Where `find_elsewhere` looks for a name."""

html_theme = "pydata_sphinx_theme"
html_title = "activeeval-widgets"
html_static_path = ["_static", str(MATH_FONT)]
html_css_files = ["site.css", MATH_FONT.name]
html_context = {"default_mode": "auto"}
html_search_scorer = str(Path(__file__).parent / "search.js")
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
}


def keep_bars(*arguments: Any) -> None:
    """Keep |x| in a formula from being taken for a substitution; not in code."""
    lines: list[str] = arguments[-1]
    for i, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            parts = line.split("``")
            parts[::2] = [part.replace("|", r"\|") for part in parts[::2]]
            lines[i] = "``".join(parts)


def visit_math(translator: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Put a formula on the page."""
    is_block = isinstance(node, nodes.math_block)
    made = formula(node.astext(), is_block=is_block)
    translator.body.append(f"<div>{made}</div>\n" if is_block else made)
    raise nodes.SkipNode


def skip_doors(_app: Sphinx, what: str, _name: str, thing: Any, *_: Any) -> bool | None:
    """Leave out how a measure or a kind of predictions does what all do: the base class tells of that."""
    thing = getattr(thing, "fget", thing)
    owner = vars(stats).get(getattr(thing, "__qualname__", "").partition(".")[0])
    if what == "class" and isinstance(owner, type):
        for base in (stats.Measure, stats.Predictions):
            if owner is not base and issubclass(owner, base) and hasattr(base, thing.__name__):
                return True
    return None  # as usual


def find_elsewhere(_app: Sphinx, env: BuildEnvironment, node: Element, shown: TextElement) -> Element | None:
    """Find a public name of another one of the packages: docstrings leave out where it is."""
    if node.get("refdomain") != "py":
        return None
    known = env.domains.python_domain.objects
    for package in PACKAGES:
        found = known.get(f"{package}.{node['reftarget']}")
        if found is not None:
            return make_refnode(env.app.builder, node["refdoc"], found.docname, found.node_id, shown)
    return None


class Explorer(SphinxDirective):
    """An explorer that works on the page: its name is the argument."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Give its place, and for the first one of a page what all of them run."""
        [explorer] = (each for each in explorers.EXPLORERS if each.name == self.arguments[0])
        parts = [explorer().fragment()]
        if not self.env.temp_data.setdefault("has_explorer", False):
            self.env.temp_data["has_explorer"] = True
            # In the page itself: a browser loads no module beside a page that is opened as a file.
            script = SCRIPT.read_text(encoding="utf-8").replace("</script", "<\\/script")
            styles = STYLES.read_text(encoding="utf-8")
            parts += [f"<style>{styles}</style>", f'<script type="module">{script}</script>']
        return [nodes.raw("", "\n".join(parts), format="html")]


class Messages(SphinxDirective):
    """All messages of an area, which is the argument, by what they are about."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Make a table."""
        widths = (14, 66, 20)
        group = nodes.tgroup("", *(nodes.colspec(colwidth=width) for width in widths), cols=len(widths))
        group += nodes.thead("", _row(*map(nodes.Text, ("about", "message", "error"))))
        body = nodes.tbody()
        before = None
        for each in messages():
            if each.area == self.arguments[0]:
                is_new = each.argument and each.argument != before
                about = nodes.literal(text=each.argument) if is_new else nodes.Text("")
                body += _row(about, nodes.Text(each.template), nodes.literal(text=each.error))
                before = each.argument
        group += body
        return [nodes.table("", group)]


class Problems(SphinxDirective):
    """What can be wrong with a file, and what helps."""

    def run(self) -> list[nodes.Node]:
        """Make a table for each part."""
        made: list[nodes.Node] = []
        for part in dict.fromkeys(each.part for each in problems()):
            group = nodes.tgroup("", nodes.colspec(colwidth=50), nodes.colspec(colwidth=50), cols=2)
            group += nodes.thead("", _row(nodes.Text("message"), nodes.Text("what helps")))
            body = nodes.tbody()
            for each in problems():
                if each.part == part:
                    body += _row(nodes.Text(each.template), nodes.Text(each.remedy))
            group += body
            made += [nodes.paragraph("", "", nodes.strong(text=part)), nodes.table("", group)]
        return made


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def setup(app: Sphinx) -> None:
    """Take formulas, and blocks that are no code, such as tables in CSV, as they are."""
    app.add_directive("explorer", Explorer)
    app.add_directive("messages", Messages)
    app.add_directive("problems", Problems)
    app.connect("autodoc-process-docstring", keep_bars, priority=400)  # before numpydoc
    app.connect("autodoc-skip-member", skip_doors)
    app.connect("missing-reference", find_elsewhere)
    app.add_lexer("csv", TextLexer)
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
