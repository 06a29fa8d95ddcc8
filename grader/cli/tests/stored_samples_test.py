"""Every lab's stored sample submissions: each exists once, and each patch applies."""

import pytest

from grader.cli.places import sample_root
from grader.judging.sample.samples import lazy_samples, samples
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import make_result
from grader.pages.report.attempts import signs

_LABS = sorted(path.parent.name for path in sample_root().glob("*/wrong_answer"))


def test_there_are_labs() -> None:
    assert _LABS


@pytest.mark.parametrize("lab", _LABS)
def test_every_sample_expands_and_begins_with_a_comment(lab: str) -> None:
    found = samples(sample_root() / lab) + lazy_samples(sample_root() / lab)
    assert found
    for sample in found:
        assert sample.read().startswith(b"// "), sample.path


@pytest.mark.parametrize("lab", _LABS)
def test_no_sample_shows_a_sign_of_an_attempt_in_its_text(lab: str) -> None:
    result = make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)
    for sample in samples(sample_root() / lab) + lazy_samples(sample_root() / lab):
        assert signs(result, sample.read().decode()) == [], sample.path
