"""Compiles many small sources as one: most of their compile time goes into common headers."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def joined_source(name, srcs, extension):
    """Makes NAME + extension, which holds the texts of all srcs one after another.

    Messages and debug information name the sources and their lines. What the sources define in
    unnamed namespaces must differ in name.

    Args:
      name: the target's name.
      srcs: the sources, by their paths in the package.
      extension: of the joined file, with its dot.

    Returns:
      the label of the joined file.
    """
    native.genrule(
        name = name,
        srcs = srcs,
        outs = [name + extension],
        cmd = "for file in $(SRCS); do echo \"#line 1 \\\"$$file\\\"\"; cat $$file; done > $@",
        visibility = ["//visibility:private"],
    )
    return ":" + name

def joined_test(name, srcs, deps, hdrs = [], **kwargs):
    """A cc_test of several files with GoogleTests, which are compiled as one.

    Args:
      name: the target's name.
      srcs: the .cc files.
      deps: what they include, besides GoogleTest.
      hdrs: headers of the package that they include.
      **kwargs: as in cc_test.
    """
    cc_test(
        name = name,
        size = "small",
        srcs = [joined_source(name + "_sources", srcs, ".cc")] + hdrs,
        deps = deps + ["@googletest//:gtest_main"],
        **kwargs
    )
