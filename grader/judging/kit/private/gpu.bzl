"""Programs that test a CUDA lab's sample submissions on a GPU. Use //grader/judging/kit:defs.bzl."""

load("@rules_cc//cc:defs.bzl", "cc_binary")
load("//common/lab:lab.bzl", "lab_library")
load("//grader/judging/kit/private:in_process.bzl", "in_process_deps")
load("//grader/judging/kit/private:samples.bzl", "whole_samples")

# They do not compile, or must only run in a jail.
_LEFT_OUT = ["compile_error", "memory_limit", "output_limit", "policy", "tampering"]

def gpu_programs(lab, contract):
    """Makes :LAB_on_gpu, one program for each sample: the hidden tests and that sample.

    They are called LAB_gpu/VERDICT/NAME, the reference LAB_gpu/accepted/reference. Built with
    --config=gpu they run on any machine with a GPU, without Bazel or a toolkit;
    tools/on_gpu.py runs them all.

    Args:
      lab: the lab's folder. Its reference and hidden tests have their libraries already.
      contract: the label of the lab's contract.
    """
    programs = [_program(lab, "accepted/reference", lab + "_reference")]
    for path in whole_samples(lab, exclude = _LEFT_OUT):
        name = path[len(lab) + 1:-len(".cu")]
        library = "%s_gpu/%s_library" % (lab, name)
        lab_library(
            name = library,
            srcs = [path],
            tags = ["manual"],
            deps = [contract],
        )
        programs.append(_program(lab, name, library))
    native.filegroup(
        name = lab + "_on_gpu",
        testonly = True,
        srcs = programs,
        tags = ["manual"],
    )

def _program(lab, name, functions):
    program = "%s_gpu/%s" % (lab, name)
    cc_binary(
        name = program,
        tags = ["manual"],
        testonly = True,
        deps = in_process_deps(lab, functions, "functions.cu"),
    )
    return program
