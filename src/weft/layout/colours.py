"""Colours that look equally strong, whatever their hue: OKLCH, as `#rrggbb`.

Source: Bjoern Ottosson, "A perceptual color space for image processing" (2020).
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin


@cache
def oklch(lightness: float, chroma: float, hue: float) -> str:
    """The sRGB colour of a lightness (0 to 1), a chroma (0 is grey) and a hue (0 to 1 around the wheel)."""
    a, b = chroma * cos(2 * pi * hue), chroma * sin(2 * pi * hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    channels = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    )
    return "#" + "".join(f"{_encoded(channel):02x}" for channel in channels)


def _encoded(channel: float) -> int:
    channel = min(max(channel, 0.0), 1.0)
    return round(255 * (12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055))


def fill(hue: float, depth: float) -> str:
    """The ground of a cell: light enough for dark text, deeper and stronger the greater `depth` (0 to 1)."""
    return oklch(0.94 - 0.16 * depth, 0.045 + 0.065 * depth, hue + 0.05)
