"""Threads on a CPU, as common/lab/programming_models/cpu.py says it to the grader."""

load("@local_compilers//:defs.bzl", "CLANGXX", "GXX")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//common/lab:flags.bzl", "ATOMICS_WATCHED", "CPU_FLAGS", "CPU_LINK_FLAGS", "CPU_RACES_FLAGS")
load("//common/lab/private:counted_library.bzl", "counted_library")
load("//common/lab/private:timeline.bzl", "timeline")

def _library(**kwargs):
    cc_library(copts = CPU_FLAGS, linkopts = CPU_LINK_FLAGS + ATOMICS_WATCHED, **kwargs)

def _targets(topic):
    counted_library(
        name = "counted",
        src = topic + ".cc",
        after = ":stub",
        exports = "exports.cc",
        deps = [":contract", "//common/lab/exports"],
    )
    timeline(topic)

CPU = struct(
    name = "cpu",
    language = "cc",
    has_gpu = False,
    contract_deps = [],
    exports_include = "",
    # With it clang's OpenMP runtime gets the mends of //common/lab/race_checker:hooks, as in the grader.
    exports_copts = ["-fopenmp"],
    exports_deps = [],
    runtime = [],
    library = _library,
    # The commands of the tests' build and of others; then of the tests' build, for preprocessed
    # text.
    preprocessors = [[GXX] + CPU_FLAGS + ["-fPIC", "-E"]] +
                    ([[CLANGXX] + CPU_RACES_FLAGS + ["-fPIC", "-E"]] if CLANGXX else []),
    compiler = [GXX] + CPU_FLAGS + ["-fPIC", "-x", "c++-cpp-output"],
    rewriter = None,
    headers = [],
    targets = _targets,
    tags = [],
    test_data = [":counted"],
    other_tests = {},
    test_deps = ["//common/lab/testing:show_parallelism"],
    in_process = ["//common/lab/test_program:in_process"],
    hidden_deps = [],
    test_env = {
        "LAB_COUNTED": "$(rootpath :counted)",
        # As in the grader: OpenMP's threads sleep while they wait, and may cancel a loop.
        "OMP_WAIT_POLICY": "passive",
        "OMP_CANCELLATION": "true",
    },
)
