"""The incomplete beta function, as in `scipy.special.betaincc`, for kernels."""

import math

from engine.runtime.compiler import jit

MOST_STEPS = 10_000


@jit
def beyond_beta(a, b, x):
    """P(a beta variable exceeds x), by Lentz's continued fraction on the side where it is quick."""
    if x <= 0.0:
        return 1.0
    if x >= 1.0:
        return 0.0
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    if x < (a + 1.0) / (a + b + 2.0):
        return 1.0 - front * fraction(a, b, x) / a
    return front * fraction(b, a, 1.0 - x) / b


@jit
def fraction(a, b, x):
    """The continued fraction of the incomplete beta function."""
    c, d = 1.0, 1.0 - (a + b) * x / (a + 1.0)
    d = 1.0 / (d if abs(d) > 1e-300 else 1e-300)
    value = d
    for m in range(1, MOST_STEPS):
        for odd in range(2):
            k = a + 2.0 * m
            part = m * (b - m) * x / ((k - 1.0) * k)
            if odd:
                part = -(a + m) * (a + b + m) * x / (k * (k + 1.0))
            d, c = 1.0 + part * d, 1.0 + part / c
            d = 1.0 / (d if abs(d) > 1e-300 else 1e-300)
            c = c if abs(c) > 1e-300 else 1e-300
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value
