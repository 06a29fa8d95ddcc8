"""Generates C++ from the catalogue of counters."""

load(":counters.bzl", "COUNTERS")

def _impl(ctx):
    out = ctx.actions.declare_file("counters.inc")
    ctx.actions.write(out, "".join([
        '{"%s", %s},\n' % (name, counter["value_of_call"])
        for name, counter in COUNTERS.items()
    ]))
    return [DefaultInfo(files = depset([out]))]

counters_source = rule(
    implementation = _impl,
    doc = "counters.inc: the names and values of all counters.",
)
