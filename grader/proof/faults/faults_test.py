"""Injects one fault of each kind into a running grader: no result is lost.

More: grader/proof/faults.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from grader.proof.faults.handed_in import HandedIn, fake_class
from grader.proof.faults.kinds import KINDS, possible_kinds, strike
from grader.proof.faults.scene import InvariantError, Scene, undisturbed_seconds

_AT_A_TIME = 4


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> HandedIn:
    return fake_class(tmp_path_factory.mktemp("handed_in"))


@pytest.fixture(scope="module")
def undisturbed(
    handed_in: HandedIn, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, float]:
    """The folder with the class's results, and the time that grading took."""
    folder = tmp_path_factory.mktemp("undisturbed") / "scene"
    seconds = undisturbed_seconds(handed_in, folder)
    return folder / "out", seconds


@pytest.fixture(scope="module")
def struck(
    request: pytest.FixtureRequest,
    handed_in: HandedIn,
    undisturbed: tuple[Path, float],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[dict[str, Future[Scene]]]:
    """Each kind that is asked for, in a grader of its own: these mostly wait."""
    chosen = {item.name.partition("[")[2].rstrip("]") for item in request.session.items}
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        yield {
            kind: pool.submit(
                strike, kind, handed_in, tmp_path_factory.mktemp(kind), "1", undisturbed[1]
            )
            for kind in possible_kinds()[0]
            if kind in chosen
        }


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_by_a_fault_at_any_moment(
    struck: dict[str, Future[Scene]], kind: str
) -> None:
    _, skipped = possible_kinds()
    if kind in skipped:
        pytest.skip(skipped[kind])
    assert struck[kind].result().codes[-1] == 0


@pytest.fixture
def graded(handed_in: HandedIn, undisturbed: tuple[Path, float], tmp_path: Path) -> Scene:
    """A graded class whose results are not checked yet."""
    scene = Scene(handed_in, tmp_path, "1", undisturbed[1])
    shutil.copytree(undisturbed[0], scene.out)
    scene.remember()
    return scene


def test_a_result_that_was_graded_twice_is_noticed(graded: Scene) -> None:
    with closing(sqlite3.connect(graded.database)) as database, database:
        database.execute("UPDATE results SET body = replace(body, '\"seconds\":', '\"seconds\": ')")
    with pytest.raises(InvariantError, match="4 stored results were lost or graded again"):
        graded.settle()


def test_a_wrong_verdict_is_noticed(graded: Scene) -> None:
    with closing(sqlite3.connect(graded.database)) as database, database:
        database.execute("UPDATE results SET body = replace(body, 'wrong_answer', 'accepted')")
    with pytest.raises(InvariantError, match="expected"):
        graded.settle()


def test_a_half_written_page_is_noticed(graded: Scene) -> None:
    text = graded.page.read_text(encoding="utf-8")
    graded.page.write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(InvariantError, match="is half-written"):
        graded.settle()


def test_a_process_that_is_left_behind_is_noticed(
    graded: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.proof.faults.scene.STRAY_S", 0.1)
    code = "import time; time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, str(graded.temporary)]) as stray:
        try:
            with pytest.raises(InvariantError, match=f"{stray.pid}.* are left behind"):
                graded.settle()
        finally:
            stray.kill()
