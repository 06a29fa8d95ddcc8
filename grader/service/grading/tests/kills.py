"""Kills the service at random moments while students hand in, and checks what was promised.

    PYTHONPATH=. .venv/bin/python3 -m grader.service.grading.tests.kills [KILLS [SEED [SECONDS]]]

Whoever has a receipt has a submission; each is graded once, and no verdict ever changes.
"""

import os
import random
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path

from grader.proof.fakes.fake_kit import GOOD
from grader.service.grading.tests.served import STUDENTS, Served

_MOST_S = 1.5
"""Until a kill, from when the service answers."""
TEXTS = {
    "accepted": f"{GOOD}// fake: compiling 0.02\n// fake: worker 0.05\n",
    "wrong_answer": f"{GOOD}// fake: tests SumATest wrong_answer expected 1, got 2\n",
    "data_race": f"{GOOD}// fake: races SumBTest data_race\n",
    "compile_error": "// fake: compile exited 1 sum.cc:3:1: error: expected ';'\n",
}


class Students:
    """Hand in one file after the other, each until its receipt is there."""

    def __init__(self, served: Served, seed: int) -> None:
        self._served = served
        self._random = random.Random(seed)  # noqa: S311 (a seed that can be given again)
        self._is_over = threading.Event()
        self.receipts: dict[str, tuple[str, str]] = {}
        """Submission -> what its verdict must be, and its key."""
        self.failed: list[BaseException] = []
        self._thread = threading.Thread(target=self._hand_in)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._is_over.set()
        self._thread.join()
        if self.failed:
            raise self.failed[0]

    def _hand_in(self) -> None:
        number = 0
        try:
            while not self._is_over.wait(self._random.uniform(0, 2)):
                number += 1
                verdict, text = self._random.choice(list(TEXTS.items()))
                if self._random.random() < 0.8:  # the others hand in what was graded already
                    text += f"// {number}\n"
                key = f"{self._random.getrandbits(128):032x}"
                receipt = self._served.hand_in(self._random.choice(STUDENTS), text, key)
                self.receipts[receipt["id"]] = verdict, key
        except BaseException as error:
            self.failed.append(error)


def kill_often(served: Served, kills: int, seed: int, most_s: float = _MOST_S) -> Counter[str]:
    """What was killed, and how often; AssertionError if a promise was broken."""
    chance = random.Random(seed)  # noqa: S311
    students, seen, killed = Students(served, seed + 1), dict[str, str](), Counter[str]()
    served.start()
    students.start()
    try:
        while sum(killed.values()) < kills:
            time.sleep(chance.uniform(0, most_s))
            killed[_kill_one(served, chance)] += 1
            _remember(served, seen)
            if not served.is_alive:
                served.start()
    finally:
        students.stop()
    served.wait_until_graded()
    assert served.stop() == 0, served.said
    _check(served, students, seen)
    return killed


def _kill_one(served: Served, chance: random.Random) -> str:
    what = chance.choice(("server", "grader", "all", "one of the grader's"))
    grader = served.grading_process()
    pids = served.tree()
    if what == "server" or grader is None:
        what, pids = "server", pids[:1]
    elif what == "grader":
        pids = [grader]
    elif what != "all":
        others = [pid for pid in pids[1:] if pid != grader]
        what, pids = (what, [chance.choice(others)]) if others else ("grader", [grader])
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if served.process and pids[0] == served.process.pid:
        served.process.wait()
    return what


def _remember(served: Served, seen: dict[str, str]) -> None:
    """Final results as the store first had them."""
    for digest, body in _results(served).items():
        seen.setdefault(digest, body)


def _results(served: Served) -> dict[str, str]:
    path = served.data / "results" / "fake_sum" / "results.sqlite"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30)) as database:
        try:
            rows = database.execute("SELECT submission, body FROM results WHERE final")
            return dict(rows.fetchall())
        except sqlite3.OperationalError:  # killed before it had a table
            return {}


def _check(served: Served, students: Students, seen: dict[str, str]) -> None:
    rows = {row["id"]: row for row in served.rows("SELECT * FROM submissions")}
    lost = students.receipts.keys() - rows.keys()
    assert not lost, f"{len(lost)} receipts without a submission"
    keys = [key for _, key in students.receipts.values()]
    assert len(rows) == len(set(keys)), f"{len(rows)} submissions for {len(set(keys))} requests"
    wrong = [
        (verdict, rows[name]["verdict"])
        for name, (verdict, _) in students.receipts.items()
        if rows[name]["verdict"] != verdict
    ]
    assert not wrong, f"(right, given): {wrong}"
    graded = Counter(row["about"] for row in served.rows("SELECT * FROM log WHERE what = 'graded'"))
    assert set(graded.values()) == {1}, f"graded more than once: {graded.most_common(3)}"
    now = _results(served)
    changed = [digest for digest, body in seen.items() if now.get(digest) != body]
    assert not changed, f"{len(changed)} stored results were lost or graded again"
    for path in (served.data / "service.sqlite", *(served.data / "results").glob("*/*.sqlite")):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    left = list(served.folder.glob("grader-work-*"))
    assert len(left) <= 1, f"left behind: {left}"


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().getrandbits(31)
    most_s = float(sys.argv[3]) if len(sys.argv) > 3 else _MOST_S
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="service-kills-") as folder:
        served = Served(Path(folder))
        try:
            killed = kill_often(served, kills, seed, most_s)
        except BaseException:
            print(served.said[-4000:])
            raise
        finally:
            served.kill()
        count = served.rows("SELECT COUNT(*) AS n FROM submissions")[0]["n"]
    print(f"{dict(killed)}: {count} submissions, none lost, each graded once, as it should be")


if __name__ == "__main__":
    main()
