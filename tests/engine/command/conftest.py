"""A small file to work on."""

import pytest


@pytest.fixture
def cats(tmp_path):
    path = tmp_path / "cats.csv"
    path.write_text(
        "owner home,kitten,spayed,success\n"
        "true,true,false,true\nfalse,false,true,true\ntrue,true,true,true\n"
        "false,true,false,false\ntrue,false,true,false\nfalse,true,true,false\n"
    )
    return path
