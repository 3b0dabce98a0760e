import datetime
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from activeeval_widgets.session import Pool, Ranking, Result, Text
from activeeval_widgets.session.pool.kinds import KINDS
from activeeval_widgets.stats import ClassPredictions
from activeeval_widgets.widgets.elements.html import sanitized_html
from activeeval_widgets.widgets.elements.tree import Element, element, link, to_json
from activeeval_widgets.widgets.instances.answers import AnswersView
from activeeval_widgets.widgets.instances.image import ImageView
from activeeval_widgets.widgets.instances.instance_renderer import ELEMENTS, InstanceRenderer
from activeeval_widgets.widgets.instances.media import Media
from activeeval_widgets.widgets.instances.ranking import RankingView
from activeeval_widgets.widgets.instances.record import RecordView, formatted
from activeeval_widgets.widgets.instances.registered_views import VIEWS, register_view
from activeeval_widgets.widgets.instances.rubric import RubricView
from activeeval_widgets.widgets.instances.text import PairView, TextView
from activeeval_widgets.widgets.page_modules import module_text

LOREM = "The committee met again in the old library.\n\nNobody spoke of the letter.\n"


def view(instances: Any, view: Any = None, **options: Any) -> InstanceRenderer:
    rows = np.full((len(instances), 2), 0.5)
    return InstanceRenderer(Pool(instances, predictions=ClassPredictions(rows), **options), view)


def tree(shown: InstanceRenderer, index: int = 0) -> Any:
    rendered = shown.render(index)
    assert rendered.mime == ELEMENTS
    return json.loads(rendered.content)


def text_of(node: Any) -> str:
    return node if isinstance(node, str) else " ".join(filter(None, map(text_of, node[2])))


def find(node: Any, *, tag: str = "", cls: str = "") -> list[Any]:
    """All elements of a tag or a class."""
    if isinstance(node, str):
        return []
    is_it = node[0] == tag or (cls and cls in node[1].get("class", "").split())
    return [
        *([node] if is_it else []),
        *(found for child in node[2] for found in find(child, tag=tag, cls=cls)),
    ]


# -- text and pairs ---------------------------------------------------------------------------------------


def test_texts() -> None:
    shown = view([LOREM, Text("x = 1 < 2", spans=[(4, 9)], monospace=True, title="<Title>")])
    assert text_of(tree(shown)) == LOREM
    assert tree(shown, 1) == [
        "div",
        {},
        [
            ["h3", {"class": "aew-title", "dir": "auto"}, ["<Title>"]],
            [
                "div",
                {"class": "aew-passage"},
                [
                    [
                        "div",
                        {"class": "aew-prose aew-code"},
                        [["div", {"class": "aew-block", "dir": "auto"}, ["x = ", ["mark", {}, ["1 < 2"]]]]],
                    ]
                ],
            ],
        ],
    ]


def test_plain_strings_of_code() -> None:
    assert find(tree(view(["x = 1"], TextView(monospace=True))), cls="aew-code")
    assert not find(tree(view(["x = 1"])), cls="aew-code")


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_text_is_reported(text: str) -> None:
    result = text_of(tree(view(["full", text], ids=["a", "review-<17>"]), 1))
    assert re.sub(r"\s+", " ", result) == (
        "Instance review-<17> can't be shown. The text is empty. You can exclude it and go on."
    )


def test_pairs() -> None:
    shown = tree(view([("One <b>", "Two"), ("", "Alone")]))
    assert [text_of(h) for h in find(shown, tag="h3")] == ["First", "Second"]
    assert [text_of(half) for half in find(shown, cls="aew-half")] == ["First One <b>", "Second Two"]
    named = tree(view([("", "Alone")], PairView(["Question", "Answer"])))
    assert [text_of(half) for half in find(named, cls="aew-half")] == ["Question empty", "Answer Alone"]
    titled = PairView(monospace=True)([Text("x", title="Before"), "y"])
    assert [text_of(h) for h in find(to_json(titled), tag="h3")] == ["Before", "Second"]
    assert len(find(to_json(titled), cls="aew-code")) == 1


def test_answers_stand_below_what_was_asked() -> None:
    rows = [{"prompt": "Say <b>hi</b>", "A": "# Hi", "B": None}]
    shown = tree(view(rows, AnswersView("prompt", ["A", "B"])))
    parts = [text_of(part) for part in find(shown, tag="section")]
    assert parts == ["prompt Say <b>hi</b>", "A # Hi", "B empty"]
    assert len(find(shown, cls="aew-pair")) == 1
    assert not find(tree(view(rows, AnswersView("prompt", ["A"]))), cls="aew-pair")
    with pytest.raises(ValueError, match="no column 'C' among 'prompt', 'A', 'B'"):
        AnswersView("prompt", ["A", "C"])(rows[0])
    with pytest.raises(TypeError, match="got the string 'A'"):
        AnswersView("prompt", "A")
    with pytest.raises(ValueError, match="one column or more"):
        AnswersView("prompt", [])


@pytest.mark.parametrize("headings", ["ab", ["one"], ["one", "two", "three"]])
def test_bad_headings(headings: Any) -> None:
    with pytest.raises(ValueError, match="headings must be two strings, got"):
        PairView(headings)


# -- ranked lists -----------------------------------------------------------------------------------------


def results(*given: Result) -> list[Any]:
    return find(tree(view([Ranking("kettle", given)])), cls="aew-result")


def test_a_ranked_list_is_as_the_grade_control_expects() -> None:
    ranking = Ranking(
        "quiet <kettle>", [Result(7, title="Kettle & co", text="Boils."), Result("b", title="Other")]
    )
    section = tree(view([ranking]))
    assert section[:2] == ["section", {"class": "aew-ranking"}]
    heading, listed = section[2]
    assert heading == ["h3", {"class": "aew-query", "dir": "auto"}, ["quiet <kettle>"]]
    assert listed[:2] == ["ol", {"class": "aew-results"}]
    assert [(li[0], li[1]) for li in listed[2]] == [
        ("li", {"class": "aew-result", "data-item": "7"}),
        ("li", {"class": "aew-result", "data-item": "b"}),
    ]
    assert [text_of(li) for li in listed[2]] == ["Kettle & co Boils.", "Other"]


def test_results_one_by_one() -> None:
    shown = tree(view([Ranking("q", [Result("a"), Result("b")])], RankingView(one_by_one=True)))
    assert shown[1] == {"class": "aew-ranking aew-one-by-one"}
    assert len(find(shown, cls="aew-result")) == 2


def test_links_of_results() -> None:
    good, bad = results(
        Result("a", title="A", link="https://a.example/x"), Result("b", title="B", link="javascript:alert(1)")
    )
    assert find(good, tag="a") == [["a", {"href": "https://a.example/x"}, ["https://a.example/x"]]]
    assert find(bad, tag="a") == []
    assert text_of(bad) == "B javascript:alert(1)"


def test_images_of_results(tmp_path: Path) -> None:
    shown = results(
        Result("a", image=np.zeros((4, 4))),
        Result("b", title="B", image=tmp_path / "missing.png"),
        Result("c", text="C", image=b"no image"),
    )
    [image] = find(shown[0], tag="img")
    assert image[1]["alt"] == "Image of a"
    assert image[1]["src"].startswith("data:image/png;base64,")
    assert [text_of(li) for li in shown] == [
        "",
        f"There is no file {tmp_path / 'missing.png'}. B",
        "Its 8 bytes are not an image, or its format is unknown. C",
    ]
    assert find(shown[1], cls="aew-broken")


def test_results_without_words_and_lists_without_results() -> None:
    assert [text_of(li) for li in results(Result("item-1"), Result("item-2", link="x"))] == [
        "item-1",
        "item-2 x",
    ]
    empty = tree(view([Ranking("", [])]))
    assert text_of(empty) == "(empty query) No results."


def test_long_texts_of_results_are_cut() -> None:
    shown = view([Ranking("q", [Result("a", text="word " * 100), Result("b", text="word " * 10_000)])])
    first, second = find(tree(shown), cls="aew-result")
    assert not find(first, cls="aew-cut")
    assert text_of(find(second, cls="aew-cut")[0]) == "Shown: the first 2,000 of 50,000 characters."
    assert "4,000 of 50,000" in shown.more(0, 1, 2000).decode()


# -- records ----------------------------------------------------------------------------------------------

FRAME = pd.DataFrame(
    {
        "age": [39, 50],
        "income": [52312.128374, np.nan],
        "since": pd.to_datetime(["2015-03-01", "2017-05-05 12:30"], format="mixed"),
        "<b>name</b>": ["<script>", ""],
        "member": [True, False],
        "group": pd.Categorical(["a", None]),
        "children": pd.array([2, None], dtype="Int64"),
    },
    index=["x", "y"],
)


def cells(shown: Any) -> dict[str, str]:
    return {text_of(th): text_of(td) for _, _, (th, td) in find(shown, tag="tr")}


def test_records() -> None:
    shown = view(FRAME)
    assert cells(tree(shown)) == {
        "age": "39",
        "income": "52,312.1",
        "since": "2015-03-01",
        "<b>name</b>": "<script>",
        "member": "yes",
        "group": "a",
        "children": "2",
    }
    assert cells(tree(shown, 1)) == {
        "age": "50",
        "income": "missing",
        "since": "2017-05-05 12:30:00",
        "<b>name</b>": "empty",
        "member": "no",
        "group": "missing",
        "children": "missing",
    }
    assert len(find(tree(shown, 1), cls="aew-missing")) == 4


def test_chosen_columns_and_formats() -> None:
    chosen = RecordView(["income", "age"], formats={"income": "{:.0f} €", "age": lambda age: f"{age} years"})
    assert cells(tree(view(FRAME, chosen))) == {"income": "52312 €", "age": "39 years"}
    assert cells(tree(view(FRAME, chosen), 1)) == {"income": "missing", "age": "50 years"}
    assert list(cells(tree(view(FRAME, chosen)))) == ["income", "age"]


def test_records_from_mappings_and_views_of_records() -> None:
    assert cells(tree(view([{"a": 1, "b": "x"}, {"a": 2}]), 1)) == {"a": "2", "b": "missing"}
    assert cells(to_json(RecordView()({"a": [1, "ü"], 3: None}))) == {"a": '[1, "ü"]', "3": "missing"}
    assert (
        text_of(tree(view(FRAME, lambda row: f"{row['age']} {row.name} {row['income']}")))
        == "39 0 52312.128374"
    )


def test_a_column_that_is_not_there() -> None:
    records = [{"age": 31, "income": 2.5}, {"age": 47, "income": 1.5}]
    result = text_of(tree(view(records, RecordView(["agee"]), kind="custom"), 1))
    assert "There is no column 'agee' among 'age', 'income'" in result
    assert result.startswith("Instance  1  can't be shown.")


@pytest.mark.parametrize(
    "typo",
    [
        AnswersView("prompt", ["answr"]),
        RecordView(["answr"]),
        RecordView(formats={"answr": "{:.2f}"}),
        RubricView(["correct"], AnswersView("prompt", ["answr"])),
    ],
)
def test_a_view_of_a_column_that_no_record_has_is_refused_at_once(typo: Any) -> None:
    frame = pd.DataFrame({"prompt": ["a", "b"], "answer": ["c", "d"]})
    with pytest.raises(ValueError, match=r"^view shows a column 'answr', and the instances have 'prompt'"):
        view(frame, typo)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: RecordView("age"), "columns must be a sequence of columns, got the string 'age'"),
        (
            lambda: RecordView(formats={"age": 3}),
            r"formats\['age'\] must be a format string or a callable, got 3",
        ),
    ],
)
def test_bad_record_views(make: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2015, "2015"), (-9999, "-9999"), (10_000, "10,000"), (np.int64(1234567), "1,234,567"),
        (0.1, "0.1"), (1 / 3, "0.333333"), (1e-9, "1e-09"), (1234567.0, "1.23457e+06"),
        (10**30, f"{10**30:,}"), (np.float32(0.5), "0.5"),
        (float("inf"), "inf"), (0.0, "0"), (100000.0, "100,000"),
        (True, "yes"), (np.False_, "no"),
        (datetime.date(2020, 1, 2), "2020-01-02"),
        (datetime.datetime(2020, 1, 2, 3, 4, 5, 6), "2020-01-02 03:04:05"),
        (pd.Timestamp("2020-01-02T00:00Z"), "2020-01-02 00:00:00+00:00"),
        (pd.Timedelta("1h"), "0 days 01:00:00"),
        ("text\nof lines", "text\nof lines"), ({"a": (1, None)}, '{"a": [1, null]}'),
        (b"x", "b'x'"), (1 + 2j, "(1+2j)"),
    ],
)  # fmt: skip
def test_values(value: Any, text: str) -> None:
    assert text_of(to_json(element("p", formatted(value)))) == text


# -- images -----------------------------------------------------------------------------------------------


def test_images_of_any_source(tmp_path: Path) -> None:
    Image.fromarray(np.full((5, 6), 7, np.uint8)).save(tmp_path / "a.png")
    content = (tmp_path / "a.png").read_bytes()
    shown = view([content, tmp_path / "a.png", np.zeros((4, 4, 3)), np.ones((2, 2))])
    assert [shown.render(i).mime for i in range(4)] == ["image/png"] * 4
    assert shown.render(0).content == shown.render(1).content == content


def test_arrays_of_one_pool_share_their_brightness() -> None:
    shown = view([np.full((2, 2), 4.0), np.full((2, 3), 16.0), np.zeros((3, 2))])
    levels = [
        np.asarray(Image.open(__import__("io").BytesIO(shown.render(i).content))).max() for i in range(3)
    ]
    assert levels == [64, 255, 0]


def test_options_of_images() -> None:
    shown = view(np.full((1, 8, 8), 5.0), ImageView(black=0, white=10, pixelated=False, max_side=4)).render(0)
    assert not shown.pixelated
    assert shown.note == "8 × 8 pixels, shown at 4 × 4"
    assert np.asarray(Image.open(__import__("io").BytesIO(shown.content))).tolist() == [[128] * 4] * 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"black": 1}, "black must be less than white, got black=1 and white=None"),
        ({"black": 1, "white": 1}, "black must be less than white, got black=1 and white=1"),
        ({"max_side": 0}, "max_side must be a positive number of pixels, got 0"),
        ({"max_side": 2.5}, "max_side must be a positive number of pixels, got 2.5"),
    ],
)
def test_bad_image_views(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        ImageView(**options)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (Path("/nowhere/scan.png"), "There is no file /nowhere/scan.png."),
        (Path("/"), "The file / can't be read: Is a directory."),
        (b"GIF89a broken", "Its 13 bytes are not an image, or its format is unknown."),
        (b"", "The image is empty: it has 0 bytes."),
    ],
)
def test_images_that_can_not_be_read_are_reported(source: Any, message: str) -> None:
    shown = view([source, np.zeros((2, 2))], ids=["scan-1", "scan-2"])
    result = re.sub(r"\s+", " ", text_of(tree(shown)))
    assert result == f"Instance scan-1 can't be shown. {message} You can exclude it and go on."
    assert shown.render(1).mime == "image/png"


# -- views of one's own -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ("1 < 2", "1 < 2"),
        (Text("x", title="T"), "T x"),
        (element("p", link("https://a.example", "there")), "there"),
        (sanitized_html("<b>bold</b><script>x</script>"), "bold"),
    ],
)
def test_views_that_return_elements_and_texts(returned: Any, text: str) -> None:
    assert text_of(tree(view([object()], lambda _: returned, kind="custom"))) == text


@pytest.mark.parametrize("source", [np.zeros((4, 4)), Image.new("RGB", (4, 4))])
def test_views_that_return_images(source: Any) -> None:
    assert view([1], lambda _: source, kind="custom").render(0).mime == "image/png"


def test_a_view_takes_any_kind() -> None:
    assert text_of(tree(view(["text"], str.upper))) == "TEXT"
    assert text_of(tree(view(np.zeros((1, 2, 2)), lambda array: str(array.shape)))) == "(2, 2)"


class _Odd:
    def __getitem__(self, name: str) -> Any:
        raise RuntimeError("<b>no</b> " + "x" * 10_000)


@pytest.mark.parametrize(
    ("shows", "message"),
    [
        (lambda post: post["text"], "RuntimeError: <b>no</b> xxx"),
        (lambda post: {}["author"], "KeyError: 'author'"),
        (lambda post: None, "TypeError: the view must return an Element, a string or Text, .* got NoneType"),
        (lambda post: RecordView, "TypeError: the view must return .* got type"),
        (lambda post: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda post: element("script", "x"), "Tag must be one of .*; got 'script'"),
        (lambda post: b"", "The image is empty"),
    ],
)
def test_what_goes_wrong_in_a_view_is_reported(shows: Any, message: str) -> None:
    rendered = view([_Odd(), _Odd()], shows, kind="custom")
    result = text_of(tree(rendered, 1))
    assert re.search(message, result)
    assert len(result) < 1000
    assert find(tree(rendered, 1), cls="aew-broken")


def test_a_bottomless_tree_is_reported() -> None:
    def deep(_: Any) -> Element:
        shown = element("p", "x")
        for _ in range(100_000):
            shown = element("div", shown)
        return shown

    assert "RecursionError" in text_of(tree(view([1], deep, kind="custom")))


@pytest.mark.parametrize("bad", ["text", 3, RecordView, [str]])
def test_bad_views(bad: Any) -> None:
    with pytest.raises(TypeError, match="view must be a callable from an instance to what is shown, got"):
        view(["x"], bad)


def test_instances_of_their_own_kind_need_a_view() -> None:
    with pytest.raises(ValueError, match="view must say how instances of kind 'custom' are shown, got None"):
        view([object()], kind="custom")


# -- more of long texts -----------------------------------------------------------------------------------


def test_more_of_a_long_text() -> None:
    text = "".join(f"Line {i}.\n" for i in range(40_000))
    shown = view(["short", text])
    seen, start = "", 0
    while True:
        part = tree(shown, 1) if start == 0 else json.loads(shown.more(1, 0, start))
        seen += "\n".join(text_of(block) for block in find(part, cls="aew-block"))
        cut = find(part, cls="aew-cut")[-1]
        if "data-next" not in cut[1]:
            break
        start = int(cut[1]["data-next"])
    assert seen == text
    assert text_of(cut) == f"Shown: the first {len(text):,} of {len(text):,} characters."


@pytest.mark.parametrize(
    ("passage", "start", "message"),
    [
        (1, 0, "passage must be one of 1, got 1"),
        (-1, 0, "passage must be one of 1, got -1"),
        (0, 4, "start must be a character of 4, got 4"),
        (0, -1, "start must be a character of 4, got -1"),
    ],
)
def test_more_of_what_is_not_there(passage: int, start: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        view(["text"]).more(0, passage, start)


def test_more_of_an_image() -> None:
    with pytest.raises(ValueError, match="passage must be one of 0, got 0"):
        view(np.zeros((1, 2, 2))).more(0, 0, 0)


# -- all kinds --------------------------------------------------------------------------------------------

HOSTILE = st.one_of(
    st.sampled_from(
        [
            *(
                "<script>alert(1)</script>",
                "<img src=x onerror=alert(1)>",
                '"><svg onload=alert(1)>',
                "\x00",
                "\ud800",
            ),
            *(
                "javascript:alert(1)",
                "\u202egnp.exe",
                "https://evil.example/x.png",
                "aew-label",
                "</ol>",
                "\r\n\u2028",
            ),
        ]
    ),
    st.text(st.characters(), min_size=1, max_size=30),
)
TAGS_OF_VIEWS = {
    "div",
    "h3",
    "h4",
    "p",
    "ol",
    "li",
    "section",
    "table",
    "tbody",
    "tr",
    "th",
    "td",
    "em",
    "a",
    "mark",
}


@given(HOSTILE, HOSTILE, HOSTILE)
def test_hostile_content_stays_text(one: str, two: str, three: str) -> None:
    one = f"{one}x"  # not empty
    shown = [
        TextView()(Text(one, title=two, spans=((0, len(one)),))),
        PairView((three, "b"))((one, two)),
        RankingView()(
            Ranking(one, [Result(two, title=one, text=two, link=three), Result(f"{two}2", link=one)])
        ),
        RecordView()({one: two, "list": [three]}),
    ]

    def check(node: Any) -> None:
        if isinstance(node, str):
            return
        tag, attributes, children = node
        assert tag in TAGS_OF_VIEWS
        assert attributes.keys() <= {
            "class",
            "dir",
            "data-item",
            "href",
            "scope",
            "data-passage",
            "data-next",
        }
        assert attributes.get("class", "aew-").startswith("aew-")
        assert re.match(r"https?://|mailto:", attributes.get("href", "https://"), re.IGNORECASE)
        for child in children:
            check(child)

    for each in shown:
        check(to_json(each))
        assert one in text_of(to_json(each))


def test_rendering_does_little() -> None:
    words = LOREM * 300
    ranking = Ranking(
        "q", [Result(i, title="Title", text=LOREM * 5, link="https://a.example") for i in range(20)]
    )
    pools = {
        "text": view([words] * 20),
        "ranking": view([ranking] * 20),
        "record": view(pd.DataFrame({f"column {i}": np.arange(20) for i in range(30)})),
        "pair": view([(words, words)] * 20),
        "image": view(np.zeros((20, 200, 200))),
    }
    for kind, shown in pools.items():
        shown.render(0)
        calls = Counter[str]()
        sys.setprofile(lambda _frame, event, _arg, calls=calls: calls.update([event]))
        shown.render(1)
        sys.setprofile(None)
        assert calls["call"] + calls["c_call"] < 20_000, kind


def test_a_front_end_is_an_es_module(tmp_path: Path) -> None:
    module = tmp_path / "sound.js"
    module.write_text("export default { shows: () => true };\n")
    assert module_text(module) == module_text(module.read_text()) == module.read_text()
    before = dict(VIEWS)
    for source, error, message in [
        (str(module), ValueError, "front_end must be an ES module with a default export, or a Path"),
        (3, TypeError, "front_end must be the text of an ES module, or a Path, got 3"),
        (tmp_path / "none.js", OSError, "No such file"),
    ]:
        with pytest.raises(error, match=message):
            register_view("custom", None, front_end=source)
    assert before == VIEWS


# -- views are registered ---------------------------------------------------------------------------------


def test_every_kind_of_instance_has_a_view_or_asks_for_one() -> None:
    own = [name for name, kind in KINDS.items() if type(kind).__module__.startswith("activeeval_widgets")]
    assert len(own) >= 6
    assert [kind for kind in own if VIEWS[kind].view is None] == ["custom"]
    assert all("a duplicate" in VIEWS[kind].reasons for kind in own)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("custom", "shown", ()), "view must be a callable from a pool to a view, or None, got 'shown'"),
        (("custom", str, "a duplicate"), "reasons must be a sequence of strings, got 'a duplicate'"),
        (("haiku", str, ()), "kind (give it to register_kind first) must be one of "),
    ],
)
def test_a_view_that_is_none_is_refused(arguments: Any, message: str) -> None:
    kind, view, reasons = arguments
    before = dict(VIEWS)
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        register_view(kind, view, reasons=reasons)
    assert before == VIEWS


def test_media_go_to_the_page_as_they_are() -> None:
    sounds = view(
        [b"RIFF1", b"RIFF2"],
        lambda sound: Media(sound, "audio/wav", note="the first second"),
        kind="custom",
    )
    shown = sounds.render(1)
    assert (shown.content, shown.mime, shown.note) == (b"RIFF2", "audio/wav", "the first second")
    assert (sounds.words(1), sounds.thumbnail(1)) == ("", None)
    for content, mime, error in [("RIFF", "audio/wav", TypeError), (b"RIFF", "wav", ValueError)]:
        with pytest.raises(error, match=r"content must be bytes, got str|mime must be a type such as"):
            Media(content, mime)
