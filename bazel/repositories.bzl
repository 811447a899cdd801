"""External repositories of shale."""

load(":debian.bzl", "debian_archive", "debian_sources", "debian_tool", "optional_library")

_CC_RULES = ["cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test", "cc_toolchain", "cc_toolchain_suite", "objc_library"]

# Current rules_cc's names for the cc rules that are built into Bazel 4.
_RULES_CC = dict(
    [("cc/BUILD", ""), ("cc/defs.bzl", "\n".join(["%s = native.%s" % (r, r) for r in _CC_RULES]))] +
    [("cc/%s.bzl" % r, "%s = native.%s" % (r, r)) for r in _CC_RULES],
)

# The same for rules_shell.
_RULES_SHELL = {
    "shell/BUILD": "",
    "shell/sh_binary.bzl": "sh_binary = native.sh_binary",
    "shell/sh_test.bzl": "sh_test = native.sh_test",
}

_COVERAGE_BUILD = """package(default_visibility = ["//visibility:public"])
sh_binary(name = "coverage_report_generator", srcs = ["merge_coverage.py"])
sh_binary(name = "lcov_merger", srcs = ["merge_coverage.py"])
"""

# repository: source package, orig tarball and its sha256, its top folder,
#             upstream archive and its sha256, its top folder, then changes
_ARCHIVES = {
    "com_google_absl": dict(
        source = "abseil",
        orig = "abseil_20220623.1.orig.tar.gz",
        orig_sha256 = "abfe2897f3a30edaa74bc34365afe3c2a3cd012091a97dc7e008f7016adcd5fe",
        orig_strip_prefix = "abseil-20220623.1",
        patches = ["CVE-2025-0838.patch"],
        urls = ["https://github.com/abseil/abseil-cpp/archive/refs/tags/20220623.1.tar.gz"],
        sha256 = "91ac87d30cc6d79f9ab974c51874a704de9c2647c40f6932597329a282217ba8",
        strip_prefix = "abseil-cpp-20220623.1",
    ),
    "com_google_googletest": dict(
        source = "googletest",
        orig = "googletest_1.12.1.orig.tar.gz",
        orig_sha256 = "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
        orig_strip_prefix = "googletest-release-1.12.1",
        urls = ["https://github.com/google/googletest/archive/refs/tags/release-1.12.1.tar.gz"],
        sha256 = "81964fe578e9bd7c94dfdb09c8e4d6e6759e19967e397dbea48d1c10e45d0df2",
        strip_prefix = "googletest-release-1.12.1",
    ),
    "com_github_google_benchmark": dict(
        source = "benchmark",
        orig = "benchmark_1.7.1.orig.tar.gz",
        orig_sha256 = "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
        orig_strip_prefix = "benchmark-1.7.1",
        urls = ["https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz"],
        sha256 = "6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7",
        strip_prefix = "benchmark-1.7.1",
    ),
    "com_googlesource_code_re2": dict(
        source = "re2",
        orig = "re2_20220601+dfsg.orig.tar.xz",
        orig_sha256 = "3bc61251da3b0b97be40a8a127818c517c62516e4eda11fc901d29496663df54",
        orig_strip_prefix = "re2-2022-06-01",
        # Debian leaves out what these scripts generate.
        commands = [
            "sed -i 's,^from six.moves import urllib,import urllib.request,; s,^_UNICODE_DIR = .*,_UNICODE_DIR = \"/usr/share/unicode\",' re2/unicode.py",
            "cd re2; python3 make_unicode_casefold.py >unicode_casefold.cc",
            "cd re2; python3 make_unicode_groups.py >unicode_groups.cc",
            "cd re2; perl make_perl_groups.pl >perl_groups.cc",
        ],
        urls = ["https://github.com/google/re2/archive/refs/tags/2022-06-01.tar.gz"],
        sha256 = "f89c61410a072e5cbcf8c27e3a778da7d6fd2f2b5b1445cd4f4508bee946ab0f",
        strip_prefix = "re2-2022-06-01",
    ),
    "com_github_gflags_gflags": dict(
        source = "gflags",
        orig = "gflags_2.2.2.orig.tar.gz",
        orig_sha256 = "34af2f15cf7367513b352bdcd2493ab14ce43692d2dcd9dfc499492966c64dcf",
        orig_strip_prefix = "gflags-2.2.2",
        urls = ["https://github.com/gflags/gflags/archive/refs/tags/v2.2.2.tar.gz"],
        sha256 = "34af2f15cf7367513b352bdcd2493ab14ce43692d2dcd9dfc499492966c64dcf",
        strip_prefix = "gflags-2.2.2",
    ),
}

# repository and target, header, library
_OPTIONAL = [
    ("zstd", "zstd.h", "-lzstd"),
    ("lz4", "lz4.h", "-llz4"),
    ("snappy", "snappy.h", "-lsnappy"),
    ("uring", "liburing.h", "-luring"),
    ("rados", "rados/librados.hpp", "-lrados"),
    ("isal", "isa-l/crc.h", "-lisal"),
    ("json", "nlohmann/json.hpp", ""),
]

def _maybe(rule, name, **kwargs):
    if name not in native.existing_rules():
        rule(name = name, **kwargs)

def shale_dependencies():
    """Declares what the WORKSPACE has not declared by itself yet."""
    if not native.bazel_version:  # Debian's Bazel 4.2.3 doesn't know its version
        _maybe(debian_tool, "rules_cc", files = _RULES_CC)
        _maybe(debian_tool, "rules_shell", files = _RULES_SHELL)
        _maybe(debian_tool, "rules_java", path = "/usr/share/bazel/rules/java")
        _maybe(debian_tool, "platforms", path = "/usr/share/bazel/tools/platforms")
        _maybe(
            debian_tool,
            "remote_coverage_tools",
            files = {"BUILD": _COVERAGE_BUILD},
            links = {"@shale//tools:merge_coverage.py": "merge_coverage.py"},
        )
    _maybe(
        debian_tool,
        "bazel_skylib",
        path = "/usr/share/bazel/tools/skylib",
        urls = ["https://github.com/bazelbuild/bazel-skylib/releases/download/1.7.1/bazel-skylib-1.7.1.tar.gz"],
        sha256 = "bc283cdfcd526a52c3201279cda4bc298652efa898b10b4db0837dc51652756f",
    )
    _maybe(
        debian_sources,
        "shale_debian_sources",
        packages = [a["source"] for a in _ARCHIVES.values()],
        files = {a["orig"]: a["orig_sha256"] for a in _ARCHIVES.values()},
    )

    # Named in benchmark's BUILD file; without it `bazel query 'rdeps(//..., X)'` fails.
    _maybe(debian_tool, "libpfm", files = {"BUILD": 'cc_library(name = "libpfm", visibility = ["//visibility:public"])'})
    for name, archive in _ARCHIVES.items():
        _maybe(debian_archive, name, **archive)
    optional_libraries(_maybe)

def _declare(rule, name, **kwargs):
    rule(name = name, **kwargs)

def optional_libraries(declare = _declare):
    for name, header, lib in _OPTIONAL:
        declare(
            optional_library,
            "shale_" + name,
            target = name,
            header = header,
            linkopts = [lib] if lib else [],
            define = "SHALE_HAVE_" + name.upper(),
        )
