"""Numbers in the words of the window. They have a decimal point and commas between thousands in every language:
conditions are typed, shown and parsed so, and a threshold must read the same beside them."""

import math
import re
import unicodedata

from engine.runtime.sentences import tr

MINUS = "\u2212"
NOTHING = "\u2013"  # what stands where there is no number
NAMES = ("Gini", "AUC", "R²", "Kearns", "SD")  # with which labels of criteria, metrics and methods begin
UNITS = ((1e9, "G"), (1e6, "M"), (1e3, "k"))
MOST_POWER = 300  # of ten, that a float surely holds


def size(n_bytes: float) -> str:
    """Bytes in the unit that gives two or three digits: "260 MB", "5.9 GB"."""
    unit, name = next((one for one in ((1e12, "TB"), (1e9, "GB")) if n_bytes >= one[0]), (1e6, "MB"))
    number = max(n_bytes / unit, 1.0)
    return f"{number:.1f} {name}" if number < 10 and name != "MB" else f"{number:,.0f} {name}"


def about_seconds(seconds: float) -> str:
    """A rough duration: "8 s", "3 min"."""
    if seconds < 90:
        return tr("{n} s", n=max(1, round(seconds)))
    return tr("{n} min", n=round(seconds / 60))


def percent(share: float, decimals: int = 1) -> str:
    """A share of 0 to 1 as a percentage with one decimal: "91.2 %"."""
    if not math.isfinite(share):
        return NOTHING
    return _signed(f"{round(100 * share, 9):.{decimals}f}") + " %"  # 1 − 0.7425 reads as 0.2575, in every panel


def unbroken(text: str) -> str:
    """The same where lines wrap: a percent sign never stands on another line than its number."""
    return text.replace(" %", "\u00a0%")


def rate(share: float) -> str:
    """A share in the least room: "7.3 %", from ten percent on "18 %"; "0 %" and "100 %" only when exact."""
    if not math.isfinite(share):
        return NOTHING
    hundred = 100 * share
    if hundred in (0.0, 100.0):
        return f"{hundred:.0f} %"
    if hundred < 0.05:
        return "< 0.1 %"
    if hundred > 99.95:
        return "> 99.9 %"
    return f"{hundred:.1f} %" if hundred < 9.95 or hundred >= 99.5 else f"{hundred:.0f} %"


def rated(share: str, name: str) -> str:
    """The share of a class: "60 % yes"; "60 % are 1" where its name is a number, which would look like a figure."""
    a_number = re.fullmatch(r"[-+]?[0-9.]+(e[-+]?[0-9]+)?", name, re.IGNORECASE)
    return tr("{share} are {name}", share=share, name=name) if a_number else f"{share} {name}"


def gain(number: float) -> str:
    """A gain, an impurity or a p-value with four significant digits."""
    if not math.isfinite(number):
        return NOTHING
    if number == 0:
        return "0"
    if 1e-4 <= abs(number) < 1e6:
        places = max(0, 3 - math.floor(math.log10(abs(float(f"{number:.3e}")))))
        return _signed(f"{number:,.{places}f}")
    mantissa, exponent = f"{number:.3e}".split("e")
    return f"{_signed(mantissa)}·10{_raised(int(exponent))}"  # narrow, so that no exponent is cut off


def count(number: float) -> str:
    """A number of rows, grouped by thousands; a weighted one keeps one decimal when it is not whole."""
    if not math.isfinite(number):
        return NOTHING
    whole = abs(number - round(number)) < 1e-9 * max(1.0, abs(number))
    return _signed(f"{round(number):,d}" if whole else f"{number:,.1f}")


def compact_count(number: float) -> str:
    """A number of rows in the least room: "5,405", from 10,000 on "24.0k", from a million on "1.25M"."""
    if not math.isfinite(number):
        return NOTHING
    if abs(number) < 9_999.5:
        return count(round(number) if abs(number) >= 1_000 else number)
    if abs(number) >= 1e13:
        return gain(number)
    figure, mark = _in_thousands(number, 3)
    return _signed(figure) + mark


def _in_thousands(number: float, digits: int) -> tuple[str, str]:
    """A number with so many significant digits and its unit: ("24.0", "k")."""
    rounded = abs(float(f"{number:.{digits - 1}e}"))
    unit, mark = next((each for each in UNITS if rounded >= each[0]), (1.0, ""))
    places = max(0, digits - 1 - math.floor(math.log10(rounded / unit)))
    return f"{number / unit:.{places}f}", mark


def short_value(number: float) -> str:
    """A value or a mean in the least room, with two or three significant digits: "0.47", "120", "8.1k", "1.25M"."""
    size = abs(number)
    if not math.isfinite(size) or size >= 1e13 or size < 1e-4:
        return value(number)
    digits = 3 if 99.5 <= size < 999.5 or size >= 9_999.5 else 2
    figure, mark = _in_thousands(number, digits)
    return _signed(figure.rstrip("0").rstrip(".") if "." in figure else figure) + mark


def short_rate(share: float) -> str:
    """A share in still less room than `rate`, in whole percent; "0 %" and "100 %" only when exact."""
    if not math.isfinite(share) or share in (0.0, 1.0):
        return rate(share)
    return "< 1 %" if share < 0.005 else "> 99 %" if share > 0.995 else f"{100 * share:.0f} %"


def large_count(number: int) -> str:
    """A whole number of any size: "40,009" in full, from a million on "1.3·10¹²"."""
    if number < 1_000_000:
        return count(number)
    exponent = math.floor(math.log10(number))
    tenths = (number + 5 * 10 ** (exponent - 2)) // 10 ** (exponent - 1)  # whole numbers: a float could not hold it
    if tenths >= 100:
        tenths, exponent = 10, exponent + 1
    return f"{tenths // 10}.{tenths % 10}·10{_raised(exponent)}"


def value(number: float) -> str:
    """A value or a mean with at most four significant digits: "7,985", "0.469", "−105.2"."""
    size = abs(float(f"{number:.3e}"))
    if not 1e-4 <= size < 1e9:  # 0 and what is no number, too
        return gain(number)
    places = max(0, 3 - math.floor(math.log10(size)))
    text = f"{number:,.{places}f}"
    return _signed(text.rstrip("0").rstrip(".") if "." in text else text)


def _signed(text: str) -> str:
    """Replaces the hyphen by a real minus sign and drops the sign of a rounded zero."""
    if text.startswith("-") and not text.strip("-0.,"):
        text = text[1:]
    return text.replace("-", MINUS)


def power_of_ten(exponent: float) -> str:
    """10 to a power that may lie beyond all floats: "4.120·10⁻³⁴⁰⁶⁶"."""
    if abs(exponent) < MOST_POWER:
        return gain(10.0**exponent)
    whole = math.floor(exponent)
    mantissa = f"{10.0 ** (exponent - whole):.3f}"
    if mantissa == "10.000":
        whole, mantissa = whole + 1, "1.000"
    return f"{mantissa}·10{_raised(whole)}"


def _raised(exponent: int) -> str:
    return str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def inside(label: str) -> str:
    """A label within a sentence: in English it begins with a small letter there, unless it begins with a name."""
    english = tr("small letters within sentences") == "small letters within sentences"
    return label[:1].lower() + label[1:] if english and not label.startswith(NAMES) else label


def typed(text: str) -> str:
    """Words to compare with what is typed: small letters, no accents, signs of a keyboard, thousands not grouped."""
    text = text.casefold()
    for sign, key in (("≤", "<="), ("≥", ">="), ("≠", "!="), (MINUS, "-"), ("\u00a0", " ")):
        text = text.replace(sign, key)
    if not text.isascii():
        text = "".join(letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)


def natural(name: str) -> list[tuple[float, str]]:
    """A key that sorts texts as people do: the 2nd before the 10th, small and capital letters alike."""
    parts = re.split(r"(\d+(?:\.\d+)?)", name.casefold())
    return [(float(part), "") if i % 2 else (-1.0, part) for i, part in enumerate(parts)] + [(-1.0, name)]
