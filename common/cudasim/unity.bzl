"""Compiles many small sources as a few: most of their compile time goes into common headers."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("//third_party/compilers:joined.bzl", "joined_source")

def unity_sources(name, srcs, count):
    """Joins srcs into NAME_0.cc to NAME_<count - 1>.cc.

    Args:
      name: what the targets' names begin with.
      srcs: the .cc files, by their paths in the package.
      count: how many files are made.

    Returns:
      the labels of the files, for srcs of a cc_library.
    """
    share = (len(srcs) + count - 1) // count
    return [
        joined_source(
            "%s_%d" % (name, number),
            srcs[number * share:(number + 1) * share],
            ".cc",
        )
        for number in range(count)
    ]

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
            # Reports need the lines, and programs become a third as large.
            "-g1",
            "-fPIC",
            "-fomit-frame-pointer",
        ],
        linkstatic = True,
        local_defines = ["CUDASIM_RUNTIME"],
        visibility = ["//common/cudasim:__subpackages__"],
        deps = ["//common/cudasim:public_headers"] + deps,
        **kwargs
    )
