"""CUDA, as common/lab/programming_models/cuda.py says it to the grader."""

load("@local_compilers//:defs.bzl", "GXX")
load("//common/cudasim:flags.bzl", "CHECK_DEFINES", "LAB_ENV", "PLAIN_COPTS", "PREPROCESS")
load("//common/lab/private:cuda.bzl", "CUDA_RUNTIME", "cuda_library")
load("//common/lab/private:profile.bzl", "profile")

def _targets(topic):
    profile(name = "profile", tags = ["manual"], testonly = True, program = topic + "_test")

    # Any version that lies in the lab's folder may be the other one.
    native.exports_files(native.glob(["*.cu"]))
    native.label_flag(name = "other", build_setting_default = topic + ".cu")
    cuda_library(
        name = "other_version",
        srcs = [":other"],
        alwayslink = True,
        tags = ["manual"],
        deps = [":contract"],
    )
    profile(
        name = "compare",
        tags = ["manual"],
        testonly = True,
        other = "other_test",
        program = topic + "_test",
    )

# What all models that run on the simulator have in common.
SIMULATED = dict(
    exports_copts = [],
    runtime = CUDA_RUNTIME,
    preprocessors = [[GXX] + PREPROCESS, [GXX] + PREPROCESS + CHECK_DEFINES],
    compiler = [GXX] + PLAIN_COPTS,
    rewriter = "//common/cudasim:rewrite",
    headers = ["//common/cudasim"],
    tags = ["cuda"],
    test_data = [],
    test_deps = ["//common/cuda:gpu_requirement"],
    in_process = ["//common/lab/test_program:in_process"],
    hidden_deps = ["//common/cuda:gpu_requirement"],
    test_env = LAB_ENV,
)

CUDA = struct(
    name = "cuda",
    language = "cu",
    has_gpu = True,
    contract_deps = ["//common/cuda:contract"],
    exports_include = "#include \"common/cuda/exports.h\"\n",
    exports_deps = ["//common/cuda:exports"],
    library = cuda_library,
    targets = _targets,
    other_tests = {"other_test": ":other_version"},
    **SIMULATED
)
