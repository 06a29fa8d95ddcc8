"""What instructors and students get, and what a second run changes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from grader.cli.places import workspace
from grader.judging.hunts.kit import book_of, lab_kit, tests_kit
from grader.model.errors import GraderError
from grader.model.manifest import Kit, Manifest, load_kit
from grader.model.result import Key, Result
from grader.model.verdict import Verdict
from grader.people.hunts import hunts
from grader.people.hunts.faults import Pool
from grader.people.hunts.hunts import Wanted, make_hunts
from grader.people.hunts.proof import Built

_LAB_TOML = """
title = "Sums"
file = "sum.cc"
model = "cpu"

[[parts]]
function = "Sum"
title = "A sum"
points = 100
"""


def _kit(folder: Path, lab: str, file: str) -> Kit:
    (folder / "public").mkdir(parents=True)
    (folder / "public" / file).touch()
    manifest = Manifest(schema=1, lab=lab, file=file, model="cpu", digest=lab, builds={})
    (folder / "manifest.json").write_text(manifest.model_dump_json(by_alias=True))
    (folder / "lab.toml").write_text(_LAB_TOML)
    return load_kit(folder)


def _judge(programs: Mapping[str, str]) -> Iterator[tuple[str, Result]]:
    """Samples get what their folders say; one right program is not accepted."""
    for name in programs:
        said = name.partition("/")[0]
        verdict = Verdict(said) if said in {*Verdict} else Verdict.ACCEPTED
        verdict = Verdict.TOO_SLOW if name == "accepted/posix_api.cc" else verdict
        key = Key(kit="k", submission="s", seed=1, machine="m")
        yield (
            name,
            Result(
                lab="l", student="s", source="s", key=key, verdict=verdict, points=0, max_points=1
            ),
        )


def _built(aside: Path, _lab: Kit, _tests: Kit, pool: Pool) -> Built:
    (aside / "programs" / "library.so").touch()
    faults = tuple(
        fault.model_copy(update={"detected": number % 2 == 0, "library": "library.so"})
        for number, fault in enumerate(pool.faults)
    )
    return Built(faults, dict.fromkeys(pool.programs, "library.so"))


@pytest.fixture
def wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wanted:
    monkeypatch.setattr(hunts, "built", _built)
    return Wanted(
        kit=_kit(tmp_path / "kit", "pthreads_sum", "sum.cc"),
        tests=_kit(tmp_path / "tests", "pthreads_sum-tests", "my_test.cc"),
        root=workspace(),
        roster=["Ada", "Alan"],
        faults=2,
        mutants=0,
        out=tmp_path / "out",
    )


def test_each_student_gets_a_folder_and_the_instructor_a_kit(wanted: Wanted) -> None:
    judged: list[str] = []
    made = make_hunts(wanted, _judge, judged.append)
    kit = load_kit(wanted.out / "kit")
    assert (kit.manifest.lab, kit.manifest.kind) == ("pthreads_sum-hunt", "hunt")
    assert [part.max_points for part in kit.lab.parts] == [40, 30, 30]
    assert lab_kit(kit).manifest.lab == "pthreads_sum"
    assert tests_kit(kit).manifest.file == "shows_test.cc"
    assert (wanted.out / "kit").stat().st_mode & 0o077 == 0
    assert book_of(kit) == made.book
    assert "accepted/posix_api.cc" in judged
    bases = {fault.base for fault in made.book.faults.values()}
    assert "accepted/posix_api.cc" not in bases, "a program that is not accepted is not right"
    for student in wanted.roster:
        folder = wanted.out / "students" / student
        hunt = made.book.hunt(student)
        assert hunt
        assert (folder / "sum.cc").read_text() == hunt.program != hunt.right
        assert (folder / "diagnosis.toml").read_text().count("[[fault]]") == 2
        assert (folder / "shows_test.cc").read_text().count("TEST(Fault") == 2


def test_a_second_run_adds_students_and_changes_nothing_else(wanted: Wanted) -> None:
    first = make_hunts(wanted, _judge, lambda _name: None)
    more = replace(wanted, roster=["Grace", "Alan", "Ada"])
    second = make_hunts(more, _judge, pytest.fail)
    assert second.new == ["Grace"]
    assert list(second.book.students) == ["Ada", "Alan", "Grace"]
    added = second.book.students.pop("Grace")
    assert second.book == first.book
    assert not {*added} & {*first.book.students["Alan"]}
    assert second.kit.manifest.digest == first.kit.manifest.digest, "nobody is graded again"
    assert (wanted.out / "kit" / "programs" / "library.so").exists()


def test_a_run_that_is_stopped_at_its_end_loses_no_hunts(
    wanted: Wanted, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_hunts(wanted, _judge, lambda _name: None)
    rename = Path.rename

    def stopped(path: Path, target: Path) -> Path:
        if path.name == ".kit":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", stopped)
    with pytest.raises(KeyboardInterrupt):
        make_hunts(replace(wanted, roster=["Grace"]), _judge, lambda _name: None)
    assert book_of(load_kit(wanted.out / "kit")) == first.book
    assert [path.name for path in wanted.out.iterdir() if path.name.startswith(".")] == []


def test_names_of_a_roster_are_found_in_any_case(wanted: Wanted) -> None:
    book = make_hunts(wanted, _judge, lambda _name: None).book
    assert book.hunt(" ada") == book.hunt("Ada") != book.hunt("Alan")
    assert book.hunt("nobody") is None


def test_another_number_of_faults_needs_another_folder(wanted: Wanted) -> None:
    make_hunts(wanted, _judge, lambda _name: None)
    with pytest.raises(GraderError, match="has hunts of pthreads_sum with 2 faults each"):
        make_hunts(replace(wanted, faults=3), _judge, lambda _name: None)
