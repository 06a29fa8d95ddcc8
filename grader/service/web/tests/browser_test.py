"""The pages in Chromium: signing in, handing in, the verdict without a reload; by keyboard alone,
without scripts, narrow, dark and on paper."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from grader.model.verdict import Verdict
from grader.pages.report.tests.chromium import brightness, log, look, needs_chromium
from grader.service import desk, people, queue
from grader.service.service import Service
from grader.service.tests.made_up import Clock, grade_next, hand_in, make_service, result_of
from grader.service.web.tests.conftest import CONTRAST, REPEATED
from grader.service.web.tests.running import Running, running

pytestmark = needs_chromium
_WIDTHS = (375, 768, 1280)
_TEXT = "".join(f"int line{number};\n" for number in range(60))
_UNLABELLED = """
return [...document.querySelectorAll("input:not([type=hidden]), select, textarea, button, a")]
  .filter((each) => !each.labels?.length && !each.textContent.trim() && !each.ariaLabel)
  .map((each) => each.outerHTML)
"""


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path, hand_in="attempts_per_day = 20", clock=Clock())


@pytest.fixture
def site(service: Service, browser: webdriver.Chrome) -> Iterator[Running]:
    with running(service) as site:
        browser.delete_all_cookies()
        look(browser)
        yield site
        browser.get("about:blank")


@pytest.fixture
def cleo(service: Service, site: Running, browser: webdriver.Chrome) -> webdriver.Chrome:
    """The browser, in which cleo has opened the personal link and pressed the button."""
    browser.get(f"{site.address}/sign-in/{people.new_token(service, 'cleo', by='tess')}")
    _one(browser, "main button").click()
    _wait(browser, lambda: _one(browser, "h1").text == "Labs")
    log(browser, "browser")
    return browser


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sum.cc"
    path.write_text(_TEXT)
    return path


def _one(browser: webdriver.Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def _text(browser: webdriver.Chrome) -> str:
    return " ".join(_one(browser, "body").text.split())


def _wait(browser: webdriver.Chrome, condition: Callable[[], bool], seconds: float = 20) -> None:
    unsettled = [StaleElementReferenceException, NoSuchElementException]
    WebDriverWait(browser, seconds, ignored_exceptions=unsettled).until(lambda _: condition())


def _has(browser: webdriver.Chrome, text: str) -> Callable[[], bool]:
    return lambda: text in _text(browser)


def test_signs_in_hands_in_and_sees_the_verdict_without_a_reload(
    service: Service, cleo: webdriver.Chrome, file: Path
) -> None:
    _one(cleo, "main a[href='/labs/fake_sum']").click()
    _wait(cleo, _has(cleo, "What you handed in"))
    _one(cleo, "#file").send_keys(str(file))
    _one(cleo, ".hand-in button").click()
    _wait(cleo, _has(cleo, "Waiting: next in the queue."))
    cleo.execute_script("window.kept = true")
    claimed = queue.claim(service, 0)
    assert claimed is not None
    assert claimed.content.decode() == _TEXT
    queue.set_phase(service, claimed.number, "races")
    _wait(cleo, _has(cleo, "Being graded: race checker."))
    assert _one(cleo, "[aria-current=step]").text == "being graded"
    result = result_of("fake_sum", "cleo", Verdict.DATA_RACE)
    queue.finish(service, claimed.number, result)
    _wait(cleo, _has(cleo, "What to look at next"))
    assert _one(cleo, "#state").text.endswith("of 100 points: data race.")
    assert _one(cleo, "#state").get_attribute("role") == "status"
    assert "int line30;" in _one(cleo, ".excerpt .named").text
    assert "data race" in cleo.title
    assert cleo.execute_script("return window.kept") is True
    assert log(cleo, "browser") == []


def test_asks_for_another_look_where_the_verdict_came_without_a_reload(
    service: Service, cleo: webdriver.Chrome, site: Running
) -> None:
    number = hand_in(service, "cleo").id
    cleo.get(f"{site.address}/submissions/{number}")
    grade_next(service, Verdict.DATA_RACE)
    _wait(cleo, _has(cleo, "What to look at next"))
    _one(cleo, "#ask summary").click()
    _wait(cleo, lambda: _one(cleo, "#ask textarea").is_displayed())
    _one(cleo, "#ask textarea").send_keys("Line 3 is read by one thread.")
    _one(cleo, "#ask button").click()
    _wait(cleo, _has(cleo, "Not answered yet."))


def test_hands_in_by_keyboard_alone(
    service: Service, cleo: webdriver.Chrome, site: Running, file: Path
) -> None:
    cleo.get(f"{site.address}/labs/fake_sum")
    _tab_to(cleo, ".skip")
    _press(cleo, Keys.ENTER)
    _wait(cleo, lambda: _focused(cleo).get_attribute("id") == "main")
    _tab_to(cleo, "#file").send_keys(str(file))  # what the window that Enter opens would do
    _tab_to(cleo, ".hand-in button")
    _press(cleo, Keys.ENTER)
    _wait(cleo, _has(cleo, "Receipt"))
    assert [row.lab for row in desk.submissions_of(service, "cleo")] == ["fake_sum"]


def _tab_to(browser: webdriver.Chrome, selector: str) -> WebElement:
    """Presses Tab until an element has the focus, and shows it, after two steps at most."""
    wanted = _one(browser, selector)
    _press(browser, Keys.TAB)
    if _focused(browser) != wanted:
        _press(browser, Keys.TAB)
    assert _focused(browser) == wanted
    assert wanted.value_of_css_property("outline-style") == "solid"
    return wanted


def _press(browser: webdriver.Chrome, key: str) -> None:
    ActionChains(browser).send_keys(key).perform()


def _focused(browser: webdriver.Chrome) -> WebElement:
    return browser.switch_to.active_element


@pytest.fixture
def without_scripts(cleo: webdriver.Chrome) -> Iterator[webdriver.Chrome]:
    cleo.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    yield cleo
    cleo.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_works_without_scripts(
    service: Service, without_scripts: webdriver.Chrome, site: Running, file: Path
) -> None:
    browser = without_scripts
    browser.get(f"{site.address}/labs/fake_sum")
    assert "Fri 23 Oct, 23:59 CEST" in _text(browser)
    _one(browser, "#file").send_keys(str(file))
    _one(browser, ".hand-in button").click()
    _wait(browser, _has(browser, "looks again every 10 seconds"))
    grade_next(service, Verdict.WRONG_ANSWER)
    _wait(browser, _has(browser, "of 100 points: wrong answer."), 15)


def test_shows_times_in_the_zone_of_the_browser(cleo: webdriver.Chrome, site: Running) -> None:
    cleo.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    cleo.get(site.address)
    _wait(cleo, _has(cleo, "Sat 24 Oct, 06:59 GMT+9"))
    assert "3 d 9 h left" in _text(cleo)
    cleo.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


@pytest.fixture
def addresses(service: Service, site: Running) -> dict[str, str]:
    """Every kind of page, with names and texts that are too long for any line."""
    clock = service.clock
    assert isinstance(clock, Clock)
    numbers = []
    for verdict in (Verdict.WRONG_ANSWER, Verdict.COMPILE_ERROR, Verdict.DATA_RACE):
        text = _TEXT + f"// {verdict}" + "wide " * 100 + "\n" + "w" * 300
        numbers.append(hand_in(service, "cleo", text=text).id)
        grade_next(service, verdict)
        clock.move(minutes=1)
    waiting = hand_in(service, "cleo").id
    for person, nickname in (("cleo", "w" * 30), ("dan", "quiet heron")):
        people.set_nickname(service, person, nickname)
    hand_in(service, "dan")
    race = f"/submissions/{numbers[2]}"
    paths = {"labs": "/", "lab": "/labs/fake_sum", "waiting": f"/submissions/{waiting}"}
    paths |= {"graded": race, "compile": f"/submissions/{numbers[1]}", "text": f"{race}/text"}
    paths |= {"difference": f"{race}/difference", "feedback": f"{race}/feedback"}
    paths |= {"board": "/board/fake_sum", "me": "/me", "missing": "/labs/none"}
    return {name: site.address + path for name, path in paths.items()}


@pytest.mark.parametrize("width", _WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_fits_and_can_be_read(
    cleo: webdriver.Chrome, addresses: dict[str, str], width: int, scheme: str
) -> None:
    look(cleo, width, scheme)
    for name, address in addresses.items():
        cleo.get(address)
        assert cleo.execute_script("return document.documentElement.scrollWidth") <= width, name
        assert (brightness(cleo, "background-color") < 128) == (scheme == "dark"), name
        assert cleo.execute_script(CONTRAST) == [], name
        assert cleo.execute_script(_UNLABELLED) == [], name
        assert cleo.execute_script(REPEATED) == [], name
        assert len(cleo.find_elements(By.TAG_NAME, "h1")) == 1, name
        said = [entry["message"] for entry in log(cleo, "browser")]
        assert [line for line in said if "404" not in line] == [], name


def test_prints_without_what_only_a_screen_can_use(
    cleo: webdriver.Chrome, addresses: dict[str, str]
) -> None:
    look(cleo, scheme="dark")
    for name in ("lab", "graded"):
        cleo.get(addresses[name])
        cleo.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        assert brightness(cleo, "background-color") == 255
        assert brightness(cleo, "color") == 0
        hidden = cleo.find_elements(By.CSS_SELECTOR, "nav, form, .button, .skip")
        assert hidden
        assert not any(each.is_displayed() for each in hidden)


def test_the_feedback_page_leads_back(cleo: webdriver.Chrome, addresses: dict[str, str]) -> None:
    cleo.get(addresses["feedback"])
    _one(cleo, "a[href='#part1']").click()
    _wait(cleo, lambda: cleo.current_url.endswith("#part1"))
    _one(cleo, "header a").click()
    _wait(cleo, lambda: cleo.current_url == addresses["graded"])
