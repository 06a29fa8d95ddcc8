"""Tests of .cu files in the simulator's two modes, whatever --//common/lab:cuda says."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//common/lab/private:cuda.bzl", "simulated_objects")

def _runtime(mode):
    return "//common/cudasim:cudasim_check" if mode == "check" else "//common/cudasim"

def _objects(name, src, mode, deps):
    simulated_objects(
        name = name + "_objects",
        srcs = [src],
        check = mode == "check",
        tags = ["manual"],
        visibility = ["//visibility:private"],
        deps = deps + [_runtime(mode)],
    )
    return [":%s_objects" % name]

def simulated_programs(name, src, modes = ["plain", "check"], deps = []):
    """NAME_plain and NAME_check, programs of one .cu file.

    Args:
      name: what the targets' names begin with.
      src: the .cu file, with main().
      modes: the simulator's modes.
      deps: libraries whose headers it includes.
    """
    for mode in modes:
        program = "%s_%s" % (name, mode)
        cc_binary(
            name = program,
            srcs = _objects(program, src, mode, deps),
            deps = deps + [_runtime(mode)],
        )

def simulated_test(name, src, modes = ["plain", "check"], deps = []):
    """NAME_plain and NAME_check: GoogleTests in one .cu file. In check mode any finding fails.

    Args:
      name: what the targets' names begin with.
      src: the .cu file.
      modes: the simulator's modes.
      deps: libraries whose headers it includes.
    """
    deps = deps + ["@googletest//:gtest_main"]
    for mode in modes:
        test = "%s_%s" % (name, mode)
        cc_test(
            name = test,
            size = "small",
            srcs = _objects(test, src, mode, deps),
            tags = ["cuda"],  # sanitizers do not know fibers
            deps = deps + [_runtime(mode)],
        )
