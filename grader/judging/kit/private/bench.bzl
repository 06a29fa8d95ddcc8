"""Benchmarks of CUDA labs. Use //grader/judging/kit:defs.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("//common/lab:cuda.bzl", "cuda_library")

def _lab(name):
    """The lab in whose folder a benchmark stands."""
    folders = native.package_name().split("/")
    if len(folders) != 3 or folders[0] != "solutions" or folders[2] != "bench":
        fail("error: benchmark %s stands in the wrong folder: %s\n  next: put it in %s" %
             (name, native.package_name(), "solutions/LAB/bench"))
    return folders[1]

def cpu_bench(name):
    """Makes, in solutions/LAB/bench, from NAME.cc, a program that times the lab's reference.

    Args:
      name: the program's name. It may use OpenMP, oneTBB and the standard library's parallel
        algorithms.
    """
    lab = _lab(name)
    cc_binary(
        name = name,
        srcs = [name + ".cc"],
        copts = ["-O2", "-fopenmp"],
        linkopts = ["-fopenmp", "-ltbb"],
        tags = ["manual"],
        deps = [
            "//common/benchmark:host",
            "//labs/%s:contract" % lab,
            "//solutions:%s_reference" % lab,
        ],
    )

def cuda_bench(name, hdrs = [], deps = []):
    """Makes, in solutions/LAB/bench, from NAME.cu, a program that only --config=gpu can build.

    NAME.cu includes accepted samples of the lab and its contract; the reference is linked. The
    program has the CUDA runtime in it, so that it runs on machines without Bazel or a toolkit.

    Args:
      name: the program's name.
      hdrs: headers beside NAME.cu.
      deps: what it needs besides; //common/cuda:toolkit_library for cuBLAS, cuSPARSE and others,
        which the program loads when it starts. CUB and thrust need nothing.
    """
    lab = _lab(name)
    manual = {"tags": ["manual"]}
    cc_library(
        name = name + "_samples",
        hdrs = hdrs,
        textual_hdrs = ["//solutions:%s_samples" % lab],
        **manual
    )
    cuda_library(
        name = name + "_main",
        srcs = [name + ".cu"],
        alwayslink = True,
        deps = deps + [
            ":%s_samples" % name,
            "//common/benchmark:device",
            "//common/cuda:contract",
            "//labs/%s:contract" % lab,
        ],
        **manual
    )
    cc_binary(
        name = name,
        deps = [
            ":%s_main" % name,
            "//solutions:%s_reference" % lab,
        ],
        **manual
    )
