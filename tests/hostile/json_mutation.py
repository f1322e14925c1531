"""Damage to JSON that is still JSON, repeatable by a seed: other types, extreme numbers, doubled, deep, in a circle."""

import copy
import json
import random
from typing import Any

MOST_CHANGES = 3
DEEP = 10**5
MARK = "\x01deep\x01"  # stands for what no writer of JSON can nest
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 0.5, -0.0, 2**31, 2**53, 2**63, -(2**63), 10**400, 1e-320, 1e150, 1e308, -1e308,
    float("inf"), float("nan"), "", "x", "0", "Infinity", "-Infinity", "NaN", "a\0b", "\ud800", "K\udcf6ln",
    "x" * 10**5,
    "<img src=x>", "../../x", "/dev/zero", "/", "@pd.io.common.os.system('touch ran')", [], {}, [[]], [None], {"": 0},
    [1, "a"], {"id": 0}, MARK,
)  # fmt: skip


def mutated_json(plain: Any, seed: int) -> bytes:
    """The document with one to three changes, as a file."""
    rng = random.Random(seed)
    plain = copy.deepcopy(plain)
    for _ in range(rng.randint(1, MOST_CHANGES)):
        places = list(_places(plain))
        holder, key = rng.choice(places)
        rng.choice(CHANGES)(rng, holder, key, places)
    text = json.dumps(plain)
    if rng.random() < 0.1:  # a key that stands there twice
        at = text.index("{") + 1
        text = f"{text[:at]}{json.dumps(rng.choice(list(plain)))}: {json.dumps(rng.choice(ODD))}, {text[at:]}"
    opened, closed = rng.choice((("[", "]"), ('{"a":', "}")))
    return text.replace(json.dumps(MARK), opened * DEEP + "0" + closed * DEEP).encode()


def _places(plain: Any) -> Any:
    """(list or dict, index or key) of everything in a document."""
    for key in plain if isinstance(plain, dict) else range(len(plain)):
        yield plain, key
        if isinstance(plain[key], dict | list):
            yield from _places(plain[key])


def _odd(rng: random.Random, holder: Any, key: Any, _: Any) -> None:
    holder[key] = copy.deepcopy(rng.choice(ODD))


def _drop(rng: random.Random, holder: Any, key: Any, _: Any) -> None:
    del holder[key]


def _double(rng: random.Random, holder: Any, key: Any, _: Any) -> None:
    """Once more in its list, or under another name."""
    again = copy.deepcopy(holder[key])
    if isinstance(holder, list):
        holder[key:key] = [again] * rng.choice((1, 1, 50))
    else:
        holder[f"{key}2"] = again


def _rename(rng: random.Random, holder: Any, key: Any, _: Any) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(("", "x", "path", "id", "\ud800"))] = holder.pop(key)


def _swap(rng: random.Random, holder: Any, key: Any, places: Any) -> None:
    """Something from elsewhere in the document: wrong ids, branches of other nodes, parents in a circle."""
    other, there = rng.choice(places)
    if there in other if isinstance(other, dict) else there < len(other):
        holder[key] = copy.deepcopy(other[there])


def _like(rng: random.Random, holder: Any, key: Any, places: Any) -> None:
    """Something of the same name from elsewhere."""
    alike = [(other, there) for other, there in places if there == key and isinstance(other, dict) and there in other]
    if isinstance(holder, dict) and alike:
        other, there = rng.choice(alike)
        holder[key] = copy.deepcopy(other[there])


def _nudge(rng: random.Random, holder: Any, key: Any, _: Any) -> None:
    value = holder[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        holder[key] = str(value)[: rng.randint(0, 20)]
    else:
        holder[key] = rng.choice((value + 1, value - 1, -value, value * 1e6, str(value)))


CHANGES = (_odd, _odd, _odd, _drop, _double, _rename, _swap, _like, _like, _nudge)
