"""Handing in: what is kept, what is refused, who sees it."""

import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from grader.judging.collect.several import parted
from grader.model.verdict import Verdict
from grader.service import desk, people
from grader.service.people import Person
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import (
    RIGHT,
    Clock,
    grade_next,
    hand_in,
    make_service,
    new_key,
)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


def viewer(service: Service, name: str) -> Person:
    found = people.person(service, name)
    assert found is not None
    return found


def test_a_receipt_says_what_was_handed_in_for_which_team(service: Service) -> None:
    receipt = hand_in(service, "ada", text=RIGHT)
    assert (receipt.person, receipt.team, receipt.lab) == ("ada", "group-a", "fake_sum")
    assert receipt.digest == hashlib.sha256(RIGHT).hexdigest()
    assert (receipt.is_new, receipt.late) == (True, False)
    (kept,) = desk.submissions_of(service, "ben", "fake_sum")
    assert desk.text_of(service, kept) == RIGHT
    assert desk.result_of(service, kept) is None


def test_the_same_request_again_hands_in_once_even_after_the_deadline(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, hand_in="pause_s = 30\nattempts_per_day = 1", clock=clock)
    key = new_key()
    first = hand_in(service, text=RIGHT, key=key)
    clock.move(days=100)
    again = hand_in(service, text=RIGHT, key=key)
    assert (again.id, again.received_at, again.is_new) == (first.id, first.received_at, False)
    assert len(desk.submissions_of(service, "cleo")) == 1


def test_the_same_key_for_other_bytes_or_another_lab_is_a_conflict(service: Service) -> None:
    key = new_key()
    hand_in(service, text=RIGHT, key=key)
    for lab, text in (("fake_sum", b"other"), ("fake_scan", RIGHT)):
        with pytest.raises(Refused) as refused:
            hand_in(service, lab=lab, text=text, key=key)
        assert refused.value.status == 409
    assert len(desk.submissions_of(service, "cleo")) == 1


def test_the_same_key_of_another_person_is_another_request(service: Service) -> None:
    key = new_key()
    assert hand_in(service, "cleo", key=key).id != hand_in(service, "dan", key=key).id


def test_the_same_file_again_gets_its_own_receipt_and_names_the_first(service: Service) -> None:
    hand_in(service, "ada", text=RIGHT)
    assert hand_in(service, "ben", text=RIGHT).is_new
    hand_in(service, "cleo", text=RIGHT)
    hand_in(service, "ada", "fake_scan", RIGHT)
    again, first = desk.submissions_of(service, "ada", "fake_sum")
    assert (again.same_as, first.same_as) == (first.number, None)
    assert desk.submissions_of(service, "cleo")[0].same_as is None
    assert desk.submissions_of(service, "ada", "fake_scan")[0].same_as is None


@pytest.mark.parametrize(
    ("person", "lab", "text", "status"),
    [
        ("mallory", "fake_sum", RIGHT, 403),
        ("group-a", "fake_sum", RIGHT, 403),
        ("cleo", "fake_sort", RIGHT, 404),
        ("cleo", "fake_sum", b"", 400),
        ("cleo", "fake_sum", b"x" * (64 * 1024 + 1), 413),
        ("cleo", "fake_sum", "int x;".encode("utf-16"), 400),
    ],
)
def test_what_is_refused_leaves_nothing(
    service: Service, person: str, lab: str, text: bytes, status: int
) -> None:
    before = service.connect().execute("SELECT COUNT(*) FROM log").fetchone()[0]
    with pytest.raises(Refused) as refused:
        desk.hand_in(service, person, lab, text, "sum.cc", new_key())
    assert refused.value.status == status
    assert refused.value.error.endswith(".")
    assert refused.value.next.endswith(".")
    for table in ("submissions", "texts"):
        assert not service.connect().execute(f"SELECT 1 FROM {table}").fetchone()  # noqa: S608
    assert service.connect().execute("SELECT COUNT(*) FROM log").fetchone()[0] == before


def test_a_file_of_the_largest_size_is_accepted(service: Service) -> None:
    hand_in(service, text=b"x" * (64 * 1024))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\work\\mine.cc", "mine.cc"),
        ("a\x00b\n\u202ec.cc", "abc.cc"),
        ("", "sum.cc"),
        ("..", "sum.cc"),
        ("/", "sum.cc"),
        ("n" * 300, "n" * 200),
    ],
)
def test_a_name_is_kept_without_folders_and_controls(
    service: Service, name: str, kept: str
) -> None:
    desk.hand_in(service, "cleo", "fake_sum", RIGHT, name, new_key())
    assert desk.submissions_of(service, "cleo")[0].file_name == kept


def test_a_team_has_a_hundred_submissions_in_the_queue_at_most(service: Service) -> None:
    for _ in range(100):
        hand_in(service)
    with pytest.raises(Refused) as refused:
        hand_in(service)
    assert (refused.value.status, refused.value.retry_after) == (429, 60)
    hand_in(service, "dan")
    grade_next(service)
    hand_in(service)


def test_a_submission_is_seen_by_its_team_and_staff_alone(service: Service) -> None:
    receipt = hand_in(service, "ada")
    answers = {}
    for name in ("ada", "ben", "cleo", "tess"):
        try:
            answers[name] = desk.submission(service, receipt.id, viewer(service, name)).id
        except Refused as refused:
            answers[name] = str(refused)
    with pytest.raises(Refused) as missing:
        desk.submission(service, "a" * 26, viewer(service, "cleo"))
    assert missing.value.status == 404
    expected = {"ada": receipt.id, "ben": receipt.id, "tess": receipt.id}
    assert answers == expected | {"cleo": str(missing.value)}


def test_groups_work_together_in_their_labs_alone(service: Service) -> None:
    receipt = hand_in(service, "ada", "fake_scan")
    assert receipt.team == "ada"
    with pytest.raises(Refused):
        desk.submission(service, receipt.id, viewer(service, "ben"))
    assert desk.submissions_of(service, "ben") == []


def test_lists_submissions_newest_first_with_their_verdicts(service: Service) -> None:
    first, second = hand_in(service, "ada"), hand_in(service, "ben")
    hand_in(service, "cleo")
    other = hand_in(service, "ada", "fake_scan")
    grade_next(service, Verdict.WRONG_ANSWER)
    listed = desk.submissions_of(service, "ada")
    assert [each.id for each in listed] == [other.id, second.id, first.id]
    assert listed[2].verdict == "wrong_answer"
    result = desk.result_of(service, listed[2])
    assert result is not None
    assert result.points == listed[2].points
    assert [each.id for each in desk.submissions_of(service, "ada", "fake_scan")] == [other.id]


def test_a_hunt_is_handed_in_as_an_archive_and_kept_as_the_teams_own(tmp_path: Path) -> None:
    lab = "fake_scan-hunt"
    service = make_service(tmp_path, more=f'[[labs]]\nname = "{lab}"\n')
    service.labs = {**service.labs, lab: service.labs["fake_scan"]}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("scan.cc", "int scan;\n")
        archive.writestr("diagnosis.toml", "# none\n")
    texts = []
    for student in ("ada", "cleo"):
        desk.hand_in(service, student, lab, data.getvalue(), "hunt.zip", new_key())
        (kept,) = desk.submissions_of(service, student, lab)
        texts.append(parted(desk.text_of(service, kept)))
    files = {"scan.cc": b"int scan;\n", "diagnosis.toml": b"# none\n", "shows_test.cc": b""}
    assert texts == [("ada", files), ("cleo", files)]
    with pytest.raises(Refused, match=r"scan\.cc is missing") as refused:
        desk.hand_in(service, "ada", lab, b"# no archive\n", "scan.cc", new_key())
    assert "zip archive of scan.cc and diagnosis.toml and shows_test.cc" in str(refused.value)
