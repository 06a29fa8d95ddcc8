"""lab(): every target of one lab, from its files' names.

    load("//common/lab:lab.bzl", "lab")

    lab(name = "THE_FOLDER", topic = "sum", functions = ["Sum", "SumSquares"])

lab_library(): code of a lab, compiled as a submission is.
model_of(): the programming model of a file, by its name, which ends with one of ENDINGS.

exports_source(): the table through which tests call a lab's functions.
"""

load("//common/lab/private:exports.bzl", _exports_source = "exports_source")
load("//common/lab/private:models.bzl", _ENDINGS = "ENDINGS", _model_of = "model_of")
load("//common/lab/private:lab.bzl", _lab = "lab", _lab_library = "lab_library")

ENDINGS = _ENDINGS

exports_source = _exports_source

lab = _lab

model_of = _model_of

lab_library = _lab_library
