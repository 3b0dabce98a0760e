import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from activeeval_widgets.widgets.elements.allowlist import is_allowed
from activeeval_widgets.widgets.instances.image_encoding import (
    MAX_SIDE,
    Picture,
    brightness_range,
    image,
    is_image,
    picture,
)

RNG = np.random.default_rng(0)


def encoded(source: Image.Image, kind: str, **options: Any) -> bytes:
    file = io.BytesIO()
    source.save(file, kind, **options)
    return file.getvalue()


def opened(shown: Picture) -> Image.Image:
    decoded = Image.open(io.BytesIO(shown.content))
    assert decoded.get_format_mimetype() == shown.mime
    decoded.load()
    return decoded


def noise(width: int, height: int, mode: str = "RGB") -> Image.Image:
    n_channels = len(Image.new(mode, (1, 1)).getbands())
    pixels = RNG.integers(0, 256, (height, width, n_channels), dtype=np.uint8)
    return Image.fromarray(pixels[:, :, 0] if n_channels == 1 else pixels)


@pytest.mark.parametrize(
    ("kind", "mime"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")]
)
def test_what_a_browser_reads_stays_as_it_is(kind: str, mime: str, tmp_path: Path) -> None:
    content = encoded(noise(140, 30), kind)
    (tmp_path / "photo").write_bytes(content)
    for source in (content, tmp_path / "photo"):
        assert picture(source) == Picture(content, mime, pixelated=False)


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PPM", "TGA"])
def test_other_formats_are_encoded_without_loss(kind: str) -> None:
    source = noise(20, 10, "L")
    shown = picture(encoded(source, kind))
    assert (shown.mime, shown.note) == ("image/png", "")
    assert np.array_equal(np.asarray(opened(shown).convert("L")), np.asarray(source))


@pytest.mark.parametrize(
    "mode", ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "I", "F", "I;16"]
)
def test_images_of_any_mode(mode: str) -> None:
    source = Image.fromarray(np.arange(200, dtype=np.uint16).reshape(10, 20) * 300)
    source = source if mode == "I;16" else noise(20, 10).convert("L" if mode in "IF" else "RGB").convert(mode)
    assert source.mode == mode
    shown = opened(picture(source))
    assert shown.mode in ("L", "LA", "RGB", "RGBA")
    assert shown.size == (20, 10)
    assert source.size == (20, 10)


def test_sixteen_bits_are_shown_as_a_browser_shows_them() -> None:
    source = Image.fromarray(np.array([[0, 32768, 65535]], dtype=np.uint16))
    assert np.asarray(opened(picture(source))).tolist() == [[0, 128, 255]]


def test_transparency_is_kept() -> None:
    source = Image.new("P", (4, 4), 1)
    source.info["transparency"] = 1
    assert opened(picture(encoded(source, "GIF", transparency=1))).convert("RGBA").getpixel((0, 0))[3] == 0


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_large_images_are_made_smaller(kind: str) -> None:
    source = noise(25, 18).resize((1100, 800))
    shown = picture(encoded(source, kind), max_side=256)
    decoded = opened(shown)
    assert shown.mime == "image/jpeg"
    assert 128 < max(decoded.size) <= 256
    assert decoded.width / decoded.height == pytest.approx(1100 / 800, rel=0.01)
    assert shown.note == f"1,100 × 800 pixels, shown at {decoded.width} × {decoded.height}"
    difference = np.asarray(decoded, dtype=float) - np.asarray(source.resize(decoded.size), dtype=float)
    assert np.abs(difference).mean() < 6


def test_large_arrays_and_transparent_images_are_made_smaller() -> None:
    assert opened(picture(np.zeros((10, 5000)))).size == (1667, 4)  # a third
    assert opened(picture(np.zeros((10, 2500)))).size == (MAX_SIDE, 8)
    assert picture(np.zeros((10, 5000))).mime == "image/jpeg"
    assert opened(picture(noise(3000, 1, "RGBA"))).mode == "RGBA"
    assert opened(picture(noise(640, 640), max_side=64)).size == (64, 64)


def test_a_photo_of_48_megapixels_is_decoded_at_a_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    content = encoded(Image.new("L", (8000, 6000), 90), "JPEG")
    decoded: list[tuple[int, int]] = []
    load = JpegImageFile.load
    monkeypatch.setattr(JpegImageFile, "load", lambda i: decoded.append(i.size) or load(i))
    shown = picture(content)
    assert set(decoded) == {(2000, 1500)}
    assert shown.note == "8,000 × 6,000 pixels, shown at 2,000 × 1,500"
    assert len(shown.content) < 100_000


@pytest.mark.parametrize("size", [(40, 20), (4200, 2000)])
def test_photos_are_turned_as_the_camera_says(size: tuple[int, int]) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned by a quarter
    source = noise(4, 2).resize(size)
    shown = opened(picture(encoded(source, "JPEG", exif=exif)))
    if size == (40, 20):  # the browser turns it
        assert shown.getexif()[0x0112] == 6
    else:
        assert shown.width < shown.height
        assert 0x0112 not in shown.getexif()


def test_of_several_frames_the_first_is_shown() -> None:
    frames = [Image.new("L", (8, 8), value) for value in (50, 250)]
    for kind in ("GIF", "PNG", "WEBP"):
        content = encoded(frames[0], kind, save_all=True, append_images=frames[1:], lossless=True)
        shown = picture(content)
        assert shown.note == "the first of 2 frames"
        assert shown.mime == "image/png"
        assert opened(shown).convert("L").getpixel((0, 0)) == 50


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (b"", "the image is empty: it has 0 bytes"),
        (b"no image", "its 8 bytes are not an image, or its format is unknown"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "its 41 bytes are not an image"),
        (np.zeros((3, 3, 2)), r"an image must be of shape .*, got \(3, 3, 2\)"),
        (np.zeros(3), r"an image must be of shape .*, got \(3,\)"),
        (np.zeros((0, 3)), r"an image must be of shape .*, got \(0, 3\)"),
        (np.array([["a"]]), "an image must hold numbers, got an array of <U1"),
        (np.array([[np.nan, 1]]), "the image holds a value that is not a finite number"),
    ],
)
def test_what_is_no_image(source: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        picture(source, black=0, white=1) if isinstance(source, np.ndarray) else picture(source)


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "scan.png").write_bytes(b"")
    with pytest.raises(ValueError, match="the image is empty"):
        picture(tmp_path / "scan.png")


@pytest.mark.parametrize("factor", [1.5, 3])
def test_bombs_are_not_unpacked(monkeypatch: pytest.MonkeyPatch, factor: float) -> None:
    """PIL only warns of what is up to twice its limit."""
    content = encoded(Image.new("L", (100, 100)), "PNG")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", int(100 * 100 / factor))
    with pytest.raises(ValueError, match=r"it has more pixels than PIL\.Image\.MAX_IMAGE_PIXELS = "):
        picture(content)


def test_cut_off_files() -> None:
    for kind in ("TIFF", "BMP", "GIF"):
        content = encoded(noise(40, 30), kind)
        with pytest.raises(OSError, match=r"truncated|not enough|broken|cannot|seek"):
            picture(content[: len(content) // 2])


def test_image_element() -> None:
    shown = image(noise(2000, 10), 'A "photo" <b>')
    assert shown.tag == "img"
    assert shown.attributes["alt"] == 'A "photo" <b>'
    assert shown.attributes["src"].startswith("data:image/jpeg;base64,")
    assert is_allowed("img", "src", shown.attributes["src"])


def test_pixelated() -> None:
    assert picture(np.zeros((8, 8))).pixelated
    assert not picture(np.zeros((8, 65))).pixelated
    assert not picture(np.zeros((8, 8)), pixelated=False).pixelated
    file = io.BytesIO()
    Image.new("L", (28, 28)).save(file, "PNG")
    assert picture(file.getvalue()).pixelated
    assert picture(np.zeros((8, 8)), pixelated=True).pixelated
    assert picture(np.zeros((300, 300)), pixelated=True).pixelated
    assert not picture(np.zeros((300, 3000))).pixelated


def test_brightness_of_several_arrays() -> None:
    assert brightness_range([np.zeros((2, 2)), np.ones((3, 1))]) == (0, 1)
    assert brightness_range([np.zeros((2, 2)), np.full((3, 1), 7)]) == (0, 7)
    assert brightness_range([np.zeros((2, 2), np.uint8)] * 2) == (0, 255)


@pytest.mark.parametrize("value", ["text", None, 3, [[1]], object()])
def test_what_can_be_no_image(value: Any) -> None:
    assert not is_image(value)
