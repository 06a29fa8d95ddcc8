"""Attacks on who somebody is: tokens, sessions, forms of other sites, the proxy's header."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.service import people
from grader.service.tests.made_up import make_service, new_key
from grader.service.web.limits import Rates
from grader.service.web.tests.attacked import Site, attacked
from grader.service.web.tests.running import running

HAND_IN = "/api/labs/fake_sum/submissions"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with attacked(tmp_path_factory.mktemp("site")) as made:
        yield made


def _is_signed_in(site: Site, cookie: str) -> bool:
    return site.running.ask("GET", "/api/labs", headers={"Cookie": cookie}).status == 200


def test_a_revoked_token_and_its_sessions_end(site: Site) -> None:
    token = people.new_token(site.service, "eve", "tess")
    cookie = site.running.sign_in(token)
    bearer = {"Authorization": f"Bearer {token}"}
    assert site.running.ask("GET", "/api/labs", headers=bearer).status == 200
    people.revoke(site.service, "eve", "tess")
    assert site.running.ask("GET", "/api/labs", headers=bearer).status == 401
    assert not _is_signed_in(site, cookie)
    assert site.running.post(f"/sign-in/{token}").status == 401


@pytest.mark.parametrize(
    "value",
    [
        "Bearer",
        "Bearer ",
        "Bearer x",
        "Basic {}",
        "Token {}",
        "{}",
        "Bearer {}x",
        "Bearer {} {}",
        "Bearer ' OR 1=1 --",
        "Bearer %00",
        "Bearer \xff",
        "Bearer " + "a" * 5000,
    ],
)
def test_only_the_whole_token_counts(site: Site, value: str) -> None:
    value = value.replace("{}", site.token("cleo"))
    answer = site.running.ask("GET", "/api/labs", headers={"Authorization": value})
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_counts_in_its_header_alone(site: Site) -> None:
    token = site.token("cleo")
    for path in (f"/api/labs?token={token}", f"/api/labs?access_token={token}"):
        assert site.running.ask("GET", path).status == 401
    assert not _is_signed_in(site, f"session={token}")
    assert not _is_signed_in(site, f"token={token}")


def test_a_programs_token_opens_no_page_and_a_browser_no_api_for_changes(site: Site) -> None:
    bearer = {"Authorization": f"Bearer {site.token('tess')}"}
    assert site.running.ask("GET", "/", headers=bearer).status == 401
    headers = {
        "Cookie": site.cookie("cleo"),
        "Idempotency-Key": new_key(),
        "Sec-Fetch-Site": "same-origin",
    }
    assert site.running.ask("POST", HAND_IN, b"int x;", headers).status == 401


def test_a_session_that_the_browser_came_with_is_not_continued(site: Site) -> None:
    planted = f"session={'a' * 26}"
    answer = site.running.post(f"/sign-in/{site.token('cleo')}", planted)
    own = str(answer.headers["Set-Cookie"]).split(";")[0]
    assert own != planted
    assert not _is_signed_in(site, planted)
    again = site.running.post(f"/sign-in/{site.token('cleo')}", own)
    assert not _is_signed_in(site, own)
    assert _is_signed_in(site, str(again.headers["Set-Cookie"]).split(";")[0])


def test_a_session_that_was_signed_out_stays_out(site: Site) -> None:
    cookie = site.running.sign_in(site.token("dan"))
    session = people.session_of(site.service, cookie.partition("=")[2])
    assert session
    answer = site.running.post("/sign-out", cookie, csrf=session.csrf)
    assert "Max-Age=0" in str(answer.headers["Set-Cookie"])
    assert not _is_signed_in(site, cookie)


def test_a_session_expires(tmp_path: Path) -> None:
    with attacked(tmp_path) as site:
        cookie = site.cookie("cleo")
        site.clock.move(days=13)
        assert _is_signed_in(site, cookie)
        site.clock.move(days=2)
        assert not _is_signed_in(site, cookie)


def test_the_cookie_is_kept_from_scripts_other_sites_and_plain_http(site: Site) -> None:
    token = people.new_token(site.service, "eve", "tess")
    local = str(site.running.post(f"/sign-in/{token}").headers["Set-Cookie"])
    assert re.fullmatch(r"session=\w{26}; HttpOnly; Max-Age=\d+; Path=/; SameSite=lax", local)
    headers = {"Host": "labs.example.edu", "Sec-Fetch-Site": "same-origin"}
    sent = site.running.ask("POST", f"/sign-in/{token}", b"", headers).headers["Set-Cookie"]
    assert str(sent).startswith("__Host-session=")
    assert "; Secure" in str(sent)
    assert "; HttpOnly" in str(sent)
    assert "Domain" not in str(sent)


def test_a_sibling_sites_cookie_is_not_taken_for_the_services(site: Site) -> None:
    secret = site.cookie("cleo").partition("=")[2]
    headers = {"Host": "labs.example.edu", "Cookie": f"session={secret}"}
    assert site.running.ask("GET", "/api/labs", headers=headers).status == 401
    headers["Cookie"] = f"__Host-session={secret}"
    assert site.running.ask("GET", "/api/labs", headers=headers).status == 200


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_preview_of_a_link_signs_nobody_in(site: Site, method: str) -> None:
    answer = site.running.ask(method, f"/sign-in/{site.token('cleo')}")
    assert answer.status == 200
    assert answer.headers["Set-Cookie"] is None
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert b'name="referrer"' not in answer.body
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "OWN"},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://labs.example.edu.evil.example"},
        {"Origin": "http://labs.example.edu"},
        {"Origin": "https://evil.labs.example.edu"},
        {"Referer": "OWN/"},
    ],
)
def test_another_sites_page_changes_nothing(site: Site, headers: dict[str, str]) -> None:
    own = {name: value.replace("OWN", site.running.address) for name, value in headers.items()}
    body = f"csrf={site.csrf('cleo')}&nickname=evil".encode()
    form = {"Cookie": site.cookie("cleo"), "Content-Type": "application/x-www-form-urlencoded"}
    for path in ("/sign-out", "/me", f"/sign-in/{site.token('eve')}"):
        answer = site.running.ask("POST", path, body, form | own)
        assert answer.status == 403, path
        assert answer.headers["Set-Cookie"] is None
    assert _is_signed_in(site, site.cookie("cleo"))


def test_an_own_page_changes_something_with_either_header(site: Site) -> None:
    for header in ({"Sec-Fetch-Site": "same-origin"}, {"Origin": site.running.address}):
        cookie = site.running.sign_in(site.token("dan"))
        session = people.session_of(site.service, cookie.partition("=")[2])
        assert session
        headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
        body = f"csrf={session.csrf}".encode()
        assert site.running.ask("POST", "/sign-out", body, headers | header).status == 303


def test_a_form_needs_the_token_of_its_own_session(site: Site) -> None:
    others = site.csrf("eve")
    for fields in ({}, {"csrf": ""}, {"csrf": others}, {"csrf": site.csrf("cleo") + "x"}):
        assert site.running.post("/sign-out", site.cookie("cleo"), **fields).status == 403
    assert _is_signed_in(site, site.cookie("cleo"))


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data", ""])
def test_a_form_of_another_type_has_no_token(site: Site, kind: str) -> None:
    body = f"csrf={site.csrf('cleo')}".encode()
    headers = {"Cookie": site.cookie("cleo"), "Sec-Fetch-Site": "same-origin"}
    answer = site.running.ask("POST", "/sign-out", body, headers | {"Content-Type": kind})
    assert answer.status in (400, 403)
    assert _is_signed_in(site, site.cookie("cleo"))


def test_signing_in_leads_to_no_other_site(site: Site) -> None:
    token = people.new_token(site.service, "eve", "tess")
    for path in (f"/sign-in/{token}?next=//evil.example", f"/sign-in/{token}?url=http:evil"):
        answer = site.running.post(path, next="https://evil.example", return_to="//evil.example")
        assert answer.headers["Location"] == "/"


def test_the_proxys_header_is_the_proxys_alone(tmp_path: Path) -> None:
    named = {"X-Remote-User": "tess", "X-Forwarded-For": "127.0.0.9"}
    service = make_service(tmp_path)
    with running(service, trust_header="X-Remote-User", proxy_address="127.0.0.9") as stranger:
        assert stranger.ask("GET", "/api/labs", headers=named).status == 401
    with running(service) as without:
        assert without.ask("GET", "/api/labs", headers=named).status == 401
    with running(service, trust_header="X-Remote-User", proxy_address="127.0.0.1") as proxy:
        assert proxy.ask("GET", "/api/labs", headers=named).status == 200
        assert proxy.ask("GET", "/api/labs", headers={"X_Remote_User": "tess"}).status == 401
        assert proxy.ask("GET", "/api/labs", headers={"X-Remote-User": "mallory"}).status == 403
        assert proxy.ask("GET", "/api/labs", headers={"X-Remote-User": "tess, cleo"}).status == 403


def test_two_names_from_the_proxy_are_none(tmp_path: Path) -> None:
    with attacked(tmp_path, trust_header="X-Remote-User", proxy_address="127.0.0.1") as site:
        answer = site.raw(
            b"GET /api/labs HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n"
            b"X-Remote-User: cleo\r\nx-remote-user: tess\r\n\r\n"
        )
        assert answer.startswith(b"HTTP/1.1 400")


def test_a_form_behind_the_proxy_needs_its_token_too(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    with running(service, trust_header="X-Remote-User", proxy_address="127.0.0.1") as proxy:
        headers = {
            "X-Remote-User": "cleo",
            "Sec-Fetch-Site": "same-origin",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        assert proxy.ask("POST", "/sign-out", b"csrf=", headers).status == 403


def test_no_secret_is_in_the_database(site: Site) -> None:
    secrets = [site.token("cleo"), site.cookie("cleo").partition("=")[2]]
    stored = b"".join(path.read_bytes() for path in site.service.data.glob("service.sqlite*"))
    assert b"cleo" in stored
    for secret in secrets:
        assert secret.encode() not in stored


def test_no_secret_is_in_the_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    token = people.new_token(site.service, "eve", "tess")
    with caplog.at_level(logging.DEBUG):
        cookie = site.running.sign_in(token)
        site.running.ask("GET", f"/sign-in/{token}")
        site.running.ask("GET", f"/sign-in/{token}/%2e%2e")
        site.running.ask("GET", f"/api/labs?token={token}", headers={"Cookie": cookie})
        site.running.ask("GET", "/api/labs", headers={"Authorization": f"Bearer {token}"})
    assert "/sign-in/…" in caplog.text
    assert "'eve'" in caplog.text
    assert token not in caplog.text
    assert cookie.partition("=")[2] not in caplog.text


def test_a_path_adds_no_line_to_the_log(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        site.running.ask("GET", "/a%0aINFO%20forged%1b[2J")
    assert "INFO forged" in caplog.text
    assert "\nINFO forged" not in caplog.text
    assert "\x1b" not in caplog.text


def test_who_tries_tokens_has_to_wait_but_nobody_else(tmp_path: Path) -> None:
    with attacked(tmp_path, Rates(unknown=(0.01, 5))) as site:
        wrong = {"Authorization": "Bearer wrong"}
        answers = [site.running.ask("GET", "/api/labs", headers=wrong) for _ in range(6)]
        assert [answer.status for answer in answers] == [401] * 5 + [429]
        assert int(str(answers[-1].headers["Retry-After"])) > 1
        assert site.running.post("/sign-in/wrong").status == 429
        assert site.api("cleo", "GET", "/api/labs").status == 200


@pytest.mark.parametrize("path", ["/", "/me", "/nothing", "/api/labs", "/health", "/sign-in/x"])
def test_no_answer_is_kept_framed_or_guessed_at(site: Site, path: str) -> None:
    answer = site.page("cleo", path)
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    policy = str(answer.headers["Content-Security-Policy"])
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["Server"] is None
