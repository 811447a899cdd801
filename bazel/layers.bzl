"""Which package may depend on which: the one table of layers.

A package depends on itself and on packages of lower layers, never on one of
its own row. The C++ rules check it for every label in deps, also for public
targets, which visibility alone would let any package use; //tools/tidy checks
the same table against each #include.
"""

LAYERS = {
    "base": 1,
    "benchmarks": 7,
    "cache": 3,
    "cell": 2,
    "compaction": 5,
    "examples": 7,
    "filesystem": 2,
    "filter": 3,
    "locking": 4,
    "memstore": 4,
    "mvcc": 3,
    "region": 6,
    "storefile": 4,
    "tools": 7,
    "wal": 3,
}

def _package(label):
    return label[2:].partition(":")[0].partition("/")[0]

def check_layers(package_name, name, deps):
    """Fails when a target depends on something that isn't below it.

    Args:
      package_name: where the target is, such as "base/testing".
      name: the target's name.
      deps: its labels. Those of other repositories are always fine; what is
        behind a select() is left to visibility and //tools/tidy.
    """
    package = _package("//" + package_name)
    if package not in LAYERS:
        fail("//%s:%s: package %s has no layer in //bazel:layers.bzl" % (package_name, name, package))
    for label in deps if type(deps) == "list" else []:
        if not label.startswith("//"):
            continue
        below = _package(label)
        if below != package and LAYERS.get(below, 99) >= LAYERS[package]:
            fail("//%s:%s may not depend on %s: %s is in layer %d, %s in layer %d, and arrows only point down (//bazel:layers.bzl)" % (
                package_name,
                name,
                label,
                package,
                LAYERS[package],
                below,
                LAYERS.get(below, 99),
            ))
