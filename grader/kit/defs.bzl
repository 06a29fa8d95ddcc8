"""solutions(): everything that the instructor's side of every lab needs, from its files.

kit(): the folder that one lab's submissions are graded from.
"""

load("//grader/kit/private:kit.bzl", _kit = "kit")
load("//grader/kit/private:solutions.bzl", _solutions = "solutions")

kit = _kit
solutions = _solutions
