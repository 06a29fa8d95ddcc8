"""`serve --executor slurm` with a cluster on this machine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.judging.executors.tests.cluster import Cluster, cluster, missing
from grader.service import replays
from grader.service.grading.tests.kills import TEXTS
from grader.service.grading.tests.served import Served

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("slurm")) as made:
        yield made


@pytest.fixture
def served(tmp_path: Path, nodes: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    for name, value in nodes.environment.items():
        monkeypatch.setenv(name, value)
    made = Served(tmp_path, "--executor", "slurm")
    yield made
    made.kill()


def test_nodes_grade_what_is_handed_in_also_over_a_kill(served: Served, nodes: Cluster) -> None:
    served.start()
    for number, text in enumerate(TEXTS.values()):
        served.hand_in("ada", text, f"{number:032x}")
    served.wait_for(lambda: "R" in nodes.say("squeue", "--noheader", "--format=%t"))
    served.kill()
    served.start()
    served.wait_until_graded()
    rows = served.rows("SELECT verdict FROM submissions ORDER BY number")
    assert [row["verdict"] for row in rows] == [*TEXTS]
    assert served.stop() == 0
    assert not list((served.data / "spool").glob("*"))


def test_a_replay_is_left_to_a_node(served: Served) -> None:
    served.start()
    receipt = served.hand_in("ada", TEXTS["wrong_answer"], "0" * 32)
    served.wait_until_graded()
    replays.ask(served.service, receipt["id"], "tess")
    served.wait_for(lambda: bool(served.rows("SELECT 1 FROM replays WHERE state = 'failed'")))
    assert not list((served.data / "kits").glob("*/log")), "this machine ran a student's code"


def test_jobs_end_with_the_service(served: Served, nodes: Cluster) -> None:
    served.start()
    served.hand_in("ada", "// fake: sleep 60\n", "0" * 32)
    served.wait_for(lambda: "R" in nodes.say("squeue", "--noheader", "--format=%t"))
    assert served.stop() == 0
    served.wait_for(lambda: "R" not in nodes.say("squeue", "--noheader", "--format=%t"))
    assert [row["state"] for row in served.rows("SELECT * FROM submissions")] == ["waiting"]
