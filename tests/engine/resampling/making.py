"""Tables for tests of resampling: a few columns of every kind, a target with noise."""

import numpy as np
import pandas as pd

import engine


def noisy_frame(n=120, seed=0, task="classes"):
    """Numbers with ties and gaps, levels, groups `g`, moments `t`, weights `w`, counts `f`."""
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "a": random.normal(size=n), "b": random.integers(0, 6, n).astype(float), "c": random.choice(list("pqr"), n),
        "d": np.where(random.random(n) < 0.2, np.nan, random.normal(size=n).round(1)),
        "g": random.integers(0, 15, n), "t": random.permutation(n), "w": np.exp(random.normal(size=n)),
        "f": random.integers(1, 4, n),
    })  # fmt: skip
    score = frame.a + (frame.b > 2) * (frame.c == "q") + random.normal(size=n)
    frame["y"] = score if task == "number" else np.where(score > 0.5, "yes", "no")
    return frame


OTHERS = dict.fromkeys(("g", "t", "w", "f"), "ignore")


def table_of(frame, **roles):
    return engine.Table.from_frame(frame, target="y", roles=OTHERS | roles)
