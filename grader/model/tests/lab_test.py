"""lab.toml: valid and invalid thresholds, and files that are refused."""

import math
import tomllib
from pathlib import Path

import pytest
from pydantic import ValidationError

from common.lab.programming_models.cpu import CPU
from grader.model.counters import COUNTERS, counter_named
from grader.model.errors import GraderError
from grader.model.lab import CounterThreshold, Lab, load_lab
from grader.proof.fakes.fake_kit import counted_lab, parallel_lab


def threshold(**keys: object) -> CounterThreshold:
    known = {"suite": "PartCounted", "counter": "global_efficiency", "points": 10, "why": "be near"}
    return CounterThreshold.model_validate(known | keys)


def test_a_lab_with_thresholds_on_counters_is_read_and_its_points_add_up() -> None:
    lab = Lab.model_validate(tomllib.loads(counted_lab()))
    assert [part.max_points for part in lab.parts] == [60, 40]
    assert [c.full for c in lab.parts[1].counters] == [0.9, 100]


def test_suites_without_a_name_are_called_after_the_function() -> None:
    lines = [line for line in counted_lab().splitlines() if not line.startswith("suite = ")]
    assert Lab.model_validate(tomllib.loads("\n".join(lines))) == Lab.model_validate(
        tomllib.loads(counted_lab())
    )


def test_the_usual_ceilings_hold_where_a_lab_with_points_for_performance_states_none() -> None:
    stated = parallel_lab().replace("[policy]", "[ceilings]\nserial = 20\nrelay = 30\n[policy]")
    ceilings = Lab.model_validate(tomllib.loads(stated)).ceilings
    assert {name: ceiling.most for name, ceiling in ceilings.items()} == {
        **CPU.ceilings,
        "serial": 20,
        "relay": 30,
    }
    assert [name for name, ceiling in ceilings.items() if ceiling.clock] == [
        "one_lock",
        "first_algorithm",
    ]
    plain = parallel_lab().partition("[parts.")[0].replace("points = 40", "points = 100")
    assert Lab.model_validate(tomllib.loads(plain)).ceilings == {}


def test_a_lab_without_limits_is_the_same_after_it_was_stored() -> None:
    text = parallel_lab().replace("[[parts]]", "[[parts]]\ncopied_bytes = inf\nhost_bytes = inf")
    lab = Lab.model_validate(tomllib.loads(text))
    assert lab.parts[0].copied_bytes == math.inf
    assert Lab.model_validate_json(lab.model_dump_json()) == lab


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"at_least": 0.9, "counter": "global_eficiency"}, "there is global_efficiency"),
        ({"at_most": 9, "counter": "memory_instructions"}, "not for grading: nvcc merges"),
        ({"at_least": 0.9, "counter": "occupancy_limit"}, "no counter is called 'occupancy_limit'"),
        ({}, "has neither of at_least and at_most"),
        ({"at_least": 0.9, "at_most": 0.95}, "has both of at_least and at_most"),
        ({"at_least": 0.9, "zero": 0.9}, "zero = 0.9 must be below at_least = 0.9"),
        ({"counter": "barriers", "at_most": 2, "zero": 1}, "zero = 1 must be above at_most = 2"),
        ({"at_least": 1.5}, "out of reach: global_efficiency is at most 1"),
        ({"at_least": 0}, "every global_efficiency meets it"),
        ({"at_most": 1}, "every global_efficiency meets it"),
        ({"at_least": float("nan")}, "finite"),
        ({"at_least": 0.9, "points": 0}, "greater than 0"),
        ({"at_least": 0.9, "kernels": "*"}, "Extra inputs"),
    ],
)
def test_a_threshold_that_makes_no_sense_is_refused_in_words(
    keys: dict[str, object], words: str
) -> None:
    with pytest.raises(ValidationError) as refused:
        threshold(**keys)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("points = 8", "points = 9", "the parts' points sum to 101, not to 100"),
        ('model = "cuda"', 'model = "cpu"', "only the CUDA simulator counts"),
        ("global_store_sectors", "global_stores", "parts.1.counters.1.counter"),
    ],
)
def test_a_lab_names_the_threshold_that_is_wrong(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(counted_lab().replace(old, new), encoding="utf-8")
    with pytest.raises(GraderError, match=words):
        load_lab(path)


def counted_lab_with(texts: str, *whys: str) -> str:
    """The lab with a [why] table of these lines and with these texts at its thresholds."""
    pieces = iter(whys)
    lines = [
        f'why = "{next(pieces)}"' if line.startswith("why = ") else line
        for line in counted_lab().replace("[[parts]]", f"[why]\n{texts}\n[[parts]]", 1).splitlines()
    ]
    return "\n".join(lines)


def test_thresholds_share_a_text_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(counted_lab_with('once = "Read it once"', "once", "once"), encoding="utf-8")
    assert [counter.why for counter in load_lab(path).parts[1].counters] == ["Read it once"] * 2


@pytest.mark.parametrize(
    ("texts", "whys", "words"),
    [
        ("", ("Read it once", "Read it once"), "2 thresholds repeat 'Read it once'"),
        ("", ("once", "Store it once"), "'once' is neither a sentence nor a name in \\[why\\]"),
        ('once = "Read it once"', ("Load it", "Store it"), "no threshold uses 'once'"),
        ("once = 1", ("once", "Store it"), "why"),
    ],
)
def test_a_text_is_given_once_and_used(
    tmp_path: Path, texts: str, whys: tuple[str, str], words: str
) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(counted_lab_with(texts, *whys), encoding="utf-8")
    with pytest.raises(GraderError, match=words):
        load_lab(path)


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000], ids=["digits", "depth"])
def test_a_lab_that_python_cannot_read_is_refused_by_its_name(tmp_path: Path, value: str) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(f"title = {value}\n", encoding="utf-8")
    with pytest.raises(GraderError, match="is not TOML"):
        load_lab(path)


def test_a_lab_that_would_take_minutes_to_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lab.toml"
    path.write_text("[[parts" + ".s" * 100_000 + "]]\n", encoding="utf-8")
    with pytest.raises(GraderError, match="200010 characters, limit 65536"):
        load_lab(path)


def test_a_lab_with_points_for_parallelism_is_read_and_its_points_add_up() -> None:
    lab = Lab.model_validate(tomllib.loads(parallel_lab()))
    assert [part.max_points for part in lab.parts] == [60, 40]
    assert lab.parts[0].parallelism is not None


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("points = 8", "points = 9", "the parts' points sum to 101, not to 100"),
        ("zero = 1.2", "zero = 2.2", "parts.0.parallelism: .*zero = 2.2 must be below full = 2.2"),
        ("full = 2.2", "most = 2.2", "parts.0.parallelism.full: Field required"),
    ],
)
def test_a_lab_names_what_is_wrong_with_its_parallelism(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(parallel_lab().replace(old, new), encoding="utf-8")
    with pytest.raises(GraderError, match=words):
        load_lab(path)


def test_no_points_depend_on_what_was_not_exact_against_a_gpu() -> None:
    barred = [counter.name for counter in COUNTERS.values() if counter.barred]
    assert "memory_instructions" in barred
    for name in barred:
        with pytest.raises(ValueError, match=f"{name} is not for grading: "):
            counter_named(name)


def test_every_quotient_is_one_of_amounts_that_are_counted() -> None:
    for counter in COUNTERS.values():
        for name in (*counter.over, *counter.under):
            assert COUNTERS[name].is_amount, f"{counter.name}: {name}"
