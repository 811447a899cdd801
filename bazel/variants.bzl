"""One call per seam: the build flag and the target that it moves."""

load("@bazel_skylib//rules:common_settings.bzl", "string_flag")

def shale_seam(name, interface, default, variants, visibility):
    """Declares the flag that picks one of a seam's variants at build time.

    Every variant is a library of its own and always built and tested; the flag
    moves nothing but one alias, which only a composition root depends on. An
    unknown value is an error at analysis. For example, in mvcc/BUILD.bazel

        shale_seam(
            name = "completion",
            default = "prefix",
            interface = "mvcc",
            variants = {
                "head_of_line": ":bind_head_of_line",
                "prefix": ":bind_prefix",
            },
            visibility = ["//region:__pkg__"],
        )

    declares
      :completion               the string_flag, --//mvcc:completion=head_of_line;
                                from another repository --@shale//mvcc:completion
      :completion_is_prefix,..  a config_setting for each value
      :bound_mvcc               the alias for the chosen variant's bind target

    A bind target defines the interface's factory, NewMvcc(), for one variant.
    Two of them in one binary are a duplicate symbol: code that wants several
    variants at once depends on the variants themselves.

    Args:
      name: the flag's name.
      interface: name of the library with the interface, without a colon.
      default: the value without any flag on the command line.
      variants: value of the flag to the label of its bind target.
      visibility: who may depend on the alias; the flag itself is public.
    """
    if default not in variants:
        fail("shale_seam %s: default %s is not among %s" % (name, default, sorted(variants)))
    string_flag(
        name = name,
        build_setting_default = default,
        values = sorted(variants),
        visibility = ["//visibility:public"],
    )
    for value in variants:
        native.config_setting(
            name = "%s_is_%s" % (name, value),
            flag_values = {":" + name: value},
            visibility = ["//visibility:private"],
        )
    native.alias(
        name = "bound_" + interface,
        actual = select({
            ":%s_is_%s" % (name, value): target
            for value, target in variants.items()
        }),
        visibility = visibility,
    )
