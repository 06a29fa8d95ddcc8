"""lab(): every target of one lab, from its files' names.

    load("//common/lab:lab.bzl", "lab")

    lab(name = "THE_FOLDER", topic = "sum", functions = ["Sum", "SumSquares"])
"""

load("//common/lab/private:lab.bzl", _lab = "lab")

lab = _lab
