"""The bundled class: the choice of samples, and that collect() finds them in every layout."""

from pathlib import Path

import pytest

from grader.judging.collect import collect
from grader.judging.sample.choice import CLASS_SIZE, choose
from grader.judging.sample.classes import build_class
from grader.judging.sample.samples import samples
from grader.judging.sample.shapes import SHAPES
from grader.model.errors import GraderError
from grader.model.verdict import Verdict

LIMIT = 1 << 16


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """Three accepted with the reference, twelve wrong answers, one of four other verdicts."""
    folder = tmp_path / "samples"
    names = [f"accepted/right{i}" for i in range(2)] + [f"wrong_answer/wrong{i}" for i in range(12)]
    names += ["time_limit/spins", "policy/serial", "tampering/forges", "data_race/races"]
    for name in names:
        path = folder / f"{name}.cc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"// Wrong: {name}\n", encoding="utf-8")
    (folder / "sum.cc").write_text("// reference\n", encoding="utf-8")
    for name in ("hidden_test.cc", "hidden_more_test.cc"):
        (folder / name).write_text("// secret\n", encoding="utf-8")
    attack = folder / "wrong_answer" / "attack.cc"
    attack.write_text("// Hostile: guesses\n", encoding="utf-8")
    return folder


def test_the_class_has_every_verdict_two_accepted_and_the_hostile_ones(lab: Path) -> None:
    chosen = choose(samples(lab))
    assert len(chosen) == CLASS_SIZE
    verdicts = [sample.expected for sample in chosen]
    assert verdicts.count(Verdict.ACCEPTED) == 2
    assert set(verdicts) == {sample.expected for sample in samples(lab)}
    assert [sample.name for sample in chosen if sample.is_hostile] == ["wrong_answer/attack"]


def test_the_class_is_the_same_every_time(lab: Path) -> None:
    assert choose(samples(lab)) == choose(list(reversed(samples(lab))))


def test_a_lab_with_few_samples_gives_them_all(lab: Path) -> None:
    few = [sample for sample in samples(lab) if sample.expected is not Verdict.WRONG_ANSWER]
    assert len(choose(few)) == 2 + 4


def test_hidden_tests_and_benchmarks_are_no_samples(lab: Path) -> None:
    (lab / "bench").mkdir()
    (lab / "bench" / "sum_bench.cc").touch()
    assert not any("hidden" in s.name or "bench" in s.name for s in samples(lab))


def test_a_folder_that_is_no_verdict_is_an_error_that_names_the_verdicts(lab: Path) -> None:
    (lab / "nonsense").mkdir()
    with pytest.raises(GraderError, match="nonsense is not named after a verdict"):
        samples(lab)


@pytest.mark.parametrize("turn", range(len(SHAPES)))
def test_every_shape_gives_each_student_the_file_that_was_handed_in(
    lab: Path, tmp_path: Path, turn: int
) -> None:
    built = build_class(choose(samples(lab)), "sum.cc", tmp_path / "class", turn)
    found = collect(built.submissions, "sum.cc", "fake_sum", LIMIT)
    assert [s.student for s in found.submissions] == sorted(built.samples)
    for submission in found.submissions:
        assert submission.problem is None
        assert submission.read() == built.samples[submission.student].read()


def test_an_earlier_class_is_replaced_and_other_files_are_not(lab: Path, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    chosen = choose(samples(lab))
    build_class(chosen, "sum.cc", folder, 0)
    build_class(chosen, "sum.cc", folder, 0)
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious").touch()
    with pytest.raises(GraderError, match="is not empty"):
        build_class(chosen, "sum.cc", other, 0)
    assert (other / "precious").exists()
