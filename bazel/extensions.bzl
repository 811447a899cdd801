"""The machine's optional libraries for MODULE.bazel; see that file."""

load(":repositories.bzl", "optional_libraries")

def _optional_impl(_ctx):
    optional_libraries()

optional = module_extension(implementation = _optional_impl)
