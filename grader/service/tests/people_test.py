"""Tokens, sessions and names: who gets in, and what ends that."""

from pathlib import Path

import pytest

from grader.service import log, people
from grader.service.refused import Refused
from grader.service.service import Service
from grader.service.tests.made_up import Clock, make_service


@pytest.fixture
def service(tmp_path: Path) -> Service:
    return make_service(tmp_path)


def test_a_token_names_its_person_until_it_is_revoked(service: Service) -> None:
    token = people.new_token(service, "cleo", "tess")
    found = people.person_by_token(service, token)
    assert found is not None
    assert (found.name, found.is_staff) == ("cleo", False)
    assert people.revoke(service, "cleo", "tess") == 1
    assert people.person_by_token(service, token) is None


@pytest.mark.parametrize("token", ["", "x", "\ud800", "' OR 1=1 --", "a" * 26])
def test_what_is_no_token_is_nobodys(service: Service, token: str) -> None:
    people.new_token(service, "cleo", "tess")
    assert people.person_by_token(service, token) is None


def test_no_secret_is_in_the_files_of_the_database(service: Service) -> None:
    token = people.new_token(service, "cleo", "tess")
    secret, _ = people.open_session(service, "cleo", token)
    files = [path.read_bytes() for path in service.data.iterdir()]
    assert any(people.digest_of(token).encode() in data for data in files)
    assert not any(each.encode() in data for data in files for each in (token, secret))


def test_secrets_have_128_bits_and_differ() -> None:
    made = {people.secret() for _ in range(1000)}
    assert len(made) == 1000
    assert all(
        len(each) == 26 and set(each) <= {*"abcdefghijklmnopqrstuvwxyz234567"} for each in made
    )


def test_one_token_can_be_revoked_and_the_other_stays(service: Service) -> None:
    first = people.new_token(service, "cleo", "tess")
    second = people.new_token(service, "cleo", "cleo")
    old, new = people.tokens_of(service, "cleo")
    assert (old.made_by, new.made_by) == ("tess", "cleo")
    people.revoke(service, "cleo", "cleo", old.id)
    assert people.person_by_token(service, first) is None
    assert people.person_by_token(service, second) is not None


def test_nobody_revokes_the_token_of_another_by_its_number(service: Service) -> None:
    token = people.new_token(service, "cleo", "tess")
    (known,) = people.tokens_of(service, "cleo")
    assert people.revoke(service, "dan", "dan", known.id) == 0
    assert people.person_by_token(service, token) is not None


def test_revoking_a_token_ends_the_sessions_that_it_opened_and_no_others(service: Service) -> None:
    first, second = (people.new_token(service, "cleo", "tess") for _ in range(2))
    ended, _ = people.open_session(service, "cleo", first)
    kept, _ = people.open_session(service, "cleo", second)
    people.revoke(service, "cleo", "tess", people.tokens_of(service, "cleo")[0].id)
    assert people.session_of(service, ended) is None
    assert people.session_of(service, kept) is not None


def test_a_session_needs_a_token_of_that_person(service: Service) -> None:
    token = people.new_token(service, "cleo", "tess")
    for name in ("dan", "nobody"):
        with pytest.raises(Refused) as refused:
            people.open_session(service, name, token)
        assert refused.value.status == 401


def test_a_session_expires_and_its_end_is_final(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    secret, _ = people.open_session(service, "cleo")
    clock.at += people.SESSION_LASTS
    assert people.session_of(service, secret) is None
    other, _ = people.open_session(service, "cleo")
    people.close_session(service, other)
    assert people.session_of(service, other) is None
    kept = service.connect().execute("SELECT COUNT(*) FROM sessions").fetchone()[0]
    assert kept == 0


def test_only_people_of_the_course_get_tokens(service: Service) -> None:
    with pytest.raises(Refused) as refused:
        people.new_token(service, "mallory", "tess")
    assert "'mallory'" in refused.value.error


def test_who_leaves_the_course_does_not_get_in_any_more(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    token = people.new_token(service, "eve", "tess")
    secret, _ = people.open_session(service, "eve", token)
    course = service.course.model_copy(update={"students": ["ada", "ben", "cleo", "dan"]})
    service = Service(course, service.course_path, service.data, service.labs, service.clock)
    assert people.person_by_token(service, token) is None
    assert people.session_of(service, secret) is None


def test_staff_are_who_course_toml_says_now(service: Service) -> None:
    token = people.new_token(service, "tess", "setup")
    course = service.course.model_copy(
        update={"staff": [], "students": [*service.course.students, "tess"]}
    )
    service = Service(course, service.course_path, service.data, service.labs, service.clock)
    found = people.person_by_token(service, token)
    assert found is not None
    assert not found.is_staff


def test_the_last_use_of_a_token_is_known_to_the_hour(tmp_path: Path) -> None:
    clock = Clock()
    service = make_service(tmp_path, clock=clock)
    token = people.new_token(service, "cleo", "tess")
    uses = []
    for minutes in (0, 50, 20):
        clock.move(minutes=minutes)
        people.person_by_token(service, token)
        uses.append(people.tokens_of(service, "cleo")[0].used_at)
    assert uses[0] == uses[1] != uses[2] == clock.at


def test_a_nickname_belongs_to_one_person(service: Service) -> None:
    people.set_nickname(service, "cleo", "  Ace   Up ")
    found = people.person(service, "cleo")
    assert found is not None
    assert found.nickname == "Ace Up"
    for taken in ("ace up", "ＡＣＥ  UP", "Ben"):
        with pytest.raises(Refused) as refused:
            people.set_nickname(service, "dan", taken)
        assert refused.value.status == 409
    people.set_nickname(service, "cleo", None)
    people.set_nickname(service, "dan", "ace")


@pytest.mark.parametrize("nickname", ["", "   ", "a\nb", "\u202eevil", "x" * 31])
def test_a_nickname_can_be_read(service: Service, nickname: str) -> None:
    with pytest.raises(Refused) as refused:
        people.set_nickname(service, "dan", nickname)
    assert refused.value.status == 400


def test_every_change_says_who_made_it(service: Service) -> None:
    token = people.new_token(service, "cleo", "tess")
    secret, _ = people.open_session(service, "cleo", token)
    people.set_nickname(service, "cleo", "Ace")
    people.close_session(service, secret)
    people.revoke(service, "cleo", "tess")
    said = [(each.who, each.what) for each in log.entries(service.connect(), "cleo")]
    assert said == [
        ("tess", "tokens revoked"),
        ("cleo", "signed out"),
        ("cleo", "nickname"),
        ("cleo", "signed in"),
        ("tess", "token made"),
        ("course.toml", "role"),
    ]


def test_a_token_that_is_revoked_while_it_signs_in_opens_no_session(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, secret = people.new_token(service, "cleo", "tess"), people.secret

    def revoked_meanwhile() -> str:
        people.revoke(service, "cleo", "tess")
        return secret()

    monkeypatch.setattr(people, "secret", revoked_meanwhile)
    with pytest.raises(Refused, match="not valid any more"):
        people.open_session(service, "cleo", token)


def test_of_many_sessions_the_newest_stay(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "_MOST_SESSIONS", 2)
    other, _ = people.open_session(service, "dan")
    made = [people.open_session(service, "cleo")[0] for _ in range(3)]
    found = [people.session_of(service, each) is not None for each in (other, *made)]
    assert found == [True, False, True, True]


def test_nobody_makes_tokens_without_end(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "_MOST_TOKENS", 2)
    people.new_token(service, "cleo", "tess")
    people.new_token(service, "cleo", "cleo")
    with pytest.raises(Refused, match="You have 2 tokens"):
        people.new_token(service, "cleo", "cleo")
    people.new_token(service, "cleo", "tess")
    people.revoke(service, "cleo", "tess")
    people.new_token(service, "cleo", "cleo")
