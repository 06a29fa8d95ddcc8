"""Threads on a CPU, as common/lab/programming_models/cpu.py says it to the grader."""

load("@local_compilers//:defs.bzl", "CLANGXX", "GXX")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//common/lab:flags.bzl", "CPU_FLAGS", "CPU_LINK_FLAGS", "CPU_RACES_FLAGS")
load("//common/lab/private:second_compiler.bzl", "compiles_for_race_checker")

def _library(**kwargs):
    cc_library(copts = CPU_FLAGS, linkopts = CPU_LINK_FLAGS, **kwargs)

def _targets(topic):
    compiles_for_race_checker(
        name = "compiles_for_race_checker",
        src = topic + ".cc",
        after = ":stub",
        contract = ":contract",
    )

CPU = struct(
    name = "cpu",
    language = "cc",
    has_gpu = False,
    contract_deps = [],
    exports_include = "",
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
    test_data = [":compiles_for_race_checker"],
    other_tests = {},
    test_deps = ["//common/lab:show_parallelism"],
    hidden_deps = [],
    # OpenMP's threads sleep while they wait, as in the grader.
    test_env = {"OMP_WAIT_POLICY": "passive"},
)
