"""The targets of a lab. Use //common/lab:lab.bzl."""

load("@local_staff//:defs.bzl", "REFERENCE")
load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load("//common/lab/private:cuda.bzl", "CUDA_RUNTIME", "cuda_library")
load("//common/lab/private:exports.bzl", "exports_source")
load("//common/lab:flags.bzl", "CPU_FLAGS", "CPU_LINK_FLAGS", "HOST_FLAGS")
load("//common/lab/private:profile.bzl", "profile")
load("//common/lab/private:second_compiler.bzl", "compiles_for_race_checker")
load("//common/lab/private:refusals.bzl", "refusals")

def lab(name, topic, functions, language = "cc", test_deps = [], adverse_schedules = False):
    """Makes, in labs/NAME, from TOPIC.h, TOPIC.cc or .cu, TOPIC_test.cc and lab.toml:

    :contract         the header, with what it needs
    :exports          the table through which tests call the functions
    :stub             the file that a student edits
    :implementation   that file, or the instructor's with --config=solutions
    :test_support     what the tests include besides, public and hidden
    :TOPIC_test       the public test
    :refusals         what the grader refuses in that file; the public test prints it and fails
    :profile          to run: counts what the kernels of a CUDA lab do, and predicts their times;
                      -- --json=FILE --filter=TEST
    :other            the file that :compare compares with: --//labs/NAME:other=//labs/NAME:FILE.cu
    :compare          to run, with the same options: which of two versions is faster
    :lab_toml         the lab's points and limits

    Args:
      name: the lab's folder.
      topic: what its files are called.
      functions: the functions that the header declares and the student writes.
      language: "cc", or "cu" for a CUDA lab.
      test_deps: what its tests, public and hidden, include besides the contract.
      adverse_schedules: waits are often spurious, and mutexes taken late.
    """
    if native.package_name() != "labs/" + name:
        fail("error: lab %s stands in the wrong folder: %s\n  next: put it in labs/%s" %
             (name, native.package_name(), name))
    cuda = language == "cu"
    _contract(topic + ".h", cuda)
    exports_source(
        name = "exports_source",
        out = "exports.cc",
        cuda = cuda,
        functions = functions,
        header = "labs/%s/%s.h" % (name, topic),
        adverse_schedules = adverse_schedules,
        visibility = ["//visibility:public"],
    )
    cc_library(
        name = "exports",
        srcs = ["exports.cc"],
        alwayslink = True,
        copts = HOST_FLAGS,
        visibility = ["//visibility:public"],
        deps = [":contract", "//common/lab:exports"] +
               (["//common/cuda:exports"] + CUDA_RUNTIME if cuda else []),
    )
    lab_library(
        name = "stub",
        srcs = ["%s.%s" % (topic, language)],
        cuda = cuda,
        deps = [":contract"],
    )
    native.alias(name = "implementation", actual = _implementation(name))
    cc_library(
        name = "test_support",
        visibility = ["//visibility:public"],
        deps = test_deps,
    )
    refusals(
        name = "refusals",
        src = "%s.%s" % (topic, language),
        lab_toml = "lab.toml",
        rewriter = "//common/cudasim:rewrite" if cuda else None,
        deps = [":contract"] + (["//common/cudasim"] if cuda else []),
    )
    _public_test(topic + "_test", topic, cuda, ":implementation", ":refusals")
    if cuda:
        _profiles(topic)
    else:
        compiles_for_race_checker(
            name = "compiles_for_race_checker",
            src = topic + ".cc",
            after = ":stub",
            contract = ":contract",
        )
    native.filegroup(
        name = "lab_toml",
        srcs = ["lab.toml"],
        visibility = ["//visibility:public"],
    )

def _contract(header, cuda):
    cc_library(
        name = "contract",
        hdrs = [header],
        visibility = ["//visibility:public"],
        deps = ["//common/lab:contract"] + (["//common/cuda:contract"] if cuda else []),
    )

def _implementation(name):
    """A student's copy has no references, so then no branch of the select may name one."""
    if not REFERENCE:
        return ":stub"
    return select({
        "@lab//common/lab:implementation_is_solution": REFERENCE % name,
        "@lab//common/lab:implementation_is_stub": ":stub",
    })

def _profiles(topic):
    profile(name = "profile", tags = ["manual"], testonly = True, program = topic + "_test")
    # Any version that lies in the lab's folder may be the other one.
    native.exports_files(native.glob(["*.cu"]))
    native.label_flag(name = "other", build_setting_default = topic + ".cu")
    lab_library(
        name = "other_version",
        srcs = [":other"],
        cuda = True,
        tags = ["manual"],
        deps = [":contract"],
    )
    _public_test("other_test", topic, True, ":other_version", tags = ["manual"])
    profile(
        name = "compare",
        tags = ["manual"],
        testonly = True,
        other = "other_test",
        program = topic + "_test",
    )

def _public_test(name, topic, cuda, implementation, refused = None, tags = []):
    env = {"LAB_GTEST": "1"}
    if refused:
        env["LAB_REFUSALS"] = "$(rootpath %s)" % refused
    if not cuda:
        # OpenMP's threads sleep while they wait, as in the grader.
        env["OMP_WAIT_POLICY"] = "passive"
    cc_test(
        name = name,
        size = "small",
        srcs = [topic + "_test.cc"],
        data = ([refused] if refused else []) + ([] if cuda else [":compiles_for_race_checker"]),
        env = env,
        tags = tags + (["cuda"] if cuda else []),
        deps = [
            ":contract",
            ":exports",
            implementation,
            ":test_support",
            "//common/lab:in_process",
            "//common/lab:testing",
        ] + (["//common/cuda:gpu_requirement"] if cuda else ["//common/lab:show_parallelism"]),
    )

def lab_library(name, srcs, cuda, **kwargs):
    """A library of lab code, compiled as the grader compiles submissions to that lab.

    Always linked whole, so that a second main() is a link error.
    """
    if cuda:
        cuda_library(
            name = name,
            srcs = srcs,
            alwayslink = True,
            # Thrust and CUB would do a lab's work; the grader refuses them by the lab's includes.
            simulator_defines = ["CUDASIM_OWN_KERNELS"],
            **kwargs
        )
    else:
        cc_library(
            name = name,
            srcs = srcs,
            alwayslink = True,
            copts = CPU_FLAGS,
            linkopts = CPU_LINK_FLAGS,
            **kwargs
        )
