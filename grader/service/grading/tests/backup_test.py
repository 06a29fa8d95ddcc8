"""The archive of a data folder: nobody else gets at it."""

from pathlib import Path

from grader.service.grading.backup import backup
from grader.service.tests.made_up import make_service


def test_a_file_that_another_account_left_does_not_get_the_backup(tmp_path: Path) -> None:
    service = make_service(tmp_path)
    theirs = tmp_path / "theirs"
    theirs.touch(mode=0o666)
    (tmp_path / ".labs.zip.part").symlink_to(theirs)
    assert backup(service.data, tmp_path / "labs.zip") == 1
    assert not theirs.read_bytes()
    assert not (tmp_path / "labs.zip").is_symlink()
    (tmp_path / ".labs.zip.part").touch(mode=0o666)
    backup(service.data, tmp_path / "labs.zip")
    assert (tmp_path / "labs.zip").stat().st_mode & 0o777 == 0o600
