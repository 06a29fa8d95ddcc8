"""lab(): every target of one lab, from its files' names.

    load("//common/lab:lab.bzl", "lab")

    lab(name = "pthreads_sum", topic = "sum", functions = ["SumPartial", "SumQueue"])
"""

load("//common/lab/private:lab.bzl", _lab = "lab")

lab = _lab
