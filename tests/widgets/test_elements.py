import inspect
import json
import re
from pkgutil import walk_packages
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from activeeval_widgets import widgets
from activeeval_widgets.session import Text
from activeeval_widgets.widgets.elements.allowlist import (
    ATTRIBUTES,
    EMPTY_TAGS,
    TAGS,
    allowlist,
    is_address,
    is_allowed,
)
from activeeval_widgets.widgets.elements.tree import (
    Element,
    Passage,
    element,
    encode,
    link,
    passages,
    to_json,
)

from ..doctest_namespace import docstrings_of, run_examples

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "javascript:alert(1)",
    "</div></section><h1>",
    "&lt;b&gt;&amp;&#x3c;",
    "{{constructor.constructor('alert(1)')()}}",
    "\u202egnp.exe\u2066\u2069",
    "\x00nul\x00",
    "\ud800",
    "a\u2028b\u2029c\r\n",
]

ANY_TEXT = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(), max_size=40))


def text_of(tree: Any) -> str:
    return tree if isinstance(tree, str) else "".join(text_of(child) for child in tree[2])


def test_tree() -> None:
    shown = element("p", element("strong", "Ada"), ": ", 3, " < ", 4.5, class_="aew-muted", dir="rtl")
    assert to_json(shown) == [
        "p",
        {"dir": "rtl", "class": "aew-muted"},
        [["strong", {}, ["Ada"]], ": ", "3", " < ", "4.5"],
    ]


MODULES = [info.name for info in walk_packages(widgets.__path__, f"{widgets.__name__}.") if not info.ispkg]


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module: str) -> None:
    assert not run_examples(module).failed


def test_examples_are_found_in_the_wings() -> None:
    tried = {module for module in MODULES if any(each.examples for each in docstrings_of(module))}
    wings = {"elements.tree", "elements.html", "instances.record", "labeling_app"}
    assert {f"{widgets.__name__}.{name}" for name in wings} <= tried


@pytest.mark.parametrize(
    "tag",
    [
        *("script", "style", "iframe", "object", "embed", "form", "input", "button", "svg", "math", "link"),
        *(
            "meta",
            "base",
            "video",
            "audio",
            "template",
            "h1",
            "h2",
            "SCRIPT",
            "P",
            "p ",
            "",
            "x-y",
            "details",
        ),
    ],
)
def test_other_tags_are_refused(tag: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"got {tag!r}")):
        element(tag, "text")


@pytest.mark.parametrize(
    ("tag", "attributes"),
    [
        ("p", {"onclick": "alert(1)"}),
        ("p", {"style": "position: fixed"}),
        ("p", {"id": "aew-question"}),
        ("p", {"role": "alert"}),
        ("p", {"tabindex": "0"}),
        ("p", {"class": "aew-label"}),
        ("p", {"class": "aew-muted evil"}),
        ("p", {"class": ""}),
        ("p", {"data-aew": "label"}),
        ("p", {"dir": "up"}),
        ("p", {"href": "https://example.org"}),
        ("img", {"src": "https://example.org/x.png"}),
        ("img", {"src": "//example.org/x.png"}),
        ("img", {"src": "/x.png"}),
        ("img", {"src": "data:image/svg+xml;base64,PHN2Zz4="}),
        ("img", {"src": "data:text/html;base64,PHN2Zz4="}),
        ("img", {"srcset": "https://example.org/x.png 1x"}),
        ("img", {"onerror": "alert(1)"}),
        ("a", {"href": "/local"}),
        ("a", {"target": "_top"}),
        ("td", {"colspan": "0"}),
        ("ol", {"start": "1\n"}),
    ],
)
def test_other_attributes_and_values_are_refused(tag: str, attributes: dict[str, str]) -> None:
    name, value = next(iter(attributes.items()))
    with pytest.raises(ValueError, match="got") as error:
        Element(tag, attributes)
    assert repr(name) in str(error.value) or repr(value) in str(error.value)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " https://example.org",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        "//example.org",
        "example.org",
        "https:",
        "https://a b",
        "https://a\n",
        "https://a\x00",
        "",
    ],
)
def test_links_lead_nowhere_else(address: str) -> None:
    assert not is_address(address)
    with pytest.raises(ValueError, match="href of <a> must be an address that begins with http://"):
        link(address, "text")


@pytest.mark.parametrize(
    "address", ["https://example.org/?q=<b>&x='\"#y", "HTTP://EXAMPLE.ORG", "mailto:a@example.org"]
)
def test_links(address: str) -> None:
    assert to_json(link(address)) == ["a", {"href": address}, [address]]
    assert to_json(link(address, "there")) == ["a", {"href": address}, ["there"]]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: element("p", None), TypeError, "the children of <p> must be elements or strings, got None"),
        (lambda: element("p", b"x"), TypeError, "the children of <p> must be elements or strings, got b'x'"),
        (lambda: element("p", ["x"]), TypeError, r"must be elements or strings, got \['x'\]"),
        (lambda: element("br", "x"), ValueError, "<br> can't have children, got 1"),
        (lambda: element("p", title=3), TypeError, "title of <p> must be a string, got 3"),
        (
            lambda: element("p", class_="big"),
            ValueError,
            "class must be one or more of aew-card, .*; got 'big'",
        ),
        (
            lambda: element("p", href="x"),
            ValueError,
            "<p> can have the attributes class, .*, title; got 'href'",
        ),
    ],
)
def test_bad_elements(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_the_page_can_read_all_patterns() -> None:
    known = json.loads(json.dumps(allowlist()))
    assert set(known["tags"]) == TAGS
    assert known["attributes"].keys() - {"*"} <= TAGS
    # Constructs that mean another thing, or nothing, to a browser.
    for names in known["attributes"].values():
        for pattern in names.values():
            assert not re.search(r"\(\?[^:]|\\[AZzhNpP]|\[\[|\*\+|\+\+", pattern)


@given(
    st.sampled_from(sorted(TAGS)),
    st.sampled_from(sorted({n for of in ATTRIBUTES.values() for n in of})),
    ANY_TEXT,
)
def test_nothing_gets_past_the_list(tag: str, name: str, value: str) -> None:
    allowed = name in ATTRIBUTES["*"] or name in ATTRIBUTES.get(tag, {})
    try:
        Element(tag, {name: value})
    except ValueError:
        assert not is_allowed(tag, name, value)
    else:
        assert allowed
        if name in ("href", "src"):
            assert re.match(r"https?://|mailto:|data:image/(png|jpeg|webp);base64,", value, re.IGNORECASE)


@given(st.lists(ANY_TEXT, max_size=4))
def test_text_stays_text(texts: list[str]) -> None:
    tree = to_json(element("div", *(element("p", text) for text in texts), Passage(Text("".join(texts)))))
    assert [child[2][0] for child in tree[2][:-1]] == texts
    read = json.loads(encode(element("p", *texts)))
    # Halves of characters can't be sent; all else arrives as it is.
    whole = [text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace") for text in texts]
    assert read[2] == whole


# -- passages ---------------------------------------------------------------------------------------------


def parts(passage: Passage) -> list[Element]:
    """All parts of a passage, as a person who asks for more sees them."""
    shown = [passage.shown(0)]
    while (cut := shown[-1].children[-1]).attributes.get("data-next"):
        assert cut.attributes["data-passage"] == "0"
        shown.append(passage.shown(0, int(cut.attributes["data-next"])))
        assert len(shown) < 1000
    return shown


def lines_of(part: Element) -> list[str]:
    prose = part.children[0]
    assert isinstance(prose, Element)
    return [text_of(to_json(block)) for block in prose.children]


def marked(node: Any) -> list[str]:
    if isinstance(node, str):
        return []
    return [text_of(node)] if node[0] == "mark" else [found for child in node[2] for found in marked(child)]


def test_a_short_passage() -> None:
    assert to_json(Passage(Text("One\n\n  two")).shown(0)) == [
        "div",
        {"class": "aew-passage"},
        [["div", {"class": "aew-prose"}, [["div", {"class": "aew-block", "dir": "auto"}, ["One\n\n  two"]]]]],
    ]


def test_spans_are_marked() -> None:
    text = Text("abcdefghij", spans=((7, 9), (1, 3), (2, 5), (2, 3)), monospace=True, direction="rtl")
    tree = to_json(Passage(text).shown(0))
    assert tree[2][0] == [
        "div",
        {"class": "aew-prose aew-code"},
        [
            [
                "div",
                {"class": "aew-block", "dir": "rtl"},
                ["a", ["mark", {}, ["bc"]], ["mark", {}, ["de"]], "fg", ["mark", {}, ["hi"]], "j"],
            ]
        ],
    ]


def test_a_text_of_ten_megabytes_is_shown_in_parts() -> None:
    text = "A line of some length, with several words.\n" * 240_000
    first = Passage(Text(text, spans=((0, 1), (150_000, 150_010)))).shown(0)
    assert len(encode(first)) < 120_000
    content = text_of(to_json(first.children[-1]))
    assert content == f"Shown: the first 99,975 of {len(text):,} characters."
    assert all(len(block) < 2100 for block in lines_of(first))
    second = Passage(Text(text, spans=((0, 1), (150_000, 150_010)))).shown(0, 99_975)
    assert marked(to_json(second)) == [text[150_000:150_010]]


@given(
    st.text(st.sampled_from("ab \n\u05d0"), max_size=300),
    st.integers(1, 60),
    st.lists(st.tuples(st.integers(0, 299), st.integers(1, 50)), max_size=5),
)
@settings(max_examples=300)
def test_parts_make_up_the_whole(text: str, limit: int, spans: list[tuple[int, int]]) -> None:
    kept = tuple((start, min(len(text), start + n)) for start, n in spans if start < len(text))
    whole = parts(Passage(Text(text, spans=kept), limit))
    assert "".join("\n".join(lines_of(part)) for part in whole) == text
    expected = "".join(c for i, c in enumerate(text) if any(a <= i < b for a, b in kept))
    assert "".join(m for part in whole for m in marked(to_json(part))) == expected


@given(st.lists(st.integers(0, 6000), max_size=8))
def test_blocks_make_up_the_whole(lengths: list[int]) -> None:
    text = "\n".join("x" * length for length in lengths)
    assert "\n".join(lines_of(Passage(Text(text)).shown(0))) == text


def test_passages_are_numbered_in_their_order() -> None:
    long = Text("word " * 100)
    tree = element("div", Passage(long, 50), element("p", "x", Passage(Text("short"), 50)), Passage(long, 60))
    assert [passage.limit for passage in passages(tree)] == [50, 50, 60]
    numbers = re.findall(r'"data-passage":"(\d+)"', encode(tree).decode())
    assert numbers == ["0", "2"]


def test_empty_tags_are_tags() -> None:
    assert EMPTY_TAGS < TAGS


@pytest.mark.parametrize("name", widgets.__all__)
def test_public_names_are_documented(name: str) -> None:
    documented = getattr(widgets, name)
    text = inspect.getdoc(documented) or ""
    assert "See Also\n--------" in text
    assert "Examples\n--------" in text
    if inspect.ismodule(documented):
        return
    takes = "Parameters\n-----" in text or "Attributes\n-----" in text
    assert takes or not inspect.signature(documented).parameters
