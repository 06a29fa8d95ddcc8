"""@local_solutions: says whether this workspace has the instructor's solutions folder.

A student's copy has none, and must build, test and answer `bazel query` without it.
"""

def _impl(repository_ctx):
    root = repository_ctx.path(Label("//:WORKSPACE")).dirname
    found = root.get_child("solutions").get_child("BUILD").exists
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.file("BUILD", "")
    repository_ctx.file("defs.bzl", "HAVE_SOLUTIONS = %r\n" % found)

local_solutions = repository_rule(implementation = _impl, local = True)
