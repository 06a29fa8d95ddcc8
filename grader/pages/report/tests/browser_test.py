"""The pages in Chromium: sorting, filters, links, widths, dark mode; no error and no request."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from common.lab.failure_pictures.examples import REPORTS, SOURCE
from common.lab.failure_pictures.pictures import pictures_of
from common.pictures.page import Section, page
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import (
    LAB,
    costly_result,
    counted_lab,
    made_up_class,
    make_result,
)
from grader.pages.report.feedback_page import write_feedback_page
from grader.pages.report.html import Known, write_report
from grader.pages.report.leaderboard import write_leaderboard
from grader.pages.report.tests.chromium import brightness, chromium, log, look, needs_chromium

pytestmark = needs_chromium
_PAGES = ("class", "feedback", "counters", "leaderboard", "pictures")
_WIDTHS = (390, 820, 1400)
_REQUEST = "Network.requestWillBeSent"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("pages")
    text = "".join(f"int line{number};\n" for number in range(60))
    old = make_result("student05", Verdict.WRONG_ANSWER, Verdict.WRONG_ANSWER)
    known = Known(["student01", "absent"], lambda s: old if s == "student05" else None)
    names = {f"student{number:02}": f"name {number}" for number in range(1, 41)}
    attack = "</title><script>document.title = 1</script>"
    racy = make_result(attack, Verdict.DATA_RACE, Verdict.TOO_SLOW)
    pictures = folder / "pictures.html"
    sections = [Section(name, list(pictures_of(said, SOURCE))) for name, said in REPORTS.items()]
    pictures.write_text(page("What went wrong", sections), encoding="utf-8")
    return {
        "class": write_report(made_up_class(40), LAB, folder / "class", known),
        "feedback": write_feedback_page(racy, LAB, text, folder),
        "counters": write_feedback_page(costly_result(), counted_lab(), text, folder),
        "leaderboard": write_leaderboard(made_up_class(40), LAB, names, folder / "board"),
        "pictures": pictures,
    }


def _open(
    browser: webdriver.Chrome, page: Path, *, width: int = 1400, scheme: str = "light"
) -> None:
    look(browser, width, scheme)
    browser.get("about:blank")
    log(browser, "browser")
    log(browser, "performance")
    browser.get(page.as_uri())


def _one(browser: webdriver.Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def _students(browser: webdriver.Chrome) -> list[str]:
    """The names of the rows that are shown, from the top."""
    rows = "[...document.querySelectorAll('#results tbody:not([hidden]) .name')]"
    return list(browser.execute_script(f"return {rows}.map((each) => each.dataset.v)"))


def _sort_by(browser: webdriver.Chrome, column: int) -> list[float]:
    """Clicks a head; the column's values that are then shown, without empty ones."""
    heads = browser.find_elements(By.CSS_SELECTOR, "#results .sort")
    browser.execute_script("arguments[0].click()", heads[column])
    cells = f"[...document.querySelectorAll('#results .row > *:nth-child({column + 1})')]"
    values = browser.execute_script(f"return {cells}.map((each) => each.dataset.v)")
    filled = [value for value in values if value]
    assert "" not in values[: len(filled)]
    return [float(value) for value in filled]


@pytest.fixture
def opened(browser: webdriver.Chrome, pages: dict[str, Path]) -> webdriver.Chrome:
    _open(browser, pages["class"])
    return browser


def test_sorts_by_points_both_ways_and_says_so(opened: webdriver.Chrome) -> None:
    falling = _sort_by(opened, 1)
    assert falling == sorted(falling, reverse=True)
    assert len(set(falling)) > 5
    assert "descending" in _one(opened, "#said").text
    rising = _sort_by(opened, 1)
    assert rising == sorted(rising)
    heads = opened.find_elements(By.CSS_SELECTOR, "#results [aria-sort=ascending]")
    assert [head.get_attribute("data-label") for head in heads] == ["Points"]


def test_shows_all_of_a_large_class_after_sorting(
    browser: webdriver.Chrome, tmp_path: Path
) -> None:
    _open(browser, write_report(made_up_class(150), LAB, tmp_path))
    head = _one(browser, "#results .name .sort")
    browser.execute_script("arguments[0].click(); arguments[0].click()", head)
    last = _one(browser, "#results tbody:last-of-type")
    WebDriverWait(browser, 30).until(lambda _: last.is_displayed())
    assert _students(browser)[0] == "student150"
    assert browser.find_elements(By.CSS_SELECTOR, ".far") == []


def test_sorts_names_as_people_do(opened: webdriver.Chrome) -> None:
    head = _one(opened, "#results .name .sort")
    opened.execute_script("arguments[0].click(); arguments[0].click()", head)
    assert _students(opened) == [f"student{number:02}" for number in range(40, 0, -1)]


def test_filters_by_name_verdict_and_flag(opened: webdriver.Chrome) -> None:
    _one(opened, "#find").send_keys("STUDENT1")
    assert _students(opened) == [f"student{number}" for number in range(10, 20)]
    _one(opened, "#find").clear()
    _one(opened, "#find").send_keys("nobody")
    assert _students(opened) == []
    assert _one(opened, "#said").text == "0 of 40 shown"
    opened.refresh()
    _one(opened, ".pick[data-verdict=deadlock]").click()
    assert _students(opened) == ["student09"]
    _one(opened, ".pick[data-verdict=deadlock]").click()
    assert len(_students(opened)) == 40
    _one(opened, "#flagged").click()
    assert 0 < len(_students(opened)) < 40


def test_opens_a_student_by_click_and_by_key(opened: webdriver.Chrome) -> None:
    button = _one(opened, "#s2 .open")
    assert not _one(opened, "#s2-d").is_displayed()
    opened.execute_script("arguments[0].click()", button)
    assert _one(opened, "#s2-d").is_displayed()
    button.send_keys("\ue007")  # Enter
    assert not _one(opened, "#s2-d").is_displayed()
    assert button.get_attribute("aria-expanded") == "false"


def test_every_link_leads_to_a_place_in_the_page(
    browser: webdriver.Chrome, pages: dict[str, Path]
) -> None:
    for each in pages.values():
        _open(browser, each)
        links = browser.find_elements(By.CSS_SELECTOR, "a")
        targets = [str(link.get_dom_attribute("href")) for link in links]
        assert [t for t in targets if not browser.find_elements(By.CSS_SELECTOR, t)] == []


def test_a_link_shows_a_student_whom_a_filter_hid(opened: webdriver.Chrome) -> None:
    _one(opened, "#find").send_keys("student40")
    link = _one(opened, "#decide a[href^='#s'], #failures a[href^='#s']")
    anchor = str(link.get_dom_attribute("href"))
    opened.execute_script("arguments[0].click()", link)
    opened.execute_script("dispatchEvent(new HashChangeEvent('hashchange'))")
    assert _one(opened, f"{anchor}-d").is_displayed()
    assert len(_students(opened)) == 40


@pytest.mark.parametrize("name", _PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", _WIDTHS)
def test_fits_the_width_without_error_and_request(
    browser: webdriver.Chrome, pages: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    _open(browser, pages[name], width=width, scheme=scheme)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert log(browser, "browser") == []
    entries = [json.loads(entry["message"])["message"] for entry in log(browser, "performance")]
    asked = [e["params"]["request"]["url"] for e in entries if e["method"] == _REQUEST]
    assert [urlsplit(url).scheme for url in asked] == ["file"]
    is_dark_on_light = brightness(browser, "color") < brightness(browser, "background-color")
    assert is_dark_on_light == (scheme == "light")
    assert (brightness(browser, "background-color") < 128) == (scheme == "dark")


@pytest.mark.parametrize("name", _PAGES)
def test_reads_without_colour_on_paper(
    browser: webdriver.Chrome, pages: dict[str, Path], name: str
) -> None:
    _open(browser, pages[name], scheme="dark")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert brightness(browser, "background-color") == 255
    assert brightness(browser, "color") == 0
    controls = browser.find_elements(By.CSS_SELECTOR, ".controls, .skip")
    assert [each.is_displayed() for each in controls] == [False] * len(controls)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
