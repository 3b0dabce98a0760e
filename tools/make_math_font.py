"""Make `math.css`, the font of formulas: a subset of TeX Gyre Pagella Math, within the style sheet.

    python tools/make_math_font.py texgyrepagella-math.otf

Browsers lay out MathML by the MATH table of a font, and some systems' `math` font has no radical. Needs
`fonttools` and `brotli`; Debian has the font in `fonts-texgyre-math`. The license requires a different name
for the subset.
"""

import sys
from base64 import b64encode
from io import BytesIO
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

TARGET = Path(__file__).parents[1] / "activeeval_widgets/app/templates/lessons/math.css"
NAME = "Activeeval Math"

RANGES = [
    (0x20, 0x7E),  # ASCII
    (0xA0, 0xB7),  # ± ·
    (0xD7, 0xD7),  # ×
    (0x302, 0x304),  # a hat, a tilde, a bar
    (0x393, 0x3C9),  # Greek
    (0x3D1, 0x3D5),
    (0x2013, 0x2016),  # dashes, bars
    (0x2026, 0x2033),  # ellipsis, primes
    (0x2044, 0x2044),
    (0x2061, 0x2064),  # invisible: application, product
    (0x2113, 0x2113),  # ℓ
    (0x210E, 0x210E),  # the italic h
    (0x2190, 0x2192),
    (0x21D2, 0x21D4),
    (0x2200, 0x220B),
    (0x220F, 0x221E),  # products, sums, −, the radical, ∝, ∞
    (0x2223, 0x222B),
    (0x2248, 0x2248),
    (0x2254, 0x2254),
    (0x2260, 0x226B),
    (0x2282, 0x2287),
    (0x22C5, 0x22C5),
    (0x22EE, 0x22EF),
    (0x2308, 0x230B),
    (0x23DE, 0x23DF),
    (0x1D434, 0x1D467),  # italic
    (0x1D53C, 0x1D53C),  # 𝔼
    (0x1D6FC, 0x1D71B),  # italic Greek
]

STYLE = """/* Made by tools/make_math_font.py: a subset of TeX Gyre Pagella Math (GUST-FONT-LICENSE.txt). */
@font-face {{
  font-family: "{name}";
  src: url("data:font/woff2;base64,{font}") format("woff2");
  unicode-range: {ranges};
}}
math {{ font-family: "{name}", math; }}
"""


def main(source: str) -> None:
    """Write the style sheet."""
    font = TTFont(source)
    options = subset.Options(flavor="woff2", layout_features=[], hinting=False)
    maker = subset.Subsetter(options)
    maker.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    maker.subset(font)
    for number in (1, 3, 4, 6, 16):
        font["name"].setName(NAME, number, 3, 1, 0x409)
    font["CFF "].cff.fontNames = [NAME.replace(" ", "")]
    made = BytesIO()
    font.flavor = "woff2"
    font.save(made)
    ranges = ", ".join(f"U+{low:X}-{high:X}" for low, high in RANGES)
    TARGET.write_text(STYLE.format(name=NAME, font=b64encode(made.getvalue()).decode(), ranges=ranges))


if __name__ == "__main__":
    main(sys.argv[1])
