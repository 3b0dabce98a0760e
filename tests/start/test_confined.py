"""Settings that are chosen or uploaded on the page: they show no file from outside of their folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from activeeval_widgets.formats.evaluation_settings import EvaluationSettings
from activeeval_widgets.formats.table_files import file_beside

from .conftest import Start, predictions_csv

SECRET = "correct horse battery staple"


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside, with files of all kinds that tell a secret."""
    folder = tmp_path_factory.mktemp("outside")
    (folder / "private.csv").write_text(predictions_csv(30).replace("Ticket number", SECRET))
    (folder / "key.md").write_text(SECRET)
    (folder / "a.run").write_text("".join(f"q{i} Q0 d{j} {j} {9 - j} a\n" for i in range(5) for j in (1, 2)))
    (folder / "b.run").write_text("".join(f"q{i} Q0 d{j} {3 - j} {j} b\n" for i in range(5) for j in (1, 2)))
    texts = [json.dumps({"id": f"{kind}{i}", "text": SECRET}) for kind in "qd" for i in range(5)]
    (folder / "texts.jsonl").write_text("\n".join(texts))
    (folder / "judged.qrels").write_text("".join(f"q{i} 0 d1 1\n" for i in range(5)))
    return folder


def ways_out(folder: Path, outside: Path, name: str) -> dict[str, str]:
    """Names of a file outside of a folder."""
    (folder / "out").symlink_to(outside)
    (folder / f"link-{name}").symlink_to(outside / name)
    (folder / f"link-{name}-2").symlink_to(folder / f"link-{name}")
    (folder / "sub").mkdir(exist_ok=True)
    up = f"../{outside.name}/{name}"
    return {
        "absolute": str(outside / name),
        "up": up,
        "up from below": f"sub/../{up}",
        "link": f"link-{name}",
        "link to a link": f"./link-{name}-2",
        "link of a folder": f"out/{name}",
        "URL": f"file://{outside / name}",
        "home": f"~/../..{outside / name}",
        "drive": f"C:\\{name}",
        "share": f"\\\\{outside}\\{name}",
        "NUL": f"{outside / name}\0.csv",
    }


def choose(start: Start, settings: str) -> dict[str, Any]:
    """Choose settings; nothing of the answer may tell the secret."""
    (start.folder / "evaluation.toml").write_text(settings)
    chosen = start.ask("choose", path="evaluation.toml")
    (start.folder / "evaluation.toml").unlink()
    uploaded = start.upload("evaluation.toml", settings.encode(), part=1 << 21, upload=settings[:100])
    uploaded.pop("received", None)
    for answer in (chosen, uploaded):
        assert SECRET not in json.dumps(answer)
        assert "Internal" not in answer.get("error", "")
    assert chosen == uploaded
    assert ("new" in chosen) == (start.folder / "evaluation.toml").exists()
    return chosen


def test_guidelines_from_outside_are_not_shown(start: Start, folder: Path, outside: Path) -> None:
    for way, name in ways_out(folder, outside, "key.md").items():
        answer = choose(start, f'file = "tickets.csv"\nguidelines = {json.dumps(name)}\n')
        assert answer.keys() == {"error"}, way
        if way not in ("URL", "drive", "share"):  # those are names in the folder, of nothing
            assert "outside of the folder" in answer["error"], way
    for name in ("/etc/passwd", "/proc/self/environ", "~", "~nobody-of-this-name/x"):
        assert "error" in choose(start, f'file = "tickets.csv"\nguidelines = "{name}"\n')


def test_tables_from_outside_are_not_shown(start: Start, folder: Path, outside: Path) -> None:
    for way, name in ways_out(folder, outside, "private.csv").items():
        assert choose(start, f"file = {json.dumps(name)}\n").keys() == {"error"}, way
    (folder / "photos").mkdir()
    (folder / "photos" / "predictions.csv").symlink_to(outside / "private.csv")
    for name in ("photos", "out", "..", "/"):
        assert "outside of the folder" in choose(start, f'file = "{name}"')["error"]


BESIDE_RUNS = pytest.mark.parametrize(
    ("role", "name"),
    [
        ("queries", "texts.jsonl"),
        ("documents", "texts.jsonl"),
        ("qrels", "judged.qrels"),
        ("compare", "b.run"),
    ],
)


@BESIDE_RUNS
def test_what_goes_with_runs_from_outside_is_not_read(
    folder: Path, outside: Path, role: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(outside)  # where it is looked for, too
    (folder / "a.run").write_text((outside / "a.run").read_text())
    path = folder / "evaluation.toml"
    for wanted in (*ways_out(folder, outside, name).values(), name):
        value = json.dumps([wanted] if role == "compare" else wanted)
        path.write_text(f'file = "a.run"\n[columns]\n{role} = {value}\n')
        with pytest.raises(ValueError, match=f"{role} is .*, which is (outside of|not in) the folder"):
            EvaluationSettings.read(path, came_through_page=True)
    (folder / name).write_text((outside / name).read_text())
    assert EvaluationSettings.read(path, came_through_page=True).make_pool().n_instances == 5


@BESIDE_RUNS
def test_a_tilde_is_a_folder_of_that_name_and_not_a_home(
    folder: Path, outside: Path, role: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a folder that is called "~" what is read is what was checked, and not a file of the home."""
    home = outside / "home"
    home.mkdir()
    (home / name).write_text("no line of any of these formats")
    monkeypatch.setenv("HOME", str(home))
    (folder / "~").mkdir()
    (folder / "~" / name).write_text((outside / name).read_text())
    (folder / "a.run").write_text((outside / "a.run").read_text())
    value = json.dumps([f"~/{name}"] if role == "compare" else f"~/{name}")
    path = folder / "evaluation.toml"
    path.write_text(f'file = "a.run"\n[columns]\n{role} = {value}\n')
    assert EvaluationSettings.read(path, came_through_page=True).make_pool().n_instances == 5
    assert file_beside(folder / "a.run", f"~/{name}") == folder / "~" / name
    (folder / "~" / name).unlink()
    with pytest.raises(ValueError, match=f"{role} is .*, which is not in the folder"):
        EvaluationSettings.read(path, came_through_page=True)
    # The owner's command line may name it, and somebody who is not there is a folder.
    assert file_beside(folder / "a.run", f"~/{name}") == home / name
    assert file_beside(folder / "a.run", "~nobody-of-this-name/x") == Path("~nobody-of-this-name/x")


def test_what_is_hidden_in_the_folder_is_not_shown(start: Start, folder: Path) -> None:
    (folder / ".ssh").mkdir()
    (folder / ".ssh" / "key").write_text(SECRET)
    (folder / "key.md").symlink_to(folder / ".ssh" / "key")
    for name in (".ssh/key", "key.md", "sub/../.ssh/key"):
        answer = choose(start, f'file = "tickets.csv"\nguidelines = "{name}"\n')
        assert "which is hidden" in answer["error"]


def test_what_is_in_the_folder_is_read(start: Start, folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "here.csv").symlink_to(folder / "tickets.csv")
    (folder / "how.md").write_text("Look.")
    for file in ("tickets.csv", "./sub/../tickets.csv", "sub/here.csv", str(folder / "tickets.csv")):
        new = choose(start, f'file = "{file}"\nguidelines = "how.md"\n')["new"]
        assert new["given"]["guidelines"] == "Look."
        (folder / "evaluation.toml").unlink()


def test_a_link_that_is_set_later_is_not_followed(start: Start, folder: Path, outside: Path) -> None:
    (folder / "how.md").write_text("Look.")
    choose(start, 'file = "tickets.csv"\nguidelines = "how.md"\n')
    name = start.begin(guidelines="Look.")["open_session"]
    kept = EvaluationSettings.from_dict(start.store.details(name)["source"]["settings"])
    assert kept.guidelines is not None
    for path in (kept.guidelines, kept.file):
        path.unlink()
        path.symlink_to(outside / ("private.csv" if path == kept.file else "key.md"))
        with pytest.raises(ValueError, match="outside of the folder"):
            kept.make_pool()
        with pytest.raises(ValueError, match="outside of the folder"):
            kept.read_guidelines()
    assert "within" not in (folder / "evaluation-2.toml").read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('within = "/"\nfile = "/etc/passwd"', "there is no setting 'within'"),
        (f"file = {'[' * 100_000}", "nested too deeply"),
        ("title = 3\nfile = 'tickets.csv'", "title is 3, expected str"),
        (f"# {'x' * (1 << 20)}\nfile = 'tickets.csv'", "larger than a MiB"),
    ],
)
def test_odd_settings_get_one_sentence(start: Start, content: str, message: str) -> None:
    assert message in choose(start, content)["error"]


def test_the_owners_command_line_may_name_others(outside: Path, open_start: Callable[..., Start]) -> None:
    start = open_start()
    path = start.folder / "evaluation.toml"
    path.write_text(f'file = "{outside / "private.csv"}"\nguidelines = "../{outside.name}/key.md"\n')
    assert EvaluationSettings.read(path).read_guidelines() == SECRET
