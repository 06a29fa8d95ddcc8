"""solutions(): all targets of the instructor's side of every lab.

kit(): the folder from which one lab's submissions are graded.
"""

load("//grader/kit/private:kit.bzl", _kit = "kit")
load("//grader/kit/private:solutions.bzl", _solutions = "solutions")

kit = _kit
solutions = _solutions
