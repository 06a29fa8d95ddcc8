"""OpenCL, as common/lab/programming_models/opencl.py says it to the grader."""

load("//common/lab/private:cuda.bzl", "opencl_library")
load("//common/lab/private:profile.bzl", "profile")
load("//common/lab/private/models:cuda.bzl", "SIMULATED")

def _targets(topic):
    profile(name = "profile", tags = ["manual"], testonly = True, program = topic + "_test")

OPENCL = struct(
    name = "opencl",
    language = "cxx",
    has_gpu = False,
    contract_deps = ["//common/opencl:contract"],
    exports_include = "",
    exports_deps = [],
    library = opencl_library,
    targets = _targets,
    other_tests = {},
    **SIMULATED
)
