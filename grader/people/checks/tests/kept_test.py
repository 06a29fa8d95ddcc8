"""What a check of a lab has graded is kept until the lab is whole."""

from pathlib import Path

from grader.judging.sample.samples import Sample
from grader.model.manifest import load_kit
from grader.model.verdict import Verdict
from grader.people.checks.kept import Kept
from grader.proof.fakes.fake_kit import GOOD, log, make_kit


def _samples(folder: Path) -> list[Sample]:
    made = []
    for number in range(3):
        path = folder / "accepted" / f"{number}.cc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{GOOD}// {number}\n")
        made.append(Sample(path, Verdict.ACCEPTED))
    return made


def _graded_since(kit: Path) -> int:
    """How many submissions were tested since this was asked last."""
    tested = {line.split()[1] for line in log(kit) if line.startswith("tests ")}
    (kit / "log").unlink(missing_ok=True)
    return len(tested)


def test_an_interrupted_check_goes_on_with_its_seed(tmp_path: Path) -> None:
    place = make_kit(tmp_path, races=False)
    kit, samples = load_kit(place), _samples(tmp_path)
    kept = Kept(tmp_path / "kept")
    seed = kept.seed(None)
    assert [s.name for s, _ in kept.grade("samples")(kit, samples[:1], seed)] == [samples[0].name]
    assert _graded_since(place) == 1

    again = Kept(tmp_path / "kept")
    assert again.seed(None) == seed
    graded = {s.name: r.verdict for s, r in again.grade("samples")(kit, samples, seed)}
    assert graded == dict.fromkeys((s.name for s in samples), Verdict.ACCEPTED)
    assert _graded_since(place) == 2
    assert len(list(again.grade("samples")(kit, samples, seed))) == 3
    assert _graded_since(place) == 0
    assert len(list(again.grade("lazy", verdict_only=False)(kit, samples[:1], seed))) == 1
    assert _graded_since(place) == 1

    again.forget()
    assert not (tmp_path / "kept").exists()
