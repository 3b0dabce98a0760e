"""`serve FILE --after NAME`: what is said, what is carried over, and what is wrong."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from activeeval_widgets.app.cli import main
from activeeval_widgets.app.commands import serve
from activeeval_widgets.app.evaluation_options import given_settings
from activeeval_widgets.app.file_check import check_file
from activeeval_widgets.app.pages.evaluation import begin
from activeeval_widgets.app.stored_sessions.listing import shown
from activeeval_widgets.formats import write_session
from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.session import SessionMismatchError, open_store
from activeeval_widgets.widgets.result.session_details import keep_details


def a_file(folder: Path, name: str, texts: list[str]) -> Path:
    path = folder / name
    rows = [f"This is {text},{0.1 + 0.01 * i:.2f},{0.9 - 0.01 * i:.2f}" for i, text in enumerate(texts)]
    path.write_text("\n".join(["text,p_ham,p_spam", *rows]) + "\n")
    return path


@pytest.fixture
def checked_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are checked in this process, which has imported all of it."""
    monkeypatch.setattr(serve, "check_file_apart", check_file)


@pytest.mark.usefixtures("checked_here")
def test_check_finds_the_earlier_session_and_leaves_nothing(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.sqlite")
    first = EvaluationSettings(a_file(tmp_path, "one.csv", list("abcd")))
    old = begin(first, store)
    old.label("ham")
    keep_details(old, {"source": {"settings": first.to_dict()}})
    store.close()
    second = a_file(tmp_path, "two.csv", list("dcba"))

    def check(after: str, where: str = "a.sqlite") -> tuple[int, str]:
        given = ["serve", str(second), "--after", after, "--check", "--store", str(tmp_path / where)]
        result = CliRunner().invoke(main, given)
        return result.exit_code, result.output

    status, told = check("one")
    assert (status, "after one: 1 label carried over" in told) == (0, True), told
    for arguments, problem in (
        (("on",), "after: there is no session 'on' here, but 'one'"),
        (("one", "none.sqlite"), "after: there is no session 'one' here, nor any other"),
        (("one.json",), "after: one.json can't be read"),
    ):
        status, told = check(*arguments)
        assert (status, problem in told) == (1, True), told
    assert open_store(tmp_path / "a.sqlite").names() == ["one"]
    assert not (tmp_path / "none.sqlite").exists()


def test_a_session_begins_after_that_of_another_file(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.sqlite")
    first = EvaluationSettings(a_file(tmp_path, "one.csv", list("abcdefgh")))
    old = begin(first, store)
    for _ in range(4):
        old.label("ham")
    keep_details(old, {"source": {"settings": first.to_dict()}})
    labeled = {old.pool.excerpt(index) for index in old.log.state.labels}
    second = EvaluationSettings(a_file(tmp_path, "two.csv", list("hgfexyz")), after="one")
    n = len({f"This is {each}" for each in "hgfe"} & labeled)
    notes = check_file(second, str(tmp_path / "a.sqlite")).notes
    assert f"after one: {n} labels carried over" in notes
    new = begin(second, store)
    assert {new.pool.excerpt(index) for index in new.log.state.carried} <= labeled
    assert (new.log.state.after, len(new.log.state.carried)) == ("one", n)
    lines = shown(new, {})
    n_known = new.n_labels  # the carried ones that have been drawn
    assert f"{n_known}; {n_known} known before" in next(line for line in lines if line.startswith("Labels:"))
    assert not any(line.startswith("By:") for line in lines)  # nobody gave one here
    first.file.unlink()
    assert begin(second, store).log.state.after == "one"  # it needs the earlier file no more
    assert EvaluationSettings.from_dict(second.to_dict()).command().endswith("two.csv --after one")
    with pytest.raises(ValueError, match=r"the file of 'one' has changed or is gone: .*[^.]\. Put it back$"):
        begin(second.with_(name="three"), store)
    with pytest.raises(ValueError, match=r"after: there is no session 'week 1' here, but 'one', 'two'"):
        begin(second.with_(name="three", after="week 1"), store)
    plain = begin(second.with_(name="plain", after=None), store)
    with pytest.raises(SessionMismatchError, match=r"'plain' was begun without --after.*--name plain-2"):
        begin(second.with_(name="plain"), store)
    with pytest.raises(ValueError, match=r"'plain' was not begun with a file.*--with-contents"):
        begin(second.with_(name="three", after="plain"), store)
    with_contents = write_session(old, tmp_path / "one.json", with_contents=True)
    plain.store.close()
    settings = given_settings(second.file, {"after": str(with_contents), "name": "four"})
    assert begin(settings, open_store("memory:")).log.state.after == "one"


def test_what_came_through_a_page_names_no_file(tmp_path: Path) -> None:
    path = a_file(tmp_path, "two.csv", list("abc"))
    settings = EvaluationSettings(path, after="/etc/passwd.json", within=tmp_path)
    with pytest.raises(ValueError, match=r"there is no session '/etc/passwd\.json'"):
        begin(settings, open_store("memory:"))


@pytest.mark.usefixtures("checked_here")
def test_a_wrong_name_is_reported_before_anything_is_served(tmp_path: Path) -> None:
    from activeeval_widgets.app.cli import main

    path = a_file(tmp_path, "two.csv", list("abc"))
    found = CliRunner().invoke(
        main, ["serve", str(path), "--after", "week-1", "--store", str(tmp_path / "a.sqlite"), "--no-browser"]
    )
    assert found.exit_code == 1
    assert "after: there is no session 'week-1' here, nor any other. Name the store" in found.output


def test_a_file_that_is_missing_or_holds_no_contents_is_explained(tmp_path: Path) -> None:
    first = EvaluationSettings(a_file(tmp_path, "one.csv", list("abcdefgh")))
    old = begin(first, open_store("memory:"))
    old.label("ham")
    write_session(old, tmp_path / "one.json")
    settings = EvaluationSettings(a_file(tmp_path, "two.csv", list("hgfexyz")), after="one.json")
    store = str(tmp_path / "a.sqlite")
    notes = check_file(settings, store).notes
    assert (
        "after one.json: 0 labels carried over, as the file holds no contents to find them by: export it "
        "--with-contents"
    ) in notes
    (tmp_path / "one.json").unlink()
    problem = "two.csv: after: one.json can't be read: No such file or directory. Check its name and folder"
    assert check_file(settings, store).problems == (problem,)


def test_labels_go_on_where_only_votes_have_changed(tmp_path: Path) -> None:
    store = open_store(tmp_path / "a.sqlite")
    for name, votes in (
        ("one", ["pass", "fail", "", "", "", ""]),
        ("two", ["pass", "", "fail", "fail", "", ""]),
    ):
        rows = [f"answer {i},{vote}" for i, vote in enumerate(votes)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["text,judge", *rows]) + "\n")
    first = given_settings(
        tmp_path / "one.csv",
        {"text": "text", "votes": ("judge",), "measure": "label-share", "positive": "pass"},
    )
    old = begin(first, store)
    for _ in range(3):
        old.label("pass")
    keep_details(old, {"source": {"settings": first.to_dict()}})
    second = first.with_(file=tmp_path / "two.csv", after="one")
    said = "after one: 3 labels go on: only votes have changed"
    assert said in check_file(second, str(tmp_path / "a.sqlite")).notes
    new = begin(second, store)
    assert new.estimate() == old.estimate()
    assert any("one: 3 labels go on: only votes have changed" in line for line in shown(new, {}))
    with pytest.raises(ValueError, match=r"confidence_level is '0.9', and it was '0.95'"):
        begin(second.with_(name="three", confidence=0.9), store)
    store.close()
