"""The fixture that tests of the loop share."""

from pathlib import Path

import pytest

from grader.service.grading.tests.official import Official


@pytest.fixture
def official(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Official:
    """A course with a fake kit, and machine locks of its own."""
    monkeypatch.setenv("GRADER_LOCKS", str(tmp_path))
    return Official(tmp_path)
