"""The C++ rules of this repository: one include prefix, one set of features."""

load("@rules_cc//cc:cc_binary.bzl", "cc_binary")
load("@rules_cc//cc:cc_library.bzl", "cc_library")
load("@rules_cc//cc:cc_test.bzl", "cc_test")
load(":layers.bzl", "check_layers")

# clang: an #include needs a direct dependency; gcc ignores it.
_FEATURES = ["layering_check"]

def shale_cc_library(name, deps = [], **kwargs):
    """wal/x.h in hdrs is included as "shale/wal/x.h", here and in a consumer."""
    check_layers(native.package_name(), name, deps)
    cc_library(
        name = name,
        deps = deps,
        features = _FEATURES,
        include_prefix = "shale/" + native.package_name(),
        # Nobody links a shared library of it: //... need not make them.
        linkstatic = True,
        strip_include_prefix = "",
        **kwargs
    )

def shale_cc_binary(name, deps = [], **kwargs):
    check_layers(native.package_name(), name, deps)
    cc_binary(name = name, features = _FEATURES, deps = deps, **kwargs)

def shale_cc_test(name, size = "small", deps = [], **kwargs):
    """A googletest binary, which aborts on a cycle in its lock order.

    Args:
      name: the binary's name.
      size: Bazel's, which bounds its time.
      deps: what it includes, besides googletest.
      **kwargs: of cc_test. The tag "single-threaded" says that no second thread
        ever runs in it, so there is nothing for ThreadSanitizer.
    """
    check_layers(native.package_name(), name, deps)
    cc_test(
        name = name,
        size = size,
        features = _FEATURES,
        deps = deps + [
            str(Label("//tools:tsan_suppressions")),
            str(Label("//base/testing:test_main")),
            "@com_google_googletest//:gtest",
        ],
        **kwargs
    )

def shale_cc_benchmark(name, srcs, deps = [], **kwargs):
    """A google-benchmark binary; NAME_smoke_test runs it on tiny input, so that it doesn't rot.

    Args:
      name: the binary's name.
      srcs: its sources; main() comes with the rule.
      deps: what they include, besides google-benchmark.
      **kwargs: for both targets.
    """
    check_layers(native.package_name(), name, deps)

    # Compiled once for both.
    cc_library(
        name = name + "_lib",
        testonly = True,
        srcs = srcs,
        alwayslink = True,
        features = _FEATURES,
        linkstatic = True,
        deps = deps + ["@com_github_google_benchmark//:benchmark_main"],
    )
    cc_binary(
        name = name,
        testonly = True,
        deps = [":%s_lib" % name],
        **kwargs
    )
    cc_test(
        name = name + "_smoke_test",
        size = "small",
        args = ["--benchmark_min_time=0.001"],
        tags = ["smoke"],
        deps = [
            ":%s_lib" % name,
            str(Label("//tools:tsan_suppressions")),
        ],
        **kwargs
    )

def shale_fuzz_test(name, srcs, corpus, deps = [], **kwargs):
    """NAME_test replays the corpus with any compiler; NAME searches (--config=fuzz)."""
    check_layers(native.package_name(), name, deps)
    cc_test(
        name = name + "_test",
        size = "small",
        srcs = srcs,
        args = ["$(rootpaths %s)" % c for c in corpus],
        data = corpus,
        tags = ["single-threaded"],
        deps = deps + [
            str(Label("//tools:fuzz_replay_main")),
            str(Label("//tools:tsan_suppressions")),
        ],
        **kwargs
    )
    cc_binary(
        name = name,
        testonly = True,
        srcs = srcs,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = deps,
    )
