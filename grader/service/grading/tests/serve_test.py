"""`serve` as an instructor starts it, with a fake kit and students who hand in over HTTP."""

import os
import shutil
import signal
import ssl
import subprocess
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.judging.store import Store
from grader.model.manifest import load_kit
from grader.proof.fakes.fake_kit import GOOD
from grader.proof.faults.disks import small_disk, why_no_disk
from grader.proof.faults.tree import started_at
from grader.service.grading import control
from grader.service.grading.tests.kills import TEXTS, kill_often
from grader.service.grading.tests.served import Served

SLOW = f"{GOOD}// fake: sleep 60\n"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path)
    yield made
    made.kill()


def key(number: int) -> str:
    return f"{number:032x}"


def hand_in_all(served: Served) -> None:
    for number, text in enumerate(TEXTS.values()):
        served.hand_in("ada", text, key(number))


def verdicts(served: Served) -> list[str]:
    return [row["verdict"] for row in served.rows("SELECT * FROM submissions ORDER BY number")]


def run(served: Served, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        served.command(*options),
        env=served.environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_what_is_handed_in_is_graded_and_shown(served: Served) -> None:
    served.start()
    receipt = served.hand_in("ada", TEXTS["data_race"], key(1))
    served.wait_until_graded()
    token = f"Bearer {served.tokens['ada']}"
    _, shown = served.ask("GET", f"/api/submissions/{receipt['id']}", Authorization=token)
    assert (shown["state"], shown["verdict"], shown["points"]) == ("graded", "data_race", 60)
    assert served.stop() == 0
    with Store(served.data / "results" / "fake_sum", create=False) as store:
        assert store.load("ada", texts=True).points == 60
        assert store.text("ada") == TEXTS["data_race"]
        assert store.archive.kit_files(load_kit(served.kit).manifest.digest)


def test_a_signal_ends_it_in_order_and_what_is_graded_waits(served: Served) -> None:
    served.start()
    served.hand_in("ada", SLOW, key(1))
    served.wait_for(lambda: bool(served.rows("SELECT 1 FROM submissions WHERE phase = 'testing'")))
    tree = {pid: started_at(pid) for pid in served.tree()}
    assert len(tree) > 2
    began = time.monotonic()
    assert served.stop() == 0
    assert time.monotonic() - began < 15
    assert [row["state"] for row in served.rows("SELECT * FROM submissions")] == ["waiting"]
    assert not [pid for pid, since in tree.items() if since and started_at(pid) == since]
    assert "Traceback" not in served.said


def test_a_second_interrupt_ends_it_in_order_too(served: Served) -> None:
    served.start()
    assert served.process
    for _ in range(5):
        served.process.send_signal(signal.SIGINT)
        time.sleep(0.02)
    assert served.process.wait(15) == 0
    assert "Traceback" not in served.said


def test_a_drain_ends_it_and_the_next_start_goes_on(served: Served) -> None:
    served.start()
    control.drain(served.service, "tess")
    assert served.process
    assert served.process.wait(30) == 0
    served.start()
    served.hand_in("ada", GOOD, key(1))
    served.wait_until_graded()


def test_a_second_one_with_the_same_folder_is_refused(served: Served) -> None:
    served.start()
    again = run(
        served, "--course", str(served.course), "--kit", str(served.kit), "--address=[::1]:0"
    )
    assert again.returncode == 2
    assert again.stderr.startswith(f"error: another service runs with {served.data}\n  next: ")


def test_an_address_in_use_is_refused_with_a_sentence(served: Served, tmp_path: Path) -> None:
    served.start()
    address = f"127.0.0.1:{served.port}"
    course, kit = ("--course", str(served.course)), ("--kit", str(served.kit))
    other = run(served, "--data", str(tmp_path / "other"), *course, *kit, "--address", address)
    assert other.returncode == 2
    assert f"cannot listen at {address}" in other.stderr
    assert "Traceback" not in other.stderr


def test_a_wrong_certificate_is_refused_with_a_sentence(served: Served, tmp_path: Path) -> None:
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    files = ("--certificate", str(text), "--key", str(text))
    said = run(served, "--course", str(served.course), "--kit", str(served.kit), *files)
    assert said.returncode == 2
    assert f"error: cannot use {text} and {text}" in said.stderr
    assert "Traceback" not in said.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="no systemd")
def test_prints_a_unit_that_systemd_takes(served: Served, tmp_path: Path) -> None:
    data = tmp_path / "a $folder of 100 %"
    course = ("--course", str(served.course))
    printed = run(served, "--data", str(data), *course, "--print-unit", "--jobs", "3")
    assert printed.returncode == 0
    (tmp_path / "labs.service").write_text(printed.stdout)
    verify = ["systemd-analyze", "verify", str(tmp_path / "labs.service")]
    said = subprocess.run(verify, capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stderr) == (0, "")
    assert f'--data "{tmp_path}/a $$folder of 100 %%"' in printed.stdout
    assert "--jobs=3" in printed.stdout


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl")
def test_serves_with_a_certificate(tmp_path: Path) -> None:
    certificate, key = tmp_path / "labs.pem", tmp_path / "labs.key"
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    make += [
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-out",
        str(certificate),
        "-keyout",
        str(key),
    ]
    subprocess.run(make, check=True, capture_output=True, timeout=60)
    served = Served(tmp_path, "--certificate", str(certificate), "--key", str(key))
    served.tls = ssl.create_default_context(cafile=str(certificate))
    try:
        served.start()
        assert served.hand_in("ada", GOOD, "1" * 32)["lab"] == "fake_sum"
        assert served.stop() == 0
    finally:
        served.kill()


def test_the_grading_process_is_started_again_when_it_died(served: Served) -> None:
    served.start()
    served.wait_for(lambda: served.grading_process() is not None)
    os.kill(served.grading_process() or 0, signal.SIGKILL)
    served.hand_in("ada", GOOD, key(1))
    served.wait_until_graded()
    assert "the grading process ended with signal 9; started again in 0.2 s" in served.said
    assert served.rows("SELECT 1 FROM log WHERE what = 'grading died'")


def test_a_backup_is_taken_while_it_runs_and_can_be_served(served: Served, tmp_path: Path) -> None:
    served.start()
    hand_in_all(served)
    served.wait_until_graded()
    archive = tmp_path / "labs.zip"
    done = run(served, "--backup", str(archive))
    assert (done.returncode, done.stdout) == (0, f"{archive}: 2 databases\n")
    assert archive.stat().st_mode & 0o077 == 0
    assert served.stop() == 0
    served.data.rename(tmp_path / "lost")
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(served.data)
    served.service = served.open()
    served.start()
    served.hand_in("ben", TEXTS["wrong_answer"], key(9))
    served.wait_until_graded()
    assert verdicts(served) == [*TEXTS, "wrong_answer"]


def test_a_backup_of_a_folder_without_a_service_is_refused(served: Served, tmp_path: Path) -> None:
    said = run(served, "--data", str(tmp_path / "none"), "--backup", str(tmp_path / "x.zip"))
    assert said.returncode == 2
    assert "no service has run in" in said.stderr


@pytest.mark.skipif(bool(why_no_disk()), reason=why_no_disk() or "")
def test_a_full_disk_refuses_receipts_and_drops_no_result(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data", "24m") as disk:
        served = Served(tmp_path)
        try:
            served.start()
            served.hand_in("ada", f"{TEXTS['accepted']}// fake: worker 1\n", key(1))
            served.wait_for(lambda: bool(served.rows("SELECT 1 FROM submissions WHERE phase > ''")))
            disk.fill(0)
            time.sleep(4)
            status, answer = served.ask(
                "POST",
                "/api/labs/fake_sum/submissions",
                b"x" * 16000,
                Authorization=f"Bearer {served.tokens['ben']}",
                Idempotency_Key=key(2),
                X_File_Name="sum.cc",
            )
            assert status == 503, answer
            disk.free()
            served.wait_until_graded()
            assert verdicts(served) == ["accepted"]
            assert served.stop() == 0
        finally:
            served.kill()


def test_kills_lose_no_receipt_and_change_no_verdict(served: Served) -> None:
    """More of them: kills.py."""
    kill_often(served, 5, seed=1)
