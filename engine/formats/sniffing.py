"""What a file of a tree is, by its first bytes: also for the window, before the compiler is there."""

import re

from engine.runtime.errors import InputError
from engine.runtime.sentences import tr

SNIFFED = 2**16  # bytes that say what a file is; Weka's explorer lists all attributes before its tree
J48 = re.compile(rb"^J48[^\r\n]*\r?\n-{8,}", re.MULTILINE)
RPART = re.compile(rb"^node\), split, n, (?:loss, yval, \(yprob\)|deviance, yval)\s*$", re.MULTILINE)
TEXTS = ("lightgbm", "j48", "rpart")  # programs whose trees are plain text, which a table may be, too


def program_of(data: bytes) -> str:
    """The reader that a file is meant for, by its first bytes; "json" where the document decides, empty for none.

    Raises:
        InputError: it may carry code.
    """
    head = data[:SNIFFED].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data[:4] == b"PK\x03\x04" and b"xl/" in head:  # a workbook
        return ""
    if data[:2] == b"{L":  # a name of so many letters, as XGBoost's UBJSON begins
        return "ubjson"
    if data[:1] == b"\x80" or data[:4] == b"PK\x03\x04" or data[:2] in (b"\x78\x9c", b"\x1f\x8b"):
        raise InputError(tr(
            "A file of pickle, joblib or skops can carry code, so it is not opened: give the fitted estimator to "
            "engine.from_sklearn in Python."))  # fmt: skip
    if data[:1] == b"\x08":  # the version that an ONNX model begins with
        return "onnx"
    if head[:5] == b"tree\n" or head[:6] == b"tree\r\n":
        return "lightgbm"
    if b"\x00" in head:
        return ""
    if head[:1] in (b"<", b"{", b"["):
        return "pmml" if head[:1] == b"<" else "json"
    return "j48" if J48.search(head) else "rpart" if RPART.search(head) else "json"
