import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from activeeval_widgets.widgets.elements import html as module
from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import Element, element, encode, to_json

HARMFUL = re.compile(r"script|onerror|onload|onclick|style|iframe|srcset|evil\.example|svg|xlink|formaction")


@pytest.mark.parametrize("has_sanitizer", [True, False])
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("1 &lt; 2 & 3", ["1 < 2 & 3"]),
        ("<p>One<p>Two", [["p", {}, ["One"]], ["p", {}, ["Two"]]]),
        ("<h1>A</h1><h4>B</h4>", [["h3", {}, ["A"]], ["h4", {}, ["B"]]]),
        ("a<br>b<hr>", ["a", ["br", {}, []], "b", ["hr", {}, []]]),
        (
            "<a href='https://a.example/?x=1&amp;y=2' onclick='x()' target=_top>go</a>",
            [["a", {"href": "https://a.example/?x=1&y=2"}, ["go"]]],
        ),
        ("<a href='javascript:x()'>go</a>", [["a", {}, ["go"]]]),
        ("<a href='//evil.example'>go</a>", [["a", {}, ["go"]]]),
        ("<img src='https://evil.example/x.png' alt='a <cat>'>", ["[image: a <cat>]"]),
        ("<img src='https://evil.example/x.png'>", []),
        ("<b class='aew-label' id=x data-aew=label style='color:red'>x</b>", [["b", {}, ["x"]]]),
        (
            "<table><tr><td colspan=2 background=//evil.example>x</table>",
            [["table", {}, [["tbody", {}, [["tr", {}, [["td", {"colspan": "2"}, ["x"]]]]]]]]],
        ),
        ("<p dir=rtl lang=he title='t'>x</p>", [["p", {"dir": "rtl", "lang": "he", "title": "t"}, ["x"]]]),
        ("<script>alert(1)</script><style>p{}</style>x", ["x"]),
        ("<!-- c --><?php x ?><form action=//evil.example><input value=y>z</form>", ["z"]),
        ("<b><i>open", [["b", {}, [["i", {}, ["open"]]]]]),
        ("", []),
    ],
)
def test_html(
    html: str, expected: list[object], has_sanitizer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "has_html_sanitizer", lambda: has_sanitizer)
    if not has_sanitizer and "<table>" in html:  # browsers add a body to the table
        expected = [["table", {}, [["tr", {}, [["td", {"colspan": "2"}, ["x"]]]]]]]
    children: list[object] = []
    for child in to_json(sanitized_html(html))[2]:  # neighboring texts are one
        if isinstance(child, str) and children and isinstance(children[-1], str):
            children[-1] += child
        else:
            children.append(child)
    assert children == expected


@pytest.mark.parametrize("has_sanitizer", [True, False])
@pytest.mark.parametrize(
    "html",
    [
        "<svg><script>alert(1)</script></svg>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<video poster=//evil.example><source onerror=alert(1)></video>",
        "<svg><style><img src=x onerror=alert(1)></style></svg>",
        "<link rel=stylesheet href=//evil.example><meta http-equiv=refresh content='0;//evil.example'>",
        "<div style=\"background:url('//evil.example')\">",
        "<button formaction=javascript:alert(1)>",
        "<a href='jav&#x0A;ascript:alert(1)'>x</a>",
        "<template><script>alert(1)</script></template>",
    ],
)
def test_harmful_html(html: str, has_sanitizer: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "has_html_sanitizer", lambda: has_sanitizer)

    def tags_and_values(node: object) -> list[str]:
        if isinstance(node, str):
            return []
        assert isinstance(node, Element)
        below = [found for child in node.children for found in tags_and_values(child)]
        return [node.tag, *node.attributes, *(v for n, v in node.attributes.items() if n != "title"), *below]

    assert not [found for found in tags_and_values(sanitized_html(html)) if HARMFUL.search(found)]


def test_deep_and_long_html() -> None:
    deep = sanitized_html("<div>" * 5000 + "bottom" + "</div>" * 5000 + "<p>after</p>")
    written = encode(deep).decode()
    assert "bottom" in written
    assert written.endswith('["p",{},["after"]]]]')
    long = sanitized_html("<p>word</p>" * 100_000)
    assert encode(long).decode().endswith('["Shown: the first 200,000 of 1,100,000 characters of HTML."]]]]')


def test_html_is_a_part_of_a_tree() -> None:
    assert to_json(element("div", sanitized_html("<i>x</i>")))[2][0][2] == [["i", {}, ["x"]]]


def test_what_is_no_html() -> None:
    with pytest.raises(TypeError, match="html must be a string, got b'x'"):
        sanitized_html(b"x")


PIECES = [
    *(
        "<",
        ">",
        "/",
        "'",
        '"',
        "=",
        " ",
        "<p>",
        "</p>",
        "<b ",
        "<svg>",
        "<math>",
        "<style>",
        "<script>",
        "-->",
    ),
    *("<!--", "onload=x", "<a href=", "javascript:x", "&lt;", "&#0;", "\x00", "text", "<img ", "<table>"),
]


@pytest.mark.parametrize("has_sanitizer", [True, False])
def test_any_html(has_sanitizer: bool) -> None:
    @given(st.lists(st.sampled_from(PIECES)).map("".join))
    def is_encoded(html: str) -> None:
        encode(sanitized_html(html))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "has_html_sanitizer", lambda: has_sanitizer)
        is_encoded()
