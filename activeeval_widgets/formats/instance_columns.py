"""Read the instances from the rows of a table: texts, pairs, records, images."""

import os
from pathlib import Path
from typing import Any

import pyarrow as pa

from activeeval_widgets.formats.columns import Columns
from activeeval_widgets.formats.contents_on_disk import (
    StoredImages,
    StoredPairs,
    StoredRecords,
    StoredTexts,
    image_path,
)
from activeeval_widgets.formats.conversations import StoredMarkdown, conversations_of, of_conversation
from activeeval_widgets.formats.image_files import open_image
from activeeval_widgets.formats.problems import MAX_REPORTED, shortened
from activeeval_widgets.formats.table import FileTable
from activeeval_widgets.formats.within_folder import is_within


def contents_of(
    table: FileTable, columns: Columns, folder: Path, *, opens_images: bool = False
) -> tuple[str, Any] | None:
    """Return the kind of the instances and the instances; None if there are problems."""
    if columns.image is not None:
        images = _images(table, columns.image, folder, opens=opens_images)
        return None if images is None else ("image", images)
    if of_conversation(columns):
        conversations = conversations_of(table, columns)
        return None if conversations is None else ("conversation", conversations)
    if columns.text is not None:
        texts = StoredTexts(table.strings(columns.text))
        is_markdown = columns.text in (columns.markdown or ())
        return "text", StoredMarkdown(table.strings(columns.text)) if is_markdown else texts
    if columns.pair is not None:
        first, second = map(table.strings, columns.pair)
        return "pair", StoredPairs(first, second)
    if columns.record is not None:
        return "record", StoredRecords(table.arrow.select(list(columns.record)))
    table.report(
        "no column holds what is to be shown",
        "Name it with text (--text), image (--image), record (--record), pair (--pair), or prompt and "
        "answer (--prompt, --answer).",
    )
    return None


def _images(table: FileTable, column: str, folder: Path, *, opens: bool) -> StoredImages | None:
    """Return the images, bytes or paths of files; report those that are missing or outside the folder."""
    is_binary = pa.types.is_binary(table.arrow[column].type)
    if is_binary and not opens:
        return StoredImages(table.arrow[column], folder)
    root = Path(os.path.realpath(folder))
    n_reported = 0
    stored = table.arrow[column] if is_binary else table.strings(column)
    for index, image in enumerate(image for chunk in stored.chunks for image in chunk.to_pylist()):
        what = None if is_binary else _file_problem(image, root)
        if what is None and opens:
            what = _image_problem((image or b"") if is_binary else image_path(root, image))
        if what is not None:
            table.report(*what, index=index, column=column)
            n_reported += 1
            if n_reported == MAX_REPORTED:
                break
    return None if n_reported else StoredImages(stored, folder)


def _image_problem(image: Path | bytes) -> tuple[str, str] | None:
    name = f"the image {shortened(image.name)}" if isinstance(image, Path) else "the image"
    try:
        open_image(image).close()
    except (ValueError, OSError) as error:
        return f"{name} can't be shown: {error}", "Save it anew as PNG or JPEG, or remove the row."
    return None


def _file_problem(name: str, root: Path) -> tuple[str, str] | None:
    if not name.strip():
        return "the name of the image is missing", "Fill the cell, or remove the row."
    if "\0" in name:
        return f"{shortened(name)} is not a name of a file", "Correct the cell, or remove the row."
    if not is_within(root, image_path(root, name)):
        return (
            f"the image {shortened(name)} is outside the folder {root.name!r}",
            "Put it into that folder, or name the folder that holds all images; no other files are read.",
        )
    try:
        is_there = image_path(root, name).is_file()
    except OSError:  # too long a name
        is_there = False
    if not is_there:
        return (
            f"the image {shortened(name)} is not there",
            f"Put it into the folder {root.name!r} under that name, correct the cell, or remove the row.",
        )
    return None
