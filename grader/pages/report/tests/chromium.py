"""Chromium for tests of pages, where it is installed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

_BROWSER, _DRIVER = shutil.which("chromium"), shutil.which("chromedriver")

needs_chromium = pytest.mark.skipif(
    not (_BROWSER and _DRIVER), reason="no Chromium here: apt-get install chromium chromium-driver"
)


@contextmanager
def chromium(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser without a window, whose profile is in this folder."""
    options = webdriver.ChromeOptions()
    options.binary_location = str(_BROWSER)
    for argument in (
        "--headless=new",
        "--no-sandbox",  # root and Bazel's sandbox have none; the pages are ours
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(_DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


def look(browser: webdriver.Chrome, width: int = 1280, scheme: str = "light") -> None:
    """Sets the window's width and the colour scheme that the person prefers."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [feature]})
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def log(browser: webdriver.Chrome, kind: str) -> list[dict[str, str]]:
    """What was logged since the last call."""
    entries: list[dict[str, str]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


def brightness(browser: webdriver.Chrome, which: str) -> float:
    """Of the body's `color` or `background-color`, from 0 to 255."""
    colour = browser.find_element(By.TAG_NAME, "body").value_of_css_property(which)
    parts = [float(part) for part in colour.split("(")[1].rstrip(")").split(",")[:3]]
    return sum(parts) / 3
