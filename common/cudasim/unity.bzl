"""Compiles many small sources as a few: most of their compile time goes into common headers."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def unity_sources(name, srcs, count):
    """Makes NAME_0.cc to NAME_<count - 1>.cc, which hold the texts of all srcs one after another.

    Messages and debug information name the sources and their lines. What the sources define in
    unnamed namespaces must differ in name.

    Args:
      name: what the targets' names begin with.
      srcs: the .cc files, by their paths in the package.
      count: how many files are made.

    Returns:
      the labels of the files, for srcs of a cc_library.
    """
    share = (len(srcs) + count - 1) // count
    made = []
    for number in range(count):
        part = srcs[number * share:(number + 1) * share]
        target = "%s_%d" % (name, number)
        native.genrule(
            name = target,
            srcs = part,
            outs = [target + ".cc"],
            cmd = "for file in $(SRCS); do echo \"#line 1 \\\"$$file\\\"\"; cat $$file; done > $@",
            visibility = ["//visibility:private"],
        )
        made.append(":" + target)
    return made

def simulator_library(name, deps = [], files = 1, **kwargs):
    """A library of all sources and headers of the folder.

    Args:
      name: the folder's name.
      deps: the libraries that its headers or sources include.
      files: how many files the sources are joined into.
      **kwargs: of cc_library.
    """
    sources = native.glob(["*.cc"], allow_empty = True)
    cc_library(
        name = name,
        srcs = unity_sources(name + "_sources", sources, files) if sources else [],
        hdrs = native.glob(["*.h"], allow_empty = True),
        copts = [
            "-O2",
            "-g",
            "-fPIC",
            "-fomit-frame-pointer",
        ],
        linkstatic = True,
        local_defines = ["CUDASIM_RUNTIME"],
        visibility = ["//common/cudasim:__subpackages__"],
        deps = ["//common/cudasim:public_headers"] + deps,
        **kwargs
    )
