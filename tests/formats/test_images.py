"""Images beside a file of predictions: found, or refused by row; nothing outside their folder is read."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from PIL import Image
from pyarrow import parquet

from activeeval_widgets import Pool
from activeeval_widgets.formats import FileProblemsError, examine
from activeeval_widgets.formats.examination import examine_columns
from activeeval_widgets.widgets.instances.instance_renderer import InstanceRenderer


def png(side: int = 4) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.full((side, side), 90, np.uint8)).save(file, "PNG")
    return file.getvalue()


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    (folder / "cats").mkdir(parents=True)
    (folder / "a.png").write_bytes(png())
    (folder / "cats" / "b.png").write_bytes(png(5))
    (tmp_path / "secret.png").write_bytes(png(6))
    return folder


def predictions(folder: Path, *names: str, name: str = "predictions.csv") -> Path:
    path = folder / name
    path.write_text("image,p_cat,p_dog\n" + "".join(f'"{each}",0.5,0.5\n' for each in names))
    return path


def test_a_folder_of_images_with_its_predictions(photos: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    predictions(photos, "a.png", "cats/b.png", "cats\\b.png", str(photos / "a.png"))
    pool = Pool.read(photos)
    assert pool.kind == "image"
    assert [path.name for path in pool.instances] == ["a.png", "b.png", "b.png", "a.png"]
    assert InstanceRenderer(pool).render(1).content == png(5)
    moved = photos.rename(photos.with_name("moved"))
    predictions(moved, "a.png", "cats/b.png", "cats\\b.png", str(photos / "a.png"))
    monkeypatch.chdir(moved)
    predictions(moved, "a.png", "cats/b.png", "cats\\b.png", str(moved / "a.png"))
    assert Pool.read("predictions.csv").kind == "image"


def test_the_folder_may_be_another(photos: Path, tmp_path: Path) -> None:
    path = predictions(tmp_path, "a.png", "cats/b.png")
    assert Pool.read(path, folder=photos).instances[1] == photos / "cats" / "b.png"
    beside = predictions(photos, "a.png", "cats/b.png")
    assert Pool.read(path, folder=photos).fingerprints == Pool.read(beside).fingerprints


def test_images_that_are_not_there_or_outside_are_reported(photos: Path, tmp_path: Path) -> None:
    (photos / "link.png").symlink_to(tmp_path / "secret.png")
    (photos / "out").symlink_to(tmp_path)
    outside = ["../secret.png", str(tmp_path / "secret.png"), "link.png", "out/secret.png", "..\\secret.png"]
    missing = ["c.png", "cats", "", "a\x00.png", "x" * 5000]
    found = examine(predictions(photos, "a.png", *outside, *missing), image="image").problems
    assert [each.row for each in found] == list(range(3, 13))
    assert all("is outside the folder 'photos'" in each.message for each in found[:5])
    assert [each.message.rpartition("' ")[2] for each in found[5:]] == [
        "is not there", "is not there", "the name of the image is missing", "is not a name of a file",
        "is not there",
    ]  # fmt: skip
    assert all(each.column == "image" and each.remedy for each in found)


def test_only_a_check_opens_images_and_shows_what_the_page_would_refuse(photos: Path) -> None:
    (photos / "drawing.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    (photos / "text.png").write_text("This is not an image.")
    (photos / "empty.png").touch()
    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"")), (b"IEND", b"")]
    (photos / "huge.png").write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            for name, data in chunks
        )
    )
    names = ["drawing.svg", "text.png", "empty.png", "huge.png"]
    path = predictions(photos, "a.png", *names)
    assert examine(path).problems == ()
    found, arguments = examine_columns(path, {}, opens_images=True)
    assert arguments is None
    assert [(each.row, each.column) for each in found.problems] == [(row, "image") for row in range(3, 7)]
    reasons = (
        "62 bytes are not an image",
        "21 bytes are not an image",
        "0 bytes",
        "more pixels than",
    )
    for problem, name, reason in zip(found.problems, names, reasons, strict=True):
        assert problem.message.startswith(f"the image '{name}' can't be shown: ")
        assert reason in problem.message
    pool = Pool.read(path)
    for index, reason in enumerate(reasons, 1):  # the page says the same
        assert reason in InstanceRenderer(pool).render(index).content.decode()
    table = pa.table({"image": [png(), b"text"], "p_cat": [0.5, 0.5], "p_dog": [0.5, 0.5]})
    parquet.write_table(table, photos / "bytes.parquet")
    [problem] = examine_columns(photos / "bytes.parquet", {"image": "image"}, opens_images=True)[0].problems
    assert (problem.row, problem.message[:26]) == (2, "the image can't be shown: ")


def test_what_leads_out_later_is_not_read(photos: Path, tmp_path: Path) -> None:
    pool = Pool.read(predictions(photos, "a.png", "cats/b.png"))
    (photos / "a.png").unlink()
    (photos / "a.png").symlink_to(tmp_path / "secret.png")
    shown = InstanceRenderer(pool).render(0)
    assert b"is outside the folder 'photos'" in shown.content
    (photos / "cats" / "b.png").unlink()
    assert b"There is no file" in InstanceRenderer(pool).render(1).content


def test_which_file_of_a_folder(photos: Path) -> None:
    with pytest.raises(FileProblemsError, match="photos: no file of predictions is in the folder"):
        Pool.read(photos)
    predictions(photos, "a.png", name="one.csv")
    predictions(photos, "cats/b.png", name="two.csv")
    with pytest.raises(FileProblemsError, match=r"2 files of the folder could be the predictions: \w+\.csv"):
        Pool.read(photos)
    predictions(photos, "a.png", "a.png")
    assert Pool.read(photos).n_instances == 2


def test_bytes_of_images_in_a_column(tmp_path: Path) -> None:
    table = pa.table(
        {
            "image": [{"bytes": png(), "path": "a"}, {"bytes": png(9), "path": "b"}],
            "p_cat": [0.5, 0.2],
            "p_dog": [0.5, 0.8],
        }
    )
    parquet.write_table(table, tmp_path / "a.parquet")
    pool = Pool.read(tmp_path / "a.parquet", image="image.bytes")
    assert InstanceRenderer(pool).render(1).content == png(9)
    assert (
        pool.fingerprints["instances"] != Pool.read(tmp_path / "a.parquet", record="image.path").fingerprints
    )
