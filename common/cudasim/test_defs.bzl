"""Tests of .cu files in the simulator's modes, independent of --//common/lab:cuda."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//common/lab:cuda.bzl", "simulated_objects")

_RUNTIMES = {
    "check": "//common/cudasim:cudasim_check",
    "plain": "//common/cudasim",
    "profile": "//common/cudasim:cudasim_profile",
}

def _objects(name, src, mode, deps):
    simulated_objects(
        name = name + "_objects",
        srcs = [src],
        mode = mode,
        tags = ["manual"],
        visibility = ["//visibility:private"],
        deps = deps + [_RUNTIMES[mode]],
    )
    return [":%s_objects" % name]

def simulated_programs(name, src, modes = ["plain", "check"], deps = []):
    """NAME_plain, NAME_check, ...: programs of one .cu file.

    Args:
      name: what the targets' names begin with.
      src: the .cu file, with main().
      modes: of "plain", "check" and "profile".
      deps: libraries whose headers it includes.
    """
    for mode in modes:
        program = "%s_%s" % (name, mode)
        cc_binary(
            name = program,
            srcs = _objects(program, src, mode, deps),
            deps = deps + [_RUNTIMES[mode]],
        )

def simulated_test(name, src, modes = ["plain", "check"], deps = []):
    """NAME_plain, NAME_check, ...: GoogleTests in one .cu file. In check mode any finding fails.

    The test in check mode, or else the first one, runs for every change; the others are exhaustive.

    Args:
      name: what the targets' names begin with.
      src: the .cu file.
      modes: of "plain", "check" and "profile".
      deps: libraries whose headers it includes.
    """
    deps = deps + ["@googletest//:gtest_main"]
    always = "check" if "check" in modes else modes[0]
    for mode in modes:
        test = "%s_%s" % (name, mode)
        cc_test(
            name = test,
            size = "small",
            srcs = _objects(test, src, mode, deps),
            # Sanitizers do not support fibers.
            tags = ["cuda"] + ([] if mode == always else ["exhaustive"]),
            deps = deps + [_RUNTIMES[mode]],
        )
