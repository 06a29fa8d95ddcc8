"""What differs without a jail or a memory cgroup: neither paths in messages nor verdicts."""

import sys
from pathlib import Path

import pytest

from common.lab.programming_models.phases import RACES, TESTS
from grader.model.lab import Part
from grader.model.manifest import load_kit
from grader.proof.fakes.fake_kit import make_kit
from grader.sandbox.processes import Processes
from grader.sandbox.run_checker import LIBRARY, CheckerRun, run_checker
from grader.sandbox.run_in_jail import Bounds, Outcome, run_in_jail

_KEY = f"{7:032x}"
_BOUNDS = Bounds(wall_s=5, memory_mb=64)
# As the real one does: runs the command with the places replaced by the folders' own paths.
_JAIL = """#!{python} -SE
import json, sys
words = sys.argv[1:]
places = dict((words[i + 2], words[i + 1]) for i, w in enumerate(words) if w in ("--ro", "--rw"))
step = words[words.index("--") + 1:]
out = step[step.index("-o") + 1].replace("/out", places["/out"])
own = places["/submission"]
open(out, "w").write('# 1 "' + own + '/sum.cc"\\nconst char* file = "' + own + '/sum.cc";\\n')
answer = {{"outcome": "exited", "output": own + "/sum.cc:3: error", "unjailed": True}}
assert ("--allow-unjailed" in words) == {expected}
open(words[words.index("--result") + 1], "w").write(json.dumps(answer))
"""


def _run(folder: Path, step: list[str], *, unjailed: bool) -> tuple[Outcome, str]:
    jail = folder / "jail"
    jail.write_text(_JAIL.format(python=sys.executable, expected=unjailed))
    jail.chmod(0o755)
    (folder / "own").mkdir()
    (folder / "own" / "out").mkdir()
    outcome = run_in_jail(
        Processes(),
        jail,
        step,
        _BOUNDS,
        result=folder / "result.json",
        read_only={folder / "own": "/submission"},
        writable={folder / "own" / "out": "/out"},
        unjailed=unjailed,
    )
    return outcome, (folder / "own" / "out" / "sum.ii").read_text()


def test_gives_preprocessed_text_and_messages_the_places_of_a_jail(tmp_path: Path) -> None:
    outcome, text = _run(tmp_path, ["cc", "-E", "-o", "/out/sum.ii"], unjailed=True)
    assert text == '# 1 "/submission/sum.cc"\nconst char* file = "/submission/sum.cc";\n'
    assert outcome.output == "/submission/sum.cc:3: error"


def test_leaves_all_as_it_is_in_a_jail(tmp_path: Path) -> None:
    outcome, text = _run(tmp_path, ["cc", "-E", "-o", "/out/sum.ii"], unjailed=False)
    assert str(tmp_path) in text
    assert str(tmp_path) in outcome.output


def test_leaves_what_a_compiler_makes_as_it_is(tmp_path: Path) -> None:
    _, text = _run(tmp_path, ["cc", "-c", "-o", "/out/sum.ii"], unjailed=True)
    assert str(tmp_path) in text


@pytest.mark.parametrize("unjailed", [True, False])
def test_race_reports_name_the_library_as_in_a_jail(tmp_path: Path, unjailed: bool) -> None:
    kit = load_kit(make_kit(tmp_path)).model_copy(update={"unjailed": unjailed})
    library = tmp_path / "student_races.so"
    library.write_text("// fake: sleep 0\n")
    checker = kit.root / "checker"
    said = "#0 <null> <null> (student_races.so+0x10)"
    checker.write_text(
        checker.read_text().replace('"message": ""}', f'"message": "", "stderr": "{said}"}}')
    )
    part = Part(function="SumA", title="First", suite="SumATest", points=1)
    run = CheckerRun(kit, RACES, [part], library, _KEY, tmp_path / "report.json")
    assert ("--allow-unjailed" in run.command()) is unjailed
    (case,) = run_checker(Processes(), run).cases
    assert case.stderr == (said.replace("student_races.so", LIBRARY) if unjailed else said)


@pytest.mark.parametrize("cuda", [True, False])
def test_the_simulators_stacks_do_not_count_as_memory(tmp_path: Path, cuda: bool) -> None:
    kit = load_kit(make_kit(tmp_path, counters=cuda))
    part = Part(function="SumA", title="First", suite="SumATest", points=1)
    run = CheckerRun(kit, TESTS, [part], tmp_path / "student.so", _KEY, tmp_path / "report.json")
    assert any(str(word).startswith("--reserved-mb=") for word in run.command()) is cuda
