"""The command on small suites of our own; the compiler takes a shell script for a program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from common.cudasim.fidelity.labelled import scor, suites
from common.cudasim.fidelity.labelled.execute import first_error, outcome_of, without_body
from common.cudasim.fidelity.labelled.model import (
    Cause,
    Judgement,
    Label,
    Outcome,
    Program,
    Row,
    SuitesError,
    judge,
    read_judgements,
)

RACY = 'echo "cudasim: data_race: kernel K, x.cu:1: a race" >&2; exit 67\n'
CLEAN = 'echo "cudasim: warning: leak: 4 bytes" >&2; exit 0\n'
COMPILER = """#!/bin/sh
while [ $# -gt 1 ]; do
  case $1 in *.cu) grep -q 'no compile' "$1" && { echo "$1:1:2: error: bad" >&2; exit 1; }
    cp "$1" program && chmod +x program;; esac
  shift
done
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a checkout of ScoR without programs, and an empty file of judgements."""
    (tmp_path / "ScoR" / scor.MARKER).mkdir(parents=True)
    (tmp_path / "judgements").mkdir()
    (tmp_path / "judgements" / "scor.toml").write_text("")
    compiler = tmp_path / "compiler"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    return tmp_path


def add(folder: Path, name: str, script: str) -> None:
    (folder / "ScoR" / scor.MARKER / f"{name}.cu").write_text("#!/bin/sh\n" + script)


def judged(folder: Path, text: str) -> None:
    (folder / "judgements" / "scor.toml").write_text(text)


def run(folder: Path, *more: str) -> int:
    own = ["--compiler", str(folder / "compiler"), "--judgements", str(folder / "judgements")]
    return suites.main(["--folder", str(folder), *own, "--jobs", "1", *more])


def row(label: Label, kind: str, name: str = "p") -> Row:
    return Row(Program("scor", name, label), Outcome(kind))


def judgement(outcome: str, name: str = "p") -> Judgement:
    return Judgement("scor", name, outcome, Cause.SOURCE, "line 3")


def test_programs_that_agree_with_their_names_need_no_judgement(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "race_a", RACY)
    add(folder, "norace_b", CLEAN)
    assert run(folder) == 0
    out = capsys.readouterr().out
    assert "| norace_b | clean | clean | agrees |  |\n" in out
    assert "| race_a | race | data_race | agrees |  |\n" in out
    assert out.endswith("ScoR: 2 programs, 2 agree\n")


def test_a_disagreement_without_a_judgement_fails_and_names_the_file_to_edit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "race_a", CLEAN)
    assert run(folder) == 1
    said = capsys.readouterr()
    assert "| race_a | race | clean | NOT JUDGED |  |" in said.out
    assert "error: not judged: scor race_a: expected race, check mode: clean\n" in said.err
    assert f"give the reason in {folder}/judgements/scor.toml\n" in said.err


def test_a_judged_disagreement_passes_and_prints_its_reason(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "norace_a", RACY)
    judged(folder, '[norace_a]\noutcome = "data_race"\ncause = "source"\nreason = "Line 7."\n')
    assert run(folder) == 0
    out = capsys.readouterr().out
    assert "| norace_a | clean | data_race | judged: source | Line 7. |" in out
    assert out.endswith("ScoR: 1 programs, 0 agree, 1 disagree (source 1)\n")


def test_a_judgement_that_no_longer_applies_fails(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "race_a", RACY)
    judged(folder, '[race_a]\noutcome = "clean"\ncause = "limit"\nreason = "Missed."\n')
    assert run(folder) == 1
    err = capsys.readouterr().err
    assert "no longer applies: scor race_a (clean): the outcome agrees with the label" in err


def test_a_program_that_does_not_compile_disagrees_and_shows_the_first_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "norace_a", "# no compile\n")
    assert run(folder) == 1
    line = "| norace_a | clean | compile_error | NOT JUDGED | norace_a.cu:1: bad |"
    assert line in capsys.readouterr().out


def test_a_program_that_does_not_end_reaches_the_limit(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add(folder, "norace_a", "while :; do :; done\n")
    assert run(folder, "--limit", "1") == 1
    assert "| time_limit | NOT JUDGED | limit 1 s of CPU time |" in capsys.readouterr().out


def test_a_pattern_selects_programs_and_leaves_the_judgements_of_others_alone(
    folder: Path,
) -> None:
    add(folder, "race_a", RACY)
    add(folder, "race_b", CLEAN)
    judged(folder, '[race_b]\noutcome = "clean"\ncause = "limit"\nreason = "Missed."\n')
    assert run(folder, "--program", "*_a") == 0


def test_writes_the_rows_as_json(folder: Path) -> None:
    add(folder, "race_a", RACY)
    assert run(folder, "--json", str(folder / "rows.json")) == 0
    [record] = json.loads((folder / "rows.json").read_text())
    assert (record["program"], record["outcome"], record["agreement"]) == (
        "race_a",
        "data_race",
        "agrees",
    )
    assert record["detail"] == "kernel K, x.cu:1: a race"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--folder", "/no/such"], "no such folder: /no/such\n  next: give a folder"),
        (["--compiler", "/no/compiler"], "no compiler: /no/compiler\n  next: bazel build"),
        (["--suite", "rodinia"], "no checkout of Rodinia's CUDA programs in /"),
        (["--judgements", "/no/such"], "malformed judgements: /no/such/scor.toml: "),
    ],
)
def test_names_what_is_missing_and_the_next_step(
    folder: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, *options) == 2
    err = capsys.readouterr().err
    assert f"error: {message}" in err
    assert "\n  next: " in err


def test_a_folder_without_any_suite_is_an_error(
    tmp_path: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert run(folder, "--folder", str(empty)) == 2
    assert (
        f"error: no checkout of a suite in {empty}\n  next: git clone " in capsys.readouterr().err
    )


def test_the_folder_may_be_the_checkout(folder: Path) -> None:
    add(folder, "race_a", RACY)
    assert run(folder, "--folder", str(folder / "ScoR"), "--suite", "scor") == 0


def test_the_judgements_in_this_folder_are_well_formed() -> None:
    for suite in suites.SUITES:
        read_judgements(suites.HERE / "judgements" / f"{suite.name}.toml", suite.name)


@pytest.mark.parametrize(
    "text",
    [
        "[a",
        'a = "b"',
        '[a]\noutcome = "clean"\ncause = "limit"\n',
        '[a]\noutcome = "clean"\ncause = "mood"\nreason = "x"\n',
        '[a]\noutcome = "clean"\ncause = "limit"\nreason = " "\n',
    ],
)
def test_a_malformed_judgement_is_an_error_with_the_path(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scor.toml"
    path.write_text(text)
    with pytest.raises(SuitesError, match=rf"{path}.*\n  next: "):
        read_judgements(path, "scor")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([row(Label.RACE, "data_race")], "the outcome agrees with the label: data_race"),
        ([row(Label.CLEAN, "out_of_bounds")], "the outcome is now out_of_bounds"),
        ([Row(Program("scor", "p", Label.CLEAN), None, "no")], "the program was not run: no"),
        ([row(Label.CLEAN, "clean", "q")], "the suite has no such program"),
    ],
)
def test_says_why_a_judgement_no_longer_applies(rows: list[Row], reason: str) -> None:
    judged_rows, stale = judge(rows, [judgement("data_race")])
    assert stale == [f"scor p (data_race): {reason}"]
    assert all(one.judgement is None for one in judged_rows)


def test_a_missing_program_counts_only_in_a_whole_suite() -> None:
    assert judge([], [judgement("clean")], whole_suite=False) == ([], [])


def test_only_a_race_agrees_with_a_race_and_only_a_defect_with_an_error() -> None:
    assert row(Label.RACE, "data_race").agreement == "agrees"
    assert row(Label.RACE, "out_of_bounds").agreement == "NOT JUDGED"
    assert row(Label.ERROR, "assertion").agreement == "agrees"
    assert row(Label.ERROR, "uninitialised_read").agreement == "NOT JUDGED"
    assert row(Label.RACE, "barrier_divergence, data_race").agreement == "agrees"
    assert row(Label.CLEAN, "leak, data_race").agreement == "NOT JUDGED"
    assert row(Label.COMPILE_ERROR, "compile_error").agreement == "agrees"
    assert row(Label.CLEAN, "compile_error").agreement == "NOT JUDGED"


def test_warnings_are_no_finding_and_a_failure_without_a_finding_is_no_success() -> None:
    assert outcome_of(0, "cudasim: warning: leak: 4 bytes\n", 9) == Outcome("clean")
    assert outcome_of(1, "usage: x\n", 9) == Outcome("exit 1", "usage: x")
    assert outcome_of(-11, "", 9) == Outcome("signal 11", "SIGSEGV")
    assert outcome_of(-24, "", 9).kind == "time_limit"
    warned = "cudasim: warning: leak: x\ncudasim: deadlock: y\n"
    assert outcome_of(67, warned, 9) == Outcome("deadlock", "y")


def test_an_outcome_names_each_kind_of_finding_once() -> None:
    said = "".join(f"cudasim: {kind}: x\n" for kind in ("data_race", "deadlock", "data_race"))
    again = "cudasim: data_race: and 3 times more: x\n"
    assert outcome_of(67, said + again, 9) == Outcome("data_race, deadlock", "x")


def test_an_error_is_named_without_its_folder() -> None:
    text = "In file included from a.cu:1:\n/tmp/x/k.cu:7:3: fatal error: no: such\nmore\n"
    assert first_error(text) == "k.cu:7: no: such"
    assert first_error("something else\n") == "something else"


def test_a_function_that_the_suite_only_declares_is_no_failure_of_ours(tmp_path: Path) -> None:
    kernel = tmp_path / "kernel.cu"
    kernel.write_text("__device__ int open(\n int);\n__device__ int closed() { return 0; }\n")
    made = Program("s", "p", Label.CLEAN, files={"main.cu": f'#include "{kernel}"\n'})
    assert "calls open()" in without_body(made, "x: undefined reference to `open(int)'\n")
    assert without_body(made, "x: undefined reference to `closed()'\n") == ""
    assert without_body(made, "x: undefined reference to `cudaOther'\n") == ""


def test_a_benchmark_of_scor_is_two_programs(folder: Path) -> None:
    benchmark = folder / "ScoR" / "benchmarks" / "uts"
    benchmark.mkdir(parents=True)
    (benchmark / "Makefile").write_text("NTHREADS ?= 9\nFILES := a.cu b.cu\n")
    clean, racy = scor.programs(folder / "ScoR", 1)
    assert (clean.name, clean.label) == ("uts", Label.CLEAN)
    assert (racy.name, racy.label) == ("uts RACEY", Label.RACE)
    assert clean.sources == (benchmark / "a.cu", benchmark / "b.cu")
    assert set(racy.flags) - set(clean.flags) == {"-DRACEY"}
    (benchmark / "Makefile").write_text("all:\n")
    with pytest.raises(SuitesError, match=f"no FILES in {benchmark}/Makefile"):
        scor.programs(folder / "ScoR", 1)
