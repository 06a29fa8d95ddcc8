"""Staff's pages in Chromium: a walk by keyboard, three widths, dark mode, no error."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from grader.model.verdict import Verdict
from grader.pages.report.tests.chromium import brightness, log, look, needs_chromium
from grader.service import desk, marks, people, requests
from grader.service.grading import control
from grader.service.service import Service
from grader.service.tests.made_up import STAFF, grade_next, hand_in, make_service
from grader.service.web.tests.conftest import CONTRAST, REPEATED
from grader.service.web.tests.running import Running, running

pytestmark = needs_chromium
_WIDTHS = (375, 820, 1400)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """A class with verdicts, a judge error, a request, marks, and a queue."""
    made = make_service(tmp_path)
    long_name = "x" * 60 + ".cc"
    for student, verdict in (
        ("ada", Verdict.ACCEPTED),
        ("cleo", Verdict.DATA_RACE),
        ("dan", Verdict.JUDGE_ERROR),
        ("cleo", Verdict.ACCEPTED),
    ):
        desk.hand_in(
            made,
            student,
            "fake_sum",
            f"{student}{verdict}".encode(),
            long_name,
            long_name + verdict,
        )
        grade_next(made, verdict)
    hand_in(made, "eve")
    cleo = people.person(made, "cleo")
    assert cleo
    submission = desk.submissions_of(made, "cleo")[0].id
    requests.ask(made, cleo, submission, "", "Why? " + "word " * 200 + "w" * 400, ())
    return made


@pytest.fixture
def site(service: Service, browser: webdriver.Chrome) -> Iterator[Running]:
    with running(service) as started:
        browser.delete_all_cookies()
        look(browser)
        yield started
        browser.get("about:blank")


def errors(browser: webdriver.Chrome) -> list[str]:
    return [entry["message"] for entry in log(browser, "browser")]


def press(browser: webdriver.Chrome, *keys: str) -> None:
    webdriver.ActionChains(browser).send_keys(*keys).perform()


def tab_to(browser: webdriver.Chrome, text: str) -> None:
    """Presses Tab until a control with this text or name has the focus, which must be visible."""
    for _ in range(80):
        press(browser, Keys.TAB)
        focused = browser.switch_to.active_element
        if text in (focused.text, focused.get_attribute("name")):
            outline = focused.value_of_css_property("outline-style")
            assert outline != "none", f"{text} does not show its focus"
            return
    raise AssertionError(f"Tab does not reach {text!r}")


def sign_in(browser: webdriver.Chrome, service: Service, site: Running) -> None:
    browser.get(f"{site.address}/sign-in/{people.new_token(service, STAFF, 'setup')}")
    tab_to(browser, "Sign in")
    press(browser, Keys.ENTER)


def until(browser: webdriver.Chrome, condition: Callable[[], bool]) -> None:
    """A key only begins what it asks for."""
    WebDriverWait(browser, 10, ignored_exceptions=[WebDriverException]).until(lambda _: condition())


def heading(browser: webdriver.Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "h1").text


def test_staff_walk_from_the_queue_to_a_mark_without_a_mouse(
    browser: webdriver.Chrome, service: Service, site: Running
) -> None:
    sign_in(browser, service, site)
    tab_to(browser, "Staff")
    press(browser, Keys.ENTER)
    until(browser, lambda: heading(browser) == "The official run")
    tab_to(browser, "Pause")
    press(browser, Keys.ENTER)
    until(browser, lambda: "Paused" in browser.find_element(By.CSS_SELECTOR, ".state").text)
    assert control.wish(service) == "pause"
    tab_to(browser, "Requests (1)")
    press(browser, Keys.ENTER)
    until(browser, lambda: heading(browser) == "Requests")
    tab_to(browser, "answer")
    press(browser, "Because of line 3.")
    tab_to(browser, "Answer")
    press(browser, Keys.ENTER)
    until(browser, lambda: not requests.open_requests(service))
    browser.get(f"{site.address}/staff/labs/fake_sum")
    tab_to(browser, "cleo")
    press(browser, Keys.TAB, Keys.ENTER)
    until(browser, lambda: heading(browser) == "fake_sum, cleo")
    tab_to(browser, "points-style")
    press(browser, "4.5")
    tab_to(browser, "Save the marks")
    press(browser, Keys.ENTER)
    until(browser, lambda: bool(marks.for_student(service, "fake_sum", "cleo")))
    (mark,) = marks.marks_of(service, "fake_sum", "cleo")
    assert (str(mark.points), mark.by) == ("4.50", STAFF)
    assert errors(browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_three_widths_and_logs_no_error(
    browser: webdriver.Chrome, service: Service, site: Running, scheme: str
) -> None:
    sign_in(browser, service, site)
    submission = desk.submissions_of(service, "cleo")[0].id
    pages = (
        "/staff",
        "/staff/labs/fake_sum",
        "/staff/people/cleo",
        f"/staff/submissions/{submission}",
        "/staff/requests",
        "/staff/log",
    )
    errors(browser)
    for path in pages:
        browser.get(site.address + path)
        for width in _WIDTHS:
            look(browser, width, scheme)
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} pixels wide at {width}"
        assert (brightness(browser, "background-color") < 128) == (scheme == "dark"), path
        assert browser.execute_script(CONTRAST) == [], path
        assert browser.execute_script(REPEATED) == [], path
        assert errors(browser) == [], path


def test_the_class_report_works_in_its_sandbox(
    browser: webdriver.Chrome, service: Service, site: Running
) -> None:
    sign_in(browser, service, site)
    errors(browser)
    browser.get(f"{site.address}/staff/labs/fake_sum/class")
    before = browser.find_elements(By.CSS_SELECTOR, "#results tbody .name")
    assert len(before) == 3
    browser.find_elements(By.CSS_SELECTOR, "#results .sort")[1].click()
    assert "ending" in browser.find_element(By.CSS_SELECTOR, "#said").text
    assert errors(browser) == []
