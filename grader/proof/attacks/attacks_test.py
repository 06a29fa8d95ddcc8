"""Hostile submissions get allowed verdicts and leave the machine unchanged.

Run as a program: attacks_test.py LAB=KIT... HIDDEN_TEXT AIM.... One pytest case for each
attack and question; the attacks are graded side by side, and an honest submission after them.
LAB_SEED sets the seed.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from grader.judging.sample.samples import Sample
from grader.model.manifest import Kit, load_kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.people.checks.pytest_program import chosen_cases, run_cases
from grader.people.checks.verdicts import grade_samples, told
from grader.proof.attacks.canaries import Secret, planted, what_a_student_sees
from grader.proof.attacks.corpus import LABS, Attack, attacks, honest
from grader.proof.attacks.traces import Traces, adopt_orphans, digest, left_behind, look

_KITS = "ATTACKS_TEST_KITS"
_HIDDEN = "ATTACKS_TEST_HIDDEN"
_AIMS = "ATTACKS_TEST_AIMS"
_CORPUS = Path(__file__).parent
_MOST_BYTES = 512 << 10
"""Largest size of what a student sees, in all formats together."""
_BUSY = 4
"""How many times slower a busy machine may be than it was for the honest submission."""


_FOUND = [attack for aim in os.environ.get(_AIMS, "").split() for attack in attacks(_CORPUS, aim)]


@dataclass(frozen=True)
class Session:
    """The graded submissions, and the state of the machine before them."""

    kits: dict[str, Kit]
    samples: dict[str, Sample]
    results: dict[str, Result]
    fair: dict[str, Result]
    """File suffix of a lab -> an honest submission, graded after the attacks."""
    secrets: list[Secret]
    traces: Traces
    digests: dict[str, str]
    """Of the kits, before the attacks."""


@pytest.fixture(scope="session")
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    """The chosen attacks, graded."""
    folder = tmp_path_factory.mktemp("attacks")
    asked = [
        cast(Attack, item.callspec.params["attack"])
        for item in request.session.items
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    chosen = list(dict.fromkeys(asked)) or _FOUND
    suffixes = sorted({attack.suffix for attack in chosen})
    kits = {suffix: _kit(suffix, folder) for suffix in suffixes}
    adopt_orphans()
    with planted([kit.root for kit in kits.values()], os.environ[_HIDDEN]) as secrets:
        traces = look()
        digests = {suffix: digest(kit.root) for suffix, kit in kits.items()}
        state = Session(kits, {}, {}, {}, secrets, traces, digests)
        # One lab's attacks wait while the other's are compiled.
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda suffix: _grade(state, suffix, chosen, folder), suffixes))
            list(pool.map(lambda suffix: _grade_fair(state, suffix), suffixes))
        yield state


def _kit(suffix: str, folder: Path) -> Kit:
    """A copy, in which secrets can be planted."""
    built = dict(word.split("=", 1) for word in os.environ[_KITS].split())
    copy = folder / f"kits_{LABS[suffix]}"
    shutil.copytree(built[LABS[suffix]], copy)
    copy.chmod(0o755)
    return load_kit(copy)


def _grade(state: Session, suffix: str, chosen: list[Attack], folder: Path) -> None:
    samples = {attack.sample(folder): attack for attack in chosen if attack.suffix == suffix}
    kit = state.kits[suffix]
    for sample, result in grade_samples(kit, list(samples), _seed(), verdict_only=False):
        state.samples[samples[sample].full_name] = sample
        state.results[samples[sample].full_name] = result


def _grade_fair(state: Session, suffix: str) -> None:
    kit, fair = state.kits[suffix], [_fair(suffix)]
    ((_, state.fair[suffix]),) = grade_samples(kit, fair, _seed(), verdict_only=False)


def _seed() -> int:
    return int(os.environ.get("LAB_SEED", "1"))


def _fair(suffix: str) -> Sample:
    return Sample(honest(_CORPUS, suffix), Verdict.ACCEPTED)


each_attack = pytest.mark.parametrize("attack", _FOUND, ids=lambda attack: attack.full_name)


@each_attack
def test_gets_a_verdict_that_it_may_get(attack: Attack, session: Session) -> None:
    result = session.results[attack.full_name]
    assert result.verdict in attack.allowed, "\n" + told(session.samples[attack.full_name], result)


@each_attack
def test_earns_no_more_than_the_work_that_it_does(attack: Attack, session: Session) -> None:
    result = session.results[attack.full_name]
    most = 0.0
    if result.verdict is Verdict.ACCEPTED:
        most = session.kits[attack.suffix].lab.max_points
    elif result.verdict is Verdict.TOO_SLOW:  # right answers alone
        parts = session.kits[attack.suffix].lab.parts
        most = sum(part.max_points - part.counter_points for part in parts if part.counters)
        most += sum(part.points for part in parts if not part.counters)
    assert result.points <= most, "\n" + told(session.samples[attack.full_name], result)


@each_attack
def test_tells_its_student_nothing_hidden(attack: Attack, session: Session) -> None:
    kit = session.kits[attack.suffix]
    seen = what_a_student_sees(session.results[attack.full_name], kit.lab)
    assert [secret.place for secret in session.secrets if secret.is_in(seen)] == []
    assert len(seen) <= _MOST_BYTES
    assert not attack.never_says or attack.never_says.encode() not in seen


@each_attack
def test_ends_within_its_limits(attack: Attack, session: Session) -> None:
    limits = session.kits[attack.suffix].lab.limits
    spent = session.results[attack.full_name].seconds
    usual = session.fair[attack.suffix].seconds
    for phase, seconds in spent.items():
        limit = 3 * limits.compile_s if phase == "compile" else limits.run_s + 15
        assert seconds <= _BUSY * (usual.get(phase, 1) + limit), f"{phase}: {spent}"


def test_grades_the_next_honest_submission_as_before(session: Session) -> None:
    assert session.fair
    for suffix, result in session.fair.items():
        found = (result.verdict, result.points, result.diagnostics)
        assert found == (Verdict.ACCEPTED, result.max_points, []), told(_fair(suffix), result)


def test_leaves_nothing_behind(session: Session) -> None:
    assert session.results
    assert left_behind(session.traces) == []
    for suffix, kit in session.kits.items():
        assert digest(kit.root) == session.digests[suffix]


def _main(arguments: list[str]) -> int:
    kits = [word for word in arguments if "=" in word]
    os.environ[_KITS] = " ".join(kits)
    os.environ[_HIDDEN], *aims = arguments[len(kits) :]
    os.environ[_AIMS] = " ".join(aims)
    return run_cases(__file__, chosen_cases())


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
