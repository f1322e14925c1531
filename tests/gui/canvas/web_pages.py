"""The web page of a tree: its data, and its script in a machine of its own."""

import json
import re


def data_of(page):
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def _text(found):
    """A value of the script in words; what it threw fails the test."""
    assert not found.isError(), found.toString()
    return found.toString()


BEGIN = "data = JSON.parse(data); const tree = makeTree(data);"
