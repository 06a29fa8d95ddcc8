"""The targets of a lab. Use //common/lab:lab.bzl."""

load("@local_staff//:defs.bzl", "REFERENCE")
load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")
load("//common/lab:flags.bzl", "HOST_FLAGS", "RELOCATABLE")
load("//common/lab/private:exports.bzl", "exports_source")
load("//common/lab/private:models.bzl", "model_of")
load("//common/lab/private:refusals.bzl", "refusals")

def lab(
        name,
        topic,
        functions,
        language = "cc",
        test_deps = [],
        adverse_schedules = False,
        kernels_launch = False):
    """Makes, in labs/NAME, from TOPIC.h, TOPIC.LANGUAGE, TOPIC_test.cc and lab.toml:

    :contract         the header, with what it needs
    :exports          the table through which tests call the functions
    :stub             the file that a student edits
    :implementation   that file, or the instructor's with --config=solutions
    :test_support     what the tests include besides, public and hidden
    :TOPIC_test       the public test
    :NAME_test        each other file NAME_test.cc that lies there: a test of the student's own
    :refusals         what the grader refuses in that file; the public test prints it and fails
    :profile          to run: counts what the kernels of a CUDA lab do, and predicts their times;
                      -- --json=FILE --filter=TEST
    :timeline         to run: draws what the threads of a CPU lab did in its timed cases;
                      -- --out=FILE.html --filter=TEST
    :messages         to run: draws which ranks of a message-passing lab's test sent to which;
                      -- --out=FILE.html --filter=TEST
    :other            the file that :compare compares with: --//labs/NAME:other=//labs/NAME:FILE.cu
    :compare          to run, with the same options: which of two versions is faster
    :lab_toml         the lab's points and limits

    Args:
      name: the lab's folder.
      topic: what its files are called.
      functions: the functions that the header declares and the student writes.
      language: what the name of the student's file ends with, which says the programming model.
      test_deps: what its tests, public and hidden, include besides the contract.
      adverse_schedules: waits are often spurious, and mutexes taken late.
      kernels_launch: kernels may launch kernels, for which --config=gpu takes other flags.
    """
    if native.package_name() != "labs/" + name:
        fail("error: lab %s stands in the wrong folder: %s\n  next: put it in labs/%s" %
             (name, native.package_name(), name))
    source = "%s.%s" % (topic, language)
    model = model_of(source)
    cc_library(
        name = "contract",
        hdrs = [topic + ".h"],
        defines = [RELOCATABLE] if kernels_launch else [],
        visibility = ["//visibility:public"],
        deps = ["//common/lab:contract"] + model.contract_deps,
    )
    exports_source(
        name = "exports_source",
        out = "exports.cc",
        functions = functions,
        header = "labs/%s/%s.h" % (name, topic),
        adverse_schedules = adverse_schedules,
        model_include = model.exports_include,
        visibility = ["//visibility:public"],
    )
    cc_library(
        name = "exports",
        srcs = ["exports.cc"],
        alwayslink = True,
        copts = HOST_FLAGS + model.exports_copts,
        visibility = ["//visibility:public"],
        deps = [":contract", "//common/lab/exports"] + model.exports_deps + model.runtime,
    )
    lab_library(name = "stub", srcs = [source], deps = [":contract"])
    native.alias(name = "implementation", actual = _implementation(name))
    cc_library(
        name = "test_support",
        visibility = ["//visibility:public"],
        deps = test_deps,
    )
    refusals(
        name = "refusals",
        src = source,
        lab_toml = "lab.toml",
        rewriter = model.rewriter,
        deps = [":contract"] + model.headers,
    )
    test = topic + "_test"
    _public_test(test, test + ".cc", model, ":implementation", ":refusals")
    for other, implementation in model.other_tests.items():
        _public_test(other, test + ".cc", model, implementation, tags = ["manual"])
    for other in native.glob(["*_test.cc"], exclude = [test + ".cc"], allow_empty = True):
        _public_test(other[:-len(".cc")], other, model, ":implementation")
    native.filegroup(
        name = "public_test",
        srcs = [test + ".cc"],
        visibility = ["//visibility:public"],
    )
    model.targets(topic)
    native.filegroup(
        name = "lab_toml",
        srcs = ["lab.toml"],
        visibility = ["//visibility:public"],
    )

def _implementation(name):
    """A student's copy has no references, so then no branch of the select may name one."""
    if not REFERENCE:
        return ":stub"
    return select({
        "@lab//common/lab:implementation_is_solution": REFERENCE % name,
        "@lab//common/lab:implementation_is_stub": ":stub",
    })

def _public_test(name, src, model, implementation, refused = None, tags = []):
    env = {"LAB_GTEST": "1"}
    if refused:
        env["LAB_REFUSALS"] = "$(rootpath %s)" % refused
    cc_test(
        name = name,
        size = "small",
        srcs = [src],
        data = ([refused] if refused else []) + model.test_data,
        env = dict(env, **model.test_env),
        # In a sandbox, Bazel would drop the page that a failing test leaves beside its log.
        tags = tags + model.tags + ["no-sandbox"],
        deps = [
            ":contract",
            ":exports",
            implementation,
            ":test_support",
            "//common/lab/testing",
        ] + model.in_process + model.test_deps,
    )

def lab_library(name, srcs, **kwargs):
    """A library of lab code, compiled as the grader compiles submissions to that lab.

    Always linked whole, so that a second main() is a link error.

    Args:
      name: the target's name.
      srcs: one file, or a label of one whose name says its language.
      **kwargs: as in cc_library.
    """
    model_of(srcs[0]).library(name = name, srcs = srcs, alwayslink = True, **kwargs)
