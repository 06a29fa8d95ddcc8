"""Build settings with a closed set of values, without bazel_skylib."""

_Choice = provider(doc = "The value of a choice() setting.", fields = ["value"])

def _impl(ctx):
    value = ctx.build_setting_value
    if value not in ctx.attr.values:
        fail("error: --%s: %s\n  next: use one of: %s" %
             (ctx.label, value, ", ".join(ctx.attr.values)))
    return [_Choice(value = value)]

_choice = rule(
    implementation = _impl,
    attrs = {"values": attr.string_list(mandatory = True)},
    build_setting = config.string(flag = True),
)

def choice(name, values):
    """Makes the flag --//package:NAME, and a condition :NAME_is_VALUE for every value.

    Args:
      name: the flag's name.
      values: what it may be; the first one is the default.
    """
    _choice(
        name = name,
        build_setting_default = values[0],
        values = values,
        visibility = ["//visibility:public"],
    )
    for value in values:
        native.config_setting(
            name = "%s_is_%s" % (name, value),
            flag_values = {":" + name: value},
            visibility = ["//visibility:public"],
        )
