"""Values that thresholds are tried on."""

import math

import numpy as np


def beside(value: float) -> list[float]:
    """A value, the doubles beside it, and where doubles round to the float32 beside it."""
    single = np.float32(value)
    near = [float(np.nextafter(single, np.float32(way))) for way in (-np.inf, np.inf)]
    middles = [(float(single) + other) / 2 for other in near]
    found = [value, float(single), *near, *middles, 0.0, -0.0, 1e-35, -1e-35, 1e-36, 1.0000000180025095e-35]
    return [other for one in found for other in (one, math.nextafter(one, math.inf), math.nextafter(one, -math.inf))]
