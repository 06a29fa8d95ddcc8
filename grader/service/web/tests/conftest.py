"""What the tests of pages in Chromium share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from grader.pages.report.tests.chromium import chromium

CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
"""Finds texts that can hardly be read."""
REPEATED = """
const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
return ids.filter((id, place) => ids.indexOf(id) !== place)
"""
"""Finds ids that two elements have."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver
