"""Column names: every column gets one, and no two get the same."""

from collections import Counter


def unique_names(header: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names from the cells of a header, and what had to be changed, in words.

    White space is joined to single spaces. A nameless first column becomes "row names", any other "column 3".
    The second "a" becomes "a (2)".
    """
    wanted = [" ".join(cell.replace("\ufeff", "").split()) for cell in header]
    nameless = [i for i, name in enumerate(wanted) if not name]
    for i in nameless:
        wanted[i] = "row names" if i == 0 and len(nameless) == 1 and len(wanted) > 1 else f"column {i + 1}"
    taken, names = set(wanted), list[str]()
    seen: Counter[str] = Counter()
    for name in wanted:
        seen[name] += 1
        names.append(name if seen[name] == 1 else _free(name, seen[name], taken))
        taken.add(names[-1])
    return tuple(names), _doubles(seen)


def _free(name: str, number: int, taken: set[str]) -> str:
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


def _doubles(seen: Counter[str]) -> list[str]:
    notes = []
    for name, count in seen.items():
        if count == 2:
            notes.append(f"2 columns are called “{name}”: the second is now “{name} (2)”.")
        elif count > 2:
            notes.append(f"{count} columns are called “{name}”: all but the first are now numbered.")
    return notes
