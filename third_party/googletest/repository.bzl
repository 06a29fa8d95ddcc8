"""@googletest from the distribution's source package, so that sanitizers instrument it."""

_ROOT = "/usr/src/googletest"

def _impl(repository_ctx):
    if not repository_ctx.path(_ROOT + "/googletest/src/gtest-all.cc").exists:
        fail("error: GoogleTest's sources are missing: %s\n  next: run ./setup" % _ROOT)
    for folder in ["googlemock", "googletest"]:
        for part in ["include", "src"]:
            path = "%s/%s" % (folder, part)
            repository_ctx.symlink("%s/%s" % (_ROOT, path), path)
    repository_ctx.file("WORKSPACE", "")
    repository_ctx.symlink(Label("//third_party/googletest:googletest.BUILD"), "BUILD")

local_googletest = repository_rule(implementation = _impl, local = True)
