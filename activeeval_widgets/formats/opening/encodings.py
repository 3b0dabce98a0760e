"""Detect the encoding of a text file."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_CHUNK = 1 << 22

_MULTIBYTE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


def encoding_of(data: memoryview) -> tuple[str, int]:
    """Return the encoding by a text's beginning, and the length of its byte-order mark."""
    head = bytes(data[:2000])
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    # UTF-16 without a mark: every other byte of western text is 0.
    if len(head) >= 4:
        for offset, name in ((1, "utf-16-le"), (0, "utf-16-be")):
            if head[offset::2].count(0) > 0.7 * len(head[offset::2]) and not head[1 - offset :: 2].count(0):
                return name, 0
    return "utf-8", 0


def is_utf8(data: memoryview) -> bool:
    """Return whether all bytes are valid UTF-8."""
    return _first_broken(data) is None


def is_other_8_bit(data: memoryview) -> bool:
    """Return whether text that is not UTF-8 is Windows-1252 rather than broken UTF-8."""
    head = bytes(data[: _CHUNK * 4])
    broken = _first_broken(data)
    around = b"" if broken is None else bytes(data[max(0, broken - _CHUNK) : broken + _CHUNK])
    if _MULTIBYTE.search(head) or _MULTIBYTE.search(around):
        return False
    try:
        around.decode("cp1252")
    except UnicodeDecodeError:
        return False
    # In text, unlike noise, control characters are rare.
    controls = sum(around.count(bytes([code])) for code in (*range(9), *range(14, 32)))
    return controls <= len(around) // 1000


def _first_broken(data: memoryview) -> int | None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, data.nbytes, _CHUNK):
        end = start + _CHUNK
        try:
            kept = len(decoder.getstate()[0])
            decoder.decode(bytes(data[start:end]), final=end >= data.nbytes)
        except UnicodeDecodeError as error:
            return start - kept + error.start
    return None
