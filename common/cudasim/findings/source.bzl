"""Generates C++ from the catalogue of findings."""

load(":findings.bzl", "FINDINGS")

def _impl(ctx):
    out = ctx.actions.declare_file("kinds.inc")
    ctx.actions.write(out, "".join(['"%s",\n' % name for name in FINDINGS]))
    return [DefaultInfo(files = depset([out]))]

findings_source = rule(
    implementation = _impl,
    doc = "kinds.inc: the names of all kinds.",
)
