"""How submissions to OpenCL labs are built: for the simulator's modes, as CUDA's are."""

load("//grader/judging/kit/private/models:cuda.bzl", "simulated_builds")

OPENCL_KIT = struct(
    name = "opencl",
    builds = simulated_builds,
    versions = {},
    attrs = {},
)
