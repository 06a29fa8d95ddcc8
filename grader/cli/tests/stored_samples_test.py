"""Every lab's stored sample submissions: each exists once, and each patch applies."""

import pytest

from grader.cli.places import sample_root
from grader.judging.sample.samples import lazy_samples, samples

_LABS = sorted(path.parent.name for path in sample_root().glob("*/wrong_answer"))


def test_there_are_labs() -> None:
    assert _LABS


@pytest.mark.parametrize("lab", _LABS)
def test_every_sample_expands_and_begins_with_a_comment(lab: str) -> None:
    found = samples(sample_root() / lab) + lazy_samples(sample_root() / lab)
    assert found
    for sample in found:
        assert sample.read().startswith(b"// "), sample.path
