"""Numbers in words."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.pruning import METHODS
from engine.pruning.options import METRICS
from gui.wording import phrases, words
from tests.conftest import ROOT

NAN = float("nan")


@pytest.mark.parametrize(
    ("share", "general", "short"),
    [
        (0.0, "0.0 %", "0 %"),
        (0.0001, "0.0 %", "< 0.1 %"),
        (0.0732, "7.3 %", "7.3 %"),
        (0.0996, "10.0 %", "10 %"),
        (0.18, "18.0 %", "18 %"),
        (0.9951, "99.5 %", "99.5 %"),
        (0.99999, "100.0 %", "> 99.9 %"),
        (1.0, "100.0 %", "100 %"),
        (-0.0004, "0.0 %", "< 0.1 %"),
        (NAN, "–", "–"),
    ],
)
def test_shares(share, general, short):
    assert words.percent(share) == general
    assert words.rate(share) == short


@pytest.mark.parametrize(
    ("number", "short"),
    [
        (0.469, "0.47"),
        (-1.044, "−1"),
        (-6.518, "−6.5"),
        (27.95, "28"),
        (120.1, "120"),
        (-105.2, "−105"),
        (999.6, "1k"),
        (7_985, "8k"),
        (22_753, "22.8k"),
        (228_000, "228k"),
        (999_999, "1M"),
        (1.25e6, "1.25M"),
        (0, "0"),
        (1e-5, "1.000·10⁻⁵"),
        (NAN, "–"),
    ],
)
def test_values_in_the_least_room(number, short):
    assert words.short_value(number) == short


@given(st.floats(1e-4, 9e12))
def test_a_short_value_is_within_a_twentieth_and_no_longer(number):
    short = words.short_value(number)
    figure, power = (short[:-1], 10 ** (3 * " kMG".index(short[-1]))) if short[-1] in "kMG" else (short, 1)
    assert abs(float(figure) * power - number) <= 0.051 * number
    assert len(short) <= len(words.value(number))
    assert words.short_value(-number) == f"−{short}"


@pytest.mark.parametrize(
    ("share", "short"),
    [(0.0, "0 %"), (0.004, "< 1 %"), (0.0732, "7 %"), (0.5, "50 %"), (0.9951, "> 99 %"), (1.0, "100 %"), (NAN, "–")],
)
def test_shares_in_still_less_room(share, short):
    assert words.short_rate(share) == short


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (0.083124, "0.08312"),
        (1.5, "1.500"),
        (9.99996, "10.00"),
        (123.456, "123.5"),
        (-0.5, "−0.5000"),
        (1.2344e-7, "1.234·10⁻⁷"),
        (NAN, "–"),
    ],
)
def test_gains_have_four_significant_digits(number, text):
    assert words.gain(number) == text


@pytest.mark.parametrize(
    ("number", "full", "compact"),
    [
        (0, "0", "0"),
        (5_405, "5,405", "5,405"),
        (9_999.6, "9,999.6", "10.0k"),
        (24_000, "24,000", "24.0k"),
        (999_949, "999,949", "1.00M"),
        (1_250_000, "1,250,000", "1.25M"),
        (3.5, "3.5", "3.5"),
        (NAN, "–", "–"),
    ],
)
def test_counts(number, full, compact):
    assert words.count(number) == full
    assert words.compact_count(number) == compact


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (7_985.2, "7,985"), (0.46901, "0.469"), (-105.23, "−105.2"), (42.5, "42.5"), (1e12, "1.000·10¹²")],
)
def test_values(number, text):
    assert words.value(number) == text


@given(st.integers(0, 10**10))
def test_a_compact_count_is_short_and_close(number):
    text = words.compact_count(number)
    unit = {"k": 1e3, "M": 1e6, "G": 1e9}.get(text[-1], 1.0)
    assert len(text) <= 6
    assert float(text.rstrip("kMG").replace(",", "")) * unit == pytest.approx(number, rel=0.006)


@pytest.mark.parametrize(
    ("exponent", "text"),
    [(-2.0, "0.01000"), (-299.5, "3.162·10⁻³⁰⁰"), (-340.0, "1.000·10⁻³⁴⁰"), (-34065.385, "4.121·10⁻³⁴⁰⁶⁶"),
     (-400.0000001, "1.000·10⁻⁴⁰⁰")],
)  # fmt: skip
def test_powers_beyond_floats_are_written_out(exponent, text):
    assert words.power_of_ten(exponent) == text


@given(st.floats(1e-300, 1e300), st.sampled_from([words.gain, words.value]))
def test_no_number_is_written_with_a_hyphen_or_an_e(number, write):
    for signed in (number, -number):
        assert not set("-e") & set(write(signed))
    assert write(-number) == words.MINUS + write(number)


@given(st.floats(0.0005, 0.9995))
def test_a_short_rate_is_close(share):
    assert float(words.rate(share).strip("<> %")) / 100 == pytest.approx(share, abs=0.0051)


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_everything_has_words(number):
    for write in (words.percent, words.rate, words.gain, words.count, words.compact_count, words.value):
        text = write(number)
        assert (text == words.NOTHING) == (not math.isfinite(number))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"), (999_999, "999,999"), (1_000_000, "1.0·10⁶"), (1_349_999_999_999, "1.3·10¹²"),
        (9_960_000, "1.0·10⁷"), (9_940_000, "9.9·10⁶"), (13 * 10**399, "1.3·10⁴⁰⁰"),
          (10**15 - 1, "1.0·10¹⁵"), (10**15, "1.0·10¹⁵"),
    ],
)  # fmt: skip
def test_a_count_of_any_size(number: int, text: str) -> None:
    assert words.large_count(number) == text


def test_a_count_that_python_would_not_print() -> None:
    assert words.large_count(10**9000) == words.large_count(10**9000 - 1) == "1.0·10⁹⁰⁰⁰"


def test_accents_need_not_be_typed():
    assert words.typed("Müller") == words.typed("Muller") == words.typed("MU\u0308LLER") == "muller"
    assert words.typed("name ≠ Ångström") == "name != angstrom"


def test_names_keep_their_capitals_within_a_sentence() -> None:
    """Whatever label of a method or a metric stands in a sentence."""
    said = {words.inside(one.label) for one in (*METHODS.values(), *METRICS.values())}
    assert {"Kearns and Mansour", "Gini", "AUC", "R²", "absolute error (MAE)", "cost complexity", "log-loss"} <= said
    assert phrases.pruned(3, "kearns_mansour") == "Prune to 3 leaves (Kearns and Mansour)"
    assert phrases.pruned(1, "by_rule") == "Prune to 1 leaf (by rule)"
    gui = [path.read_text() for path in (ROOT / "gui").rglob("*.py") if path.name != "words.py"]
    assert not [text for text in gui if re.search(r"label(\[:1\])?\.(lower|capitalize|title)\(\)", text)]


def test_one_hand_made_split_is_one():
    assert phrases.whole_is_best(1, there=True).endswith(
        "To prune it too, untick Keep hand-made splits in the Prune panel."
    )
    assert "To prune them too" in phrases.whole_is_best(2, there=False)
    assert [phrases.compared(n) for n in (0, 1, 2)] == ["not used yet", "not used yet", "2 trees compared"]


def test_a_share_reads_alike_however_it_was_computed() -> None:
    assert 1 - 0.7425 != 0.2575
    assert words.percent(1 - 0.7425) == words.percent(0.2575) == "25.8 %"
