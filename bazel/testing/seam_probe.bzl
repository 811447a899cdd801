"""Builds a target under a chosen value of the flag :metal."""

_FLAG = "//bazel/testing:metal"

def _with_metal_impl(_settings, attr):
    return {_FLAG: attr.metal}

_with_metal = transition(
    implementation = _with_metal_impl,
    inputs = [],
    outputs = [_FLAG],
)

def _seam_probe_impl(ctx):
    files = ctx.files.target
    return [DefaultInfo(files = depset(files), runfiles = ctx.runfiles(files))]

seam_probe = rule(
    implementation = _seam_probe_impl,
    attrs = {
        "metal": attr.string(mandatory = True),
        "target": attr.label(mandatory = True, cfg = _with_metal, allow_files = True),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
