"""Tests of .cu files in the simulator's modes, independent of --//common/lab:cuda."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_test")
load("//common/cudasim:objects.bzl", "simulated_objects")
load("//third_party/compilers:joined.bzl", "joined_source")

_RUNTIMES = {
    "check": "//common/cudasim:cudasim_check",
    "plain": "//common/cudasim",
    "profile": "//common/cudasim:cudasim_profile",
}

def _objects(name, src, mode, deps):
    simulated_objects(
        name = name + "_objects",
        srcs = [src],
        # Reports need lines, which is half of what -g writes.
        copts = ["-g1"],
        mode = mode,
        tags = ["manual"],
        visibility = ["//visibility:private"],
        deps = deps + [_RUNTIMES[mode]],
    )
    return [":%s_objects" % name]

def simulated_programs(name, srcs, modes = ["plain", "check"], deps = []):
    """NAME_plain, NAME_check, ...: programs of .cu files, which are compiled as one.

    Args:
      name: what the targets' names begin with.
      srcs: the .cu files, of which one has main().
      modes: of "plain", "check" and "profile".
      deps: libraries whose headers they include.
    """
    source = srcs[0] if len(srcs) == 1 else joined_source(name, srcs, ".cu")
    for mode in modes:
        program = "%s_%s" % (name, mode)
        cc_binary(
            name = program,
            srcs = _objects(program, source, mode, deps),
            deps = deps + [_RUNTIMES[mode]],
        )

def simulated_test(name, srcs, modes = ["plain", "check"], deps = []):
    """NAME_plain, NAME_check, ...: GoogleTests in .cu files, which are compiled as one.

    In check mode any finding fails.

    Args:
      name: what the targets' names begin with.
      srcs: the .cu files.
      modes: of "plain", "check" and "profile".
      deps: libraries whose headers they include.
    """
    deps = deps + ["@googletest//:gtest_main"]
    source = srcs[0] if len(srcs) == 1 else joined_source(name, srcs, ".cu")
    for mode in modes:
        test = "%s_%s" % (name, mode)
        cc_test(
            name = test,
            size = "small",
            srcs = _objects(test, source, mode, deps),
            # Sanitizers do not support fibers.
            tags = ["cuda"],
            deps = deps + [_RUNTIMES[mode]],
        )
