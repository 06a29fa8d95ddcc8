"""Programs that try a CUDA lab's sample submissions on a GPU. Use //grader/kit:defs.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//common/lab/private:lab.bzl", "lab_library")

# They do not compile, or must only run where nothing can be harmed.
_LEFT_OUT = ["bench", "compile_error", "memory_limit", "output_limit", "policy", "tampering"]

def gpu_programs(lab, reference, contract, hidden):
    """Makes :LAB_on_gpu, one program for each sample: the hidden tests and that sample.

    They are called LAB_gpu/VERDICT/NAME, the reference LAB_gpu/accepted/reference. Built with
    --config=gpu they run on any machine with a GPU, without Bazel or a toolkit;
    tools/on_gpu.py runs them all.

    Args:
      lab: the lab's folder.
      reference: the reference, which is a sample, too.
      contract: the label of the lab's contract.
      hidden: the library of its hidden tests.
    """
    samples = {"accepted/reference": reference}
    for path in native.glob([lab + "/*/*.cu"], exclude = [lab + "/%s/*" % f for f in _LEFT_OUT]):
        samples[path[len(lab) + 1:-len(".cu")]] = path
    for name, path in samples.items():
        program = "%s_gpu/%s" % (lab, name)
        lab_library(
            name = program + "_library",
            srcs = [path],
            cuda = True,
            tags = ["manual"],
            deps = [contract],
        )
        cc_binary(
            name = program,
            tags = ["manual"],
            testonly = True,
            deps = [
                program + "_library",
                hidden,
                "//common/cuda:gpu_requirement",
                "//common/lab:in_process",
                "//labs/%s:exports" % lab,
            ],
        )
    native.filegroup(
        name = lab + "_on_gpu",
        testonly = True,
        srcs = ["%s_gpu/%s" % (lab, name) for name in samples],
        tags = ["manual"],
    )
