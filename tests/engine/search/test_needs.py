"""What an option needs in order to change anything, said as data in `engine.search.choices`."""

import pytest

from engine.search.choices import OPTIONS
from engine.search.options import CHOICES, idle
from engine.table.column import KINDS

EVERYTHING = set(KINDS)


def test_needs_name_options_values_and_kinds_that_there_are():
    needs = [option.needs for option in OPTIONS.values() if option.needs is not None]
    assert needs
    for need in needs:
        assert need.option or need.columns or need.given
        assert set(need.given) <= set(OPTIONS)
        assert not need.option or set(need.values) <= set(CHOICES[need.option])
        assert set(need.columns) <= EVERYTHING


@pytest.mark.parametrize(
    ("name", "task", "search"),
    [
        ("bins", "number", {"criterion": "binned_error"}),
        ("buckets", "classes", {"numeric": "bucket_cuts"}),
        ("buckets", "classes", {"numeric": "bucket_branches"}),
        ("smoothing_m", "classes", {"smoothing": "m_estimate"}),
        ("altered_priors", "classes", {"priors": {"yes": 0.1}}),
        ("altered_priors", "classes", {"costs": {("yes", "no"): 5.0}}),
    ],
)
def test_an_option_is_idle_until_the_other_one_needs_it(name, task, search):
    assert idle(task, {}, name, EVERYTHING).startswith("Only for ")
    assert idle(task, search, name, EVERYTHING) == ""


@pytest.mark.parametrize(("name", "kind"), [("numeric", "date"), ("nominal", "boolean"), ("pool", "nominal")])
def test_an_option_is_idle_without_columns_of_its_kind(name, kind):
    assert idle("classes", {}, name, {kind}) == ""
    assert idle("classes", {}, name, {"ordered"}).startswith("Only for tables with a column of ")
