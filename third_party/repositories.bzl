"""The repositories that are found on this machine, for WORKSPACE mode."""

load("//third_party/compilers:repository.bzl", "local_compilers")
load("//third_party/cuda:repository.bzl", "local_cuda")
load("//third_party/googletest:repository.bzl", "local_googletest")
load("//third_party/mpi:repository.bzl", "local_mpi")
load("//third_party/python:repository.bzl", "local_python")
load("//third_party/staff:repository.bzl", "local_staff")

def local_repositories():
    """Declares them. MODULE.bazel does the same for Bazel 7 and newer."""
    local_compilers(name = "local_compilers")
    local_cuda(name = "local_cuda")
    local_mpi(name = "local_mpi")
    local_googletest(name = "googletest")
    local_python(name = "local_python")
    local_staff(name = "local_staff")
