"""Tables of a few rows, which the tests of the window share."""

import pandas as pd

import engine


def flower_table() -> engine.Table:
    """120 rows, three classes, two numbers, a level column with missing values; all of them training."""
    rows = range(120)
    kinds = ["rose", "iris", "lily"]
    frame = pd.DataFrame(
        {
            "length": [(7 * i) % 40 / 4 + 3 * (i % 3) for i in rows],
            "width": [((11 * i) % 30) / 3 + (i % 5 == 0) for i in rows],
            "soil": [None if i % 17 == 0 else ["clay", "sand", "loam"][(i // 3 + (i % 3 == 1)) % 3] for i in rows],
            "kind": [kinds[i % 3] if i % 10 else kinds[(i + 1) % 3] for i in rows],
        }
    )
    return engine.Table.from_frame(frame, target="kind", name="flowers")
