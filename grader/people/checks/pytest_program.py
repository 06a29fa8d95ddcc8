"""Runs a pytest file as a program under Bazel, with arguments of its own."""

import os
from collections.abc import Sequence

import pytest


def run_cases(file: str, options: Sequence[str]) -> int:
    """Runs the cases of `file` and returns pytest's exit code; Bazel gets its XML report."""
    own = ["-q", "-ra", "-p", "no:cacheprovider", "--strict-markers", file]
    if xml := os.environ.get("XML_OUTPUT_FILE"):
        own.append(f"--junitxml={xml}")
    return int(pytest.main([*own, *options]))


def chosen_cases() -> list[str]:
    """The option for --test_filter, if Bazel was given one."""
    only = os.environ.get("TESTBRIDGE_TEST_ONLY")
    return ["-k", only] if only else []
