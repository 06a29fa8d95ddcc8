"""Runs pytest for a Bazel test: files from the command line, Bazel's filter and report file."""

import os
import sys

import pytest


def main(arguments: list[str]) -> int:
    """Returns pytest's exit code; 5 (no test was run) stays a failure."""
    options = ["--import-mode=importlib", "--rootdir=.", "-c", "pyproject.toml"]
    if folder := os.environ.get("TEST_TMPDIR"):
        # Unless the target says otherwise, not the machine lock: someone may be grading.
        os.environ.setdefault("GRADER_LOCKS", folder)
    if report := os.environ.get("XML_OUTPUT_FILE"):
        options.append(f"--junit-xml={report}")
    if pattern := os.environ.get("TESTBRIDGE_TEST_ONLY"):
        options.extend(["-k", pattern])
    return int(pytest.main([*options, *arguments]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
