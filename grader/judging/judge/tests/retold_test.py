"""Findings and advice: the simulator's own words pass, what a program says does not."""

import re
from collections import Counter
from pathlib import Path

import pytest

from grader.judging.judge.retold import Readable, readable, retold_counter, with_findings
from grader.model.result import CounterResult
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case

V = Verdict
REPORTS = Path("common/cudasim/tests")
SOURCE = "__global__ void Add(float* out) { out[0] = 17; }\nassert(out != nullptr);\n"
STUDENT = Readable([SOURCE], frozenset(re.findall(r"\w+", SOURCE)), {"add.cu": 2})
RACE = "kernel Add, add.cu:2: write of global memory races with the read at add.cu:1"
EXIT = "the program called exit(67) inside F"


def told(findings: str, message: str = f"cudasim: {EXIT}", student: Readable = STUDENT) -> Case:
    case = Case("PartTest", "Works", V.RUNTIME_ERROR, message, findings=findings)
    return with_findings(case, lambda: student)


def reports() -> list[tuple[str, Readable]]:
    """What the simulator's programs with bugs report, and what their authors may read."""
    files = [path for path in REPORTS.glob("*/*") if path.suffix in (".cu", ".h", ".txt")]
    texts = [path.read_text("utf-8") for path in files]
    lines = Counter[str]()
    for path, text in zip(files, texts, strict=True):
        lines[path.name] += text.count("\n") + 1
    whole = " ".join(" ".join(texts).split())
    student = Readable([whole], frozenset(re.findall(r"\w+", whole)), lines)
    found: list[tuple[str, Readable]] = []
    for path, text in zip(files, texts, strict=True):
        for report in re.split(r"\n(?! )", text.strip()) if path.suffix == ".txt" else []:
            head, *rest = report.split("\n")
            program, said = head.split(": ", 1)
            if said != "-" and not program.startswith("plain"):
                found.append(("\n".join([f"cudasim: {said}", *rest]), student))
    return found


def test_the_simulators_reports_pass_word_for_word() -> None:
    found = reports()
    assert len(found) > 200
    for report, student in found:
        case = told(f"{report}\n", student=student)
        assert (case.findings, case.forged) == (report, False)


def test_the_finding_that_ended_the_process_decides() -> None:
    waits = "Add at add.cu:1: the program ended without waiting for it"
    forged = "cudasim: trap: kernel Add, add.cu:2: __trap() ended the launch\n"
    found = f"{forged}cudasim: warning: never_waited: {waits}\ncudasim: data_race: {RACE}\n"
    case = told(found, f"cudasim: {EXIT} (the limit of 9 processes and threads was reached)")
    assert case.verdict is V.DATA_RACE
    assert f"{forged}{case.findings}\n" == found
    assert case.message == (f"data_race: {RACE} (the limit of 9 processes and threads was reached)")


@pytest.mark.parametrize(
    "forged",
    [
        "",
        f"data_race: {RACE}",
        f"cudasim: no_such_kind: {RACE}",
        f"cudasim: warning: data_race: {RACE}",
        f"cudasim: leak: {RACE}",
        "cudasim: data_race: 17, the first input",
        f"cudasim: data_race: {RACE}, 17, the first input",
        f"cudasim: deadlock: {RACE}",
    ],
)
def test_an_exit_without_a_sentence_of_the_simulator_is_an_exit(forged: str) -> None:
    case = told(forged)
    assert (case.verdict, case.message, case.findings) == (V.RUNTIME_ERROR, EXIT, "")


@pytest.mark.parametrize(
    ("written", "forged"),
    [
        (f"cudasim: data_race: {RACE}\n  memory: secret 7\n", False),
        (f"cudasim: data_race: {RACE}\ncudasim: data_ra", False),  # cut
        ("x" * (1 << 14) + f"\ncudasim: data_race: {RACE}\n", False),
        ("here is what I read: 17\n", True),
        (f"cudasim: data_race: {RACE} or so\n", True),
        (f"cudasim: warning: data_race: {RACE}\n", True),
        (f"cudasim: no_such_kind: {RACE}\n", True),
        ("", False),
    ],
)
def test_notes_what_is_no_report_of_the_simulator(written: str, forged: bool) -> None:
    assert told(written).forged is forged


def test_names_lines_and_texts_are_those_that_the_student_may_read() -> None:
    found = (
        "cudasim: assertion: kernel Secret, add.cu:3: assertion `out == 17` failed\n"
        "  in void Secret(float*)\n"
        "  17, the first input\n"
        "  launched at hidden_test.cc:1 with grid (1, 1, 1) and block (1, 1, 1)"
    )
    assert told(found).findings == (
        "cudasim: assertion: kernel ?, an unknown place: assertion `…` failed\n"
        "  in ?\n"
        "  launched at an unknown place with grid (1, 1, 1) and block (1, 1, 1)"
    )


def test_a_type_may_hold_numbers_that_the_source_computes() -> None:
    about = "cudasim: out_of_bounds: kernel Add, add.cu:1: index 64 of an array of 64 (float [64])"
    assert told(about).findings == about
    assert told(about.replace("[64]", "[64x]")).findings == about.replace("float [64]", "?")


def test_all_lines_tell_no_more_than_a_few_inputs() -> None:
    rows = [
        f"  thread ({n}, {n + 1}, {n + 2}) of block (0, 0, 0)" for n in range(2**31, 2**31 + 90, 3)
    ]
    kept = told("\n".join([f"cudasim: data_race: {RACE}", *rows])).findings
    assert len(set(re.findall(r"21474\d+", kept))) < 8


def test_a_warning_that_may_be_the_cause_is_told_before_details_of_the_race() -> None:
    thread = "thread (3, 0, 0) of block (0, 0, 0)"
    memory = "index 413 of 500 in the 2000-byte DeviceSpan<T> passed to the function"
    look = (
        f"cudasim: warning: stale_look: kernel Add, add.cu:1: {thread} read {memory} at add.cu:2 "
        f"and updated it at add.cu:1; between the two {thread.replace('3', '5')} changed it; make "
        "one atomic operation of the two, such as atomicAdd or a loop with atomicCAS"
    )
    details = [
        f"  {thread}: write of 4 bytes at add.cu:1",
        f"  {thread.replace('3', '5')}: write at add.cu:2",
        f"  memory: {memory}",
        "  launched at add.cu:2 with grid (1, 1, 1) and block (256, 1, 1)",
        "  writer: no __threadfence_block() before it sets the flag at add.cu:1",
    ]
    found = "\n".join([look, f"cudasim: data_race: {RACE}", *details])
    rows = told(f"{found}\n").findings.split("\n")
    assert rows[0].startswith(
        "cudasim: warning: stale_look: kernel Add, add.cu:1: thread (3, 0, 0)"
    )
    assert rows[1:4] == [f"cudasim: data_race: {RACE}", *details[:2]]


def test_what_the_process_says_of_copies_and_calls_is_told_anew() -> None:
    for said, expected in [
        ("stores of the host: kernels never wrote them", None),
        ("Add at add.cu:1", None),
        ("Add at add.cu:1, as kernels read there what no input holds", None),
        ("17, limit 5: a kernel", "a copy"),
    ]:
        about = "F: 8 bytes of an output come from the host, by {}, limit 0: a kernel must"
        case = told("", about.format(said))
        assert case.message == about.format(expected or said)
    call = "runtime call number 2, {}, failed, and the function returned"
    assert told("", call.format("Add")).message == call.format("Add")
    assert told("", call.format("17 is the first input")).message == call.format("?")


def test_advice_is_the_simulators_and_its_kernel_the_students() -> None:
    good = (
        "add.cu:1: loads from out[] touch 32 sectors where 4 would do: neighbouring threads read "
    )
    good += "addresses 128 bytes apart"
    keys = {"counter": "global_efficiency", "kernel": "*", "value": 0.5, "points": 0}
    keys |= {"max_points": 1, "why": "", "worst": "Secret"}
    said = [good, good.replace("add.cu:1", "add.cu:9"), good.replace("out", "secret out"), "17"]
    result = retold_counter(CounterResult.model_validate(keys | {"advice": said}), STUDENT)
    assert (result.advice, result.worst) == ([good], None)
    named = retold_counter(result.model_copy(update={"worst": "Add"}), STUDENT)
    assert named.worst == "Add"


def test_reads_the_headers_of_a_kit(tmp_path: Path) -> None:
    header = tmp_path / "simulator" / "thrust" / "sort.h"
    header.parent.mkdir(parents=True)
    header.write_text("void sort();\n", encoding="utf-8")
    student = readable("Add();", "add.cu", tmp_path)
    assert {"sort", "Add"} <= student.words
    assert student.lines == {"thrust/sort.h": 2, "add.cu": 1}
