"""Child processes, which never outlive the grader, and the lock that keeps timing undisturbed."""

import os
import pwd
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grader.model.errors import GraderError, JudgeError
from grader.sandbox import machine
from grader.sandbox.machine import MachineLock, machine_class
from grader.sandbox.processes import Processes, StoppedError
from grader.sandbox.run_in_jail import probe
from grader.sandbox.suspension import Suspension

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").split(")")[1]
    except (FileNotFoundError, ProcessLookupError):  # ended before or during the read
        return False


def wait_until(path: Path) -> str:
    for _ in range(500):
        if path.exists() and path.read_text(encoding="utf-8"):
            return path.read_text(encoding="utf-8")
        time.sleep(0.01)
    raise AssertionError(f"{path} was not written")


def wait_until_dead(pid: int) -> bool:
    for _ in range(500):
        if not alive(pid):
            return True
        time.sleep(0.01)
    return False


def wait_until_blocked(child: subprocess.Popen[bytes]) -> None:
    """Waits for uninterruptible sleep; ends the session of a child that does not reach it."""
    state = ""
    for _ in range(1000):
        state = Path(f"/proc/{child.pid}/stat").read_text(encoding="utf-8").split()[2]
        if state == "D":
            return
        time.sleep(0.01)
    os.killpg(child.pid, signal.SIGKILL)
    pytest.fail(f"the child is in state {state} after 10 s, not in D, which vfork() waits in")


def test_what_no_clock_measures_yields_to_others() -> None:
    processes = Processes(niceness=3)
    own = os.nice(0)
    said = [
        processes.run(["nice"], deadline_s=10, yields=yields).stdout for yields in (False, True)
    ]
    assert said == [f"{own}\n", f"{min(19, own + 3)}\n"]


def test_tells_how_a_child_ended() -> None:
    finished = Processes().run(["/bin/sh", "-c", "echo why >&2; exit 3"], deadline_s=5)
    assert (finished.code, finished.stderr) == (3, "why\n")


def test_a_program_that_is_not_there_is_our_failure() -> None:
    finished = Processes().run(["/nowhere/program"], deadline_s=5)
    assert finished.code != 0


def test_a_child_that_outlives_its_deadline_is_ended() -> None:
    before = time.monotonic()
    with pytest.raises(JudgeError, match=r"did not end within 0\.1 s"):
        Processes().run(["/bin/sleep", "60"], deadline_s=0.1)
    assert time.monotonic() - before < 5


class Unkillable:
    """A child that the grader's signals do not end, like one in an uninterruptible system call."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._pid_file = folder / "pid"
        self.command = ["/bin/sh", "-c", f"echo $$ > {self._pid_file}; exec sleep 60"]
        monkeypatch.setattr("grader.sandbox.processes._signal", lambda _child, _number: None)
        monkeypatch.setattr("grader.sandbox.processes.GRACE_S", 0.1)
        monkeypatch.setattr("grader.sandbox.processes.KILL_S", 0.2)

    @property
    def pid(self) -> int:
        return int(wait_until(self._pid_file))


@pytest.fixture
def unkillable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Unkillable]:
    child = Unkillable(tmp_path, monkeypatch)
    yield child
    os.kill(child.pid, signal.SIGKILL)


def test_a_child_that_does_not_die_is_left_and_named(unkillable: Unkillable) -> None:
    before = time.monotonic()
    with pytest.raises(JudgeError, match=r"did not end within 0\.3 s, and process (\d+)") as error:
        Processes().run(unkillable.command, deadline_s=0.3)
    assert f"process {unkillable.pid} did not die of SIGKILL within 0.2 s" in str(error.value)
    assert "restart the machine" in str(error.value)
    assert time.monotonic() - before < 5


def test_stopping_does_not_wait_for_a_child_that_does_not_die(unkillable: Unkillable) -> None:
    processes = Processes()
    refused: list[BaseException] = []

    def run() -> None:
        try:
            processes.run(unkillable.command, deadline_s=0.5)
        except JudgeError as error:
            refused.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert alive(unkillable.pid)
    processes.stop()
    thread.join(10)
    assert len(refused) == 1


def test_a_jail_that_does_not_answer_is_an_error_before_anything_is_graded(
    unkillable: Unkillable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jail = tmp_path / "jail"
    jail.write_text(f"#!/bin/sh\n{unkillable.command[2]}\n", encoding="utf-8")
    jail.chmod(0o755)
    monkeypatch.setattr("grader.sandbox.run_in_jail.PROBE_S", 0.3)
    with pytest.raises(
        GraderError, match=r"did not end within 0\.3 s, and process \d+ did not die"
    ):
        probe(jail)


def test_a_child_that_was_stopped_is_a_judge_error(tmp_path: Path) -> None:
    command = ["/bin/sh", "-c", f"echo $$ > {tmp_path}/pid; exec sleep 1.5"]

    def suspend() -> None:
        child = int(wait_until(tmp_path / "pid"))
        os.kill(child, signal.SIGSTOP)
        time.sleep(1.5)
        os.kill(child, signal.SIGCONT)

    threading.Thread(target=suspend).start()
    with pytest.raises(JudgeError, match=r"sh was stopped from outside for about \d s"):
        Processes().run(command, deadline_s=30)


def test_a_jail_probe_that_was_stopped_is_accepted(tmp_path: Path) -> None:
    jail = tmp_path / "jail"
    stop = 'kill -STOP $$; echo \'{"protections_lost": ["one"]}\''
    jail.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\n{stop}\n", encoding="utf-8")
    jail.chmod(0o755)

    def go_on() -> None:
        child = int(wait_until(tmp_path / "pid"))
        time.sleep(1.5)
        os.kill(child, signal.SIGCONT)

    threading.Thread(target=go_on).start()
    assert probe(jail) == ["one"]


def test_a_killed_jail_probe_asks_to_run_the_command_again(tmp_path: Path) -> None:
    jail = tmp_path / "jail"
    jail.write_text("#!/bin/sh\nkill -KILL $$\n", encoding="utf-8")
    jail.chmod(0o755)
    with pytest.raises(GraderError, match="jail was killed by signal 9") as error:
        probe(jail)
    assert error.value.next_step == "run the same command again"


_SUSPENDED = """
import sys
from grader.model.errors import JudgeError
from grader.sandbox.processes import Processes
try:
    Processes().run(["/bin/sh", "-c", f"echo $$ > {sys.argv[1]}; exec sleep 2"], deadline_s=30)
except JudgeError as error:
    print(error)
"""


def test_a_child_that_ran_while_the_grader_was_stopped_is_a_judge_error(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", _SUSPENDED, str(tmp_path / "pid")]
    with subprocess.Popen(argv, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as suspended:
        wait_until(tmp_path / "pid")
        suspended.send_signal(signal.SIGSTOP)
        time.sleep(3)
        suspended.send_signal(signal.SIGCONT)
        said, _ = suspended.communicate(timeout=30)
    assert re.search(r"was stopped from outside for about \d s", said), said


def test_a_child_that_cannot_stop_before_its_own_child_is_a_program_stands_still(
    tmp_path: Path,
) -> None:
    os.mkfifo(tmp_path / "fifo")
    opens = [(os.POSIX_SPAWN_OPEN, 0, str(tmp_path / "fifo"), os.O_RDONLY, 0)]
    code = f"import os; os.posix_spawn('/bin/true', ['true'], {{}}, file_actions={opens})"
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as child:
        wait_until_blocked(child)
        suspension = Suspension()
        suspension.look(child.pid)
        before = suspension.seconds
        child.send_signal(signal.SIGSTOP)
        suspension.look(child.pid)
        (tmp_path / "fifo").write_bytes(b"")
        child.send_signal(signal.SIGCONT)
    assert before == 0
    assert suspension.seconds > 0


def test_waiting_for_a_core_is_no_suspension(monkeypatch: pytest.MonkeyPatch) -> None:
    now, waited = iter([0.0, 3.0, 6.0]), iter([0.0, 2.6, 2.7])
    monkeypatch.setattr("grader.sandbox.suspension.time.monotonic", lambda: next(now))
    monkeypatch.setattr("grader.sandbox.suspension._waited_for_a_core", lambda: next(waited))
    suspension = Suspension()
    suspension.look(os.getpid())
    assert suspension.seconds == 0
    suspension.look(os.getpid())
    assert suspension.seconds == 3


def test_children_see_nothing_of_the_graders_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "x")
    Processes().run(["/bin/sh", "-c", f"env > {tmp_path}/env"], deadline_s=5)
    assert "SECRET" not in (tmp_path / "env").read_text(encoding="utf-8")


def test_stop_ends_children_with_their_own_children_and_refuses_new_ones(tmp_path: Path) -> None:
    processes = Processes()
    pid_file = tmp_path / "pid"
    command = ["/bin/sh", "-c", f"trap '' TERM; sleep 60 & echo $! > {pid_file}; wait; wait"]
    stopped: list[bool] = []

    def run() -> None:
        try:
            processes.run(command, deadline_s=60)
        except StoppedError:
            stopped.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    grandchild = int(wait_until(pid_file))
    processes.stop()
    thread.join(10)
    assert stopped == [True]
    assert wait_until_dead(grandchild)
    with pytest.raises(StoppedError):
        processes.run(["/bin/true"], deadline_s=1)
    with pytest.raises(StoppedError):
        processes.pause(60)


_PARENT = """
import sys
from grader.sandbox.processes import Processes
Processes().run(["/bin/sh", "-c", f"echo $$ > {sys.argv[1]}; exec sleep 60"], deadline_s=60)
"""


def test_a_killed_grader_takes_its_children_with_it(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", _PARENT, tmp_path / "pid"], env=ENVIRONMENT)
    child = int(wait_until(tmp_path / "pid"))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert wait_until_dead(child)


def test_timing_waits_for_work_and_work_waits_for_timing(tmp_path: Path) -> None:
    lock = MachineLock(Processes(), tmp_path)
    events: list[str] = []
    started = threading.Event()

    def timing() -> None:
        started.set()
        with lock.alone():
            events.append("timing")
            time.sleep(0.1)
            events.append("timed")

    def work() -> None:
        with lock.shared():
            events.append("work")

    with lock.shared():
        with lock.shared():
            events.append("side by side")
        timer = threading.Thread(target=timing)
        timer.start()
        started.wait()
        time.sleep(0.1)
        worker = threading.Thread(target=work)
        worker.start()
        time.sleep(0.1)
        events.append("first work ends")
    timer.join()
    worker.join()
    assert events == ["side by side", "first work ends", "timing", "timed", "work"]


_LOCK = (
    "import sys; from pathlib import Path; from grader.sandbox.machine import MachineLock; "
    "from grader.sandbox.processes import Processes\n"
    "with MachineLock(Processes(), Path(sys.argv[1]))"
)


def test_one_graders_timing_keeps_another_grader_off_the_machine(tmp_path: Path) -> None:
    code = f"{_LOCK}.shared(): print('in', flush=True)"
    with MachineLock(Processes(), tmp_path).alone():
        other = subprocess.Popen(
            [sys.executable, "-c", code, tmp_path], env=ENVIRONMENT, stdout=subprocess.PIPE
        )
        with pytest.raises(subprocess.TimeoutExpired):
            other.wait(0.7)
    assert other.communicate(timeout=10)[0] == b"in\n"


def test_a_grader_that_waits_long_names_once_the_process_that_has_the_machine(
    tmp_path: Path,
) -> None:
    code = f"{_LOCK}.alone(): print('in', flush=True), sys.stdin.read()"
    pipe = subprocess.PIPE
    argv = [sys.executable, "-c", code, str(tmp_path)]
    told: list[str] = []
    with subprocess.Popen(argv, env=ENVIRONMENT, stdin=pipe, stdout=pipe) as other:
        assert other.stdout
        assert other.stdout.readline() == b"in\n"
        assert other.stdin
        threading.Timer(1.0, other.stdin.close).start()
        with MachineLock(Processes(), tmp_path, say=told.append, patience_s=0.2).shared():
            pass
    assert len(told) == 1
    assert told[0].startswith(f"waiting: process {other.pid}, another grader, has the machine (")
    assert f"): {pwd.getpwuid(os.getuid()).pw_name} runs {sys.executable} -c import sys" in told[0]
    assert "\n  next: " in told[0]


def test_graders_with_other_folders_for_temporary_files_share_one_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_LOCKS", str(tmp_path))
    monkeypatch.setenv("GRADER_LOCKS", "")
    monkeypatch.setenv("TMPDIR", str(tmp_path / "mine"))
    with MachineLock(Processes()).shared():
        names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["grader-machine.gate", "grader-machine.lock"]
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in tmp_path.iterdir())


def test_a_test_does_not_wait_for_graders_outside_unless_it_is_exclusive() -> None:
    with MachineLock(Processes()).shared():
        assert Path(os.environ["TEST_TMPDIR"], "grader-machine.lock").exists()


def test_waiting_for_a_thread_of_the_same_grader_prints_nothing(tmp_path: Path) -> None:
    told: list[str] = []
    lock = MachineLock(Processes(), tmp_path, say=told.append, patience_s=0.1)

    def work() -> None:
        with lock.shared():
            pass

    with lock.alone():
        worker = threading.Thread(target=work)
        worker.start()
        time.sleep(0.5)
    worker.join()
    assert not told


def test_waiting_for_the_machine_can_be_stopped(tmp_path: Path) -> None:
    processes = Processes()
    with MachineLock(Processes(), tmp_path).alone():
        threading.Timer(0.1, processes.stop).start()
        with pytest.raises(StoppedError), MachineLock(processes, tmp_path).shared():
            pass


def test_waiting_timings_run_in_one_turn(tmp_path: Path) -> None:
    lock = MachineLock(Processes(), tmp_path, slots=2)
    events: list[str] = []
    hold = threading.Event()

    def work(name: str) -> None:
        with lock.shared():
            events.append(name)
            hold.wait(5)

    def timing(name: str) -> None:
        with lock.alone():
            events.append(name)

    def start(target: Callable[[str], None], name: str) -> threading.Thread:
        thread = threading.Thread(target=target, args=(name,))
        thread.start()
        time.sleep(0.05)
        return thread

    threads = [start(work, "work"), start(timing, "timing"), start(work, "beside")]
    threads += [start(work, "third"), start(timing, "timing"), start(work, "last")]
    assert events == ["work", "beside"]
    hold.set()
    for thread in threads:
        thread.join(5)
    assert events[:4] == ["work", "beside", "timing", "timing"]
    assert sorted(events[4:]) == ["last", "third"]


def test_a_single_timing_does_not_wait_for_others(tmp_path: Path) -> None:
    lock = MachineLock(Processes(), tmp_path, slots=4)
    with lock.shared():
        pass
    before = time.monotonic()
    with lock.alone():
        assert time.monotonic() - before < 1


def test_waiting_for_a_turn_can_be_stopped(tmp_path: Path) -> None:
    processes = Processes()
    lock = MachineLock(processes, tmp_path, slots=1)
    with lock.shared():
        threading.Timer(0.1, processes.stop).start()
        with pytest.raises(StoppedError), lock.alone():
            pass


def test_the_machines_class_names_its_processor_and_cores() -> None:
    assert machine_class().endswith(f" x{len(os.sched_getaffinity(0))}")
