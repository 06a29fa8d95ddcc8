"""Many small sources compiled as a few: most of their compile time goes into the same headers."""

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
