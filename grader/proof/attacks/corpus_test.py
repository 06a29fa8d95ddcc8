"""Every attack states its purpose, and none can do harm if the jail fails."""

import re
from pathlib import Path

import pytest

from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.proof.attacks import corpus, table
from grader.proof.attacks.canaries import Secret
from grader.proof.attacks.corpus import Attack, aims, attacks
from grader.proof.attacks.traces import left_behind, look

_CORPUS = Path(corpus.__file__).parent
_ALL = [attack for aim in aims(_CORPUS) for attack in attacks(_CORPUS, aim)]
_LEAST = 80


def test_has_attacks_with_every_aim_and_each_only_once() -> None:
    names = [attack.full_name for attack in _ALL]
    assert len(names) == len(set(names)) >= _LEAST


@pytest.mark.parametrize("attack", _ALL, ids=lambda attack: attack.full_name)
def test_says_what_it_tries_and_never_expects_the_graders_own_failure(attack: Attack) -> None:
    assert len(attack.purpose.split()) >= 4
    assert attack.purpose.endswith(".")
    assert Verdict.JUDGE_ERROR not in attack.allowed


def test_refuses_an_attack_that_does_not_say_what_it_is(tmp_path: Path) -> None:
    place = tmp_path / "forging" / "policy" / "silent.cc"
    place.parent.mkdir(parents=True)
    place.write_text("int x;\n", encoding="utf-8")
    with pytest.raises(GraderError, match="does not begin with // Hostile"):
        attacks(tmp_path, "forging")


def test_reads_further_verdicts_and_what_must_not_be_said() -> None:
    bomb = next(attack for attack in _ALL if attack.name == "object_of_a_gigabyte")
    assert bomb.allowed == (Verdict.COMPILE_ERROR, Verdict.MEMORY_LIMIT)
    assert bomb.never_says == "bug report"
    assert "Or:" not in bomb.purpose


def test_appends_the_reference_to_attacks_that_define_no_mix() -> None:
    bomb = next(attack for attack in _ALL if attack.name == "memory_bomb")
    assert bomb.text.count("void Mix(") == 1
    lazy = next(attack for attack in _ALL if attack.name == "untouched_output")
    assert lazy.text.count("void Mix(") == 1


def test_appends_a_mix_that_counts_to_attacks_that_define_count() -> None:
    race = next(attack for attack in _ALL if attack.name == "race_in_the_open")
    assert race.text.count("void Mix(") == 1
    assert "    Count();" in race.text


@pytest.mark.parametrize("attack", _ALL, ids=lambda attack: attack.full_name)
def test_installs_filters_only_in_their_own_folder(attack: Attack) -> None:
    installs = re.search(r"SYS_seccomp|SECCOMP|PR_SET_SECCOMP|sock_fprog", attack.text)
    assert not installs or attack.aim == "filters"
    own = attack.text.partition("// The reference")[0]
    assert not installs or not re.search(r"\b(for|while|goto|clone)\b", own)


def test_prints_a_line_for_each_attack(capsys: pytest.CaptureFixture[str]) -> None:
    table.main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(_ALL)
    assert all(line.count(" | ") == 4 for line in lines)


def test_finds_pieces_of_a_secret_also_in_hexadecimal() -> None:
    secret = Secret("here", b"hidden_input_seven")
    assert secret.is_in(b"... idden_input_s ...")
    assert secret.is_in(b"hidden_input".hex().encode())
    assert secret.is_in(b"hidden input seven")
    assert not secret.is_in(b"hidden")


def test_finds_a_file_that_an_attack_left() -> None:
    before = look()
    mark = Path("/tmp/attack_left_by_a_test")  # noqa: S108
    mark.touch()
    try:
        assert f"files: {mark}" in left_behind(before, patience_s=0)
    finally:
        mark.unlink()
