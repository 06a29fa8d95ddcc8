"""solutions(): everything that the instructor's side of every lab needs, from its files."""

load("//grader/kit/private:solutions.bzl", _solutions = "solutions")

solutions = _solutions
