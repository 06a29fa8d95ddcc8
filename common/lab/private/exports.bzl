"""Writes the source of a lab's table of functions."""

_SCHEDULES_INCLUDE = '#include "common/lab/exports/adverse_schedules.h"\n'

def _impl(ctx):
    exports = ["LAB_EXPORT(%s)" % function for function in ctx.attr.functions]
    ctx.actions.write(
        output = ctx.outputs.out,
        content = "%s%s#include \"common/lab/exports/exports.h\"\n#include \"%s\"\n\nLAB_EXPORTS(%s);\n" % (
            ctx.attr.model_include,
            _SCHEDULES_INCLUDE if ctx.attr.adverse_schedules else "",
            ctx.attr.header,
            ", ".join(exports),
        ),
    )
    return [DefaultInfo(files = depset([ctx.outputs.out]))]

exports_source = rule(
    implementation = _impl,
    doc = "OUT: a C++ file that exports FUNCTIONS of HEADER.",
    attrs = {
        "functions": attr.string_list(mandatory = True, allow_empty = False),
        "header": attr.string(mandatory = True),
        "model_include": attr.string(doc = "An #include that the programming model needs."),
        "out": attr.output(mandatory = True),
        "adverse_schedules": attr.bool(doc = "Waits are often spurious, and mutexes taken late."),
    },
)
