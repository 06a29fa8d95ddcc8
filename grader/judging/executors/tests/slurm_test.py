"""`grade --executor slurm` against a real Slurm that these tests start."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.console import Console

from grader.cli import places
from grader.cli.grade import Outcome, Request, grade_class
from grader.judging.classes.class_run import HowToGrade
from grader.judging.executors import batch_system
from grader.judging.executors.slurm import SlurmExecutor
from grader.judging.executors.tests.cluster import Cluster, cluster, missing
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.verdict import Verdict
from grader.proof.fakes.fake_kit import GOOD, make_kit

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
WRONG = f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"
_PATIENCE_S = 300


class Class:
    """A class that hands in, a cluster that grades it."""

    def __init__(self, folder: Path, nodes: Cluster) -> None:
        self.kit = make_kit(folder)
        self.folder = folder / "class"
        self.out = folder / "out"
        self.spool = folder / "spool"
        self.nodes = nodes

    def hand_in(self, student: str, text: str) -> None:
        path = self.folder / student / "sum.cc"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")

    def hand_in_slow(self, count: int, seconds: float) -> None:
        for i in range(count):
            self.hand_in(f"student{i}", f"{GOOD}// {i}\n// fake: sleep {seconds}\n")

    def grade(
        self, *, chunk: int = 1, sleep: Callable[[float], None] = time.sleep, force: bool = False
    ) -> Outcome:
        executor = SlurmExecutor(
            self.spool, places.workspace(), chunk=chunk, poll_s=0.1, sleep=sleep
        )
        how = HowToGrade(executor, seed=7, force=force)
        request = Request("fake_sum", self.folder, self.out, how, kit=self.kit)
        self.said = io.StringIO()
        return grade_class(request, Console(file=self.said, width=200))

    def verdicts(self) -> dict[str, Verdict]:
        with Store(self.out, create=False) as store:
            return {result.student: result.verdict for result in store.results()}

    def chunks_running(self) -> list[str]:
        return self.nodes.say("squeue", "--noheader", "--states=RUNNING", "--format=%N").split()


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("slurm")) as made:
        yield made


@pytest.fixture
def school(tmp_path: Path, nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> Class:
    return in_class(tmp_path, nodes, monkeypatch)


def in_class(folder: Path, nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> Class:
    """A class whose commands talk to that cluster."""
    for name, value in nodes.environment.items():
        monkeypatch.setenv(name, value)
    # Where the jobs' graders lock the machine: those of other tests must not hold these up.
    monkeypatch.setenv("TMPDIR", str(nodes.folder))
    monkeypatch.setenv("GRADER_LOCKS", str(nodes.folder))
    return Class(folder, nodes)


class Once:
    """A sleep that does something the first time that a condition holds."""

    def __init__(self, condition: Callable[[], bool], action: Callable[[], object]) -> None:
        self._condition = condition
        self._action = action
        self.done = False
        self._until = time.monotonic() + _PATIENCE_S

    def __call__(self, seconds: float) -> None:
        assert time.monotonic() < self._until, "the condition never held, or nothing ended"
        if not self.done and self._condition():
            self.done = True
            self._action()
        time.sleep(seconds)


def test_grades_a_class_on_two_nodes_and_leaves_nothing_behind(school: Class) -> None:
    school.hand_in("ann", GOOD)
    school.hand_in("ben", f"{GOOD}// another\n")
    school.hand_in("cat", WRONG)
    school.hand_in("dan", GOOD)
    school.folder.joinpath("eve").mkdir()
    outcome = school.grade(chunk=2)
    assert (outcome.chosen, outcome.graded, outcome.judge_errors) == (5, 5, 0)
    assert school.verdicts() == {
        "ann": Verdict.ACCEPTED,
        "ben": Verdict.ACCEPTED,
        "cat": Verdict.WRONG_ANSWER,
        "dan": Verdict.ACCEPTED,
        "eve": Verdict.NOTHING_GRADABLE,
    }
    assert not school.spool.exists()
    assert school.grade().graded == 0


def test_grades_again_what_is_forced(school: Class) -> None:
    school.hand_in("ann", GOOD)
    school.grade()
    assert school.grade(force=True).graded == 1


def test_hands_over_no_name_of_a_student(school: Class) -> None:
    school.hand_in("ann_of_the_class", f"{GOOD}// fake: sleep 1\n")
    texts: list[str] = []

    def look() -> None:
        for path in school.spool.rglob("*"):
            texts.append(str(path.relative_to(school.spool)))
            if path.is_file() and path.suffix in (".json", ".sh", ".txt", ""):
                texts.append(path.read_text(encoding="utf-8", errors="replace"))

    school.grade(sleep=Once(lambda: bool(school.chunks_running()), look))
    assert any("chunks" in text for text in texts)
    assert not any("ann_of_the_class" in text for text in texts)


def test_a_node_that_fails_is_replaced_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slurm").mkdir()
    with cluster(tmp_path / "slurm") as nodes:
        school = in_class(tmp_path, nodes, monkeypatch)
        school.hand_in_slow(4, 1.0)
        failure = Once(
            lambda: len(school.chunks_running()) == 2,
            lambda: nodes.kill_node(school.chunks_running()[0]),
        )
        outcome = school.grade(sleep=failure)
    assert failure.done
    assert (outcome.graded, outcome.judge_errors) == (4, 0)
    assert set(school.verdicts().values()) == {Verdict.ACCEPTED}


def test_jobs_that_were_cancelled_are_submitted_again(school: Class) -> None:
    school.hand_in_slow(3, 1.0)
    cancel = Once(
        lambda: bool(school.chunks_running()),
        lambda: school.nodes.say("scancel", "--name=grader-fake_sum"),
    )
    outcome = school.grade(sleep=cancel)
    assert cancel.done
    assert (outcome.graded, outcome.judge_errors) == (3, 0)


def test_a_submission_that_never_gets_a_result_is_our_fault_and_names_the_logs(
    school: Class,
) -> None:
    school.hand_in("ann", f"{GOOD}// fake: sleep 60\n")

    def cancel(seconds: float) -> None:
        if school.chunks_running():
            school.nodes.say("scancel", "--name=grader-fake_sum")
        time.sleep(seconds)

    outcome = school.grade(sleep=cancel)
    assert outcome.judge_errors == 1
    assert school.verdicts() == {"ann": Verdict.JUDGE_ERROR}
    assert list(school.spool.glob("*/logs/*.txt"))


def test_a_killed_grader_goes_on_and_repeats_nothing(school: Class) -> None:
    school.hand_in_slow(4, 0.5)
    command = [
        *(sys.executable, str(places.workspace() / "grader" / "main.py"), "grade"),
        *("--lab", "fake_sum", "--kit", str(school.kit), "--submissions", str(school.folder)),
        *("--out", str(school.out), "--seed", "7"),
        *("--executor", "slurm", "--spool", str(school.spool)),
    ]
    environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
    first = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    until = time.monotonic() + _PATIENCE_S
    while not list(school.spool.glob("*/results/*.json")):
        assert first.poll() is None
        assert time.monotonic() < until
        time.sleep(0.05)
    first.send_signal(signal.SIGKILL)
    first.wait()
    there = {path: path.stat().st_mtime_ns for path in school.spool.glob("*/results/*.json")}
    seen: list[dict[Path, int]] = []

    def look() -> None:
        seen.append({path: path.stat().st_mtime_ns for path in there})

    outcome = school.grade(sleep=Once(lambda: True, look))
    assert outcome.judge_errors == 0
    assert len(school.verdicts()) == 4
    assert seen == [there]


def test_options_that_slurm_refuses_are_an_error_in_its_words(school: Class) -> None:
    school.hand_in("ann", GOOD)
    executor = SlurmExecutor(school.spool, places.workspace(), ["--partition=nowhere"])
    how = HowToGrade(executor)
    request = Request("fake_sum", school.folder, school.out, how, kit=school.kit)
    with pytest.raises(GraderError, match=r"sbatch refused the jobs: .*partition"):
        grade_class(request, Console(file=io.StringIO()))


def test_waits_for_a_controller_that_is_restarted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "slurm").mkdir()
    with cluster(tmp_path / "slurm") as nodes:
        school = in_class(tmp_path, nodes, monkeypatch)
        school.hand_in_slow(3, 1.0)
        failure = Once(lambda: bool(school.chunks_running()), nodes.kill_controller)
        start = Once(lambda: failure.done, nodes.start_controller)

        def sleep(seconds: float) -> None:
            if failure.done:
                start(seconds)
            else:
                failure(seconds)

        monkeypatch.setattr(batch_system, "TIMEOUT_S", 1)
        outcome = school.grade(sleep=sleep)
    assert start.done
    assert (outcome.graded, outcome.judge_errors) == (3, 0)
    assert "waiting: squeue" in school.said.getvalue()


def test_waits_for_room_in_a_full_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slurm").mkdir()
    with cluster(tmp_path / "slurm", max_jobs=2) as nodes:
        school = in_class(tmp_path, nodes, monkeypatch)
        school.hand_in("ann", GOOD)
        nodes.say("sbatch", "--hold", "--output=/dev/null", "--wrap=true")
        monkeypatch.setattr(batch_system, "TIMEOUT_S", 1)
        room = Once(lambda: True, lambda: nodes.say("scancel", "--name=wrap"))
        outcome = school.grade(sleep=room)
    assert room.done
    assert (outcome.graded, outcome.judge_errors) == (1, 0)
    assert "waiting: sbatch" in school.said.getvalue()
