"""The programming models that labs can have, each described in models/ beside this file.

A new one is registered here, in the models.bzl of the grader's kit and, in Python, in
//common/lab/programming_models:models.py. The name of a student's file says which model a lab has.
"""

load("//common/lab/private/models:cpu.bzl", "CPU")
load("//common/lab/private/models:cuda.bzl", "CUDA")
load("//common/lab/private/models:mpi.bzl", "MPI")
load("//common/lab/private/models:opencl.bzl", "OPENCL")

_BY_LANGUAGE = {model.language: model for model in [CPU, CUDA, MPI, OPENCL]}

# What the names of students' files end with.
ENDINGS = ["." + language for language in _BY_LANGUAGE]

def model_of(file):
    """The model of a student's file or of a reference, by what its name ends with."""
    language = file.rpartition(".")[2]
    if language not in _BY_LANGUAGE:
        fail("error: %s: no programming model has files .%s\n  next: use one of %s" %
             (file, language, ", ".join(ENDINGS)))
    return _BY_LANGUAGE[language]
