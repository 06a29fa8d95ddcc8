"""Writes the source of a lab's table of functions."""

_CUDA_INCLUDE = '#include "common/cuda/exports.h"\n'

_SCHEDULES_INCLUDE = '#include "common/lab/adverse_schedules.h"\n'

def _impl(ctx):
    exports = ["LAB_EXPORT(%s)" % function for function in ctx.attr.functions]
    ctx.actions.write(
        output = ctx.outputs.out,
        content = "%s%s#include \"common/lab/exports.h\"\n#include \"%s\"\n\nLAB_EXPORTS(%s);\n" % (
            _CUDA_INCLUDE if ctx.attr.cuda else "",
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
        "cuda": attr.bool(doc = "The functions take device spans or streams."),
        "functions": attr.string_list(mandatory = True, allow_empty = False),
        "header": attr.string(mandatory = True),
        "out": attr.output(mandatory = True),
        "adverse_schedules": attr.bool(doc = "Waits are often spurious, and mutexes taken late."),
    },
)
