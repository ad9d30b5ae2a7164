from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs" / "ricochet.md"


def test_the_examples_of_the_page_print_what_it_says():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 15
    assert results.failed == 0
