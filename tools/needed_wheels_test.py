"""Hashes that are removed from requirements.txt."""

from tools.needed_wheels import needed


def test_keeps_each_package_with_its_needed_hashes_and_its_comment() -> None:
    text = (
        "a==1 \\\n    --hash=sha256:1 \\\n    --hash=sha256:2\n    # via b\n"
        "b==2 \\\n    --hash=sha256:3 \\\n    --hash=sha256:4\n"
    )
    assert needed(text, {"1", "4"}) == (
        "a==1 \\\n    --hash=sha256:1\n    # via b\nb==2 \\\n    --hash=sha256:4\n"
    )
