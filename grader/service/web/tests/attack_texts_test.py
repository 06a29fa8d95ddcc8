"""Attacks by what people write: markup, SQL, header lines, files that are none."""

import io
import json
import re
import zipfile
from collections.abc import Iterator

import pytest

from grader.model.result import Diagnostic, Failure
from grader.model.verdict import Verdict
from grader.people.course.course import load_course
from grader.service import desk, people, queue, requests
from grader.service.service import Service
from grader.service.tests.made_up import Clock, make_service, new_key, result_of
from grader.service.web.tests.attacked import UNLIMITED, Site, attacked, every_path
from grader.service.web.tests.running import running

HAND_IN = "/api/labs/fake_sum/submissions"
FIELDS = ("id", "key", "nickname", "part", "text", "answer", "do", "token", "wish")
SQL = ["'; DROP TABLE submissions; --", '" OR ""="', "1 UNION SELECT digest FROM tokens", "\\'%"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with attacked(tmp_path_factory.mktemp("site")) as made:
        yield made


def _markup(where: str) -> str:
    return f"\"'><xss-{where}> onx=1 {{{{7*7}}}}</xss-{where}>"


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service where every text that a student, a program or a compiler chose is markup."""
    folder = tmp_path_factory.mktemp("marked")
    plain = make_service(folder)
    name, course = _markup("name"), plain.course_path.read_text()
    course = course.replace('"eve"', json.dumps(name)).replace("group-a", "group <xss-group>")
    plain.course_path.write_text(course)
    clock = Clock()
    service = Service(
        load_course(plain.course_path), plain.course_path, plain.data, plain.labs, clock
    )
    people.enrol(service)
    people.set_nickname(service, name, _markup("nick")[:30])
    for person in (name, "ada"):
        for number in range(2):
            _hand_in_markup(service, person, number)
    row = desk.submissions_of(service, name)[0]
    student = people.person(service, name)
    assert student
    requests.ask(service, student, row.id, "", _markup("request"), [])
    with running(service, UNLIMITED) as server:
        yield Site(service, server, clock, row.id, row.id)


def _hand_in_markup(service: Service, person: str, number: int) -> None:
    content = f"{_markup('content')} {number}\n</code></pre><script>1</script>".encode()
    desk.hand_in(service, person, "fake_sum", content, "\"'><xss-file onx=1>.cc", new_key())
    claimed = queue.claim(service, 0)
    assert claimed
    result = result_of("fake_sum", claimed.team, Verdict.WRONG_ANSWER)
    result.parts[0].failure = Failure(test=_markup("test"), message=_markup("message"))
    text = f"sum.cc:1:1: error: {_markup('compiler')}"
    result.diagnostics = [Diagnostic(phase="compile", text=text)]
    result.source = _markup("source")
    queue.finish(service, claimed.number, result)


def test_no_text_becomes_markup_on_any_page(marked: Site) -> None:
    name = _markup("name")
    values = {"id": marked.graded, "lab": "fake_sum", "name": "ada"}
    seen = ""
    for person in (name, "ada", "tess"):
        for path in every_path(marked.service, "GET", values):
            answer = marked.page(person, path)
            assert answer.status < 500, path
            if answer.headers.get_content_type() == "text/html":
                policy = str(answer.headers["Content-Security-Policy"])
                for part in ("default-src", "base-uri", "frame-ancestors"):
                    assert f"{part} 'none'" in policy, path
                assert not re.search("script-src[^;]*unsafe|unsafe-eval", policy), path
                assert "<xss-" not in answer.text, path
                assert "<script>1" not in answer.text, path
                assert "49</xss" not in answer.text, path
                seen += answer.text
    wheres = ("name", "nick", "content", "file", "test", "message", "compiler", "request", "group")
    for where in wheres:
        assert f"&lt;xss-{where}" in seen, where


def test_what_is_not_a_page_is_not_taken_for_one(marked: Site) -> None:
    for path in (f"/api/submissions/{marked.graded}", f"/submissions/{marked.graded}/text?save=1"):
        answer = marked.page("tess", path)
        assert answer.status == 200
        assert answer.headers.get_content_type() in ("application/json", "text/plain")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_feedback_brings_style_and_runs_nothing(marked: Site) -> None:
    answer = marked.page("tess", f"/submissions/{marked.graded}/feedback")
    policy = str(answer.headers["Content-Security-Policy"])
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "allow-scripts" not in policy


def _tables(site: Site) -> tuple[int, ...]:
    row = site.service.connect().execute(
        "SELECT (SELECT COUNT(*) FROM people),"
        " (SELECT COUNT(*) FROM submissions WHERE person <> 'eve')"
    )
    return tuple(row.fetchone())


@pytest.mark.parametrize("number", ["9" * 30, "0" * 5000, "-1", "1e9", "%D9%A1" * 30])
def test_no_number_is_too_large(site: Site, number: str) -> None:
    for path in every_path(site.service, "POST", {"number": number, "name": "dan"}):
        if path.startswith("/staff") and len(path) < 1000:
            for do in ("revoke", "answer"):
                answer = site.post("tess", path, do=do, token=number, answer="x")
                assert answer.status < 500, path
    assert site.page("tess", f"/staff/log?before={number[:1000]}").status < 500
    assert site.post("eve", "/me/tokens/end", id=number).status < 500


@pytest.mark.parametrize("text", SQL)
def test_no_parameter_is_sql(site: Site, text: str) -> None:
    coded = text.replace(" ", "%20").replace('"', "%22").replace("%'", "%25'")
    site.csrf("eve")
    before = _tables(site)
    values = {"id": coded, "lab": coded, "name": coded, "number": coded}
    for path in every_path(site.service, "GET", values):
        if coded in path:
            for person in ("eve", "tess"):
                assert site.page(person, path).status in (400, 404), path
    for path in every_path(site.service, "POST", values):
        if "sign-out" not in path:
            who = "tess" if path.startswith("/staff") else "eve"
            assert site.post(who, path, **dict.fromkeys(FIELDS, text)).status < 500, path
    for key in (text, new_key()):
        answer = site.api(
            "eve", "POST", HAND_IN, text.encode(), Idempotency_Key=key, X_File_Name=coded
        )
        assert answer.status in (201, 400)
    for bearer in (text, f"{site.token('eve')}' OR '1"):
        assert site.api("eve", "GET", "/api/labs", Authorization=f"Bearer {bearer}").status == 401
    cookie = {"Cookie": f"session={coded}"}
    assert site.running.ask("GET", "/api/labs", headers=cookie).status == 401
    assert _tables(site) == before


FILE_NAMES = [
    "a%0d%0aSet-Cookie: evil=1.cc",
    "a%0aX: y.cc",
    "../../../../etc/passwd",
    "..%5c..%5cevil.exe",
    'a"; filename="evil.html',
    "a%00.html",
    "%ff%fe.cc",
    "x" * 3000,
    "%e2%80%ae%63%63%2eexe",
    "",
]


@pytest.mark.parametrize("name", FILE_NAMES)
def test_a_file_name_adds_no_header_and_no_folder(site: Site, name: str) -> None:
    made = site.api(
        "eve", "POST", HAND_IN, name.encode() + b"x", Idempotency_Key=new_key(), X_File_Name=name
    )
    assert made.status == 201
    answer = site.page("eve", f"/submissions/{made.json['id']}/text?save=1")
    assert answer.status == 200
    assert answer.headers["Set-Cookie"] is None
    assert answer.headers["X"] is None
    assert answer.headers.get_content_type() == "text/plain"
    disposition = answer.headers.get_all("Content-Disposition")
    assert disposition
    assert len(disposition) == 1
    assert disposition[0].startswith('attachment; filename="')
    plain = disposition[0].split('"')[1]
    assert not {"/", "\\", "\r", "\n"} & {*plain}
    assert disposition[0].count('"') == 2
    assert "%0D" not in disposition[0]
    assert "%00" not in disposition[0]


def _zip() -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sum.cc", b"\0" * (20 << 20))
    return held.getvalue()


NO_TEXTS = {
    "zip": _zip(),
    "UTF-16": "<script>1</script>".encode("utf-16"),
    "NUL": b"\0" * 10_000,
}
CONTENTS = {
    "invalid UTF-8": b"\xff\xfe\x80 int x;\n" * 100,
    "overlong UTF-8": b"\xc0\xbcscript\xc0\xbe",
    "wide": "\U0001f600".encode() * 10_000,
    "combining": ("a" + "\u0301" * 10_000).encode(),
    "one line": b"x" * 60_000,
    "many lines": b"\n" * 60_000,
    "directions": "\u202e\u2066 int x;\n".encode() * 100,
    "escapes": b"\x1b]0;evil\x07\x1b[2J" * 100,
}


@pytest.mark.parametrize("kind", NO_TEXTS)
def test_what_is_no_text_costs_no_attempt(site: Site, kind: str) -> None:
    made = site.api("cleo", "POST", HAND_IN, NO_TEXTS[kind], Idempotency_Key=new_key())
    assert made.status == 400
    assert "is no text" in made.json["error"]


@pytest.mark.parametrize("kind", CONTENTS)
def test_a_file_that_is_none_is_kept_and_shown_as_text(site: Site, kind: str) -> None:
    content = CONTENTS[kind]
    made = site.api("cleo", "POST", HAND_IN, content, Idempotency_Key=new_key())
    assert made.status == 201
    path = f"/submissions/{made.json['id']}"
    for end in ("", "/text", "/difference"):
        answer = site.page("cleo", path + end)
        assert answer.status == 200, end
        assert "<script>1" not in answer.text
        assert "\x1b" not in answer.text
        assert "\u202e" not in answer.text
        assert len(answer.body) < 5 << 20
    assert site.page("cleo", f"{path}/text?save=1").body == content


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"--x\r\n"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n"),
        ("multipart/form-data; boundary=x", b"x" * 1000),
        ("multipart/form-data; boundary=" + "x" * 500, b"--x--"),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % n for n in range(200))),
        ("application/x-www-form-urlencoded", b"csrf=%ff%fe&csrf=%00"),
        ("application/x-www-form-urlencoded; charset=utf-7", b"csrf=+ADw-"),
        ("a\tb", b"csrf=x"),
    ],
)
def test_a_broken_form_is_refused(site: Site, kind: str, body: bytes) -> None:
    headers = {
        "Cookie": site.cookie("cleo"),
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": kind,
    }
    assert site.running.ask("POST", "/labs/fake_sum", body, headers).status in (400, 403)


def test_of_two_files_in_a_form_none_is_kept(site: Site) -> None:
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.cc"\r\n\r\nint x;\r\n'
    headers = {
        "Cookie": site.cookie("cleo"),
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "multipart/form-data; boundary=x",
    }
    answer = site.running.ask("POST", "/labs/fake_sum", part * 2 + b"--x--\r\n", headers)
    assert answer.status == 400
